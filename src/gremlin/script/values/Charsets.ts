import { OperandError, Unavailable } from "./OperandErrors.ts"

// The character sets that every JVM has.

/** The sets by their names in Java, and in lower case by their other names. */
const names: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "UTF-8": "utf-8 utf8",
    "US-ASCII": "us-ascii ascii iso646-us",
    "ISO-8859-1": "iso-8859-1 iso8859-1 iso8859_1 8859_1 latin1 l1",
    "UTF-16": "utf-16 utf16 utf_16",
    "UTF-16BE": "utf-16be utf_16be",
    "UTF-16LE": "utf-16le utf_16le"
  }).flatMap(([name, others]) => others.split(" ").map((other) => [other, name] as const))
)

/** A character set of `StandardCharsets`. */
class Charset {
  /** Its name in Java, such as `UTF-8`. */
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  get [Symbol.toStringTag](): string {
    return "Charset"
  }
  toString(): string {
    return this.name
  }
}

/** The constants of java.nio.charset.StandardCharsets. */
export const standardCharsets: { readonly [name: string]: Charset } = Object.fromEntries(
  [...new Set(names.values())].map((name) => [name.replaceAll("-", "_"), new Charset(name)])
)

/** The name of a character set in Java: of a constant, or of a text. Without a value UTF-8. Fails with Unavailable for another one. */
export const charsetName = (value: unknown): string => {
  if (value === undefined) return "UTF-8"
  if (value instanceof Charset) return value.name
  const found = typeof value === "string" ? names.get(value.toLowerCase()) : undefined
  if (found !== undefined) return found
  throw new Unavailable(
    `scripts have the character sets ${Object.keys(standardCharsets).join(", ")}, not ${String(value).slice(0, 40)}`
  )
}

/** Halves of surrogate pairs that stand alone. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** The text with a question mark for each half of a surrogate pair that stands alone, as Java encodes it. */
export const withoutLone = (text: string): string => text.replace(LONE, "?")

const BYTE_ORDER_MARK = "\ufeff"

const bigEndian = (text: string): Uint8Array => Buffer.from(text, "utf16le").swap16()

/** The bytes of a text. As in Java, a character that the set lacks becomes a question mark, and U+FFFD in UTF-16. */
export const encoded = (text: string, charset: string): Uint8Array => {
  const units = charset.startsWith("UTF-16") ? text.replace(LONE, "\ufffd") : withoutLone(text)
  switch (charset) {
    case "UTF-8":
      return new Uint8Array(Buffer.from(units, "utf8"))
    case "UTF-16":
      return new Uint8Array(bigEndian(text === "" ? "" : BYTE_ORDER_MARK + units))
    case "UTF-16BE":
      return new Uint8Array(bigEndian(units))
    case "UTF-16LE":
      return new Uint8Array(Buffer.from(units, "utf16le"))
  }
  const others = charset === "US-ASCII" ? /[^\0-\x7f]/gu : /[^\0-\xff]/gu
  return new Uint8Array(Buffer.from(units.replace(others, "?"), "latin1"))
}

/** The text of bytes. Fails with OperandError for bytes that are no text in the set. */
export const decoded = (bytes: Uint8Array, charset: string): string => {
  if (charset === "ISO-8859-1") return Buffer.from(bytes).toString("latin1")
  if (charset === "US-ASCII" && bytes.every((byte) => byte < 128)) return Buffer.from(bytes).toString("latin1")
  const text = charset === "US-ASCII" ? undefined : strictText(bytes, charset)
  if (text !== undefined) return text
  throw new OperandError(
    `the bytes are no text in ${charset}: scripts do not have Java's replacements of such bytes, so read them as ISO-8859-1`
  )
}

const strictText = (bytes: Uint8Array, charset: string): string | undefined => {
  const isMarked = charset === "UTF-16" && bytes.length > 1 && (bytes[0]! << 8) + bytes[1]! >= 0xfeff
  const mark = isMarked ? (bytes[0]! << 8) + bytes[1]! : 0
  const isLittle = charset === "UTF-16LE" || mark === 0xfffe
  const label = charset === "UTF-8" ? "utf-8" : isLittle ? "utf-16le" : "utf-16be"
  try {
    const rest = mark === 0xfffe || mark === 0xfeff ? bytes.subarray(2) : bytes
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(rest)
  } catch {
    return undefined
  }
}
