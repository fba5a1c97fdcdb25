import { ArithmeticFailure } from "../../../structure/errors/ValueErrors.ts"
import { toBigInt } from "../../../structure/numbers/Arithmetic.ts"
import { type BigInteger, isNumber } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { counted, integerOf, intOf } from "../budget/Digits.ts"
import type { Method, Methods } from "../methods/MethodTable.ts"
import { bitwise } from "../operators/BitOperators.ts"
import { isIntegral } from "../values/NumberTypes.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { bitMethods } from "./BitMethods.ts"
import { numberMethods } from "./NumberMethods.ts"

// Methods of java.math.BigInteger.

/** Most bits of the numbers of gcd() and modPow(), whose time grows faster than that of a product. */
const MAX_GCD_BITS = 8_192
const MAX_POWER_BITS = 2_048

const integer = (value: unknown, method: string): bigint => {
  if (value === null) throw new OperandError(`${method}() got null`, "NullPointerException")
  if (isNumber(value) && isIntegral(value)) return toBigInt(value)
  throw new Unavailable(`${method}() of BigInteger takes an integer, not ${typeName(value)}`)
}

const operation = (name: string, calculate: (value: bigint, other: bigint) => bigint): Method => [
  1,
  1,
  ({ value }: BigInteger, [other], budget) => {
    counted(budget)
    return integerOf(calculate(value, integer(other, name)), budget)
  }
]

const divisor = (value: bigint): bigint => {
  if (value === 0n) throw new ArithmeticFailure("BigInteger divide by zero")
  return value
}

const modulus = (value: bigint): bigint => {
  if (value <= 0n) throw new ArithmeticFailure("BigInteger: modulus not positive")
  return value
}

/** Java's mod(): the remainder that is not negative. */
const modulo = (value: bigint, by: bigint): bigint => {
  const rest = value % modulus(by)
  return rest < 0n ? rest + by : rest
}

const size = (value: bigint): bigint => (value < 0n ? -value : value)

/** Fails with Unavailable for a number of more than `most` bits. */
const checkBits = (value: bigint, most: number, method: string): bigint => {
  if (size(value) >> BigInt(most) === 0n) return value
  throw new Unavailable(`${method}() takes numbers of at most ${most} bits in scripts`)
}

const commonDivisor = (value: bigint, other: bigint): bigint => {
  let [a, b] = [size(checkBits(value, MAX_GCD_BITS, "gcd")), size(checkBits(other, MAX_GCD_BITS, "gcd"))]
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

const modularPower = ({ value }: BigInteger, [power, by]: readonly unknown[], budget: Budget): BigInteger => {
  counted(budget)
  const base = checkBits(modulus(integer(by, "modPow")), MAX_POWER_BITS, "modPow")
  let exponent = checkBits(integer(power, "modPow"), MAX_POWER_BITS, "modPow")
  if (exponent < 0n) throw new Unavailable("modPow() of scripts takes an exponent of 0 or more")
  let result = 1n % base
  for (let square = modulo(value, base); exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) result = (result * square) % base
    square = (square * square) % base
  }
  return integerOf(result, budget)
}

/** The bits of a number that differ from those of its sign. */
const bitsOf = (value: bigint): string => {
  const bits = (value < 0n ? ~value : value).toString(2)
  return bits === "0" ? "" : bits
}

const shifting = (operator: "<<" | ">>"): Method => [
  1,
  1,
  (value: BigInteger, [distance], budget) => bitwise(operator, value, intOf(distance), budget)
]

const bitAt = (value: unknown): bigint => {
  const at = intOf(value)
  if (at < 0) throw new ArithmeticFailure("Negative bit address")
  return BigInt(at)
}

const exact =
  (bits: 32 | 64) =>
  ({ value }: BigInteger): number | bigint => {
    if (BigInt.asIntN(bits, value) !== value) {
      throw new ArithmeticFailure(`BigInteger out of ${bits === 32 ? "int" : "long"} range`)
    }
    return bits === 32 ? Number(value) : value
  }

/** The text of the number, as in Java with the digits of radix 10 for a radix that no digits have. */
const textOf = (value: BigInteger, [radix]: readonly unknown[], budget: Budget): string => {
  if (radix === undefined) return budget.text(value)
  counted(budget)
  const base = intOf(radix)
  return budget.string(value.value.toString(base < 2 || base > 36 ? 10 : base))
}

const toText: Method = [0, 1, textOf]

/** Methods of BigIntegers. */
export const integerMethods: Methods = {
  ...numberMethods,
  ...bitMethods,
  add: operation("add", (value, other) => value + other),
  subtract: operation("subtract", (value, other) => value - other),
  divide: operation("divide", (value, other) => value / divisor(other)),
  remainder: operation("remainder", (value, other) => value % divisor(other)),
  max: operation("max", (value, other) => [value, other][Number(other > value)]!),
  min: operation("min", (value, other) => [value, other][Number(other < value)]!),
  gcd: operation("gcd", commonDivisor),
  andNot: operation("andNot", (value, other) => value & ~other),
  modPow: [2, 2, modularPower],
  shiftLeft: shifting("<<"),
  shiftRight: shifting(">>"),
  not: [0, 0, ({ value }: BigInteger, _, budget) => integerOf(~value, budget)],
  testBit: [1, 1, ({ value }: BigInteger, [at]) => ((value >> bitAt(at)) & 1n) === 1n],
  bitLength: [
    0,
    0,
    ({ value }: BigInteger, _, budget) => {
      counted(budget)
      return bitsOf(value).length
    }
  ],
  bitCount: [
    0,
    0,
    ({ value }: BigInteger, _, budget) => {
      counted(budget)
      return bitsOf(value).replaceAll("0", "").length
    }
  ],
  intValueExact: [0, 0, exact(32)],
  longValueExact: [0, 0, exact(64)],
  toString: toText
}
