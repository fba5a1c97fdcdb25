import { type CellGraph, openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { CellStore } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { type CellGraphOptions, defaultCellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { column, fetched, settled } from "../Completion.ts"
import { LIST_KEY } from "../GraphModel.ts"

/** Opens the graph in a store, with the default settings except `options`. */
export const cellGraph = (cells: CellStore, options: Partial<CellGraphOptions> = {}): Promise<CellGraph> =>
  openCellGraph(cells, { ...defaultCellGraphOptions, name: "test", ...options }, "test-1")

/** An empty graph with the LIST key and the indexes of the model test. */
export const modelGraph = async (cells: CellStore, options: Partial<CellGraphOptions> = {}): Promise<CellGraph> => {
  const graph = await cellGraph(cells, options)
  const transaction = graph.begin()
  const id = options.userVertexIds ? 2n ** 20n : undefined
  if (id !== undefined) await fetched(transaction, { kind: "vertexIds", ids: [id] })
  const ref = transaction.addVertex("person", id)
  transaction.setVertexProperty(ref, Cardinality.list, LIST_KEY, "x")
  await settled(transaction.commit())
  const next = graph.begin()
  await fetched(next, { kind: "vertexIds", ids: [BigInt(ref)] })
  await fetched(next, { kind: "adjacent", ...column(next, ref), direction: "BOTH", labels: null, edges: true })
  next.removeVertex(ref)
  await settled(next.commit())
  for (const key of ["age", LIST_KEY]) await graph.management.createIndex(key, "vertex")
  await graph.management.createIndex("since", "edge")
  return graph
}
