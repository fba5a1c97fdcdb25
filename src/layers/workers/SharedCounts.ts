import type { SharedAmount, SharedCount, SharedHeld } from "../../services/SharedLimits.ts"
import { type SlotWord, slotWords } from "./RegionLayout.ts"
import type { SharedRegion } from "./SharedRegion.ts"

/** How often a place is tried when other workers try to take the last one at the same time. */
const ATTEMPTS = 4

const KILOBYTE = 1_024

/**
 * Time that a worker with the largest request has to end it, ms. One that runs needs 100 ms. After it, the worker is busy with something
 * else, or stopped.
 */
const COURTESY_MS = 1_000

/** Looks that are further apart are not of the same excess, ms. */
const FORGET_MS = 500

/**
 * A count in the slot of each worker. The count of the server is their sum. A worker takes a place and then looks at the sum, so
 * the bound is never exceeded.
 */
export const sharedCount = (region: SharedRegion, slot: number, word: SlotWord): SharedCount => ({
  take: (bound) => {
    // Two workers that take the last place at the same time both give it back, and try again.
    for (let i = 0; i < ATTEMPTS && region.sum(word) < bound; i++) {
      region.addTo(slot, word, 1)
      if (region.sum(word) <= bound) return true
      region.addTo(slot, word, -1)
    }
    return false
  },
  release: () => void region.addTo(slot, word, -1),
  total: () => region.sum(word)
})

const kilobytes = (bytes: number): number => Math.ceil(bytes / KILOBYTE)

/** Memory in the slot of each worker. */
export const sharedAmount = (region: SharedRegion, slot: number, word: SlotWord): SharedAmount => ({
  set: (bytes) => region.setOf(slot, word, kilobytes(bytes)),
  trySet: (bytes, bound) => {
    const before = region.of(slot, word)
    region.setOf(slot, word, kilobytes(bytes))
    if (region.sum(word) * KILOBYTE <= bound) return true
    region.setOf(slot, word, before)
    return false
  },
  total: () => region.sum(word) * KILOBYTE
})

/** Workers with larger requests than those of this one, while all workers hold too much. */
class LargerNeighbours {
  readonly #seen = new Map<number, { readonly kilobytes: number; readonly at: number }>()
  readonly #now: () => number
  #lookedAt = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** A look begins. */
  look(): void {
    const now = this.#now()
    if (now - this.#lookedAt > FORGET_MS) this.#seen.clear()
    this.#lookedAt = now
  }

  /** Whether a worker still has the same largest request after its time. */
  isLate(slot: number, kilobytes: number): boolean {
    const seen = this.#seen.get(slot)
    if (seen?.kilobytes === kilobytes) return this.#lookedAt - seen.at > COURTESY_MS
    this.#seen.set(slot, { kilobytes, at: this.#lookedAt })
    return false
  }
}

/**
 * The memory that requests hold.
 *
 * @param now a clock, ms
 */
export const sharedHeld = (region: SharedRegion, slot: number, now = () => performance.now()): SharedHeld => {
  const neighbours = new LargerNeighbours(now)
  let late = 0
  return {
    ...sharedAmount(region, slot, slotWords.heldKilobytes),
    setLargest: (bytes) => region.setOf(slot, slotWords.largestKilobytes, kilobytes(bytes)),
    hasLargest: () => {
      const own = region.of(slot, slotWords.largestKilobytes)
      neighbours.look()
      late = 0
      let isLargest = true
      for (let other = region.slots - 1; other >= 0; other--) {
        const its = region.of(other, slotWords.largestKilobytes)
        if (its < own || (its === own && other >= slot)) continue
        if (neighbours.isLate(other, its)) late += region.of(other, slotWords.heldKilobytes)
        else isLargest = false
      }
      return isLargest
    },
    lateBytes: () => late * KILOBYTE
  }
}
