import { texts } from "../texts.ts"
import { decode, parseJson, writeJson } from "./Decode.ts"
import {
  addressOf,
  type Credentials,
  type Evaluation,
  type Listener,
  OWN_SOURCE,
  type Running,
  ServerFailure,
  saslPlain
} from "./Requests.ts"
import { Mapping, type Value } from "./Values.ts"

const MIME = "application/vnd.gremlin-v3.0+json"

interface Answer {
  readonly requestId: string
  readonly status: { readonly code: number; readonly message: string; readonly attributes?: unknown }
  readonly result: { readonly data: unknown }
}

const NO_CONTENT = 204
const PARTIAL_CONTENT = 206
const CHALLENGE = 407

const encoder = new TextEncoder()

/** A message in its frame: the length of the MIME type, the MIME type, and the JSON. */
const framed = (message: unknown): Uint8Array<ArrayBuffer> =>
  encoder.encode(`${String.fromCharCode(MIME.length)}${MIME}${writeJson(message)}`)

/** The arguments of a request in GraphSON 3. */
const argumentsOf = ({ batchSize, bindings, gremlin, session, source }: Evaluation): Record<string, unknown> => ({
  gremlin,
  language: "gremlin-groovy",
  aliases: mapOf(session === undefined ? { g: source } : { g: source, [OWN_SOURCE]: source }),
  ...(batchSize === undefined ? {} : { batchSize: { "@type": "g:Int32", "@value": batchSize } }),
  ...(bindings === undefined ? {} : { bindings: mapOf(bindings) }),
  // A server may otherwise end the session with a request that fails, or that is cancelled.
  ...(session === undefined ? {} : { session, maintainStateAfterException: true })
})

const mapOf = (record: Readonly<Record<string, unknown>>): unknown => ({
  "@type": "g:Map",
  "@value": Object.entries(record).flat()
})

/** A request without its last answer, and the connection on which it was sent. */
interface Waiting {
  readonly listener: Listener
  readonly socket: WebSocket
}

/** A WebSocket to the server, which is opened when it is needed. */
export class GremlinSocket {
  readonly #credentials: () => Credentials | null
  readonly #listeners = new Map<string, Waiting>()
  readonly #lost: () => void
  #socket: WebSocket | null = null

  /** `lost` is called when a connection that was open has ended. */
  constructor(credentials: () => Credentials | null, lost: () => void) {
    this.#credentials = credentials
    this.#lost = lost
  }

  /** Evaluates a script, and streams its results to the listener. */
  evaluate(evaluation: Evaluation, listener: Listener): Running {
    const op = { op: "eval", processor: evaluation.session === undefined ? "" : "session" }
    return this.#send({ ...op, args: argumentsOf(evaluation) }, listener)
  }

  /** Ends a session. What it has not committed is rolled back. */
  closeSession(session: string, listener: Listener): Running {
    return this.#send({ op: "close", processor: "session", args: { session } }, listener)
  }

  /** Whether the last answer to a request has not arrived. */
  awaits(requestId: string): boolean {
    return this.#listeners.has(requestId)
  }

  /** Closes the connection, which cancels all evaluations. */
  close(): void {
    this.#socket?.close()
    this.#socket = null
  }

  #send(
    message: { readonly op: string; readonly processor: string; readonly args: unknown },
    listener: Listener
  ): Running {
    const requestId = crypto.randomUUID?.() ?? uuid()
    const frame = framed({ requestId: { "@type": "g:UUID", "@value": requestId }, ...message })
    const socket = this.#open()
    this.#listeners.set(requestId, { listener, socket })
    if (socket.readyState === WebSocket.OPEN) socket.send(frame)
    else socket.addEventListener("open", () => socket.send(frame), { once: true })
    return { requestId }
  }

  #open(): WebSocket {
    if (this.#socket !== null && this.#socket.readyState <= WebSocket.OPEN) return this.#socket
    const url = addressOf("gremlin")
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:"
    const socket = new WebSocket(url)
    socket.binaryType = "arraybuffer"
    let wasOpen = false
    socket.addEventListener("open", () => {
      wasOpen = true
    })
    socket.addEventListener("message", ({ data }) => this.#receive(socket, data))
    socket.addEventListener("close", () => {
      if (this.#socket === socket) this.#socket = null
      if (wasOpen) this.#lost()
      this.#fail(socket, new ServerFailure(0, wasOpen ? texts.wire.closed : texts.wire.cannotConnect))
    })
    this.#socket = socket
    return socket
  }

  #fail(ended: WebSocket, error: ServerFailure): void {
    for (const [requestId, { listener, socket }] of [...this.#listeners]) {
      if (socket !== ended) continue
      this.#listeners.delete(requestId)
      listener.failed(error)
    }
  }

  #receive(socket: WebSocket, data: unknown): void {
    const text = typeof data === "string" ? data : new TextDecoder().decode(data as ArrayBuffer)
    const { requestId, result, status } = parseJson(text) as Answer
    const listener = this.#listeners.get(requestId)?.listener
    if (status.code === CHALLENGE) {
      this.#login(socket, requestId)
      return
    }
    if (listener === undefined) return
    if (status.code === PARTIAL_CONTENT || status.code === 200) listener.data(valuesOf(result.data))
    if (status.code === PARTIAL_CONTENT) return
    this.#listeners.delete(requestId)
    if (status.code === 200 || status.code === NO_CONTENT) listener.done(attributeOf(status.attributes, "warnings"))
    else listener.failed(new ServerFailure(status.code, status.message, attributeOf(status.attributes, "exceptions")))
  }

  #login(socket: WebSocket, requestId: string): void {
    const credentials = this.#credentials()
    if (credentials === null) {
      const waiting = this.#listeners.get(requestId)
      this.#listeners.delete(requestId)
      waiting?.listener.failed(new ServerFailure(401, texts.login.first))
      return
    }
    const args = { saslMechanism: "PLAIN", sasl: saslPlain(credentials) }
    const id = { "@type": "g:UUID", "@value": requestId }
    socket.send(framed({ requestId: id, op: "authentication", processor: "", args }))
  }
}

/** The texts of a status attribute. */
const attributeOf = (attributes: unknown, name: string): ReadonlyArray<string> => {
  const decoded = decode(attributes)
  const found = decoded instanceof Mapping ? decoded.get(name) : undefined
  return Array.isArray(found) ? found.filter((item) => typeof item === "string") : []
}

const valuesOf = (data: unknown): ReadonlyArray<Value> => {
  const values = decode(data)
  return Array.isArray(values) ? values : [values]
}

/** crypto.randomUUID() exists only on pages of https and of this machine. */
const uuid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}
