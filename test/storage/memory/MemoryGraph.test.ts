import { describe, expect, it } from "vitest"
import { GraphData } from "../../../src/storage/memory/GraphData.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { MemoryTransaction } from "../../../src/storage/memory/MemoryTransaction.ts"
import { janusGraphInMemory, tinkerGraph, tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import { MemoryLimitExceeded, ReadOnlyTransaction, StorageFailure } from "../../../src/structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { around, drain, edgeIds, edgeRequest, vertexIds } from "../Reads.ts"
import { emptyGraph, read, setProperty, write, writeMany } from "./Fixture.ts"

describe("A graph in memory", () => {
  it("has the features of its factory", () => {
    const features = [tinkerGraph("a"), tinkerTransactionGraph("b"), janusGraphInMemory("c")].map(
      (options) => new MemoryGraph(options).features
    )
    expect(features.map(({ transactions }) => transactions)).toEqual([false, true, true])
    expect(features.map(({ userSuppliedVertexIds }) => userSuppliedVertexIds)).toEqual([true, true, false])
    expect(features.map(({ nullPropertyValues }) => nullPropertyValues)).toEqual([false, false, false])
    expect(
      features.every(
        ({ multiProperties, metaProperties, persistent }) => multiProperties && metaProperties && !persistent
      )
    ).toBe(true)
    expect(new MemoryGraph(tinkerGraph("d", { allowNullPropertyValues: true })).features.nullPropertyValues).toBe(true)
  })

  it("describes itself with its counts", () => {
    const graph = new MemoryGraph(tinkerGraph("g"))
    write(graph, (transaction) => {
      const ref = transaction.addVertex("v", undefined)
      transaction.addEdge(ref, "self", ref, undefined)
    })
    expect([graph.name, graph.describe()]).toEqual(["g", "tinkergraph[vertices:1 edges:1]"])
    expect(new MemoryGraph(janusGraphInMemory("j")).describe()).toBe("standardjanusgraph[vertices:0 edges:0]")
  })

  it("refuses writes in a transaction that only reads", () => {
    const graph = emptyGraph()
    const transaction = graph.begin({ readOnly: true })
    expect(() => transaction.addVertex("v", undefined)).toThrow(ReadOnlyTransaction)
    expect(() => transaction.removeVertex(0)).toThrow(ReadOnlyTransaction)
    expect(transaction.dirty).toBe(false)
    transaction.rollback()
  })

  it("keeps nothing of a transaction that is rolled back, also twice or after an error", () => {
    const graph = emptyGraph()
    for (let i = 0; i < 100; i++) {
      const transaction = graph.begin()
      const ref = transaction.addVertex("v", i)
      setProperty(transaction, ref, "k", "x".repeat(1000))
      transaction.rollback()
      transaction.rollback()
    }
    expect([graph.openTransactions, graph.undoLogLength]).toEqual([0, 0])
    expect(read(graph, (transaction) => transaction.counts.vertices(null))).toBe(0)
    expect(graph.usedBytes).toBeLessThan(2000)
  })

  it("refuses the use of a transaction after its end", () => {
    const graph = emptyGraph()
    const ref = write(graph, (transaction) => transaction.addVertex("v", 1))
    const transaction = graph.begin()
    transaction.commit()
    const uses = [
      () => transaction.vertexRef(1),
      () => transaction.scanVertices(null),
      () => transaction.vertexReader("k").value(0),
      () => around(transaction, 0, "OUT", null, false),
      () => transaction.addVertex("v", undefined),
      () => transaction.commit()
    ]
    expect(ref).toBeLessThan(-1)
    for (const use of uses) expect(use).toThrow(/after its end/)
  })

  it("that is closed ends open transactions and begins none", async () => {
    const graph = emptyGraph()
    write(graph, (transaction) => transaction.addVertex("v", 1))
    const reader = graph.begin()
    const writer = graph.begin()
    writer.addVertex("v", 2)
    await graph.close()
    expect(() => graph.begin()).toThrow(StorageFailure)
    expect(() => reader.vertexRef(1)).toThrow(/^The graph test is closed: its server is shutting down/)
    expect(() => writer.commit()).toThrow(/^The graph test is closed: its server is shutting down/)
    await expect(graph.management.createIndex("k", "vertex")).rejects.toThrow(StorageFailure)
    reader.rollback()
    writer.rollback()
  })

  it("refuses writes beyond its memory limit, and accepts them again after deletes", () => {
    const graph = emptyGraph({ maxBytes: 300_000 })
    const fill = (id: number) =>
      write(graph, (transaction) => setProperty(transaction, transaction.addVertex("v", id), "text", "x".repeat(1000)))
    let added = 0
    expect(() => {
      for (; added < 1000; added++) fill(added)
    }).toThrow(MemoryLimitExceeded)
    expect(added).toBeGreaterThan(150)
    expect(graph.usedBytes).toBeLessThan(300_000)
    expect(read(graph, (transaction) => transaction.counts.vertices(null))).toBe(added)
    expect(() => fill(added)).toThrow(/limit of 300000 bytes \(storage\.memory\.max-bytes\)/)
    write(graph, (transaction) => {
      for (const ref of drain(transaction.scanVertices(null)).slice(0, 50)) transaction.removeVertex(ref)
    })
    fill(5000)
    const big = graph.begin()
    expect(() => {
      for (let i = 0; i < 1000; i++) setProperty(big, big.addVertex("v", 10_000 + i), "text", "x".repeat(1000))
    }).toThrow(MemoryLimitExceeded)
    big.rollback()
  })

  it("counts the ids that clients give to properties against its memory limit, also those that are replaced", () => {
    const graph = emptyGraph({ maxBytes: 300_000 })
    write(graph, (transaction) => transaction.addVertex("v", 1))
    const before = graph.usedBytes
    write(graph, (transaction) => {
      for (let id = 1000; id < 2000; id++) {
        transaction.setVertexProperty(transaction.vertexRef(1), Cardinality.single, "text", "x", { id: BigInt(id) })
      }
    })
    expect(graph.usedBytes - before).toBeGreaterThan(1000 * 40)
  })

  it("takes as many changes below its memory limit with a savepoint as without one", () => {
    const added = (hasSavepoint: boolean): number => {
      const transaction = emptyGraph({ maxBytes: 300_000 }).begin()
      if (hasSavepoint) transaction.savepoint!()
      let count = 0
      expect(() => {
        for (; count < 10_000; count++) transaction.addVertex("v", count)
      }).toThrow(MemoryLimitExceeded)
      transaction.rollback()
      return count
    }
    expect(added(true)).toBe(added(false))
  })

  it("counts the bytes of states that old transactions see, until they end", () => {
    const graph = emptyGraph({ maxBytes: 1_000_000 })
    write(graph, (transaction) => transaction.addVertex("v", 1))
    const set = (text: string) =>
      write(graph, (transaction) => setProperty(transaction, transaction.vertexRef(1), "text", text))
    const text = (i: number) => `${i}`.padEnd(50_000, "x")
    for (let i = 0; i < 100; i++) set(text(i))
    expect(graph.usedBytes).toBeLessThan(200_000)
    const old = graph.begin({ readOnly: true })
    let kept = 0
    const setMany = () => {
      for (; kept < 100; kept++) set(text(kept))
    }
    expect(setMany).toThrow(MemoryLimitExceeded)
    expect(kept).toBeGreaterThan(10)
    expect(kept).toBeLessThan(20)
    write(graph, (transaction) => transaction.removeVertex(transaction.vertexRef(1)))
    old.rollback()
    expect(graph.usedBytes).toBeLessThan(200_000)
  })

  it("counts the bytes of labels and keys, also after a rollback, and refuses very long ones", () => {
    const graph = emptyGraph({ maxBytes: 1_000_000 })
    const name = (i: number) => `${i}`.padEnd(4_000, "x")
    const fail = (i: number) => {
      const transaction = graph.begin()
      try {
        transaction.addVertex(name(i), null)
      } finally {
        transaction.rollback()
      }
    }
    fail(0)
    const before = graph.usedBytes
    for (let i = 1; i <= 100; i++) fail(i)
    expect(graph.usedBytes - before).toBeGreaterThan(400_000)
    write(graph, (transaction) => transaction.addVertex("v", 1))
    const withLabels = graph.usedBytes
    write(graph, (transaction) => setProperty(transaction, transaction.vertexRef(1), name(0), 1))
    expect(graph.usedBytes - withLabels).toBeGreaterThan(4_000)
    const long = "x".repeat(4_097)
    const refused = (writes: (transaction: GraphTransaction) => unknown) =>
      expect(() => write(graph, writes)).toThrow(/at most 4096 characters, and this one has 4097/)
    refused((transaction) => transaction.addVertex(long, null))
    refused((transaction) => transaction.addEdge(transaction.vertexRef(1), long, transaction.vertexRef(1), null))
    refused((transaction) => setProperty(transaction, transaction.vertexRef(1), long, 1))
  })

  it("does not grow when elements are added and removed again and again", () => {
    const graph = emptyGraph()
    const cycle = () => {
      write(graph, (transaction) => {
        const hub = transaction.addVertex("hub", undefined)
        for (let i = 0; i < 500; i++) {
          const ref = transaction.addVertex("v", undefined)
          setProperty(transaction, ref, "name", `name ${i}`)
          setProperty(transaction, ref, "tags", "a", Cardinality.list)
          setProperty(transaction, ref, "tags", "b", Cardinality.list)
          transaction.setEdgeProperty(transaction.addEdge(hub, `label${i % 5}`, ref, undefined), "w", i)
        }
      })
      const reader = graph.begin()
      write(graph, (transaction) => {
        for (const ref of drain(transaction.scanVertices(null))) transaction.removeVertex(ref)
      })
      expect(vertexIds(reader).length).toBe(501)
      expect(edgeIds(reader).length).toBe(500)
      reader.rollback()
    }
    for (let i = 0; i < 5; i++) cycle()
    const used = graph.usedBytes
    for (let i = 0; i < 20; i++) cycle()
    expect(graph.usedBytes).toBeLessThan(used * 1.1)
  })

  it("keeps the order of a vertex's edges when others are deleted, and packs a hub that was emptied", async () => {
    const graph = emptyGraph()
    await writeMany(graph, (transaction) => {
      const hub = transaction.addVertex("hub", "hub")
      for (let i = 0; i < 5000; i++) transaction.addEdge(hub, "self", hub, i)
    })
    const reader = graph.begin()
    const request = edgeRequest(reader, reader.vertexRef("hub"), { limit: 300 })
    const { out } = request
    expect(reader.expand(request)).toBe(false)
    const given = out.length
    for (let i = 0; i < 5000; i += 100) {
      write(graph, (transaction) => {
        for (let j = i; j < i + 100; j++) if (j % 10 !== 0) transaction.removeEdge(transaction.edgeRef(j))
      })
    }
    const left = Array.from({ length: 500 }, (_, i) => 10 * i)
    const edgesOf = (transaction: typeof reader, direction: "OUT" | "IN") =>
      around(transaction, transaction.vertexRef("hub"), direction, null, true).map((ref) => transaction.edgeId(ref))
    expect(read(graph, (transaction) => edgesOf(transaction, "IN"))).toEqual(left)
    // A transaction with a place inside the hub's edges goes on there, though nothing before it is left.
    out.length = 0
    request.limit = 1e6
    expect(reader.expand(request)).toBe(true)
    expect(given + out.length).toBe(5000)
    expect(reader.edgeId(out.refs[0]!)).toBe(given)
    reader.rollback()
    read(graph, (transaction) => {
      expect(edgesOf(transaction, "OUT")).toEqual(left)
      expect(transaction.degree(transaction.vertexRef("hub"), "BOTH", null)).toBe(1000)
    })
  })

  it("packs the edges of a vertex only while no transaction is reading them", () => {
    const graph = emptyGraph()
    const data = new GraphData(tinkerTransactionGraph("data"))
    const begin = () => new MemoryTransaction(graph, data, false)
    const setUp = begin()
    const hub = setUp.addVertex("hub", "hub")
    for (let i = 0; i < 1000; i++) setUp.addEdge(hub, "to", hub, i)
    setUp.commit()
    const holding = begin()
    const remove = begin()
    for (let i = 0; i < 900; i++) remove.removeEdge(remove.edgeRef(i))
    remove.commit()
    const inside = begin()
    const request = edgeRequest(inside, 0, { limit: 10 })
    const { out } = request
    expect(inside.expand(request)).toBe(false)
    const given = out.length
    holding.rollback()
    const blockLength = () => data.out.groups.length(0)
    expect(blockLength()).toBe(1000)
    request.limit = 1000
    expect(inside.expand(request)).toBe(true)
    expect(given + (out.length - given)).toBe(100)
    inside.rollback()
    expect(blockLength()).toBe(100)
    const after = begin()
    expect(around(after, 0, "BOTH", null, true).length).toBe(200)
    after.rollback()
  })

  it("deletes one of very many edges of a vertex without visiting the others", async () => {
    const graph = emptyGraph()
    const count = 100_000
    await writeMany(graph, (transaction) => {
      const hub = transaction.addVertex("hub", "hub")
      const other = transaction.addVertex("v", "other")
      for (let i = 0; i < count; i++) transaction.addEdge(hub, "to", other, i)
    })
    for (let i = count - 1; i >= 0; i -= 1000) {
      write(graph, (transaction) => {
        for (let j = i; j > i - 1000; j--) transaction.removeEdge(transaction.edgeRef(j))
      })
    }
    read(graph, (transaction) => {
      expect(transaction.degree(transaction.vertexRef("hub"), "OUT", null)).toBe(0)
      expect(transaction.counts.edges(["to"])).toBe(0)
    })
  })

  it("cuts a long undo log in several turns of the event loop", async () => {
    const graph = emptyGraph()
    write(graph, (transaction) => {
      for (let i = 0; i < 1500; i++) transaction.addVertex("v", i)
      for (let i = 1; i < 1500; i++) transaction.addEdge(transaction.vertexRef(0), "to", transaction.vertexRef(i), i)
    })
    const reader = graph.begin()
    for (let i = 1; i < 1500; i++) write(graph, (transaction) => transaction.removeEdge(transaction.edgeRef(i)))
    expect(graph.undoLogLength).toBe(1499)
    reader.rollback()
    expect(graph.undoLogLength).toBeGreaterThan(0)
    write(graph, (transaction) => transaction.removeVertex(transaction.vertexRef(0)))
    let before = Number.POSITIVE_INFINITY
    // Each turn cuts some, however few there is time for.
    for (let left = graph.undoLogLength; left > 0 && left < before; left = graph.undoLogLength) {
      before = left
      await new Promise((resume) => setImmediate(resume))
      await new Promise((resume) => setImmediate(resume))
    }
    expect(graph.undoLogLength).toBe(0)
    expect(read(graph, (transaction) => transaction.counts.vertices(null))).toBe(1499)
  })
})

describe("The order of a scan", () => {
  it("is the order of insertion, also after some or all elements were deleted", () => {
    const graph = emptyGraph()
    const add = (from: number, to: number) =>
      write(graph, (transaction) => {
        for (let id = from; id < to; id++) transaction.addVertex("v", id)
      })
    const remove = (...ids: ReadonlyArray<number>) =>
      write(graph, (transaction) => {
        for (const id of ids) transaction.removeVertex(transaction.vertexRef(id))
      })
    add(0, 10)
    remove(3, 1, 7)
    add(10, 14)
    expect(read(graph, (transaction) => vertexIds(transaction))).toEqual([0, 2, 4, 5, 6, 8, 9, 10, 11, 12, 13])
    const older = graph.begin()
    remove(...(read(graph, (transaction) => vertexIds(transaction)) as Array<number>))
    add(20, 24)
    expect(vertexIds(older).length).toBe(11)
    older.rollback()
    const holding = graph.begin()
    remove(20, 21, 22, 23)
    const between = graph.begin()
    holding.rollback()
    add(30, 40)
    expect(vertexIds(between)).toEqual([])
    expect(read(graph, (transaction) => vertexIds(transaction))).toEqual([30, 31, 32, 33, 34, 35, 36, 37, 38, 39])
    between.rollback()
  })
})
