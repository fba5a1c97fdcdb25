import { connect, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { CONDITION_MS } from "../Limits.ts"
import { FrameReader, frame } from "./Frames.ts"
import { type Frame, readAnswer } from "./Responses.ts"

/** The address of a server of the fuzzer, and its options. */
export interface Target {
  readonly port: number
  readonly secure: boolean
  /** `user:password`; undefined when the server needs no authentication. */
  readonly credentials: string | undefined
}

/** A connection that sends and receives bytes without HTTP or WebSocket. */
export class Wire {
  readonly socket: Socket
  received: Buffer = Buffer.alloc(0)
  closed = false
  #wake: (() => void) | null = null

  constructor({ port, secure }: Target) {
    this.socket = secure
      ? connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false })
      : connect(port, "127.0.0.1")
    this.socket.setNoDelay(true)
    this.socket.on("data", (data: Buffer) => {
      this.received = this.received.length === 0 ? data : Buffer.concat([this.received, data])
      this.#wake?.()
    })
    this.socket.on("error", () => {})
    this.socket.on("close", () => {
      this.closed = true
      this.#wake?.()
    })
  }

  send(bytes: Buffer | string): void {
    if (!this.socket.destroyed) this.socket.write(bytes)
  }

  /** Waits until the test is true or the connection is closed. Fails after `time` ms. */
  async until(test: () => boolean, what: string, time = CONDITION_MS): Promise<void> {
    const limit = performance.now() + time
    while (!test() && !this.closed) {
      const left = limit - performance.now()
      if (left <= 0) throw new Error(`${what}: not within ${time} ms; received ${preview(this.received)}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  end(): void {
    this.socket.destroy()
  }
}

export const preview = (bytes: Buffer): string => JSON.stringify(bytes.toString("latin1").slice(0, 300))

const handshake =
  "GET /gremlin HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

/** A WebSocket client that fails for any malformed answer. */
export class SocketWire {
  readonly wire: Wire
  readonly answers: Array<Frame> = []
  /** The close code that the server sent. */
  closeCode: number | null = null
  readonly #reader = new FrameReader()

  private constructor(wire: Wire) {
    this.wire = wire
  }

  static async open(target: Target): Promise<SocketWire> {
    const wire = new Wire(target)
    wire.send(handshake)
    await wire.until(() => wire.received.includes("\r\n\r\n"), "the handshake")
    if (!wire.received.toString("latin1").startsWith("HTTP/1.1 101 "))
      throw new Error(`no 101: ${preview(wire.received)}`)
    wire.received = wire.received.subarray(wire.received.indexOf("\r\n\r\n") + 4)
    return new SocketWire(wire)
  }

  /** Parses the received bytes. */
  read(): void {
    const bytes = this.wire.received
    this.wire.received = Buffer.alloc(0)
    for (const { opcode, payload } of this.#reader.read(bytes)) {
      if (opcode === 8) {
        this.closeCode = payload.length < 2 ? 1005 : payload.readUInt16BE(0)
        this.wire.send(frame(8, payload))
      } else if (opcode < 8) this.answers.push(readAnswer(payload))
    }
  }

  async until(test: () => boolean, what: string, time?: number): Promise<void> {
    await this.wire.until(
      () => {
        this.read()
        return test()
      },
      what,
      time
    )
    this.read()
  }

  get open(): boolean {
    return !this.wire.closed && this.closeCode === null
  }
}

export const textMessage = (requestId: string, gremlin: string): Buffer =>
  frame(1, JSON.stringify({ requestId, op: "eval", processor: "", args: { gremlin } }))

export const authentication = (requestId: string, credentials: string): Buffer => {
  const sasl = Buffer.from(`\0${credentials.replace(":", "\0")}`).toString("base64")
  return frame(1, JSON.stringify({ requestId, op: "authentication", processor: "", args: { sasl } }))
}
