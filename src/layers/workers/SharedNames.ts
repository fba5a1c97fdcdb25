import { createHmac } from "node:crypto"
import type { SharedNames } from "../../services/SharedBounds.ts"
import { header, SESSION_ENTRIES, starts } from "./RegionLayout.ts"
import type { SharedRegion } from "./SharedRegion.ts"

/** The low bits of an entry have the number of the slot, plus 1. The other bits have a hash of the name. 0 = free. */
const SLOT_BITS = 7n
const SLOT_MASK = (1n << SLOT_BITS) - 1n

/**
 * A name may be in any entry of its group. With ten thousand names, ten on average share these entries: the chance that all
 * are taken is below 10^-30.
 */
const ENTRIES_PER_GROUP = 64

const GROUPS = SESSION_ENTRIES / ENTRIES_PER_GROUP

const FIRST = starts.sessions / BigInt64Array.BYTES_PER_ELEMENT

const groupOf = (hash: bigint): number =>
  FIRST + Number(BigInt.asUintN(32, hash >> SLOT_BITS) % BigInt(GROUPS)) * ENTRIES_PER_GROUP

/**
 * The names of one kind that the workers have, as hashes in a table of the region.
 *
 * @param kind distinguishes the names from those of other kinds
 */
export const sharedNames = (region: SharedRegion, slot: number, kind: string): SharedNames => {
  /** The bits of a hash that an entry keeps. */
  const hashOf = (name: string): bigint => {
    const key = `${region.get(header.seed0)} ${region.get(header.seed1)}`
    const digest = createHmac("sha256", key).update(kind).update(name).digest()
    return BigInt.asIntN(64, digest.readBigInt64LE(0) & ~SLOT_MASK)
  }

  const entryOf = (hash: bigint): bigint => hash | BigInt(slot + 1)

  const isElsewhere = (hash: bigint): boolean => {
    const { longs } = region
    const first = groupOf(hash)
    for (let i = first; i < first + ENTRIES_PER_GROUP; i++) {
      const entry = Atomics.load(longs, i)
      if (entry !== 0n && (entry & ~SLOT_MASK) === hash && entry !== entryOf(hash)) return true
    }
    return false
  }

  const write = (hash: bigint): boolean => {
    const { longs } = region
    const first = groupOf(hash)
    for (let i = first; i < first + ENTRIES_PER_GROUP; i++) {
      if (Atomics.compareExchange(longs, i, 0n, entryOf(hash)) === 0n) return true
    }
    return false
  }

  const erase = (hash: bigint): void => {
    const { longs } = region
    const first = groupOf(hash)
    for (let i = first; i < first + ENTRIES_PER_GROUP; i++) {
      if (Atomics.compareExchange(longs, i, entryOf(hash), 0n) === entryOf(hash)) return
    }
  }

  return {
    take: (name) => {
      const hash = hashOf(name)
      if (isElsewhere(hash)) return "elsewhere"
      if (!write(hash)) return "full"
      // Of two workers that take the same name at the same time, at least one sees the entry of the other.
      if (!isElsewhere(hash)) return "taken"
      erase(hash)
      return "elsewhere"
    },
    giveBack: (name) => erase(hashOf(name)),
    isElsewhere: (name) => isElsewhere(hashOf(name))
  }
}

/** Removes the names of a slot whose process has ended. */
export const clearNames = (region: SharedRegion, slot: number): void => {
  const { longs } = region
  const owner = BigInt(slot + 1)
  for (let i = FIRST; i < FIRST + SESSION_ENTRIES; i++) {
    const entry = Atomics.load(longs, i)
    if (entry !== 0n && (entry & SLOT_MASK) === owner) Atomics.compareExchange(longs, i, entry, 0n)
  }
}
