import { LimitExceeded } from "../../../process/language/Errors.ts"
import { everything, type ResultData, type WriteOptions } from "../../../protocol/Messages.ts"
import { isLong } from "../../../protocol/ResultWeight.ts"
import { ResumableWrite } from "../../../protocol/ResumableWrite.ts"
import type { Serializer } from "../../../protocol/Serializer.ts"
import { WriteProgress } from "../../../protocol/WriteProgress.ts"
import type { AnsweringSink } from "../../../services/Dispatcher.ts"
import { bytesOfRows, ResultRows } from "../../evaluation/ResultRows.ts"
import type { DriverLimits } from "./DriverLimits.ts"

/** Time that accept() may spend on encoding. */
const ACCEPT_SLICE_MS = 1

/** Maximum length of one encoded result, in characters or bytes. The maximum length of a V8 string is about twice as large. */
const MAX_RESULT_LENGTH = 2 ** 28

/** The common part of the sinks of both transports: counts rows, and writes them in batches of one size. */
export abstract class AnswerSink implements AnsweringSink {
  readonly requestId: string | null
  readonly serializer: Serializer
  readonly pending: ResultRows
  options: WriteOptions = everything
  status = 0
  rows = 0
  holding = false
  /** The status attribute `warnings` of the answer; null for none. */
  warnings: Array<string> | null = null
  abstract readonly sent: boolean
  /** Rows that are being written; null between batches. */
  batch: ResultData | null = null
  /** How far the batch is written. */
  readonly progress = new WriteProgress()
  readonly #maxResults: number
  /** The driver cannot read elements with properties in this format. */
  #referencesOnly = false

  constructor(requestId: string | null, serializer: Serializer, asTraversers: boolean, maxResults: number) {
    this.requestId = requestId
    this.serializer = serializer
    this.pending = new ResultRows(asTraversers && serializer.traversers)
    this.#maxResults = maxResults
  }

  accept(values: ReadonlyArray<unknown>, length: number, bulks: Float64Array | null): boolean {
    return this.#added(values, length, bulks, null)
  }

  acceptGrowing(
    values: ReadonlyArray<unknown>,
    length: number,
    bulks: Float64Array | null,
    settle: () => void
  ): boolean {
    return this.#added(values, length, bulks, settle)
  }

  #added(
    values: ReadonlyArray<unknown>,
    length: number,
    bulks: Float64Array | null,
    settle: (() => void) | null
  ): boolean {
    const before = this.pending.count
    this.pending.add(values, length, bulks, settle)
    this.rows += this.pending.count - before
    if (this.#maxResults > 0 && this.rows > this.#maxResults) {
      throw new LimitExceeded(
        `The request has more than ${this.#maxResults} results, which is the server's maxResults; use limit() or range().`
      )
    }
    if (!this.isFull) return true
    return this.pump(performance.now() + ACCEPT_SLICE_MS) === "ready"
  }

  /**
   * Prepares the next piece. If the last batch is written, takes a batch of up to `size` rows. A long row is a piece by itself:
   * it is encoded in slices into `progress.long`. Returns null if `until` (`performance.now()` ms) passes before the piece is
   * ready.
   */
  protected nextPiece(size: number, until: number): ResultData | null {
    const { progress } = this
    if (this.batch === null) {
      this.batch = this.pending.take(size)
      progress.row = 0
      progress.longRow = -1
    }
    const { batch } = this
    if (batch.length === 0) return batch
    if (progress.long === null) {
      if (progress.longRow !== progress.row && !isLong(batch.values[progress.row])) return batch
      progress.long = new ResumableWrite()
    }
    const { long } = progress
    if (long.complete) return batch
    const isOver = (): boolean => long.length > MAX_RESULT_LENGTH || performance.now() > until
    const isWritten = this.serializer.writeLong(batch, progress.row, long, isOver, this.options)
    if (long.length > MAX_RESULT_LENGTH) {
      throw new LimitExceeded(
        `A single result has more than ${MAX_RESULT_LENGTH} bytes in its answer; return its members one by one, with unfold().`
      )
    }
    return isWritten ? batch : null
  }

  /** Called after the piece of {@link nextPiece} was written. */
  protected pieceWritten(batch: ResultData): void {
    const { progress } = this
    if (progress.long !== null) progress.row++
    progress.long = null
    if (progress.row >= batch.length) this.batch = null
  }

  /** Drops the results that are not written. */
  protected clear(): void {
    this.pending.clear()
    this.batch = null
    this.progress.long = null
    this.rows = 0
  }

  /** Estimated bytes of the results that are not completely written. */
  protected get unwrittenBytes(): number {
    const { batch } = this
    const { long, row } = this.progress
    const begun = batch === null ? 0 : bytesOfRows(batch.values, row, batch.length)
    return this.pending.heldBytes + begun + (long === null ? 0 : long.length)
  }

  abstract readonly heldBytes: number
  /** Whether the pending rows fill a batch. */
  abstract get isFull(): boolean
  abstract pump(until: number): "ready" | "slice" | "full"
  abstract onRoom(resume: () => void): void
  abstract restart(): void
  abstract finish(until: number): "ready" | "slice" | "full"
  abstract complete(): void
  abstract fail(error: unknown, kept?: ReadonlyArray<string>): void

  hold(): void {
    this.holding = true
  }

  warn(warning: string): void {
    this.warnings ??= []
    this.warnings.push(warning)
  }

  configure(options: ReadonlyMap<string, unknown>): void {
    const wanted = options.get("materializeProperties")
    if (wanted === undefined) return
    this.options = { ...this.options, properties: wanted !== "tokens" && !this.#referencesOnly }
  }

  /** Applies `materializeProperties` of the request, which options of its traversals override, and the limits of its driver. */
  materialize(wanted: unknown, { datesOnly, referencesOnly }: DriverLimits): void {
    this.#referencesOnly = referencesOnly && this.serializer.binary
    const isBare = wanted === "tokens" || (wanted !== "all" && this.#referencesOnly)
    if (isBare || datesOnly) this.options = { properties: !isBare, datesOnly }
  }
}
