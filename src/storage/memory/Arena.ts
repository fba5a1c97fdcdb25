import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { Meter } from "./Growth.ts"

/** Bits of an address that count integers inside one segment: 1,048,576 integers, 4 MB. */
export const SEGMENT_BITS = 20
const SEGMENT_INTEGERS = 1 << SEGMENT_BITS
/** Bits of an address that are the position inside its segment. */
export const SEGMENT_MASK = SEGMENT_INTEGERS - 1

const EMPTY = new Int32Array(0)

/**
 * Blocks of pairs of integers in segments that are never copied when the arena grows (except the first one, so that
 * a small graph stays small). A block of class c holds 2^c pairs and lies in one segment; one that is larger than a
 * segment has a separate segment. An address is `segment << SEGMENT_BITS | position`.
 */
export class Arena {
  /** Read with `segments[address >>> SEGMENT_BITS]`; a segment may be replaced by {@link allocate} and {@link free}. */
  readonly segments: Array<Int32Array> = [EMPTY]
  readonly #meter: Meter
  readonly #free: Array<Array<number>> = []
  readonly #spareSegments: Array<number> = []
  #current = 0
  #position = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /**
   * Address of a free block of 2^sizeClass pairs; its content is not cleared. Throws, and changes nothing, when
   * there is no memory for the block, or no address.
   */
  allocate(sizeClass: number): number {
    const free = this.#free[sizeClass]
    if (free !== undefined && free.length > 0) return free.pop()!
    const integers = 2 << sizeClass
    if (integers > SEGMENT_INTEGERS) return this.#ownSegment(integers)
    if (this.#position + integers > SEGMENT_INTEGERS) this.#nextSegment()
    const position = this.#position
    if (position + integers > this.segments[this.#current]!.length) this.#growFirst(position + integers)
    this.#position += integers
    return (this.#current << SEGMENT_BITS) | position
  }

  /** Frees a block. */
  free(address: number, sizeClass: number): void {
    if (2 << sizeClass > SEGMENT_INTEGERS) {
      const segment = address >>> SEGMENT_BITS
      this.#meter.arrays -= this.segments[segment]!.byteLength
      this.segments[segment] = EMPTY
      this.#spareSegments.push(segment)
      return
    }
    this.#free[sizeClass] ??= []
    this.#free[sizeClass]!.push(address)
  }

  #ownSegment(integers: number): number {
    return this.#addSegment(integers) << SEGMENT_BITS
  }

  #addSegment(integers: number): number {
    const segment = this.#spareSegments.at(-1) ?? this.segments.length
    if (segment >= 1 << (31 - SEGMENT_BITS))
      throw new UnsupportedValue(
        "The graph has as many edges as a graph in memory can have. Store further edges in a graph on disk."
      )
    this.segments[segment] = new Int32Array(integers)
    this.#spareSegments.pop()
    this.#meter.arrays += integers * 4
    return segment
  }

  /** Splits the rest of the current segment into free blocks, and begins a new segment. */
  #nextSegment(): void {
    const left = this.#current
    const next = this.#addSegment(SEGMENT_INTEGERS)
    // The first segment may be shorter than the others.
    const { length } = this.segments[left]!
    for (let sizeClass = SEGMENT_BITS - 2; sizeClass >= 1; sizeClass--) {
      for (; this.#position + (2 << sizeClass) <= length; this.#position += 2 << sizeClass) {
        this.free((left << SEGMENT_BITS) | this.#position, sizeClass)
      }
    }
    this.#current = next
    this.#position = 0
  }

  /** Makes the first segment so long that it has `needed` integers. */
  #growFirst(needed: number): void {
    const old = this.segments[0]!
    let length = Math.max(old.length, 512)
    while (length < needed) length *= 2
    const grown = new Int32Array(Math.min(length, SEGMENT_INTEGERS))
    grown.set(old)
    this.segments[0] = grown
    this.#meter.arrays += grown.byteLength - old.byteLength
  }
}
