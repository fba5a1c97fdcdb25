import { describe, expect, it, vi } from "vitest"
import { ElementTable } from "../../../src/storage/memory/ElementTable.ts"
import type { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { StorageFailure } from "../../../src/structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { Double } from "../../../src/structure/numbers/Numbers.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { Random } from "../../fuzz/Random.ts"
import { steps, withRandom } from "../../fuzz/Seeds.ts"
import { settled } from "../Completion.ts"
import { around, byIndex, drain } from "../Reads.ts"
import { Fault, Faults } from "./Faults.ts"
import { emptyGraph, read, setProperty, writeMany } from "./Fixture.ts"

/** Vertices with the ids from 0, edges with the ids "e0", "e1", ... */
const VERTICES = 60
const EDGES = 90
const STATES = 5
/** More keys than a shape has. */
const WIDE_KEYS = 300

const value = (random: Random): unknown =>
  random.one<unknown>([random.below(100), new Double(random.below(9)), random.next(), `text ${random.below(9)}`, true])

const changeVertex = (transaction: GraphTransaction, ref: number, random: Random): void => {
  setProperty(transaction, ref, "state", `s${random.below(STATES)}`)
  if (random.chance(0.3)) setProperty(transaction, ref, `key ${random.below(9)}`, value(random))
  if (random.chance(0.3)) setProperty(transaction, ref, "tags", `t${random.below(5)}`, Cardinality.list)
  // In an order of their own: that of very many keys may change when a commit is taken back.
  const properties = [...transaction.vertexProperties(ref, null)].sort((a, b) =>
    a.key < b.key ? -1 : +(a.key > b.key)
  )
  for (const property of properties) {
    if (random.chance(0.1)) transaction.removeVertexProperty(property)
    else if (random.chance(0.05)) transaction.setMetaProperty(property, "since", random.below(5))
  }
}

const changeEdge = (transaction: GraphTransaction, ref: number, random: Random): void => {
  transaction.setEdgeProperty(ref, random.one(["since", "weight"]), value(random))
  for (const property of transaction.edgeProperties(ref, null)) {
    if (random.chance(0.2)) transaction.removeProperty(property)
  }
}

const addEdge = (transaction: GraphTransaction, id: unknown, random: Random): void => {
  const vertices = drain(transaction.scanVertices(null))
  const label = random.one(["knows", "created", "uses"])
  changeEdge(transaction, transaction.addEdge(random.one(vertices), label, random.one(vertices), id), random)
}

/** A graph in which some slots are reused, and one vertex has very many keys. */
const filled = async (random: Random): Promise<MemoryGraph> => {
  const graph = emptyGraph()
  await graph.management.createIndex("state", "vertex")
  await graph.management.createIndex("tags", "vertex")
  await graph.management.createIndex("since", "edge")
  for (let round = 0; round < 2; round++) {
    await writeMany(graph, (transaction) => {
      for (const ref of drain(transaction.scanVertices(null))) if (random.chance(0.6)) transaction.removeVertex(ref)
      for (let id = 0; id < VERTICES; id++) {
        if (transaction.vertexRef(id) !== -1 || random.chance(0.2)) continue
        changeVertex(transaction, transaction.addVertex(random.one(["a", "b"]), id), random)
      }
      for (let i = 0; i < EDGES; i++) if (transaction.edgeRef(`e${i}`) === -1) addEdge(transaction, `e${i}`, random)
      const wide = drain(transaction.scanVertices(null))[3]!
      for (let i = 0; i < WIDE_KEYS; i++) setProperty(transaction, wide, `wide ${i}`, i)
    })
  }
  return graph
}

/** Removes, adds and changes some of everything; ids of removed elements are used again. */
const change = (transaction: GraphTransaction, random: Random, many: number): void => {
  for (const ref of drain(transaction.scanVertices(null))) {
    if (random.chance(0.2)) transaction.removeVertex(ref)
    else if (random.chance(0.5)) changeVertex(transaction, ref, random)
  }
  for (const ref of drain(transaction.scanEdges(null))) {
    if (random.chance(0.2)) transaction.removeEdge(ref)
    else if (random.chance(0.3)) changeEdge(transaction, ref, random)
  }
  for (let id = 0; id < VERTICES + 10; id++) {
    if (transaction.vertexRef(id) === -1 && random.chance(0.7)) {
      changeVertex(transaction, transaction.addVertex(random.one(["a", "c"]), id), random)
    }
  }
  for (let i = 0; i < EDGES; i++) if (transaction.edgeRef(`e${i}`) === -1) addEdge(transaction, `e${i}`, random)
  for (let i = 0; i < 10; i++) addEdge(transaction, `new ${i}`, random)
  for (let i = 0; i < many; i++) setProperty(transaction, transaction.addVertex("many", undefined), "state", "many")
  // Removed again within the transaction.
  transaction.removeVertex(transaction.addVertex("a", "gone"))
}

/** How exactly contents are compared: with the ids that the graph makes, and with the order of an element's keys. */
interface Exactness {
  readonly ids: boolean
  readonly order: boolean
}

const exactly: Exactness = { ids: true, order: true }
/** After another commit the same elements have other ids. */
const withoutIds: Exactness = { ids: false, order: true }
/** A transaction sees the keys that were changed later behind the others. */
const inAnyOrder: Exactness = { ids: true, order: false }

/** Everything that a transaction can read, in a form that can be compared. */
const contents = (transaction: GraphTransaction, { ids, order }: Exactness): string => {
  const lines: Array<unknown> = []
  const shown = (value: unknown): unknown => (value instanceof Double ? `Double ${value.value}` : value)
  const idOf = (ref: number): string =>
    !ids && transaction.vertexLabel(ref) === "many" ? "many" : String(transaction.vertexId(ref))
  const edgeIdOf = (ref: number): string => String(transaction.edgeId(ref))
  const vertices = drain(transaction.scanVertices(null))
  for (const ref of vertices) {
    const properties = transaction
      .vertexProperties(ref, null)
      .map(({ id, key, meta, value }) => [ids ? String(id) : "", key, shown(value), [...(meta ?? [])]])
    const isOrdered = order && properties.length < 256
    if (!isOrdered) properties.sort()
    lines.push([
      idOf(ref),
      transaction.vertexRef(transaction.vertexId(ref)) === ref,
      transaction.vertexLabel(ref),
      properties,
      isOrdered ? transaction.vertexKeys(ref) : "",
      around(transaction, ref, "OUT", null, true).map(edgeIdOf),
      around(transaction, ref, "IN", null, false).map(idOf),
      transaction.degree(ref, "BOTH", null)
    ])
  }
  for (const ref of drain(transaction.scanEdges(null))) {
    const properties = transaction.edgeProperties(ref, null).map(({ key, value }) => [key, shown(value)])
    if (!order) properties.sort()
    const ends = [idOf(transaction.edgeOutRef(ref)), idOf(transaction.edgeInRef(ref))]
    const isFound = transaction.edgeRef(transaction.edgeId(ref)) === ref
    lines.push([edgeIdOf(ref), isFound, transaction.edgeLabel(ref), properties, ends])
  }
  const sorted = lines.map((line) => JSON.stringify(line)).sort()
  for (let id = 0; id < VERTICES + 10; id++) sorted.push(`${id} ${transaction.vertexRef(id) === -1}`)
  for (let i = 0; i < STATES; i++) sorted.push(byIndex(transaction, "state", `s${i}`).map(String).sort().join())
  sorted.push(`${byIndex(transaction, "state", "many").length}`)
  for (let i = 0; i < 5; i++) sorted.push(byIndex(transaction, "tags", `t${i}`).map(String).sort().join())
  for (let i = 0; i < 100; i++) sorted.push(byIndex(transaction, "since", i, "edge").map(String).sort().join())
  const { counts } = transaction
  sorted.push(JSON.stringify([counts.vertices(null), counts.edges(null), vertices.length]))
  sorted.push(JSON.stringify([...counts.byLabel!("vertex")!, ...counts.byLabel!("edge")!].sort()))
  return sorted.join("\n")
}

/** The same of what is committed. */
const contentsOf = (graph: MemoryGraph, exactness = exactly): string =>
  read(graph, (transaction) => contents(transaction, exactness))

/** Fails with the first lines that differ. */
const same = (found: string, expected: string, what: string): void => {
  if (found === expected) return
  const [left, right] = [found.split("\n"), expected.split("\n")]
  const at = left.findIndex((line, i) => line !== right[i])
  expect.fail(`${what}: found ${left[at]?.slice(0, 500)}, expected ${right[at]?.slice(0, 500)}`)
}

/** Waits until the undo log is cut, which happens in later turns of the event loop. */
const cut = async (graph: MemoryGraph): Promise<void> => {
  for (let turn = 0; graph.undoLogLength > 0 && turn < 1000; turn++) await new Promise((resume) => setImmediate(resume))
}

const settledWith = async (transaction: GraphTransaction): Promise<unknown> => {
  try {
    await settled(transaction.commit())
    return undefined
  } catch (error) {
    return error
  }
}

describe("A commit that fails in any of its steps", () => {
  /** The same graph and the same changes for the same seed; `many`: vertices that are added besides. */
  const prepared = async (seed: number, many: number) => {
    const graph = await filled(new Random(seed, 0))
    const writer = graph.begin()
    change(writer, new Random(seed, 1), many)
    return { graph, writer }
  }

  it.each([
    ["at once", "no other transaction is open", 0, 60],
    ["at once", "an older transaction is open", 0, 60],
    ["in slices", "no other transaction is open", 4_500, 8],
    ["in slices", "an older transaction is open", 4_500, 8]
  ])("%s while %s leaves the graph as it was", (_, others, many, trials) =>
    withRandom(async (random) => {
      const seed = random.below(2 ** 31)
      const isShared = others.startsWith("an older")
      const whole = await prepared(seed, many)
      const before = contentsOf(whole.graph)
      const beforeInAnyOrder = contentsOf(whole.graph, inAnyOrder)
      const held = isShared ? whole.graph.begin() : undefined
      const counting = new Faults(-1)
      expect(await settledWith(whole.writer)).toBe(undefined)
      counting.end()
      held?.rollback()
      const after = contentsOf(whole.graph, withoutIds)
      for (let trial = 0; trial < steps(trials); trial++) {
        const { graph, writer } = await prepared(seed, many)
        const older = isShared ? graph.begin() : undefined
        const call = random.below(counting.calls)
        const what = `call ${call} of ${counting.calls}`
        const faults = new Faults(call)
        const error = await settledWith(writer)
        faults.end()
        if (error === undefined) {
          // It came after the commit was made: what frees memory stops, and with it all writes.
          same(contentsOf(graph, withoutIds), after, `${what}, after the commit`)
          if (graph.fault !== undefined) expect(graph.fault).toMatchObject({ isClosed: false })
          older?.rollback()
          continue
        }
        const { cause } = error as Error
        const isExpected = cause instanceof Fault || cause instanceof RangeError
        if (!isExpected) throw new Error(`${what}: ${String(error)}`, { cause: error })
        expect([what, graph.fault]).toEqual([what, undefined])
        same(contentsOf(graph), before, `${what}, then`)
        if (older !== undefined) same(contents(older, exactly), before, `${what}, as an older transaction sees it`)
        // The graph can be written as if nothing had happened.
        const second = graph.begin()
        change(second, new Random(seed, 1), many)
        expect([what, await settledWith(second)]).toEqual([what, undefined])
        if (older !== undefined) {
          same(contents(older, inAnyOrder), beforeInAnyOrder, `${what}, as an older transaction sees it in the end`)
        }
        older?.rollback()
        await cut(graph)
        same(contentsOf(graph, withoutIds), after, `${what}, and committed again`)
        expect([what, graph.fault, graph.undoLogLength]).toEqual([what, undefined, 0])
      }
    })
  )

  it("and cannot be rolled back closes the graph, with the reason and what to do", () =>
    withRandom(async (random) => {
      const seed = random.below(2 ** 31)
      const whole = await prepared(seed, 0)
      const counting = new Faults(-1)
      whole.writer.commit()
      counting.end()
      let closed = 0
      for (let trial = 0; trial < 200 && closed < 5; trial++) {
        const { graph, writer } = await prepared(seed, 0)
        const older = graph.begin()
        const faults = new Faults(random.below(counting.calls), 1 + random.below(20))
        const error = await settledWith(writer)
        faults.end()
        if (error === undefined || graph.fault === undefined) continue
        closed++
        const reason =
          /^The graph test is closed since a commit failed \(.*failed\) and could not be rolled back \(.*failed\).*Start the server again/
        expect(graph.fault).toEqual({ isClosed: true, reason: expect.stringMatching(reason) })
        expect(() => graph.begin()).toThrow(new StorageFailure(graph.fault.reason))
        expect(() => older.hasVertex(0)).toThrow(new StorageFailure(graph.fault.reason))
        expect(() => older.addVertex("a", "late")).toThrow(new StorageFailure(graph.fault.reason))
        await graph.close()
        expect(graph.fault.reason).toMatch(reason)
      }
      expect(closed).toBeGreaterThan(0)
    }))

  it("only when it frees memory stops the writes of the graph, and reads continue", () =>
    withRandom(async (random) => {
      const seed = random.below(2 ** 31)
      const { graph, writer } = await prepared(seed, 0)
      const older = graph.begin()
      const release = vi.spyOn(ElementTable.prototype, "release").mockImplementation(() => {
        throw new Error("no release")
      })
      writer.commit()
      const after = contentsOf(graph)
      older.rollback()
      release.mockRestore()
      expect(graph.fault).toEqual({
        isClosed: false,
        reason: expect.stringMatching(
          /^The graph test takes no more writes since .*no release.*reads still work.*Export/
        )
      })
      same(contentsOf(graph), after, "without what frees memory")
      const refused = graph.begin()
      expect(() => refused.addVertex("a", "late")).toThrow(new StorageFailure(graph.fault!.reason))
      refused.rollback()
    }))
})
