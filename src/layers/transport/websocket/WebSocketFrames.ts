/** Opcodes of RFC 6455 with the bit of a frame that is a whole message, and the bit of one that is compressed (RFC 7692). */
const TEXT = 0x81
const BINARY = 0x82
const COMPRESSED = 0x40

/** Lengths from which on the header has two, and eight bytes for it, and the bytes of the headers. */
const MEDIUM = 126
const LONG = 65_536

/** Bytes that are copied: of longer ones ws writes the header and the payload after each other. */
export const LONGEST_COPY = 16_384

const headerLength = (length: number): number => (length < MEDIUM ? 2 : length < LONG ? 4 : 10)

const writeHeader = (frame: Buffer, length: number, binary: boolean): void => {
  frame[0] = binary ? BINARY : TEXT
  if (length < MEDIUM) frame[1] = length
  else if (length < LONG) {
    frame[1] = MEDIUM
    frame[2] = length >> 8
    frame[3] = length & 255
  } else {
    frame[1] = 127
    frame.writeUInt32BE(0, 2)
    frame.writeUInt32BE(length, 6)
  }
}

/** What stands before a message of so many bytes, fewer than 4 GB, in its one frame. */
export const frameHeader = (length: number, binary: boolean, compressed: boolean): Buffer => {
  const header = Buffer.allocUnsafe(headerLength(length))
  writeHeader(header, length, binary)
  if (compressed) header[0]! |= COMPRESSED
  return header
}

/**
 * A message as one WebSocket frame of a server, header and payload in one piece of memory: one write of one buffer costs
 * less than the two that ws makes of it.
 */
export const wholeFrame = (payload: Buffer | string, binary: boolean): Buffer => {
  const length = typeof payload === "string" ? Buffer.byteLength(payload) : payload.length
  const start = headerLength(length)
  const frame = Buffer.allocUnsafe(start + length)
  writeHeader(frame, length, binary)
  if (typeof payload !== "string") payload.copy(frame, start)
  // What has as many bytes as characters is ASCII, which is copied and not encoded.
  else frame.write(payload, start, length, length === payload.length ? "latin1" : "utf8")
  return frame
}
