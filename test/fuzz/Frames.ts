import { isUtf8 } from "node:buffer"
import type { Random } from "./Random.ts"

/** Changes to a valid frame; none by default. */
export interface FrameOptions {
  readonly fin?: boolean
  readonly reserved?: number
  readonly masked?: boolean
  /** The length that the frame claims. */
  readonly claimed?: bigint
  readonly long?: boolean
}

/** A frame of a client. */
export const frame = (opcode: number, payload: Buffer | string, options: FrameOptions = {}): Buffer => {
  const data = Buffer.from(payload as string)
  const { claimed, fin = true, long = false, masked = true, reserved = 0 } = options
  const length = claimed ?? BigInt(data.length)
  const mask = masked ? 0x80 : 0
  const head = [(fin ? 0x80 : 0) | (reserved << 4) | opcode]
  if (length > 65_535n || long) {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(length)
    head.push(mask | 127, ...bytes)
  } else if (length > 125n) head.push(mask | 126, Number(length) >> 8, Number(length) & 255)
  else head.push(mask | Number(length))
  if (!masked) return Buffer.concat([Buffer.from(head), data])
  const key = [0x1f, 0x2e, 0x3d, 0x4c]
  return Buffer.concat([Buffer.from([...head, ...key]), data.map((byte, i) => byte ^ key[i % 4]!)])
}

/** The frames of a message, in parts, with pings between them. */
export const fragmented = (opcode: number, payload: Buffer, random: Random): Array<Buffer> => {
  const frames: Array<Buffer> = []
  let at = 0
  let first = true
  while (true) {
    const end = Math.min(payload.length, at + random.below(40))
    const fin = end === payload.length
    frames.push(frame(first ? opcode : 0, payload.subarray(at, end), { fin }))
    first = false
    at = end
    if (fin) return frames
    if (random.chance(0.1)) frames.push(frame(random.one([9, 10]), random.bytes(random.below(5))))
  }
}

/** The expected behaviour of a server for the bytes of a client. */
export interface Owed {
  /** Messages that are complete before the first fault. */
  readonly messages: number
  /** `open`: continues. `waits`: inside a frame or message. `closed`: the client closed. `broken`: the server closes with a code. */
  readonly state: "open" | "waits" | "closed" | "broken"
  /** The code of the client's close frame; 1005 for one without a code. Only if the state is `closed`. */
  readonly closeCode?: number
}

/** What stands for the code of a close frame without a code. */
const NO_CODE = 1005

const validCode = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) || (code >= 3000 && code <= 4999)

/** A model of RFC 6455. Reads the bytes of a client. */
export const owed = (bytes: Buffer, largest: number): Owed => {
  let at = 0
  let messages = 0
  let parts: Array<Buffer> | null = null
  let text = false
  const answer = (state: Owed["state"]): Owed => ({ messages, state })
  while (at < bytes.length) {
    if (bytes.length - at < 2) return answer("waits")
    const opcode = bytes[at]! & 15
    const fin = (bytes[at]! & 0x80) !== 0
    const control = opcode >= 8
    if ((bytes[at]! & 0x70) !== 0) return answer("broken")
    if (opcode > 10 || (opcode > 2 && opcode < 8)) return answer("broken")
    if (control && !fin) return answer("broken")
    if (!control && (opcode === 0) !== (parts !== null)) return answer("broken")
    if ((bytes[at + 1]! & 0x80) === 0) return answer("broken")
    let length = bytes[at + 1]! & 127
    if (control && (length > 125 || (opcode === 8 && length === 1))) return answer("broken")
    at += 2
    if (length > 125) {
      const size = length === 126 ? 2 : 8
      if (bytes.length - at < size) return answer("waits")
      length = size === 2 ? bytes.readUInt16BE(at) : Number(bytes.readBigUInt64BE(at))
      at += size
    }
    const before = parts === null ? 0 : parts.reduce((sum, part) => sum + part.length, 0)
    if (!control && before + length > largest) return answer("broken")
    if (bytes.length - at < 4 + length) return answer("waits")
    const key = bytes.subarray(at, at + 4)
    const payload = Buffer.from(bytes.subarray(at + 4, at + 4 + length).map((byte, i) => byte ^ key[i % 4]!))
    at += 4 + length
    if (opcode === 8) {
      const closeCode = length === 0 ? NO_CODE : payload.readUInt16BE(0)
      const valid = length === 0 || (validCode(closeCode) && isUtf8(payload.subarray(2)))
      return valid ? { messages, state: "closed", closeCode } : answer("broken")
    }
    if (control) continue
    if (opcode !== 0) text = opcode === 1
    parts = [...(parts ?? []), payload]
    if (!fin) continue
    if (text && !isUtf8(Buffer.concat(parts))) return answer("broken")
    parts = null
    messages++
  }
  return answer(parts === null ? "open" : "waits")
}

/** Parses the frames of a server. Fails for frames that a server must not send. */
export class FrameReader {
  #rest = Buffer.alloc(0)

  read(bytes: Buffer): Array<{ readonly opcode: number; readonly payload: Buffer }> {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const frames: Array<{ readonly opcode: number; readonly payload: Buffer }> = []
    while (this.#rest.length >= 2) {
      const first = this.#rest[0]!
      if ((first & 0xf0) !== 0x80 || ![1, 2, 8, 9, 10].includes(first & 15) || (this.#rest[1]! & 0x80) !== 0) {
        throw new Error(`no frame of a server: ${this.#rest.subarray(0, 20).toString("hex")}`)
      }
      let length = this.#rest[1]!
      let at = 2
      if (length === 126) {
        if (this.#rest.length < 4) break
        length = this.#rest.readUInt16BE(2)
        at = 4
      } else if (length === 127) {
        if (this.#rest.length < 10) break
        length = Number(this.#rest.readBigUInt64BE(2))
        at = 10
      }
      if (this.#rest.length < at + length) break
      frames.push({ opcode: first & 15, payload: this.#rest.subarray(at, at + length) })
      this.#rest = this.#rest.subarray(at + length)
    }
    return frames
  }

  get complete(): boolean {
    return this.#rest.length === 0
  }
}
