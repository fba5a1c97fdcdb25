import { BulkSet, GremlinSet } from "../../structure/Collections.ts"
import { Path } from "../../structure/Path.ts"

/** The members of a value that steps go into: a list, a set, a bulk set (with repetitions) or a path; undefined for anything else, maps included. */
export const itemsOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value
  if (value instanceof BulkSet) return value.toList()
  if (value instanceof GremlinSet) return [...value]
  return value instanceof Path ? value.objects : undefined
}
