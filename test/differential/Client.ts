import { randomUUID } from "node:crypto"
import { WebSocket } from "ws"
import type { Value } from "../conformance/Value.ts"
import { decodeAnswer } from "../conformance/wire/GraphBinary.ts"
import { failure, type Outcome } from "./Outcome.ts"
import { bytecodeMessage, scriptMessage } from "./syntax/Messages.ts"
import type { Traversal } from "./syntax/Traversal.ts"

/** A request: a script or bytecode on a traversal source. */
export interface Work {
  readonly source: string
  readonly program: string | Traversal
  /** The language of a script. Default: gremlin-lang. */
  readonly language?: "gremlin-lang" | "gremlin-groovy"
}

/** Evaluation timeout of a request, ms. */
export const EVALUATION_TIMEOUT = 4_000
/** Time without an answer after which the client closes a connection. */
const ANSWER_TIMEOUT_MS = 90_000
/** Maximum number of stored results of an answer. Further results are only counted. */
const MAX_STORED_RESULTS = 200_000

const MIME = Buffer.from("\u0020application/vnd.graphbinary-v1.0", "latin1")

interface Waiting {
  readonly values: Array<Value>
  readonly end: (outcome: Outcome) => void
}

/** The values of an answer. A traverser is repeated by its bulk. */
const results = (data: Value): ReadonlyArray<Value> => {
  if (data.kind === "null") return []
  if (data.kind !== "list") throw new Error(`the data of a response is a list, not a ${data.kind}`)
  return data.items.flatMap((item) => {
    if (item.kind !== "traverser") return [item]
    if (item.bulk > MAX_STORED_RESULTS) throw new Error(`a traverser of bulk ${item.bulk}`)
    return Array.from({ length: Number(item.bulk) }, () => item.value)
  })
}

/**
 * A WebSocket client that pipelines requests. When the connection breaks, the pending requests are lost, and the next request
 * opens a new connection.
 */
export class Client {
  #url: string
  #socket: Promise<WebSocket> | undefined
  readonly #waiting = new Map<string, Waiting>()
  #watch: NodeJS.Timeout | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Sends a request immediately. Never rejected. The server runs the requests of a client in the order of calls. */
  async run({ source, program, language }: Work, evaluationTimeout = EVALUATION_TIMEOUT): Promise<Outcome> {
    const requestId = randomUUID()
    const to = { requestId, source, evaluationTimeout }
    const body = typeof program === "string" ? scriptMessage(to, program, language) : bytecodeMessage(to, program)
    this.#socket ??= this.#open()
    let socket: WebSocket
    try {
      socket = await this.#socket
    } catch (error) {
      this.#socket = undefined
      return { kind: "lost", reason: `cannot connect: ${(error as Error).message}` }
    }
    return new Promise((resolve) => {
      const end = (outcome: Outcome): void => {
        this.#waiting.delete(requestId)
        this.#rewatch()
        resolve(outcome)
      }
      this.#waiting.set(requestId, { values: [], end })
      if (this.#waiting.size === 1) this.#rewatch()
      socket.send(Buffer.concat([MIME, body]))
    })
  }

  /** Connects to another address from the next request on. */
  moveTo(url: string): void {
    this.close()
    this.#url = url
  }

  close(): void {
    this.#lose("the client closed")
  }

  #open(): Promise<WebSocket> {
    const socket = new WebSocket(this.#url, { perMessageDeflate: false })
    socket.on("message", (data: Buffer) => this.#receive(data))
    socket.on("close", (code) => this.#lose(`the connection was closed with ${code}`))
    return new Promise((resolve, reject) => {
      socket.once("open", () => resolve(socket))
      socket.once("error", reject)
    })
  }

  #receive(data: Buffer): void {
    try {
      const { requestId, code, message, data: value } = decodeAnswer(data)
      const waiting = this.#waiting.get(requestId ?? "")
      if (waiting === undefined) {
        // The answer has no request id. It belongs to the oldest waiting request.
        const [oldest] = this.#waiting.values()
        oldest?.end(failure(code, message))
        return
      }
      this.#rewatch()
      if (code === 200 || code === 206) waiting.values.push(...results(value))
      if (code === 200 || code === 204) waiting.end({ kind: "values", values: waiting.values })
      else if (code !== 206) waiting.end(failure(code, message))
    } catch (error) {
      const id = data
        .subarray(2, 18)
        .toString("hex")
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
      this.#waiting
        .get(id)
        ?.end({ kind: "lost", reason: `an answer that does not decode: ${(error as Error).message}` })
    }
  }

  /** Restarts the timeout for the next answer. */
  #rewatch(): void {
    clearTimeout(this.#watch)
    if (this.#waiting.size > 0)
      this.#watch = setTimeout(() => this.#lose(`no answer in ${ANSWER_TIMEOUT_MS / 1000} s`), ANSWER_TIMEOUT_MS)
  }

  #lose(reason: string): void {
    const socket = this.#socket
    this.#socket = undefined
    void socket?.then(
      (open) => {
        open.removeAllListeners()
        open.on("error", () => undefined)
        open.terminate()
      },
      () => undefined
    )
    for (const { end } of [...this.#waiting.values()]) end({ kind: "lost", reason })
  }
}
