import { MapValues } from "../../../structure/collections/MapValues.ts"
import { assertChangeable, SizedList } from "./FixedList.ts"
import { JavaArray } from "./JavaArray.ts"
import { unchangeableValues } from "./MapParts.ts"
import { OperandError } from "./OperandErrors.ts"
import { RangeList } from "./RangeList.ts"

/** Methods of lists that change the list. */
const changing: ReadonlySet<string> = new Set(
  (
    "add addAll addFirst addLast offer set push pop removeFirst removeLast poll pollFirst pollLast removeElement swap " +
    "offerFirst offerLast removeFirstOccurrence removeLastOccurrence shuffle remove removeAt removeAll retainAll clear sort unique leftShift"
  ).split(" ")
)

/** Methods that change the order of a list or an array that keeps its length. */
const reordering: ReadonlySet<string> = new Set(["sort", "swap", "shuffle"])

/** True for a method that changes lists. */
export const changesLists = (method: string): boolean => changing.has(method)

/** Checks that a value may get or lose members. Fails with OperandError for a range, a part of a map and an array. */
export const checkGrows = (value: unknown, what: string): void => {
  // Most lists are plain ones. The lists that keep their members are of classes of their own.
  if (Array.isArray(value) && value.constructor === Array) return
  if (value instanceof RangeList) throw value.unchangeable()
  if (value instanceof MapValues) throw unchangeableValues()
  assertChangeable(value)
  if (value instanceof JavaArray) {
    throw new OperandError(
      `an array keeps its length, so it has no ${what}: make a list of it by toList()`,
      "MissingMethodException"
    )
  }
}

/** Methods that make a new list if their argument is false. */
const copying: ReadonlySet<string> = new Set(["sort", "unique"])

/** Checks that a value has the method, if the method changes lists. Fails with OperandError as {@link checkGrows} does. */
export const checkChange = (value: unknown, method: string, args: readonly unknown[] = []): void => {
  if (!changesLists(method)) return
  if (args[0] === false && copying.has(method)) return
  if (value instanceof JavaArray && reordering.has(method)) return
  if (value instanceof SizedList && (reordering.has(method) || method === "set")) return
  // As in Groovy, the values of a map are sorted into a new list.
  if (value instanceof MapValues && method === "sort") return
  checkGrows(value, `${method}()`)
}
