import { castTo, subtract, toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { setScale } from "../../../structure/numbers/Decimal.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  Double,
  double,
  Float,
  type GremlinNumber,
  isInt,
  isNumber,
  Short
} from "../../../structure/numbers/Numbers.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex, type Method, type Methods } from "../methods/MethodTable.ts"
import { isFloating, wholeQuotient } from "../operators/NumberOperators.ts"
import { binary } from "../operators/Operators.ts"
import { prefixed } from "../operators/UnaryOperators.ts"
import { javaCast } from "../types/Casts.ts"
import { numberTypeOf } from "../values/NumberTypes.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"

const conversion = (kind: string): Method => {
  const target = numberTypeOf(kind)!
  return [0, 0, (value: GremlinNumber) => javaCast(value, target)]
}

/** `x.intdiv(y)`: the integral quotient of two integers. */
const integralQuotient = (value: unknown, other: unknown): unknown => {
  const isWhole = (it: unknown): it is GremlinNumber =>
    isNumber(it) &&
    !(it instanceof BigDecimal) &&
    !(it instanceof Float) &&
    (typeof it !== "number" || isInt(it)) &&
    !(it instanceof Double)
  if (isWhole(value) && isWhole(other)) return wholeQuotient(value, other)
  throw new OperandError("intdiv() divides integers only")
}

/** `x.round()` gives a Long of a Double and an Int of a Float; `x.round(2)` keeps two decimal places. */
const rounded = (value: GremlinNumber, digits: unknown): unknown => {
  if (value instanceof BigDecimal) return setScale(value, digits === undefined ? 0 : asIndex(digits), "halfUp")
  const number = toDouble(value)
  if (digits === undefined) {
    const whole = Math.floor(number + 0.5)
    return value instanceof Float ? whole : castTo(double(whole), "Long")
  }
  const unit = 10 ** asIndex(digits)
  return double(Math.floor(number * unit + 0.5) / unit)
}

/** `x.trunc(2)`: the number without further decimal places. */
const truncated = (value: GremlinNumber, digits: number): GremlinNumber => {
  if (value instanceof BigDecimal) return setScale(value, digits, "down")
  if (!isFloating(value)) throw new Unavailable("trunc() is a method of decimal numbers")
  const unit = 10 ** digits
  const whole = Math.trunc(toDouble(value) * unit) / unit
  return value instanceof Float ? new Float(whole) : double(whole)
}

/** The least Int and the least Long, which are their own absolute values in Java. */
const isLeast = (value: GremlinNumber): boolean => value === -0x8000_0000 || value === -0x8000_0000_0000_0000n

/** The absolute value. A Byte or a Short gives an Int, as Java has no method for them. */
export const absolute = (value: GremlinNumber): GremlinNumber => {
  if (value instanceof Byte || value instanceof Short) return Math.abs(value.value)
  const number = toDouble(value)
  return (number < 0 || Object.is(number, -0)) && !isLeast(value) ? subtract(0, value) : value
}

/** `x.pow(n)`, which Java has for BigInteger and BigDecimal. */
const integralPower = (value: GremlinNumber, exponent: unknown, budget: Budget): unknown => {
  if (!(value instanceof BigInteger || value instanceof BigDecimal) || asIndex(exponent) < 0) {
    throw new Unavailable("pow() is a method of BigInteger and BigDecimal with an exponent of 0 or more: write x ** n")
  }
  return binary("**", value, exponent, budget)
}

/** Methods of numbers. */
export const numberMethods: Methods = {
  byteValue: conversion("byte"),
  shortValue: conversion("short"),
  intValue: conversion("int"),
  longValue: conversion("long"),
  floatValue: conversion("float"),
  doubleValue: [0, 0, (value: GremlinNumber) => double(toDouble(value))],
  toInteger: conversion("int"),
  toLong: conversion("long"),
  toFloat: conversion("float"),
  toDouble: conversion("double"),
  toBigInteger: conversion("BigInteger"),
  toBigDecimal: conversion("BigDecimal"),
  intdiv: [1, 1, (value: number, [other]) => integralQuotient(value, other)],
  power: [1, 1, (value: number, [other], budget) => binary("**", value, other, budget)],
  pow: [1, 1, (value: GremlinNumber, [exponent], budget) => integralPower(value, exponent, budget)],
  negate: [0, 0, (value: number, _, budget) => prefixed("-", value, budget)],
  next: [0, 0, (value: number, _, budget) => binary("+", value, 1, budget)],
  previous: [0, 0, (value: number, _, budget) => binary("-", value, 1, budget)],
  signum: [0, 0, (value: number) => Math.sign(toDouble(value))],
  isNaN: [0, 0, (value: number) => Number.isNaN(toDouble(value))],
  isInfinite: [0, 0, (value: number) => Math.abs(toDouble(value)) === Number.POSITIVE_INFINITY],
  round: [0, 1, (value: number, [digits]) => rounded(value, digits)],
  trunc: [0, 1, (value: GremlinNumber, [digits = 0]) => truncated(value, asIndex(digits))],
  abs: [0, 0, (value: GremlinNumber) => absolute(value)],
  plus: [1, 1, (value: number, [other], budget) => binary("+", value, other, budget)],
  minus: [1, 1, (value: number, [other], budget) => binary("-", value, other, budget)],
  multiply: [1, 1, (value: number, [other], budget) => binary("*", value, other, budget)],
  div: [1, 1, (value: number, [other], budget) => binary("/", value, other, budget)],
  mod: [1, 1, (value: number, [other], budget) => binary("%", value, other, budget)]
}
