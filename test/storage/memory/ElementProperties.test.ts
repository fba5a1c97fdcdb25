import { describe, expect, it } from "vitest"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { janusGraphInMemory } from "../../../src/storage/memory/Options.ts"
import { Edge, Property, Vertex, VertexProperty } from "../../../src/structure/elements/Element.ts"
import { ElementNotFound, UnsupportedValue } from "../../../src/structure/errors/StoreErrors.ts"
import { Values } from "../../../src/structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { double } from "../../../src/structure/numbers/Numbers.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { settled } from "../Completion.ts"
import { emptyGraph, read, setProperty, valueAt, valuesAt, write, writeMany } from "./Fixture.ts"

const oneVertex = (options = {}) => {
  const graph = emptyGraph(options)
  write(graph, (transaction) => transaction.addVertex("person", 1))
  return graph
}

describe("Vertex properties", () => {
  it("replace each other when SINGLE, append when LIST, and add only new values when SET (1 and 1L are two values)", () => {
    const graph = oneVertex()
    write(graph, (transaction) => {
      const ref = transaction.vertexRef(1)
      for (const value of [1, 2]) setProperty(transaction, ref, "single", value)
      for (const value of [1, 2, 1]) setProperty(transaction, ref, "list", value, Cardinality.list)
      for (const value of [1, 1n, 1]) setProperty(transaction, ref, "set", value, Cardinality.set)
    })
    read(graph, (transaction) => {
      expect(valuesAt(transaction, 1, "single")).toEqual([2])
      expect(valuesAt(transaction, 1, "list")).toEqual([1, 2, 1])
      expect(valuesAt(transaction, 1, "set")).toEqual([1, 1n])
      expect(valueAt(transaction, 1, "single")).toBe(2)
      expect(valueAt(transaction, 1, "list")).toEqual(new Values([1, 2, 1]))
      expect(transaction.vertexKeys(transaction.vertexRef(1))).toEqual(["single", "list", "set"])
    })
  })
  it("that are added to very many others under one key do not change what others read", async () => {
    const graph = oneVertex({ defaultVertexPropertyCardinality: "list" })
    const add = (transaction: GraphTransaction, from: number, to: number, key: string): void => {
      const cardinality = key === "set" ? Cardinality.set : Cardinality.list
      for (let i = from; i < to; i++) setProperty(transaction, transaction.vertexRef(1), key, i, cardinality)
    }
    const numbers = (...ranges: ReadonlyArray<readonly [number, number]>): ReadonlyArray<number> =>
      ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i))
    for (const key of ["list", "set"]) {
      await writeMany(graph, (transaction) => add(transaction, 0, 100, key))
      const [reader, first, second] = [graph.begin({ readOnly: true }), graph.begin(), graph.begin()]
      add(first, 100, 200, key)
      const seen = valueAt(first, 1, key)
      first.savepoint!()
      add(first, 200, 300, key)
      await settled(first.rollbackToSavepoint!())
      add(first, 300, 400, key)
      add(second, 400, 500, key)
      expect(seen).toEqual(new Values(numbers([0, 200])))
      expect(valuesAt(reader, 1, key)).toEqual(numbers([0, 100]))
      expect(valuesAt(first, 1, key)).toEqual(numbers([0, 200], [300, 400]))
      await settled(first.commit())
      await settled(second.commit())
      expect(valuesAt(reader, 1, key)).toEqual(numbers([0, 100]))
      reader.rollback()
      expect(read(graph, (t) => valuesAt(t, 1, key))).toEqual(numbers([0, 200], [300, 500]))
    }
    // A set takes each value once, wherever it came from.
    await writeMany(graph, (transaction) => {
      for (let time = 0; time < 2; time++) add(transaction, 150, 600, "set")
    })
    expect(read(graph, (t) => valuesAt(t, 1, "set"))).toEqual(numbers([0, 200], [300, 500], [200, 300], [500, 600]))
  })

  it.each(["single", "list", "set"] as const)("without a cardinality get the graph's default %s", (cardinality) => {
    const graph = oneVertex({ defaultVertexPropertyCardinality: cardinality })
    write(graph, (transaction) => {
      for (const value of ["a", "b", "a"]) {
        transaction.setVertexProperty(transaction.vertexRef(1), null, "k", value)
      }
    })
    const expected = { single: ["a"], list: ["a", "b", "a"], set: ["a", "b"] }
    expect(read(graph, (transaction) => valuesAt(transaction, 1, "k"))).toEqual(expected[cardinality])
  })

  it("of null remove a SINGLE property and add nothing to a LIST, unless nulls are allowed", () => {
    const without = oneVertex()
    write(without, (transaction) => {
      const ref = transaction.vertexRef(1)
      setProperty(transaction, ref, "a", 1)
      setProperty(transaction, ref, "a", null)
      setProperty(transaction, ref, "b", 1, Cardinality.list)
      setProperty(transaction, ref, "b", null, Cardinality.list)
    })
    expect(read(without, (t) => [valuesAt(t, 1, "a"), valuesAt(t, 1, "b")])).toEqual([[], [1]])
    const withNull = oneVertex({ allowNullPropertyValues: true })
    write(withNull, (transaction) => {
      setProperty(transaction, transaction.vertexRef(1), "a", null)
      transaction.setVertexProperty(transaction.vertexRef(1), null, "m", 1, { meta: new Map([["x", null]]) })
    })
    read(withNull, (transaction) => {
      expect(valuesAt(transaction, 1, "a")).toEqual([null])
      expect(valueAt(transaction, 1, "a")).toBeNull()
      expect(transaction.vertexProperties(transaction.vertexRef(1), ["m"])[0]!.meta).toEqual(new Map([["x", null]]))
    })
  })

  it("have meta-properties, which can be set, changed and removed one by one", () => {
    const graph = oneVertex()
    write(graph, (transaction) => {
      const ref = transaction.vertexRef(1)
      const meta = new Map<string, unknown>([["since", 1997]])
      transaction.setVertexProperty(ref, Cardinality.list, "city", "a", { meta })
      transaction.setVertexProperty(ref, Cardinality.list, "city", "b")
    })
    const changed = write(graph, (transaction) => {
      const [a, b] = transaction.vertexProperties(transaction.vertexRef(1), ["city"])
      const after = transaction.setMetaProperty(b!, "until", 2001)
      transaction.setMetaProperty(a!, "since", 1998)
      expect(transaction.vertexProperties(transaction.vertexRef(1), ["city"]).map(({ meta }) => meta)).toEqual([
        new Map([["since", 1998]]),
        new Map([["until", 2001]])
      ])
      return after
    })
    expect([changed.key, changed.value, changed.meta]).toEqual(["city", "b", new Map([["until", 2001]])])
    write(graph, (transaction) => {
      const [a] = transaction.vertexProperties(transaction.vertexRef(1), ["city"])
      transaction.removeProperty(a!.properties()[0]!)
    })
    const metas = read(graph, (t) => t.vertexProperties(t.vertexRef(1), ["city"]).map(({ meta }) => meta))
    expect(metas).toEqual([null, new Map([["until", 2001]])])
  })

  it("of an equal SET value get the new meta-properties and keep their id", () => {
    const graph = oneVertex()
    const set = (meta: ReadonlyMap<string, unknown>) =>
      write(graph, (t) => t.setVertexProperty(t.vertexRef(1), Cardinality.set, "k", "v", { meta }))
    const first = set(new Map([["a", 1]]))
    const second = set(new Map([["b", 2]]))
    expect(second.id).toBe(first.id)
    expect(second.meta).toEqual(
      new Map([
        ["a", 1],
        ["b", 2]
      ])
    )
  })

  it("are removed one by one by their id", () => {
    const graph = oneVertex()
    write(graph, (transaction) => {
      for (const value of ["a", "b", "c"]) {
        setProperty(transaction, transaction.vertexRef(1), "k", value, Cardinality.list)
      }
    })
    write(graph, (transaction) => {
      const [, b] = transaction.vertexProperties(transaction.vertexRef(1), ["k"])
      transaction.removeVertexProperty(b!)
      transaction.removeVertexProperty(b!)
    })
    expect(read(graph, (transaction) => valuesAt(transaction, 1, "k"))).toEqual(["a", "c"])
  })

  it("are returned in insertion order, each requested key once", () => {
    const graph = emptyGraph()
    write(graph, (transaction) => {
      const first = transaction.addVertex("person", 1)
      for (const key of ["a", "b", "c"]) setProperty(transaction, first, key, key)
      const second = transaction.addVertex("person", 2)
      for (const key of ["c", "a"]) setProperty(transaction, second, key, key)
    })
    write(graph, (transaction) => setProperty(transaction, transaction.vertexRef(2), "b", "b"))
    read(graph, (transaction) => {
      const keys = (id: number, wanted: readonly string[] | null) =>
        transaction.vertexProperties(transaction.vertexRef(id), wanted).map(({ key }) => key)
      expect([keys(1, null), keys(2, null)]).toEqual([
        ["a", "b", "c"],
        ["c", "a", "b"]
      ])
      expect(keys(2, ["b", "c", "b", "x"])).toEqual(["c", "b"])
    })
  })

  it("keep the type of their numbers", () => {
    const graph = oneVertex()
    write(graph, (transaction) => {
      setProperty(transaction, transaction.vertexRef(1), "weight", double(1))
      setProperty(transaction, transaction.vertexRef(1), "count", 1)
      setProperty(transaction, transaction.vertexRef(1), "long", 1n)
    })
    const kinds = read(graph, (transaction) => ["weight", "count", "long"].map((key) => valueAt(transaction, 1, key)))
    expect(kinds).toEqual([double(1), 1, 1n])
  })

  it("can have the names of members of an object", () => {
    const graph = oneVertex()
    const keys = ["__proto__", "constructor", "toString", "hasOwnProperty"]
    write(graph, (transaction) => {
      for (const key of keys) setProperty(transaction, transaction.vertexRef(1), key, key)
    })
    read(graph, (transaction) => {
      expect(transaction.vertexKeys(transaction.vertexRef(1))).toEqual(keys)
      for (const key of keys) expect(valueAt(transaction, 1, key)).toBe(key)
    })
  })
})

describe("Edge properties", () => {
  it("are set, replaced, removed, and removed by null", () => {
    const graph = oneVertex()
    write(graph, (transaction) => {
      const ref = transaction.vertexRef(1)
      const edge = transaction.addEdge(ref, "self", ref, 5)
      for (const [key, value] of [
        ["a", 1],
        ["a", 2],
        ["b", 1],
        ["c", 1],
        ["c", null]
      ] as const) {
        transaction.setEdgeProperty(edge, key, value)
      }
      expect(transaction.edgeKeys(edge)).toEqual(["a", "b"])
    })
    write(graph, (transaction) => {
      const [a] = transaction.edgeProperties(transaction.edgeRef(5), ["a"])
      expect(a!.value).toBe(2)
      transaction.removeProperty(a!)
    })
    read(graph, (transaction) => {
      const edge = transaction.edge(transaction.edgeRef(5))
      expect(edge.properties().map(({ key, value }) => [key, value])).toEqual([["b", 1]])
      expect(transaction.edgeReader("b").value(edge.ref)).toBe(1)
      expect(transaction.edgeReader("a").value(edge.ref)).toBeUndefined()
    })
  })
})

describe("A graph refuses", () => {
  it.each([
    ["", /key can not be the empty string/],
    ["~label", /key can not be a hidden key: ~label/]
  ])("the property key %j", (key, message) => {
    const graph = oneVertex()
    expect(() => write(graph, (t) => setProperty(t, t.vertexRef(1), key, 1))).toThrow(UnsupportedValue)
    expect(() => write(graph, (t) => setProperty(t, t.vertexRef(1), key, 1))).toThrow(message)
    expect(() =>
      write(graph, (t) => t.setEdgeProperty(t.addEdge(t.vertexRef(1), "x", t.vertexRef(1), 9), key, 1))
    ).toThrow(message)
  })

  it.each([
    ["", /Label can not be empty/],
    ["~vertex", /Label can not be a hidden key: ~vertex/]
  ])("the label %j", (label, message) => {
    const graph = oneVertex()
    expect(() => write(graph, (t) => t.addVertex(label, undefined))).toThrow(message)
    expect(() => write(graph, (t) => t.addEdge(t.vertexRef(1), label, t.vertexRef(1), undefined))).toThrow(message)
  })

  it("elements as values: they would outlive their transaction", () => {
    const graph = oneVertex()
    const transaction = graph.begin()
    const vertex = transaction.vertex(transaction.vertexRef(1))
    const values = [
      vertex,
      new Edge(transaction, 0),
      new VertexProperty(vertex, 1, "k", 1, null),
      new Property(null, "k", 1)
    ]
    for (const value of values) {
      expect(() => setProperty(transaction, vertex.ref, "k", value)).toThrow(/cannot hold an element/)
    }
    transaction.rollback()
  })

  it("properties and edges of an element that was removed", () => {
    const graph = oneVertex()
    const transaction = graph.begin()
    const ref = transaction.vertexRef(1)
    const edge = transaction.addEdge(ref, "self", ref, undefined)
    const property = transaction.setVertexProperty(ref, null, "k", 1)
    transaction.removeVertex(ref)
    expect([transaction.hasVertex(ref), transaction.hasEdge(edge)]).toEqual([false, false])
    expect(() => setProperty(transaction, ref, "k", 1)).toThrow(ElementNotFound)
    expect(() => transaction.setEdgeProperty(edge, "k", 1)).toThrow(ElementNotFound)
    expect(() => transaction.addEdge(ref, "x", ref, undefined)).toThrow(ElementNotFound)
    expect(() => transaction.setMetaProperty(property, "k", 1)).toThrow(ElementNotFound)
    expect([transaction.vertexId(ref), transaction.vertexLabel(ref)]).toEqual([1, "person"])
    transaction.commit()
    expect(graph.describe()).toBe("tinkertransactiongraph[vertices:0 edges:0]")
  })

  it("ids of properties where it allocates them itself", () => {
    const graph = new MemoryGraph(janusGraphInMemory("g"))
    const transaction = graph.begin()
    const ref = transaction.addVertex("person", undefined)
    expect(() => transaction.setVertexProperty(ref, null, "k", 1, { id: 5 })).toThrow(
      /assigns the id of each vertex property/
    )
    transaction.rollback()
  })
})

describe("Handles", () => {
  it("of another transaction are found by their id", () => {
    const graph = oneVertex()
    const other = graph.begin()
    const vertex = other.vertex(other.vertexRef(1))
    const transaction = graph.begin()
    expect(transaction.refOfVertex(vertex)).toBe(transaction.vertexRef(1))
    expect(transaction.refOfVertex(new Vertex(transaction, 0))).toBe(0)
    transaction.removeVertex(transaction.vertexRef(1))
    expect(transaction.refOfVertex(vertex)).toBe(-1)
    transaction.rollback()
    other.rollback()
  })
})

describe("A vertex with very many keys", () => {
  it("has them in insertion order, in its transaction and after its commit", async () => {
    const graph = emptyGraph()
    const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}`)
    await writeMany(graph, (transaction) => {
      const ref = transaction.addVertex("wide", 1)
      for (const key of keys) setProperty(transaction, ref, key, key)
      expect(transaction.vertexKeys(ref)).toEqual(keys)
    })
    const older = graph.begin()
    await writeMany(graph, (transaction) => {
      const ref = transaction.vertexRef(1)
      for (const property of transaction.vertexProperties(ref, null).slice(0, 10_000)) {
        transaction.removeVertexProperty(property)
      }
      setProperty(transaction, ref, "k0", "again")
    })
    read(graph, (transaction) => {
      const ref = transaction.vertexRef(1)
      expect(transaction.vertexKeys(ref)).toHaveLength(10_001)
      expect([valueAt(transaction, 1, "k0"), valueAt(transaction, 1, "k1")]).toEqual(["again", undefined])
    })
    expect(new Set(older.vertexKeys(older.vertexRef(1)))).toEqual(new Set(keys))
    older.rollback()
    write(graph, (transaction) => transaction.removeVertex(transaction.vertexRef(1)))
    expect(read(graph, (transaction) => transaction.vertexRef(1))).toBe(-1)
    // The slot is used again by one that has none of them.
    write(graph, (transaction) => setProperty(transaction, transaction.addVertex("v", 2), "k5", 5))
    expect(read(graph, (transaction) => transaction.vertexKeys(transaction.vertexRef(2)))).toEqual(["k5"])
  })
})
