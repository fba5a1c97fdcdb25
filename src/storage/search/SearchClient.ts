import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http"
import { Agent as TlsAgent } from "node:https"
import { setTimeout as sleep } from "node:timers/promises"
import { errorOf } from "../../scheduling/Pending.ts"
import { EngineClosed, EngineUnavailable } from "../janusgraph/documents/SearchEngine.ts"
import type { SearchOptions } from "./SearchOptions.ts"

/** An answer of a search engine. */
interface Answer {
  readonly status: number
  readonly body: string
}

/** The largest answer that is read, in bytes. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024
/** Connections to each host. */
const MAX_SOCKETS = 8

/** A request as it is sent to each host. */
interface Message {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly type: string
  /** False if the engine may get it only once: an answer that is lost cannot be asked for again. */
  readonly isRepeatable: boolean
}

/** The connections to one host. A connection carries one request at a time; further requests wait. */
class Connections {
  readonly host: string
  readonly port: number
  readonly #waiting = new Set<{ readonly resume: () => void; readonly fail: (error: Error) => void }>()
  #free = MAX_SOCKETS

  constructor(host: string, port: number) {
    this.host = host
    this.port = port
  }

  /** Resolves when the caller has a connection. Fails after `timeout` ms, or when the client is closed. */
  take(timeout: number): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const end = (finish: () => void): void => {
        clearTimeout(timer)
        this.#waiting.delete(waiter)
        finish()
      }
      const waiter = { resume: () => end(resolve), fail: (error: Error) => end(() => reject(error)) }
      const late = `none of the ${MAX_SOCKETS} connections was free within ${timeout} ms`
      const timer = setTimeout(() => waiter.fail(new NotSent(late)), timeout)
      this.#waiting.add(waiter)
    })
  }

  give(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free++
    else next.resume()
  }

  close(error: Error): void {
    for (const { fail } of this.#waiting) fail(error)
  }
}

/**
 * Requests over HTTP to the hosts of a search engine. A request that a host does not accept goes to the next host. It fails with
 * EngineUnavailable if no host answers in time, and with EngineClosed when the client is closed.
 */
export class SearchClient {
  readonly #options: SearchOptions
  readonly #agent: Agent
  readonly #hosts: ReadonlyArray<Connections>
  readonly #running = new Set<ClientRequest>()
  readonly #closing = new AbortController()
  #next = 0

  constructor(options: SearchOptions) {
    const { tls } = options
    this.#options = options
    const shared = { keepAlive: true, maxSockets: MAX_SOCKETS }
    this.#agent =
      tls === undefined
        ? new Agent(shared)
        : new TlsAgent({
            ...shared,
            ca: tls.ca === undefined ? undefined : [...tls.ca],
            cert: tls.certificate,
            key: tls.key,
            passphrase: tls.passphrase,
            rejectUnauthorized: !tls.selfSigned,
            ...(tls.hostnameValidation ? {} : { checkServerIdentity: () => undefined })
          })
    this.#hosts = options.hosts.map((text) => addressOf(text, options.port))
  }

  /** Sends a request, and sends it again after an answer with one of the codes that the options name. */
  async request(method: string, path: string, body?: string, type = "application/json"): Promise<Answer> {
    const { codes, first, limit, longest } = this.#options.retries
    let pause = first
    for (let left = limit; ; left--) {
      const answer = await this.#toAnyHost({ method, path, body, type, isRepeatable: true })
      if (left <= 0 || !codes.includes(answer.status)) return answer
      await sleep(pause, undefined, { signal: this.#closing.signal }).catch(() => this.#assertOpen())
      pause = Math.min(longest, Math.max(1, pause * 2))
    }
  }

  /** Sends a request that the engine must not get twice, because it changes what the next one gets. */
  requestOnce(method: string, path: string, body: string): Promise<Answer> {
    return this.#toAnyHost({ method, path, body, type: "application/json", isRepeatable: false })
  }

  async #toAnyHost(message: Message): Promise<Answer> {
    let failure: Error | undefined
    for (let tried = 0; tried < this.#hosts.length; tried++) {
      const at = this.#next % this.#hosts.length
      try {
        return await this.#toHost(this.#hosts[at]!, message)
      } catch (cause) {
        this.#assertOpen()
        failure = errorOf(cause)
        this.#next = at + 1
        if (!message.isRepeatable && !(cause instanceof NotSent)) break
      }
    }
    throw new EngineUnavailable(
      `The search engine of the index backend '${this.#options.backend}' (${this.#hosts.map(({ host, port }) => `${host}:${port}`).join(", ")}) ` +
        `does not answer: ${failure?.message}. Check that it runs, and index.${this.#options.backend}.hostname and port.`,
      { cause: failure }
    )
  }

  /** Sends a request once more if the host has closed the idle connection that it was sent on. */
  async #toHost(host: Connections, message: Message): Promise<Answer> {
    try {
      return await this.#send(host, message)
    } catch (cause) {
      if (!(cause instanceof IdleConnectionLost && message.isRepeatable)) throw cause
      return await this.#send(host, message)
    }
  }

  async #send(host: Connections, message: Message): Promise<Answer> {
    this.#assertOpen()
    await host.take(this.#options.socketTimeout)
    let sent: ClientRequest
    try {
      this.#assertOpen()
      sent = this.#start(host, message)
    } catch (cause) {
      host.give()
      throw cause
    }
    this.#running.add(sent)
    sent.once("close", () => {
      this.#running.delete(sent)
      host.give()
    })
    return await this.#answerOf(sent)
  }

  #start({ host, port }: Connections, { body, method, path, type }: Message): ClientRequest {
    const { login, tls } = this.#options
    const headers: Record<string, string | number> = {}
    if (body !== undefined) {
      headers["content-type"] = type
      headers["content-length"] = Buffer.byteLength(body)
    }
    if (login !== undefined) {
      headers.authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`
    }
    const protocol = tls === undefined ? "http:" : "https:"
    const sent = httpRequest({ host, port, method, path, protocol, headers, agent: this.#agent })
    sent.end(body)
    return sent
  }

  #answerOf(sent: ClientRequest): Promise<Answer> {
    const { connectTimeout, socketTimeout, tls } = this.#options
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      let isConnected = false
      const within = (milliseconds: number, what: string): void => {
        clearTimeout(timer)
        const late = (): void => void sent.destroy(new Error(`${what} within ${milliseconds} ms`))
        timer = setTimeout(late, milliseconds)
      }
      const connected = (): void => {
        isConnected = true
        within(socketTimeout, "no answer")
      }
      sent.once("socket", (socket) => {
        if (!socket.connecting) return connected()
        within(connectTimeout, "no connection")
        socket.once(tls === undefined ? "connect" : "secureConnect", connected)
      })
      sent.once("close", () => clearTimeout(timer))
      sent.once("error", (error: NodeJS.ErrnoException) => {
        const isIdle = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")
        if (isIdle) reject(new IdleConnectionLost(error.message, { cause: error }))
        else reject(isConnected ? error : new NotSent(error.message, { cause: error }))
      })
      sent.once("response", (response) => readAnswer(response).then(resolve, reject))
    })
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw closedError(this.#options.backend)
  }

  /** Ends all requests, which fail with EngineClosed, and closes the connections. */
  close(): void {
    const error = closedError(this.#options.backend)
    this.#closing.abort()
    for (const host of this.#hosts) host.close(error)
    for (const sent of this.#running) sent.destroy(error)
    this.#agent.destroy()
  }
}

/** The host has closed a connection before it answered the second or a later request on it. */
class IdleConnectionLost extends Error {}

/** There was no connection on which the host could have got the request. */
class NotSent extends Error {}

const closedError = (backend: string): EngineClosed =>
  new EngineClosed(
    `The client of the search engine of the index backend '${backend}' is closed, because its graph is closed. Send the request ` +
      "again when the graph is open."
  )

const readAnswer = async (response: IncomingMessage): Promise<Answer> => {
  const parts: Array<Buffer> = []
  let length = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length
    if (length > MAX_ANSWER_BYTES) throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`)
    parts.push(part)
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(parts).toString("utf8") }
}

/** The connections to `host`, `host:port`, `[address]:port` or an IPv6 address. */
const addressOf = (text: string, port: number): Connections => {
  const found = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text)
  if (found === null) return new Connections(text, port)
  return new Connections((found[1] ?? found[2])!, found[3] === undefined ? port : Number(found[3]))
}
