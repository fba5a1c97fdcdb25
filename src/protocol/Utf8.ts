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
