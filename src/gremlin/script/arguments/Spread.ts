import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** The members that replace `*list` among arguments or items, or the map of `*:map`. It is never the value of a variable. */
export class Spread {
  readonly members: readonly unknown[]
  readonly map: GremlinMap | undefined
  constructor(members: readonly unknown[], map?: GremlinMap) {
    this.members = members
    this.map = map
  }
}

/**
 * The members that replace `*value` or `*:value`. As in Groovy, null is one member. Fails with OperandError for a value that is not a
 * list.
 */
export const spreadOf = (value: unknown, isMap: boolean, budget: Budget): Spread => {
  if (isMap) {
    if (value instanceof GremlinMap) {
      budget.spend(value.size, "*:")
      return new Spread([], value)
    }
    if (value === null) return new Spread([], new GremlinMap())
    throw new OperandError(`*: takes a map, not ${typeName(value)}`, "IllegalArgumentException")
  }
  if (value === null) return new Spread([null])
  if (Array.isArray(value)) {
    budget.spend(value.length, "*")
    return new Spread(value)
  }
  const hint = value instanceof GremlinMap ? ". Write *: before a map" : ""
  throw new OperandError(`* takes a list, not ${typeName(value)}${hint}`, "IllegalArgumentException")
}

/** Maximum number of arguments of a step that a spread list or an array gives. */
const MAX_ARGUMENTS = 10_000

/** A copy of members that stand for arguments of a step. Fails with OperandError if they are too many. */
export const severalArguments = (members: readonly unknown[]): unknown[] => {
  checkArguments(members.length)
  return [...members]
}

/** Adds a value to the arguments of a step, or the members of a spread list. Fails with OperandError if they are too many. */
export const addArguments = (args: Array<unknown>, value: unknown): void => {
  if (value instanceof Spread) checkArguments(args.length + value.members.length)
  addTo(args, value)
}

const checkArguments = (count: number): void => {
  if (count <= MAX_ARGUMENTS) return
  throw new OperandError(
    `${count} arguments of a step are too many: the limit for scripts is ${MAX_ARGUMENTS}. Give it the list itself, such as within(list)`
  )
}

/** Adds a value to arguments or items, or the members of a spread list. */
export const addTo = (values: Array<unknown>, value: unknown): void => {
  if (value instanceof Spread) for (const member of value.members) values.push(member)
  else values.push(value)
}

/** Adds a value as {@link addTo} does. Fails with OperandError if all spread lists together have too many members. */
export const addCounted = (values: Array<unknown>, value: unknown, budget: Budget): void => {
  if (value instanceof Spread) budget.grown(values.length + value.members.length, "*")
  addTo(values, value)
}
