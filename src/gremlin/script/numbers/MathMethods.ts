import { ArithmeticFailure } from "../../../structure/errors/ValueErrors.ts"
import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import {
  BigInteger,
  Byte,
  double,
  Float,
  type GremlinNumber,
  isNumber,
  LONG_MAX,
  LONG_MIN,
  numberKind,
  Short
} from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { MathMethod } from "../../parser/StaticImports.ts"
import type { Budget } from "../budget/Budget.ts"
import { extremeOf } from "../collections/CollectionMethods.ts"
import { binary } from "../operators/Operators.ts"
import { javaCast } from "../types/Casts.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { absolute } from "./NumberMethods.ts"

/** A static method of a class, which only makes a value. */
export type Static = (args: readonly unknown[], budget: Budget) => unknown

/** A number as a Double. Fails with OperandError for another value. */
export const real = (value: unknown): number => {
  if (!isNumber(value)) throw new OperandError(`a number was expected, not ${typeName(value)}`)
  return toDouble(value)
}

const unary =
  (calculate: (x: number) => number): Static =>
  ([x]) =>
    double(calculate(real(x)))

/** Math.round: halves go up, a Float gives an Int, and a number that is too large gives the largest one. */
const round: Static = ([x]) => javaCast(double(Math.round(real(x))), x instanceof Float ? "Int" : "Long")

/** A Byte or a Short as an Int: Math has no methods for them. */
const widened = (value: unknown): unknown => (value instanceof Byte || value instanceof Short ? value.value : value)

/** As in Groovy, a BigInteger becomes an Int, of its lowest 32 bits. Other values stay. */
const withoutBigInteger = (value: unknown): unknown => (value instanceof BigInteger ? javaCast(value, "Int") : value)

const absoluteValue: Static = ([x]) => {
  real(widened(x))
  return absolute(withoutBigInteger(x) as GremlinNumber)
}

/** The wider type of two numbers, as Java promotes the arguments of Math.max: of an Int and a Long the result is a Long. */
const promoted = ([x, y]: readonly unknown[], chosen: unknown, budget: Budget): unknown => {
  const other = chosen === x ? y : x
  if (numberKind(chosen as GremlinNumber) === numberKind(other as GremlinNumber)) return chosen
  return binary("+", chosen, Number.isFinite(real(other)) ? binary("-", other, other, budget) : double(0), budget)
}

const extreme = (args: readonly unknown[], sign: 1 | -1, budget: Budget): unknown => {
  const numbers = args.map(widened)
  for (const number of numbers) real(number)
  return promoted(numbers, extremeOf(numbers, sign, budget), budget)
}

/** An Int or a Long. Java has no other methods of these names, so that Groovy finds none for a number with a fraction. */
const integer = (value: unknown, method: MathMethod): number | bigint => {
  const wide = withoutBigInteger(widened(value))
  if (typeof wide === "bigint" || (typeof wide === "number" && numberKind(wide) === "Int")) return wide
  throw new OperandError(
    `Math.${method}() takes an Integer or a Long, not ${typeName(value)}`,
    "MissingMethodException"
  )
}

/** An integer in the type of the method's result. Fails with ArithmeticException where the type cannot hold it. */
const exact = (result: bigint, isLong: boolean): number | bigint => {
  const fits = isLong ? result >= LONG_MIN && result <= LONG_MAX : BigInt.asIntN(32, result) === result
  if (!fits) throw new ArithmeticFailure(`${isLong ? "long" : "integer"} overflow`)
  return isLong ? result : Number(result)
}

/** A method of integers: of Ints the result is an Int, otherwise a Long. */
const integral =
  (method: MathMethod, calculate: (...values: ReadonlyArray<bigint>) => bigint): Static =>
  (args) => {
    const numbers = args.map((value) => integer(value, method))
    return exact(
      calculate(...numbers.map(BigInt)),
      numbers.some((number) => typeof number === "bigint")
    )
  }

const divisor = (y: bigint): bigint => {
  if (y === 0n) throw new ArithmeticFailure("/ by zero")
  return y
}

/** The quotient of two integers, rounded towards negative infinity. */
const floorQuotient = (x: bigint, y: bigint): bigint => {
  const quotient = x / divisor(y)
  return x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient
}

/** Math.floorDiv: as in Java, the quotient of the smallest number and -1 is the smallest number. */
const floorDiv: Static = (args) => {
  const [x, y] = args.map((value) => integer(value, "floorDiv"))
  const isLong = typeof x === "bigint" || typeof y === "bigint"
  const quotient = floorQuotient(BigInt(x!), BigInt(y!))
  return isLong ? BigInt.asIntN(64, quotient) : Number(BigInt.asIntN(32, quotient))
}

/** Math.floorMod: its result has the type of the second number. */
const floorMod: Static = (args) => {
  const [x, y] = args.map((value) => integer(value, "floorMod"))
  const [dividend, by] = [BigInt(x!), BigInt(y!)]
  const rest = dividend - floorQuotient(dividend, by) * by
  return typeof y === "bigint" ? rest : Number(rest)
}

/** The sign of a number or of a zero. */
const isNegative = (x: number): boolean => x < 0 || Object.is(x, -0)

/** The result of a method that Java has for Float, too: a Float if all arguments are. */
const floating = (result: number, args: readonly unknown[]): GremlinNumber =>
  args.every((arg) => arg instanceof Float) ? new Float(result) : double(result)

const copySign: Static = (args) => {
  const [x, y] = args.map(real)
  return floating(isNegative(x!) === isNegative(y!) ? x! : -x!, args)
}

/** The methods of java.lang.Math that scripts have: the number of their arguments, and what they do. */
export const mathMethods: { readonly [name in MathMethod]: readonly [count: number, run: Static] } = {
  abs: [1, absoluteValue],
  ceil: [1, unary(Math.ceil)],
  floor: [1, unary(Math.floor)],
  rint: [1, unary((x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x)))],
  round: [1, round],
  sqrt: [1, unary(Math.sqrt)],
  cbrt: [1, unary(Math.cbrt)],
  exp: [1, unary(Math.exp)],
  expm1: [1, unary(Math.expm1)],
  log: [1, unary(Math.log)],
  log10: [1, unary(Math.log10)],
  log1p: [1, unary(Math.log1p)],
  sin: [1, unary(Math.sin)],
  cos: [1, unary(Math.cos)],
  tan: [1, unary(Math.tan)],
  sinh: [1, unary(Math.sinh)],
  cosh: [1, unary(Math.cosh)],
  tanh: [1, unary(Math.tanh)],
  asin: [1, unary(Math.asin)],
  acos: [1, unary(Math.acos)],
  atan: [1, unary(Math.atan)],
  signum: [1, (args) => floating(Math.sign(real(args[0])), args)],
  // Java multiplies by the rounded factor, which differs in the last digit from a division by 180.
  toRadians: [1, unary((x) => x * (Math.PI / 180))],
  toDegrees: [1, unary((x) => x * (180 / Math.PI))],
  atan2: [2, ([y, x]) => double(Math.atan2(real(y), real(x)))],
  hypot: [2, ([x, y]) => double(Math.hypot(real(x), real(y)))],
  pow: [2, ([x, y]) => double(real(x) ** real(y))],
  copySign: [2, copySign],
  min: [2, (args, budget) => extreme(args, -1, budget)],
  max: [2, (args, budget) => extreme(args, 1, budget)],
  floorDiv: [2, floorDiv],
  floorMod: [2, floorMod],
  addExact: [2, integral("addExact", (x = 0n, y = 0n) => x + y)],
  subtractExact: [2, integral("subtractExact", (x = 0n, y = 0n) => x - y)],
  multiplyExact: [2, integral("multiplyExact", (x = 0n, y = 0n) => x * y)],
  incrementExact: [1, integral("incrementExact", (x = 0n) => x + 1n)],
  decrementExact: [1, integral("decrementExact", (x = 0n) => x - 1n)],
  negateExact: [1, integral("negateExact", (x = 0n) => -x)],
  toIntExact: [1, ([x]) => exact(BigInt(integer(x, "toIntExact")), false)],
  random: [0, () => Math.random()]
}
