import { createHmac } from "node:crypto"
import {
  LOSS_KNOWN_MS,
  type Loss,
  type TransactionRecord,
  type TransactionRecords
} from "../../services/TransactionRecords.ts"
import { header, starts, TRANSACTION_ENTRIES } from "./RegionLayout.ts"
import type { SharedRegion } from "./SharedRegion.ts"

const KNOWN_S = LOSS_KNOWN_MS / 1000

/** A name may be in any entry of its group. With four thousand names, eight on average share these entries. */
const ENTRIES_PER_GROUP = 32

const GROUPS = TRANSACTION_ENTRIES / ENTRIES_PER_GROUP

const FIRST = starts.transactions / BigInt64Array.BYTES_PER_ELEMENT

/**
 * An entry, from its low bits: the slot that holds it, plus 1, and 0 for a lost transaction; the kind of the loss; the second of the
 * loss; a hash of the names. 0 = free.
 */
const SLOT_MASK = 0x7fn
const KIND_SHIFT = 7n
const KIND_MASK = 3n << KIND_SHIFT
const SECOND_SHIFT = 9n
const SECOND_BITS = 23

const KINDS: ReadonlyArray<Loss> = ["changes", "outcome", "state"]
const HASH_SHIFT = 32n
const HASH_MASK = ~((1n << HASH_SHIFT) - 1n)

/** The clock of the machine. Processes that started at different times read the same value. */
const secondNow = (): bigint => BigInt(process.hrtime()[0])

const lostEntry = (hash: bigint, kind: bigint): bigint =>
  hash | (BigInt.asUintN(SECOND_BITS, secondNow()) << SECOND_SHIFT) | kind

/** Seconds since a transaction was lost. The seconds of an entry wrap around after three months. */
const ageOf = (entry: bigint): number => Number(BigInt.asUintN(SECOND_BITS, secondNow() - (entry >> SECOND_SHIFT)))

const isLost = (entry: bigint): boolean => entry !== 0n && (entry & SLOT_MASK) === 0n

const kindOf = (loss: Loss): bigint => BigInt(KINDS.indexOf(loss)) << KIND_SHIFT

const lossOf = (entry: bigint): Loss | undefined => KINDS[Number((entry & KIND_MASK) >> KIND_SHIFT)]

/** The record of one session in the table. */
class TableRecord implements TransactionRecord {
  readonly #region: SharedRegion
  readonly #owner: bigint
  readonly #hash: bigint
  /** The first entry of the group of the names. */
  readonly #first: number
  /** The entry that this record holds; -1 = none. */
  #at = -1

  constructor(region: SharedRegion, slot: number, digest: Buffer) {
    this.#region = region
    this.#owner = BigInt(slot + 1)
    this.#first = FIRST + (digest.readUInt32LE(8) % GROUPS) * ENTRIES_PER_GROUP
    // Never 0: an entry of 0 is free.
    this.#hash = BigInt.asIntN(64, (digest.readBigInt64LE(0) & HASH_MASK) | (1n << HASH_SHIFT))
  }

  hold(loss: Loss): void {
    this.#write(this.#hash | kindOf(loss) | this.#owner)
  }

  forget(): void {
    if (this.#at >= 0) Atomics.store(this.#region.longs, this.#at, 0n)
    this.#at = -1
  }

  lose(loss: Loss): void {
    this.#write(lostEntry(this.#hash, kindOf(loss)))
    const at = this.#at
    this.#at = -1
    // Afterwards: no worker may see a moment without a loss.
    if (at >= 0) this.#losses((other, entry) => other !== at && this.#erase(other, entry))
  }

  loss(): Loss | undefined {
    return this.#losses(() => true)
  }

  takeLoss(): Loss | undefined {
    return this.#losses((at, entry) => this.#erase(at, entry))
  }

  /** The last loss of these names among those for which `counts` is true. */
  #losses(counts: (at: number, entry: bigint) => boolean): Loss | undefined {
    const { longs } = this.#region
    let found: Loss | undefined
    for (let at = this.#first; at < this.#first + ENTRIES_PER_GROUP; at++) {
      const entry = Atomics.load(longs, at)
      if ((entry & HASH_MASK) !== this.#hash || !isLost(entry)) continue
      if (counts(at, entry) && ageOf(entry) < KNOWN_S) found = lossOf(entry)
    }
    return found
  }

  /** False when another worker has changed the entry. */
  #erase(at: number, entry: bigint): boolean {
    return Atomics.compareExchange(this.#region.longs, at, entry, 0n) === entry
  }

  /** Writes into the entry of the record. A record without one takes a free entry of its group, or that of the oldest loss. */
  #write(entry: bigint): void {
    const { longs } = this.#region
    if (this.#at >= 0) {
      Atomics.store(longs, this.#at, entry)
      return
    }
    for (;;) {
      const at = this.#freeEntry()
      // This transaction has no record.
      if (at < 0) return
      const before = Atomics.load(longs, at)
      if (before !== 0n && !isLost(before)) continue
      if (Atomics.compareExchange(longs, at, before, entry) !== before) continue
      this.#at = at
      return
    }
  }

  /** A free entry of the group, otherwise that of the oldest loss; -1 if all belong to open transactions. */
  #freeEntry(): number {
    const { longs } = this.#region
    // Transactions of the same second are forgotten in any order, but not always the last one.
    const start = Math.floor(Math.random() * ENTRIES_PER_GROUP)
    let oldest = -1
    let oldestAge = -1
    for (let i = 0; i < ENTRIES_PER_GROUP; i++) {
      const at = this.#first + ((start + i) % ENTRIES_PER_GROUP)
      const entry = Atomics.load(longs, at)
      if (entry === 0n) return at
      if (!isLost(entry)) continue
      const age = ageOf(entry)
      if (age <= oldestAge) continue
      oldest = at
      oldestAge = age
    }
    return oldest
  }
}

/**
 * The open and the lost transactions of the sessions of all workers, by hashes of the names of the user and of the session. A worker
 * that dies cannot say which transactions it had: their entries are in the table since they began.
 */
export const transactionTable =
  (region: SharedRegion, slot: number): TransactionRecords =>
  (user, session) => {
    const key = `${region.get(header.seed0)} ${region.get(header.seed1)}`
    const name = `${user.length} ${user}${session}`
    return new TableRecord(region, slot, createHmac("sha256", key).update("transaction ").update(name).digest())
  }

/** The open transactions of a slot whose process has ended are lost. */
export const loseTransactions = (region: SharedRegion, slot: number): void => {
  const { longs } = region
  const owner = BigInt(slot + 1)
  for (let at = FIRST; at < FIRST + TRANSACTION_ENTRIES; at++) {
    const entry = Atomics.load(longs, at)
    if (entry === 0n || (entry & SLOT_MASK) !== owner) continue
    Atomics.compareExchange(longs, at, entry, lostEntry(entry & HASH_MASK, entry & KIND_MASK))
  }
}
