import { createHmac } from "node:crypto"
import type { SessionOpening, SharedSessions } from "../../services/SharedBounds.ts"
import { header, SESSION_ENTRIES, slotWords, starts } from "./RegionLayout.ts"
import { sharedCount } from "./SharedCounts.ts"
import type { SharedRegion } from "./SharedRegion.ts"

/** The low bits of an entry have the number of the slot, plus 1. The other bits have a hash of the name. 0 = free. */
const SLOT_BITS = 7n
const SLOT_MASK = (1n << SLOT_BITS) - 1n

/**
 * Entries in which a name may stand. With ten thousand sessions, ten names on average share these entries: the chance that all
 * are taken is below 10^-30.
 */
const PLACES = 64

const GROUPS = SESSION_ENTRIES / PLACES

const FIRST = starts.sessions / BigInt64Array.BYTES_PER_ELEMENT

/** The bits of a hash that an entry keeps. */
const hashOf = (region: SharedRegion, id: string): bigint => {
  const key = `${region.get(header.seed0)} ${region.get(header.seed1)}`
  return BigInt.asIntN(64, createHmac("sha256", key).update(id).digest().readBigInt64LE(0) & ~SLOT_MASK)
}

const groupOf = (hash: bigint): number =>
  FIRST + Number(BigInt.asUintN(32, hash >> SLOT_BITS) % BigInt(GROUPS)) * PLACES

/**
 * The names of the open sessions of all workers, as hashes in a table of the region. A session lives in the worker of its
 * connection, so a name that another worker has is taken.
 */
export const sessionNames = (region: SharedRegion, slot: number): SharedSessions => {
  const count = sharedCount(region, slot, slotWords.sessions)
  const entryOf = (hash: bigint): bigint => hash | BigInt(slot + 1)

  /** Whether another worker has the name. */
  const isElsewhere = (hash: bigint): boolean => {
    const { longs } = region
    const first = groupOf(hash)
    for (let i = first; i < first + PLACES; i++) {
      const entry = Atomics.load(longs, i)
      if (entry !== 0n && (entry & ~SLOT_MASK) === hash && entry !== entryOf(hash)) return true
    }
    return false
  }

  const write = (hash: bigint): boolean => {
    const { longs } = region
    const first = groupOf(hash)
    for (let i = first; i < first + PLACES; i++) {
      if (Atomics.compareExchange(longs, i, 0n, entryOf(hash)) === 0n) return true
    }
    return false
  }

  const erase = (hash: bigint): void => {
    const { longs } = region
    const first = groupOf(hash)
    for (let i = first; i < first + PLACES; i++) {
      if (Atomics.compareExchange(longs, i, entryOf(hash), 0n) === entryOf(hash)) return
    }
  }

  return {
    open: (id, bound): SessionOpening => {
      const hash = hashOf(region, id)
      if (isElsewhere(hash)) return "elsewhere"
      if (!count.take(bound)) return "full"
      if (!write(hash)) {
        count.release()
        return "full"
      }
      // Of two workers that open the same name at the same time, at least one sees the entry of the other.
      if (!isElsewhere(hash)) return "opened"
      erase(hash)
      count.release()
      return "elsewhere"
    },
    close: (id) => {
      erase(hashOf(region, id))
      count.release()
    },
    isElsewhere: (id) => isElsewhere(hashOf(region, id)),
    total: () => count.total()
  }
}

/** Removes the names of a slot whose process has ended. */
export const clearSessionNames = (region: SharedRegion, slot: number): void => {
  const { longs } = region
  const owner = BigInt(slot + 1)
  for (let i = FIRST; i < FIRST + SESSION_ENTRIES; i++) {
    const entry = Atomics.load(longs, i)
    if (entry !== 0n && (entry & SLOT_MASK) === owner) Atomics.compareExchange(longs, i, entry, 0n)
  }
}
