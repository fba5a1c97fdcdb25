import { expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { runLater } from "../../../process/run.ts"
import { turnsDuring } from "../../../Turns.ts"
import { settled } from "../../Completion.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** Vertices with different values of `full`, which has an index, and an index of `empty`, which has no entries. */
const graphOf = async (vertices: number): Promise<CellGraph> => {
  const graph = await cellGraph(new MemoryCellStore())
  const transaction = graph.begin()
  for (let i = 0; i < vertices; i++) {
    transaction.setVertexProperty(transaction.addVertex("person", undefined), null, "full", i)
  }
  await settled(transaction.commit())
  await runLater(graph, "g.addV('person').property('empty', 1).property('empty', null)")
  for (const key of ["full", "empty"]) await graph.management.createIndex(key, "vertex")
  return graph
}

it("The removal of an index lets others run while it reads the entries of other indexes", async () => {
  const graph = await graphOf(5_000)
  // 1,024 rows are read at once.
  expect(await turnsDuring(() => graph.management.dropIndex("empty", "vertex"))).toBeGreaterThanOrEqual(5)
  await graph.close()
})
