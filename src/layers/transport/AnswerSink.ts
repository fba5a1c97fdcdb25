import { LimitExceeded } from "../../process/Errors.ts"
import type { WriteOptions } from "../../protocol/Messages.ts"
import type { Serializer } from "../../protocol/Serializer.ts"
import type { AnsweringSink } from "../../services/Dispatcher.ts"
import { ResultRows } from "../ResultRows.ts"

/** Time that accept() may spend on encoding before it gives the turn back, ms. */
const ACCEPT_SLICE = 1

const everything: WriteOptions = { properties: true }
const references: WriteOptions = { properties: false }

/** What the sinks of both transports have in common: rows come in, are counted, and leave in batches of one size. */
export abstract class AnswerSink implements AnsweringSink {
  readonly requestId: string | null
  readonly serializer: Serializer
  readonly pending: ResultRows
  options: WriteOptions = everything
  status = 0
  rows = 0
  holding = false
  abstract readonly sent: boolean
  readonly #maxResults: number
  /** The request said itself what it wants: options inside the traversal do not change it. */
  #optionsFixed = false

  constructor(requestId: string | null, serializer: Serializer, asTraversers: boolean, maxResults: number) {
    this.requestId = requestId
    this.serializer = serializer
    this.pending = new ResultRows(asTraversers)
    this.#maxResults = maxResults
  }

  accept(values: ReadonlyArray<unknown>, length: number, bulks: Float64Array | null): boolean {
    const before = this.pending.count
    this.pending.add(values, length, bulks)
    this.rows += this.pending.count - before
    if (this.#maxResults > 0 && this.rows > this.#maxResults) {
      throw new LimitExceeded(
        `The request has more than ${this.#maxResults} results, which is the server's maxResults; use limit() or range().`
      )
    }
    if (!this.isFull) return true
    return this.pump(performance.now() + ACCEPT_SLICE) === "ready"
  }

  abstract readonly heldBytes: number
  /** Whether enough is pending for a batch to leave. */
  abstract get isFull(): boolean
  abstract pump(until: number): "ready" | "slice" | "full"
  abstract onRoom(resume: () => void): void
  abstract restart(): void
  abstract finish(): void
  abstract complete(): void
  abstract fail(error: unknown): void

  hold(): void {
    this.holding = true
  }

  configure(options: ReadonlyMap<string, unknown>): void {
    if (!this.#optionsFixed && options.get("materializeProperties") === "tokens") this.options = references
  }

  /** `materializeProperties` of the request, and what its driver can read. */
  materialize(properties: unknown, byDefault: boolean): void {
    this.#optionsFixed = properties === "tokens" || properties === "all"
    if (properties === "tokens" || (properties !== "all" && !byDefault)) this.options = references
  }
}
