import { randomUUID } from "node:crypto"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import { integralPartUpTo } from "../../structure/numbers/Decimal.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  Double,
  Float,
  isInt,
  isNumber,
  LONG_MAX,
  LONG_MIN,
  Short
} from "../../structure/numbers/Numbers.ts"
import { Uuid } from "../../structure/scalars/Uuid.ts"
import { briefText } from "../../structure/texts/Text.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"

/** How ids are allocated and converted, as TinkerGraph's id managers of the same names do. */
export type IdManagerName = "ANY" | "LONG" | "INTEGER" | "UUID" | "STRING"

/** Converts between a counted id and the number that is stored for it. */
export interface NaturalIds {
  /** The number of an id of the manager's own kind; undefined for any other id. */
  number(id: unknown): number | undefined
  restore(number: number): unknown
}

const longs: NaturalIds = {
  number: (id) => {
    if (typeof id !== "bigint") return undefined
    const number = Number(id)
    return Number.isSafeInteger(number) ? number : undefined
  },
  restore: (number) => BigInt(number)
}

const integers: NaturalIds = {
  number: (id) => (typeof id === "number" && isInt(id) ? id : undefined),
  restore: (number) => number
}

/** Digits of the largest Long. */
const LONG_DIGITS = 19

/**
 * A number as a bigint, without its fraction; undefined for a value that is no number or not finite, and for a BigDecimal
 * that is too large for a Long.
 */
export const integral = (value: unknown): bigint | undefined => {
  if (typeof value === "bigint") return value
  if (typeof value === "number") return Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined
  if (value instanceof BigInteger) return value.value
  if (value instanceof Byte || value instanceof Short || value instanceof Float || value instanceof Double) {
    return integral(value.value)
  }
  return value instanceof BigDecimal ? integralPartUpTo(value, LONG_DIGITS) : undefined
}

/** Allocates ids, and converts the ids that clients send. */
export class IdManager implements NaturalIds {
  readonly name: IdManagerName
  readonly #natural: NaturalIds

  constructor(name: IdManagerName) {
    this.name = name
    this.#natural = name === "INTEGER" ? integers : longs
  }

  number(id: unknown): number | undefined {
    return this.#natural.number(id)
  }

  restore(number: number): unknown {
    return this.#natural.restore(number)
  }

  /** A new random id; undefined where ids are counted. */
  random(): unknown {
    if (this.name === "UUID") return new Uuid(randomUUID())
    return this.name === "STRING" ? randomUUID() : undefined
  }

  /** The id that a client means. Throws UnsupportedValue for a value that is no id of this manager. */
  convert(id: unknown): unknown {
    switch (this.name) {
      case "ANY":
        return id
      case "STRING":
        if (typeof id === "string" && id.length > 0) return id
        break
      case "UUID":
        if (id instanceof Uuid) return id
        if (typeof id === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return new Uuid(id)
        break
      default: {
        const whole = typeof id === "string" && /^[+-]?[0-9]+$/.test(id) ? BigInt(id.replace("+", "")) : integral(id)
        if (whole === undefined) break
        if (this.name === "LONG" && whole >= LONG_MIN && whole <= LONG_MAX) return whole
        if (this.name === "INTEGER" && BigInt.asIntN(32, whole) === whole) return Number(whole)
      }
    }
    throw new UnsupportedValue(
      `The id ${shown(id)} cannot be used: this graph's id manager is ${this.name}, give ${wanted[this.name]}.`
    )
  }
}

const wanted: Readonly<Record<IdManagerName, string>> = {
  ANY: "any value",
  LONG: "a 64-bit integer or its digits as a string",
  INTEGER: "a 32-bit integer or its digits as a string",
  UUID: "a UUID or its text",
  STRING: "a string that is not empty"
}

/** An id as messages show it. */
export const shown = (id: unknown): string => {
  if (typeof id === "string") return `"${id.slice(0, 100)}"`
  if (id instanceof Uuid) return id.text
  return isNumber(id) ? briefText(id) : `of type ${typeName(id)}`
}
