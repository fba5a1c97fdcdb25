import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "./Collections.ts"
import { dateText, timestampText } from "./Dates.ts"
import { decimalText } from "./Decimal.ts"
import { durationText } from "./Durations.ts"
import { Edge, Property, Vertex, VertexProperty } from "./Element.ts"
import { EnumValue } from "./Enums.ts"
import { BigDecimal, BigInteger, Byte, Double, digitsEffort, Float, isInt, Short } from "./Numbers.ts"
import { doubleText, floatText } from "./NumberText.ts"
import { Path, Tree } from "./Path.ts"
import { SubGraph } from "./SubGraph.ts"
import { Char, ClassName, Duration, InetAddress, OffsetDateTime, Temporal, Timestamp, Uuid } from "./Temporal.ts"
import { typeName } from "./TypeNames.ts"
import { ValueTooLarge } from "./ValueErrors.ts"

/**
 * Any value as text, spelt as Gremlin Server spells it (Java's toString): what asString(), format(), concat(), the
 * text/plain answer and error messages show. `v[1]`, `e[7][1-knows->2]`, `[1, a]`, `{name=[marko]}`, `1.0E10`.
 */
export const text = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return value
    case "number":
      return isInt(value) ? String(value) : doubleText(value)
    case "bigint":
    case "boolean":
      return String(value)
    default:
      return value === null || value === undefined ? "null" : objectText(value as object)
  }
}

/** Characters of collections that may still come; beyond them collections end with "...". */
let room = Number.POSITIVE_INFINITY

/** The text of a value, or its beginning where that is longer than `most` characters: then the result is longer than that. */
export const beginningOf = (value: unknown, most: number): string => {
  const outer = room
  const outerDigits = digitsRoom
  room = most
  digitsRoom = LONGEST_DIGITS
  try {
    return text(value)
  } finally {
    room = outer
    digitsRoom = outerDigits
  }
}

/** What the digits of all large integers of one text may take, in units of effort: some 10 ms. */
const LONGEST_DIGITS = 250_000
let digitsRoom = Number.POSITIVE_INFINITY

const checkDigits = (value: bigint): void => {
  const effort = digitsEffort(value)
  if (effort === 0) return
  digitsRoom -= effort
  if (digitsRoom >= 0) return
  throw new ValueTooLarge(
    "The text of a value has too many digits of large integers: it may have six of 65,536 bits, or more that are shorter. " +
      "Make a text of each."
  )
}

/** Characters of a value in a message. */
const BRIEF = 200

/** A value in a message: its text, cut where it is long. */
export const briefText = (value: unknown): string => {
  const beginning = beginningOf(value, BRIEF)
  return beginning.length > BRIEF ? `${beginning.slice(0, BRIEF)}...` : beginning
}

const objectText = (value: object): string => {
  if (value instanceof Vertex) return `v[${text(value.id)}]`
  if (value instanceof Edge) return edgeText(value)
  if (value instanceof Double) return doubleText(value.value)
  if (value instanceof VertexProperty) return `vp[${value.key}->${abbreviated(text(value.value))}]`
  if (value instanceof Property) return `p[${value.key}->${abbreviated(text(value.value))}]`
  if (Array.isArray(value)) return `[${texts(value)}]`
  if (value instanceof GremlinMap) return mapText(value)
  return collectionText(value) ?? scalarText(value)
}

const edgeText = (edge: Edge): string =>
  `e[${text(edge.id)}][${text(edge.outVertex.id)}-${edge.label}->${text(edge.inVertex.id)}]`

/** Values of properties are cut to twenty characters. */
const abbreviated = (value: string): string => (value.length > 20 ? `${value.slice(0, 17)}...` : value)

/** The texts of members, separated by commas, as far as there is room. */
const texts = <A>(members: Iterable<A>, textOf: (member: A) => string = text): string => {
  const written: Array<string> = []
  for (const member of members) {
    if (room < 0) {
      written.push("...")
      break
    }
    const before = room
    const one = textOf(member)
    written.push(one)
    // What collections inside have taken is in the text.
    room = before - one.length - 2
  }
  return written.join(", ")
}

const entryText = ([key, value]: readonly [unknown, unknown]): string => `${text(key)}=${text(value)}`

const mapText = (map: GremlinMap): string => `{${texts(map.entries(), entryText)}}`

const collectionText = (value: object): string | undefined => {
  if (value instanceof GremlinSet) return `[${texts(value)}]`
  if (value instanceof BulkSet) return `{${texts(value.entries(), entryText)}}`
  if (value instanceof MapEntry) return `${text(value.key)}=${text(value.value)}`
  if (value instanceof Path) return `path[${texts(value.objects)}]`
  if (value instanceof Tree) return mapText(value.children)
  if (value instanceof SubGraph) return `tinkergraph[vertices:${value.vertices.length} edges:${value.edges.length}]`
  return undefined
}

const scalarText = (value: object): string => {
  if (value instanceof Float) return floatText(value.value)
  if (value instanceof Byte || value instanceof Short) return String(value.value)
  if (value instanceof BigInteger) {
    checkDigits(value.value)
    return String(value.value)
  }
  if (value instanceof BigDecimal) {
    checkDigits(value.unscaled)
    return decimalText(value)
  }
  if (value instanceof EnumValue || value instanceof ClassName) return value.name
  if (value instanceof Uuid || value instanceof Char || value instanceof Temporal) return value.text
  if (value instanceof OffsetDateTime) return dateText(value)
  if (value instanceof Timestamp) return timestampText(value)
  if (value instanceof Duration) return durationText(value)
  if (value instanceof Uint8Array) return `ByteBuffer[${value.length} bytes]`
  if (value instanceof InetAddress) return `/${addressText(value.bytes)}`
  return hasOwnText(value) ? String(value) : typeName(value)
}

/** Predicates, traversals and the like bring their own text. */
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

/** Puts the halves of characters in their order again, in a text that was turned round. */
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
