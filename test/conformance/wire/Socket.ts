import { randomUUID } from "node:crypto"
import { WebSocket } from "ws"
import { map, string, type Value } from "../Value.ts"
import { type Answer, GremlinError } from "./Answer.ts"
import * as GraphBinary from "./GraphBinary.ts"
import * as GraphBinaryRequest from "./GraphBinaryRequest.ts"
import * as GraphSON from "./GraphSON.ts"
import * as GraphSONParameters from "./GraphSONParameters.ts"

/** Serializer of a WebSocket connection. */
export type Format = "graphson" | "graphbinary"

const mimeTypes: Readonly<Record<Format, string>> = {
  graphson: "application/vnd.gremlin-v3.0+json",
  graphbinary: "application/vnd.graphbinary-v1.0"
}

/** Timeout for an answer. After it the request counts as unanswered. */
const ANSWER_TIMEOUT_MS = 60_000

/** The answers to one request, decoded and as received bytes. */
export interface Exchange {
  readonly answers: ReadonlyArray<Answer>
  readonly payloads: ReadonlyArray<Buffer>
}

/**
 * A Gremlin connection over WebSocket with one request at a time. It uses neither the codecs of the server nor a driver, so
 * that the suite is independent of both. After a connection error the next request opens a new connection.
 */
export class Socket {
  readonly url: string
  readonly format: Format
  #socket: WebSocket | undefined

  constructor(url: string, format: Format) {
    this.url = url
    this.format = format
  }

  /** Sends the body of a request (without mime type) and collects its answers up to the last one. */
  async exchange(requestId: string, body: Buffer): Promise<Exchange> {
    const socket = await this.#open()
    const mime = Buffer.from(mimeTypes[this.format])
    return new Promise((resolve, reject) => {
      const answers: Array<Answer> = []
      const payloads: Array<Buffer> = []
      const end = (settle: () => void): void => {
        clearTimeout(timer)
        socket.removeAllListeners()
        socket.on("error", () => undefined)
        settle()
      }
      const broken = (what: string): void =>
        end(() => {
          this.close()
          reject(new Error(what))
        })
      const timer = setTimeout(() => broken(`no answer in ${ANSWER_TIMEOUT_MS / 1000} s`), ANSWER_TIMEOUT_MS)
      socket.on("close", (code) => broken(`the connection was closed with ${code} before the last answer`))
      socket.on("error", (error) => broken(`the connection failed: ${error.message}`))
      socket.on("message", (data: Buffer) => {
        try {
          const answer =
            this.format === "graphson" ? GraphSON.decodeAnswer(data.toString("utf8")) : GraphBinary.decodeAnswer(data)
          if (answer.requestId !== requestId) throw new Error(`an answer to ${answer.requestId}, not to this request`)
          answers.push(answer)
          payloads.push(data)
          if (answer.code === 206) return
          if (answer.code === 200 || answer.code === 204) end(() => resolve({ answers, payloads }))
          else end(() => reject(new GremlinError(answer.code, answer.message)))
        } catch (error) {
          broken(`an answer that does not decode: ${(error as Error).message}`)
        }
      })
      socket.send(Buffer.concat([Buffer.from([mime.length]), mime, body]))
    })
  }

  /** Evaluates a script on a traversal source; parameters are sent as bindings in the format of the connection. */
  evaluate(script: string, source: string, bindings: ReadonlyMap<string, Value>): Promise<Exchange> {
    const requestId = randomUUID()
    return this.exchange(requestId, evalRequest(this.format, requestId, script, source, bindings))
  }

  close(): void {
    this.#socket?.terminate()
    this.#socket = undefined
  }

  async #open(): Promise<WebSocket> {
    if (this.#socket?.readyState === WebSocket.OPEN) return this.#socket
    const socket = new WebSocket(this.url, { perMessageDeflate: false })
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve)
      socket.once("error", (error) => reject(new Error(`cannot connect to ${this.url}: ${error.message}`)))
    })
    socket.removeAllListeners("error")
    this.#socket = socket
    return socket
  }
}

const evalRequest = (
  format: Format,
  requestId: string,
  script: string,
  source: string,
  bindings: ReadonlyMap<string, Value>
): Buffer => {
  if (format === "graphson") {
    const values = [...bindings]
      .map(([name, value]) => `${JSON.stringify(name)}:${GraphSONParameters.encode(value)}`)
      .join(",")
    const args = `{"gremlin":${JSON.stringify(script)},"language":"gremlin-lang","aliases":{"g":${JSON.stringify(source)}},"bindings":{${values}}}`
    return Buffer.from(
      `{"requestId":{"@type":"g:UUID","@value":"${requestId}"},"op":"eval","processor":"","args":${args}}`
    )
  }
  return GraphBinaryRequest.encodeRequest(requestId, "eval", "", [
    [string("gremlin"), string(script)],
    [string("language"), string("gremlin-lang")],
    [string("aliases"), map([[string("g"), string(source)]])],
    [string("bindings"), map([...bindings].map(([name, value]) => [string(name), value] as const))]
  ])
}
