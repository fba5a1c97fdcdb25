import { compare } from "../../../structure/comparison/Comparison.ts"
import { toBigInt, toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isNaNValue } from "../../../structure/numbers/NumberOrder.ts"
import {
  double,
  Float,
  type GremlinNumber,
  isNumber,
  type NumberKind,
  numberKind
} from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { Unavailable } from "../values/OperandErrors.ts"
import type { Static } from "./MathMethods.ts"

// The static methods of Java's classes of numbers that compare and calculate.

type Statics = { readonly [name: string]: readonly [count: number, run: Static] }

/** The types of numbers that Java converts to a primitive type without a cast. */
const widened: { readonly [type: string]: readonly NumberKind[] } = {
  Byte: ["Byte"],
  Short: ["Byte", "Short"],
  Integer: ["Byte", "Short", "Int"],
  Long: ["Byte", "Short", "Int", "Long"],
  Float: ["Byte", "Short", "Int", "Long", "Float"],
  Double: ["Byte", "Short", "Int", "Long", "Float", "Double"]
}

/** The number, if a parameter of the primitive type takes it. Fails with Unavailable for another value. */
const taken = (value: unknown, type: string): GremlinNumber => {
  if (isNumber(value) && widened[type]!.includes(numberKind(value))) return value
  throw new Unavailable(`the methods of ${type} take numbers of its type, not ${typeName(value)}`)
}

/** `Byte.compare(x, y)` and the like give the difference in Java. */
const difference = (type: "Byte" | "Short"): readonly [count: number, run: Static] => [
  2,
  (args) => {
    const [x, y] = args.map((value) => toDouble(taken(value, type)))
    return x! - y!
  }
]

/** Java's order: 0.0 is after -0.0, and NaN is after all others. */
const ordered = (x: GremlinNumber, y: GremlinNumber, type: string): number => {
  if (type === "Integer" || type === "Long") return Math.sign(compare(x, y) ?? 0)
  const [a, b] = type === "Float" ? [Math.fround(toDouble(x)), Math.fround(toDouble(y))] : [toDouble(x), toDouble(y)]
  if (isNaNValue(a) || isNaNValue(b)) return Number(isNaNValue(a)) - Number(isNaNValue(b))
  if (a !== b) return a < b ? -1 : 1
  return Number(Object.is(b, -0)) - Number(Object.is(a, -0))
}

type Calculation = "max" | "min" | "sum"

const ofIntegers = (name: Calculation, a: bigint, b: bigint): bigint => {
  if (name === "sum") return a + b
  return a > b === (name === "max") ? a : b
}

const ofDoubles = (name: Calculation, a: number, b: number): number => {
  if (name === "sum") return a + b
  return name === "max" ? Math.max(a, b) : Math.min(a, b)
}

/** `Integer.max(x, y)` and the like: the result has the type of the class, and a sum that is too long goes on with the least number. */
const calculation = (type: string, name: Calculation): readonly [count: number, run: Static] => [
  2,
  (args) => {
    const [x, y] = args.map((value) => taken(value, type))
    if (type === "Integer" || type === "Long") {
      const whole = ofIntegers(name, toBigInt(x!), toBigInt(y!))
      return type === "Integer" ? Number(BigInt.asIntN(32, whole)) : BigInt.asIntN(64, whole)
    }
    if (type === "Float") return new Float(ofDoubles(name, Math.fround(toDouble(x!)), Math.fround(toDouble(y!))))
    return double(ofDoubles(name, toDouble(x!), toDouble(y!)))
  }
]

const comparing = (type: string): Statics => ({
  compare: [2, ([x, y]) => ordered(taken(x, type), taken(y, type), type)],
  max: calculation(type, "max"),
  min: calculation(type, "min"),
  sum: calculation(type, "sum")
})

const integers = (type: "Integer" | "Long"): Statics => ({
  ...comparing(type),
  signum: [1, ([x]) => Math.sign(toDouble(taken(x, type)))],
  bitCount: [
    1,
    ([x]) => {
      const bits = BigInt.asUintN(type === "Integer" ? 32 : 64, toBigInt(taken(x, type)))
      return bits.toString(2).replaceAll("0", "").length
    }
  ]
})

const codeOf = (value: unknown): number => {
  if (value instanceof Char) return value.text.charCodeAt(0)
  throw new Unavailable(`Character.compare() takes Characters, not ${typeName(value)}`)
}

/** The static methods, by class. */
export const numberStatics: { readonly [className: string]: Statics } = {
  Byte: { compare: difference("Byte") },
  Short: { compare: difference("Short") },
  Character: { compare: [2, ([x, y]) => codeOf(x) - codeOf(y)] },
  Integer: integers("Integer"),
  Long: integers("Long"),
  Float: comparing("Float"),
  Double: comparing("Double")
}
