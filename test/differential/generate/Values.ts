import { bigDecimalText, parseBigDecimal, parseDateTime, type Value } from "../../conformance/Value.ts"
import type { Random } from "../../fuzz/Random.ts"
import type { Type } from "./Types.ts"

const decimal = (text: string): Value => parseBigDecimal(text)!
const date = (text: string): Value => parseDateTime(text)!

const integers = {
  byte: [0n, 1n, 2n, -1n, 127n, -128n],
  short: [0n, 1n, 3n, -7n, 32767n, -32768n],
  int: [0n, 1n, 2n, 3n, 4n, 5n, 10n, 29n, 30n, -1n, -5n, 2147483647n, -2147483648n],
  long: [0n, 1n, 2n, 3n, 29n, -4n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n],
  bigInteger: [0n, 1n, -1n, 12n, 123456789012345678901234567890n, -9223372036854775809n]
} as const

const floats = [
  0,
  1,
  -1,
  0.5,
  2,
  29,
  1.5,
  1e10,
  3.25,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY
]
const doubles = [...floats, 0.1, 0.2, 1e-7, 1e300, 123456.789]
const decimals = ["0", "1", "1.0", "1.50", "-2.5", "0.1", "12345678901234567890.123456789", "29", "1000"]

const strings = [
  "",
  "a",
  "A",
  "ab",
  "abc",
  "b",
  " padded ",
  "x y z",
  "marko",
  "josh",
  "Lop",
  "1",
  "29",
  "-1.5",
  "1e3",
  "true",
  "FALSE",
  "2020-02-29T12:00:00Z",
  "2021-01-31",
  "a,b,c",
  "naïve",
  "ß",
  "日本",
  "😀b",
  "a.c",
  "%{name}",
  "\n",
  "'\"\\"
]
const dates = [
  "1970-01-01T00:00:00Z",
  "2020-02-29T12:30:15.123Z",
  "2020-02-29T12:30:15+02:00",
  "2020-02-29T10:30:15Z",
  "1999-12-31T23:59:59.999-05:30",
  "0001-01-01T00:00:00Z",
  "2038-01-19T03:14:08Z"
]
const uuids = [
  "00000000-0000-0000-0000-000000000000",
  "41d2e28a-20a4-4ab0-b379-d810dede3786",
  "ffffffff-ffff-4fff-bfff-ffffffffffff"
]

const suffixed: ReadonlyArray<keyof typeof integers> = [
  "byte",
  "short",
  "int",
  "int",
  "int",
  "long",
  "long",
  "bigInteger"
]

/** Draws a number of any type. Most are small. */
export const numberValue = (random: Random): Value => {
  const choice = random.below(20)
  if (choice < 8) return { kind: "int", value: BigInt(random.below(7)) }
  if (choice < 14) {
    const kind = random.one(suffixed)
    return { kind, value: random.one<bigint>(integers[kind]) }
  }
  if (choice < 16) return { kind: "float", value: Math.fround(random.one(floats)) }
  if (choice < 19) return { kind: "double", value: random.one(doubles) }
  return decimal(random.one(decimals))
}

const stringValue = (random: Random): Value => ({ kind: "string", value: random.one(strings) })

/** Draws a value of a type without a literal in the language. Only bytecode can contain it. */
const unwritten = (random: Random): Value =>
  random.chance(0.5)
    ? { kind: "char", value: random.one(["a", "b", "Z", "1", "ß"]) }
    : { kind: "duration", seconds: random.one([0n, 1n, 86_400n, -5n]), nanos: random.one([0, 500_000_000]) }

const scalarKinds = ["number", "number", "number", "string", "string", "boolean", "date", "uuid", "null"] as const

/**
 * Draws a value of a type. For elements, paths and other types without literals, the value has any other type.
 *
 * @param written true if the value must have a literal in the language
 */
export const valueFor = (type: Type, random: Random, written: boolean, depth = 2): Value => {
  switch (type.kind) {
    case "number":
      return numberValue(random)
    case "string":
      return stringValue(random)
    case "boolean":
      return { kind: "boolean", value: random.chance(0.5) }
    case "date":
      return date(random.one(dates))
    case "uuid":
      return { kind: "uuid", value: random.one(uuids) }
    case "null":
      return { kind: "null" }
    case "char":
    case "duration":
      return written ? stringValue(random) : unwritten(random)
    case "list":
    case "set": {
      const items = Array.from({ length: random.below(4) }, () => valueFor(type.of, random, written, depth - 1))
      return { kind: type.kind, items: type.kind === "set" ? distinct(items) : items }
    }
    case "map":
      return mapValue(type, random, written, depth)
    default:
      return anyValue(random, written, depth)
  }
}

type Pair = { readonly key: Type; readonly value: Type }

const mapValue = (type: Pair, random: Random, written: boolean, depth: number): Value => {
  const keys = Array.from({ length: random.below(4) }, () =>
    type.key.kind === "string"
      ? ({ kind: "string", value: random.one(["a", "b", "c", "name", "age"]) } as const)
      : mapKey(random)
  )
  return {
    kind: "map",
    entries: distinct(keys).map((key) => [key, valueFor(type.value, random, written, depth - 1)] as const)
  }
}

const mapKey = (random: Random): Value => valueFor({ kind: random.one(["string", "number"] as const) }, random, true, 0)

const anyValue = (random: Random, written: boolean, depth: number): Value => {
  if (!written && random.chance(0.1)) return unwritten(random)
  const nested = depth > 0 && random.chance(0.25)
  const kind = random.one(scalarKinds)
  if (!nested) return valueFor({ kind }, random, written, 0)
  const of: Type = random.chance(0.8) ? { kind } : { kind: "any" }
  const choice = random.below(4)
  if (choice < 2) return valueFor({ kind: "list", of }, random, written, depth - 1)
  if (choice < 3) return valueFor({ kind: "set", of }, random, written, depth - 1)
  return valueFor({ kind: "map", key: { kind: "string" }, value: of }, random, written, depth - 1)
}

/** A text that identifies a value. It is unique among the values of this file. */
const key = (value: Value): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return `${part}n`
    if (typeof part === "number" && !Number.isFinite(part)) return String(part)
    return Object.is(part, -0) ? "-0" : part
  })

/** The values without duplicates. */
const distinct = (values: ReadonlyArray<Value>): ReadonlyArray<Value> => [
  ...new Map(
    values.map((value) => [
      value.kind === "bigDecimal" ? bigDecimalText(value.unscaled, value.scale) : key(value),
      value
    ])
  ).values()
]
