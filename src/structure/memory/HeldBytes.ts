import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../collections/Collections.ts"
import { MapValues } from "../collections/MapValues.ts"
import { Path } from "../elements/Path.ts"
import { SubGraph } from "../elements/SubGraph.ts"
import { Geoshape } from "../geoshapes/Geoshape.ts"
import { BigInteger } from "../numbers/Numbers.ts"

/** Number of members of a collection that are measured. The others count as the average of these. */
const SAMPLE_MEMBERS = 16
/** Maximum depth of nested collections that are measured. */
const MAX_LEVELS = 6
/** Estimated size of any value. */
const VALUE_BYTES = 16
/** Estimated size of a member of a map, a set or a path. */
const ENTRY_BYTES = 64

/** Estimated size of an element of a graph that is a value, with its properties. */
const GRAPH_ELEMENT_BYTES = 192

/** Size of a place of a shape: a list of two numbers. */
const PLACE_BYTES = 72

/** A value that knows its size itself, because its class is above this folder. */
export abstract class Sized {
  /** Approximate size in bytes. */
  abstract readonly heldBytes: number
}

/** Estimated size of the places of a shape in bytes. */
export const bytesOfPlaces = (places: number): number => ENTRY_BYTES + places * PLACE_BYTES

/** How many members a thorough measurement may still look at. */
interface Look {
  left: number
}

/** Members that a thorough measurement looks at, which takes about a millisecond. */
const THOROUGH_MEMBERS = 65_536
/** Maximum depth of nested collections that a thorough measurement looks at. */
const MAX_THOROUGH_LEVELS = 400

/**
 * Estimated size of several values in bytes. Other than {@link bytesOf}, it looks at up to 65,536 members at any depth, and at random
 * ones of more, so that no script can hide large values behind small ones.
 */
export const thoroughBytesOf = (values: Iterable<unknown>): number => {
  const look = { left: THOROUGH_MEMBERS }
  let bytes = 0
  for (const value of values) bytes += bytesOf(value, 0, look)
  return bytes
}

/** Estimated size of a value in bytes. Large collections are sampled, so that the estimate takes little time. */
export const bytesOf = (value: unknown, depth = 0, look?: Look): number => {
  if (typeof value === "string") return VALUE_BYTES + value.length * 2
  if (typeof value === "bigint")
    return value > -0x7fff_ffff_ffff_ffffn && value < 0x7fff_ffff_ffff_ffffn ? 32 : large(value)
  if (typeof value !== "object" || value === null) return VALUE_BYTES
  if (value instanceof BigInteger) return 24 + bytesOf(value.value)
  if (depth >= (look === undefined ? MAX_LEVELS : MAX_THOROUGH_LEVELS)) return ENTRY_BYTES
  const holder = holderOf(value)
  if (holder !== value) return ENTRY_BYTES + bytesOf(holder, depth, look)
  if (Array.isArray(value)) return VALUE_BYTES + sampled(value, value.length, depth, 8, look)
  if (value instanceof GremlinMap) {
    return (
      ENTRY_BYTES * (1 + value.followers) +
      sampled(value.keys(), value.size, depth, ENTRY_BYTES, look) +
      sampled(value.values(), value.size, depth, 0, look)
    )
  }
  if (value instanceof MapEntry) {
    return ENTRY_BYTES + bytesOf(value.key, depth + 1, look) + bytesOf(value.value, depth + 1, look)
  }
  if (value instanceof BulkSet) {
    return ENTRY_BYTES + sampled(value.distinct(), value.uniqueSize, depth, ENTRY_BYTES, look)
  }
  if (value instanceof GremlinSet) return ENTRY_BYTES + sampled(value, value.size, depth, ENTRY_BYTES, look)
  if (value instanceof Path) return ENTRY_BYTES + sampled(value.objects, value.objects.length, depth, ENTRY_BYTES, look)
  if (value instanceof SubGraph) return ENTRY_BYTES + (value.vertices.length + value.edges.length) * GRAPH_ELEMENT_BYTES
  if (value instanceof Uint8Array) return ENTRY_BYTES + value.length
  if (value instanceof Geoshape) return bytesOfPlaces(value.places)
  return value instanceof Sized ? value.heldBytes : ENTRY_BYTES
}

/** The map that a view keeps in memory; any other value itself. */
export const holderOf = (value: unknown): unknown =>
  value instanceof MapValues ? value.of : value instanceof GremlinSet ? (value.shows ?? value) : value

const large = (value: bigint): number => 24 + value.toString(16).length / 2

const sampled = (
  members: Iterable<unknown>,
  size: number,
  depth: number,
  each: number,
  look: Look | undefined
): number => {
  const most = look === undefined ? SAMPLE_MEMBERS : Math.max(SAMPLE_MEMBERS, look.left)
  if (look !== undefined) look.left -= Math.min(size, most)
  let looked = 0
  let bytes = 0
  let counted: Set<unknown> | undefined
  for (const member of look === undefined || size <= most ? members : spread(members, size / most)) {
    const holder = holderOf(member)
    // Several views of one map keep it once.
    if (holder === member || counted?.has(holder) !== true) bytes += bytesOf(member, depth + 1, look)
    if (holder !== member) (counted ??= new Set()).add(holder)
    if (++looked === most) break
  }
  return looked === 0 ? 0 : size * (each + bytes / looked)
}

/** One member of each `stride`, at random positions. */
function* spread(members: Iterable<unknown>, stride: number): Generator<unknown> {
  let at = 0
  let next = Math.random() * stride
  for (const member of members) {
    if (at++ < next) continue
    yield member
    next = at - 1 + Math.random() * 2 * stride
  }
}
