import { createHmac } from "node:crypto"
import type { FailureBucket } from "../../services/LoginFailures.ts"
import { FAILURE_BYTES, FAILURE_ENTRIES, header, starts } from "./RegionLayout.ts"
import type { SharedRegion } from "./SharedRegion.ts"

/** A key may be in any entry of its group. */
const ENTRIES_PER_GROUP = 8

const GROUPS = FAILURE_ENTRIES / ENTRIES_PER_GROUP

/** An entry: the hash of its key (8 bytes), and three words. */
const LONGS = FAILURE_BYTES / BigInt64Array.BYTES_PER_ELEMENT
const WORDS = FAILURE_BYTES / Int32Array.BYTES_PER_ELEMENT
const FULL_AT = 2
const PENDING = 3
const PENDING_UNTIL = 4

const FIRST_LONG = starts.failures / BigInt64Array.BYTES_PER_ELEMENT
const FIRST_WORD = starts.failures / Int32Array.BYTES_PER_ELEMENT

const MINUTE_MS = 60_000

/** An attempt that has had no outcome for this time has none: its worker has died. */
const OUTCOME_LIMIT_MS = 30_000

/**
 * Token buckets in a table of the region, by a hash of their key. A bucket is the time when it is full again: a token moves
 * this time by a minute divided by the size of the bucket. A bucket that is full again is forgotten. When all entries for a key
 * are in use, the key takes that of the bucket that is full first.
 *
 * @param now the clock of all workers, ms. It is a signed word, and wraps around
 */
export const failureTable = (region: SharedRegion, now: () => number): ((key: string) => FailureBucket) => {
  /** Time until the bucket of an entry is full again, ms; 0 = it is. */
  const ahead = (entry: number): number => aheadOf(Atomics.load(region.words, wordAt(entry) + FULL_AT))

  const aheadOf = (fullAt: number): number => {
    const ms = (fullAt - now()) | 0
    // A time of an earlier round of the clock may seem to lie ahead.
    return ms < 0 || ms > 2 * MINUTE_MS ? 0 : ms
  }

  const entryOf = (key: string): number => {
    const hash = hashOf(region, key)
    const { longs } = region
    const first = Number(BigInt.asUintN(32, hash) % BigInt(GROUPS)) * ENTRIES_PER_GROUP
    let soonest = first
    for (let entry = first; entry < first + ENTRIES_PER_GROUP; entry++) {
      if (Atomics.load(longs, longAt(entry)) === hash) return entry
      if (ahead(entry) < ahead(soonest)) soonest = entry
    }
    Atomics.store(longs, longAt(soonest), hash)
    Atomics.store(region.words, wordAt(soonest) + FULL_AT, now())
    Atomics.store(region.words, wordAt(soonest) + PENDING, 0)
    return soonest
  }

  /** Moves the time when the bucket is full. Returns 0, or the time until the next token. */
  const move = (entry: number, by: number): number => {
    const { words } = region
    const at = wordAt(entry) + FULL_AT
    for (;;) {
      const before = Atomics.load(words, at)
      const next = Math.max(0, aheadOf(before) + by)
      if (next > MINUTE_MS) return next - MINUTE_MS
      if (Atomics.compareExchange(words, at, before, (now() + next) | 0) === before) return 0
    }
  }

  return (key) => {
    const entry = entryOf(key)
    const at = wordAt(entry)
    /** True if no attempt can be under way: those that were have no outcome. */
    const isOver = (): boolean => ((Atomics.load(region.words, at + PENDING_UNTIL) - now()) | 0) < 0
    return {
      take: (size) => move(entry, tokenOf(size)),
      giveBack: (size) => void move(entry, -tokenOf(size)),
      pending: () => (isOver() ? 0 : Math.max(0, Atomics.load(region.words, at + PENDING))),
      begin: () => {
        if (isOver()) Atomics.store(region.words, at + PENDING, 0)
        Atomics.add(region.words, at + PENDING, 1)
        Atomics.store(region.words, at + PENDING_UNTIL, (now() + OUTCOME_LIMIT_MS) | 0)
      },
      end: () => void Atomics.sub(region.words, at + PENDING, 1)
    }
  }
}

/** The time in which a token fills, ms. */
const tokenOf = (size: number): number => Math.max(1, Math.floor(MINUTE_MS / size))

/** The hash of a key; never 0. */
const hashOf = (region: SharedRegion, key: string): bigint => {
  const secret = `${region.get(header.seed0)} ${region.get(header.seed1)}`
  return createHmac("sha256", secret).update(key).digest().readBigInt64LE(0) | 1n
}

const longAt = (entry: number): number => FIRST_LONG + entry * LONGS

const wordAt = (entry: number): number => FIRST_WORD + entry * WORDS
