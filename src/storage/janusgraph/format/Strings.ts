import { gunzipSync, gzipSync } from "node:zlib"
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"

/** A string of more UTF-16 units is compressed. */
const LONG = 16_000
const GZIP = 1
const FULL = 8

const isAscii = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0 || unit > 127) return false
  }
  return true
}

/**
 * A string, or null. ASCII without NUL has its last character marked; other strings have three bytes for each UTF-16
 * unit above U+07FF, so that surrogates stay apart (CESU-8).
 */
export const writeString = (writer: ByteWriter, text: string | null): void => {
  if (text === null) writer.varint(0)
  else if (text.length > LONG) {
    const zipped = gzipSync(text)
    writer.varint(zipped.length * 8 + GZIP)
    writer.raw(zipped)
  } else if (isAscii(text)) {
    writer.varint(text === "" ? 16 : 32)
    if (text !== "") writer.markedText(text)
  } else {
    writer.varint(text.length * 16 + FULL)
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

export const readString = (reader: ByteReader): string | null => {
  const head = reader.count()
  if (head === 0) return null
  const compression = head % 8
  if (compression === GZIP) return gunzipSync(reader.take(Math.floor(head / 8))).toString("utf8")
  if (compression !== 0) throw new Error(`A string is compressed in an unknown way (${compression})`)
  if ((head & FULL) === 0) return head >> 4 === 1 ? "" : reader.markedText()
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

/** The form that sorts as the strings do, by UTF-16 units. Null sorts last. U+0000 cannot be written. */
export const writeOrderedString = (writer: ByteWriter, text: string | null): void => {
  if (text === null) {
    writer.byte(255)
    return
  }
  if (text.includes("\0")) throw new Error("A text with U+0000 in it cannot be sorted by")
  const at = writer.room(2 * text.length + 3)
  const { bytes } = writer
  bytes[at] = 0
  for (let i = 0; i < text.length; i++) bytes.writeUInt16BE(text.charCodeAt(i), at + 1 + 2 * i)
  bytes.writeUInt16BE(0, at + 1 + 2 * text.length)
}

export const readOrderedString = (reader: ByteReader): string | null => {
  if (reader.byte() !== 0) return null
  let text = ""
  for (;;) {
    const unit = (reader.byte() << 8) | reader.byte()
    if (unit === 0) return text
    text += String.fromCharCode(unit)
  }
}
