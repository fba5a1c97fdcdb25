import { describe, expect, it } from "vitest"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import { StorageFailure, TransactionConflict, UnsupportedValue } from "../../../src/structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { settled } from "../Completion.ts"
import { around, byIndex, drain } from "../Reads.ts"
import { emptyGraph, read, setProperty, valueAt, write, writeMany } from "./Fixture.ts"

/** Half of them are removed by the long commit, and as many are added. */
const PEOPLE = 12_000

/** A graph of people in a ring, and a hub that knows all. */
const ring = async (): Promise<MemoryGraph> => {
  const graph = emptyGraph()
  await graph.management.createIndex("state", "vertex")
  await writeMany(graph, (transaction) => {
    const hub = transaction.addVertex("hub", "hub")
    for (let i = 0; i < PEOPLE; i++) {
      const person = transaction.addVertex("person", i)
      setProperty(transaction, person, "state", "old")
      transaction.addEdge(hub, "has", person, `has ${i}`)
    }
  })
  return graph
}

/** Removes every other person, changes the rest, and adds new ones with the ids and the hub of the removed ones. */
const renew = (transaction: GraphTransaction): void => {
  const hub = transaction.vertexRef("hub")
  for (let i = 0; i < PEOPLE; i++) {
    const ref = transaction.vertexRef(i)
    if (i % 2 === 1) {
      setProperty(transaction, ref, "state", "new")
      setProperty(transaction, ref, "age", i)
      continue
    }
    transaction.removeVertex(ref)
    const other = transaction.addVertex("person", i)
    setProperty(transaction, other, "state", "new")
    transaction.addEdge(hub, "has", other, `has ${i}`)
  }
}

/** A summary of everything that a transaction sees. */
const seen = (transaction: GraphTransaction): string => {
  const people = drain(transaction.scanVertices(["person"]))
  const states = transaction.vertexReader("state")
  const ages = transaction.vertexReader("age")
  const hub = transaction.vertexRef("hub")
  return JSON.stringify({
    counted: transaction.counts.vertices(["person"]),
    edges: transaction.counts.edges(null),
    scanned: people.length,
    ids: new Set(people.map((ref) => transaction.vertexId(ref))).size,
    old: people.filter((ref) => states.value(ref) === "old").length,
    aged: people.filter((ref) => ages.value(ref) !== undefined).length,
    oldByIndex: byIndex(transaction, "state", "old").length,
    newByIndex: byIndex(transaction, "state", "new").length,
    around: around(transaction, hub, "OUT", ["has"], false).length,
    degree: transaction.degree(hub, "OUT", null),
    found: [0, 1].map((id) => transaction.vertexRef(id) !== -1),
    first: [0, 1].map((id) => valueAt(transaction, id, "state")),
    keys: transaction.vertexKeys(transaction.vertexRef(1))
  })
}

/** Calls `look` in each turn of the event loop until the commit has ended; returns the number of turns. */
const during = async (commit: Promise<void>, look: () => void): Promise<number> => {
  let turns = 0
  let ended = false
  const end = commit.finally(() => {
    ended = true
  })
  while (!ended) {
    look()
    turns++
    await new Promise((resume) => setImmediate(resume))
  }
  await end
  return turns
}

describe("During a long commit", () => {
  it("each reader sees all of it or nothing, whether it began before, between or after", async () => {
    const graph = await ring()
    const older = graph.begin()
    const before = seen(older)
    const writer = graph.begin()
    renew(writer)
    const committed = settled(writer.commit())
    const sights = new Set<string>()
    const between: Array<GraphTransaction> = []
    const turns = await during(committed, () => {
      sights.add(read(graph, seen))
      if (between.length < 3) between.push(graph.begin())
    })
    expect(turns).toBeGreaterThan(5)
    const after = read(graph, seen)
    expect(JSON.parse(after)).toMatchObject({ counted: PEOPLE, scanned: PEOPLE, old: 0, newByIndex: PEOPLE })
    expect([...sights]).toEqual([before])
    expect(between.map(seen)).toEqual([before, before, before])
    expect(seen(older)).toBe(before)
    for (const transaction of [older, ...between]) transaction.rollback()
    for (let turn = 0; graph.undoLogLength > 0 && turn < 1000; turn++) {
      await new Promise((resume) => setImmediate(resume))
    }
    expect([graph.undoLogLength, graph.openTransactions]).toEqual([0, 0])
    expect(read(graph, seen)).toBe(after)
  })

  it("other commits wait, and the first committer wins", async () => {
    const graph = await ring()
    const [same, other, removing] = [graph.begin(), graph.begin(), graph.begin()]
    setProperty(same, same.vertexRef(1), "state", "mine")
    setProperty(other, other.vertexRef(1), "other", "mine")
    removing.removeVertex(removing.vertexRef(3))
    const writer = graph.begin()
    renew(writer)
    const order: Array<string> = []
    const answer = (name: string, transaction: GraphTransaction): Promise<void> =>
      settled(transaction.commit()).then(
        () => void order.push(name),
        (error) => {
          order.push(`${name} refused`)
          expect(error).toBeInstanceOf(TransactionConflict)
        }
      )
    const answers = [answer("long", writer), answer("same", same), answer("other", other), answer("removing", removing)]
    const late = graph.begin()
    setProperty(late, late.vertexRef(5), "state", "late")
    answers.push(answer("late", late))
    expect(read(graph, (t) => valueAt(t, 1, "other"))).toBeUndefined()
    await Promise.all(answers)
    expect(order).toEqual(["long", "same refused", "other", "removing refused", "late refused"])
    read(graph, (t) => {
      expect([valueAt(t, 1, "state"), valueAt(t, 1, "other"), valueAt(t, 5, "state")]).toEqual(["new", "mine", "new"])
      expect(t.vertexRef(3)).not.toBe(-1)
    })
    write(graph, (transaction) => setProperty(transaction, transaction.vertexRef(5), "state", "at once"))
  })

  it("nothing is written when it is refused", async () => {
    const graph = await ring()
    const before = read(graph, seen)
    const writer = graph.begin()
    renew(writer)
    write(graph, (other) => setProperty(other, other.vertexRef(PEOPLE - 1), "age", 7))
    await expect(settled(writer.commit())).rejects.toThrow(TransactionConflict)
    expect({ ...JSON.parse(read(graph, seen)), aged: 0 }).toEqual(JSON.parse(before))
    expect(graph.undoLogLength).toBe(0)
  })

  it("a unique index is checked for all of its changes", async () => {
    const graph = emptyGraph()
    await graph.management.createIndex("uid", "vertex", { unique: true })
    const add = (transaction: GraphTransaction, from: number, to: number): void => {
      for (let i = from; i < to; i++) setProperty(transaction, transaction.addVertex("v", i), "uid", `u${i % 5000}`)
    }
    await expect(writeMany(graph, (transaction) => add(transaction, 0, 5001))).rejects.toThrow(UnsupportedValue)
    expect(read(graph, (transaction) => transaction.counts.vertices(null))).toBe(0)
    await writeMany(graph, (transaction) => add(transaction, 0, 5000))
    expect(read(graph, (transaction) => byIndex(transaction, "uid", "u4999"))).toEqual([4999])
  })

  it("its transaction cannot be rolled back, nor committed again", async () => {
    const graph = await ring()
    const writer = graph.begin()
    renew(writer)
    const committed = settled(writer.commit())
    writer.rollback()
    expect(() => writer.commit()).toThrow("is being committed")
    await committed
    expect(read(graph, (t) => valueAt(t, 1, "state"))).toBe("new")
    expect(() => writer.commit()).toThrow("used after its end")
  })

  it.each([0, 1, 3, 9])("a unique index that is created in turn %i has whole commits only", async (turn) => {
    const count = 6000
    const graph = emptyGraph()
    await writeMany(graph, (transaction) => {
      for (let i = 0; i < count; i++) setProperty(transaction, transaction.addVertex("v", i), "uid", i)
    })
    const turned = (): Promise<void> => new Promise((resume) => setImmediate(resume))
    // Each gets the value of the next one: on the way two have the same.
    const writer = graph.begin()
    for (let i = 0; i < count; i++) setProperty(writer, writer.vertexRef(i), "uid", (i + 1) % count)
    const exchanged = settled(writer.commit())
    for (let i = 0; i < turn; i++) await turned()
    await Promise.all([exchanged, graph.management.createIndex("uid", "vertex", { unique: true })])
    expect(read(graph, (transaction) => byIndex(transaction, "uid", 0))).toEqual([count - 1])

    // What a commit checked before there was the index is looked at by the one that makes it.
    await graph.management.dropIndex("uid", "vertex")
    const doubling = graph.begin()
    for (let i = 0; i < count; i++) setProperty(doubling, doubling.vertexRef(i), "uid", 7)
    const doubled = settled(doubling.commit())
    for (let i = 0; i < turn; i++) await turned()
    const made = graph.management.createIndex("uid", "vertex", { unique: true })
    await expect(made).rejects.toThrow(UnsupportedValue)
    await doubled
  })

  it("a graph that is closed waits for it", async () => {
    const graph = await ring()
    const writer = graph.begin()
    renew(writer)
    const order: Array<string> = []
    const committed = settled(writer.commit()).then(() => order.push("committed"))
    const closed = graph.close().then(() => order.push("closed"))
    await Promise.all([committed, closed])
    expect(order).toEqual(["committed", "closed"])
    expect(() => graph.begin()).toThrow(StorageFailure)
  })

  it("other work runs also when a small commit makes a large graph grow", async () => {
    const graph = new MemoryGraph(tinkerTransactionGraph("growing"))
    const add = (count: number): Promise<void> =>
      writeMany(graph, (transaction) => {
        for (let i = 0; i < count; i++) transaction.addVertex("v", undefined)
      })
    await add(140_000)
    const writer = graph.begin()
    writer.addVertex("v", undefined)
    const later = writer.commit()
    expect(later).toBeDefined()
    await settled(later)
    expect(read(graph, (transaction) => transaction.counts.vertices(null))).toBe(140_001)
    write(graph, (transaction) => transaction.addVertex("v", undefined))
  })
})
