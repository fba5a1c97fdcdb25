import { describe, expect, it } from "vitest"
import { wholeFrame } from "../../../../src/layers/transport/websocket/WebSocketFrames.ts"

/** The parts of a server's frame: RFC 6455, section 5.2. */
const read = (frame: Buffer): { opcode: number; payload: Buffer } => {
  expect(frame[0]! & 0xf0).toBe(0x80)
  const short = frame[1]!
  expect(short & 0x80).toBe(0)
  const start = short < 126 ? 2 : short === 126 ? 4 : 10
  const length = short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2))
  expect(frame.length).toBe(start + length)
  // Only the shortest form of the length is allowed.
  expect(length).toBeGreaterThanOrEqual(short < 126 ? 0 : short === 126 ? 126 : 65_536)
  return { opcode: frame[0]! & 0x0f, payload: frame.subarray(start) }
}

describe("A message as one WebSocket frame", () => {
  for (const length of [0, 1, 125, 126, 127, 65_535, 65_536, 200_000]) {
    it(`of ${length} bytes has the length in its shortest form before them`, () => {
      const bytes = Buffer.alloc(length, 7)
      expect(read(wholeFrame(bytes, true))).toEqual({ opcode: 2, payload: bytes })
      expect(read(wholeFrame("a".repeat(length), false))).toEqual({ opcode: 1, payload: Buffer.alloc(length, "a") })
    })
  }

  it("has text in UTF-8, also for characters of several bytes", () => {
    for (const text of ["Grüße", "ÿ".repeat(70), "日本".repeat(30_000), "\u{1f600}"]) {
      expect(read(wholeFrame(text, false)).payload.toString("utf8")).toBe(text)
    }
  })
})
