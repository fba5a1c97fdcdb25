import { ArithmeticFailure } from "../../../structure/errors/ValueErrors.ts"
import { toBigDecimal } from "../../../structure/numbers/Arithmetic.ts"
import { addDecimals, compareDecimals, precision, subtractDecimals } from "../../../structure/numbers/Decimal.ts"
import { BigDecimal, isNumber } from "../../../structure/numbers/Numbers.ts"
import {
  dividedAt,
  dividedExactly,
  type RoundingMode,
  remainderOf,
  rescaled,
  withoutZeros
} from "../../../structure/numbers/Rounding.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { counted, decimalOf, integerOf, intOf } from "../budget/Digits.ts"
import type { Method, Methods } from "../methods/MethodTable.ts"
import { isFloating } from "../operators/NumberOperators.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { numberMethods } from "./NumberMethods.ts"
import { roundingMode } from "./RoundingConstants.ts"

// Methods of java.math.BigDecimal.

/** A number without a fraction or a BigDecimal as a BigDecimal. Groovy converts a Double by its bits: 0.1d has 55 digits. */
const decimal = (value: unknown, method: string): BigDecimal => {
  if (value === null) throw new OperandError(`${method}() got null`, "NullPointerException")
  if (isNumber(value) && !isFloating(value)) return toBigDecimal(value)
  const given = typeName(value)
  const instead = isNumber(value) ? ": write 1.5m, or x.toBigDecimal()" : ""
  throw new Unavailable(`${method}() of BigDecimal takes a BigDecimal or an integer, not ${given}${instead}`)
}

type Operation = (value: BigDecimal, other: BigDecimal) => BigDecimal

const operation = (name: string, calculate: Operation): Method => [
  1,
  1,
  (value: BigDecimal, [other], budget) => {
    counted(budget)
    return decimalOf(calculate(value, decimal(other, name)), budget)
  }
]

/** `x.divide(y)`, `x.divide(y, mode)` and `x.divide(y, scale, mode)`. As in Java, the quotient of `divide(y, mode)` has the scale of x. */
const divided = (value: BigDecimal, args: readonly unknown[], budget: Budget): BigDecimal => {
  counted(budget)
  const other = decimal(args[0], "divide")
  if (args.length === 1) return decimalOf(dividedExactly(value, other), budget)
  const scale = args.length === 3 ? intOf(args[1]) : value.scale
  return decimalOf(dividedAt(value, other, scale, roundingMode(args.at(-1))), budget)
}

const scaled = (value: BigDecimal, scale: number, mode: RoundingMode, budget: Budget): BigDecimal => {
  counted(budget)
  return decimalOf(scale === value.scale ? value : rescaled(value, scale, mode), budget)
}

/** The decimal with its point moved to the left. As in Java, the result has no negative scale. */
const moved = (value: BigDecimal, places: number, budget: Budget): BigDecimal => {
  if (places === 0) return value
  const result = decimalOf(new BigDecimal(value.unscaled, value.scale + places), budget)
  return result.scale < 0 ? scaled(result, 0, "UNNECESSARY", budget) : result
}

const digitsOf = (value: BigDecimal, budget: Budget): number => {
  counted(budget)
  return precision(value)
}

/** Digits of the largest Long. */
const LONG_DIGITS = 19

/** The integer that a decimal is. Fails with ArithmeticFailure for a fraction, or for a number of more than `bits` bits. */
const exactly = (value: BigDecimal, bits: number, budget: Budget): bigint => {
  if (value.unscaled !== 0n && digitsOf(value, budget) - value.scale > LONG_DIGITS) {
    throw new ArithmeticFailure("Overflow")
  }
  const whole = scaled(value, 0, "UNNECESSARY", budget).unscaled
  if (BigInt.asIntN(bits, whole) !== whole) throw new ArithmeticFailure("Overflow")
  return whole
}

/** The text without an exponent. */
const plainText = ({ scale, unscaled }: BigDecimal, budget: Budget): string => {
  if (scale === 0) return budget.text(new BigDecimal(unscaled, 0))
  if (unscaled === 0n && scale < 0) return "0"
  const sign = unscaled < 0n ? "-" : ""
  const digits = budget.text(new BigDecimal(unscaled < 0n ? -unscaled : unscaled, 0))
  if (scale < 0) return budget.string(`${sign}${digits}${budget.repeated("0", -scale)}`)
  const padded = `${budget.repeated("0", Math.max(0, scale + 1 - digits.length))}${digits}`
  return budget.string(`${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`)
}

/** Methods of BigDecimals. */
export const decimalMethods: Methods = {
  ...numberMethods,
  scale: [0, 0, (value: BigDecimal) => value.scale],
  precision: [0, 0, (value: BigDecimal, _, budget) => digitsOf(value, budget)],
  unscaledValue: [0, 0, (value: BigDecimal, _, budget) => integerOf(value.unscaled, budget)],
  setScale: [
    1,
    2,
    (value: BigDecimal, [scale, mode], budget) =>
      scaled(value, intOf(scale), mode === undefined ? "UNNECESSARY" : roundingMode(mode), budget)
  ],
  stripTrailingZeros: [
    0,
    0,
    (value: BigDecimal, _, budget) => {
      counted(budget)
      return decimalOf(withoutZeros(value), budget)
    }
  ],
  toPlainString: [0, 0, (value: BigDecimal, _, budget) => plainText(value, budget)],
  add: operation("add", addDecimals),
  subtract: operation("subtract", subtractDecimals),
  divide: [1, 3, divided],
  remainder: operation("remainder", remainderOf),
  max: operation("max", (value, other) => (compareDecimals(value, other) >= 0 ? value : other)),
  min: operation("min", (value, other) => (compareDecimals(value, other) <= 0 ? value : other)),
  movePointLeft: [1, 1, (value: BigDecimal, [places], budget) => moved(value, intOf(places), budget)],
  movePointRight: [1, 1, (value: BigDecimal, [places], budget) => moved(value, -intOf(places), budget)],
  scaleByPowerOfTen: [
    1,
    1,
    (value: BigDecimal, [power], budget) =>
      decimalOf(new BigDecimal(value.unscaled, value.scale - intOf(power)), budget)
  ],
  intValueExact: [0, 0, (value: BigDecimal, _, budget) => Number(exactly(value, 32, budget))],
  longValueExact: [0, 0, (value: BigDecimal, _, budget) => exactly(value, 64, budget)],
  toBigIntegerExact: [
    0,
    0,
    (value: BigDecimal, _, budget) => integerOf(scaled(value, 0, "UNNECESSARY", budget).unscaled, budget)
  ]
}
