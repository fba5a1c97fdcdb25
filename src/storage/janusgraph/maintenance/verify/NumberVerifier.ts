import type { CountedKind } from "../../cells/CellStore.ts"
import { CellCursor } from "../../cells/Cells.ts"
import { readCounts } from "../../commit/Counters.ts"
import { claimColumn, claimKey, readClaim } from "../../format/IdBlocks.ts"
import { partitionOf, STATIC_VERTEX, type VertexId } from "../../format/Ids.ts"
import type { Relation } from "../../format/Relations.ts"
import { PARTITION } from "../../ids/StoreClaims.ts"
import { copyOf } from "./Findings.ts"
import type { Verification } from "./Verification.ts"

/**
 * Verifies the stored element counts, and that all ids in use were claimed, except those of ordinary vertices: a claim leaves out those
 * that are in use, because clients may have chosen them.
 */
export class NumberVerifier {
  readonly #shared: Verification
  readonly #counts = { vertex: new Map<number, number>(), edge: new Map<number, number>() }
  #highestStaticVertex = 0
  #highestRelation = 0

  constructor(shared: Verification) {
    this.#shared = shared
  }

  /** Counts an element of a label. `by` is negative for elements that the repair will remove. */
  count(kind: CountedKind, label: number, by = 1): void {
    const counts = this.#counts[kind]
    counts.set(label, (counts.get(label) ?? 0) + by)
  }

  /** The number of elements of all labels. */
  total(kind: CountedKind): number {
    return [...this.#counts[kind].values()].reduce((sum, count) => sum + count, 0)
  }

  /** Records the id of a vertex. */
  vertex(id: VertexId): void {
    const { bits } = this.#shared
    if (typeof id !== "number" || id % 8 !== STATIC_VERTEX || partitionOf(id, bits) !== PARTITION) return
    this.#highestStaticVertex = Math.max(this.#highestStaticVertex, Math.floor(id / 2 ** (3 + bits)))
  }

  /** Records the id of an edge or a property. */
  relation(id: Relation["relation"]): void {
    const { bits } = this.#shared
    if (typeof id !== "number" || id % 2 ** bits !== PARTITION) return
    this.#highestRelation = Math.max(this.#highestRelation, Math.floor(id / 2 ** bits))
  }

  /** Compares the stored counts with the numbers of elements that were found. */
  verifyCounts(kind: CountedKind): void {
    const kept = readCounts(this.#shared.snapshot, kind)
    const counted = this.#counts[kind]
    for (const label of new Set([...kept.keys(), ...counted.keys()])) {
      const by = (counted.get(label) ?? 0) - (kept.get(label) ?? 0)
      if (by === 0) continue
      const type = kind === "vertex" ? this.#shared.schema.vertexLabel(label) : this.#shared.schema.type(label)
      const where = `${kind} label ${type?.name ?? (label === 0 ? "vertex" : label)}: ${kept.get(label) ?? 0} kept, ${counted.get(label) ?? 0} found`
      this.#shared.find({
        kind: "a wrong number of elements",
        where,
        seen: [],
        repair: [],
        counter: { kind, label, by }
      })
    }
  }

  /** Verifies that the highest ids in use are within claimed blocks. */
  verifyClaims(): void {
    const highest = { unmodifiableVertex: this.#highestStaticVertex, relation: this.#highestRelation }
    for (const kind of ["unmodifiableVertex", "relation"] as const) {
      const key = claimKey(kind, PARTITION, this.#shared.bits)
      const cursor = new CellCursor().over(
        this.#shared.snapshot.slice({ table: "janusgraph_ids", key, limit: 1 }).cells
      )
      const claim = cursor.next() ? copyOf(cursor.column()) : undefined
      if (claim === undefined && highest[kind] === 0) continue
      if (claim !== undefined && readClaim(claim).end > BigInt(highest[kind])) continue
      const end = BigInt(highest[kind]) + 1n
      const column = claimColumn({ end, time: BigInt(Date.now()) * 1000n, instance: "verify" })
      const cell = { table: "janusgraph_ids", key } as const
      const empty = new Uint8Array(0)
      const seen = claim === undefined ? [] : [{ ...cell, column: claim, value: empty }]
      const removed = seen.map((old) => ({ ...old, value: null }))
      const where = `${kind} ids up to ${highest[kind]}`
      this.#shared.tell("ids in use that could be given out again", where, seen, [
        ...removed,
        { ...cell, column, value: empty }
      ])
    }
  }
}
