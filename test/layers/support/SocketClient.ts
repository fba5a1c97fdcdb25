import { randomUUID } from "node:crypto"
import { afterEach } from "vitest"
import { type ClientOptions, WebSocket } from "ws"
import { CONDITION_MS } from "../../Limits.ts"

/** One frame of an answer, as JSON.parse returns it. */
export interface Answer {
  readonly requestId: string | null
  readonly status: { readonly code: number; readonly message: string; readonly attributes: unknown }
  readonly result: { readonly data: unknown }
}

const open = new Set<SocketClient>()

afterEach(() => {
  for (const client of open) client.ws.terminate()
  open.clear()
})

/** A client for untyped GraphSON 3 that exposes frames. */
export class SocketClient {
  readonly ws: WebSocket
  readonly frames: Array<Answer> = []
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  readonly #waiting: Array<() => void> = []

  private constructor(ws: WebSocket) {
    this.ws = ws
    ws.on("message", (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()))
      for (const wake of this.#waiting.splice(0)) wake()
    })
    ws.on("error", () => {})
    this.closed = new Promise((resolve) => {
      ws.on("close", (code, reason) => {
        resolve({ code, reason: reason.toString() })
        for (const wake of this.#waiting.splice(0)) wake()
      })
    })
    open.add(this)
  }

  static async connect(authority: string, path = "/gremlin", options: ClientOptions = {}): Promise<SocketClient> {
    const ws = new WebSocket(`ws://${authority}${path}`, options)
    const client = new SocketClient(ws)
    await new Promise((resolve, reject) => {
      ws.once("open", resolve)
      ws.once("error", reject)
      ws.once("unexpected-response", (_, response) => reject(new Error(`status ${response.statusCode}`)))
    })
    return client
  }

  /** It is not closed at the end of the test: the caller closes it. */
  keep(): void {
    open.delete(this)
  }

  /** Sends a message and returns its id. */
  send(op: string, processor: string, args: Record<string, unknown>, requestId: string = randomUUID()): string {
    this.sendRaw({ requestId, op, processor, args })
    return requestId
  }

  /** Sends a value as a binary frame in untyped GraphSON 3. */
  sendRaw(message: unknown): void {
    this.ws.send(binaryMessage("application/vnd.gremlin-v3.0+json;types=false", JSON.stringify(message)))
  }

  eval(gremlin: string, args: Record<string, unknown> = {}): Promise<Answer> {
    return this.answer(this.send("eval", args.session === undefined ? "" : "session", { gremlin, ...args }))
  }

  /** Waits for the final answer to a request. */
  async answer(requestId: string | null): Promise<Answer> {
    for (;;) {
      const found = this.frames.find(({ requestId: id, status }) => id === requestId && isFinal(status.code))
      if (found !== undefined) return found
      await this.#frame()
    }
  }

  /** Waits for all frames of an answer. */
  async answers(requestId: string): Promise<ReadonlyArray<Answer>> {
    await this.answer(requestId)
    return this.frames.filter((frame) => frame.requestId === requestId)
  }

  /** Waits for a number of frames. */
  async count(frames: number): Promise<void> {
    while (this.frames.length < frames) await this.#frame()
  }

  close(): void {
    this.ws.close()
  }

  /** Waits for the next frame, or for the end of the connection. Fails if the connection has ended. */
  async #frame(): Promise<void> {
    if (this.ws.readyState === this.ws.CLOSED) throw new Error("the connection closed before the answer")
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no frame within ${CONDITION_MS} ms`)), CONDITION_MS)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

const isFinal = (code: number): boolean => code !== 206 && code !== 407

/** A frame with the prefix that names its format. */
export const binaryMessage = (mime: string, payload: string | Uint8Array): Buffer => {
  const name = Buffer.from(mime, "latin1")
  return Buffer.concat([Buffer.from([name.length]), name, Buffer.from(payload as string)])
}

/** The codes of frames, in order. */
export const codes = (frames: ReadonlyArray<Answer>): ReadonlyArray<number> => frames.map(({ status }) => status.code)
