import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { HeapOccupant } from "../../structure/memory/HeapRoom.ts"

/** Counts the bytes of a graph, as far as they can be known: typed arrays exactly, the rest estimated. */
export class Meter implements HeapOccupant {
  /** Bytes of objects, on V8's heap. */
  heap = 0
  /** Bytes of typed arrays, outside V8's heap. */
  arrays = 0

  get used(): number {
    return this.heap + this.arrays
  }
}

/** An array that grows with a graph. */
type GrowingArray = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>

/** Numbers of the shortest array. */
const SHORTEST_NUMBERS = 64
/** How much longer a grown array is at least: a graph that grows steadily copies each number about once. */
const GROWTH_FACTOR = 1.75
/** Numbers that are copied between two readings of the clock: about 50 microseconds. */
const COPY_NUMBERS = 65_536

/** An array of the same kind, longer and empty. Throws a RangeError when there is no memory. */
const longer = <A extends GrowingArray>(array: A, needed: number): A => {
  const { length } = array
  const grownLength = length < SHORTEST_NUMBERS ? SHORTEST_NUMBERS : Math.ceil(length * GROWTH_FACTOR)
  return new (array.constructor as new (length: number) => A)(Math.max(needed, grownLength))
}

/** An array with room for `needed` numbers and the same content: a longer one, or the same array when it has the room. */
export const grow = <A extends GrowingArray>(array: A, needed: number, meter: Meter): A => {
  if (needed <= array.length) return array
  const grown = longer(array, needed)
  grown.set(array)
  meter.arrays += grown.byteLength - array.byteLength
  return grown
}

/** {@link grow} as a task. Nothing may be written to the array before the task has ended. */
export function* growTask<A extends GrowingArray>(array: A, needed: number, meter: Meter, slice: TimeSlice): Task<A> {
  if (needed <= array.length) return array
  const grown = longer(array, needed)
  for (let from = 0; from < array.length; from += COPY_NUMBERS) {
    grown.set(array.subarray(from, from + COPY_NUMBERS), from)
    if (slice.isOverNow()) yield
  }
  meter.arrays += grown.byteLength - array.byteLength
  return grown
}

/** Members of a value that are measured; the others count as their average. */
const MEASURED_MEMBERS = 1_024

/**
 * Estimated bytes of a value besides its place in a column, right for the common types. Equal calls return equal numbers.
 */
export const valueBytes = (value: unknown): number =>
  typeof value === "object" ? bytesOfObject(value, { left: MEASURED_MEMBERS }) : bytesOf(value)

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
