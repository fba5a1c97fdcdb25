import { ArithmeticFailure } from "../errors/ValueErrors.ts"
import {
  addDecimals,
  decimalOfDouble,
  decimalToDouble,
  divideDecimals,
  integralPart,
  multiplyDecimals,
  parseDecimal,
  subtractDecimals
} from "./Decimal.ts"
import { compareNumbers, isNaNValue, plainValue } from "./NumberOrder.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  double,
  Float,
  type GremlinNumber,
  isInt,
  javaNumberName,
  LONG_MAX,
  LONG_MIN,
  type NumberKind,
  numberKind,
  Short
} from "./Numbers.ts"
import { floatText } from "./NumberText.ts"

/**
 * Arithmetic on numbers of any types by TinkerPop's promotion rules: the result has the wider type of both operands, a
 * floating one when either is. A result that does not fit gets the next wider type; beyond Long it is an error ("long
 * overflow"), beyond Double an infinity. Integers of more than 65,536 bits and BigDecimals of more than 10,000 digits are
 * refused: one operation would take too long.
 */

/** Longer integers are refused: a client could otherwise square one until memory is full. An operation on two takes 0.5 ms at most. */
const integerBound = 1n << 65_536n
/** Longer BigDecimals are refused: a quotient needs the greatest common divisor, which takes some 10 ms at worst. */
const decimalBound = 10n ** 10_000n

/** Bits of each type; BigInteger and BigDecimal count as 128. */
const bitsOf: { readonly [K in NumberKind]: number } = {
  Byte: 8,
  Short: 16,
  Int: 32,
  Long: 64,
  BigInteger: 128,
  Float: 32,
  Double: 64,
  BigDecimal: 128
}

const isFloating = (kind: NumberKind): boolean => kind === "Float" || kind === "Double" || kind === "BigDecimal"

/** The type in which an operation on two numbers is calculated. */
export const commonKind = (a: NumberKind, b: NumberKind): NumberKind => {
  if (a === b) return a
  const bits = Math.max(bitsOf[a], bitsOf[b])
  if (isFloating(a) || isFloating(b)) return bits <= 32 ? "Float" : bits <= 64 ? "Double" : "BigDecimal"
  return bits <= 16 ? "Short" : bits <= 32 ? "Int" : bits <= 64 ? "Long" : "BigInteger"
}

/** The four operations on each of the three representations of a number. */
interface Operation {
  readonly integers: (a: bigint, b: bigint) => bigint
  readonly doubles: (a: number, b: number) => number
  readonly decimals: (a: BigDecimal, b: BigDecimal) => BigDecimal
}

const addition: Operation = { integers: (a, b) => a + b, doubles: (a, b) => a + b, decimals: addDecimals }
const subtraction: Operation = { integers: (a, b) => a - b, doubles: (a, b) => a - b, decimals: subtractDecimals }
const multiplication: Operation = { integers: (a, b) => a * b, doubles: (a, b) => a * b, decimals: multiplyDecimals }
const division: Operation = {
  integers: (a, b) => {
    if (b === 0n) throw new ArithmeticFailure("/ by zero: an integer has no infinity; divide by 0.0 to get one.")
    return a / b
  },
  doubles: (a, b) => a / b,
  decimals: divideDecimals
}

/** Sum of two numbers. Fails with ArithmeticFailure beyond Long. */
export const add = (a: GremlinNumber, b: GremlinNumber): GremlinNumber => {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b
    // The sum of two Ints is exact in a number; the sum of two Doubles is a Double.
    if (isInt(a) && isInt(b)) return (sum | 0) === sum ? sum : BigInt(sum)
    return double(sum)
  }
  return calculate(addition, a, b)
}

/** Difference of two numbers. Fails with ArithmeticFailure beyond Long. */
export const subtract = (a: GremlinNumber, b: GremlinNumber): GremlinNumber => {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b
    if (isInt(a) && isInt(b)) return (difference | 0) === difference ? difference : BigInt(difference)
    return double(difference)
  }
  return calculate(subtraction, a, b)
}

/** Product of two numbers. Fails with ArithmeticFailure beyond Long. */
export const multiply = (a: GremlinNumber, b: GremlinNumber): GremlinNumber => {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b
    if (!isInt(a) || !isInt(b)) return double(product)
    // + 0 makes the -0 of -1 * 0 the Int 0.
    if ((product | 0) === product) return product + 0
    if (Number.isSafeInteger(product)) return BigInt(product)
  }
  return calculate(multiplication, a, b)
}

/**
 * Quotient of two numbers; that of two integers is truncated towards zero. Fails with ArithmeticFailure when an integer
 * or a BigDecimal is divided by zero.
 */
export const divide = (a: GremlinNumber, b: GremlinNumber): GremlinNumber => {
  if (typeof a === "number" && typeof b === "number" && b !== 0) {
    if (!isInt(a) || !isInt(b)) return double(a / b)
    const quotient = Math.trunc(a / b)
    return (quotient | 0) === quotient ? quotient + 0 : BigInt(quotient)
  }
  return calculate(division, a, b)
}

const calculate = (operation: Operation, a: GremlinNumber, b: GremlinNumber): GremlinNumber => {
  const kind = commonKind(numberKind(a), numberKind(b))
  switch (kind) {
    case "BigDecimal":
      return bounded(operation.decimals(bounded(toBigDecimal(a)), bounded(toBigDecimal(b))))
    case "Double":
      return double(operation.doubles(toDouble(a), toDouble(b)))
    case "Float": {
      // Both become Floats first: an Int may have more digits than one holds.
      const result = Math.fround(operation.doubles(Math.fround(toDouble(a)), Math.fround(toDouble(b))))
      return Math.abs(result) === Number.POSITIVE_INFINITY
        ? double(operation.doubles(toDouble(a), toDouble(b)))
        : new Float(result)
    }
    default:
      return fitting(operation.integers(toBigInt(a), toBigInt(b)), kind)
  }
}

const bounded = (value: BigDecimal): BigDecimal => {
  if (isBelow(value.unscaled, decimalBound)) return value
  throw new ArithmeticFailure("A BigDecimal of more than 10000 digits is refused in calculations; round it first.")
}

const isBelow = (value: bigint, bound: bigint): boolean => value < bound && value > -bound

/** An integer in the narrowest type from `kind` up that holds it. Fails with ArithmeticFailure beyond Long. */
const fitting = (value: bigint, kind: NumberKind): GremlinNumber => {
  if (kind === "BigInteger") {
    if (isBelow(value, integerBound)) return new BigInteger(value)
    throw new ArithmeticFailure(
      "The result has more than 65536 bits; this server calculates with shorter integers only."
    )
  }
  const bits = bitsOf[kind]
  if (bits <= 8 && BigInt.asIntN(8, value) === value) return new Byte(Number(value))
  if (bits <= 16 && BigInt.asIntN(16, value) === value) return new Short(Number(value))
  if (bits <= 32 && BigInt.asIntN(32, value) === value) return Number(value)
  if (BigInt.asIntN(64, value) === value) return value
  throw new ArithmeticFailure(`long overflow: ${value} is beyond the range of a Long; use a BigInteger (suffix n).`)
}

/** The smaller of two numbers, in the wider type of both. NaN only when both are NaN. */
export const smaller = (a: GremlinNumber, b: GremlinNumber): GremlinNumber => {
  if (isNaNValue(a)) return b
  if (isNaNValue(b)) return a
  return convert(compareNumbers(a, b) <= 0 ? a : b, commonKind(numberKind(a), numberKind(b)))
}

/** The larger of two numbers, in the wider type of both. NaN only when both are NaN. */
export const larger = (a: GremlinNumber, b: GremlinNumber): GremlinNumber => {
  if (isNaNValue(a)) return b
  if (isNaNValue(b)) return a
  return convert(compareNumbers(a, b) >= 0 ? a : b, commonKind(numberKind(a), numberKind(b)))
}

/** The quotient that mean() returns: a Double, or a BigDecimal when the sum is a BigInteger or BigDecimal. */
export const average = (sum: GremlinNumber, count: number): GremlinNumber =>
  sum instanceof BigInteger || sum instanceof BigDecimal
    ? divideDecimals(toBigDecimal(sum), new BigDecimal(BigInt(count), 0))
    : double(toDouble(sum) / count)

/** The number in another type; bits that the type has no room for are dropped. */
const convert = (value: GremlinNumber, kind: NumberKind): GremlinNumber => {
  switch (kind) {
    case "Double":
      return double(toDouble(value))
    case "Float":
      return new Float(toDouble(value))
    case "BigDecimal":
      return toBigDecimal(value)
    case "BigInteger":
      return new BigInteger(toBigInt(value))
    case "Long":
      return BigInt.asIntN(64, toBigInt(value))
    case "Int":
      return Number(BigInt.asIntN(32, toBigInt(value)))
    case "Short":
      return new Short(Number(BigInt.asIntN(16, toBigInt(value))))
    case "Byte":
      return new Byte(Number(BigInt.asIntN(8, toBigInt(value))))
  }
}

/** The nearest Double of a number. */
export const toDouble = (value: GremlinNumber): number =>
  typeof value === "number" ? value : value instanceof BigDecimal ? decimalToDouble(value) : Number(plainValue(value))

/** The integral part of a number. Fails with ArithmeticFailure for NaN and the infinities. */
export const toBigInt = (value: GremlinNumber): bigint => {
  if (value instanceof BigDecimal) return integralPart(value)
  const plain = plainValue(value)
  if (typeof plain === "bigint") return plain
  if (!Number.isFinite(plain)) throw new ArithmeticFailure(`${plain} has no integral value.`)
  return BigInt(Math.trunc(plain))
}

/** The decimal that the number's text spells. Fails with ArithmeticFailure for NaN and the infinities. */
export const toBigDecimal = (value: GremlinNumber): BigDecimal => {
  if (value instanceof BigDecimal) return value
  const plain = plainValue(value)
  if (typeof plain === "bigint") return new BigDecimal(plain, 0)
  if (!Number.isFinite(plain)) throw new ArithmeticFailure(`${plain} has no BigDecimal value.`)
  if (value instanceof Float) return parseDecimal(floatText(plain))
  return isFloating(numberKind(value)) ? decimalOfDouble(plain) : new BigDecimal(BigInt(plain), 0)
}

const largestFloat = 3.4028234663852886e38

/**
 * The number in a requested type (asNumber(GType)): fractions are truncated for the integer types. Fails with
 * ArithmeticFailure when the value is out of range.
 */
export const castTo = (value: GremlinNumber, kind: NumberKind): GremlinNumber => {
  const from = numberKind(value)
  if (from === kind) return value
  switch (kind) {
    case "Double": {
      // A Float keeps its digits: 0.1f becomes 0.1, not 0.10000000149011612.
      const cast =
        value instanceof Float && Number.isFinite(value.value) ? Number(floatText(value.value)) : toDouble(value)
      if (!Number.isFinite(cast) && (value instanceof BigDecimal || value instanceof BigInteger))
        throw overflow(from, kind)
      return double(cast)
    }
    case "Float": {
      const cast = toDouble(value)
      const unbounded = from === "BigDecimal" || from === "BigInteger"
      if (Math.abs(cast) > largestFloat && (unbounded || Number.isFinite(cast))) throw overflow(from, kind)
      return new Float(cast)
    }
    case "BigDecimal":
      return toBigDecimal(value)
    default:
      return castToInteger(value, from, kind)
  }
}

const castToInteger = (value: GremlinNumber, from: NumberKind, kind: NumberKind): GremlinNumber => {
  const name = javaNumberName[kind]
  if (isNaNValue(value)) throw new ArithmeticFailure(`Can't convert NaN to ${name}.`)
  if (from !== "BigDecimal" && from !== "BigInteger" && !Number.isFinite(toDouble(value))) {
    throw new ArithmeticFailure(`Can't convert floating point infinity to ${name}.`)
  }
  const integer = toBigInt(value)
  if (kind !== "BigInteger") {
    if (integer < LONG_MIN && isFloating(from) && from !== "BigDecimal") {
      throw new ArithmeticFailure(`Can't convert number of type ${javaNumberName[from]} to ${name} due to underflow.`)
    }
    if (integer > LONG_MAX || BigInt.asIntN(bitsOf[kind], integer) !== integer) throw overflow(from, kind)
  }
  return convert(new BigInteger(integer), kind)
}

const overflow = (from: NumberKind, to: NumberKind): ArithmeticFailure =>
  new ArithmeticFailure(
    `Can't convert number of type ${javaNumberName[from]} to ${javaNumberName[to]} due to overflow.`
  )
