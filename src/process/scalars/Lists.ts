import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { text } from "../../structure/Text.ts"
import { typeName } from "../../structure/TypeNames.ts"
import { TraversalError } from "../Errors.ts"
import { itemsOf } from "./Items.ts"

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

/** combine(list): both lists in a row. */
export const combine = (input: unknown, operand: unknown, fromTraversal = false): unknown[] => {
  const items = incoming("combine", input)
  return [...items, ...argument("combine", operand, fromTraversal)]
}

/** product(list): every pair of a member of the input and one of the operand. */
export const product = (input: unknown, operand: unknown, fromTraversal = false): unknown[][] => {
  const items = incoming("product", input)
  const others = argument("product", operand, fromTraversal)
  return items.flatMap((item) => others.map((other) => [item, other]))
}

/** difference(list): the members that the operand does not have. */
export const difference = (input: unknown, operand: unknown, fromTraversal = false): GremlinSet => {
  const items = incoming("difference", input)
  const others = new GremlinSet(argument("difference", operand, fromTraversal))
  return new GremlinSet(items.filter((item) => !others.has(item)))
}

/** disjunct(list): the members that only one of both has. */
export const disjunct = (input: unknown, operand: unknown, fromTraversal = false): GremlinSet => {
  const items = new GremlinSet(incoming("disjunct", input))
  const others = new GremlinSet(argument("disjunct", operand, fromTraversal))
  const result = new GremlinSet()
  for (const item of items) if (!others.has(item)) result.add(item)
  for (const item of others) if (!items.has(item)) result.add(item)
  return result
}

/** intersect(list): the members that both have. */
export const intersect = (input: unknown, operand: unknown, fromTraversal = false): GremlinSet => {
  const items = incoming("intersect", input)
  const others = new GremlinSet(argument("intersect", operand, fromTraversal))
  return new GremlinSet(items.filter((item) => others.has(item)))
}

/** merge(list or map): the members of both lists, each once; of two maps the entries of both, the operand's winning. */
export const merge = (input: unknown, operand: unknown, fromTraversal = false): GremlinSet | GremlinMap => {
  if (input instanceof GremlinMap) {
    if (operand instanceof GremlinMap) return new GremlinMap([...input, ...operand])
    throw new TraversalError(
      `merge step expected provided argument to evaluate to a Map, encountered ${typeName(operand)}`
    )
  }
  const items = incoming("merge", input)
  if (operand instanceof GremlinMap && !fromTraversal) {
    throw new TraversalError("merge step type mismatch: expected argument to be Iterable but got Map")
  }
  return new GremlinSet([...items, ...argument("merge", operand, fromTraversal)])
}

/** conjoin(delimiter): the members as text, nulls left out, with the delimiter between them; null when all are null. */
export const conjoin = (input: unknown, delimiter: string): string | null => {
  const items = incoming("conjoin", input)
  if (items.length === 0) return ""
  const texts = items.filter((item) => item !== null && item !== undefined).map(text)
  const joined = texts.join(delimiter)
  // As TinkerPop has it, nothing to join and nothing but empty texts are both null when no delimiter tells them apart.
  return texts.length === 0 || (joined === "" && delimiter === "") ? null : joined
}

/** reverse(): a string's characters or a list's members from the last to the first; anything else as it is. */
export const reverse = (input: unknown): unknown => {
  if (typeof input === "string") return [...input].reverse().join("")
  const items = itemsOf(input)
  return items === undefined ? (input ?? null) : [...items].reverse()
}
