import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"

/** True for the values whose members a script may change, and for entries. */
export const isCollection = (value: unknown): value is Iterable<unknown> | MapEntry =>
  Array.isArray(value) ||
  value instanceof GremlinMap ||
  value instanceof GremlinSet ||
  value instanceof BulkSet ||
  value instanceof MapEntry

/** A copy of a value with copies of all collections in it. */
export const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copied)
  if (value instanceof GremlinMap) {
    return new GremlinMap(Array.from(value, ([key, item]) => [copied(key), copied(item)] as const))
  }
  if (value instanceof MapEntry) return new MapEntry(copied(value.key), copied(value.value))
  return value instanceof GremlinSet ? new GremlinSet(Array.from(value, copied)) : value
}
