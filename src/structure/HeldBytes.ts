import { BulkSet, GremlinMap, GremlinSet } from "./Collections.ts"
import { BigInteger } from "./Numbers.ts"
import { Path } from "./Path.ts"

/** Members of a collection that are measured; the others count as their average. */
const SAMPLE = 16
/** Levels of nested collections that are measured. */
const DEEP = 6
/** Estimated bytes of any value, and of a member of one of our collections. */
const VALUE = 16
const ENTRY = 64

/** Estimated bytes of a value: large collections are sampled, so that the estimate is cheap. */
export const bytesOf = (value: unknown, depth = 0): number => {
  if (typeof value === "string") return VALUE + value.length * 2
  if (typeof value === "bigint")
    return value > -0x7fff_ffff_ffff_ffffn && value < 0x7fff_ffff_ffff_ffffn ? 32 : large(value)
  if (typeof value !== "object" || value === null) return VALUE
  if (value instanceof BigInteger) return 24 + bytesOf(value.value)
  if (depth >= DEEP) return ENTRY
  if (Array.isArray(value)) return VALUE + sampled(value, value.length, depth, 8)
  if (value instanceof GremlinMap) {
    return ENTRY + sampled(value.keys(), value.size, depth, ENTRY) + sampled(value.values(), value.size, depth, 0)
  }
  if (value instanceof BulkSet) return ENTRY + sampled(value.distinct(), value.uniqueSize, depth, ENTRY)
  if (value instanceof GremlinSet) return ENTRY + sampled(value, value.size, depth, ENTRY)
  if (value instanceof Path) return ENTRY + sampled(value.objects, value.objects.length, depth, ENTRY)
  if (value instanceof Uint8Array) return ENTRY + value.length
  return ENTRY
}

const large = (value: bigint): number => 24 + value.toString(16).length / 2

const sampled = (members: Iterable<unknown>, size: number, depth: number, each: number): number => {
  let looked = 0
  let bytes = 0
  for (const member of members) {
    bytes += bytesOf(member, depth + 1)
    if (++looked === SAMPLE) break
  }
  return looked === 0 ? 0 : size * (each + bytes / looked)
}
