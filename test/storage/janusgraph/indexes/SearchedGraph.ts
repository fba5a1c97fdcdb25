/** A graph with indexes whose searches may find an element several times. */

import type { CellStore } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import type { GraphTransaction } from "../../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../../src/structure/scalars/Enums.ts"
import { settled } from "../../Completion.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** The number of vertices of the graph. */
export const VERTICES = 400

/** A new transaction of a graph with an ordered index of numbers and an index of the words of texts. */
export const opened = async (
  cardinality: "SINGLE" | "LIST",
  store: CellStore = new MemoryCellStore()
): Promise<GraphTransaction> => {
  const graph = await cellGraph(store)
  const editor = await graph.management.edit()
  const index = { element: "vertex", unique: false } as const
  const age = editor.makeKey("age", dataTypeOf("Integer"), cardinality)
  const note = editor.makeKey("note", dataTypeOf("String"), "SINGLE")
  editor.makeIndex({ ...index, name: "byAge", kind: "ordered", keys: [age] })
  editor.makeIndex({ ...index, name: "byNote", kind: "mixed", keys: [note], mappings: ["TEXT"], backing: "search" })
  await graph.management.commit(editor)
  const transaction = graph.begin()
  for (let i = 0; i < VERTICES; i++) {
    const ref = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(ref, cardinality === "LIST" ? Cardinality.list : Cardinality.single, "age", i)
    if (cardinality === "LIST") transaction.setVertexProperty(ref, Cardinality.list, "age", i + 1)
    transaction.setVertexProperty(ref, Cardinality.single, "note", `some somewhat ${i}`)
  }
  await settled(transaction.commit())
  return graph.begin()
}
