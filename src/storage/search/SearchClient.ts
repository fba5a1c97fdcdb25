import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http"
import { Agent as TlsAgent } from "node:https"
import { setTimeout as sleep } from "node:timers/promises"
import { errorOf } from "../../scheduling/Pending.ts"
import { EngineUnavailable } from "../janusgraph/documents/SearchEngine.ts"
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

/**
 * Requests over HTTP to the hosts of a search engine. A request that a host does not accept goes to the next host. It fails with
 * EngineUnavailable if no host answers in time.
 */
export class SearchClient {
  readonly #options: SearchOptions
  readonly #agent: Agent
  readonly #hosts: ReadonlyArray<{ readonly host: string; readonly port: number }>
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
      const answer = await this.#toAnyHost(method, path, body, type)
      if (left <= 0 || !codes.has(answer.status)) return answer
      await sleep(pause)
      pause = Math.min(longest, Math.max(1, pause * 2))
    }
  }

  async #toAnyHost(method: string, path: string, body: string | undefined, type: string): Promise<Answer> {
    let failure: Error | undefined
    for (let tried = 0; tried < this.#hosts.length; tried++) {
      const at = this.#next % this.#hosts.length
      try {
        return await this.#send({ ...this.#hosts[at]!, method, path }, body, type)
      } catch (cause) {
        failure = errorOf(cause)
        this.#next = at + 1
      }
    }
    throw new EngineUnavailable(
      `The search engine of the index backend '${this.#options.backend}' (${this.#hosts.map(({ host, port }) => `${host}:${port}`).join(", ")}) ` +
        `does not answer: ${failure?.message}. Check that it runs, and index.${this.#options.backend}.hostname and port.`,
      { cause: failure }
    )
  }

  #send(to: RequestOptions, body: string | undefined, type: string): Promise<Answer> {
    const { connectTimeout, login, socketTimeout, tls } = this.#options
    const headers: Record<string, string | number> = {}
    if (body !== undefined) {
      headers["content-type"] = type
      headers["content-length"] = Buffer.byteLength(body)
    }
    if (login !== undefined) {
      headers.authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`
    }
    return new Promise((resolve, reject) => {
      const protocol = tls === undefined ? "http:" : "https:"
      const sent = httpRequest({ ...to, protocol, headers, agent: this.#agent })
      const late = (what: string): void => void sent.destroy(new Error(what))
      let timer = setTimeout(late, connectTimeout, `no connection within ${connectTimeout} ms`)
      const connected = (): void => {
        clearTimeout(timer)
        timer = setTimeout(late, socketTimeout, `no answer within ${socketTimeout} ms`)
      }
      sent.once("socket", (socket) => {
        if (socket.connecting) socket.once(tls === undefined ? "connect" : "secureConnect", connected)
        else connected()
      })
      sent.once("close", () => clearTimeout(timer))
      sent.once("error", reject)
      sent.once("response", (response) => readAnswer(response).then(resolve, reject))
      sent.end(body)
    })
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy()
  }
}

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

/** The host and the port of `host`, `host:port`, `[address]:port` or an IPv6 address. */
const addressOf = (text: string, port: number): { readonly host: string; readonly port: number } => {
  const found = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text)
  if (found === null) return { host: text, port }
  return { host: (found[1] ?? found[2])!, port: found[3] === undefined ? port : Number(found[3]) }
}
