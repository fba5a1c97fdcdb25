import { isUtf8 } from "node:buffer"
import { ProtocolError } from "./ProtocolError.ts"

/** The decoder puts this character in the place of bytes that are not UTF-8. */
const REPLACEMENT = "\ufffd"

/** The text of bytes in UTF-8. Fails with ProtocolError for other bytes: decoded with gaps they would be another text. */
export const utf8Text = (bytes: Buffer, start = 0, end = bytes.length): string => {
  const text = bytes.toString("utf8", start, end)
  if (text.includes(REPLACEMENT) && !isUtf8(bytes.subarray(start, end))) {
    throw new ProtocolError("The message has a text that is no UTF-8.")
  }
  return text
}

/** The longest sequence of UTF-8 is one byte longer. */
const MAX_CONTINUATIONS = 3

/** The start of a text in UTF-8 without the bytes at its end that begin a character whose other bytes are not there. */
export const wholeCharacters = (bytes: Buffer): Buffer => {
  for (let back = 1; back <= MAX_CONTINUATIONS && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}
