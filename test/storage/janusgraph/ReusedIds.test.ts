import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { fetched, settled } from "../Completion.ts"
import { edgeIds, vertexIds } from "../Reads.ts"
import { cellGraph } from "./Graphs.ts"
import { MemoryCellStore } from "./MemoryCellStore.ts"

const ID = 2n ** 20n

const add = async (transaction: GraphTransaction): Promise<number> => {
  await fetched(transaction, { kind: "vertexIds", ids: [ID] })
  return transaction.addVertex("person", ID)
}

/** Adds a vertex with an edge to itself. */
const addWithLoop = async (transaction: GraphTransaction): Promise<number> => {
  const ref = await add(transaction)
  transaction.addEdge(ref, "knows", ref, undefined)
  return ref
}

const counts = (transaction: GraphTransaction): ReadonlyArray<number> => [
  vertexIds(transaction).length,
  edgeIds(transaction).length
]

describe("A transaction that uses the id of a vertex again", () => {
  const open = (): Promise<CellGraph> => cellGraph(new MemoryCellStore(), { userVertexIds: true })

  it("has the vertex and its edges once", async () => {
    const graph = await open()
    const transaction = graph.begin()
    for (let times = 0; times < 3; times++) {
      if (times > 0) transaction.removeVertex(transaction.vertexRef(ID))
      await addWithLoop(transaction)
    }
    expect(counts(transaction)).toEqual([1, 1])
    await settled(transaction.commit())
    const later = graph.begin()
    expect(counts(later)).toEqual([1, 1])
    later.removeVertex(later.vertexRef(ID))
    later.removeVertex(await addWithLoop(later))
    await addWithLoop(later)
    expect(counts(later)).toEqual([1, 1])
    later.rollback()
  })

  it("has it once after a rollback to a savepoint", async () => {
    const graph = await open()
    const transaction = graph.begin()
    transaction.savepoint!()
    await addWithLoop(transaction)
    transaction.rollbackToSavepoint!()
    expect(counts(transaction)).toEqual([0, 0])
    await addWithLoop(transaction)
    expect(counts(transaction)).toEqual([1, 1])
    transaction.savepoint!()
    transaction.removeVertex(transaction.vertexRef(ID))
    await addWithLoop(transaction)
    transaction.rollbackToSavepoint!()
    expect(counts(transaction)).toEqual([1, 1])
    transaction.removeVertex(transaction.vertexRef(ID))
    expect(counts(transaction)).toEqual([0, 0])
    await addWithLoop(transaction)
    expect(counts(transaction)).toEqual([1, 1])
    transaction.rollback()
  })
})
