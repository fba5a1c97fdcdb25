import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runWhole } from "../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { Adjacency } from "../../../src/storage/memory/Adjacency.ts"
import { SEGMENT_BITS, SEGMENT_MASK } from "../../../src/storage/memory/Arena.ts"
import { Column } from "../../../src/storage/memory/Column.ts"
import { Meter } from "../../../src/storage/memory/Growth.ts"
import { IdTable, lookupKey } from "../../../src/storage/memory/IdTable.ts"
import { Labels } from "../../../src/storage/memory/Labels.ts"
import { SortedSlots } from "../../../src/storage/memory/SortedSlots.ts"
import { Undo } from "../../../src/storage/memory/Undo.ts"
import { Shapes } from "../../../src/storage/shared/Properties.ts"
import { Double, Float } from "../../../src/structure/Numbers.ts"
import { Uuid } from "../../../src/structure/Temporal.ts"

const plain = (value: unknown): unknown => (value instanceof Double ? `double ${value.value}` : value)

describe("A column", () => {
  const value = FastCheck.oneof(
    { weight: 6, arbitrary: FastCheck.integer() },
    { weight: 3, arbitrary: FastCheck.constantFrom(0.5, -0, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 3e9) },
    { weight: 2, arbitrary: FastCheck.constantFrom(new Double(1), new Double(-7), -0x80000000) },
    { weight: 1, arbitrary: FastCheck.constantFrom<unknown>("text", 12n, null, true) },
    { weight: 3, arbitrary: FastCheck.constant(undefined) }
  )

  it("returns the values that were set, for any mix of types and any distance of slots", () => {
    const slots = FastCheck.oneof(FastCheck.nat(50), FastCheck.nat(3000), FastCheck.nat(200_000))
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.tuple(slots, value), { size: "max", maxLength: 300 }), (writes) => {
        const column = new Column(new Meter())
        const expected = new Map<number, unknown>()
        for (const [slot, value] of writes) {
          column.set(slot, value)
          if (value === undefined) expected.delete(slot)
          else expected.set(slot, value)
        }
        expect(column.count).toBe(expected.size)
        for (const [slot] of writes) expect(plain(column.get(slot))).toBe(plain(expected.get(slot)))
        expect(column.get(1_000_000)).toBeUndefined()
      })
    )
  })

  it("keeps the types of an integral Double and of an Int", () => {
    const column = new Column(new Meter())
    column.set(0, new Double(1))
    column.set(1, 0.5)
    expect(column.get(0)).toEqual(new Double(1))
    column.set(2, 1)
    expect([column.get(0), column.get(1), column.get(2)]).toEqual([new Double(1), 0.5, 1])
  })

  it("becomes dense when many slots have a value, sparse when few have, and frees its bytes", () => {
    const meter = new Meter()
    const column = new Column(meter)
    for (let slot = 0; slot < 100_000; slot += 50) column.set(slot, `v${slot}`)
    const sparse = meter.used
    expect(sparse).toBeLessThan(200_000)
    for (let slot = 0; slot < 100_000; slot++) column.set(slot, slot)
    expect(column.get(99_999)).toBe(99_999)
    for (let slot = 0; slot < 100_000; slot++) column.set(slot, undefined)
    expect(column.count).toBe(0)
    column.set(5_000_000, 1)
    expect(column.get(5_000_000)).toBe(1)
    expect(meter.used).toBeLessThan(1000)
  })
})

describe("A large table of ids", () => {
  it("finds every id, removed or not, while it grows and shrinks", () => {
    const table = new IdTable(new Meter())
    const many = 150_000
    runWhole(table.growTask(many, new TimeSlice()))
    for (let slot = 0; slot < many; slot++) table.addNumber(slot, slot * 3, false)
    for (let slot = 0; slot < many; slot += 2) table.remove(slot)
    for (let slot = 0; slot < many; slot++) {
      if (table.find(slot * 3) !== (slot % 2 === 0 ? -1 : slot)) expect(table.find(slot * 3)).toBe(`slot ${slot}`)
    }
    for (let slot = 0; slot < many; slot += 2) table.addNumber(slot, 7 * many + slot, false)
    expect(table.find(7 * many + 1000)).toBe(1000)
    expect(table.find(1)).toBe(-1)
  })
})

describe("A set of sorted slots", () => {
  it("can be read in order from any slot on", () => {
    const operation = FastCheck.tuple(FastCheck.boolean(), FastCheck.nat(1500))
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(operation, { size: "max", maxLength: 3000 }),
        FastCheck.nat(1500),
        (all, after) => {
          const slots = new SortedSlots()
          const expected = new Set<number>()
          for (const [add, slot] of all) {
            if (add) expect(slots.add(slot)).toBe(!expected.has(slot))
            else expect(slots.delete(slot)).toBe(expected.has(slot))
            if (add) expected.add(slot)
            else expected.delete(slot)
          }
          expect(slots.size).toBe(expected.size)
          const into = new Int32Array(expected.size + 5)
          const count = slots.read(after, expected.size, into, 5)
          const rest = [...expected].filter((slot) => slot > after).sort((a, b) => a - b)
          expect([...into.subarray(5, 5 + count)]).toEqual(rest)
        }
      ),
      { numRuns: 20 }
    )
  })

  it("keeps its chunks full when slots come in order", () => {
    const slots = new SortedSlots()
    for (let slot = 0; slot < 10_000; slot++) slots.add(slot)
    const into = new Int32Array(3)
    expect(slots.read(9_997, 3, into, 0)).toBe(2)
    expect([...into.subarray(0, 2)]).toEqual([9_998, 9_999])
  })
})

describe("A table of ids", () => {
  it("finds each id by its numeric value or equivalence, after any additions and removals", () => {
    const id = FastCheck.oneof(
      FastCheck.integer({ min: -50, max: 50 }),
      FastCheck.bigInt({ min: -50n, max: 50n }),
      FastCheck.maxSafeInteger(),
      FastCheck.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 5n }),
      FastCheck.constantFrom<unknown>("a", "b", "\0u", 0.5, 1.5, new Float(2), true, new Double(7))
    )
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.tuple(FastCheck.nat(2), id), { size: "max", maxLength: 400 }),
        (all) => {
          const table = new IdTable(new Meter())
          const slotOf = new Map<unknown, number>()
          const idOf = new Map<number, unknown>()
          let next = 0
          for (const [remove, id] of all) {
            const key = lookupKey(id)
            const slot = slotOf.get(key)
            expect(table.find(key)).toBe(slot ?? -1)
            if (slot === undefined) {
              runWhole(table.growTask(next + 1, new TimeSlice()))
              table.add(next, id)
              slotOf.set(key, next)
              idOf.set(next++, id)
            } else if (remove === 0) {
              table.remove(slot)
              expect(table.id(slot)).toBe(idOf.get(slot))
              table.clear(slot)
              slotOf.delete(key)
            } else expect(table.id(slot)).toBe(idOf.get(slot))
          }
        }
      )
    )
  })

  it("finds 1, 1L and 1.0 as the same id, and returns the one that was added", () => {
    const table = new IdTable(new Meter())
    runWhole(table.growTask(1, new TimeSlice()))
    table.add(0, 1)
    expect([1, 1n, new Double(1), new Float(1)].map((id) => table.find(lookupKey(id)))).toEqual([0, 0, 0, 0])
    expect([1, 1n].map((id) => table.hasExact(id))).toEqual([true, false])
    expect(table.find(lookupKey("1"))).toBe(-1)
    expect(table.find(lookupKey(new Uuid("00000000-0000-0000-0000-000000000001")))).toBe(-1)
  })
})

describe("An undo log", () => {
  it("returns to each snapshot the state before the first commit after it, until it is cut", () => {
    const undo = new Undo<string, string>()
    undo.push("x", 3, "before 3")
    undo.push("x", 5, "before 5")
    undo.push("x", 9, "before 9")
    expect([2, 3, 4, 5, 8, 9].map((snapshot) => undo.at("x", snapshot)?.old)).toEqual([
      "before 3",
      "before 5",
      "before 5",
      "before 9",
      "before 9",
      undefined
    ])
    undo.trim("x", 5)
    expect(undo.at("x", 5)?.old).toBe("before 9")
    expect(undo.some("x", (old) => old === "before 5")).toBe(false)
    expect([undo.changedSince("x", 8), undo.changedSince("x", 9)]).toEqual([true, false])
    undo.trim("x", 9)
    expect(undo.size).toBe(0)
  })
})

describe("The shapes of elements", () => {
  it("share a number for the same keys in the same order", () => {
    const shapes = new Shapes()
    const ab = shapes.with(shapes.with(0, 7), 3)
    expect(shapes.keys(ab)).toEqual([7, 3])
    expect(shapes.with(ab, 7)).toBe(ab)
    expect(shapes.without(shapes.with(ab, 1), 1)).toBe(ab)
    expect(shapes.keys(shapes.without(ab, 7))).toEqual([3])
    expect(shapes.without(shapes.without(ab, 7), 3)).toBe(0)
  })
})

describe("An adjacency", () => {
  /** Edges of a vertex as a newest reader sees them: label, neighbour and edge of each. */
  const read = (adjacency: Adjacency, vertex: number): Array<readonly [number, number, number]> => {
    const found: Array<readonly [number, number, number]> = []
    const { arena, groups } = adjacency
    let group = groups.first(vertex)
    do {
      const segment = arena.segments[groups.address(group) >>> SEGMENT_BITS]!
      const start = groups.address(group) & SEGMENT_MASK
      for (let i = 0; i < groups.length(group); i++) {
        if (segment[start + 2 * i]! >= 0) {
          found.push([groups.label(group), segment[start + 2 * i]!, segment[start + 2 * i + 1]!])
        }
      }
      group = groups.next(group)
    } while (group !== 0)
    return found
  }

  /** Length of each group's block, and how many edges in it are deleted. */
  const lengths = (adjacency: Adjacency, vertex: number): Array<readonly [number, number]> => {
    const found: Array<readonly [number, number]> = []
    const { groups } = adjacency
    let group = groups.first(vertex)
    do {
      found.push([groups.length(group), adjacency.deletedIn(group)])
      group = groups.next(group)
    } while (group !== 0)
    return found
  }

  const labelsNamed = (...names: ReadonlyArray<string>): Labels => {
    const labels = new Labels(new Meter())
    for (const name of names) labels.intern(name)
    return labels
  }

  it("keeps the edges of each vertex by label in insertion order, whatever is deleted", () => {
    const operation = FastCheck.tuple(FastCheck.nat(9), FastCheck.nat(3), FastCheck.nat(4), FastCheck.nat(10_000))
    FastCheck.assert(
      FastCheck.property(FastCheck.array(operation, { size: "max", maxLength: 1500 }), (operations) => {
        const labels = labelsNamed("knows", "created", "uses", "likes", "rates")
        const adjacency = new Adjacency(labels, new Meter())
        const expected = new Map<number, Array<readonly [number, number, number]>>()
        const where = new Map<number, readonly [number, number]>()
        const free: Array<number> = []
        let canPack = true
        runWhole(adjacency.growTask(4, 2000, new TimeSlice()))
        for (const [what, vertex, label, pick] of operations) {
          if (what < 6 || where.size === 0) {
            const edge = free.pop() ?? where.size
            adjacency.put(adjacency.open(vertex, label), pick, edge)
            expected.set(vertex, [...(expected.get(vertex) ?? []), [label, pick, edge]])
            where.set(edge, [vertex, label])
          } else if (what < 9) {
            const [edge, [at, its]] = [...where][pick % where.size]!
            adjacency.delete(at, its, edge)
            adjacency.forget(at, its, edge, canPack)
            where.delete(edge)
            free.push(edge)
            expected.set(
              at,
              expected.get(at)!.filter(([, , other]) => other !== edge)
            )
          } else {
            canPack = !canPack
            if (canPack) adjacency.packPending(Number.POSITIVE_INFINITY)
          }
        }
        const byLabel = (a: readonly [number, number, number], b: readonly [number, number, number]) =>
          labels.before(a[0], b[0]) ? -1 : labels.before(b[0], a[0]) ? 1 : 0
        adjacency.packPending(Number.POSITIVE_INFINITY)
        for (let vertex = 0; vertex < 4; vertex++) {
          const groups = lengths(adjacency, vertex)
          const alive = groups.reduce((sum, [length, deleted]) => sum + length - deleted, 0)
          expect(alive).toBe(expected.get(vertex)?.length ?? 0)
          // Every deleted edge is a hole here: no block is left that should have been packed.
          for (const [length, deleted] of groups) expect(deleted * 2 < length || deleted < 16).toBe(true)
          expect(read(adjacency, vertex)).toEqual((expected.get(vertex) ?? []).toSorted(byLabel))
        }
      }),
      { numRuns: 30 }
    )
  })

  it("packs a group later even if the group was moved meanwhile for another label", () => {
    const labels = labelsNamed("knows", "created")
    const adjacency = new Adjacency(labels, new Meter())
    runWhole(adjacency.growTask(1, 101, new TimeSlice()))
    for (let edge = 0; edge < 100; edge++) adjacency.put(adjacency.open(0, 0), 5, edge)
    for (let edge = 0; edge < 90; edge++) {
      adjacency.delete(0, 0, edge)
      adjacency.forget(0, 0, edge, false)
    }
    adjacency.put(adjacency.open(0, 1), 6, 100)
    adjacency.packPending(Number.POSITIVE_INFINITY)
    expect(lengths(adjacency, 0)).toEqual([
      [1, 0],
      [10, 0]
    ])
  })

  it("orders labels as TinkerGraph does", () => {
    const labels = labelsNamed("knows", "created", "develops", "uses")
    const inOrder = (a: string, b: string) => labels.before(labels.find(a), labels.find(b))
    expect([inOrder("created", "knows"), inOrder("uses", "develops")]).toEqual([true, true])
  })

  it("reuses the blocks and records of a cleared vertex", () => {
    const labels = labelsNamed("a", "b", "c")
    const meter = new Meter()
    const adjacency = new Adjacency(labels, meter)
    runWhole(adjacency.growTask(10, 1000, new TimeSlice()))
    let used = 0
    for (let round = 0; round < 50; round++) {
      for (let edge = 0; edge < 300; edge++) adjacency.put(adjacency.open(1, edge % 3), 2, edge)
      for (let edge = 0; edge < 300; edge++) {
        adjacency.delete(1, edge % 3, edge)
        adjacency.forget(1, edge % 3, edge, edge % 2 === 0)
      }
      adjacency.clear(1)
      if (round === 1) used = meter.used
    }
    expect(meter.used).toBe(used)
    expect(adjacency.hasDeleted).toBe(false)
    expect(read(adjacency, 1)).toEqual([])
  })

  it("allocates a separate segment for a block that is larger than a segment, and frees it", () => {
    const labels = labelsNamed("a")
    const adjacency = new Adjacency(labels, new Meter())
    const edges = 600_000
    runWhole(adjacency.growTask(2, edges + 1, new TimeSlice()))
    for (let edge = 0; edge < edges; edge++) adjacency.put(adjacency.open(0, 0), 1, edge)
    adjacency.put(adjacency.open(1, 0), 7, edges)
    expect(read(adjacency, 1)).toEqual([[0, 7, edges]])
    for (let edge = 0; edge < edges; edge++) {
      adjacency.delete(0, 0, edge)
      adjacency.forget(0, 0, edge, true)
    }
    expect(read(adjacency, 0)).toEqual([])
    expect(adjacency.groups.length(0)).toBe(0)
    expect(read(adjacency, 1)).toEqual([[0, 7, edges]])
  })
})
