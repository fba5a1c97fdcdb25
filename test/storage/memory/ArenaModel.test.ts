import { describe, expect, it } from "vitest"
import { runWhole } from "../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { Adjacency } from "../../../src/storage/memory/Adjacency.ts"
import { Arena, SEGMENT_BITS, SEGMENT_MASK } from "../../../src/storage/memory/Arena.ts"
import { Meter } from "../../../src/storage/memory/Growth.ts"
import { Labels } from "../../../src/storage/memory/Labels.ts"
import type { Random } from "../../fuzz/Random.ts"
import { steps, withRandom } from "../../fuzz/Seeds.ts"

/** A slice that is over at each look at the clock. */
const SPENT = new TimeSlice(0)

describe("An arena", () => {
  /** A block that is in use; its first and last integers hold its number. */
  interface Block {
    readonly address: number
    readonly sizeClass: number
    readonly number: number
  }

  /** Most blocks are small, some take a segment, few take more than one. */
  const sizeClass = (random: Random): number =>
    random.chance(0.97) ? random.below(9) : random.chance(0.9) ? 9 + random.below(8) : 17 + random.below(4)

  const write = (arena: Arena, { address, number, sizeClass }: Block): void => {
    const segment = arena.segments[address >>> SEGMENT_BITS]!
    const start = address & SEGMENT_MASK
    segment[start] = number
    segment[start + (2 << sizeClass) - 1] = number
  }

  const check = (arena: Arena, { address, number, sizeClass }: Block): void => {
    const segment = arena.segments[address >>> SEGMENT_BITS]!
    const start = address & SEGMENT_MASK
    if (segment[start] === number && segment[start + (2 << sizeClass) - 1] === number) return
    expect.fail(`block ${number} of class ${sizeClass} at ${address} has lost what was written to it`)
  }

  it("allocates blocks that are inside their segment and do not overlap, in any order of sizes and calls", () =>
    withRandom((random) => {
      for (let done = 0, number = 1; done < steps(300_000); ) {
        const arena = new Arena(new Meter())
        const blocks: Array<Block> = []
        for (let left = random.below(40_000); left > 0; left--, done++) {
          if (blocks.length > 0 && random.chance(0.45)) {
            const at = random.below(blocks.length)
            const block = blocks[at]!
            check(arena, block)
            arena.free(block.address, block.sizeClass)
            blocks[at] = blocks.at(-1)!
            blocks.pop()
          } else {
            const made = sizeClass(random)
            const block = { address: arena.allocate(made), sizeClass: made, number: number++ }
            write(arena, block)
            blocks.push(block)
          }
        }
        for (const block of blocks) check(arena, block)
      }
    }))
})

describe("An adjacency", () => {
  const LABELS = ["knows", "created", "uses", "likes", "rates", "contains"]
  const VERTICES = 60
  /** Edges are numbered from 0; the number of a released one is used again. */
  const EDGES = 20_000

  interface Edge {
    readonly vertex: number
    readonly label: number
    readonly neighbour: number
    /** Deleted, and not yet forgotten. */
    deleted: boolean
  }

  /**
   * Pairs (neighbour, edge) by label at a vertex as a newest reader sees them, and their number with what is deleted.
   */
  const read = (adjacency: Adjacency, vertex: number) => {
    const alive = new Map<number, Array<number>>()
    let degree = 0
    const { arena, groups } = adjacency
    let group = groups.first(vertex)
    do {
      const segment = arena.segments[groups.address(group) >>> SEGMENT_BITS]!
      const start = groups.address(group) & SEGMENT_MASK
      const pairs: Array<number> = []
      for (let at = start; at < start + 2 * groups.length(group); at += 2) {
        if (segment[at]! >= 0) pairs.push(segment[at]!, segment[at + 1]!)
      }
      if (pairs.length > 0) alive.set(groups.label(group), pairs)
      degree += groups.length(group) - adjacency.deletedIn(group)
      group = groups.next(group)
    } while (group !== 0)
    return { alive, degree }
  }

  class Model {
    readonly adjacency: Adjacency
    readonly #random: Random
    readonly #edges = new Map<number, Edge>()
    /** Deleted edges, in the order in which they were deleted. */
    readonly #deleted: Array<number> = []
    /** By vertex, then by label: edges that are not deleted, in the order in which they came. */
    readonly #expected = Array.from({ length: VERTICES }, () => new Map<number, Set<number>>())
    readonly #free = Array.from({ length: EDGES }, (_, i) => EDGES - 1 - i)
    readonly #alive: Array<number> = []
    #reserved = 0

    constructor(random: Random, labels: Labels) {
      this.#random = random
      this.adjacency = new Adjacency(labels, new Meter())
      // Readers read only vertices that the graph has made room for.
      this.#reserve(0)
    }

    add(): void {
      const edge = this.#free.pop()
      if (edge === undefined) return
      if (edge >= this.#reserved) this.#reserve(edge + 1)
      // The square: a few vertices have most of the edges.
      const vertex = Math.floor(this.#random.next() ** 3 * VERTICES)
      const label = this.#random.below(LABELS.length)
      const neighbour = this.#random.below(1_000_000)
      this.adjacency.put(this.adjacency.open(vertex, label), neighbour, edge)
      this.#edges.set(edge, { vertex, label, neighbour, deleted: false })
      this.#alive.push(edge)
      const byLabel = this.#expected[vertex]!
      byLabel.set(label, (byLabel.get(label) ?? new Set()).add(edge))
    }

    #reserve(edges: number): void {
      this.#reserved = edges + this.#random.below(500)
      const slice = this.#random.chance(0.5) ? new TimeSlice() : SPENT
      runWhole(this.adjacency.growTask(VERTICES, this.#reserved, slice))
    }

    delete(): void {
      if (this.#alive.length === 0) return
      const at = this.#random.below(this.#alive.length)
      const edge = this.#alive[at]!
      this.#alive[at] = this.#alive.at(-1)!
      this.#alive.pop()
      this.#deleteEdge(edge)
    }

    #deleteEdge(edge: number): void {
      const of = this.#edges.get(edge)!
      this.adjacency.delete(of.vertex, of.label, edge)
      of.deleted = true
      this.#deleted.push(edge)
      this.#expected[of.vertex]!.get(of.label)!.delete(edge)
    }

    /** The oldest deleted edges are forgotten. */
    forget(count: number, canPack: boolean): void {
      for (const edge of this.#deleted.splice(0, count)) {
        const { label, vertex } = this.#edges.get(edge)!
        this.adjacency.forget(vertex, label, edge, canPack)
        this.#edges.delete(edge)
        this.#free.push(edge)
      }
    }

    /** A vertex is removed with all of its edges. */
    clear(): void {
      const vertex = this.#random.below(VERTICES)
      for (const edges of this.#expected[vertex]!.values()) for (const edge of [...edges]) this.#deleteEdge(edge)
      this.forget(this.#deleted.length, this.#random.chance(0.5))
      this.adjacency.clear(vertex)
      this.#expected[vertex]!.clear()
      const alive = this.#alive.filter((edge) => this.#edges.get(edge)?.deleted === false)
      this.#alive.splice(0, this.#alive.length, ...alive)
    }

    check(): void {
      for (let vertex = 0; vertex < VERTICES; vertex++) {
        const { alive, degree } = read(this.adjacency, vertex)
        let expected = 0
        for (const [label, edges] of this.#expected[vertex]!) {
          expected += edges.size
          const pairs = alive.get(label) ?? []
          let at = 0
          for (const edge of edges) {
            if (pairs[at++] !== this.#edges.get(edge)!.neighbour || pairs[at++] !== edge) {
              expect.fail(`vertex ${vertex}, label ${label}: edge ${edge} is not in its place ${at / 2 - 1}`)
            }
          }
          if (at !== pairs.length) expect.fail(`vertex ${vertex}, label ${label} has ${pairs.length / 2 - at / 2} more`)
        }
        if (degree !== expected) expect.fail(`vertex ${vertex} has the degree ${degree}, expected ${expected}`)
      }
    }
  }

  it("has the edges of each vertex by label in insertion order, whatever was deleted and reused", () =>
    withRandom((random) => {
      const labels = new Labels(new Meter())
      for (const label of LABELS) labels.intern(label)
      for (let done = 0; done < steps(1_000_000); ) {
        const model = new Model(random, labels)
        for (let phase = 1 + random.below(20); phase > 0; phase--) {
          const adds = random.next()
          const count = random.below(20_000)
          for (let i = 0; i < count; i++) {
            if (random.chance(adds)) model.add()
            else model.delete()
            if (random.chance(0.01)) model.forget(random.below(300), random.chance(0.5))
            if (random.chance(0.001)) model.clear()
          }
          done += count
          if (random.chance(0.7)) model.adjacency.packPending(random.below(50))
          model.check()
        }
      }
    }))
})
