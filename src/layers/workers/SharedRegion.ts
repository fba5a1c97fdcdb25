import { randomBytes } from "node:crypto"
import { closeSync, fstatSync } from "node:fs"
import { MAX_SHARED_LANES } from "../../services/PoolRequirements.ts"
import type { Mapping } from "../../storage/shared/MappedFile.ts"
import {
  type HeaderWord,
  header,
  layoutVersion,
  MAGIC,
  MAX_WORKERS,
  REGION_BYTES,
  SLOT_WORDS,
  type SlotWord,
  starts
} from "./RegionLayout.ts"
import { makeFile, map, SharedMemoryUnavailable } from "./SharedMemory.ts"

/**
 * The memory that the primary and the workers of a server share. Each worker has a slot, by its number from 0 to 63, and
 * writes only the words of its own slot. A value of the whole server is the sum over the slots. When a worker dies, the
 * primary therefore only has to clear its slot.
 *
 * Each access is atomic. The words of a region that is closed are those of an empty one.
 */
export class SharedRegion {
  #words: Int32Array
  #longs: BigInt64Array
  #bytes: Buffer
  #lanes: Int32Array
  #mapping: Mapping | undefined

  constructor(mapping: Mapping) {
    this.#mapping = mapping
    const views = viewsOf(mapping.buffer)
    this.#words = views.words
    this.#longs = views.longs
    this.#bytes = views.bytes
    this.#lanes = views.lanes
  }

  /** The entries of the tables, of 8 bytes each. Do not keep it: it is another object after {@link close}. */
  get longs(): BigInt64Array {
    return this.#longs
  }

  /** All words. Do not keep it: it is another object after {@link close}. */
  get words(): Int32Array {
    return this.#words
  }

  /** All bytes. Do not keep it: it is another object after {@link close}. */
  get bytes(): Buffer {
    return this.#bytes
  }

  /** Lanes by number: the slot that uses the lane, plus 1; 0 = free. Do not keep it: it is another object after {@link close}. */
  get lanes(): Int32Array {
    return this.#lanes
  }

  /** A word of the header. */
  get(word: HeaderWord): number {
    return Atomics.load(this.#words, word)
  }

  /** Sets a word of the header. */
  set(word: HeaderWord, value: number): void {
    Atomics.store(this.#words, word, value)
  }

  /** Adds to a word of the header. Returns the sum, which wraps around at 2^31. */
  add(word: HeaderWord, more: number): number {
    return (Atomics.add(this.#words, word, more) + more) | 0
  }

  /** A word of a slot. */
  of(slot: number, word: SlotWord): number {
    return Atomics.load(this.#words, slotAt(slot) + word)
  }

  /** Sets a word of a slot. */
  setOf(slot: number, word: SlotWord, value: number): void {
    Atomics.store(this.#words, slotAt(slot) + word, value)
  }

  /** Adds to a word of a slot. Returns the sum, which wraps around at 2^31. */
  addTo(slot: number, word: SlotWord, more: number): number {
    return (Atomics.add(this.#words, slotAt(slot) + word, more) + more) | 0
  }

  /** The sum of a word over the slots in use. */
  sum(word: SlotWord): number {
    let sum = 0
    for (let slot = this.slots - 1; slot >= 0; slot--) sum += this.of(slot, word)
    return sum
  }

  /** The number of slots in use, from slot 0 on. */
  get slots(): number {
    return this.get(header.slots)
  }

  /** The number of worker processes, at least 1. */
  get workers(): number {
    return Math.max(1, this.get(header.workers))
  }

  /** Unmaps the memory. Accesses of running work that come later reach memory of this process only. */
  close(): void {
    const mapping = this.#mapping
    if (mapping === undefined) return
    this.#mapping = undefined
    const views = viewsOf(new ArrayBuffer(REGION_BYTES))
    this.#words = views.words
    this.#longs = views.longs
    this.#bytes = views.bytes
    this.#lanes = views.lanes
    mapping.unmap()
  }
}

const assertCount = (workers: number): void => {
  if (!Number.isInteger(workers) || workers < 1 || workers > MAX_WORKERS) {
    throw new RangeError(`A server has 1 to ${MAX_WORKERS} workers, not ${workers}.`)
  }
}

const SLOTS_AT = starts.slots / Int32Array.BYTES_PER_ELEMENT

const slotAt = (slot: number): number => SLOTS_AT + slot * SLOT_WORDS

const viewsOf = (buffer: ArrayBuffer) => ({
  words: new Int32Array(buffer),
  longs: new BigInt64Array(buffer),
  bytes: Buffer.from(buffer),
  lanes: new Int32Array(buffer, starts.lanes, MAX_SHARED_LANES)
})

/** A region, and the descriptor of its file. */
export interface MadeRegion {
  readonly region: SharedRegion
  /** The primary passes it to each worker that it starts, and closes it when it ends. */
  readonly descriptor: number
}

/**
 * Makes the region of a server. The primary calls it once.
 *
 * @param workers the number of slots in use, 1 to 64
 * @throws SharedMemoryUnavailable
 */
export const makeRegion = async (workers: number): Promise<MadeRegion> => {
  assertCount(workers)
  const descriptor = makeFile(REGION_BYTES)
  try {
    const region = new SharedRegion(await map(descriptor, REGION_BYTES))
    region.set(header.slots, workers)
    region.set(header.workers, workers)
    const seed = randomBytes(8)
    region.set(header.seed0, seed.readInt32LE(0))
    region.set(header.seed1, seed.readInt32LE(4))
    region.set(header.bytes, REGION_BYTES)
    region.set(header.version, layoutVersion)
    region.set(header.magic, MAGIC)
    return { region, descriptor }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/**
 * Attaches a worker to the region of its server. A worker of another version of the program may have another layout. It is
 * refused then, because it would write to the wrong words: the server needs a restart instead of a reload.
 *
 * @param descriptor that the worker got from the primary. It may be closed afterwards
 * @throws SharedMemoryUnavailable
 */
export const attachRegion = async (descriptor: number): Promise<SharedRegion> => {
  const { size } = fstatSync(descriptor)
  if (size !== REGION_BYTES) throw otherLayout(`it has ${size} bytes, and this program expects ${REGION_BYTES}`)
  const region = new SharedRegion(await map(descriptor, REGION_BYTES))
  const problem = problemOf(region)
  if (problem === undefined) return region
  region.close()
  throw otherLayout(problem)
}

const problemOf = (region: SharedRegion): string | undefined => {
  if (region.get(header.magic) !== MAGIC) return "it does not begin with the mark of the program"
  const version = region.get(header.version)
  if (version !== layoutVersion)
    return `its layout is ${hex(version)}, and that of this program is ${hex(layoutVersion)}`
  const bytes = region.get(header.bytes)
  return bytes === REGION_BYTES ? undefined : `its header says ${bytes} bytes, and this program expects ${REGION_BYTES}`
}

const hex = (version: number): string => (version >>> 0).toString(16).padStart(8, "0")

const otherLayout = (problem: string): SharedMemoryUnavailable =>
  new SharedMemoryUnavailable({
    reason:
      `The shared memory of the server was made by another version of the program: ${problem}. ` +
      "Restart the server: workers of both versions cannot run beside each other."
  })
