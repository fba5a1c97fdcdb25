import type { OtherWriter, PartHash, SharedWrites } from "../../structure/graph/SharedWrites.ts"
import { header, slotWords, starts, WHOLE_ENTRIES, WRITE_BYTES, WRITE_ENTRIES } from "./RegionLayout.ts"
import type { SharedRegion } from "./SharedRegion.ts"

const FIRST = starts.writes / Int32Array.BYTES_PER_ELEMENT
const ENTRY_WORDS = WRITE_BYTES / Int32Array.BYTES_PER_ELEMENT

/**
 * The words of an entry: a bit for each slot whose worker writes the part, in two words, the number of changes, and the number of dead
 * workers whose writes may still reach the store.
 */
const SLOTS_PER_WORD = 32
const CHANGES = 2
const HELD = 3

const FIRST_WHOLE = starts.wholes / Int32Array.BYTES_PER_ELEMENT

const LAST_TIME = header.lastWriteTime / (BigInt64Array.BYTES_PER_ELEMENT / Int32Array.BYTES_PER_ELEMENT)

/** The longest time of a timer. */
const LONGEST_MS = 2 ** 31 - 1

const entryOf = (part: PartHash): number => (part >>> 0) % WRITE_ENTRIES

const wholeOf = (whole: number): number => (whole >>> 0) % WHOLE_ENTRIES

const offsetOf = (entry: number): number => FIRST + entry * ENTRY_WORDS

/** The word of an entry that has the bit of a slot, and the bit. */
const bitOf = (slot: number): { readonly word: number; readonly bit: number } => ({
  word: Math.floor(slot / SLOTS_PER_WORD),
  bit: 1 << (slot % SLOTS_PER_WORD)
})

/** The writes of a worker in the table of the region. Between two workers, the one with the lower slot goes on. */
export class WriteTable implements SharedWrites {
  readonly #region: SharedRegion
  readonly #slot: number
  /** The word of an entry that has the bit of this worker, and the bit. */
  readonly #word: number
  readonly #bit: number
  /** Writes of this worker under way, and changes that it has made, by entry. */
  readonly #running = new Uint32Array(WRITE_ENTRIES)
  readonly #own = new Int32Array(WRITE_ENTRIES)
  /** Changes of wholes that it has made, by entry. */
  readonly #ownWholes = new Int32Array(WHOLE_ENTRIES)

  /** @param slot the slot of this worker, from 0 */
  constructor(region: SharedRegion, slot: number) {
    this.#region = region
    this.#slot = slot
    const { bit, word } = bitOf(slot)
    this.#word = word
    this.#bit = bit
  }

  changesByOthers(part: PartHash): number {
    const entry = entryOf(part)
    return (Atomics.load(this.#region.words, offsetOf(entry) + CHANGES) - this.#own[entry]!) | 0
  }

  otherWriter(part: PartHash): OtherWriter {
    const { words } = this.#region
    const offset = offsetOf(entryOf(part))
    if (Atomics.load(words, offset + HELD) !== 0) return "goes on"
    const others = Atomics.load(words, offset + this.#word) & ~this.#bit
    // Bits below the own one are those of lower slots.
    if ((others & (this.#bit - 1)) !== 0) return "goes on"
    const inOtherWord = Atomics.load(words, offset + 1 - this.#word)
    if (inOtherWord !== 0 && this.#word === 1) return "goes on"
    return others === 0 && inOtherWord === 0 ? "none" : "gives way"
  }

  lasting(ms: number): void {
    const last = Math.min(Math.ceil(ms), LONGEST_MS)
    if (last > this.#region.of(this.#slot, slotWords.writesLast)) {
      this.#region.setOf(this.#slot, slotWords.writesLast, last)
    }
  }

  begin(parts: ReadonlyArray<PartHash>): void {
    const { words } = this.#region
    for (const part of parts) {
      const entry = entryOf(part)
      if (this.#running[entry]!++ === 0) Atomics.or(words, offsetOf(entry) + this.#word, this.#bit)
    }
  }

  end(parts: ReadonlyArray<PartHash>, isChanged: boolean): void {
    const { words } = this.#region
    for (const part of parts) {
      const entry = entryOf(part)
      const offset = offsetOf(entry)
      // First the change: who no longer sees the writer must see what it has written.
      if (isChanged) {
        this.#own[entry]!++
        Atomics.add(words, offset + CHANGES, 1)
      }
      if (--this.#running[entry]! === 0) Atomics.and(words, offset + this.#word, ~this.#bit)
    }
  }

  wholeChangesByOthers(whole: number): number {
    const entry = wholeOf(whole)
    return (Atomics.load(this.#region.words, FIRST_WHOLE + entry) - this.#ownWholes[entry]!) | 0
  }

  changedWhole(whole: number): void {
    const entry = wholeOf(whole)
    this.#ownWholes[entry]!++
    Atomics.add(this.#region.words, FIRST_WHOLE + entry, 1)
  }

  timeFrom(time: bigint): bigint {
    const { longs } = this.#region
    const wanted = time & ~1n
    for (;;) {
      const last = Atomics.load(longs, LAST_TIME)
      const next = wanted > last ? wanted : last + 2n
      if (Atomics.compareExchange(longs, LAST_TIME, last, next) === last) return next
    }
  }
}

/** The writes of a process that has ended, which may still reach the store. */
export interface HeldWrites {
  /** How long they may, ms. */
  readonly ms: number
  readonly entries: ReadonlyArray<number>
}

/**
 * Holds the writes of a slot whose process has ended: what it has sent may still be applied, and a commit that reads before would
 * not know it. The primary calls it, and {@link endHeld} after the given time. Another process may get the slot meanwhile.
 */
export const holdWrites = (region: SharedRegion, slot: number): HeldWrites => {
  const { words } = region
  const { bit, word } = bitOf(slot)
  const entries: Array<number> = []
  for (let entry = 0; entry < WRITE_ENTRIES; entry++) {
    const offset = offsetOf(entry)
    if ((Atomics.load(words, offset + word) & bit) === 0) continue
    // First the hold, so that there is no moment without a writer.
    Atomics.add(words, offset + HELD, 1)
    Atomics.and(words, offset + word, ~bit)
    entries.push(entry)
  }
  return { ms: region.of(slot, slotWords.writesLast), entries }
}

/**
 * Ends the writes of a process that has ended. The cluster may have applied them, and also rows of bulk writes and changes of the
 * schema that the process could not announce any more: each whole counts as changed.
 */
export const endHeld = ({ words }: SharedRegion, { entries }: HeldWrites): void => {
  for (const entry of entries) {
    const offset = offsetOf(entry)
    // First the change: who no longer sees the hold must read again.
    Atomics.add(words, offset + CHANGES, 1)
    Atomics.sub(words, offset + HELD, 1)
  }
  for (let entry = 0; entry < WHOLE_ENTRIES; entry++) Atomics.add(words, FIRST_WHOLE + entry, 1)
}
