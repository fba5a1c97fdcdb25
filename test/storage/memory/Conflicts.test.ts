import { describe, expect, it, vi } from "vitest"
import { Undo } from "../../../src/storage/memory/Undo.ts"
import { TransactionConflict, UnsupportedValue } from "../../../src/structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { edgeIds, vertexIds } from "../Reads.ts"
import { emptyGraph, read, setProperty, valueAt, valuesAt, write } from "./Fixture.ts"

/** Vertices 1, 2, 3 with a name each, edge 10 from 1 to 2. */
const triple = () => {
  const graph = emptyGraph()
  write(graph, (transaction) => {
    for (const id of [1, 2, 3]) setProperty(transaction, transaction.addVertex("person", id), "name", `n${id}`)
    transaction.addEdge(transaction.vertexRef(1), "knows", transaction.vertexRef(2), 10)
  })
  return graph
}

type Writes = (transaction: GraphTransaction) => void

const addEdge =
  (out: number, into: number, id?: number): Writes =>
  (transaction) => {
    transaction.addEdge(transaction.vertexRef(out), "knows", transaction.vertexRef(into), id)
  }
const addVertex =
  (id: number): Writes =>
  (transaction) => {
    transaction.addVertex("person", id)
  }
const dropVertex =
  (id: number): Writes =>
  (transaction) =>
    transaction.removeVertex(transaction.vertexRef(id))
const dropEdge =
  (id: number): Writes =>
  (transaction) =>
    transaction.removeEdge(transaction.edgeRef(id))
const set =
  (id: number, key: string, value: unknown, cardinality = Cardinality.single): Writes =>
  (transaction) =>
    setProperty(transaction, transaction.vertexRef(id), key, value, cardinality)
const setOnEdge =
  (id: number, key: string, value: unknown): Writes =>
  (transaction) => {
    transaction.setEdgeProperty(transaction.edgeRef(id), key, value)
  }
const dropProperty =
  (id: number, key: string): Writes =>
  (transaction) => {
    for (const property of transaction.vertexProperties(transaction.vertexRef(id), [key])) {
      transaction.removeVertexProperty(property)
    }
  }
const setMeta =
  (id: number, key: string, value: unknown): Writes =>
  (transaction) => {
    const [property] = transaction.vertexProperties(transaction.vertexRef(id), ["name"])
    transaction.setMetaProperty(property!, key, value)
  }

/** Both begin, both write, the first commits, then the second. */
const race = (first: Writes, second: Writes, graph = triple()) => {
  const a = graph.begin()
  const b = graph.begin()
  first(a)
  second(b)
  a.commit()
  let conflict: unknown
  try {
    b.commit()
  } catch (error) {
    if (!(error instanceof TransactionConflict)) throw error
    conflict = error.what
  }
  expect([graph.openTransactions, graph.undoLogLength]).toEqual([0, 0])
  return { conflict, graph }
}

describe("Two transactions with these changes conflict:", () => {
  it.each<readonly [string, Writes, Writes, RegExp]>([
    ["two values of a SINGLE property", set(1, "age", 1), set(1, "age", 2), /property age of vertex 1/],
    ["a SINGLE property set and removed", set(1, "name", "x"), dropProperty(1, "name"), /property name of vertex 1/],
    ["a SINGLE property removed and set", dropProperty(1, "name"), set(1, "name", "x"), /property name of vertex 1/],
    ["meta-properties of one property", setMeta(1, "a", 1), setMeta(1, "b", 2), /property name of vertex 1/],
    [
      "equal values of a SET",
      set(1, "t", 5, Cardinality.set),
      set(1, "t", 5, Cardinality.set),
      /property t of vertex 1/
    ],
    ["two values of an edge property", setOnEdge(10, "w", 1), setOnEdge(10, "w", 2), /property w of edge 10/],
    ["an edge removed twice", dropEdge(10), dropEdge(10), /edge 10 was removed/],
    ["an edge removed and its property set", dropEdge(10), setOnEdge(10, "w", 1), /edge 10 was removed/],
    ["an edge's property set and the edge removed", setOnEdge(10, "w", 1), dropEdge(10), /property w of edge 10/],
    ["a vertex removed and an edge added to it", dropVertex(3), addEdge(1, 3), /vertex 3, an end of a new edge/],
    ["a vertex removed and an edge added from it", dropVertex(3), addEdge(3, 1), /vertex 3, an end of a new edge/],
    ["an edge added to a vertex and the vertex removed", addEdge(1, 3), dropVertex(3), /edges of vertex 3/],
    ["an edge of a vertex removed and the vertex removed", dropEdge(10), dropVertex(2), /vertex 2/],
    ["a vertex removed twice", dropVertex(3), dropVertex(3), /vertex 3 was removed/],
    ["a vertex removed and its property set", dropVertex(3), set(3, "age", 1), /vertex 3 was removed/],
    ["a vertex's property set and the vertex removed", set(3, "age", 1), dropVertex(3), /property age of vertex 3/],
    ["two vertices with the same id", addVertex(7), addVertex(7), /vertex 7 was added/],
    ["two edges with the same id", addEdge(1, 3, 77), addEdge(2, 3, 77), /edge 77 was added/]
  ])("%s", (_, first, second, what) => {
    const { conflict } = race(first, second)
    expect(conflict).toMatch(what)
  })
})

describe("Two transactions with these changes do not conflict:", () => {
  it.each<readonly [string, Writes, Writes]>([
    ["edges added to one vertex", addEdge(1, 2), addEdge(1, 2)],
    ["an edge added and another removed at one vertex", addEdge(1, 3), dropEdge(10)],
    ["different properties of one vertex", set(1, "age", 1), set(1, "name", "x")],
    ["a property of a vertex and an edge at it", set(1, "age", 1), addEdge(1, 3)],
    ["different properties of one edge", setOnEdge(10, "w", 1), setOnEdge(10, "v", 2)],
    ["vertices removed and added with other ids", dropVertex(3), addVertex(7)]
  ])("%s", (_, first, second) => {
    expect(race(first, second).conflict).toBeUndefined()
  })

  it("values added to one LIST property: both are kept, in commit order", () => {
    const { conflict, graph } = race(set(1, "t", "a", Cardinality.list), (transaction) => {
      set(1, "t", "b", Cardinality.list)(transaction)
      set(1, "t", "a", Cardinality.list)(transaction)
    })
    expect(conflict).toBeUndefined()
    expect(read(graph, (transaction) => valuesAt(transaction, 1, "t"))).toEqual(["a", "b", "a"])
  })

  it("different values added to one SET property, one removed while another is added", () => {
    const graph = triple()
    write(graph, set(1, "t", "old", Cardinality.set))
    const { conflict } = race(dropProperty(1, "t"), set(1, "t", "new", Cardinality.set), graph)
    expect(conflict).toBeUndefined()
    expect(read(graph, (transaction) => valuesAt(transaction, 1, "t"))).toEqual(["new"])
  })

  it("a vertex removed and its id used again in one transaction, beside others", () => {
    const { conflict, graph } = race(addEdge(1, 2), (transaction) => {
      dropVertex(3)(transaction)
      addVertex(3)(transaction)
    })
    expect(conflict).toBeUndefined()
    expect(read(graph, (transaction) => valueAt(transaction, 3, "name"))).toBeUndefined()
  })
})

describe("A conflict", () => {
  it("writes nothing, names what both changed, and ends the transaction", () => {
    const graph = triple()
    const loser = graph.begin()
    addVertex(9)(loser)
    set(1, "name", "loser")(loser)
    write(graph, set(1, "name", "winner"))
    expect(() => loser.commit()).toThrow(/conflicts.*property name of vertex 1.*Run it again/)
    expect(() => loser.counts.vertices(null)).toThrow(/after its end/)
    expect(read(graph, (transaction) => [vertexIds(transaction), valueAt(transaction, 1, "name")])).toEqual([
      [1, 2, 3],
      "winner"
    ])
  })
})

describe("32 clients that add edges to one vertex at the same time", () => {
  it("never conflict, and every edge is added", () => {
    const graph = triple()
    const open: Array<GraphTransaction> = []
    for (let round = 0; round < 10; round++) {
      for (let client = 0; client < 32; client++) open.push(graph.begin())
      for (const transaction of open) {
        const mine = transaction.addVertex("person", undefined)
        transaction.addEdge(mine, "knows", transaction.vertexRef(1), undefined)
        transaction.addEdge(transaction.vertexRef(1), "likes", mine, undefined)
      }
      for (const transaction of open) transaction.commit()
      open.length = 0
    }
    read(graph, (transaction) => {
      const hub = transaction.vertexRef(1)
      expect(transaction.degree(hub, "IN", null)).toBe(320)
      expect(transaction.degree(hub, "OUT", transaction.edgeLabels(["likes"]))).toBe(320)
      expect(edgeIds(transaction).length).toBe(641)
    })
    expect([graph.openTransactions, graph.undoLogLength]).toEqual([0, 0])
  })
})

describe("A unique index", () => {
  const unique = async () => {
    const graph = triple()
    await graph.management.createIndex("name", "vertex", { unique: true })
    return graph
  }

  it("refuses a value that another element has, with an error that is no conflict", async () => {
    const graph = await unique()
    expect(() => write(graph, set(1, "name", "n2"))).toThrow(UnsupportedValue)
    expect(() => write(graph, set(1, "name", "n2"))).toThrow(/"n2" under the key name/)
    const twice: Writes = (transaction) => {
      set(1, "name", "same")(transaction)
      set(2, "name", "same")(transaction)
    }
    expect(() => write(graph, twice)).toThrow(UnsupportedValue)
  })

  it("accepts a new value from the first of two committers only", async () => {
    const graph = await unique()
    const { conflict } = race(set(1, "name", "new"), set(2, "name", "new"), graph)
    expect(conflict).toMatch(/unique index on name/)
  })

  it("accepts a value that its element loses in the same transaction, or earlier", async () => {
    const graph = await unique()
    write(graph, (transaction) => {
      set(1, "name", "n2")(transaction)
      set(2, "name", "n1")(transaction)
    })
    write(graph, dropVertex(1))
    write(graph, (transaction) => {
      addVertex(4)(transaction)
      set(4, "name", "n2")(transaction)
    })
    expect(read(graph, (transaction) => valueAt(transaction, 4, "name"))).toBe("n2")
  })

  it("cannot be created while two elements have one value", async () => {
    const graph = triple()
    write(graph, set(1, "name", "n2"))
    await expect(graph.management.createIndex("name", "vertex", { unique: true })).rejects.toThrow(UnsupportedValue)
    expect(graph.management.indexedKeys("vertex")).toEqual([])
  })
})

describe("The check of a commit that removes elements", () => {
  it("looks only at the keys that later commits changed, however many the graph has", () => {
    const graph = emptyGraph()
    const [keys, vertices] = [400, 100]
    write(graph, (transaction) => {
      for (let id = 0; id < vertices; id++) {
        const ref = transaction.addVertex("person", id)
        for (let key = 0; key < keys / vertices; key++) setProperty(transaction, ref, `${id} ${key}`, 1)
      }
    })
    const dropping = graph.begin()
    for (let id = 1; id < vertices; id++) dropping.removeVertex(dropping.vertexRef(id))
    write(graph, (transaction) => setProperty(transaction, transaction.vertexRef(0), "0 0", 2))
    const looks = vi.spyOn(Undo.prototype, "changedSince")
    dropping.commit()
    expect(looks.mock.calls.length).toBeLessThan(2 * vertices)
    looks.mockRestore()
    expect(read(graph, (transaction) => vertexIds(transaction))).toEqual([0])
  })

  it("finds a property that another commit removed, also among many removed elements", () => {
    const graph = triple()
    const dropping = graph.begin()
    for (const id of [1, 2, 3]) dropping.removeVertex(dropping.vertexRef(id))
    write(graph, dropProperty(2, "name"))
    expect(() => dropping.commit()).toThrow(TransactionConflict)
    expect(read(graph, (transaction) => vertexIds(transaction))).toEqual([1, 2, 3])
  })
})
