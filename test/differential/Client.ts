import { randomUUID } from "node:crypto"
import { WebSocket } from "ws"
import type { Value } from "../conformance/Value.ts"
import { decodeAnswer } from "../conformance/wire/GraphBinary.ts"
import { failure, type Outcome } from "./Outcome.ts"
import { bytecodeMessage, scriptMessage } from "./syntax/Messages.ts"
import type { Traversal } from "./syntax/Traversal.ts"

/** What is run: a script or bytecode, on a traversal source. */
export interface Work {
  readonly source: string
  readonly program: string | Traversal
}

/** Milliseconds after which an evaluation ends with a timeout. */
export const EVALUATION_TIMEOUT = 4_000
/** Milliseconds without any answer after which a connection is given up. */
const PATIENCE = 90_000
/** Results beyond which the rest of an answer is counted only. */
const MOST_RESULTS = 200_000

const MIME = Buffer.from("\u0020application/vnd.graphbinary-v1.0", "latin1")

interface Waiting {
  readonly values: Array<Value>
  readonly end: (outcome: Outcome) => void
}

/** The values that an answer carries; a traverser as often as its bulk says. */
const results = (data: Value): ReadonlyArray<Value> => {
  if (data.kind === "null") return []
  if (data.kind !== "list") throw new Error(`the data of a response is a list, not a ${data.kind}`)
  return data.items.flatMap((item) => {
    if (item.kind !== "traverser") return [item]
    if (item.bulk > MOST_RESULTS) throw new Error(`a traverser of bulk ${item.bulk}`)
    return Array.from({ length: Number(item.bulk) }, () => item.value)
  })
}

/**
 * A WebSocket connection that carries many requests one behind the other without waiting for their answers. A connection that
 * broke loses the requests that were under way; the next request opens another.
 */
export class Client {
  #url: string
  #socket: Promise<WebSocket> | undefined
  readonly #waiting = new Map<string, Waiting>()
  #watch: NodeJS.Timeout | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Sends a request at once; never rejected. Requests of one client run in the order of their calls. */
  async run({ source, program }: Work, evaluationTimeout = EVALUATION_TIMEOUT): Promise<Outcome> {
    const requestId = randomUUID()
    const to = { requestId, source, evaluationTimeout }
    const body = typeof program === "string" ? scriptMessage(to, program) : bytecodeMessage(to, program)
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
        // Which request it is about is not said: the oldest that waits.
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

  /** Starts the time anew in which some answer must come. */
  #rewatch(): void {
    clearTimeout(this.#watch)
    if (this.#waiting.size > 0)
      this.#watch = setTimeout(() => this.#lose(`no answer in ${PATIENCE / 1000} s`), PATIENCE)
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
