/** Opcodes of RFC 6455 with the bit of a frame that is a whole message. */
const TEXT = 0x81
const BINARY = 0x82

/** Lengths from which on the header has two, and eight bytes for it, and the bytes of the headers. */
const MEDIUM = 126
const LONG = 65_536

/** Bytes that are copied: of longer ones ws writes the header and the payload after each other. */
export const LONGEST_COPY = 16_384

/**
 * A message as one WebSocket frame of a server, header and payload in one piece of memory: one write of one buffer costs
 * less than the two that ws makes of it.
 */
export const wholeFrame = (payload: Buffer | string, binary: boolean): Buffer => {
  const length = typeof payload === "string" ? Buffer.byteLength(payload) : payload.length
  const start = length < MEDIUM ? 2 : length < LONG ? 4 : 10
  const frame = Buffer.allocUnsafe(start + length)
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
  if (typeof payload !== "string") payload.copy(frame, start)
  // What has as many bytes as characters is ASCII, which is copied and not encoded.
  else frame.write(payload, start, length, length === payload.length ? "latin1" : "utf8")
  return frame
}
