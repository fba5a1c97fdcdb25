import { booleanOf } from "./BooleanWords.ts"

/** Limits of a whole number of an option. */
interface WholeNumberLimits {
  /** Default 1. */
  readonly least?: number
  /** A unit that may follow the number, as JanusGraph writes it: `12000` or `12000 ms`. Default: none. */
  readonly unit?: string
}

/** Reads the options of one properties file. A wrong value is reported with `fail`, and `otherwise` is returned. */
export interface OptionReader {
  readonly get: (key: string) => string | undefined
  /** The keys that are given. */
  readonly keys: () => Iterable<string>
  readonly fail: (key: string, reason: string) => undefined
  readonly oneOf: <A extends string, B extends A | undefined>(
    key: string,
    words: ReadonlyArray<A>,
    otherwise: B
  ) => A | B
  readonly flag: (key: string, otherwise: boolean) => boolean
  /** A whole number up to 2^31 - 1, the largest number of milliseconds that setTimeout() takes. */
  readonly whole: <B extends number | undefined>(key: string, otherwise: B, limits?: WholeNumberLimits) => number | B
}

const MAX_INT32 = 2 ** 31 - 1

/** Reads options from their values by key. */
export const optionReader = (values: ReadonlyMap<string, string>, fail: OptionReader["fail"]): OptionReader => {
  const oneOf: OptionReader["oneOf"] = (key, words, otherwise) => {
    const value = values.get(key)
    if (value === undefined) return otherwise
    // TinkerGraph also takes a constant with its class: TinkerGraph.DefaultIdManager.LONG.
    const given = value.slice(value.lastIndexOf(".") + 1).toLowerCase()
    const word = words.find((word) => word.toLowerCase() === given)
    if (word === undefined) fail(key, `must be one of ${words.join(", ")}, not '${value}'`)
    return word ?? otherwise
  }
  return {
    get: (key) => values.get(key),
    keys: () => values.keys(),
    fail,
    oneOf,
    flag: (key, otherwise) => {
      const value = values.get(key)
      const is = value === undefined ? otherwise : booleanOf(value)
      if (is === undefined) fail(key, `must be true or false, not '${value}'`)
      return is ?? otherwise
    },
    whole: (key, otherwise, { least = 1, unit = "" } = {}) => {
      const text = values.get(key)?.trim()
      if (text === undefined) return otherwise
      const digits = text.endsWith(unit) ? text.slice(0, text.length - unit.length).trim() : text
      const value = digits === "" ? Number.NaN : Number(digits)
      if (Number.isInteger(value) && value >= least && value <= MAX_INT32) return value
      const range = least === 1 ? "above 0" : `of ${least} or more`
      fail(key, `must be a whole number ${range}${unit === "" ? "" : ` (${unit})`}, not '${values.get(key)}'`)
      return otherwise
    }
  }
}
