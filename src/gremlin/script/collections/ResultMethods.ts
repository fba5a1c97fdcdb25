import { GremlinSet } from "../../../structure/collections/Collections.ts"
import { asIndex, type Methods } from "../methods/MethodTable.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"
import { memberMethods } from "./CollectionMethods.ts"

const presentValue = (value: Optional): unknown => {
  if (value.value === undefined) throw new OperandError("No value present", "NoSuchElementException")
  return value.value
}

/** Methods of the result of tryNext(), and of a stream's. */
export const optionalMethods: Methods = {
  ...Object.fromEntries(["getAsInt", "getAsLong", "getAsDouble"].map((name) => [name, [0, 0, presentValue]])),
  isPresent: [0, 0, (value: Optional) => value.value !== undefined],
  isEmpty: [0, 0, (value: Optional) => value.value === undefined],
  get: [
    0,
    0,
    (value: Optional) => {
      if (value.value === undefined)
        throw new OperandError("No value present: the traversal had no result", "NoSuchElementException")
      return value.value
    }
  ],
  orElseThrow: [0, 0, presentValue],
  orElse: [1, 1, (value: Optional, [other]) => (value.value === undefined ? other : value.value)]
}

/** Methods of iterators. */
export const iteratorMethods: Methods = {
  hasNext: [0, 0, (value: ScriptIterator) => value.hasNext],
  next: [
    0,
    0,
    (value: ScriptIterator) => {
      if (!value.hasNext)
        throw new OperandError("the iterator has no further value: call hasNext() first", "NoSuchElementException")
      return value.next()
    }
  ],
  toList: [0, 0, (value: ScriptIterator) => value.rest()],
  toSet: [0, 0, (value: ScriptIterator, _, budget) => new GremlinSet(budget.keys(value.rest()))],
  size: [0, 0, (value: ScriptIterator) => value.rest().length],
  iterator: [0, 0, (value: ScriptIterator) => value],
  // As in Groovy, the iterator itself goes on.
  drop: [
    1,
    1,
    (value: ScriptIterator, [count]) => {
      for (let left = asIndex(count); left > 0 && value.hasNext; left--) value.next()
      return value
    }
  ],
  reverse: [0, 0, (value: ScriptIterator, _, budget) => new ScriptIterator(budget.list(value.rest().reverse()))],
  join: [0, 1, (value: ScriptIterator, args, budget) => memberMethods.join![2](value.rest() as never, args, budget)]
}

/** The value of a method of the class Optional; undefined for a method that scripts do not have. Fails with OperandError. */
export const callOptional = (name: string, args: readonly unknown[]): { readonly value: unknown } | undefined => {
  const [value] = args
  if (name === "empty" && args.length === 0) return { value: new Optional(undefined) }
  if (args.length !== 1) return undefined
  if (name === "ofNullable") return { value: new Optional(value ?? undefined) }
  if (name !== "of") return undefined
  if (value === null)
    throw new OperandError("Optional.of() got null: write Optional.ofNullable()", "NullPointerException")
  return { value: new Optional(value) }
}
