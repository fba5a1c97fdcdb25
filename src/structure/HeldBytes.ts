import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "./Collections.ts"
import { Geoshape } from "./Geoshape.ts"
import { MapValues } from "./MapValues.ts"
import { BigInteger } from "./Numbers.ts"
import { Path } from "./Path.ts"

/** Number of members of a collection that are measured. The others count as the average of these. */
const SAMPLE_MEMBERS = 16
/** Maximum depth of nested collections that are measured. */
const MAX_LEVELS = 6
/** Estimated size of any value. */
const VALUE_BYTES = 16
/** Estimated size of a member of a map, a set or a path. */
const ENTRY_BYTES = 64

/** Size of a place of a shape: a list of two numbers. */
const PLACE_BYTES = 72

/** A value that knows its size itself, because its class is above this folder. */
export abstract class Sized {
  /** Approximate size in bytes. */
  abstract readonly heldBytes: number
}

/** Estimated size of the places of a shape in bytes. */
export const bytesOfPlaces = (places: number): number => ENTRY_BYTES + places * PLACE_BYTES

/** Estimated size of a value in bytes. Large collections are sampled, so that the estimate takes little time. */
export const bytesOf = (value: unknown, depth = 0): number => {
  if (typeof value === "string") return VALUE_BYTES + value.length * 2
  if (typeof value === "bigint")
    return value > -0x7fff_ffff_ffff_ffffn && value < 0x7fff_ffff_ffff_ffffn ? 32 : large(value)
  if (typeof value !== "object" || value === null) return VALUE_BYTES
  if (value instanceof BigInteger) return 24 + bytesOf(value.value)
  if (depth >= MAX_LEVELS) return ENTRY_BYTES
  const holder = holderOf(value)
  if (holder !== value) return ENTRY_BYTES + bytesOf(holder, depth)
  if (Array.isArray(value)) return VALUE_BYTES + sampled(value, value.length, depth, 8)
  if (value instanceof GremlinMap) {
    return (
      ENTRY_BYTES * (1 + value.followers) +
      sampled(value.keys(), value.size, depth, ENTRY_BYTES) +
      sampled(value.values(), value.size, depth, 0)
    )
  }
  if (value instanceof MapEntry) return ENTRY_BYTES + bytesOf(value.key, depth + 1) + bytesOf(value.value, depth + 1)
  if (value instanceof BulkSet) return ENTRY_BYTES + sampled(value.distinct(), value.uniqueSize, depth, ENTRY_BYTES)
  if (value instanceof GremlinSet) return ENTRY_BYTES + sampled(value, value.size, depth, ENTRY_BYTES)
  if (value instanceof Path) return ENTRY_BYTES + sampled(value.objects, value.objects.length, depth, ENTRY_BYTES)
  if (value instanceof Uint8Array) return ENTRY_BYTES + value.length
  if (value instanceof Geoshape) return bytesOfPlaces(value.places)
  return value instanceof Sized ? value.heldBytes : ENTRY_BYTES
}

/** The map that a view keeps in memory; any other value itself. */
export const holderOf = (value: unknown): unknown =>
  value instanceof MapValues ? value.of : value instanceof GremlinSet ? (value.shows ?? value) : value

const large = (value: bigint): number => 24 + value.toString(16).length / 2

const sampled = (members: Iterable<unknown>, size: number, depth: number, each: number): number => {
  let looked = 0
  let bytes = 0
  const counted = new Set<unknown>()
  for (const member of members) {
    const holder = holderOf(member)
    // Several views of one map keep it once.
    if (holder === member || !counted.has(holder)) bytes += bytesOf(member, depth + 1)
    if (holder !== member) counted.add(holder)
    if (++looked === SAMPLE_MEMBERS) break
  }
  return looked === 0 ? 0 : size * (each + bytes / looked)
}
