import { describe } from "vitest"
import { transactionTests } from "../storage/cassandra/TransactionTests.ts"
import { cqlGraph, newKeyspace } from "./Stores.ts"

describe("Transactions over Cassandra", () => transactionTests(() => cqlGraph(newKeyspace())))
