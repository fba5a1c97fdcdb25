import type { Task } from "../../scheduling/Task.ts"
import { CHUNK_ITEMS, type TimeSlice } from "../../scheduling/TimeSlice.ts"
import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { reversed } from "../../structure/texts/Text.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import { TraversalError } from "../language/Errors.ts"
import { checkRoom, copied, itemsTask } from "./Items.ts"
import { checkLength, textWithin } from "./Texts.ts"

/**
 * The steps over lists: the set functions (difference, disjunct, intersect, merge), combine, product, conjoin and reverse. A
 * list is any value for which {@link itemsOf} returns members. Members are compared by equivalence, as in sets.
 * `fromTraversal` means that the operand is a result of the step's child traversal; it only changes the error message.
 */

function* incoming(slice: TimeSlice, step: string, input: unknown): Task<readonly unknown[]> {
  if (input === null || input === undefined) {
    throw new TraversalError(`Incoming traverser for ${step} step can't be null.`)
  }
  const items = yield* itemsTask(slice, input)
  if (items !== undefined) return items
  throw new TraversalError(
    `${step} step can only take an array or an Iterable type for incoming traversers, encountered ${typeName(input)}`
  )
}

function* argument(slice: TimeSlice, step: string, operand: unknown, fromTraversal: boolean): Task<readonly unknown[]> {
  const items = yield* itemsTask(slice, operand)
  if (items !== undefined) return items
  const isNull = operand === null || operand === undefined
  if (fromTraversal) {
    const found = isNull ? "not null" : `encountered ${typeName(operand)}`
    throw new TraversalError(`Provided traversal argument for ${step} step must yield an iterable type, ${found}`)
  }
  if (isNull) throw new TraversalError(`Argument provided for ${step} step can't be null.`)
  throw new TraversalError(
    `${step} step can only take an array or an Iterable as an argument, encountered ${typeName(operand)}`
  )
}

/** A set of the members. */
export function* setOf(slice: TimeSlice, items: Iterable<unknown>): Task<GremlinSet> {
  const set = new GremlinSet()
  let seen = 0
  for (const item of items) {
    set.add(item)
    if (slice.isOverAfter(++seen, item)) yield
  }
  return set
}

/** A map of the entries. */
export function* mapOf(slice: TimeSlice, entries: Iterable<readonly [unknown, unknown]>): Task<GremlinMap> {
  const map = new GremlinMap()
  let seen = 0
  for (const [key, value] of entries) {
    map.set(key, value)
    if (slice.isOverAfter(++seen, key)) yield
  }
  return map
}

/** Adds to `set` the members that are in `others`, or those that are not. */
function* chosen(
  slice: TimeSlice,
  items: Iterable<unknown>,
  others: GremlinSet,
  has: boolean,
  set = new GremlinSet()
): Task<GremlinSet> {
  let seen = 0
  for (const item of items) {
    if (others.has(item) === has) set.add(item)
    if (slice.isOverAfter(++seen, item)) yield
  }
  return set
}

/** combine(list): the concatenation of both lists. Reports the bytes of long lists to `hold`: in a loop they double each round. */
export function* combine(
  slice: TimeSlice,
  input: unknown,
  operand: unknown,
  fromTraversal = false,
  hold: (bytes: number) => void = () => {}
): Task<unknown[]> {
  const items = yield* incoming(slice, "combine", input)
  const others = yield* argument(slice, "combine", operand, fromTraversal)
  if (items.length + others.length <= CHUNK_ITEMS) return [...items, ...others]
  const all: Array<unknown> = []
  for (const list of [items, others]) {
    for (const item of list) {
      all.push(item)
      if (all.length % CHUNK_ITEMS > 0) continue
      checkRoom(all)
      hold(CHUNK_ITEMS * REFERENCE_BYTES)
      yield
    }
  }
  return all
}

/** Size of a list entry. */
const REFERENCE_BYTES = 8

/** product(list): all pairs of a member of the input and a member of the operand. Reports their bytes to `hold`. */
export function* product(
  slice: TimeSlice,
  input: unknown,
  operand: unknown,
  fromTraversal = false,
  hold: (bytes: number) => void = () => {}
): Task<unknown[][]> {
  const items = yield* incoming(slice, "product", input)
  const others = yield* argument(slice, "product", operand, fromTraversal)
  const pairs: Array<Array<unknown>> = []
  for (const item of items) {
    for (const other of others) {
      pairs.push([item, other])
      if (pairs.length % CHUNK_ITEMS > 0) continue
      checkRoom(pairs)
      hold(CHUNK_ITEMS * PAIR_BYTES)
      yield
    }
  }
  return pairs
}

/** Approximate size of a list entry that is a pair. */
const PAIR_BYTES = 48

/** difference(list): the members of the input that are not in the operand. */
export function* difference(
  slice: TimeSlice,
  input: unknown,
  operand: unknown,
  fromTraversal = false
): Task<GremlinSet> {
  const items = yield* incoming(slice, "difference", input)
  return yield* chosen(
    slice,
    items,
    yield* setOf(slice, yield* argument(slice, "difference", operand, fromTraversal)),
    false
  )
}

/** disjunct(list): the members that are in exactly one of both lists. */
export function* disjunct(slice: TimeSlice, input: unknown, operand: unknown, fromTraversal = false): Task<GremlinSet> {
  const items = yield* setOf(slice, yield* incoming(slice, "disjunct", input))
  const others = yield* setOf(slice, yield* argument(slice, "disjunct", operand, fromTraversal))
  return yield* chosen(slice, others, items, false, yield* chosen(slice, items, others, false))
}

/** intersect(list): the members that are in both lists. */
export function* intersect(
  slice: TimeSlice,
  input: unknown,
  operand: unknown,
  fromTraversal = false
): Task<GremlinSet> {
  const items = yield* incoming(slice, "intersect", input)
  return yield* chosen(
    slice,
    items,
    yield* setOf(slice, yield* argument(slice, "intersect", operand, fromTraversal)),
    true
  )
}

/** merge(list or map): the distinct members of both lists, or the entries of both maps, where the operand's entries win. */
export function* merge(
  slice: TimeSlice,
  input: unknown,
  operand: unknown,
  fromTraversal = false
): Task<GremlinSet | GremlinMap> {
  if (input instanceof GremlinMap) {
    if (operand instanceof GremlinMap) return yield* mergedMaps(slice, input, operand)
    throw new TraversalError(
      `merge step expected provided argument to evaluate to a Map, encountered ${typeName(operand)}`
    )
  }
  const items = yield* incoming(slice, "merge", input)
  if (operand instanceof GremlinMap && !fromTraversal) {
    throw new TraversalError("merge step type mismatch: expected argument to be Iterable but got Map")
  }
  return yield* setOf(slice, inTurn(items, yield* argument(slice, "merge", operand, fromTraversal)))
}

function* inTurn(...lists: ReadonlyArray<Iterable<unknown>>): Iterable<unknown> {
  for (const list of lists) yield* list
}

function* mergedMaps(slice: TimeSlice, ...maps: ReadonlyArray<GremlinMap>): Task<GremlinMap> {
  const merged = new GremlinMap()
  for (const map of maps) {
    for (const [key, value] of map) {
      merged.set(key, value)
      if (slice.isOverAfter(merged.size, key)) yield
    }
  }
  return merged
}

/** conjoin(delimiter): the texts of the members, separated by the delimiter. Nulls are skipped; null when all are null. */
export function* conjoin(slice: TimeSlice, input: unknown, delimiter: string): Task<string | null> {
  const items = yield* incoming(slice, "conjoin", input)
  if (items.length === 0) return ""
  const parts: Array<string> = []
  let length = 0
  for (let i = 0; i < items.length; i++) {
    const item = items[i]
    if (slice.isOverAfter(i + 1, item)) yield
    if (item === null || item === undefined) continue
    const part = textWithin("conjoin", item)
    parts.push(part)
    length += part.length + (parts.length === 1 ? 0 : delimiter.length)
    checkLength("conjoin", length)
  }
  // As in TinkerPop, with an empty delimiter a list of empty texts gives null, too.
  return length === 0 && (delimiter === "" || parts.length === 0) ? null : parts.join(delimiter)
}

/** reverse(): reverses the characters of a string or the members of a list; returns any other value as it is. */
export function* reverse(slice: TimeSlice, input: unknown): Task<unknown> {
  if (typeof input === "string") {
    checkLength("reverse", input.length)
    return reversed(input)
  }
  const items = yield* itemsTask(slice, input)
  if (items === undefined) return input ?? null
  const copy = yield* copied(items)
  for (let first = 0, last = copy.length - 1; first < last; first++, last--) {
    const member = copy[first]
    copy[first] = copy[last]
    copy[last] = member
    if (slice.isOverAfter(first + 1)) yield
  }
  return copy
}
