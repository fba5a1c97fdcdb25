import type { ServerResponse } from "node:http"
import type { Writable } from "node:stream"
import { LimitExceeded } from "../../../process/language/Errors.ts"
import { textParts } from "../../../protocol/LongParts.ts"
import type { ResponseStream } from "../../../protocol/Serializer.ts"
import { failureReport } from "../../../services/Errors.ts"
import { AnswerFile } from "../shared/AnswerFile.ts"
import { type AnswerFiles, cannotKeep } from "../shared/AnswerFiles.ts"
import { AnswerSink } from "../shared/AnswerSink.ts"
import type { AcceptedFormat } from "../shared/Formats.ts"
import { asBytes, bytesOf, joined } from "./AnswerPieces.ts"
import { type BodyOutput, bodyOutput, COMPRESSOR_BYTES, MIN_COMPRESSED_BYTES } from "./Compression.ts"
import type { HttpExchange } from "./HttpExchange.ts"
import { type FlatHeaders, httpStatus, quoted, replyFailure } from "./HttpReply.ts"

/** Start of an answer that is held back, so that an early error has its own status. */
const MAX_HELD_BYTES = 65_536
/** Rows that are encoded together. */
const BATCH_ROWS = 256
/** Size of the chunks of a longer answer. */
const CHUNK_BYTES = 32_768
/** Longer pieces of text are split before they are encoded. */
const MAX_TEXT_PIECE_CHARS = 1_048_576
/** Approximate number of bytes or characters that are written to the socket between two readings of the clock. */
const SEND_STEP_LENGTH = 524_288
/** Memory of an answer that must not be sent before its end; the rest of it waits in a file. */
const MAX_MEMORY_BYTES = 1_048_576

/** The limits of answers, and the status of a refusal by the pool. */
export interface HttpAnswerLimits {
  readonly maxResults: number
  readonly files: AnswerFiles
  readonly poolFullStatus: number
}

/**
 * An answer as one HTTP response. A short answer is sent whole, with its length. A long one is sent in chunks from its 65th
 * kilobyte on. When it fails then, the connection is cut without the last chunk, which every client notices. Three answers must
 * not be sent before their end: that of a request that writes, GraphBinary, which begins with the number of results, and that of
 * HTTP/1.0, which has no chunks. A long one of these is kept in a file, so that memory stays flat.
 */
export class HttpSink extends AnswerSink {
  readonly #exchange: Pick<HttpExchange, "client" | "connection">
  readonly #response: ServerResponse
  /** Where a long answer is written: the response, or a compressor in front of it. */
  #output: Writable
  #body: BodyOutput | null = null
  readonly #mime: string
  readonly #headers: FlatHeaders
  readonly #limits: HttpAnswerLimits
  #stream: ResponseStream | null = null
  #pieces: Array<Buffer | string> = []
  #bytes = 0
  #file: AnswerFile | null = null
  /** Pieces of a long answer that are being sent, in reverse order, and their length. */
  #unsent: Array<Buffer | string> = []
  #unsentBytes = 0
  sent = false

  /** `isBytecode`: a result that occurs several times is sent once, with its bulk, where the format can. */
  constructor(
    exchange: Pick<HttpExchange, "client" | "connection" | "headers" | "response">,
    limits: HttpAnswerLimits,
    format: AcceptedFormat,
    requestId: string | null,
    isBytecode: boolean
  ) {
    super(requestId, format.serializer, isBytecode, limits.maxResults)
    this.#exchange = exchange
    this.#response = exchange.response
    this.#output = exchange.response
    this.#mime = format.mime
    this.#headers = exchange.headers
    this.#limits = limits
  }

  get heldBytes(): number {
    const compressed = this.#output === this.#response ? 0 : COMPRESSOR_BYTES + this.#output.writableLength
    const held = this.unwrittenBytes + this.#unsentBytes + this.#bytes + compressed
    return this.#file === null ? held : held + this.#file.heldBytes
  }

  get isFull(): boolean {
    return this.pending.count >= BATCH_ROWS
  }

  get #mustWait(): boolean {
    return this.#file === null ? this.sent && this.#output.writableNeedDrain : !this.#file.hasRoom
  }

  pump(until: number): "ready" | "slice" | "full" {
    return this.#write(BATCH_ROWS, until)
  }

  /** Writes the batch that is begun, and further ones while at least `minRows` wait. */
  #write(minRows: number, until: number): "ready" | "slice" | "full" {
    while (this.#unsent.length > 0 || this.batch !== null || this.pending.count >= minRows) {
      if (this.#mustWait) return "full"
      if (this.#unsent.length > 0) {
        this.#send()
        if (performance.now() > until) return "slice"
        continue
      }
      if (!this.#encode(until)) return "slice"
      if (performance.now() > until && (this.batch !== null || this.pending.count >= minRows)) return "slice"
    }
    return this.#mustWait ? "full" : "ready"
  }

  onRoom(resume: () => void): void {
    if (this.#file === null) this.#output.once("drain", resume)
    else this.#file.onRoom(resume)
  }

  /** Writes one piece. False when `until` passed before it was encoded. */
  #encode(until: number): boolean {
    const stream = this.#open()
    const batch = this.nextPiece(BATCH_ROWS, until)
    if (batch === null) return false
    const { long } = this.progress
    if (long === null) this.#add(stream.items(batch, this.progress))
    else for (const piece of stream.longItem(long)) this.#add(piece)
    this.pieceWritten(batch)
    if (this.holding || stream.countsFirst || this.#isOldVersion || this.#file !== null) {
      if (this.#bytes > MAX_MEMORY_BYTES) this.#store()
    } else if (this.#bytes > (this.sent ? CHUNK_BYTES : MAX_HELD_BYTES)) this.#flush(stream)
    return true
  }

  /** Moves what is in memory into the file. */
  #store(): void {
    const { files } = this.#limits
    try {
      this.#file ??= new AnswerFile(files, this.#exchange.client)
    } catch (cause) {
      throw cannotKeep(cause)
    }
    if (this.#file.failure !== null) throw cannotKeep(this.#file.failure)
    if (this.#bytes <= 2 * MAX_MEMORY_BYTES) this.#file.append(bytesOf(this.#pieces))
    else for (const piece of this.#pieces) this.#file.append(asBytes(piece))
    this.#pieces = []
    this.#bytes = 0
    const problem = files.problem(this.#exchange.client)
    if (problem !== undefined) throw this.#tooLong(problem)
  }

  #open(): ResponseStream {
    this.#stream ??= this.serializer.stream(this.requestId, this.options)
    return this.#stream
  }

  #add(piece: Buffer | string): void {
    if (typeof piece !== "string" || piece.length <= MAX_TEXT_PIECE_CHARS) this.#pieces.push(piece)
    else for (const part of textParts(piece)) this.#pieces.push(part)
    this.#bytes += piece.length
  }

  #flush(stream: ResponseStream): void {
    if (!this.sent) {
      this.sent = true
      this.#begin()
      this.#pieces.unshift(stream.head(0, null))
    }
    if (this.#bytes <= SEND_STEP_LENGTH) this.#output.write(joined(this.#pieces))
    else {
      this.#unsent = this.#pieces.reverse()
      this.#unsentBytes = this.#bytes
    }
    this.#pieces = []
    this.#bytes = 0
  }

  /** Begins a long answer. `length`: its bytes, where they are known. */
  #begin(length?: number): void {
    this.#body = bodyOutput(this.#response, 200, [...this.#headers, "content-type", this.#mime], length)
    this.#output = this.#body.stream
  }

  /** Writes the next pieces of a long answer to the socket. */
  #send(): void {
    for (let sent = 0; sent < SEND_STEP_LENGTH && this.#unsent.length > 0; ) {
      const piece = this.#unsent.pop()!
      this.#output.write(piece)
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

  /** Without chunks, the end of the connection is the end of the answer: a part of it would look complete. */
  get #isOldVersion(): boolean {
    return this.#response.req.httpVersion === "1.0"
  }

  #dropFile(): void {
    this.#file?.close()
    this.#file = null
  }

  finish(until: number): "ready" | "slice" | "full" {
    const written = this.#write(1, until)
    // Nothing is left that needs room: the rest is sent with the end.
    const isAll = this.batch === null && this.pending.count === 0 && this.#unsent.length === 0
    if (!isAll || written === "slice") return written
    return this.#file === null || this.#isKept(this.#file) ? "ready" : "full"
  }

  /** True once the file has all that was written to it: a commit comes only then. Throws if it cannot be written. */
  #isKept(file: AnswerFile): boolean {
    if (file.failure !== null) throw cannotKeep(file.failure)
    return file.heldBytes === 0
  }

  complete(): void {
    this.status = 200
    // The client has left, perhaps during the commit. No event would free what the answer holds.
    if (this.#output.destroyed) {
      this.#dropFile()
      return
    }
    const stream = this.#open()
    this.#add(stream.tail())
    let held = 0
    if (this.#file !== null) held = this.#completeFromFile(this.#file, stream)
    else if (this.sent) this.#output.end(joined(this.#pieces))
    else this.#completeWhole(stream)
    if (this.#output !== this.#response) held += COMPRESSOR_BYTES
    this.#exchange.connection.unsent.add(this.#response, this.#output.writableLength + held)
  }

  #completeWhole(stream: ResponseStream): void {
    this.sent = true
    this.#pieces.unshift(this.#head(stream))
    const body = joined(this.#pieces)
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length
    if (length > MIN_COMPRESSED_BYTES) this.#begin(length)
    else {
      this.#headers.push("content-type", this.#mime, "content-length", length)
      this.#response.writeHead(200, this.#headers as Array<string>)
    }
    if (this.#output !== this.#response) this.#output.end(body)
    // Text with as many bytes as characters is ASCII: Latin-1 copies it without encoding.
    else if (typeof body === "string" && length === body.length) this.#response.end(body, "latin1")
    else this.#response.end(body)
  }

  /** The head of an answer that is sent at its end. Warnings are headers, too, for formats without status attributes. */
  #head(stream: ResponseStream): Buffer | string {
    const { warnings } = this
    if (warnings === null) return stream.head(stream.count, null)
    for (const warning of warnings) this.#headers.push("warning", `199 engine-server ${quoted(warning)}`)
    return stream.head(stream.count, new Map([["warnings", warnings]]))
  }

  /** Returns the bytes that stay in memory beside what is written. */
  #completeFromFile(file: AnswerFile, stream: ResponseStream): number {
    const tail = bytesOf(this.#pieces)
    let head: Buffer | null = null
    if (!this.sent) {
      this.sent = true
      head = bytesOf([this.#head(stream)])
      this.#begin(head.length + file.length + tail.length)
    }
    file.send(this.#output, head, tail)
    return tail.length
  }

  fail(error: unknown, kept: ReadonlyArray<string> = []): void {
    this.#dropFile()
    const report = failureReport(error, kept)
    if (this.sent && this.#body?.takeBack() !== true) {
      // The client has seen 200. What counts for metrics and logs is how the request ended.
      this.status = httpStatus(report.error, this.#limits.poolFullStatus)
      this.#response.destroy()
    } else {
      this.sent = true
      this.status = replyFailure(this.#response, report, this.requestId, this.#headers, this.#limits.poolFullStatus)
    }
  }

  #tooLong(problem: string): LimitExceeded {
    return new LimitExceeded(
      `${problem}, and ` +
        (this.holding
          ? "the answer of a request that writes is held back until its commit. Return less, for example with count()."
          : this.#isOldVersion
            ? "HTTP/1.0 has no chunks, so the answer is held back until its end. Use HTTP/1.1, which streams."
            : `${this.serializer.mime} has to know the number of results before the first. Ask for a JSON format, which streams.`)
    )
  }
}
