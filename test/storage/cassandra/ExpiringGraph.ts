import type { CqlStore } from "../../../src/storage/cassandra/CqlStore.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { indexRowPrefix } from "../../../src/storage/janusgraph/indexes/IndexEntries.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"

/**
 * A graph over a cluster in memory. Values of `mood` and `nick` (a SET), edges `knows` and vertices `visit` have a TTL of ten seconds,
 * or only the `expiring` ones of them.
 */
export const opened = async (expiring: ReadonlyArray<string> = ["mood", "nick", "knows", "visit"]) => {
  const cluster = new FakeCluster()
  const graph = await cellGraph(await cluster.store())
  const editor = await graph.management.edit()
  editor.makeKey("name", dataTypeOf("String"), "SINGLE")
  const mood = editor.makeKey("mood", dataTypeOf("String"), "SINGLE")
  const nick = editor.makeKey("nick", dataTypeOf("String"), "SET")
  const since = editor.makeKey("since", dataTypeOf("Integer"), "SINGLE")
  const knows = editor.makeLabel("knows", "MULTI", false, [])
  editor.makeLabel("made", "MULTI", false, [])
  const visit = editor.makeVertexLabel("visit", true, false)
  for (const type of [mood, nick, knows, visit]) if (expiring.includes(type.name)) editor.setTimeToLive(type, 10)
  editor.makeIndex({ unique: false, kind: "equality", name: "byMood", element: "vertex", keys: [mood] })
  editor.makeIndex({ unique: true, kind: "equality", name: "byNick", element: "vertex", keys: [nick] })
  editor.makeIndex({ unique: false, kind: "equality", name: "bySince", element: "edge", keys: [since] })
  editor.makeRelationIndex(knows, "knowsSince", "BOTH", false, [since])
  await graph.management.commit(editor)
  const all = async (script: string): Promise<ReadonlyArray<string>> =>
    ((await runLater(graph, script, { as: text })) as ReadonlyArray<string>).toSorted()
  return { all, cluster, graph }
}

/** The cells of an index. */
export const entriesIn = (cluster: FakeCluster, graph: CellGraph, name: string) => {
  const prefix = indexRowPrefix(graph.core.schema.indexes.find((index) => index.name === name)!)
  return cluster.cells("graphindex").filter(({ key }) => key.subarray(0, prefix.length).equals(prefix))
}

/** Removes cells, as a crash in the middle of a commit would leave them out. */
export const lose = async (
  graph: CellGraph,
  table: "edgestore" | "graphindex",
  cells: ReadonlyArray<{ readonly key: Buffer; readonly column: Buffer }>
): Promise<void> => {
  const { columns } = graph.core.cells as CqlStore
  await new Promise((resolve) => setTimeout(resolve, 2))
  const mutations = cells.map(({ column, key }) => ({ table, key, additions: [], deletions: [column] }))
  await columns.mutate(mutations, BigInt(Date.now()) * 1000n, "write")
}

/** Counts the statements that read how long a cell lives. */
export const timeReads = (cluster: FakeCluster): (() => number) => {
  let reads = 0
  cluster.weather = async (statement) => {
    if (statement.includes("TTL(value)")) reads++
  }
  return () => reads
}
