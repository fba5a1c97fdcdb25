import type { ServerResponse } from "node:http"
import { LimitExceeded } from "../../../process/language/Errors.ts"
import { textParts } from "../../../protocol/LongParts.ts"
import type { ResponseStream } from "../../../protocol/Serializer.ts"
import { failureReport } from "../../../services/Errors.ts"
import { AnswerFile, type AnswerFiles } from "../shared/AnswerFile.ts"
import { AnswerSink } from "../shared/AnswerSink.ts"
import type { AcceptedFormat } from "../shared/Formats.ts"
import type { HttpExchange } from "./HttpExchange.ts"
import { type FlatHeaders, replyFailure } from "./HttpReply.ts"

/** Bytes of a read's answer that are kept back, so that an error which comes early has its own status. */
const HELD = 65_536
/** Rows that are encoded at once, and bytes that leave at once, of a longer answer. */
const BATCH = 256
const CHUNK = 32_768
/** Characters that are encoded at once, and characters or bytes that are sent at once, about. */
const ENCODED_AT_ONCE = 1_048_576
const SENT_AT_ONCE = 524_288
/** Bytes in memory of an answer that cannot leave before its end; the rest of it waits in a file. */
const IN_MEMORY = 1_048_576

/** How an answer may grow, and what a refusal looks like. */
export interface HttpAnswerLimits {
  readonly maxResults: number
  readonly files: AnswerFiles
  readonly poolFullStatus: number
}

/**
 * An answer as one HTTP response. A short one leaves whole, with its length. A long one leaves in chunks from its 65th
 * kilobyte on; when it then fails the connection is cut without the closing chunk, which every client notices. What must
 * not leave before its end (the answer of a request that writes; GraphBinary, where the number of results comes first) is
 * kept in a file when it is long, so that memory stays flat.
 */
export class HttpSink extends AnswerSink {
  readonly #response: ServerResponse
  readonly #mime: string
  readonly #headers: FlatHeaders
  readonly #limits: HttpAnswerLimits
  #stream: ResponseStream | null = null
  #pieces: Array<Buffer | string> = []
  #bytes = 0
  #file: AnswerFile | null = null
  /** The pieces of a long answer that are being sent, the next one last, and their bytes. */
  #unsent: Array<Buffer | string> = []
  #unsentBytes = 0
  sent = false

  /** `isBytecode`: a result that occurs several times is sent once, with its bulk, where the format can. */
  constructor(
    { headers, response }: Pick<HttpExchange, "headers" | "response">,
    limits: HttpAnswerLimits,
    format: AcceptedFormat,
    requestId: string | null,
    isBytecode: boolean
  ) {
    super(requestId, format.serializer, isBytecode, limits.maxResults)
    this.#response = response
    this.#mime = format.mime
    this.#headers = headers
    this.#limits = limits
  }

  get heldBytes(): number {
    return this.unwrittenBytes + this.#unsentBytes + this.#bytes + (this.#file === null ? 0 : this.#file.heldBytes)
  }

  get isFull(): boolean {
    return this.pending.count >= BATCH
  }

  get #isBehind(): boolean {
    return this.#file === null ? this.sent && this.#response.writableNeedDrain : !this.#file.hasRoom
  }

  pump(until: number): "ready" | "slice" | "full" {
    return this.#write(BATCH, until)
  }

  /** Writes while rows are begun or at least `fewest` wait. */
  #write(fewest: number, until: number): "ready" | "slice" | "full" {
    while (this.#unsent.length > 0 || this.batch !== null || this.pending.count >= fewest) {
      if (this.#isBehind) return "full"
      if (this.#unsent.length > 0) {
        this.#send()
        if (performance.now() > until) return "slice"
        continue
      }
      if (!this.#encode(until)) return "slice"
      if (performance.now() > until && (this.batch !== null || this.pending.count >= fewest)) return "slice"
    }
    return this.#isBehind ? "full" : "ready"
  }

  onRoom(resume: () => void): void {
    if (this.#file === null) this.#response.once("drain", resume)
    else this.#file.onRoom(resume)
  }

  /** Writes a piece; false when `until` passed before one was ready. */
  #encode(until: number): boolean {
    const stream = this.#open()
    const batch = this.nextPiece(BATCH, until)
    if (batch === null) return false
    const { long } = this.progress
    if (long === null) this.#add(stream.items(batch, this.progress))
    else for (const piece of stream.longItem(long)) this.#add(piece)
    this.pieceWritten(batch)
    if (this.holding || stream.countsFirst || this.#file !== null) {
      if (this.#bytes > IN_MEMORY) this.#store()
    } else if (this.#bytes > (this.sent ? CHUNK : HELD)) this.#flush(stream)
    return true
  }

  /** Moves what is in memory into the file. */
  #store(): void {
    const { files } = this.#limits
    try {
      this.#file ??= new AnswerFile(files)
    } catch (cause) {
      throw cannotKeep(cause)
    }
    if (this.#file.failure !== null) throw cannotKeep(this.#file.failure)
    if (this.#bytes <= 2 * IN_MEMORY) this.#file.append(bytesOf(this.#pieces))
    else for (const piece of this.#pieces) this.#file.append(asBytes(piece))
    this.#pieces = []
    this.#bytes = 0
    if (files.isFull) throw this.#tooLong()
  }

  #open(): ResponseStream {
    this.#stream ??= this.serializer.stream(this.requestId, this.options)
    return this.#stream
  }

  #add(piece: Buffer | string): void {
    if (typeof piece !== "string" || piece.length <= ENCODED_AT_ONCE) this.#pieces.push(piece)
    else for (const part of textParts(piece)) this.#pieces.push(part)
    this.#bytes += piece.length
  }

  #flush(stream: ResponseStream): void {
    if (!this.sent) {
      this.sent = true
      this.#headers.push("content-type", this.#mime)
      this.#response.writeHead(200, this.#headers as Array<string>)
      this.#pieces.unshift(stream.head(0, null))
    }
    if (this.#bytes <= SENT_AT_ONCE) this.#response.write(joined(this.#pieces))
    else {
      this.#unsent = this.#pieces.reverse()
      this.#unsentBytes = this.#bytes
    }
    this.#pieces = []
    this.#bytes = 0
  }

  /** Sends the next pieces of a long answer. */
  #send(): void {
    for (let sent = 0; sent < SENT_AT_ONCE && this.#unsent.length > 0; ) {
      const piece = this.#unsent.pop()!
      this.#response.write(piece)
      sent += piece.length
      this.#unsentBytes -= piece.length
    }
    if (this.#unsent.length === 0) this.#unsentBytes = 0
  }

  restart(): void {
    this.clear()
    this.#stream = null
    this.#pieces = []
    this.#bytes = 0
    this.#dropFile()
  }

  #dropFile(): void {
    this.#file?.close()
    this.#file = null
  }

  finish(until: number): "ready" | "slice" | "full" {
    const written = this.#write(1, until)
    // What is left waits for no room: it leaves with the end.
    const isAll = this.batch === null && this.pending.count === 0 && this.#unsent.length === 0
    return written === "full" && isAll ? "ready" : written
  }

  complete(): void {
    const stream = this.#open()
    this.status = 200
    this.#add(stream.tail())
    if (this.#file !== null) {
      this.#completeFromFile(this.#file, stream)
      return
    }
    if (this.sent) {
      this.#response.end(joined(this.#pieces))
      return
    }
    this.sent = true
    this.#pieces.unshift(this.#head(stream))
    const body = joined(this.#pieces)
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length
    this.#headers.push("content-type", this.#mime, "content-length", length)
    this.#response.writeHead(200, this.#headers as Array<string>)
    // What has as many bytes as characters is ASCII, which is copied and not encoded.
    if (typeof body === "string" && length === body.length) this.#response.end(body, "latin1")
    else this.#response.end(body)
  }

  /** The head of an answer that leaves at its end; a warning is a header, too, for formats without attributes. */
  #head(stream: ResponseStream): Buffer | string {
    const { warnings } = this
    if (warnings === null) return stream.head(stream.count, null)
    for (const warning of warnings) this.#headers.push("warning", `199 engine-server ${quoted(warning)}`)
    return stream.head(stream.count, new Map([["warnings", warnings]]))
  }

  #completeFromFile(file: AnswerFile, stream: ResponseStream): void {
    const tail = bytesOf(this.#pieces)
    let head: Buffer | null = null
    if (!this.sent) {
      this.sent = true
      head = bytesOf([this.#head(stream)])
      this.#headers.push("content-type", this.#mime, "content-length", head.length + file.length + tail.length)
      this.#response.writeHead(200, this.#headers as Array<string>)
    }
    file.send(this.#response, head, tail)
  }

  fail(error: unknown, kept: ReadonlyArray<string> = []): void {
    this.#dropFile()
    if (this.sent) {
      this.status = 200
      this.#response.destroy()
      return
    }
    this.sent = true
    const report = failureReport(error, kept)
    this.status = replyFailure(this.#response, report, this.requestId, this.#headers, this.#limits.poolFullStatus)
  }

  #tooLong(): LimitExceeded {
    return new LimitExceeded(
      `The answers that wait in files have more than ${this.#limits.files.limit} bytes together (answerFileLimit), and ` +
        (this.holding
          ? "the answer of a request that writes is kept back until its commit. Return less, for example with count()."
          : `${this.serializer.mime} has to know the number of results before the first. Ask for a JSON format, which streams.`)
    )
  }
}

/** A text as a header can have it: RFC 9110, section 5.6.4, in ASCII. */
const quoted = (text: string): string => JSON.stringify(text.replace(/[^ -~]/g, "?"))

const cannotKeep = (cause: unknown): LimitExceeded =>
  new LimitExceeded(
    `The answer is long and cannot be kept until its end: the folder of temporary files (TMPDIR) says ${String(cause)}. ` +
      "Return less, or make room there."
  )

const bytesOf = (pieces: ReadonlyArray<Buffer | string>): Buffer => asBytes(joined(pieces))

/** Text where all pieces are. */
const joined = (pieces: ReadonlyArray<Buffer | string>): Buffer | string => {
  let text = ""
  for (const piece of pieces) {
    if (typeof piece !== "string") return Buffer.concat(pieces.map(asBytes))
    text += piece
  }
  return text
}

const asBytes = (piece: Buffer | string): Buffer => (typeof piece === "string" ? Buffer.from(piece) : piece)
