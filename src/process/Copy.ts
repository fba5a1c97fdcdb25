import { BulkSet, GremlinMap, GremlinSet } from "../structure/Collections.ts"

/** A copy of a collection that may be changed without changing the plan's or another run's. Other values are themselves. */
export const copyOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...value]
  if (value instanceof GremlinMap) return new GremlinMap(value)
  if (value instanceof GremlinSet) return new GremlinSet(value)
  if (value instanceof BulkSet) {
    const copy = new BulkSet()
    for (const [item, count] of value.entries()) copy.add(item, count)
    return copy
  }
  return value
}
