import { getHeapStatistics } from "node:v8"
import type { Task } from "../../scheduling/Task.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"
import { Edge, Vertex } from "../../structure/Element.ts"
import { Path, Tree } from "../../structure/Path.ts"
import { LimitExceeded } from "../language/Errors.ts"

/**
 * Parts of the collections inside one value. Collections may share theirs, so that a loop builds in forty rounds and a
 * kilobyte what nobody could go through in a lifetime: whatever writes, compares or hashes a value has to go through it.
 */
const MOST_PARTS = Math.floor(getHeapStatistics().heap_size_limit / 256)

/** Levels of collections inside each other; going through each takes some stack. */
const MOST_LEVELS = 1_000

/** Sizes that are worth remembering, since the value may come again or become a part of the next one. */
const MEMORABLE = 500
const known = new WeakMap<object, Size>()

/** What was found in a value that had so many direct members then: a side effect may have got more since. */
interface Size {
  readonly members: number
  readonly parts: number
  readonly levels: number
}

/** Levels of the value that was gone through last, and of the deepest member so far of the one that is. */
let levels = 0
let deepest = 0

/** Members that are looked at in one piece, a collection being {@link COLLECTION} of them: some 1 ms. */
const AT_ONCE = 32_768
const COLLECTION = 16
/** Remembering one takes as long as so many members. */
const REMEMBERED = 128
/** What a member may have to be gone through without a stop. */
const SMALL = 512

/** What may still be looked at without a stop; below 0 going through a value ends before it is complete. */
let left = 0

/**
 * Fails with LimitExceeded when one of the first `length` values is a collection of collections beyond all measure. Gives
 * null when it has looked at all of them, and otherwise what looks at the rest, a piece at a time: values with very many
 * parts take longer than others may wait.
 */
export const checkSizes = (values: ArrayLike<unknown>, length: number): Task | null => {
  left = AT_ONCE
  for (let i = 0; i < length; i++) {
    const value = values[i]
    if (typeof value !== "object" || value === null) continue
    const parts = partsOf(value)
    if (left < 0) return checkInPieces(values, length, i)
    refuse(parts)
  }
  return null
}

function* checkInPieces(values: ArrayLike<unknown>, length: number, from: number): Task {
  yield
  const piece = { left: AT_ONCE }
  for (let i = from; i < length; i++) {
    const value = values[i]
    if (typeof value === "object" && value !== null) refuse(yield* partsInPieces(value, piece))
  }
}

/** Fails when a value of so many parts, the last one that was gone through, is too large. */
const refuse = (parts: number): void => {
  if (parts > MOST_PARTS) {
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

/** Members up to which a list or path is looked through for collections before all else. */
const FEW = 16

/** A short list or path of plain values and elements, as most are. */
const isPlain = (value: object): boolean => {
  const members = value instanceof Path ? value.objects : Array.isArray(value) ? value : null
  if (members === null || members.length > FEW) return false
  for (const member of members) {
    if (typeof member !== "object" || member === null || member instanceof Vertex || member instanceof Edge) continue
    if (sizeOf(member) >= 0) return false
  }
  left -= COLLECTION + members.length
  return true
}

const partsOf = (value: object): number => {
  if (isPlain(value)) {
    levels = 1
    return 0
  }
  const before = remembered(value)
  if (before !== undefined) {
    levels = before.levels
    return before.parts
  }
  const outer = deepest
  const begun = left
  deepest = 0
  left -= COLLECTION + sizeOf(value)
  const parts = left < 0 ? 0 : partsInside(value)
  levels = deepest + 1
  deepest = outer
  if (left >= 0 && begun - left > MEMORABLE) remember(value, parts)
  return parts
}

const remember = (value: object, parts: number): void => {
  // Trees grow below their first level.
  if (value instanceof Tree || (value instanceof GremlinMap && value.values().next().value instanceof Tree)) return
  known.set(value, { members: membersIn(value), parts, levels })
  left -= REMEMBERED
}

const remembered = (value: object): Size | undefined => {
  const size = known.get(value)
  return size?.members === membersIn(value) ? size : undefined
}

/** Direct members with their repetitions. */
const membersIn = (value: object): number => (value instanceof BulkSet ? value.size : sizeOf(value))

const partsInside = (value: object): number => {
  let parts = 0
  if (value instanceof GremlinMap) {
    value.forEach((member, key) => {
      parts += partsOfMember(key) + partsOfMember(member)
    })
    return parts
  }
  if (!(value instanceof BulkSet)) return partsOfAll(membersOf(value))
  for (const [member, count] of value.entries()) parts += partsOfMember(member) * count
  return parts
}

const partsOfAll = (members: Iterable<unknown>): number => {
  let parts = 0
  for (const member of members) {
    parts += partsOfMember(member)
    if (left < 0) break
  }
  return parts
}

/** A member that is no collection is no part: long lists of plain values are limited by their bytes. */
const partsOfMember = (member: unknown): number => {
  if (typeof member !== "object" || member === null || left < 0) return 0
  if (member instanceof Vertex || member instanceof Edge) return 0
  const size = sizeOf(member)
  if (size < 0) return 0
  const parts = 1 + size + partsOf(member)
  if (levels > deepest) deepest = levels
  return parts
}

/** As partsOf(), for a value with very many parts. `piece` has what may be looked at before the next stop. */
function* partsInPieces(value: object, piece: { left: number }): Task<number> {
  const before = remembered(value)
  if (before !== undefined) {
    levels = before.levels
    return before.parts
  }
  let parts = 0
  let deepestInside = 0
  let looked = 0
  const bulks = value instanceof BulkSet
  for (const one of membersOf(value)) {
    const [member, count] = bulks ? (one as [unknown, number]) : [one, 1]
    piece.left--
    looked++
    if (typeof member === "object" && member !== null) {
      const size = sizeOf(member)
      if (size >= 0) {
        left = SMALL
        let inside = partsOf(member)
        piece.left -= SMALL - left
        looked += SMALL - left
        if (left < 0) inside = yield* partsInPieces(member, piece)
        parts += (1 + size + inside) * count
        if (levels > deepestInside) deepestInside = levels
      }
    }
    if (piece.left < 0) {
      yield
      piece.left = AT_ONCE
    }
  }
  levels = deepestInside + 1
  if (looked > MEMORABLE) remember(value, parts)
  return parts
}

const NOTHING: readonly unknown[] = []

/** The members of a collection; of a BulkSet with their numbers. */
const membersOf = (value: object): Iterable<unknown> => {
  if (Array.isArray(value) || value instanceof GremlinSet) return value
  if (value instanceof Path) return value.objects
  if (value instanceof BulkSet) return value.entries()
  if (value instanceof GremlinMap) return keysAndValues(value)
  if (value instanceof Tree) return [value.children]
  return value instanceof MapEntry ? [value.key, value.value] : NOTHING
}

function* keysAndValues(map: GremlinMap): Generator<unknown> {
  for (const [key, value] of map.entries()) {
    yield key
    yield value
  }
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
