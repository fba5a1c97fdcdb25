import * as ParseResult from "effect/ParseResult"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { simpleName } from "../../structure/scalars/ClassNames.ts"
import { booleanOf } from "./BooleanWords.ts"
import { canonicalName, isModulePath } from "./ClassNames.ts"
import { suggestion } from "./Suggestions.ts"

/** The value in an error message. */
const show = (value: unknown): string => {
  const text = typeof value === "string" ? `'${value}'` : (JSON.stringify(value) ?? String(value))
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

/** A decoded value. */
interface Decoded<A> {
  readonly value: A
}

/**
 * A schema for a value that a function decodes: it returns the decoded value, or a message that starts with "must". Values
 * are never encoded, so encode is the identity.
 */
const reads = <A>(read: (value: unknown) => Decoded<A> | string): Schema.Schema<A, unknown> =>
  Schema.transformOrFail(Schema.Unknown, Schema.Unknown as unknown as Schema.Schema<A>, {
    strict: true,
    decode: (input, _, ast) => {
      const result = read(input)
      return typeof result === "string"
        ? ParseResult.fail(new ParseResult.Type(ast, input, result))
        : ParseResult.succeed(result.value)
    },
    encode: (value) => ParseResult.succeed(value)
  })

/**
 * A whole number. One that JavaScript does not count exactly, such as Long.MAX_VALUE in configurations of Java, is the nearest that it
 * does: 2^53 - 1.
 */
const wholeNumber = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^[+-]?\d+[lL]?$/.test(value) ? Number.parseInt(value, 10) : value
  if (typeof number !== "number" || !Number.isInteger(number)) return undefined
  return Math.min(Math.max(number, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
}

/** A whole number in a range. Numbers in quotes and with Java's suffix L are accepted. */
export const whole = (min: number, max: number = Number.MAX_SAFE_INTEGER): Schema.Schema<number, unknown> =>
  reads((value) => {
    const number = wholeNumber(value)
    if (number !== undefined && number >= min && number <= max) return { value: number }
    const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `between ${min} and ${max}`
    return `must be a whole number ${range}, not ${show(value)}`
  })

/** The largest number of worker processes. Their shared memory has a place for each. */
const MAX_WORKERS = 32

/** A number of worker processes, or `auto`. */
export const workers: Schema.Schema<number | "auto", unknown> = reads<number | "auto">((value) => {
  if (String(value).trim().toLowerCase() === "auto") return { value: "auto" }
  const number = wholeNumber(value)
  if (number !== undefined && number >= 1 && number <= MAX_WORKERS) return { value: number }
  return `must be auto or a whole number between 1 and ${MAX_WORKERS}, not ${show(value)}`
})

/** Milliseconds, limited to 2^31 - 1, the maximum of setTimeout(). */
export const millis = (min = 0): Schema.Schema<number, unknown> =>
  reads((value) => {
    const number = wholeNumber(value)
    if (number !== undefined && number >= min) return { value: Math.min(number, 2_147_483_647) }
    return `must be a number of milliseconds of ${min} or more, not ${show(value)}`
  })

/** Milliseconds of a time limit. As in Gremlin Server, a negative number means no limit, like 0. */
export const timeLimit: Schema.Schema<number, unknown> = reads((value) => {
  const number = wholeNumber(value)
  if (number !== undefined) return { value: Math.min(Math.max(0, number), 2_147_483_647) }
  return `must be a number of milliseconds, not ${show(value)}`
})

const units: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }

/** Bytes (`1048576`, `512m`, `2 GB`) or a percentage of `whole`, which `of` names in messages. */
export const bytesOrShare = (whole: number, of: string): Schema.Schema<number, unknown> =>
  reads((value) => {
    const text = String(value).trim().toLowerCase()
    const share = /^(\d+(?:\.\d+)?)\s*%$/.exec(text)
    if (share !== null && Number(share[1]) <= 100) return { value: Math.floor((Number(share[1]) / 100) * whole) }
    const size = /^(\d+)\s*([kmgt]?)i?b?$/.exec(text)
    if (size !== null) return { value: Number(size[1]) * (units[size[2] ?? ""] ?? 1) }
    return `must be bytes, such as 536870912 or 512m, or a percentage of ${of}, not ${show(value)}`
  })

/** A boolean, also in the words that YAML 1.1 has for it. */
export const flag: Schema.Schema<boolean, unknown> = reads((value) => {
  const is = typeof value === "string" ? booleanOf(value) : value
  return typeof is === "boolean" ? { value: is } : `must be true or false, not ${show(value)}`
})

const textOf = (value: unknown): string | undefined =>
  ["string", "number", "boolean", "bigint"].includes(typeof value) && String(value) !== "" ? String(value) : undefined

/** A text that is not empty. */
export const text: Schema.Schema<string, unknown> = reads((value) => {
  const string = textOf(value)
  return string === undefined ? `must be text, not ${show(value)}` : { value: string }
})

/** A secret text, which logs and messages do not show. */
export const secret: Schema.Schema<Redacted.Redacted, unknown> = reads((value) => {
  const string = textOf(value)
  return string === undefined ? "must be text" : { value: Redacted.make(string) }
})

const textsOf = (value: unknown): Decoded<ReadonlyArray<string>> | string => {
  const items = typeof value === "string" ? value.split(",") : value
  if (!Array.isArray(items)) return `must be a list, not ${show(value)}`
  const strings = items.map(textOf)
  if (strings.includes(undefined)) return `must be a list of texts, not ${show(value)}`
  return { value: strings.map((string) => String(string).trim()).filter((string) => string !== "") }
}

/** A list of texts. A single text is split at commas. */
export const texts: Schema.Schema<ReadonlyArray<string>, unknown> = reads<ReadonlyArray<string>>(textsOf)

/** Origins that stand for themselves. Browsers send `null` for pages without an origin, such as local files. */
const wordsForOrigins = new Set(["*", "loopback", "null"])

/** The spelling in which browsers send an origin. Undefined for a text that has none. */
const sentOrigin = (text: string): string | undefined => {
  const word = text.toLowerCase()
  if (wordsForOrigins.has(word)) return word
  const [start] = /^[a-z][a-z\d+.-]*:\/\/[^/?#\s*]+/.exec(word) ?? []
  if (start === undefined || !URL.canParse(start)) return undefined
  const { origin } = new URL(start)
  return origin === "null" ? start : origin
}

/** A list of the origins of web pages. Another spelling than that of browsers would never match. */
export const origins: Schema.Schema<ReadonlyArray<string>, unknown> = reads<ReadonlyArray<string>>((value) => {
  const found = textsOf(value)
  if (typeof found === "string") return found
  for (const text of found.value) {
    const sent = sentOrigin(text)
    if (sent === undefined) return `must list origins such as https://example.org, '*' or 'loopback', not ${show(text)}`
    if (sent !== text) return `must list origins as browsers send them: '${sent}' instead of ${show(text)}`
  }
  return found
})

/** One of the given words, case-insensitive. */
export const oneOf = <const A extends string | number>(...words: ReadonlyArray<A>): Schema.Schema<A, unknown> =>
  reads((value) => {
    const given = String(value).trim().toLowerCase()
    const word = words.find((word) => String(word).toLowerCase() === given)
    return word === undefined ? `must be one of ${words.join(", ")}, not ${show(value)}` : { value: word }
  })

/** A class of this server by its simple name, with any package. */
export const className = <const A extends string>(...names: ReadonlyArray<A>): Schema.Schema<A, unknown> =>
  reads((value) => {
    const given = canonicalName(String(value))
    const name = names.find((name) => name === given)
    return name === undefined ? unknownClass(value, names) : { value: name }
  })

/** A class of this server, or an ES module of the user. */
export const classNameOrModule = <const A extends string>(
  ...names: ReadonlyArray<A>
): Schema.Schema<A | { readonly module: string }, unknown> =>
  reads<A | { readonly module: string }>((value) => {
    const given = String(value).trim()
    if (isModulePath(given)) return { value: { module: given } }
    const name = names.find((name) => name === canonicalName(given))
    return name === undefined ? `${unknownClass(value, names)}, or the path of an ES module` : { value: name }
  })

const unknownClass = (value: unknown, names: ReadonlyArray<string>): string => {
  const given = String(value)
  return `${show(simpleName(given.trim()))} is not known here${suggestion(canonicalName(given), names)}`
}
