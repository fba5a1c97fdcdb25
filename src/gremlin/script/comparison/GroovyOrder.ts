import { isCopied } from "../../../structure/collections/DeepCopy.ts"
import { compare } from "../../../structure/comparison/Comparison.ts"
import { isElement } from "../../../structure/elements/Element.ts"
import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isNaNValue } from "../../../structure/numbers/NumberOrder.ts"
import { type GremlinNumber, isNumber } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { EnumValue, enums } from "../../../structure/scalars/Enums.ts"
import { Uuid } from "../../../structure/scalars/Uuid.ts"
import type { OffsetDateTime } from "../../../structure/times/Temporal.ts"
import type { Budget } from "../budget/Budget.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { areEqualValues, haveOtherOffsets } from "./GroovyEquality.ts"
import { hashCodeOf } from "./HashCodes.ts"

/** Java's order of two values: dates of one instant are in the order of their local times. Undefined without an order. */
export const orderOf = (left: unknown, right: unknown): number | undefined => {
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : Number(left > right)
  if (typeof left === "number" && typeof right === "number" && left !== right) {
    if (left < right) return -1
    if (left > right) return 1
  }
  if (isNumber(left) && isNumber(right)) return ofNumbers(left, right)
  if (left instanceof TextBuilder && right instanceof TextBuilder && left.type === right.type) {
    return left.text < right.text ? -1 : Number(left.text > right.text)
  }
  if (left instanceof Uuid && right instanceof Uuid) return ofUuids(left, right)
  if (left instanceof Char || right instanceof Char) return ofChars(left, right)
  if (isNumber(left) && isCharacter(right)) return toDouble(left) - right.charCodeAt(0)
  if (isNumber(right) && isCharacter(left)) return left.charCodeAt(0) - toDouble(right)
  if (left instanceof EnumValue && right instanceof EnumValue) return ofConstants(left, right)
  if (isCopied(left) || isElement(left)) return undefined
  const sign = compare(left, right)
  if (sign !== 0 || !haveOtherOffsets(left, right)) return sign
  return (left as OffsetDateTime).offsetSeconds - (right as OffsetDateTime).offsetSeconds
}

/** Enumerations whose constants TinkerPop declares in another order than the wire formats. */
const declared: { readonly [enumName: string]: readonly string[] } = {
  T: ["label", "id", "key", "value"],
  Order: ["shuffle", "asc", "desc"],
  Scope: ["global", "local"]
}

/** Java's order of the constants of one enumeration: the one in which it declares them. */
const ofConstants = (left: EnumValue, right: EnumValue): number | undefined => {
  if (left.enumName !== right.enumName) return undefined
  const names = declared[left.enumName] ?? Object.keys(enums[left.enumName])
  return names.indexOf(left.name) - names.indexOf(right.name)
}

const isCharacter = (value: unknown): value is string => typeof value === "string" && value.length === 1

/** NaN is equal to NaN and greater than all other numbers. */
const ofNumbers = (left: GremlinNumber, right: GremlinNumber): number =>
  compare(left, right) ?? Number(isNaNValue(left)) - Number(isNaNValue(right))

const ofChars = (left: unknown, right: unknown): number | undefined => {
  const [first, second] = [left, right].map((value) => (value instanceof Char ? value.text : value))
  if (typeof first === "string" && typeof second === "string") return first < second ? -1 : Number(first > second)
  return isNumber(first) || isNumber(second) ? orderOf(first, second) : undefined
}

/** Java compares the halves of UUIDs as signed numbers. */
const ofUuids = (left: Uuid, right: Uuid): number => {
  const [first, second] = [left, right].map(({ text }) => {
    const digits = text.replaceAll("-", "")
    return [signedHalf(digits.slice(0, 16)), signedHalf(digits.slice(16))] as const
  })
  const [high, low] = [first![0] - second![0], first![1] - second![1]]
  const difference = high === 0n ? low : high
  return difference < 0n ? -1 : Number(difference > 0n)
}

const signedHalf = (digits: string): bigint => BigInt.asIntN(64, BigInt(`0x${digits}`))

/**
 * The order by which Groovy sorts, its NumberAwareComparator: null first, values that Java can compare in their order, and all others,
 * such as lists, by their hash codes. Fails with Unavailable for values whose hash codes differ between servers.
 */
export class SortOrder {
  readonly #budget: Budget
  readonly #hashes = new Map<unknown, number>()

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Negative if `left` is before `right`, and 0 if they are equal. */
  compare(left: unknown, right: unknown): number {
    if (left === right) return 0
    if (left === null || right === null) return left === null ? -1 : 1
    const sign = orderOf(left, right)
    if (sign !== undefined) return sign
    const [first, second] = [this.#hash(left), this.#hash(right)]
    if (first === second && areEqualValues(left, right, this.#budget)) return 0
    return first > second ? 1 : -1
  }

  #hash(value: unknown): number {
    let hash = this.#hashes.get(value)
    if (hash === undefined) {
      hash = hashCodeOf(value, this.#budget)
      this.#hashes.set(value, hash)
    }
    return hash
  }
}
