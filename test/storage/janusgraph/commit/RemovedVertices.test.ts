import { expect, it, vi } from "vitest"
import type { CellStore } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import { TransactionConflict, UnsupportedValue } from "../../../../src/structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../../src/structure/scalars/Enums.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { runLater } from "../../../process/run.ts"
import { column, fetched, settled } from "../../Completion.ts"
import { FakeCluster } from "../../cassandra/FakeCluster.ts"
import { findingsOf } from "../../cassandra/Findings.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/**
 * Two vertices and an edge `to` with the property `a` = 1, with a composite index and a vertex-centric index on `a`.
 */
const linked = async (store: CellStore, unidirected: boolean) => {
  const graph = await cellGraph(store)
  const editor = await graph.management.edit()
  const label = editor.makeLabel("to", "MULTI", unidirected, [])
  await graph.management.commit(editor)
  const transaction = graph.begin()
  const [out, into] = [transaction.addVertex("v", undefined), transaction.addVertex("v", undefined)]
  const edge = transaction.addEdge(out, label.name, into, undefined)
  transaction.setEdgeProperty(edge, "a", 1)
  const ids = { out: transaction.vertexId(out), into: transaction.vertexId(into), edge: transaction.edgeId(edge) }
  await settled(transaction.commit())
  await graph.management.createIndex("a", "edge")
  const next = await graph.management.edit()
  next.makeRelationIndex(next.label("to")!, "by a", "OUT", false, [next.key("a")!])
  await graph.management.commit(next)
  for (const { type } of (await graph.management.schema()).relationIndexes) await graph.management.done(type.id)
  return { graph, ...ids }
}

const edgeRef = async (transaction: GraphTransaction, id: unknown) => {
  await fetched(transaction, { kind: "edgeIds", ids: [id] })
  return transaction.edgeRef(id)
}

const vertexRef = async (transaction: GraphTransaction, id: unknown) => {
  await fetched(transaction, { kind: "vertexIds", ids: [id] })
  const ref = transaction.vertexRef(id)
  const around = { ...column(transaction, ref), direction: "BOTH", labels: null, edges: true } as const
  await fetched(transaction, { kind: "adjacent", ...around })
  return ref
}

const stores: ReadonlyArray<readonly [string, () => Promise<CellStore>]> = [
  ["with snapshots", async () => new MemoryCellStore()],
  ["that answers later", async () => new MemoryCellStore({ answersLater: true })],
  ["without snapshots", () => new FakeCluster().store()]
]

for (const [place, open] of stores) {
  it.each([
    ["a unidirected edge with its in-vertex", true, "into"],
    ["a unidirected edge with its out-vertex", true, "out"],
    ["an edge with its in-vertex", false, "into"],
    ["an edge with its out-vertex", false, "out"]
  ] as const)(
    `A transaction that removes %s conflicts with a change of the edge, in a store ${place}`,
    async (...given) => {
      const [, unidirected, end] = given
      const { graph, edge, ...ids } = await linked(await open(), unidirected)
      const remover = graph.begin()
      remover.removeEdge(await edgeRef(remover, edge))
      remover.removeVertex(await vertexRef(remover, ids[end]))
      const changer = graph.begin()
      changer.setEdgeProperty(await edgeRef(changer, edge), "a", 2)
      await settled(changer.commit())
      await expect(settled(remover.commit())).rejects.toThrow(TransactionConflict)
      expect(await findingsOf(graph)).toEqual([])
      expect(await runLater(graph, "g.E().has('a', 2).count()")).toEqual([1n])
      await graph.close()
    }
  )

  it(`A transaction that removes a vertex conflicts with one that removed the vertex or one of its edges, in a store ${place}`, async () => {
    const { graph, edge, into } = await linked(await open(), false)
    const [first, second] = [graph.begin(), graph.begin()]
    for (const each of [first, second]) each.removeVertex(await vertexRef(each, into))
    const third = graph.begin()
    third.removeEdge(await edgeRef(third, edge))
    await settled(third.commit())
    await expect(settled(first.commit())).rejects.toThrow(TransactionConflict)
    const again = graph.begin()
    again.removeVertex(await vertexRef(again, into))
    await settled(again.commit())
    await expect(settled(second.commit())).rejects.toThrow(TransactionConflict)
    expect(await findingsOf(graph)).toEqual([])
    await graph.close()
  })

  it(`An edge that violates its multiplicity is refused with an error that is not a conflict, in a store ${place}`, async () => {
    const graph = await cellGraph(await open())
    const editor = await graph.management.edit()
    editor.makeLabel("mother", "MANY2ONE", false, [])
    await graph.management.commit(editor)
    await runLater(graph, "g.addV('v').as('a').addE('mother').to('a')")
    const second = runLater(graph, "g.V().as('a').addE('mother').to('a')")
    await expect(second).rejects.toThrow(UnsupportedValue)
    await graph.close()
  })
}

it.each(stores)("The removal of a vertex with very many values is a long commit, in a store %s", async (_, open) => {
  const graph = await cellGraph(await open())
  const transaction = graph.begin()
  const ref = transaction.addVertex("v", undefined)
  for (let i = 0; i < 1500; i++) {
    transaction.setVertexProperty(ref, Cardinality.list, "many", `${i} ${"x".repeat(60)}`)
  }
  await settled(transaction.commit())
  const long = vi.spyOn(graph.core.cells, "commitLong")
  expect(await runLater(graph, "g.V().properties('many').count()", { as: text })).toEqual(["1500"])
  await runLater(graph, "g.V().drop()", { as: text })
  expect(long).toHaveBeenCalledTimes(1)
  expect(await runLater(graph, "g.V().count()", { as: text })).toEqual(["0"])
  expect(await findingsOf(graph)).toEqual([])
})
