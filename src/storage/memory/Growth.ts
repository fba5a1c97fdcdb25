import type { HeapOccupant } from "../../structure/HeapRoom.ts"
import type { Work } from "../shared/Work.ts"

/** Counts the bytes of a graph, as far as they can be known: typed arrays exactly, the rest estimated. */
export class Meter implements HeapOccupant {
  /** Objects, which take their room from V8's heap. */
  heap = 0
  /** Typed arrays, which lie beside it. */
  arrays = 0

  get used(): number {
    return this.heap + this.arrays
  }
}

const size = (needed: number, now: number): number => Math.max(needed, now < 64 ? 64 : Math.ceil(now * 1.75))

/** An array with room for `needed` numbers and the same content; the same array when it has. */
export const growInt32 = (array: Int32Array<ArrayBuffer>, needed: number, meter: Meter): Int32Array<ArrayBuffer> => {
  if (needed <= array.length) return array
  const grown = new Int32Array(size(needed, array.length))
  grown.set(array)
  meter.arrays += grown.byteLength - array.byteLength
  return grown
}

export const growFloat64 = (
  array: Float64Array<ArrayBuffer>,
  needed: number,
  meter: Meter
): Float64Array<ArrayBuffer> => {
  if (needed <= array.length) return array
  const grown = new Float64Array(size(needed, array.length))
  grown.set(array)
  meter.arrays += grown.byteLength - array.byteLength
  return grown
}

export const growUint8 = (array: Uint8Array<ArrayBuffer>, needed: number, meter: Meter): Uint8Array<ArrayBuffer> => {
  if (needed <= array.length) return array
  const grown = new Uint8Array(size(needed, array.length))
  grown.set(array)
  meter.arrays += grown.byteLength - array.byteLength
  return grown
}

/** Numbers that are copied for one unit of {@link Work}. */
const COPIED = 1024

/** The same in pieces: `put` gets the grown array, once all is in it. Nothing may be written to the old one meanwhile. */
export const growing = <A extends Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(
  array: A,
  needed: number,
  meter: Meter,
  put: (grown: A) => void
): Work => {
  if (needed <= array.length) return () => false
  const grown = new (array.constructor as new (length: number) => A)(size(needed, array.length))
  let at = 0
  return (most) => {
    const end = Math.min(array.length, at + most * COPIED)
    grown.set(array.subarray(at, end), at)
    at = end
    if (at < array.length) return true
    meter.arrays += grown.byteLength - array.byteLength
    put(grown)
    return false
  }
}

/** Members of a value that are looked at; others are taken to be like those. */
const LOOKED_AT = 1_024

/**
 * Bytes a value takes besides its place in a column: an estimate, right for the common kinds. The same value has the same
 * bytes each time.
 */
export const valueBytes = (value: unknown): number =>
  typeof value === "object" ? bytesOfObject(value, { left: LOOKED_AT }) : bytesOf(value)

const bytesOf = (value: unknown): number => {
  switch (typeof value) {
    case "string":
      return 24 + value.length
    case "number":
      return (value | 0) === value ? 0 : 16
    case "bigint":
      return 24
    default:
      return 0
  }
}

const bytesOfObject = (value: object | null, look: { left: number }): number => {
  if (value === null) return 0
  if (ArrayBuffer.isView(value)) return 100 + value.byteLength
  return Symbol.iterator in value ? 64 + bytesOfMembers(value as Iterable<unknown>, look) : 64
}

const bytesOfMembers = (members: Iterable<unknown>, look: { left: number }): number => {
  let seen = 0
  let bytes = 0
  for (const member of members) {
    seen++
    bytes += 8 + (typeof member === "object" ? bytesOfObject(member, look) : bytesOf(member))
    if (--look.left < 0) break
  }
  const { length, size = length } = members as { readonly length?: number; readonly size?: number }
  return seen === 0 || size === undefined ? bytes : Math.max(1, size / seen) * bytes
}
