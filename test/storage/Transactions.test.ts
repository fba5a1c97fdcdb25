import { afterEach, describe, expect, it } from "vitest"
import { MemoryGraph } from "../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../src/storage/memory/Options.ts"
import type { Ref } from "../../src/structure/elements/Element.ts"
import { TransactionConflict, UnsupportedValue } from "../../src/structure/errors/StoreErrors.ts"
import type { IndexQuery } from "../../src/structure/graph/GraphReads.ts"
import type { GraphStore, GraphTransaction } from "../../src/structure/graph/GraphStore.ts"
import { settled } from "./Completion.ts"
import { cellGraph } from "./janusgraph/Graphs.ts"
import { MemoryCellStore } from "./janusgraph/MemoryCellStore.ts"
import { lmdbStore } from "./lmdb/Stores.ts"
import { around, drain } from "./Reads.ts"

/** The guarantees of transactions, tested on every store. */
const stores: ReadonlyArray<readonly [name: string, open: () => Promise<GraphStore>]> = [
  ["memory", async () => new MemoryGraph(tinkerTransactionGraph("test"))],
  ["cells", () => cellGraph(new MemoryCellStore())],
  ["lmdb", async () => cellGraph(await lmdbStore())]
]

const open = new Set<GraphStore>()
afterEach(async () => {
  for (const graph of open) await graph.close()
  open.clear()
})

const set = (transaction: GraphTransaction, ref: Ref, key: string, value: unknown): void => {
  transaction.setVertexProperty(ref, null, key, value)
}

const commit = async (graph: GraphStore, writes: (transaction: GraphTransaction) => void): Promise<void> => {
  const transaction = graph.begin()
  writes(transaction)
  await settled(transaction.commit())
}

/** Two accounts with 50 each, and an edge between them. */
const accounts = async (make: () => Promise<GraphStore>) => {
  const graph = await make()
  open.add(graph)
  await graph.management.createIndex("owner", "vertex", { unique: true })
  const ids: Array<unknown> = []
  let edge: unknown
  await commit(graph, (transaction) => {
    const refs = ["a", "b"].map((owner) => {
      const ref = transaction.addVertex("account", undefined)
      set(transaction, ref, "owner", owner)
      set(transaction, ref, "balance", 50)
      ids.push(transaction.vertexId(ref))
      return ref
    })
    edge = transaction.edgeId(transaction.addEdge(refs[0]!, "owes", refs[1]!, undefined))
  })
  await graph.management.createIndex("balance", "vertex")
  const ref = (transaction: GraphTransaction, at: number) => transaction.vertexRef(ids[at])
  return {
    graph,
    a: (transaction: GraphTransaction) => ref(transaction, 0),
    b: (transaction: GraphTransaction) => ref(transaction, 1),
    edge: (transaction: GraphTransaction) => transaction.edgeRef(edge)
  }
}

/** Fails when the commit fails, synchronously or later. */
const committed = async (transaction: GraphTransaction): Promise<void> => settled(transaction.commit())

const balance = (transaction: GraphTransaction, ref: Ref): unknown => transaction.vertexReader("balance").value(ref)

const indexed = (transaction: GraphTransaction, value: unknown, operator: "eq" | "within" = "eq"): number => {
  const query: IndexQuery = { element: "vertex", labels: null, conditions: [{ key: "balance", operator, value }] }
  const choice = transaction.chooseIndex(query)
  if (choice === undefined) throw new Error("no index answers")
  return drain(transaction.searchIndex(query, choice)).length
}

const owners = (transaction: GraphTransaction): ReadonlyArray<unknown> =>
  drain(transaction.scanVertices(null))
    .map((ref) => transaction.vertexReader("owner").value(ref))
    .sort()

describe.each(stores)("Transactions on %s", (_, make) => {
  it("do not read uncommitted changes (dirty read)", async () => {
    const { a, graph } = await accounts(make)
    const [writer, reader] = [graph.begin(), graph.begin()]
    set(writer, a(writer), "balance", 0)
    set(writer, writer.addVertex("account", undefined), "balance", 0)
    expect(balance(reader, a(reader))).toBe(50)
    expect([indexed(reader, 0), reader.counts.vertices(null), owners(reader)]).toEqual([0, 2, ["a", "b"]])
    writer.rollback()
    reader.rollback()
  })

  it("do not overwrite a change that was committed since their read (lost update)", async () => {
    const { a, graph } = await accounts(make)
    const [first, second] = [graph.begin(), graph.begin()]
    for (const each of [first, second]) set(each, a(each), "balance", Number(balance(each, a(each))) + 10)
    await committed(first)
    await expect(committed(second)).rejects.toThrow(TransactionConflict)
    const after = graph.begin()
    expect(balance(after, a(after))).toBe(60)
    after.rollback()
  })

  it("read the same values again (non-repeatable read)", async () => {
    const { a, graph } = await accounts(make)
    const reader = graph.begin()
    const values = [balance(reader, a(reader))]
    await commit(graph, (writer) => set(writer, a(writer), "balance", 1))
    values.push(balance(reader, a(reader)))
    await commit(graph, (writer) => writer.removeVertex(a(writer)))
    values.push(balance(reader, a(reader)))
    expect(values).toEqual([50, 50, 50])
    expect(reader.hasVertex(a(reader))).toBe(true)
    reader.rollback()
  })

  it("read all or none of the changes of another transaction (read skew)", async () => {
    const { a, b, edge, graph } = await accounts(make)
    const reader = graph.begin()
    const first = balance(reader, a(reader)) as number
    await commit(graph, (writer) => {
      set(writer, a(writer), "balance", 0)
      set(writer, b(writer), "balance", 100)
      writer.removeEdge(edge(writer))
    })
    expect(first + (balance(reader, b(reader)) as number)).toBe(100)
    expect(around(reader, a(reader), "OUT", null, false)).toEqual([b(reader)])
    expect(around(reader, b(reader), "IN", null, false)).toEqual([a(reader)])
    reader.rollback()
  })

  it("find the same elements in an index again (phantom)", async () => {
    const { b, graph } = await accounts(make)
    const reader = graph.begin()
    const found = () => [indexed(reader, 50), indexed(reader, [50, 51], "within"), reader.counts.vertices(null)]
    expect(found()).toEqual([2, 2, 2])
    await commit(graph, (writer) => {
      set(writer, writer.addVertex("account", undefined), "balance", 51)
      set(writer, b(writer), "balance", 49)
    })
    expect(found()).toEqual([2, 2, 2])
    reader.rollback()
    const later = graph.begin()
    expect([indexed(later, 50), indexed(later, [50, 51], "within"), indexed(later, 49)]).toEqual([1, 2, 1])
    later.rollback()
  })

  it("see their own changes in every read", async () => {
    const { a, b, graph } = await accounts(make)
    const transaction = graph.begin()
    set(transaction, a(transaction), "balance", 7)
    const third = transaction.addVertex("account", undefined)
    set(transaction, third, "balance", 7)
    transaction.addEdge(third, "owes", a(transaction), undefined)
    transaction.removeVertex(b(transaction))
    expect([indexed(transaction, 7), indexed(transaction, 50)]).toEqual([2, 0])
    expect([transaction.counts.vertices(null), transaction.counts.edges(null)]).toEqual([2, 1])
    expect(around(transaction, a(transaction), "BOTH", null, false)).toEqual([third])
    transaction.rollback()
  })

  it("conflict when they set the same value of a unique index: the first committer wins", async () => {
    const { graph } = await accounts(make)
    const [first, second] = [graph.begin(), graph.begin()]
    for (const each of [first, second]) set(each, each.addVertex("account", undefined), "owner", "c")
    await committed(first)
    await expect(committed(second)).rejects.toThrow(TransactionConflict)
    const third = graph.begin()
    set(third, third.addVertex("account", undefined), "owner", "c")
    await expect(committed(third)).rejects.toThrow(UnsupportedValue)
  })

  it("conflict when one adds an edge to a vertex that the other removes: the first committer wins", async () => {
    for (const removesFirst of [true, false]) {
      const { a, b, graph } = await accounts(make)
      const [remover, adder] = [graph.begin(), graph.begin()]
      remover.removeVertex(b(remover))
      adder.addEdge(a(adder), "owes", b(adder), undefined)
      const [winner, loser] = removesFirst ? [remover, adder] : [adder, remover]
      await committed(winner)
      await expect(committed(loser)).rejects.toThrow(TransactionConflict)
    }
  })

  it("do not conflict when they change different properties and edges", async () => {
    const { a, b, graph } = await accounts(make)
    const [first, second, third] = [graph.begin(), graph.begin(), graph.begin()]
    set(first, a(first), "balance", 1)
    set(second, a(second), "note", "another property of the same vertex")
    for (const each of [first, second, third]) each.addEdge(a(each), "owes", b(each), undefined)
    for (const each of [first, second, third]) await committed(each)
    const after = graph.begin()
    expect([balance(after, a(after)), after.counts.edges(null)]).toEqual([1, 4])
    after.rollback()
  })

  it("allow write skew, unless both write the same property", async () => {
    const { a, b, graph } = await accounts(make)
    const withdraw = (from: (transaction: GraphTransaction) => Ref) => {
      const transaction = graph.begin()
      const sum = Number(balance(transaction, a(transaction))) + Number(balance(transaction, b(transaction)))
      if (sum >= 100) set(transaction, from(transaction), "balance", -40)
      return transaction
    }
    const [first, second] = [withdraw(a), withdraw(b)]
    await committed(first)
    await committed(second)
    const after = graph.begin()
    expect([balance(after, a(after)), balance(after, b(after))]).toEqual([-40, -40])
    after.rollback()
  })

  it("undo only the changes after a savepoint when they roll back to it", async () => {
    const { a, b, edge, graph } = await accounts(make)
    const transaction = graph.begin()
    const kept = transaction.addVertex("account", undefined)
    set(transaction, kept, "balance", 3)
    set(transaction, a(transaction), "balance", 4)
    const link = transaction.addEdge(kept, "owes", a(transaction), undefined)
    transaction.setEdgeProperty(link, "since", 1)
    const look = () => [
      owners(transaction),
      [3, 4, 5, 50].map((value) => indexed(transaction, value)),
      [transaction.counts.vertices(null), transaction.counts.edges(null), transaction.counts.edges(["lends"])],
      around(transaction, a(transaction), "BOTH", null, true).length,
      around(transaction, b(transaction), "BOTH", null, false),
      transaction.edgeReader("since").value(link),
      drain(transaction.scanEdges(null)).length
    ]
    transaction.savepoint!()
    const before = look()
    for (let round = 0; round < 2; round++) {
      const lost = transaction.addVertex("loan", undefined)
      set(transaction, lost, "color", "a key of its own")
      set(transaction, lost, "balance", 5)
      set(transaction, kept, "balance", 5)
      set(transaction, a(transaction), "balance", 5)
      set(transaction, b(transaction), "balance", 5)
      transaction.setEdgeProperty(link, "since", 2)
      const other = transaction.addEdge(lost, "lends", kept, undefined)
      expect(look()).not.toEqual(before)
      if (round === 1) {
        transaction.removeEdge(other)
        transaction.removeEdge(edge(transaction))
        transaction.removeVertex(kept)
        transaction.removeVertex(b(transaction))
      }
      transaction.rollbackToSavepoint!()
      expect(look()).toEqual(before)
    }
    set(transaction, transaction.addVertex("account", undefined), "balance", 5)
    await committed(transaction)
    const after = graph.begin()
    expect([3, 4, 5, 50].map((value) => indexed(after, value))).toEqual([1, 1, 1, 1])
    expect([after.counts.vertices(null), after.counts.edges(null)]).toEqual([4, 2])
    expect(drain(after.scanEdges(null)).length).toBe(2)
    after.rollback()
  })

  it("count the memory of the last value of a property alone, and with a savepoint that of the value before it too", async () => {
    const { a, edge, graph } = await accounts(make)
    const transaction = graph.begin()
    const text = "n".repeat(100_000)
    const write = () => {
      set(transaction, a(transaction), "note", text)
      transaction.setEdgeProperty(edge(transaction), "note", text)
    }
    write()
    const once = transaction.heldBytes
    for (let i = 0; i < 20; i++) write()
    expect(transaction.heldBytes).toBe(once)
    transaction.savepoint!()
    write()
    expect(transaction.heldBytes).toBeGreaterThan(1.9 * once)
    await settled(transaction.rollbackToSavepoint!())
    expect(transaction.heldBytes).toBe(once)
    write()
    transaction.savepoint!()
    expect(transaction.heldBytes).toBe(once)
    transaction.rollback()
  })

  it("count the memory of their changes, and no longer that of changes which they undid", async () => {
    const { a, edge, graph } = await accounts(make)
    const transaction = graph.begin()
    expect(transaction.heldBytes).toBe(0)
    const writes: ReadonlyArray<() => unknown> = [
      () => set(transaction, a(transaction), "balance", 1),
      () => set(transaction, a(transaction), "note", "n".repeat(100_000)),
      () => transaction.setEdgeProperty(edge(transaction), "note", "n".repeat(100_000)),
      () => transaction.addVertex("account", undefined),
      () => transaction.addEdge(a(transaction), "owes", a(transaction), undefined)
    ]
    let before = 0
    for (const write of writes) {
      write()
      expect(transaction.heldBytes).toBeGreaterThan(before)
      before = transaction.heldBytes
    }
    expect(before).toBeGreaterThan(200_000)
    transaction.savepoint!()
    set(transaction, a(transaction), "note", "n".repeat(1_000_000))
    expect(transaction.heldBytes).toBeGreaterThan(1_000_000)
    await settled(transaction.rollbackToSavepoint!())
    expect(transaction.heldBytes).toBe(before)
    transaction.rollback()
  })
})
