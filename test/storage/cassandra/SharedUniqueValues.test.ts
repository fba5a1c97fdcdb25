import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { CqlStore } from "../../../src/storage/cassandra/CqlStore.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { indexRowPrefix } from "../../../src/storage/janusgraph/indexes/IndexEntries.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { TransactionConflict } from "../../../src/structure/errors/StoreErrors.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"

describe("Two servers that change the unique value of one vertex", () => {
  let cluster: FakeCluster
  let graphs: ReadonlyArray<CellGraph>

  beforeEach(async () => {
    cluster = new FakeCluster()
    const first = await cellGraph(await cluster.store())
    const editor = await first.management.edit()
    const ssn = editor.makeKey("ssn", dataTypeOf("String"), "SINGLE")
    editor.makeIndex({ unique: true, kind: "equality", name: "bySsn", element: "vertex", keys: [ssn] })
    await first.management.commit(editor)
    await run(first, "g.addV('person').property('ssn', 'x')")
    graphs = [first, await cellGraph(await cluster.store())]
  })
  afterEach(async () => {
    for (const graph of graphs) await graph.close()
  })

  const run = (graph: CellGraph, script: string) => runLater(graph, script, { as: text })

  /** The outcomes of two scripts that both servers run at the same time. */
  const outcomes = async (scripts: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const done = await Promise.allSettled(scripts.map((script, at) => run(graphs[at]!, script)))
    return done
      .map((each) => {
        if (each.status === "fulfilled") return "committed"
        return each.reason instanceof TransactionConflict ? "conflict" : String(each.reason)
      })
      .toSorted()
  }

  const entries = () => {
    const prefix = indexRowPrefix(graphs[0]!.core.schema.indexes.find(({ name }) => name === "bySsn")!)
    return cluster.cells("graphindex").filter(({ key }) => key.subarray(0, prefix.length).equals(prefix))
  }

  it("do not both succeed, so no entry of a value stays that no vertex has", async () => {
    const both = ["g.V().has('ssn', 'x').property('ssn', 'y')", "g.V().has('ssn', 'x').property('ssn', 'z')"]
    expect(await outcomes(both)).toEqual(["committed", "conflict"])
    expect(entries()).toHaveLength(1)
    for (const graph of graphs) expect(await run(graph, "g.V().count()")).toEqual(["1"])
  })

  it("do not both succeed when one of them drops the vertex", async () => {
    const both = ["g.V().has('ssn', 'x').property('ssn', 'y')", "g.V().has('ssn', 'x').drop()"]
    expect(await outcomes(both)).toEqual(["committed", "conflict"])
    expect(`${entries().length}`).toBe((await run(graphs[0]!, "g.V().count()"))[0])
  })

  it("can remove a value whose entry is missing after an interrupted commit", async () => {
    const { columns } = graphs[0]!.core.cells as CqlStore
    const [{ column, key }] = entries() as [ReturnType<typeof entries>[number]]
    await new Promise((resolve) => setTimeout(resolve, 2))
    const mutation = { table: "graphindex", key, additions: [], deletions: [column] } as const
    await columns.mutate([mutation], BigInt(Date.now()) * 1000n, "write")
    expect(entries()).toEqual([])
    await run(graphs[1]!, "g.V().hasLabel('person').property('ssn', 'y')")
    await run(graphs[0]!, "g.V().hasLabel('person').drop()")
    expect(entries()).toEqual([])
    await run(graphs[1]!, "g.addV('person').property('ssn', 'x')")
  })
})
