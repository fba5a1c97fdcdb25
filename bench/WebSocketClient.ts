import { randomBytes } from "node:crypto"
import { connect, type Socket } from "node:net"

/** One client connection that has one request in flight at a time. */
export interface Connection {
  /** Sends a message and resolves with the last frame of its answer. Rejects when the answer is an error. */
  readonly call: (message: Buffer | string) => Promise<void>
  readonly close: () => void
}

/**
 * The key of all frames (RFC 6455, 5.3). A benchmark needs no secret key. It is not zero, because servers may then unmask nothing.
 */
const MASK = [0x5a, 0x13, 0xc7, 0x2e] as const

/** A final binary or control frame from a client. */
const frameOf = (opcode: number, payload: Buffer): Buffer => {
  const { length } = payload
  const extended = length < 126 ? 0 : length < 0x1_00_00 ? 2 : 8
  const begin = 2 + extended + MASK.length
  const frame = Buffer.allocUnsafe(begin + length)
  frame[0] = 0x80 | opcode
  frame[1] = 0x80 | (extended === 0 ? length : extended === 2 ? 126 : 127)
  if (extended === 2) frame.writeUInt16BE(length, 2)
  if (extended === 8) frame.writeBigUInt64BE(BigInt(length), 2)
  for (let i = 0; i < MASK.length; i++) frame[begin - MASK.length + i] = MASK[i]!
  for (let i = 0; i < length; i++) frame[begin + i] = payload[i]! ^ MASK[i & 3]!
  return frame
}

const BINARY = 2
const CLOSE = 8
const PING = 9
const PONG = 10

/** Takes whole frames from the bytes of a socket. */
class FrameReader {
  readonly #take: (opcode: number, payload: Buffer) => void
  /** Bytes of a frame that has not arrived whole. */
  #rest: Buffer | undefined

  constructor(take: (opcode: number, payload: Buffer) => void) {
    this.#take = take
  }

  add(bytes: Buffer): void {
    const all = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes])
    let at = 0
    while (all.length - at >= 2) {
      const short = all[at + 1]! & 0x7f
      const begin = at + (short < 126 ? 2 : short === 126 ? 4 : 10)
      if (all.length < begin) break
      const length =
        short < 126 ? short : short === 126 ? all.readUInt16BE(at + 2) : Number(all.readBigUInt64BE(at + 2))
      if (all.length < begin + length) break
      if ((all[at]! & 0x80) === 0) throw new Error("the server sent a fragment of a message")
      this.#take(all[at]! & 0x0f, all.subarray(begin, begin + length))
      at = begin + length
    }
    this.#rest = at === all.length ? undefined : all.subarray(at)
  }
}

const HEADERS_END = "\r\n\r\n"

/** Asks for a WebSocket connection. Resolves with the bytes after the answer's headers. */
const upgrade = (socket: Socket, port: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0)
    const read = (bytes: Buffer): void => {
      answer = Buffer.concat([answer, bytes])
      const end = answer.indexOf(HEADERS_END)
      if (end < 0) return
      socket.off("data", read)
      if (answer.toString("latin1", 0, end).startsWith("HTTP/1.1 101"))
        resolve(answer.subarray(end + HEADERS_END.length))
      else reject(new Error(`no WebSocket connection: ${answer.toString("latin1", 0, end)}`))
    }
    socket.on("data", read)
    socket.once("error", reject)
    socket.once("close", () => reject(new Error("the connection was closed while it was opened")))
    socket.write(
      `GET /gremlin HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\nSec-WebSocket-Version: 13${HEADERS_END}`
    )
  })

/**
 * A WebSocket client that reads only the status of each frame. `final` is true for the last frame of an answer. The client shares
 * its processors with the server under test, so it writes frames by itself: the client of `ws` needs 10 us more CPU time for a request.
 */
export const connectWebSocket = async (port: number, final: (frame: Buffer) => boolean): Promise<Connection> => {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true })
  let done: (() => void) | undefined
  let failed: ((error: Error) => void) | undefined
  const reader = new FrameReader((opcode, payload) => {
    if (opcode === PING) socket.write(frameOf(PONG, payload))
    else if (opcode === CLOSE) failed?.(new Error(`the connection was closed: ${payload.toString("latin1", 2)}`))
    else if (opcode !== PONG) answered(payload)
  })
  const answered = (payload: Buffer): void => {
    try {
      if (final(payload)) done?.()
    } catch (error) {
      failed?.(error as Error)
    }
  }
  const begun = await upgrade(socket, port)
  socket.on("error", (error) => failed?.(error))
  socket.on("close", () => failed?.(new Error("the connection was closed")))
  socket.on("data", (bytes) => reader.add(bytes))
  reader.add(begun)
  return {
    call: (message) =>
      new Promise<void>((ok, bad) => {
        done = ok
        failed = bad
        if (socket.destroyed) bad(new Error("the connection was closed"))
        else socket.write(frameOf(BINARY, typeof message === "string" ? Buffer.from(message) : message))
      }),
    close: () => {
      failed = undefined
      socket.end(frameOf(CLOSE, Buffer.alloc(0)))
    }
  }
}
