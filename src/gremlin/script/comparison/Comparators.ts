import { toBigInt, toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { double, isNumber } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { DerivedClosure } from "../../DerivedClosures.ts"
import type { ScriptRun } from "../../HostCall.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import type { Budget } from "../budget/Budget.ts"
import { derived } from "../objects/ClosureValues.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { compareKeys } from "./SortedKeys.ts"

// Java's comparators are closures of two parameters here, so that each method that takes such a closure takes them, too.

type Caller = Parameters<DerivedClosure["run"]>[1]

/** The order of two values by a comparator; without one their natural order. */
function* orderBy(order: ScriptClosure | undefined, left: unknown, right: unknown, caller: Caller): ScriptRun {
  if (order !== undefined) return yield* caller.call(order, [left, right])
  caller.budget.ordered(left, right)
  if (left === null || right === null) {
    throw new OperandError("null has no natural order: use Comparator.nullsFirst(order)", "NullPointerException")
  }
  return Math.sign(compareKeys(left, right)) || orderOfZeros(left, right)
}

/** As in Java, -0.0 is before 0.0. */
const orderOfZeros = (left: unknown, right: unknown): number => {
  if (!(isNumber(left) && isNumber(right)) || toDouble(left) !== 0) return 0
  return Number(Object.is(toDouble(right), -0)) - Number(Object.is(toDouble(left), -0))
}

/** A key as `comparingInt()`, `comparingLong()` and `comparingDouble()` convert it. */
const numberOf = (key: unknown, type: NumberType): unknown => {
  if (!isNumber(key))
    throw new OperandError(`comparing${type}() needs numbers, not ${typeName(key)}`, "GroovyCastException")
  if (type === "Double") return double(toDouble(key))
  return toBigInt(key)
}

type NumberType = "Int" | "Long" | "Double"

/** A closure that compares two values. It needs no delegate. */
abstract class Comparator extends DerivedClosure {
  constructor(...parts: readonly ScriptClosure[]) {
    super(parts, 2)
  }
  override delegatingTo(): ScriptClosure {
    return this
  }
  *run(args: readonly unknown[], caller: Caller): ScriptRun {
    if (args.length !== 2) throw new OperandError(`a comparator compares 2 values, not ${args.length}`)
    return yield* this.compare(args[0], args[1], caller)
  }
  abstract compare(left: unknown, right: unknown, caller: Caller): ScriptRun
}

/** `Comparator.naturalOrder()` and `Comparator.reverseOrder()`. Fails with TypeMismatch for values without a natural order. */
export class NaturalOrder extends Comparator {
  readonly isReverse: boolean

  constructor(isReverse: boolean) {
    super()
    this.isReverse = isReverse
  }
  *compare(left: unknown, right: unknown, caller: Caller): ScriptRun {
    return this.isReverse
      ? yield* orderBy(undefined, right, left, caller)
      : yield* orderBy(undefined, left, right, caller)
  }
}

/** `comparator.reversed()`. */
class Reversed extends Comparator {
  readonly #of: ScriptClosure

  constructor(of: ScriptClosure) {
    super(of)
    this.#of = of
  }
  compare(left: unknown, right: unknown, caller: Caller): ScriptRun {
    return caller.call(this.#of, [right, left])
  }
}

/** `Comparator.comparing(key)`, and with the order of the keys `Comparator.comparing(key, order)`. */
class ByKey extends Comparator {
  readonly #key: ScriptClosure
  readonly #order: ScriptClosure | undefined
  /** The type to which keys are converted; undefined for none. */
  readonly #type: NumberType | undefined

  constructor(key: ScriptClosure, order: ScriptClosure | undefined, type: NumberType | undefined) {
    super(key, ...(order === undefined ? [] : [order]))
    this.#key = key
    this.#order = order
    this.#type = type
  }
  *compare(left: unknown, right: unknown, caller: Caller): ScriptRun {
    const one = yield* this.#keyOf(left, caller)
    return yield* orderBy(this.#order, one, yield* this.#keyOf(right, caller), caller)
  }
  *#keyOf(value: unknown, caller: Caller): ScriptRun {
    const key = yield* caller.call(this.#key, [value])
    return this.#type === undefined ? key : numberOf(key, this.#type)
  }
}

/** `first.thenComparing(second)`: the second comparator decides between values that are equal to the first. */
class OneAfterAnother extends Comparator {
  readonly #first: ScriptClosure
  readonly #second: ScriptClosure

  constructor(first: ScriptClosure, second: ScriptClosure) {
    super(first, second)
    this.#first = first
    this.#second = second
  }
  *compare(left: unknown, right: unknown, caller: Caller): ScriptRun {
    const order = yield* caller.call(this.#first, [left, right])
    return isNumber(order) && Math.trunc(toDouble(order)) === 0
      ? yield* caller.call(this.#second, [left, right])
      : order
  }
}

/** `Comparator.nullsFirst(order)` and `Comparator.nullsLast(order)`. */
class WithNulls extends Comparator {
  readonly #order: ScriptClosure
  readonly #sign: 1 | -1

  /** @param sign of null beside another value */
  constructor(order: ScriptClosure, sign: 1 | -1) {
    super(order)
    this.#order = order
    this.#sign = sign
  }
  *compare(left: unknown, right: unknown, caller: Caller): ScriptRun {
    if (left === null || right === null) return left === right ? 0 : left === null ? this.#sign : -this.#sign
    return yield* caller.call(this.#order, [left, right])
  }
}

/** The closure with this number of parameters. Fails with OperandError for another value; `call` names the method. */
const closureOf = (value: unknown, parameterCount: 1 | 2, call: string): ScriptClosure => {
  if (value instanceof ScriptClosure && value.parameterCount === parameterCount) return value
  const wanted = parameterCount === 1 ? "one parameter, which gives a key" : "two parameters, which compares two values"
  throw new OperandError(`${call} takes a closure of ${wanted}`, "MissingMethodException")
}

const isCalledWith = (args: readonly unknown[], least: number, most = least): boolean =>
  args.length >= least && args.length <= most

/** Calls a method of the class Comparator. Undefined for another method. Fails with OperandError for wrong arguments. */
export const comparatorOf = (
  name: string,
  args: readonly unknown[],
  budget: Budget
): { readonly value: ScriptClosure } | undefined => {
  const call = `Comparator.${name}()`
  if (/^(?:natural|reverse)Order$/.test(name) && isCalledWith(args, 0)) {
    return { value: derived(new NaturalOrder(name === "reverseOrder"), budget) }
  }
  const keyed = /^comparing(Int|Long|Double)?$/.exec(name)
  if (keyed !== null && isCalledWith(args, 1, keyed[1] === undefined ? 2 : 1)) {
    const order = args.length === 2 ? closureOf(args[1], 2, call) : undefined
    return { value: derived(new ByKey(closureOf(args[0], 1, call), order, keyed[1] as NumberType | undefined), budget) }
  }
  if (/^nulls(?:First|Last)$/.test(name) && isCalledWith(args, 1)) {
    const order = closureOf(args[0], 2, call)
    return { value: derived(new WithNulls(order, name === "nullsFirst" ? -1 : 1), budget) }
  }
  return undefined
}

/** `Collections.reverseOrder()`, and with a comparator its reverse. */
export const reverseOrder = (args: readonly unknown[], budget: Budget): ScriptClosure =>
  (args[0] ?? null) === null
    ? derived(new NaturalOrder(true), budget)
    : reverseOf(closureOf(args[0], 2, "Collections.reverseOrder()"), budget)

const reverseOf = (order: ScriptClosure, budget: Budget): ScriptClosure =>
  derived(order instanceof NaturalOrder ? new NaturalOrder(!order.isReverse) : new Reversed(order), budget)

/**
 * The value of a method of a comparator that does not compare: `reversed()` or `thenComparing(key)`, which also takes a comparator.
 * Undefined for another method.
 */
export const comparatorMethod = (
  comparator: ScriptClosure,
  name: string,
  args: readonly unknown[],
  budget: Budget
): { readonly value: ScriptClosure } | undefined => {
  if (comparator.parameterCount !== 2) return undefined
  if (name === "reversed" && isCalledWith(args, 0)) return { value: reverseOf(comparator, budget) }
  const type = /^thenComparing(Int|Long|Double)?$/.exec(name)
  if (type === null || !isCalledWith(args, 1, type[1] === undefined ? 2 : 1)) return undefined
  const [first] = args
  const isComparator = first instanceof ScriptClosure && first.parameterCount === 2 && args.length === 1
  const second =
    isComparator && type[1] === undefined ? first : comparatorOf(name.replace("thenC", "c"), args, budget)!.value
  return { value: derived(new OneAfterAnother(comparator, second), budget) }
}
