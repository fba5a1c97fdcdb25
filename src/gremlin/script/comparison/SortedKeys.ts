import { TypeMismatch } from "../../../structure/errors/ValueErrors.ts"
import { isInt } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { SortedMap, SortedSet } from "../values/SortedCollections.ts"
import { orderOf } from "./GroovyOrder.ts"

/** Java's natural order of two keys of a sorted collection. Fails with TypeMismatch for keys of two classes, or without an order. */
export const compareKeys = (left: unknown, right: unknown): number => {
  // Most keys are texts or Ints. Another plain number is a Double.
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : Number(left > right)
  if (typeof left === "number" && typeof right === "number" && isInt(left) && isInt(right)) return left - right
  if (left === null || right === null) {
    throw new OperandError("null is no key of a sorted map and no member of a sorted set", "NullPointerException")
  }
  const [one, other] = [typeName(left), typeName(right)]
  const order = one === other ? orderOf(left, right) : undefined
  if (order !== undefined) return order
  if (one === other) throw new TypeMismatch(`class ${one} cannot be cast to class java.lang.Comparable`)
  throw new TypeMismatch(
    `class ${one} cannot be cast to class ${other}: the keys of a sorted collection are of one class`
  )
}

const compareReversed = (left: unknown, right: unknown): number => compareKeys(right, left)

/** A TreeMap with these entries. Fails as {@link compareKeys}. */
export const sortedMap = (entries: Iterable<readonly [unknown, unknown]> = [], isReverse = false): SortedMap =>
  new SortedMap(entries, isReverse ? compareReversed : compareKeys)

/** A TreeSet with these members. Fails as {@link compareKeys}. */
export const sortedSet = (members: Iterable<unknown> = [], isReverse = false): SortedSet =>
  new SortedSet(members, isReverse ? compareReversed : compareKeys)
