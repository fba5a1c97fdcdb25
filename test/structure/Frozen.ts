import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../src/structure/collections/Collections.ts"
import { Tree } from "../../src/structure/collections/Tree.ts"
import { Path } from "../../src/structure/elements/Path.ts"

/** The methods that change the collections of src/structure: Object.freeze() has no effect on their private fields. */
const changing = ["add", "set", "delete"] as const

/** Called for each attempt to change a frozen collection. */
export type OnChange = (method: string, collection: unknown) => void

const refusal: OnChange = (method, collection) => {
  throw new Error(`${method}() was called on a frozen ${(collection as object).constructor.name}`)
}

/**
 * The value, in which no collection can be changed any more, at any depth: a change of a list fails with TypeError, one of a
 * map or a set calls `onChange`, which fails unless told otherwise.
 */
export const frozen = <A>(value: A, onChange: OnChange = refusal): A => {
  freeze(value, onChange)
  return value
}

const freeze = (value: unknown, onChange: OnChange): void => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return
  if (Array.isArray(value)) {
    Object.freeze(value)
    for (const member of value) freeze(member, onChange)
  } else if (value instanceof GremlinMap || value instanceof GremlinSet || value instanceof BulkSet) {
    const members = [...(value instanceof BulkSet ? value.entries() : value)]
    for (const method of changing) {
      if (method in value) Object.defineProperty(value, method, { value: () => onChange(method, value) })
    }
    Object.freeze(value)
    for (const member of members) freeze(member, onChange)
  } else if (value instanceof MapEntry) {
    freeze(value.key, onChange)
    freeze(value.value, onChange)
  } else if (value instanceof Path) freeze(value.objects, onChange)
  else if (value instanceof Tree) freeze(value.children, onChange)
}
