import { toBigInt, toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { withIntScale } from "../../../structure/numbers/Decimal.ts"
import {
  BigDecimal,
  BigInteger,
  double,
  type GremlinNumber,
  isInt,
  isNumber,
  LONG_MAX,
  LONG_MIN,
  numberKind
} from "../../../structure/numbers/Numbers.ts"
import type { Budget } from "../budget/Budget.ts"
import { isIntegral } from "../values/NumberTypes.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { wrong } from "./BitOperators.ts"

/** Largest exponent of an exact power. */
const MAX_EXPONENT = 9_999
const MAX_POWER_BITS = 65_536

/**
 * `x ** y`. As in Groovy, a power of an integer or a BigDecimal with an Int that is not negative is exact: that of an Int is an Int or a
 * BigInteger, that of a Long a Long or a BigInteger. Any other power is a Double, or the Int or Long that is equal to it. Fails with
 * ArithmeticFailure if the scale of a BigDecimal would be no Int.
 */
export const power = (left: unknown, right: unknown, budget: Budget): GremlinNumber => {
  if (!isNumber(left) || !isNumber(right)) throw wrong("**", left, right)
  if (left instanceof BigInteger && (typeof right === "bigint" || right instanceof BigInteger)) {
    const exponent = toBigInt(right)
    if (exponent >= 0n) return power(left, Number(exponent > MAX_EXPONENT ? MAX_EXPONENT + 1 : exponent), budget)
    return new BigInteger(BigInt(Math.trunc(toDouble(left) ** toDouble(right))))
  }
  const isExact = isIntegral(left) || left instanceof BigDecimal
  if (!isExact || typeof right !== "number" || !isInt(right) || right < 0) {
    return narrowed(toDouble(left) ** toDouble(right))
  }
  if (right > MAX_EXPONENT) throw new OperandError(`the exponent of an exact power is at most ${MAX_EXPONENT}`)
  budget.spend(10_000, "calculating")
  const base = left instanceof BigDecimal ? left.unscaled : toBigInt(left)
  if (base.toString(2).length * right > MAX_POWER_BITS) {
    throw new OperandError(`the power has more than ${MAX_POWER_BITS} bits`)
  }
  const exact = base ** BigInt(right)
  if (left instanceof BigDecimal) return withIntScale(new BigDecimal(exact, left.scale * right))
  const kind = numberKind(left)
  const bits = kind === "BigInteger" ? 0 : kind === "Long" ? 64 : 32
  if (BigInt.asIntN(bits, exact) !== exact || bits === 0) return new BigInteger(exact)
  return bits === 64 ? exact : Number(exact)
}

/** A Double as the Int or Long that is equal to it. */
const narrowed = (value: number): GremlinNumber => {
  if (!Number.isInteger(value)) return double(value)
  if ((value | 0) === value) return value | 0
  const whole = BigInt(value)
  return whole >= LONG_MIN && whole <= LONG_MAX ? whole : double(value)
}
