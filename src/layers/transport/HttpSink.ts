import type { ServerResponse } from "node:http"
import { LimitExceeded } from "../../process/Errors.ts"
import type { ResponseStream, Serializer } from "../../protocol/Serializer.ts"
import { AnswerSink } from "./AnswerSink.ts"
import { type FlatHeaders, replyError } from "./HttpReply.ts"

/** Bytes of a read's answer that are kept back, so that an error which comes early has its own status. */
const HELD = 65_536
/** Rows that are encoded at once, and bytes that leave at once, of a longer answer. */
const BATCH = 256
const CHUNK = 32_768

/** How an answer may grow, and what a refusal looks like. */
export interface HttpAnswerLimits {
  readonly maxResults: number
  /** Bytes of an answer that cannot leave before its end. */
  readonly requestMemoryLimit: number
  readonly poolFullStatus: number
}

/**
 * An answer as one HTTP response. A short one leaves whole, with its length. A long one leaves in chunks from its 65th
 * kilobyte on; when it then fails the connection is cut without the closing chunk, which every client notices.
 */
export class HttpSink extends AnswerSink {
  readonly #response: ServerResponse
  readonly #mime: string
  readonly #headers: FlatHeaders
  readonly #limits: HttpAnswerLimits
  #stream: ResponseStream | null = null
  #pieces: Array<Buffer | string> = []
  #bytes = 0
  sent = false

  /** `mime`: what the client calls the format; `application/json` is one of several. */
  constructor(
    response: ServerResponse,
    headers: FlatHeaders,
    requestId: string | null,
    serializer: Serializer,
    mime: string,
    bytecode: boolean,
    limits: HttpAnswerLimits
  ) {
    super(requestId, serializer, bytecode, limits.maxResults)
    this.#response = response
    this.#mime = mime
    this.#headers = headers
    this.#limits = limits
  }

  get heldBytes(): number {
    return this.pending.heldBytes + this.#bytes
  }

  get isFull(): boolean {
    return this.pending.count >= BATCH
  }

  pump(until: number): "ready" | "slice" | "full" {
    while (this.pending.count >= BATCH) {
      if (this.sent && this.#response.writableNeedDrain) return "full"
      this.#encode()
      if (performance.now() > until && this.pending.count >= BATCH) return "slice"
    }
    return this.sent && this.#response.writableNeedDrain ? "full" : "ready"
  }

  onRoom(resume: () => void): void {
    this.#response.once("drain", resume)
  }

  #encode(): void {
    const stream = this.#open()
    this.#add(stream.items(this.pending.take(BATCH)))
    if (this.holding || stream.countsFirst) {
      if (this.#bytes > this.#limits.requestMemoryLimit) throw this.#tooLong()
    } else if (this.#bytes > (this.sent ? CHUNK : HELD)) this.#flush(stream)
  }

  #open(): ResponseStream {
    this.#stream ??= this.serializer.stream(this.requestId, this.options)
    return this.#stream
  }

  #add(piece: Buffer | string): void {
    this.#pieces.push(piece)
    this.#bytes += piece.length
  }

  #flush(stream: ResponseStream): void {
    if (!this.sent) {
      this.sent = true
      this.#headers.push("content-type", this.#mime)
      this.#response.writeHead(200, this.#headers as Array<string>)
      this.#pieces.unshift(stream.head(0))
    }
    this.#response.write(joined(this.#pieces))
    this.#pieces = []
    this.#bytes = 0
  }

  restart(): void {
    this.pending.clear()
    this.rows = 0
    this.#stream = null
    this.#pieces = []
    this.#bytes = 0
  }

  finish(): void {
    const stream = this.#open()
    while (this.pending.count > 0) this.#add(stream.items(this.pending.take(BATCH)))
  }

  complete(): void {
    const stream = this.#open()
    this.status = 200
    this.#add(stream.tail())
    if (this.sent) {
      this.#response.end(joined(this.#pieces))
      return
    }
    this.sent = true
    this.#pieces.unshift(stream.head(stream.count))
    const body = joined(this.#pieces)
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length
    this.#headers.push("content-type", this.#mime, "content-length", length)
    this.#response.writeHead(200, this.#headers as Array<string>)
    this.#response.end(body)
  }

  fail(error: unknown): void {
    if (this.sent) {
      this.status = 200
      this.#response.destroy()
      return
    }
    this.sent = true
    this.status = replyError(this.#response, error, this.requestId, this.#headers, this.#limits.poolFullStatus)
  }

  #tooLong(): LimitExceeded {
    return new LimitExceeded(
      `The answer is longer than ${this.#limits.requestMemoryLimit} bytes (requestMemoryLimit), and ` +
        (this.holding
          ? "the answer of a request that writes is kept back until its commit. Return less, for example with count()."
          : `${this.serializer.mime} has to know the number of results before the first. Ask for a JSON format, which streams.`)
    )
  }
}

/** All text or all bytes: a serializer gives pieces of one kind. */
const joined = (pieces: ReadonlyArray<Buffer | string>): Buffer | string => {
  if (typeof pieces[0] !== "string") return Buffer.concat(pieces as ReadonlyArray<Buffer>)
  let text = ""
  for (const piece of pieces as ReadonlyArray<string>) text += piece
  return text
}
