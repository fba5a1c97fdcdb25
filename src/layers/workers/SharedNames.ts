import { createHmac } from "node:crypto"
import type { SharedNames } from "../../services/TakenNames.ts"
import { header, IMPORT_ENTRIES, SESSION_ENTRIES, starts } from "./RegionLayout.ts"
import type { SharedRegion } from "./SharedRegion.ts"

/**
 * The low bits of an entry have the number of the slot, plus 1. The next bit is set while its worker only claims the name. The other
 * bits have a hash of the name. 0 = free.
 */
const SLOT_BITS = 7n
const SLOT_MASK = (1n << SLOT_BITS) - 1n
const CLAIM = 1n << SLOT_BITS
const HASH_MASK = ~(SLOT_MASK | CLAIM)

/**
 * A name may be in any entry of its group. With ten thousand sessions, ten on average share these entries: the chance that all
 * are taken is below 10^-30. With sixty thousand files of imports it is below 10^-4.
 */
const ENTRIES_PER_GROUP = 64

/** A table of the region that has names, by the number of its first entry. */
interface NameTable {
  readonly first: number
  readonly entries: number
}

/** The tables of names. Files of imports have one of their own, because one import may have very many of them. */
export const nameTables = {
  sessions: { first: starts.sessions / BigInt64Array.BYTES_PER_ELEMENT, entries: SESSION_ENTRIES },
  imports: { first: starts.imports / BigInt64Array.BYTES_PER_ELEMENT, entries: IMPORT_ENTRIES }
} satisfies Readonly<Record<string, NameTable>>

/**
 * The names of one kind that the workers have, as hashes in a table of the region.
 *
 * @param kind distinguishes the names from those of other kinds in the table
 */
export const sharedNames = (region: SharedRegion, slot: number, kind: string, table: NameTable): SharedNames => {
  const held = BigInt(slot + 1)
  const claimed = held | CLAIM

  /** The bits of a hash that an entry keeps. */
  const hashOf = (name: string): bigint => {
    const key = `${region.get(header.seed0)} ${region.get(header.seed1)}`
    const digest = createHmac("sha256", key).update(kind).update(name).digest()
    return BigInt.asIntN(64, digest.readBigInt64LE(0) & HASH_MASK)
  }

  const groupOf = (hash: bigint): number => {
    const groups = BigInt(table.entries / ENTRIES_PER_GROUP)
    return table.first + Number(BigInt.asUintN(32, hash >> (SLOT_BITS + 1n)) % groups) * ENTRIES_PER_GROUP
  }

  /** Whether another worker has the name. `claims`: also one that only claims it. */
  const isElsewhere = (hash: bigint, claims: boolean): boolean => {
    const { longs } = region
    const first = groupOf(hash)
    for (let i = first; i < first + ENTRIES_PER_GROUP; i++) {
      const entry = Atomics.load(longs, i)
      if (entry === 0n || (entry & HASH_MASK) !== hash || (entry & SLOT_MASK) === held) continue
      if (claims || (entry & CLAIM) === 0n) return true
    }
    return false
  }

  /** Replaces an entry of the group. Returns whether the group had it. */
  const replace = (hash: bigint, from: bigint, to: bigint): boolean => {
    const { longs } = region
    const first = groupOf(hash)
    for (let i = first; i < first + ENTRIES_PER_GROUP; i++) {
      if (Atomics.compareExchange(longs, i, from, to) === from) return true
    }
    return false
  }

  /** Removes the claims of later slots. False if the name belongs to a worker, or to the claim of an earlier slot. */
  const prevails = (hash: bigint): boolean => {
    const { longs } = region
    const first = groupOf(hash)
    for (let i = first; i < first + ENTRIES_PER_GROUP; i++) {
      const entry = Atomics.load(longs, i)
      const owner = entry & SLOT_MASK
      if (entry === 0n || (entry & HASH_MASK) !== hash || owner === held) continue
      if ((entry & CLAIM) === 0n || owner < held) return false
      const found = Atomics.compareExchange(longs, i, entry, 0n)
      // The other worker has made its claim good meanwhile.
      if (found === (entry & ~CLAIM)) return false
    }
    return true
  }

  return {
    // A claim first, then the name. Of workers that claim a name at the same time, the one with the lowest slot gets it: it removes the
    // claims of the others, which then cannot be made good.
    take: (name) => {
      const hash = hashOf(name)
      if (isElsewhere(hash, false)) return "elsewhere"
      if (!replace(hash, 0n, hash | claimed)) return "full"
      if (prevails(hash) && replace(hash, hash | claimed, hash | held)) return "taken"
      replace(hash, hash | claimed, 0n)
      return "elsewhere"
    },
    giveBack: (name) => {
      const hash = hashOf(name)
      replace(hash, hash | held, 0n)
    },
    isElsewhere: (name) => isElsewhere(hashOf(name), true)
  }
}

/** Removes the names of a slot whose process has ended. */
export const clearNames = (region: SharedRegion, slot: number): void => {
  const { longs } = region
  const owner = BigInt(slot + 1)
  for (const { first, entries } of Object.values(nameTables)) {
    for (let i = first; i < first + entries; i++) {
      const entry = Atomics.load(longs, i)
      if (entry !== 0n && (entry & SLOT_MASK) === owner) Atomics.compareExchange(longs, i, entry, 0n)
    }
  }
}
