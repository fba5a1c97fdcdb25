import { isUtf8 } from "node:buffer"
import { ProtocolError } from "./ProtocolError.ts"

/** The character that stands for bytes that are no UTF-8. */
const REPLACEMENT = "\ufffd"

/** The text of bytes that must be UTF-8: read with gaps, it would be another text than the client's. Fails with ProtocolError. */
export const utf8Text = (bytes: Buffer, start = 0, end = bytes.length): string => {
  const text = bytes.toString("utf8", start, end)
  if (text.includes(REPLACEMENT) && !isUtf8(bytes.subarray(start, end))) {
    throw new ProtocolError("The message has a text that is no UTF-8.")
  }
  return text
}
