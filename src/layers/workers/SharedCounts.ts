import type { SharedAmount, SharedCount, SharedHeld } from "../../services/SharedLimits.ts"
import { type SlotWord, slotWords } from "./RegionLayout.ts"
import type { SharedRegion } from "./SharedRegion.ts"

/** How often a place is tried when other workers try to take the last one at the same time. */
const ATTEMPTS = 4

const KILOBYTE = 1_024

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

/** The memory that requests hold. */
export const sharedHeld = (region: SharedRegion, slot: number): SharedHeld => ({
  ...sharedAmount(region, slot, slotWords.heldKilobytes),
  setLargest: (bytes) => region.setOf(slot, slotWords.largestKilobytes, kilobytes(bytes)),
  hasLargest: () => {
    const own = region.of(slot, slotWords.largestKilobytes)
    for (let other = region.slots - 1; other >= 0; other--) {
      const its = region.of(other, slotWords.largestKilobytes)
      if (its > own || (its === own && other < slot)) return false
    }
    return true
  }
})
