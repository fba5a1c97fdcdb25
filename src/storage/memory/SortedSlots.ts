/** Slots of a chunk, at most; a longer one is split. */
const CHUNK_SLOTS = 256

/**
 * A set of slots in ascending order, so that an index answers in the order of a scan, and a reader can continue after the last
 * slot that it saw whatever has changed. Chunks of sorted numbers: adding at the end is constant,
 * elsewhere O(log n + CHUNK_SLOTS).
 */
export class SortedSlots {
  readonly #chunks: Array<Array<number>> = [[]]
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Adds a slot. False when it was in the set before. */
  add(slot: number): boolean {
    const chunks = this.#chunks
    const at = this.#chunkOf(slot)
    const chunk = chunks[at]!
    const place = lowerBound(chunk, slot)
    if (chunk[place] === slot) return false
    if (place === chunk.length) chunk.push(slot)
    else chunk.splice(place, 0, slot)
    this.#size++
    if (chunk.length > CHUNK_SLOTS) {
      // At the end slots usually come in order: leave the full chunk full.
      const keep = at === chunks.length - 1 ? CHUNK_SLOTS : CHUNK_SLOTS >> 1
      chunks.splice(at + 1, 0, chunk.splice(keep))
    }
    return true
  }

  delete(slot: number): boolean {
    const at = this.#chunkOf(slot)
    const chunk = this.#chunks[at]!
    const place = lowerBound(chunk, slot)
    if (chunk[place] !== slot) return false
    chunk.splice(place, 1)
    this.#size--
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(at, 1)
    return true
  }

  /** Copies up to `max` slots greater than `after` to `into`, from `at` on, and returns how many. */
  read(after: number, max: number, into: Int32Array, at: number): number {
    let count = 0
    let place = -1
    for (let next = this.#chunkOf(after + 1); next < this.#chunks.length && count < max; next++) {
      const chunk = this.#chunks[next]!
      place = place === -1 ? lowerBound(chunk, after + 1) : 0
      while (place < chunk.length && count < max) into[at + count++] = chunk[place++]!
    }
    return count
  }

  /** The last chunk that begins at or before the slot. */
  #chunkOf(slot: number): number {
    const chunks = this.#chunks
    let low = 0
    let high = chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (chunks[middle]![0]! <= slot) low = middle
      else high = middle - 1
    }
    return low
  }
}

const lowerBound = (sorted: readonly number[], slot: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < slot) low = middle + 1
    else high = middle
  }
  return low
}
