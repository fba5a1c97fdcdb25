/** First bytes of a frame that is a whole message: RFC 6455, section 5.2. COMPRESSED_BIT: RFC 7692, section 6. */
const TEXT_MESSAGE = 0x81
const BINARY_MESSAGE = 0x82
const COMPRESSED_BIT = 0x40

/** From these payload lengths on the header has a length field of two bytes, or of eight bytes. */
const MIN_MEDIUM_PAYLOAD_BYTES = 126
const MIN_LONG_PAYLOAD_BYTES = 65_536

/** Longer payloads are not copied: ws writes the header and the payload separately. */
export const MAX_COPIED_BYTES = 16_384

const headerLength = (length: number): number =>
  length < MIN_MEDIUM_PAYLOAD_BYTES ? 2 : length < MIN_LONG_PAYLOAD_BYTES ? 4 : 10

const writeHeader = (frame: Buffer, length: number, binary: boolean): void => {
  frame[0] = binary ? BINARY_MESSAGE : TEXT_MESSAGE
  if (length < MIN_MEDIUM_PAYLOAD_BYTES) frame[1] = length
  else if (length < MIN_LONG_PAYLOAD_BYTES) {
    frame[1] = 126
    frame[2] = length >> 8
    frame[3] = length & 255
  } else {
    frame[1] = 127
    frame.writeUInt32BE(0, 2)
    frame.writeUInt32BE(length, 6)
  }
}

/** The header of a frame that is a whole message. `length`: bytes of the payload, below 4 GB. */
export const frameHeader = (length: number, binary: boolean, compressed: boolean): Buffer => {
  const header = Buffer.allocUnsafe(headerLength(length))
  writeHeader(header, length, binary)
  if (compressed) header[0]! |= COMPRESSED_BIT
  return header
}

/**
 * A message as one WebSocket frame of a server, with header and payload in one buffer. One write costs less than the two
 * writes of ws.
 */
export const wholeFrame = (payload: Buffer | string, binary: boolean): Buffer => {
  const length = typeof payload === "string" ? Buffer.byteLength(payload) : payload.length
  const start = headerLength(length)
  const frame = Buffer.allocUnsafe(start + length)
  writeHeader(frame, length, binary)
  if (typeof payload !== "string") payload.copy(frame, start)
  // Text with as many bytes as characters is ASCII: Latin-1 copies it without encoding.
  else frame.write(payload, start, length, length === payload.length ? "latin1" : "utf8")
  return frame
}
