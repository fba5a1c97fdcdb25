import { Edge, Property, Vertex, VertexProperty } from "../elements/Element.ts"
import { Path } from "../elements/Path.ts"
import { ValueTooLarge } from "../errors/ValueErrors.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, Short } from "../numbers/Numbers.ts"
import { Char } from "../scalars/Char.ts"
import { ClassName } from "../scalars/ClassNames.ts"
import { EnumValue } from "../scalars/Enums.ts"
import { InetAddress } from "../scalars/InetAddress.ts"
import { Uuid } from "../scalars/Uuid.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../times/Temporal.ts"

/**
 * A value that builds its own key: a collection. Collections use {@link keyOf} themselves, so this file cannot import them.
 */
export abstract class Keyed {
  /**
   * A text that two values of this class share exactly when they are equivalent; begins with NUL and a letter of its class. A value
   * that is equivalent to a constant gives this constant.
   */
  abstract equivalenceKey(): string | EnumValue
}

/** A list that is equal to no other list, even one with equal members. */
export abstract class IdentityList extends Array<unknown> {
  /** What only equal lists share. */
  abstract readonly identity: object
}

/** True for lists that differ even if their members are equal. */
export const areOtherIdentities = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a instanceof IdentityList ? !(b instanceof IdentityList && a.identity === b.identity) : b instanceof IdentityList

/**
 * The key under which a JavaScript Map holds a value so that two values share it exactly when they are equivalent in
 * Gremlin's sense (dedup, group keys, sets, map keys): types matter (1, 1L, 1.0 differ), NaN equals NaN, -0.0 equals
 * 0.0, elements are equal by id. A string, Int, Long, boolean, enum constant and null is its own key; everything else a tagged string
 * that begins with NUL, and so does a string that itself begins with NUL. Objects of unknown classes are their own key.
 */
export const keyOf = (value: unknown): unknown => {
  switch (typeof value) {
    case "string":
      return value.charCodeAt(0) === 0 ? `\0s${value}` : value
    case "number":
      // A Map does not distinguish -0 from 0, but -0 is a Double and 0 an Int.
      return value === 0 && 1 / value < 0 ? "\0d0" : value
    case "bigint":
    case "boolean":
      return value
    default:
      return value === null || value === undefined ? null : objectKey(value as object)
  }
}

/** True for two values that are equivalent in the sense of {@link keyOf}: NaN is equivalent to NaN. */
export const equivalent = (a: unknown, b: unknown): boolean => Object.is(keyOf(a), keyOf(b))

const objectKey = (value: object): unknown => {
  if (value instanceof EnumValue) return value
  if (value instanceof Vertex) return `\0v${keyText(value.id)}`
  if (value instanceof Edge) return `\0e${keyText(value.id)}`
  if (value instanceof Double) return `\0d${value.value}`
  if (value instanceof VertexProperty) return `\0p${keyText(value.id)}`
  if (value instanceof Property) return `\0P${keyText(value.key)}${keyText(value.value)}`
  if (value instanceof IdentityList) return value.identity
  if (Array.isArray(value)) return listKey("l", value)
  if (value instanceof Keyed) return value.equivalenceKey()
  if (value instanceof Path) return pathKey(value)
  return scalarKey(value)
}

const scalarKey = (value: object): unknown => {
  if (value instanceof Float) return `\0f${value.value}`
  if (value instanceof Byte) return `\0b${value.value}`
  if (value instanceof Short) return `\0h${value.value}`
  // The time for hexadecimal digits grows with their number, for decimal digits with its square.
  if (value instanceof BigInteger) return `\0n${value.value.toString(32)}`
  if (value instanceof BigDecimal) return decimalKey(value)
  if (value instanceof Uuid) return `\0u${value.text}`
  if (value instanceof OffsetDateTime) return `\0o${value.epochMillis},${value.nanos},${value.offsetSeconds}`
  if (value instanceof Char) return `\0c${value.text}`
  if (value instanceof Timestamp) return `\0t${value.distant ?? value.epochMillis}`
  if (value instanceof Duration) return `\0D${value.seconds},${value.nanos}`
  if (value instanceof Uint8Array) return `\0x${bytesText(value)}`
  if (value instanceof Temporal) return `\0j${value.name} ${value.text}`
  if (value instanceof InetAddress) return `\0i${bytesText(value.bytes)}`
  if (value instanceof ClassName) return `\0C${value.name}`
  return value
}

/**
 * Maximum length of the key of a collection, because the key is built in one call. A member takes about ten characters. The key of a
 * single text may be longer.
 */
const MAX_KEY_CHARS = 1_048_576

const tooLong = (): ValueTooLarge =>
  new ValueTooLarge(
    `A collection is too large for a key of dedup() or group(), or for a member of a set: its text form may have at most ` +
      `${MAX_KEY_CHARS} characters, which is about 100,000 numbers. Use by() to compare a part of the collection.`
  )

/** Counts the characters of a key while it is built. Fails with ValueTooLarge when there are too many. */
const checked = (length: number): void => {
  if (length > MAX_KEY_CHARS) throw tooLong()
}

/** The key of values in order; `tag` is the letter of their class. Fails with ValueTooLarge if it gets too long. */
const listKey = (tag: string, values: readonly unknown[]): string => {
  let key = `\0${tag}`
  for (const value of values) {
    key += keyText(value)
    checked(key.length)
  }
  return key
}

/** The keys of the members of an unordered collection. Fails with ValueTooLarge if they get too long. */
export const keyTexts = (members: Iterable<unknown>, textOf: (member: unknown) => string = keyText): Array<string> => {
  const texts: Array<string> = []
  let length = 0
  for (const member of members) {
    const text = textOf(member)
    texts.push(text)
    checked((length += text.length))
  }
  return texts
}

/** The key of unordered keys, such as those of a set's members. */
export const unorderedKey = (tag: string, texts: string[]): string => `\0${tag}${texts.sort().join("")}`

const pathKey = (path: Path): string => {
  let key = "\0a"
  for (let i = 0; i < path.objects.length; i++) {
    const labels = [...(path.labels[i] ?? [])].sort()
    key += `${keyText(path.objects[i])}${labels.length};`
    for (const label of labels) key += keyText(label)
    checked(key.length)
  }
  return key
}

/** 1.0m and 1.00m are the same number: trailing zeros are not part of the key. */
const decimalKey = (decimal: BigDecimal): string => {
  if (decimal.unscaled === 0n) return "\0m0,0"
  const digits = String(decimal.unscaled)
  let end = digits.length
  while (digits.charCodeAt(end - 1) === 0x30) end--
  return `\0m${digits.slice(0, end)},${decimal.scale - (digits.length - end)}`
}

const bytesText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")

/** Identities of objects of unknown classes, as a part of longer keys. */
const identityOf = new WeakMap<object, string>()

/** A self-delimiting text of the key of any value, for longer keys. */
export const keyText = (value: unknown): string => textOfKey(keyOf(value))

/** A self-delimiting text of a key that {@link keyOf} returned. */
export const textOfKey = (key: unknown): string => {
  switch (typeof key) {
    case "string":
      return `s${key.length}:${key}`
    case "number":
      return `i${key};`
    case "bigint":
      return `l${key};`
    case "boolean":
      return key ? "t" : "f"
    default:
      if (key === null) return "n"
      return key instanceof EnumValue ? `E${key.enumName}.${key.name};` : identityText(key as object)
  }
}

const identityText = (object: object): string => {
  let identity = identityOf.get(object)
  if (identity === undefined) {
    identity = crypto.randomUUID()
    identityOf.set(object, identity)
  }
  return `o${identity};`
}
