import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../collections/Collections.ts"
import { Tree } from "../collections/Tree.ts"
import { Edge, Property, Vertex, VertexProperty } from "../elements/Element.ts"
import { Path } from "../elements/Path.ts"
import { SubGraph } from "../elements/SubGraph.ts"
import { ValueTooLarge } from "../errors/ValueErrors.ts"
import { decimalText } from "../numbers/Decimal.ts"
import { NumberRange } from "../numbers/NumberRange.ts"
import { BigDecimal, BigInteger, Byte, Double, digitsEffort, Float, isInt, Short } from "../numbers/Numbers.ts"
import { doubleText, floatText } from "../numbers/NumberText.ts"
import { Char } from "../scalars/Char.ts"
import { ClassName, classText } from "../scalars/ClassNames.ts"
import { EnumValue } from "../scalars/Enums.ts"
import { InetAddress } from "../scalars/InetAddress.ts"
import { Uuid } from "../scalars/Uuid.ts"
import { dateText, timestampText } from "../times/Dates.ts"
import { durationText } from "../times/Durations.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../times/Temporal.ts"
import { typeName } from "./TypeNames.ts"

/**
 * The text of any value as Gremlin Server writes it (Java's toString), for asString(), format(), concat(), text/plain and error
 * messages: `v[1]`, `e[7][1-knows->2]`, `[1, a]`, `{name=[marko]}`, `1.0E10`.
 */
export const text = (value: unknown): string => written(value, NO_LIMIT)

/** The budget of the text of one value. Texts of members subtract from it. */
interface TextLimit {
  /** Number of characters that are left. If none are left, collections end with "...". */
  characters: number
  /** Effort that is left for the digits of large integers, see {@link digitsEffort}. */
  digits: number
  /** True for maps in Groovy's form, `[a:1]`, and not in Java's, `{a=1}`. */
  isGroovy: boolean
}

/** Infinity minus any number stays Infinity, so all texts without a limit share this one. */
const NO_LIMIT: TextLimit = { characters: Number.POSITIVE_INFINITY, digits: Number.POSITIVE_INFINITY, isGroovy: false }

/** Maximum effort for the digits of all large integers of one limited text, in units of 40 ns: 10 ms. */
const MAX_DIGITS_EFFORT = 250_000

/**
 * The text of a value. If the text is longer than `most` characters, the result is a beginning of it that is also longer than `most`
 * characters. Fails with ValueTooLarge if large integers in the value have too many digits.
 */
export const beginningOf = (value: unknown, most: number): string =>
  written(value, { characters: most, digits: MAX_DIGITS_EFFORT, isGroovy: false })

/** The same as {@link beginningOf}, as Groovy writes the value in a string: a map, and a map in collections, as `[a:1]`. */
export const groovyBeginningOf = (value: unknown, most: number): string =>
  written(value, { characters: most, digits: MAX_DIGITS_EFFORT, isGroovy: true })

const written = (value: unknown, limit: TextLimit): string => {
  switch (typeof value) {
    case "string":
      return value
    case "number":
      return isInt(value) ? String(value) : doubleText(value)
    case "bigint":
    case "boolean":
      return String(value)
    default:
      return value === null || value === undefined ? "null" : objectText(value as object, limit)
  }
}

const checkDigits = (value: bigint, limit: TextLimit): void => {
  const effort = digitsEffort(value)
  if (effort === 0) return
  limit.digits -= effort
  if (limit.digits >= 0) return
  throw new ValueTooLarge(
    "The text of a value has too many digits of large integers: the limit is six integers of 65,536 bits, or more shorter ones. " +
      "Convert the integers to texts one by one."
  )
}

/** Maximum length of the text of a value in a message. */
const BRIEF_TEXT_CHARS = 200

/** The text of a value for a message. A long text is cut off. */
export const briefText = (value: unknown): string => {
  const beginning = beginningOf(value, BRIEF_TEXT_CHARS)
  return beginning.length > BRIEF_TEXT_CHARS ? `${beginning.slice(0, BRIEF_TEXT_CHARS)}...` : beginning
}

const objectText = (value: object, limit: TextLimit): string => {
  if (value instanceof Vertex) return `v[${written(value.id, limit)}]`
  if (value instanceof Edge) return edgeText(value, limit)
  if (value instanceof Double) return doubleText(value.value)
  if (value instanceof VertexProperty) return `vp[${value.key}->${abbreviated(written(value.value, limit))}]`
  if (value instanceof Property) return `p[${value.key}->${abbreviated(written(value.value, limit))}]`
  if (value instanceof NumberRange) return value.text
  if (Array.isArray(value)) return `[${texts(value, limit)}]`
  if (limit.isGroovy && value instanceof Uint8Array) return `[${texts(new Int8Array(value), limit)}]`
  if (value instanceof GremlinMap) return mapText(value, limit)
  if (value instanceof Tree) return mapText(value.children, limit)
  if (value instanceof GremlinSet) return `[${texts(value, limit)}]`
  // As in Groovy, all other values write their members in Java's form.
  const { isGroovy } = limit
  limit.isGroovy = false
  const found = collectionText(value, limit) ?? scalarText(value, limit)
  limit.isGroovy = isGroovy
  return found
}

const edgeText = (edge: Edge, limit: TextLimit): string =>
  `e[${written(edge.id, limit)}][${written(edge.outVertex.id, limit)}-${edge.label}->${written(edge.inVertex.id, limit)}]`

/** Values of properties are cut to twenty characters. */
const abbreviated = (value: string): string => (value.length > 20 ? `${value.slice(0, 17)}...` : value)

/** The texts of members, separated by commas, as far as there is room. */
const texts = (members: Iterable<unknown>, limit: TextLimit): string => joined(members, limit, written)

const entryTexts = (entries: Iterable<readonly [unknown, unknown]>, limit: TextLimit): string =>
  joined(entries, limit, entryText)

const joined = <A>(members: Iterable<A>, limit: TextLimit, textOf: (member: A, limit: TextLimit) => string): string => {
  const written: Array<string> = []
  for (const member of members) {
    if (limit.characters < 0) {
      written.push("...")
      break
    }
    const before = limit.characters
    const one = textOf(member, limit)
    written.push(one)
    // The text includes the characters that inner collections have already subtracted.
    limit.characters = before - one.length - 2
  }
  return written.join(", ")
}

const entryText = ([key, value]: readonly [unknown, unknown], limit: TextLimit): string =>
  `${written(key, limit)}${limit.isGroovy ? ":" : "="}${written(value, limit)}`

const mapText = (map: GremlinMap, limit: TextLimit): string => {
  if (!limit.isGroovy) return `{${entryTexts(map.entries(), limit)}}`
  return map.size === 0 ? "[:]" : `[${entryTexts(map.entries(), limit)}]`
}

const collectionText = (value: object, limit: TextLimit): string | undefined => {
  if (value instanceof BulkSet) return `{${entryTexts(value.entries(), limit)}}`
  if (value instanceof MapEntry) return entryText([value.key, value.value], limit)
  if (value instanceof Path) return `path[${texts(value.objects, limit)}]`
  if (value instanceof SubGraph) return `tinkergraph[vertices:${value.vertices.length} edges:${value.edges.length}]`
  return undefined
}

const scalarText = (value: object, limit: TextLimit): string => {
  if (value instanceof Float) return floatText(value.value)
  if (value instanceof Byte || value instanceof Short) return String(value.value)
  if (value instanceof BigInteger) {
    checkDigits(value.value, limit)
    return String(value.value)
  }
  if (value instanceof BigDecimal) {
    checkDigits(value.unscaled, limit)
    return decimalText(value)
  }
  if (value instanceof EnumValue) return value.name
  if (value instanceof ClassName) return classText(value.name)
  if (value instanceof Uuid || value instanceof Char || value instanceof Temporal) return value.text
  if (value instanceof OffsetDateTime) return dateText(value)
  if (value instanceof Timestamp) return timestampText(value)
  if (value instanceof Duration) return durationText(value)
  if (value instanceof Uint8Array) return `ByteBuffer[${value.length} bytes]`
  if (value instanceof InetAddress) return `/${addressText(value.bytes)}`
  return hasOwnText(value) ? String(value) : typeName(value)
}

/** The text of objects with a toString() of their class, such as predicates and traversals. */
const hasOwnText = (value: object): boolean =>
  typeof value.toString === "function" && value.toString !== Object.prototype.toString

/** An IPv4 address in decimal, an IPv6 address in hexadecimal groups without zeros left out. */
const addressText = (bytes: Uint8Array): string => {
  if (bytes.length === 4) return bytes.join(".")
  const groups: Array<string> = []
  for (let i = 0; i + 1 < bytes.length; i += 2) groups.push(((bytes[i]! << 8) | bytes[i + 1]!).toString(16))
  return groups.join(":")
}

const surrogate = /[\ud800-\udfff]/

/** The characters of a text from the last to the first. Surrogates stay in pairs. */
export const reversed = (text: string): string => {
  const bytes = Buffer.from(text, "utf16le").reverse().swap16()
  if (surrogate.test(text)) pairAgain(new Uint16Array(bytes.buffer, bytes.byteOffset, text.length))
  return bytes.toString("utf16le")
}

/** Restores the order of surrogate pairs in a reversed text. */
const pairAgain = (units: Uint16Array): void => {
  for (let i = 0; i + 1 < units.length; i++) {
    const first = units[i]!
    if ((first & 0xfc00) !== 0xdc00) continue
    const second = units[i + 1]!
    if ((second & 0xfc00) !== 0xd800) continue
    units[i] = second
    units[++i] = first
  }
}
