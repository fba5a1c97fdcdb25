import { describe, expect, it } from "vitest"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { janusGraphInMemory } from "../../../src/storage/memory/Options.ts"
import { loadToyGraph, toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import type { IdManagerName } from "../../../src/storage/shared/IdManager.ts"
import { ElementExists, UnsupportedValue } from "../../../src/structure/errors/StoreErrors.ts"
import { BigDecimal, Byte, Double } from "../../../src/structure/numbers/Numbers.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { emptyGraph, read, setProperty, write } from "./Fixture.ts"

const idOfNew = (graph: MemoryGraph, id?: unknown): unknown =>
  write(graph, (transaction) => transaction.vertexId(transaction.addVertex("person", id)))

const managed = (vertexIdManager: IdManagerName) =>
  emptyGraph({ vertexIdManager, edgeIdManager: vertexIdManager, vertexPropertyIdManager: vertexIdManager })

const uuid = "0f6a3c8e-2d44-4f7e-9d3a-0e2f0c4b5a69"

describe("Ids", () => {
  it("are counted for vertices, edges and properties together, as Longs", () => {
    const graph = emptyGraph()
    const ids = write(graph, (transaction) => {
      const first = transaction.addVertex("person", undefined)
      const property = transaction.setVertexProperty(first, null, "k", 1)
      const edge = transaction.addEdge(first, "self", first, undefined)
      const second = transaction.addVertex("person", undefined)
      return [transaction.vertexId(first), property.id, transaction.edgeId(edge), transaction.vertexId(second)]
    })
    expect(ids).toEqual([0n, 1n, 2n, 3n])
  })

  it("skip numbers that are in use", () => {
    const graph = emptyGraph()
    write(graph, (transaction) => {
      const ref = transaction.addVertex("person", 0)
      transaction.addVertex("person", 1n)
      transaction.setVertexProperty(ref, null, "k", 1, { id: 2n })
      transaction.addEdge(ref, "self", ref, 3n)
      // As in TinkerGraph, an edge with the Int 4 does not stand in the way of the Long 4.
      transaction.addEdge(ref, "self", ref, 4)
      expect(transaction.vertexId(transaction.addVertex("person", undefined))).toBe(3n)
    })
    expect(idOfNew(graph)).toBe(4n)
  })

  it("of new vertices in the toy graph modern are those of TinkerGraph", () => {
    expect(idOfNew(toyGraph("modern"))).toBe(0)
    const loaded = emptyGraph()
    loadToyGraph("modern", loaded)
    expect(idOfNew(loaded)).toBe(12n)
  })

  it.each<readonly [IdManagerName, unknown, ReadonlyArray<unknown>, unknown]>([
    ["ANY", 7, [7, 7n, new Double(7), new Byte(7)], 7],
    ["ANY", "7", ["7"], "7"],
    ["ANY", 1.5, [1.5], 1.5],
    ["ANY", 2n ** 62n, [2n ** 62n], 2n ** 62n],
    ["LONG", 7, [7, 7n, "7"], 7n],
    ["LONG", "-8", [-8, -8n, "-8"], -8n],
    ["INTEGER", 7n, [7, 7n, "7"], 7],
    ["UUID", uuid, [uuid.toUpperCase(), new Uuid(uuid)], new Uuid(uuid)],
    ["STRING", "x", ["x"], "x"]
  ])("of %s: %o is found by each of %o", (manager, given, asked, kept) => {
    const graph = managed(manager)
    expect(idOfNew(graph, given)).toEqual(kept)
    read(graph, (transaction) => {
      for (const id of asked) expect(transaction.vertexRef(id)).toBe(0)
      for (const id of [null, undefined]) expect(transaction.vertexRef(id)).toBe(-1)
    })
    for (const id of asked) expect(() => idOfNew(graph, id)).toThrow(ElementExists)
    write(graph, (transaction) => transaction.addEdge(0, "self", 0, given))
    for (const id of asked) expect(read(graph, (transaction) => transaction.edgeRef(id))).toBe(0)
  })

  it.each<readonly [IdManagerName, ReadonlyArray<unknown>]>([
    ["LONG", ["x", "", true, new Uuid(uuid), 2n ** 63n, Number.NaN]],
    ["INTEGER", ["x", 2 ** 31, "2147483648"]],
    ["UUID", [1, "x", `${uuid}0`]],
    ["STRING", ["", 1, new Uuid(uuid)]]
  ])("of %s cannot be any of %o", (manager, refused) => {
    const graph = managed(manager)
    for (const id of refused) {
      expect(() => idOfNew(graph, id)).toThrow(UnsupportedValue)
      expect(() => read(graph, (transaction) => transaction.vertexRef(id))).toThrow(UnsupportedValue)
    }
  })

  it("of BigDecimals are decided without writing their digits out", () => {
    const large = new BigDecimal(1n, -300_000_000)
    const small = new BigDecimal(1n, 300_000_000)
    for (const manager of ["LONG", "INTEGER"] as const) {
      const graph = managed(manager)
      expect(() => idOfNew(graph, large)).toThrow(/^The id 1E\+300000000 cannot be used/)
      expect(() => read(graph, (transaction) => transaction.vertexRef(large))).toThrow(UnsupportedValue)
      expect(Number(idOfNew(graph, small))).toBe(0)
      expect(Number(idOfNew(graph, new BigDecimal(125n, 1)))).toBe(12)
      expect(Number(idOfNew(graph, new BigDecimal(-12n, -2)))).toBe(-1200)
      expect(() => idOfNew(graph, new BigDecimal(0n, -300_000_000))).toThrow(ElementExists)
    }
    expect(managed("ANY").begin().vertexRef(large)).toBe(-1)
  })

  it("are allocated in the type of the manager", () => {
    expect(idOfNew(managed("LONG"))).toBe(0n)
    expect(idOfNew(managed("INTEGER"))).toBe(0)
    expect(idOfNew(managed("UUID"))).toBeInstanceOf(Uuid)
    expect(idOfNew(managed("STRING"))).toMatch(/^[0-9a-f-]{36}$/)
    const strings = managed("STRING")
    const property = write(strings, (t) => t.setVertexProperty(t.addVertex("v", undefined), null, "k", 1))
    expect(property.id).toMatch(/^[0-9a-f-]{36}$/)
    const kept = read(strings, (t) => t.vertexProperties(0, null)[0]!.id)
    expect(kept).toBe(property.id)
  })

  it("of JanusGraph cannot be chosen by clients", () => {
    const graph = new MemoryGraph(janusGraphInMemory("g"))
    expect(() => idOfNew(graph, 5)).toThrow(/The graph g assigns the id of each vertex itself/)
    expect(idOfNew(graph)).toBe(0n)
  })

  it("that are in use are named in the error", () => {
    const graph = emptyGraph()
    idOfNew(graph, "a")
    expect(() => idOfNew(graph, "a")).toThrow('Vertex with id already exists: "a"')
    const edge = () => write(graph, (transaction) => transaction.addEdge(0, "self", 0, 9))
    edge()
    expect(edge).toThrow("Edge with id already exists: 9")
  })

  it("can be reused after their element was removed, in the same transaction or later", () => {
    const graph = emptyGraph()
    idOfNew(graph, 1)
    write(graph, (transaction) => {
      setProperty(transaction, transaction.vertexRef(1), "k", "old")
      transaction.removeVertex(transaction.vertexRef(1))
      const again = transaction.addVertex("other", 1)
      expect(transaction.vertexRef(1)).toBe(again)
      transaction.removeVertex(again)
      expect(transaction.vertexRef(1)).toBe(-1)
      transaction.addVertex("third", 1)
    })
    read(graph, (transaction) => {
      const ref = transaction.vertexRef(1)
      expect([transaction.vertexLabel(ref), transaction.vertexKeys(ref)]).toEqual(["third", []])
    })
  })

  it("find the old element in an older snapshot", () => {
    const graph = emptyGraph()
    write(graph, (transaction) => setProperty(transaction, transaction.addVertex("a", 1), "k", "first"))
    const before = graph.begin()
    write(graph, (transaction) => transaction.removeVertex(transaction.vertexRef(1)))
    const between = graph.begin()
    write(graph, (transaction) => setProperty(transaction, transaction.addVertex("b", 1), "k", "second"))
    const after = graph.begin()
    write(graph, (transaction) => transaction.removeVertex(transaction.vertexRef(1)))
    const labels = [before, between, after].map((transaction) => {
      const ref = transaction.vertexRef(1)
      return ref === -1 ? null : [transaction.vertexLabel(ref), transaction.vertexReader("k").value(ref)]
    })
    expect(labels).toEqual([["a", "first"], null, ["b", "second"]])
    for (const transaction of [before, between, after]) transaction.rollback()
    expect(graph.undoLogLength).toBe(0)
  })
})
