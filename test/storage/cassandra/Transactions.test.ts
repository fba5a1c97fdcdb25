import { describe } from "vitest"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"
import { transactionTests } from "./TransactionTests.ts"

describe("Transactions over a cluster", () => transactionTests(async () => cellGraph(await new FakeCluster().store())))
