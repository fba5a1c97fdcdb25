import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { WebSocket } from "ws"
import type { Value } from "../conformance/Value.ts"
import { decodeAnswer } from "../conformance/wire/GraphBinary.ts"
import { closeMessage, sessionMessage } from "../differential/syntax/Messages.ts"

/** The result of a statement: the text of each result, as the console prints it, or the error. */
export type Played =
  | { readonly kind: "results"; readonly texts: readonly string[] }
  | { readonly kind: "error"; readonly code: number; readonly message: string }

/** GraphBinary whose results are texts, with the length of the name before it. */
const MIME = "application/vnd.graphbinary-v1.0-stringd"
const HEADER = Buffer.concat([Buffer.from([MIME.length]), Buffer.from(MIME, "latin1")])

/** Timeout for the answer to a statement. */
const ANSWER_TIMEOUT_MS = 40_000

const textOf = (value: Value): string => (value.kind === "string" ? value.value : value.kind)

/** A session on a server, as a console with `:remote connect ... session` has it. Statements run one after the other. */
export class Session {
  readonly #socket: WebSocket
  readonly #id = randomUUID()

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  /** Connects to the address of a server, such as `ws://127.0.0.1:8182/gremlin`. */
  static async open(url: string): Promise<Session> {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.on("error", () => undefined)
    await once(socket, "open")
    return new Session(socket)
  }

  /** Runs one statement. An answer that does not come, or cannot be read, is an error with code 0. */
  run(script: string): Promise<Played> {
    return this.#request(sessionMessage(randomUUID(), this.#id, script))
  }

  /** Ends the session. The server rolls back what it has not committed. */
  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.OPEN) await this.#request(closeMessage(randomUUID(), this.#id))
    this.#socket.terminate()
  }

  #request(message: Buffer): Promise<Played> {
    const texts: string[] = []
    return new Promise((resolve) => {
      const end = (played: Played): void => {
        clearTimeout(timer)
        this.#socket.off("message", receive)
        this.#socket.off("close", lost)
        resolve(played)
      }
      const lost = (): void => end({ kind: "error", code: 0, message: "the connection was closed" })
      const receive = (data: Buffer): void => {
        try {
          const { code, message: reason, data: value } = decodeAnswer(data)
          if (value.kind === "list") texts.push(...value.items.map(textOf))
          if (code === 200 || code === 204) end({ kind: "results", texts })
          else if (code !== 206) end({ kind: "error", code, message: reason })
        } catch (error) {
          end({ kind: "error", code: 0, message: `the answer cannot be decoded: ${(error as Error).message}` })
        }
      }
      const timer = setTimeout(lost, ANSWER_TIMEOUT_MS)
      this.#socket.on("message", receive)
      this.#socket.on("close", lost)
      this.#socket.send(Buffer.concat([HEADER, message]))
    })
  }
}
