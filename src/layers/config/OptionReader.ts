import { booleanOf } from "./BooleanWords.ts"

/** Limits of a whole number of an option. */
interface WholeNumberLimits {
  /** Default 1. */
  readonly least?: number
  /** The unit of a duration, which may name another one, as in JanusGraph: `12000`, `12000 ms` or `12 s`. Default: no duration. */
  readonly unit?: DurationUnit | undefined
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

/** The unit of a duration without one. */
export type DurationUnit = "ms" | "s"

/** The units of JanusGraph's durations, with their milliseconds. It takes the short names, and the long ones with and without `s`. */
const unitsMs: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(?:ms|millis?|milliseconds?)$/i, 1],
  [/^(?:s|seconds?)$/i, 1_000],
  [/^(?:m|min|minutes?)$/i, 60_000],
  [/^(?:h|hours?)$/i, 3_600_000],
  [/^(?:d|days?)$/i, 86_400_000]
]

const millisecondsOf = (unit: string): number => unitsMs.find(([names]) => names.test(unit))?.[1] ?? Number.NaN

/** A duration in a unit; NaN for a text that is none, and for units below a millisecond. */
const durationOf = (text: string, unit: DurationUnit): number => {
  const [, digits = "", given = ""] = /^([\d.]+)\s*([a-z]*)$/i.exec(text) ?? []
  if (digits === "") return Number.NaN
  return (Number(digits) * millisecondsOf(given === "" ? unit : given)) / millisecondsOf(unit)
}

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
    whole: (key, otherwise, { least = 1, unit } = {}) => {
      const text = values.get(key)?.trim()
      if (text === undefined) return otherwise
      const value = text === "" ? Number.NaN : unit === undefined ? Number(text) : durationOf(text, unit)
      if (Number.isInteger(value) && value >= least && value <= MAX_INT32) return value
      if (Number.isInteger(value) && value > MAX_INT32) {
        const most = unit === undefined ? MAX_INT32 : `${MAX_INT32} ${unit}`
        fail(key, `must be at most ${most}, not '${values.get(key)}'`)
        return otherwise
      }
      const range = least === 1 ? "above 0" : `of ${least} or more`
      const kind = unit === undefined ? "" : ` (${unit}), or have a unit such as '2 min'`
      fail(key, `must be a whole number ${range}${kind}, not '${values.get(key)}'`)
      return otherwise
    }
  }
}
