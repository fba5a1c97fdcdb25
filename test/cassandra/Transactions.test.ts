import { describe, onTestFinished } from "vitest"
import { WriteTable } from "../../src/layers/workers/WriteTable.ts"
import type { CellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { newRegion } from "../layers/workers/Regions.ts"
import { siblingTests } from "../storage/cassandra/SiblingTests.ts"
import { transactionTests } from "../storage/cassandra/TransactionTests.ts"
import { cellGraph } from "../storage/janusgraph/Graphs.ts"
import { cqlGraph, cqlStore, newKeyspace, patientLocks } from "./Stores.ts"

/** The graphs of two workers of a server. */
const workers = async (): Promise<readonly [CellGraph, CellGraph]> => {
  const { region } = await newRegion(2)
  const keyspace = newKeyspace()
  const open = async (worker: 1 | 2): Promise<CellGraph> => {
    const identity = { server: "one", worker, writes: new WriteTable(region, worker - 1) }
    const graph = await cellGraph(await cqlStore(keyspace, {}, { ...patientLocks, worker: identity }))
    onTestFinished(() => graph.close())
    return graph
  }
  return [await open(1), await open(2)]
}

describe("Transactions over Cassandra", () => transactionTests(() => cqlGraph(newKeyspace(), {}, {}, patientLocks)))

describe("Two workers of a server over Cassandra", () => siblingTests(workers))
