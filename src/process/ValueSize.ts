import { getHeapStatistics } from "node:v8"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../structure/Collections.ts"
import { Path, Tree } from "../structure/Path.ts"
import { LimitExceeded } from "./Errors.ts"

/**
 * Parts of the collections inside one value. Collections may share theirs, so that a loop builds in forty rounds and a
 * kilobyte what nobody could go through in a lifetime: whatever writes, compares or hashes a value has to go through it.
 */
const MOST_PARTS = Math.floor(getHeapStatistics().heap_size_limit / 256)

/** Levels of collections inside each other; going through each takes some stack. */
const MOST_LEVELS = 1_000

/** Sizes that are worth remembering, since the value may come again or become a part of the next one. */
const MEMORABLE = 500
const known = new WeakMap<object, { readonly parts: number; readonly levels: number }>()

/** Levels of the value that was gone through last, and of the deepest member so far of the one that is. */
let levels = 0
let deepest = 0

/** Fails with LimitExceeded when one of the first `length` values is a collection of collections beyond all measure. */
export const checkSizes = (values: ArrayLike<unknown>, length: number): void => {
  for (let i = 0; i < length; i++) {
    const value = values[i]
    if (typeof value !== "object" || value === null) continue
    if (partsOf(value) > MOST_PARTS) {
      throw new LimitExceeded(
        `A value has more than ${MOST_PARTS} parts in the collections inside it. Unfold them, or make less of them.`
      )
    }
    if (levels > MOST_LEVELS) {
      throw new LimitExceeded(
        `A value has more than ${MOST_LEVELS} levels of collections inside each other. Unfold them.`
      )
    }
  }
}

const partsOf = (value: object): number => {
  const before = known.get(value)
  if (before !== undefined) {
    levels = before.levels
    return before.parts
  }
  const outer = deepest
  deepest = 0
  let parts = 0
  if (Array.isArray(value)) parts = partsOfAll(value)
  else if (value instanceof GremlinMap) {
    value.forEach((member, key) => {
      parts += partsOfMember(key) + partsOfMember(member)
    })
  } else if (value instanceof GremlinSet) parts = partsOfAll(value)
  else if (value instanceof BulkSet)
    for (const [member, count] of value.entries()) parts += partsOfMember(member) * count
  else if (value instanceof Path) parts = partsOfAll(value.objects)
  else if (value instanceof Tree) parts = partsOfMember(value.children)
  else if (value instanceof MapEntry) parts = partsOfMember(value.key) + partsOfMember(value.value)
  levels = deepest + 1
  deepest = outer
  if (parts > MEMORABLE || sizeOf(value) > MEMORABLE) known.set(value, { parts, levels })
  return parts
}

const partsOfAll = (members: Iterable<unknown>): number => {
  let parts = 0
  for (const member of members) parts += partsOfMember(member)
  return parts
}

/** A member that is no collection is no part: long lists of plain values are limited by their bytes. */
const partsOfMember = (member: unknown): number => {
  if (typeof member !== "object" || member === null) return 0
  const size = sizeOf(member)
  if (size < 0) return 0
  const parts = 1 + size + partsOf(member)
  if (levels > deepest) deepest = levels
  return parts
}

/** Direct members of a collection; -1 for anything else. */
const sizeOf = (value: object): number => {
  if (Array.isArray(value)) return value.length
  if (value instanceof GremlinMap || value instanceof GremlinSet) return value.size
  if (value instanceof BulkSet) return value.uniqueSize
  if (value instanceof Path) return value.objects.length
  if (value instanceof Tree) return value.children.size
  return value instanceof MapEntry ? 2 : -1
}
