import { promisify } from "node:util"
import { gunzipSync, gzip, gzipSync } from "node:zlib"
import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"

/** Strings of more UTF-16 units are compressed. */
export const MAX_PLAIN_UNITS = 16_000
/** The low three bits of the head of a compressed string. */
const GZIP = 1
/** The bit of the head of a string that is not ASCII. */
const NOT_ASCII = 8

/** Long texts that are compressed already. */
export type ZippedTexts = ReadonlyMap<string, Uint8Array>

/** Compresses a text in another thread, to the same bytes as {@link writeString} does. */
export const compress = (text: string): Promise<Uint8Array> => promisify<string, Uint8Array>(gzip)(text)

const isAscii = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0 || unit > 127) return false
  }
  return true
}

/**
 * Writes a string or null. The last character of an ASCII string without NUL has its top bit set. Other strings are
 * CESU-8: each UTF-16 unit is encoded separately, surrogates too.
 */
export const writeString = (writer: ByteWriter, text: string | null): void => {
  if (text === null) writer.varint(0)
  else if (text.length > MAX_PLAIN_UNITS) {
    const zipped = writer.zipped?.get(text) ?? gzipSync(text)
    writer.varint(zipped.length * 8 + GZIP)
    writer.raw(zipped)
  } else if (isAscii(text)) {
    writer.varint(text === "" ? 16 : 32)
    if (text !== "") writer.markedText(text)
  } else {
    writer.varint(text.length * 16 + NOT_ASCII)
    for (let i = 0; i < text.length; i++) writeUnit(writer, text.charCodeAt(i))
  }
}

const writeUnit = (writer: ByteWriter, unit: number): void => {
  if (unit < 0x80) writer.byte(unit)
  else if (unit < 0x800) {
    writer.byte(0xc0 | (unit >> 6))
    writer.byte(0x80 | (unit & 63))
  } else {
    writer.byte(0xe0 | (unit >> 12))
    writer.byte(0x80 | ((unit >> 6) & 63))
    writer.byte(0x80 | (unit & 63))
  }
}

/** Reads what {@link writeString} writes. */
export const readString = (reader: ByteReader): string | null => {
  const head = reader.count()
  if (head === 0) return null
  const compression = head % 8
  if (compression === GZIP) return gunzipSync(reader.take(Math.floor(head / 8))).toString("utf8")
  if (compression !== 0) throw new Error(`A string has the compression ${compression}, which this server does not know`)
  if ((head & NOT_ASCII) === 0) return head >> 4 === 1 ? "" : reader.markedText()
  let text = ""
  for (let left = Math.floor(head / 16); left > 0; left--) text += String.fromCharCode(readUnit(reader))
  return text
}

const readUnit = (reader: ByteReader): number => {
  const first = reader.byte()
  if (first < 0x80) return first
  if (first < 0xe0) return ((first & 31) << 6) | (reader.byte() & 63)
  const second = reader.byte() & 63
  return ((first & 15) << 12) | (second << 6) | (reader.byte() & 63)
}

/** Writes a string so that the bytes sort as the strings do, by UTF-16 units. Null sorts last. Throws UnsupportedValue for U+0000. */
export const writeOrderedString = (writer: ByteWriter, text: string | null): void => {
  if (text === null) {
    writer.byte(255)
    return
  }
  if (text.includes("\0")) {
    throw new UnsupportedValue(
      "An index of buildEdgeIndex() or buildPropertyIndex() cannot store a text with the character U+0000. " +
        `Replace the character: ${JSON.stringify(text.length > 50 ? `${text.slice(0, 50)}...` : text)}`
    )
  }
  const at = writer.room(2 * text.length + 3)
  const { bytes } = writer
  bytes[at] = 0
  for (let i = 0; i < text.length; i++) bytes.writeUInt16BE(text.charCodeAt(i), at + 1 + 2 * i)
  bytes.writeUInt16BE(0, at + 1 + 2 * text.length)
}

/** Reads what {@link writeOrderedString} writes. */
export const readOrderedString = (reader: ByteReader): string | null => {
  if (reader.byte() !== 0) return null
  let text = ""
  for (;;) {
    const unit = (reader.byte() << 8) | reader.byte()
    if (unit === 0) return text
    text += String.fromCharCode(unit)
  }
}
