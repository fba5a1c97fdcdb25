import { execFile, spawnSync } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { RowChange } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { StoreClaims } from "../../../src/storage/janusgraph/ids/StoreClaims.ts"
import type { LmdbStore } from "../../../src/storage/lmdb/LmdbStore.ts"
import type { Ref } from "../../../src/structure/elements/Element.ts"
import { StorageFailure, StorageFull, TransactionConflict } from "../../../src/structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { eventually } from "../../Eventually.ts"
import { newFolder } from "../../Folders.ts"
import { bundled } from "../../layers/support/ServerProcess.ts"
import { settled } from "../Completion.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { around, byIndex, drain } from "../Reads.ts"
import { lmdbStore } from "./Stores.ts"

/** The number of people. The long commit removes half of them and adds as many. */
const PEOPLE = 3000

const setState = (transaction: GraphTransaction, ref: Ref, value: string, key = "state"): void => {
  transaction.setVertexProperty(ref, Cardinality.single, key, value)
}

interface Ring {
  readonly graph: CellGraph
  readonly hub: Ref
  readonly people: ReadonlyArray<Ref>
}

/** Makes a hub and the people whom it knows. */
const ring = async (store: LmdbStore): Promise<Ring> => {
  const graph = await cellGraph(store)
  await graph.management.createIndex("state", "vertex")
  const transaction = graph.begin()
  const hub = transaction.addVertex("hub", undefined)
  const people: Array<Ref> = []
  for (let i = 0; i < PEOPLE; i++) {
    const person = transaction.addVertex("person", undefined)
    setState(transaction, person, "old")
    transaction.addEdge(hub, "has", person, undefined)
    people.push(person)
  }
  await settled(transaction.commit())
  return { graph, hub, people }
}

/** Removes every other person, adds as many, and changes the rest. */
const renew = (transaction: GraphTransaction, { hub, people }: Ring): void => {
  for (let i = 0; i < PEOPLE; i++) {
    if (i % 2 === 1) {
      setState(transaction, people[i]!, "new")
      setState(transaction, people[i]!, `${i}`, "age")
      continue
    }
    transaction.removeVertex(people[i]!)
    const other = transaction.addVertex("person", undefined)
    setState(transaction, other, "new")
    transaction.addEdge(hub, "has", other, undefined)
  }
}

/** Completes when the store has got the next commit in time slices: commits that follow are queued after it. */
const handedOver = (store: LmdbStore): Promise<void> =>
  new Promise((resolve) => {
    const commitLong = store.commitLong.bind(store)
    store.commitLong = (work) => {
      store.commitLong = commitLong
      const later = commitLong(work)
      resolve()
      return later
    }
  })

/** A summary of everything that a transaction reads. */
const seen = (graph: CellGraph, { hub, people }: Ring, reading?: GraphTransaction): string => {
  const transaction = reading ?? graph.begin({ readOnly: true })
  const found = drain(transaction.scanVertices(["person"]), 500)
  const states = transaction.vertexReader("state")
  const ages = transaction.vertexReader("age")
  const sight = JSON.stringify({
    counted: transaction.counts.vertices(["person"]),
    edges: transaction.counts.edges(null),
    scanned: found.length,
    old: found.filter((ref) => states.value(ref) === "old").length,
    aged: found.filter((ref) => ages.value(ref) !== undefined).length,
    oldByIndex: byIndex(transaction, "state", "old").length,
    newByIndex: byIndex(transaction, "state", "new").length,
    around: around(transaction, hub, "OUT", ["has"], false).length,
    first: [0, 1].map((at) => transaction.hasVertex(people[at]!) && states.value(people[at]!))
  })
  if (reading === undefined) transaction.rollback()
  return sight
}

/** The numbers of rows of vertices and of claims. */
const found = (store: LmdbStore): ReadonlyArray<number> => {
  const snapshot = store.snapshot()
  const counts = (["edgestore", "janusgraph_ids"] as const).map((table) => snapshot.scan(table).next(10).length)
  snapshot.close()
  return counts
}

describe("A long commit in time slices", () => {
  it("is visible to readers completely or not at all, and ids can be claimed during it", async () => {
    const store = await lmdbStore()
    const made = await ring(store)
    const { graph } = made
    const older = graph.begin()
    const before = seen(graph, made)
    const writer = graph.begin()
    renew(writer, made)
    let ended = false
    const committed = settled(writer.commit()).finally(() => {
      ended = true
    })
    const sights = new Set<string>()
    const between = graph.begin()
    const adding = graph.begin()
    let turns = 0
    for (; !ended; turns++) {
      if (turns % 4 === 0) sights.add(seen(graph, made))
      // These are enough to claim blocks of ids while the transaction is open.
      for (let i = 0; i < 200; i++) adding.addVertex("other", undefined)
      await new Promise((resume) => setImmediate(resume))
    }
    await committed
    expect(turns).toBeGreaterThan(20)
    const after = seen(graph, made)
    sights.delete(after)
    expect([...sights]).toEqual([before])
    expect(JSON.parse(after)).toMatchObject({ counted: PEOPLE, scanned: PEOPLE, old: 0, newByIndex: PEOPLE })
    expect([seen(graph, made, between), seen(graph, made, older)]).toEqual([before, before])
    for (const transaction of [between, older]) transaction.rollback()
    await settled(adding.commit())
    const next = graph.begin()
    expect(next.counts.vertices(["other"])).toBe(200 * turns)
    next.rollback()
    await graph.close()
  })

  it("makes other commits wait, and the first committer wins", async () => {
    const store = await lmdbStore()
    const made = await ring(store)
    const { graph, people } = made
    const [same, other, removing] = [graph.begin(), graph.begin(), graph.begin()]
    setState(same, people[1]!, "mine")
    setState(other, people[1]!, "mine", "other")
    removing.removeVertex(people[3]!)
    const writer = graph.begin()
    renew(writer, made)
    const order: Array<string> = []
    const answer = (name: string, transaction: GraphTransaction): Promise<void> =>
      settled(transaction.commit()).then(
        () => void order.push(name),
        (error) => {
          order.push(`${name} refused`)
          expect(error).toBeInstanceOf(TransactionConflict)
        }
      )
    const handed = handedOver(store)
    const long = answer("long", writer)
    await handed
    const others = [answer("same", same), answer("other", other), answer("removing", removing)]
    await Promise.all([long, ...others])
    expect(order).toEqual(["long", "same refused", "other", "removing refused"])
    const states = graph.begin()
    expect(states.vertexReader("other").value(people[1]!)).toBe("mine")
    expect(states.hasVertex(people[3]!)).toBe(true)
    states.rollback()
    await graph.close()
  })

  it("leaves no changes when it is refused", async () => {
    const made = await ring(await lmdbStore())
    const { graph, people } = made
    const before = seen(graph, made)
    const writer = graph.begin()
    renew(writer, made)
    const other = graph.begin()
    setState(other, people[PEOPLE - 1]!, "x", "age")
    await settled(other.commit())
    await expect(settled(writer.commit())).rejects.toThrow(TransactionConflict)
    expect({ ...JSON.parse(seen(graph, made)), aged: 0 }).toEqual(JSON.parse(before))
    await graph.close()
  })

  it.each([0, 3, 30, 500])("completes before the graph is closed, %i turns after its start", async (turns) => {
    const directory = newFolder()
    const made = await ring(await lmdbStore({ directory }))
    const writer = made.graph.begin()
    renew(writer, made)
    const order: Array<string> = []
    const committed = settled(writer.commit()).then(() => order.push("committed"))
    for (let turn = 0; turn < turns; turn++) await new Promise((resume) => setImmediate(resume))
    const closed = made.graph.close().then(() => order.push("closed"))
    expect(() => made.graph.begin()).toThrow("closed")
    await Promise.all([committed, closed])
    expect(order).toEqual(["committed", "closed"])
    const again = await cellGraph(await lmdbStore({ directory }))
    expect(JSON.parse(seen(again, made))).toMatchObject({ counted: PEOPLE, old: 0, newByIndex: PEOPLE, around: PEOPLE })
    await again.close()
  })

  it("leaves no changes when a write fails in the middle", async () => {
    const failures: Array<string> = []
    const store = await lmdbStore({ onFailure: ({ message }) => failures.push(message) })
    const name = (i: number): Buffer => Buffer.from(`row ${i}`)
    function* rows(count: number): Generator<RowChange> {
      for (let i = 0; i < count; i++) yield { key: name(i), changes: [{ column: Buffer.from("a"), value: name(i) }] }
      if (count > 10) throw new Error("the disk broke")
    }
    const commit = (count: number): Promise<void> =>
      settled(
        store.commitLong(function* (batch) {
          yield
          batch.changeRows("edgestore", () => rows(count))
        })
      )
    await commit(5)
    const found = (): number => {
      const snapshot = store.snapshot()
      const count = snapshot.scan("edgestore").next(100_000).length
      snapshot.close()
      return count
    }
    expect(found()).toBe(5)
    await expect(commit(50_000)).rejects.toThrow(StorageFailure)
    expect([found(), failures.length]).toEqual([5, 1])
    await expect(commit(5)).rejects.toThrow(StorageFailure)
    await store.close()
  })

  it("does not block a synchronous commit at any moment of its start", async () => {
    const bundle = await bundled({ SynchronousWriter: "test/storage/lmdb/SynchronousWriter.ts" })
    // In a separate process, because a deadlock blocks the whole process.
    const args = [join(bundle, "SynchronousWriter.mjs"), newFolder()]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 240_000, killSignal: "SIGKILL" })
    const { rows, expected } = JSON.parse(stdout)
    expect(rows).toBe(expected)
  })

  it.each([0, 1, 3])(
    "allows later commits after it has failed because of a full disk, with %i claims of ids in its transaction",
    async (claims) => {
      const failures: Array<string> = []
      const store = await lmdbStore({ onFailure: ({ message }) => failures.push(message) })
      const cells = (value: string) => [{ column: Buffer.from("a"), value: Buffer.from(value) }]
      const source = new StoreClaims(store, "test", 5, 10)
      const blocks: Array<number> = []
      const claim = (): void => void blocks.push(source.claimNow!("vertex").first)
      let isOpen = false
      let isClaimed = false
      function* rows(): Generator<RowChange> {
        for (let i = 0; i < 1000; i++) yield { key: Buffer.from(`row ${i}`), changes: cells("1") }
        throw Object.assign(new Error("No space left on device"), { code: 28 })
      }
      const committed = settled(
        store.commitLong(function* (batch) {
          isOpen = true
          while (!isClaimed) yield
          batch.changeRows("edgestore", rows)
        })
      )
      await eventually(() => isOpen)
      for (let i = 0; i < claims; i++) claim()
      isClaimed = true
      await expect(committed).rejects.toThrow(StorageFull)
      expect(found(store)).toEqual([0, 0])
      // The ids are in use: the next transaction repeats the claims first.
      await settled(store.commit((batch) => batch.change("edgestore", Buffer.from("row"), cells("2"))))
      expect([found(store), failures]).toEqual([[1, Math.min(claims, 1)], []])
      claim()
      await source.claim("vertex").then(({ first }) => blocks.push(first))
      expect(blocks).toEqual(Array.from({ length: claims + 2 }, (_, at) => 1 + 10 * at))
      await store.close()
    }
  )

  it("loses claims of ids on a full disk, which the next write of any kind repeats", async () => {
    const next: ReadonlyArray<(store: LmdbStore, source: StoreClaims) => Promise<number>> = [
      async (_, source) => source.claimNow!("vertex").first,
      async (_, source) => (await source.claim("vertex")).first,
      async (store, source) => {
        await settled(store.commitLong(() => [][Symbol.iterator]()))
        return source.claimNow!("vertex").first
      }
    ]
    for (const write of next) {
      const store = await lmdbStore()
      const source = new StoreClaims(store, "test", 5, 10)
      const full = Object.assign(new Error("No space left on device"), { code: 28 })
      const lost = store.commitLong(function* (batch) {
        yield source.claimNow!("vertex")
        // A commit that only reads does not hide the claim before it.
        store.commitNow((reading) => void reading.slice({ table: "edgestore", key: Buffer.from("none"), limit: 1 }))
        batch.changeRows("edgestore", () => {
          throw full
        })
      })
      await expect(settled(lost)).rejects.toThrow(StorageFull)
      expect(await write(store, source)).toBe(11)
      await store.close()
    }
  })

  it("does not let two processes use the same ids after a full disk", async () => {
    const directory = newFolder()
    const failures: Array<string> = []
    const onFailure = ({ message }: StorageFailure) => void failures.push(message)
    const store = await lmdbStore({ directory, server: "one", onFailure })
    const other = await lmdbStore({ directory, server: "one" })
    const source = new StoreClaims(store, "test", 5, 10)
    const full = Object.assign(new Error("No space left on device"), { code: 28 })
    const lost = store.commitLong(function* (batch) {
      yield source.claimNow!("vertex")
      batch.changeRows("edgestore", () => {
        throw full
      })
    })
    await expect(settled(lost)).rejects.toThrow(StorageFull)
    expect(new StoreClaims(other, "other", 5, 10).claimNow!("vertex").first).toBe(1)
    await expect(settled(store.commit(() => undefined))).rejects.toThrow("Restart it")
    expect(failures.length).toBe(1)
    await store.close()
    await other.close()
  })

  it("runs after a claim of ids that was committed while it waited to begin, and that another process followed", async () => {
    const directory = newFolder()
    const failures: Array<string> = []
    const onFailure = ({ message }: StorageFailure) => void failures.push(message)
    const store = await lmdbStore({ directory, server: "one", onFailure })
    const other = await lmdbStore({ directory, server: "one" })
    const row = (value: string) => [{ column: Buffer.from("a"), value: Buffer.from(value) }]
    for (let round = 0; round < 3; round++) {
      const long = settled(
        store.commitLong(function* (batch) {
          yield
          batch.changeRows("edgestore", () => [{ key: Buffer.from(`row ${round}`), changes: row("1") }])
        })
      )
      // The transaction is about to begin: the claim has one of its own.
      const first = new StoreClaims(store, "test", 5, 10).claimNow!("vertex").first
      const followed = new StoreClaims(other, "other", 5, 10).claimNow!("vertex").first
      await long
      expect(followed - first).toBe(10)
      await settled(store.commit((batch) => batch.change("edgestore", Buffer.from("row"), row(`${round}`))))
    }
    expect(found(store)[0]).toBe(4)
    expect(failures).toEqual([])
    await store.close()
    await other.close()
  })

  const hasDisks = spawnSync("unshare", ["-rm", "true"]).status === 0

  it("fails alone on a really full disk, and no id is used twice", async ({ skip }) => {
    skip(!hasDisks, "this system does not allow a separate disk (unshare -rm)")
    const bundle = await bundled({ FullDiskClaimer: "test/storage/lmdb/FullDiskClaimer.ts" })
    const directory = newFolder()
    const mount = 'mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" "$3" "$1"'
    const args = ["-rm", "bash", "-c", mount, "bash", directory, process.execPath, join(bundle, "FullDiskClaimer.mjs")]
    const { stdout } = await promisify(execFile)("unshare", args, { timeout: 120_000, killSignal: "SIGKILL" })
    const { blocks, failures, long, next, refused, small } = JSON.parse(stdout)
    expect({ failures, refused, small, last: long.at(-1) }).toEqual({
      failures: [],
      refused: [],
      small: "committed",
      last: "StorageFull"
    })
    expect(blocks).toEqual(Array.from(blocks, (_, at) => 1 + 10 * at))
    expect(next).toBe(1 + 10 * blocks.length)
  })

  it("writes a row with very many cells correctly", async () => {
    const graph = await cellGraph(await lmdbStore())
    const transaction = graph.begin()
    const [hub, other] = [transaction.addVertex("hub", undefined), transaction.addVertex("other", undefined)]
    const many = 20_000
    for (let i = 0; i < many; i++) transaction.setEdgeProperty(transaction.addEdge(hub, "to", other, undefined), "n", i)
    await settled(transaction.commit())
    const reading = graph.begin()
    const edges = around(reading, hub, "OUT", ["to"], true)
    const values = new Set(edges.map((edge) => reading.edgeReader("n").value(edge)))
    expect([edges.length, values.size, around(reading, other, "IN", null, true).length]).toEqual([many, many, many])
    for (const edge of edges.slice(0, many - 1)) reading.removeEdge(edge)
    await settled(reading.commit())
    const last = graph.begin()
    expect(around(last, other, "IN", null, true).length).toBe(1)
    last.removeVertex(other)
    await settled(last.commit())
    const end = graph.begin()
    expect([end.counts.edges(null), end.vertexRef(BigInt(other)), around(end, hub, "BOTH", null, true)]).toEqual([
      0,
      -1,
      []
    ])
    end.rollback()
    await graph.close()
  })
})
