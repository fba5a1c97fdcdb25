import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { spend } from "../../structure/Effort.ts"
import { typeName } from "../../structure/TypeNames.ts"
import { TraversalError } from "../Errors.ts"
import { isPieceOver, PIECE, type Pieces } from "../Pieces.ts"
import { checkRoom, itemsOf } from "./Items.ts"
import { checkLength, textWithin } from "./Texts.ts"

/**
 * The steps that make something of lists: set functions (difference, disjunct, intersect, merge), combine, product,
 * conjoin and reverse. A list is what {@link itemsOf} goes into. Members are told apart by equivalence, as in
 * sets. `fromTraversal` says that the operand is what the step's child traversal gave: it only changes the message.
 */

const incoming = (step: string, input: unknown): readonly unknown[] => {
  if (input === null || input === undefined) {
    throw new TraversalError(`Incoming traverser for ${step} step can't be null.`)
  }
  const items = itemsOf(input)
  if (items !== undefined) return items
  throw new TraversalError(
    `${step} step can only take an array or an Iterable type for incoming traversers, encountered ${typeName(input)}`
  )
}

const argument = (step: string, operand: unknown, fromTraversal: boolean): readonly unknown[] => {
  const items = itemsOf(operand)
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
export function* setOf(items: Iterable<unknown>): Pieces<GremlinSet> {
  const set = new GremlinSet()
  let seen = 0
  for (const item of items) {
    set.add(item)
    if (isPieceOver(++seen)) yield
  }
  return set
}

/** A set of the members that `others` has, or has not. */
function* chosen(
  items: Iterable<unknown>,
  others: GremlinSet,
  has: boolean,
  set = new GremlinSet()
): Pieces<GremlinSet> {
  let seen = 0
  for (const item of items) {
    if (others.has(item) === has) set.add(item)
    if (isPieceOver(++seen)) yield
  }
  return set
}

/** combine(list): both lists in a row. `hold` is told how many bytes long ones take: in a loop they double each time. */
export function* combine(
  input: unknown,
  operand: unknown,
  fromTraversal = false,
  hold: (bytes: number) => void = () => {}
): Pieces<unknown[]> {
  const items = incoming("combine", input)
  const others = argument("combine", operand, fromTraversal)
  if (items.length + others.length <= PIECE) return [...items, ...others]
  const all: Array<unknown> = []
  for (const list of [items, others]) {
    for (const item of list) {
      all.push(item)
      if (all.length % PIECE > 0) continue
      checkRoom(all)
      hold(PIECE * REFERENCE)
      yield
    }
  }
  return all
}

/** Bytes of a place in a list. */
const REFERENCE = 8

/** product(list): every pair of a member of the input and one of the operand. `hold` is told how many bytes they take. */
export function* product(
  input: unknown,
  operand: unknown,
  fromTraversal = false,
  hold: (bytes: number) => void = () => {}
): Pieces<unknown[][]> {
  const items = incoming("product", input)
  const others = argument("product", operand, fromTraversal)
  const pairs: Array<Array<unknown>> = []
  for (const item of items) {
    for (const other of others) {
      pairs.push([item, other])
      if (pairs.length % PIECE > 0) continue
      checkRoom(pairs)
      hold(PIECE * PAIR)
      yield
    }
  }
  return pairs
}

/** Bytes of a pair in a list. */
const PAIR = 48

/** difference(list): the members that the operand does not have. */
export function* difference(input: unknown, operand: unknown, fromTraversal = false): Pieces<GremlinSet> {
  const items = incoming("difference", input)
  return yield* chosen(items, yield* setOf(argument("difference", operand, fromTraversal)), false)
}

/** disjunct(list): the members that only one of both has. */
export function* disjunct(input: unknown, operand: unknown, fromTraversal = false): Pieces<GremlinSet> {
  const items = yield* setOf(incoming("disjunct", input))
  const others = yield* setOf(argument("disjunct", operand, fromTraversal))
  return yield* chosen(others, items, false, yield* chosen(items, others, false))
}

/** intersect(list): the members that both have. */
export function* intersect(input: unknown, operand: unknown, fromTraversal = false): Pieces<GremlinSet> {
  const items = incoming("intersect", input)
  return yield* chosen(items, yield* setOf(argument("intersect", operand, fromTraversal)), true)
}

/** merge(list or map): the members of both lists, each once; of two maps the entries of both, the operand's winning. */
export function* merge(input: unknown, operand: unknown, fromTraversal = false): Pieces<GremlinSet | GremlinMap> {
  if (input instanceof GremlinMap) {
    if (operand instanceof GremlinMap) return yield* mergedMaps(input, operand)
    throw new TraversalError(
      `merge step expected provided argument to evaluate to a Map, encountered ${typeName(operand)}`
    )
  }
  const items = incoming("merge", input)
  if (operand instanceof GremlinMap && !fromTraversal) {
    throw new TraversalError("merge step type mismatch: expected argument to be Iterable but got Map")
  }
  return yield* setOf(inTurn(items, argument("merge", operand, fromTraversal)))
}

function* inTurn(...lists: ReadonlyArray<Iterable<unknown>>): Iterable<unknown> {
  for (const list of lists) yield* list
}

function* mergedMaps(...maps: ReadonlyArray<GremlinMap>): Pieces<GremlinMap> {
  const merged = new GremlinMap()
  for (const map of maps) {
    for (const [key, value] of map) {
      merged.set(key, value)
      if (isPieceOver(merged.size)) yield
    }
  }
  return merged
}

/** conjoin(delimiter): the members as text, nulls left out, with the delimiter between them; null when all are null. */
export function* conjoin(input: unknown, delimiter: string): Pieces<string | null> {
  const items = incoming("conjoin", input)
  if (items.length === 0) return ""
  const parts: Array<string> = []
  let length = 0
  for (let i = 0; i < items.length; i++) {
    if (isPieceOver(i + 1)) yield
    const item = items[i]
    if (item === null || item === undefined) continue
    const part = textWithin("conjoin", item)
    parts.push(part)
    length += part.length + (parts.length === 1 ? 0 : delimiter.length)
    checkLength("conjoin", length)
  }
  // As TinkerPop has it, nothing to join and nothing but empty texts are both null when no delimiter tells them apart.
  return length === 0 && (delimiter === "" || parts.length === 0) ? null : parts.join(delimiter)
}

/** reverse(): a string's characters or a list's members from the last to the first; anything else as it is. */
export const reverse = (input: unknown): unknown => {
  if (typeof input === "string") {
    checkLength("reverse", input.length)
    spend(input.length >> 2)
    return reversed(input)
  }
  const items = itemsOf(input)
  return items === undefined ? (input ?? null) : [...items].reverse()
}

/** Surrogates stay in pairs. */
const reversed = (text: string): string => {
  const units = new Uint16Array(text.length)
  for (let i = 0; i < text.length; i++) units[text.length - 1 - i] = text.charCodeAt(i)
  for (let i = 0; i + 1 < units.length; i++) {
    const [first, second] = [units[i]!, units[i + 1]!]
    if ((first & 0xfc00) !== 0xdc00 || (second & 0xfc00) !== 0xd800) continue
    units[i] = second
    units[++i] = first
  }
  return Buffer.from(units.buffer).toString("utf16le")
}
