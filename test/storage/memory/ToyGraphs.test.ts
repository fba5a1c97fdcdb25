import { describe, expect, it } from "vitest"
import { loadToyGraph, type ToyGraph, toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import { ElementExists } from "../../../src/structure/errors/StoreErrors.ts"
import { double, Float } from "../../../src/structure/numbers/Numbers.ts"
import { around, drain, edgeIds, vertexIds } from "../Reads.ts"
import { emptyGraph, read } from "./Fixture.ts"

const edges = (toy: ToyGraph) =>
  read(toyGraph(toy), (transaction) =>
    drain(transaction.scanEdges(null)).map((ref) => {
      const { id, label, outVertex, inVertex } = transaction.edge(ref)
      return `${id}[${outVertex.id}-${label}->${inVertex.id}]`
    })
  )

describe("The toy graph", () => {
  it("modern has its ids, labels, properties and weights", () => {
    expect(edges("modern")).toEqual([
      "7[1-knows->2]",
      "8[1-knows->4]",
      "9[1-created->3]",
      "10[4-created->5]",
      "11[4-created->3]",
      "12[6-created->3]"
    ])
    read(toyGraph("modern"), (transaction) => {
      expect(vertexIds(transaction)).toEqual([1, 2, 3, 4, 5, 6])
      expect(vertexIds(transaction, ["software"])).toEqual([3, 5])
      const josh = transaction.vertex(transaction.vertexRef(4)).properties()
      expect(josh.map(({ id, key, value }) => [id, key, value])).toEqual([
        [6n, "name", "josh"],
        [7n, "age", 32]
      ])
      const weight = transaction.edgeReader("weight")
      expect([8, 9].map((id) => weight.value(transaction.edgeRef(id)))).toEqual([double(1), 0.4])
    })
  })

  it("modern has the neighbours of marko in the order of TinkerPop's documentation", () => {
    read(toyGraph("modern"), (transaction) => {
      const out = around(transaction, transaction.vertexRef(1), "OUT", null, false)
      expect(out.map((ref) => transaction.vertexId(ref))).toEqual([3, 2, 4])
    })
  })

  it("classic has no labels of its own, Float weights and Int ids of properties", () => {
    read(toyGraph("classic"), (transaction) => {
      expect(vertexIds(transaction, ["vertex"])).toEqual([1, 2, 3, 4, 5, 6])
      expect(transaction.edgeReader("weight").value(transaction.edgeRef(9))).toEqual(new Float(0.4))
      expect(transaction.vertexProperties(transaction.vertexRef(6), ["age"])[0]).toMatchObject({ id: 11, value: 35 })
    })
    expect(edges("classic")).toEqual(edges("modern"))
  })

  it("crew has several locations with meta-properties", () => {
    read(toyGraph("crew"), (transaction) => {
      expect(vertexIds(transaction)).toEqual([1, 7, 8, 9, 10, 11])
      expect(edgeIds(transaction)).toEqual(Array.from({ length: 14 }, (_, i) => 13 + i))
      const [, last] = transaction.vertexProperties(transaction.vertexRef(9), ["location"]).slice(1)
      expect([last!.id, last!.value, last!.meta]).toEqual([19n, "aachen", new Map([["startTime", 2009]])])
      expect(transaction.vertexProperties(transaction.vertexRef(11), null)[0]).toMatchObject({
        id: 5n,
        value: "tinkergraph"
      })
    })
  })

  it("sink has loops", () => {
    expect(edges("sink")).toEqual(["1001[1000-self->1000]", "2002[2000-link->2001]", "2003[2000-link->2000]"])
    read(toyGraph("sink"), (transaction) => {
      expect(transaction.degree(transaction.vertexRef(1000), "BOTH", null)).toBe(2)
      expect(transaction.vertexProperties(transaction.vertexRef(2001), null)[0]).toMatchObject({ id: 2n, value: "b" })
    })
  })

  it("is loaded into an existing graph completely or not at all", () => {
    const graph = emptyGraph()
    loadToyGraph("modern", graph)
    expect(() => loadToyGraph("crew", graph)).toThrow(ElementExists)
    expect(graph.describe()).toBe("tinkertransactiongraph[vertices:6 edges:6]")
    loadToyGraph("sink", graph)
    expect(graph.describe()).toBe("tinkertransactiongraph[vertices:9 edges:9]")
  })
})
