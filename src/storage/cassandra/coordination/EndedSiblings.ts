import type { Clock } from "./Clock.ts"

/** What {@link EndedSiblings} needs to know of the workers of the same server. */
export interface SiblingEnds {
  /** True if an instance with the name is known to have ended. */
  readonly hasEnded: (name: string) => boolean
  /** ms after which a statement that was sent no longer reaches the cluster */
  readonly writesLast: number
}

/** A server of one process. */
export const noSiblings: SiblingEnds = { hasEnded: () => false, writesLast: 0 }

/**
 * The workers of the same server that have ended. Their locks protect nothing any more as soon as none of their writes can reach the
 * cluster.
 */
export class EndedSiblings {
  readonly #ends: SiblingEnds
  readonly #clock: Clock
  /** When this process has noticed the end of a worker, as the clock's elapsed(). */
  readonly #noticed = new Map<string, number>()

  constructor(ends: SiblingEnds, clock: Clock) {
    this.#ends = ends
    this.#clock = clock
  }

  /**
   * The time until no write of an instance can reach the cluster, ms; undefined if it is not known to have ended. A worker has sent nothing
   * after its end was noticed.
   */
  msLeft(name: string): number | undefined {
    // Asked each time: another process may have got the id of the one that has ended.
    if (!this.#ends.hasEnded(name)) return undefined
    const now = this.#clock.elapsed()
    const noticed = this.#noticed.get(name) ?? now
    this.#noticed.set(name, noticed)
    return Math.max(0, noticed + this.#ends.writesLast - now)
  }
}
