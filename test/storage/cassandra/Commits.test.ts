import { describe, expect, it, onTestFinished } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster, type ReceivedStatement } from "./FakeCluster.ts"

/** Options whose levels all differ from QUORUM, which is that of locks, ids and registrations. */
const options = { readConsistency: "TWO", writeConsistency: "THREE" } as const

const open = async (cluster: FakeCluster): Promise<CellGraph> => {
  const graph = await cellGraph(await cluster.store(options))
  onTestFinished(() => graph.close())
  return graph
}

const makeIndex = async ({ management }: CellGraph): Promise<void> => {
  const editor = await management.edit()
  const ssn = editor.makeKey("ssn", dataTypeOf("String"), "SINGLE")
  editor.makeIndex({ unique: true, kind: "equality", name: "bySsn", element: "vertex", keys: [ssn] })
  await management.commit(editor)
}

const summary = (received: ReadonlyArray<ReceivedStatement>): ReadonlyArray<string> =>
  [...new Set(received.map(({ consistency, kind, table }) => `${kind} ${table} ${consistency}`))].toSorted()

const graphWrites = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line) => /^write (edgestore|graphindex) /.test(line))

const locked = (lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.filter((line) => line.includes("_lock_"))

describe("The consistency level of a commit", () => {
  it("is that of writes while its server is the only instance, and that of locks while others are registered", async () => {
    const cluster = new FakeCluster()
    const graph = await open(cluster)
    await makeIndex(graph)
    const change = async (script: string): Promise<ReadonlyArray<string>> => {
      cluster.received = []
      await runLater(graph, script)
      return summary(cluster.received)
    }
    const alone = await change("g.addV('person').property('ssn', 'x')")
    expect(graphWrites(alone)).toEqual(["write edgestore three", "write graphindex three"])
    expect(locked(alone)).toEqual([])

    await open(cluster)
    const shared = await change("g.addV('person').property('ssn', 'y')")
    expect(graphWrites(shared)).toEqual(["write edgestore quorum", "write graphindex quorum"])
    expect(locked(shared)).toEqual(["read graphindex_lock_ quorum", "write graphindex_lock_ quorum"])
    // The entry is compared under its lock.
    expect(shared).toContain("read graphindex quorum")
    expect(await change("g.addV('person')")).toContain("write edgestore three")
  })

  it("is not that of ids, registrations and the configuration of the keyspace", async () => {
    const cluster = new FakeCluster()
    cluster.received = []
    const graph = await open(cluster)
    await makeIndex(graph)
    await runLater(graph, "g.addV('person').property('ssn', 'x')")
    const coordination = /(janusgraph_ids|system_properties|systemlog)/
    expect(summary(cluster.received).filter((line) => coordination.test(line))).toEqual([
      "read janusgraph_ids quorum",
      "read system_properties quorum",
      "read system_properties_lock_ quorum",
      "read systemlog quorum",
      "write janusgraph_ids quorum",
      "write system_properties quorum",
      "write system_properties_lock_ quorum"
    ])
  })
})
