import { FailStepReached } from "../../../process/language/Errors.ts"
import { ChunkedMessage } from "../../../protocol/ChunkedMessage.ts"
import type { ResponseMessage } from "../../../protocol/Messages.ts"
import { StatusCode } from "../../../protocol/StatusCode.ts"
import { type FailureReport, failureReport, statuses } from "../../../services/Errors.ts"
import { exceptionName } from "../../../services/ExceptionName.ts"
import { readBatchSize } from "../../requests/RequestReader.ts"
import { AnswerSink } from "../shared/AnswerSink.ts"
import type { SpokenFormat } from "./WebSocketDrivers.ts"

/** Frames of a writing request that are held back until its commit. When there are more, they leave before it. */
const MAX_HELD_BYTES = 65_536

/** A message for a WebSocket. Text is sent as UTF-8, and a long message as consecutive buffers. */
export type Outgoing = Buffer | string | ChunkedMessage

/** The connection to the client, as a sink uses it. */
export interface FrameOutput {
  readonly hasRoom: boolean
  send(message: Outgoing, binary: boolean): void
  onRoom(resume: () => void): void
  /** Status attributes of the last frame of an answer: `host` is the client's own address. */
  readonly attributes: ReadonlyMap<string, unknown>
  /** Results that a request may have; 0 = no limit. */
  readonly maxResults: number
}

/** The status of a frame with results. */
type Code = (typeof StatusCode)["SUCCESS" | "NO_CONTENT" | "PARTIAL_CONTENT"]

/** An answer as WebSocket frames: 206 for each batch but the last, then 200, or 204 for an answer without results. */
export class WebSocketSink extends AnswerSink {
  /** An answer has the kind of frame of its request: binary or text. */
  readonly #binary: boolean
  readonly #isBytecode: boolean
  readonly #output: FrameOutput
  #batchSize: number
  #held: Array<Outgoing> | null = null
  #heldBytes = 0
  #last: Outgoing | null = null
  #lastCode: Code = StatusCode.SUCCESS
  sent = false

  constructor(
    output: FrameOutput,
    requestId: string | null,
    { binary, serializer }: SpokenFormat,
    isBytecode: boolean,
    batchSize: number
  ) {
    super(requestId, serializer, isBytecode, output.maxResults)
    this.#output = output
    this.#binary = binary
    this.#isBytecode = isBytecode
    this.#batchSize = batchSize
  }

  override configure(options: ReadonlyMap<string, unknown>): void {
    super.configure(options)
    if (options.has("batchSize")) this.#batchSize = readBatchSize(options.get("batchSize"), this.#batchSize)
  }

  get heldBytes(): number {
    return this.unwrittenBytes + this.#heldBytes + (this.#last === null ? 0 : this.#last.length)
  }

  get isFull(): boolean {
    return this.pending.count > this.#batchSize
  }

  pump(until: number): "ready" | "slice" | "full" {
    // The rest of the results belongs to the last frame, so that an answer never ends with an empty frame.
    while (this.batch !== null || this.pending.count > this.#batchSize) {
      if (!this.#output.hasRoom) return "full"
      const frame = this.#frame(StatusCode.PARTIAL_CONTENT, until)
      if (frame === null) return "slice"
      this.#emit(frame)
      if (performance.now() > until && (this.batch !== null || this.pending.count > this.#batchSize)) return "slice"
    }
    return this.#output.hasRoom ? "ready" : "full"
  }

  onRoom(resume: () => void): void {
    this.#output.onRoom(resume)
  }

  #emit(frame: Outgoing): void {
    if (!this.holding) {
      this.sent = true
      this.#output.send(frame, this.#binary)
      return
    }
    this.#held ??= []
    this.#held.push(frame)
    this.#heldBytes += frame.length
    if (this.#heldBytes > MAX_HELD_BYTES) {
      this.holding = false
      this.#release()
    }
  }

  #release(): void {
    if (this.#held === null) return
    this.sent = true
    for (const frame of this.#held) this.#output.send(frame, this.#binary)
    this.#held = null
  }

  /** The next frame with results; its code is 206 when more follow. Null when `until` passed first. */
  #frame(code: Code, until: number): Outgoing | null {
    const data = this.nextPiece(this.#batchSize, until)
    if (data === null) return null
    const { long, row } = this.progress
    const isLast = code === StatusCode.SUCCESS && this.pending.count === 0 && (long === null || row === data.length - 1)
    const response: ResponseMessage = {
      requestId: this.requestId,
      code: isLast ? code : StatusCode.PARTIAL_CONTENT,
      message: "",
      attributes: isLast ? this.#output.attributes : null,
      data
    }
    const { options, progress, serializer } = this
    const frame =
      long === null
        ? serializer.writeResponse(response, options, progress)
        : serializer.writeLongResponse(response, long, options)
    // The first row turned out to be long: it is written in slices.
    if (long === null && progress.longRow === row) return this.#frame(code, until)
    this.pieceWritten(data)
    return frame
  }

  #write(response: ResponseMessage): Buffer | string {
    return this.serializer.writeResponse(response, this.options)
  }

  restart(): void {
    this.clear()
    this.#held = null
    this.#heldBytes = 0
    this.#last = null
  }

  finish(until: number): "ready" | "slice" | "full" {
    if (this.batch === null && this.pending.count === 0) {
      const { requestId } = this
      const { attributes } = this.#output
      this.#lastCode = StatusCode.NO_CONTENT
      this.#last = this.#write({ requestId, code: this.#lastCode, message: "", attributes, data: null })
      return "ready"
    }
    for (;;) {
      const frame = this.#frame(StatusCode.SUCCESS, until)
      if (frame === null) return "slice"
      if (this.batch === null && this.pending.count === 0) {
        this.#lastCode = StatusCode.SUCCESS
        this.#last = frame
        return "ready"
      }
      this.#emit(frame)
      if (!this.#output.hasRoom) return "full"
      if (performance.now() > until) return "slice"
    }
  }

  complete(): void {
    if (this.#last === null) this.finish(Number.POSITIVE_INFINITY)
    this.#release()
    this.status = this.#lastCode
    this.sent = true
    const last = this.#last!
    this.#last = null
    this.#output.send(this.warnings === null ? last : this.#withWarnings(last, this.warnings), this.#binary)
  }

  /** Replaces the head of the last frame, which was written before the commit because results end with their transaction. */
  #withWarnings(last: Outgoing, warnings: ReadonlyArray<string>): Outgoing {
    const head = { requestId: this.requestId, code: this.#lastCode, message: "", attributes: this.#output.attributes }
    const before = this.serializer.responseHead(head).length
    const attributes = new Map<string, unknown>([...this.#output.attributes, ["warnings", warnings]])
    const after = this.serializer.responseHead({ ...head, attributes })
    if (typeof last === "string") return after + last.slice(before)
    const begin = typeof after === "string" ? Buffer.from(after) : after
    if (Buffer.isBuffer(last)) return Buffer.concat([begin, last.subarray(before)])
    const [first, ...rest] = last.buffers
    return new ChunkedMessage([begin, first!.subarray(before), ...rest])
  }

  /** Asks the client to authenticate before this request is evaluated. */
  challenge(): void {
    const { requestId } = this
    const code = StatusCode.AUTHENTICATE
    this.#output.send(this.#write({ requestId, code, message: "", attributes: null, data: null }), this.#binary)
  }

  fail(error: unknown, kept: ReadonlyArray<string> = []): void {
    this.#last = null
    const report = failureReport(error, kept)
    const row = statuses[report.error._tag]
    const code = this.#isBytecode ? row.bytecode : row.eval
    this.status = code
    this.sent = true
    this.#output.send(
      this.#write({
        requestId: this.requestId,
        code,
        message: report.message,
        attributes: errorAttributes(report),
        data: null
      }),
      this.#binary
    )
  }
}

/** Status attributes of an error. Drivers show them as Java classes and a stack trace; the server's own stack is not sent. */
const errorAttributes = ({ commitOutcome, error, message }: FailureReport): ReadonlyMap<string, unknown> => {
  const name = exceptionName(error)
  const attributes = new Map<string, unknown>([
    ["stackTrace", `${name}: ${message}`],
    ["exceptions", [name]]
  ])
  if (commitOutcome !== undefined) attributes.set("commitOutcome", commitOutcome)
  if (error instanceof FailStepReached) attributes.set("failStepMessage", error.details)
  return attributes
}
