import { ArrivedParts } from "../shared/ArrivedParts.ts"
import { type Arrival, arrived, LONG_MESSAGE_BYTES } from "../shared/ArrivingBytes.ts"
import { linger } from "../shared/Refusal.ts"
import { tooLarge } from "./HttpChecks.ts"
import type { BodyReader } from "./HttpConnection.ts"
import { closeAfter, countRefusal, type HttpExchange, refuseUnread } from "./HttpExchange.ts"
import { RETRY_AFTER_SECONDS, replyJson } from "./HttpReply.ts"
import type { ErrorAnswer } from "./Intake.ts"

const EMPTY = Buffer.alloc(0)

/**
 * Takes a complete body. A long one is a list of the parts in which it arrived. `arrival` counts the body against the memory of
 * the process until the receiver has read it and ends the arrival; null for short bodies.
 */
type BodyReceiver = (body: Buffer | ArrivedParts, arrival: Arrival | null) => void

/** Reads the body of one request, and answers the request when the body is too large, broken or late. */
export class HttpBody implements BodyReader {
  readonly #exchange: HttpExchange
  readonly #receive: BodyReceiver
  /** The only chunk so far, then all chunks. Most bodies arrive in one. */
  #first: Buffer | null = null
  #chunks: Array<Buffer> | null = null
  /** Bytes and chunks so far. */
  #length = 0
  #count = 0
  #arrival: Arrival | null = null

  constructor(exchange: HttpExchange, receive: BodyReceiver) {
    this.#exchange = exchange
    this.#receive = receive
  }

  /** Begins to read. Call it once. */
  read(): void {
    const { connection, request, response } = this.#exchange
    connection.bodyBegins(this)
    // The body may have broken while the user was not yet known.
    const { unsentError } = connection
    if (unsentError !== null && this.answerBroken(unsentError)) return
    if (request.headers.expect !== undefined && request.httpVersion !== "1.0") response.writeContinue()
    request.on("data", (chunk: Buffer) => this.#add(chunk))
    request.on("end", () => this.#end())
  }

  answerBroken([status, message]: ErrorAnswer): boolean {
    const { connection, headers, request, response } = this.#exchange
    // The end of the body may have arrived in the same bytes as what is broken after it.
    if (request.complete) return false
    this.#discard()
    connection.errorSent()
    closeAfter(this.#exchange)
    replyJson(response, status, headers, { message })
    countRefusal(this.#exchange, status)
    linger(request.socket)
    return true
  }

  #add(chunk: Buffer): void {
    const { maxContentLength } = this.#exchange.context.settings
    this.#length += chunk.length
    this.#count++
    if (this.#length > maxContentLength) {
      this.#discard()
      refuseUnread(this.#exchange, 413, tooLarge(maxContentLength))
    } else if (!this.#hasRoom()) {
      this.#discard()
      this.#refuseForNow()
    } else if (this.#first === null) this.#first = chunk
    else {
      this.#chunks ??= [this.#first]
      this.#chunks.push(chunk)
    }
  }

  /** Whether the memory of the process has room for the body so far. */
  #hasRoom(): boolean {
    const bytes = arrived(this.#length, this.#count)
    if (bytes <= LONG_MESSAGE_BYTES) return true
    if (this.#arrival === null) {
      this.#arrival = this.#exchange.context.arriving.open()
      this.#exchange.response.once("close", this.#arrival.end)
    }
    return this.#arrival.set(bytes)
  }

  #end(): void {
    this.#exchange.connection.bodyEnds(this)
    const chunks = this.#chunks ?? [this.#first ?? EMPTY]
    this.#first = null
    this.#chunks = null
    if (chunks.length === 1) this.#receive(chunks[0]!, this.#arrival)
    else if (this.#length > LONG_MESSAGE_BYTES) this.#receive(new ArrivedParts(chunks, this.#length), this.#arrival)
    else this.#receive(Buffer.concat(chunks), this.#arrival)
  }

  /** The request is answered: the rest of its body is ignored. */
  #discard(): void {
    const { connection, request } = this.#exchange
    connection.bodyEnds(this)
    this.#first = null
    this.#chunks = null
    this.#arrival?.end()
    request.removeAllListeners("data")
    request.removeAllListeners("end")
    request.resume()
  }

  /** The body alone would be small enough, but too many bodies arrive at once. */
  #refuseForNow(): void {
    const { context, headers } = this.#exchange
    context.metrics.refused("arriving")
    headers.push("retry-after", RETRY_AFTER_SECONDS)
    refuseUnread(this.#exchange, 503, context.arriving.refusal)
  }
}
