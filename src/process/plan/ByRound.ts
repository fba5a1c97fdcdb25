import type { LoopFrame } from "./Batch.ts"

/**
 * A value for each round of the loops around one step. The rounds are found by their numbers, so that the table keeps no frame alive: a
 * loop may have millions of rounds, and rows may enter its first rounds at any time.
 */
export class ByRound<V> {
  /** The value outside of all loops. */
  #outside: V | undefined
  /** The values by the number of the round. */
  readonly #values: Array<V | undefined> = []
  /** The rounds of the next inner loop, by the number of the round. */
  readonly #inner: Array<ByRound<V> | undefined> = []

  /** The value of a round; null is outside of all loops. Undefined if none is set. */
  get(round: LoopFrame | null): V | undefined {
    if (round === null) return this.#outside
    const rounds = this.#found(round.outer)
    return rounds === undefined ? undefined : rounds.#values[round.count]
  }

  /** Sets the value of a round. */
  set(round: LoopFrame | null, value: V): void {
    if (round === null) this.#outside = value
    else this.#made(round.outer).#values[round.count] = value
  }

  /** The rounds of the loop in a round of the outer loop. */
  #found(outer: LoopFrame | null): ByRound<V> | undefined {
    if (outer === null) return this
    const rounds = this.#found(outer.outer)
    return rounds === undefined ? undefined : rounds.#inner[outer.count]
  }

  #made(outer: LoopFrame | null): ByRound<V> {
    if (outer === null) return this
    const inner = this.#made(outer.outer).#inner
    return (inner[outer.count] ??= new ByRound())
  }
}
