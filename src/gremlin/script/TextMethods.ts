import { subtract, toDouble } from "../../structure/Arithmetic.ts"
import { reversed } from "../../structure/Text.ts"
import { indexIn, lastIndexIn, TextSearch } from "../../structure/TextSearch.ts"
import type { Budget } from "./Budget.ts"
import { numberTypeOf, toNumber } from "./Casts.ts"
import { asIndex, asText, type Method, type Methods, part, within } from "./MethodTable.ts"
import { binary } from "./Operators.ts"

const replaced = (value: string, from: string, to: string, budget: Budget): string => {
  // The text is inserted between all characters.
  if (from === "") budget.growing(value.length * (to.length + 1))
  const parts = partsOf(value, from, "replacing", budget)
  budget.growing(value.length + (parts.length - 1) * (to.length - from.length))
  return budget.string(parts.join(to))
}

/** The parts between separators. Their number is checked while it grows. */
const partsOf = (value: string, separator: string, what: string, budget: Budget): Array<string> => {
  const text = budget.whole(value)
  if (separator === "") {
    budget.spend(text.length, what)
    return text.split("")
  }
  const search = new TextSearch(separator)
  const parts: Array<string> = []
  let from = 0
  for (let at = search.indexIn(text); at >= 0; at = search.indexIn(text, from)) {
    parts.push(text.slice(from, at))
    if (parts.length % PARTS_PER_CHECK === 0) budget.spend(parts.length, what)
    from = at + separator.length
  }
  parts.push(text.slice(from))
  budget.spend(parts.length, what)
  return parts
}

/** Parts after which their number is checked. */
const PARTS_PER_CHECK = 16_384

/** Methods of strings. */
export const stringMethods: Methods = {
  length: [0, 0, (value: string) => value.length],
  size: [0, 0, (value: string) => value.length],
  isEmpty: [0, 0, (value: string) => value === ""],
  isBlank: [0, 0, (value: string, _, budget) => budget.whole(value).trim() === ""],
  toUpperCase: [0, 0, (value: string, _, budget) => budget.string(budget.whole(value).toUpperCase())],
  toLowerCase: [0, 0, (value: string, _, budget) => budget.string(budget.whole(value).toLowerCase())],
  trim: [0, 0, (value: string, _, budget) => budget.whole(value).trim()],
  reverse: [0, 0, (value: string, _, budget) => reversed(budget.whole(value))],
  contains: [1, 1, (value: string, [text]) => indexIn(value, asText(text)) >= 0],
  startsWith: [1, 1, (value: string, [text]) => value.startsWith(asText(text))],
  endsWith: [1, 1, (value: string, [text]) => value.endsWith(asText(text))],
  indexOf: [1, 1, (value: string, [text]) => indexIn(value, asText(text))],
  lastIndexOf: [1, 1, (value: string, [text], budget) => lastIndexIn(budget.whole(value), asText(text))],
  charAt: [1, 1, (value: string, [index]) => value[within(asIndex(index), value.length)]],
  substring: [1, 2, (value: string, [from, to]) => value.slice(...part(value.length, from, to))],
  concat: [1, 1, (value: string, [text], budget) => budget.string(value + asText(text))],
  plus: [1, 1, (value: string, [other], budget) => binary("+", value, other, budget)],
  replace: [2, 2, (value: string, [from, to], budget) => replaced(value, asText(from), asText(to), budget)],
  split: [1, 1, (value: string, [by], budget) => budget.list(partsOf(value, asText(by), "splitting", budget))],
  tokenize: [
    1,
    1,
    (value: string, [by], budget) =>
      budget.list(partsOf(value, asText(by), "splitting", budget).filter((it) => it !== ""))
  ],
  equalsIgnoreCase: [
    1,
    1,
    (value: string, [text], budget) => budget.whole(value).toLowerCase() === budget.whole(asText(text)).toLowerCase()
  ],
  toInteger: [0, 0, (value: string) => toNumber(value, "Int")],
  toLong: [0, 0, (value: string) => toNumber(value, "Long")],
  toDouble: [0, 0, (value: string) => toNumber(value, "Double")],
  toFloat: [0, 0, (value: string) => toNumber(value, "Float")],
  toBigInteger: [0, 0, (value: string) => toNumber(value, "BigInteger")],
  toBigDecimal: [0, 0, (value: string) => toNumber(value, "BigDecimal")],
  isNumber: [0, 0, (value: string) => /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/.test(value.slice(0, 1000))],
  toBoolean: [0, 0, (value: string, _, budget) => /^(true|y|1)$/i.test(budget.whole(value).trim())]
}

const conversion = (kind: string): Method => {
  const target = numberTypeOf(kind)!
  return [0, 0, (value: number) => toNumber(value, target)]
}

/** Methods of numbers. */
export const numberMethods: Methods = {
  byteValue: conversion("byte"),
  shortValue: conversion("short"),
  intValue: conversion("int"),
  longValue: conversion("long"),
  floatValue: conversion("float"),
  doubleValue: conversion("double"),
  toInteger: conversion("int"),
  toLong: conversion("long"),
  toFloat: conversion("float"),
  toDouble: conversion("double"),
  toBigInteger: conversion("BigInteger"),
  toBigDecimal: conversion("BigDecimal"),
  abs: [0, 0, (value: number) => (toDouble(value) < 0 ? subtract(0, value) : value)],
  plus: [1, 1, (value: number, [other], budget) => binary("+", value, other, budget)],
  minus: [1, 1, (value: number, [other], budget) => binary("-", value, other, budget)],
  multiply: [1, 1, (value: number, [other], budget) => binary("*", value, other, budget)],
  div: [1, 1, (value: number, [other], budget) => binary("/", value, other, budget)],
  mod: [1, 1, (value: number, [other], budget) => binary("%", value, other, budget)]
}
