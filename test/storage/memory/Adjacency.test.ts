import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runWhole } from "../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { Adjacency } from "../../../src/storage/memory/Adjacency.ts"
import { SEGMENT_BITS, SEGMENT_MASK } from "../../../src/storage/memory/Arena.ts"
import { Meter } from "../../../src/storage/memory/Growth.ts"
import { Labels } from "../../../src/storage/memory/Labels.ts"

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
