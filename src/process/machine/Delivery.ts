import type { Pending } from "../../scheduling/Pending.ts"
import type { Reads } from "../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { type Batch, VALUE } from "../plan/Batch.ts"
import { elementReads } from "./Reads.ts"
import type { ResultSink } from "./ResultSink.ts"
import { type CollectedSideEffects, isCompound } from "./SideEffects.ts"

/**
 * With a store that answers later, results are fetched together when more batches than this wait, and more rows than
 * {@link MIN_FETCHED_ROWS}.
 */
const MIN_FETCHED_BATCHES = 8
/** Waiting rows after which results are fetched together. */
const MIN_FETCHED_ROWS = 256

/**
 * Passes the results of one run to its sink. With a store that answers later, results wait until the data of their elements is
 * fetched.
 */
export class Delivery {
  readonly #transaction: GraphTransaction
  readonly #sideEffects: CollectedSideEffects
  /** Results are serialized with the properties of elements. */
  readonly #materializes: boolean
  #sink: ResultSink | null = null
  #waiting: Array<Batch> = []
  #waitingRows = 0
  /** Number of the first waiting batches whose data is fetched. */
  #readable = 0
  /** The sink is full, or enough results wait to be fetched together. */
  isFull = false

  constructor(transaction: GraphTransaction, sideEffects: CollectedSideEffects, materializes: boolean) {
    this.#transaction = transaction
    this.#sideEffects = sideEffects
    this.#materializes = materializes
  }

  /** From now on results go to `sink`, which is not full. */
  begin(sink: ResultSink): void {
    this.#sink = sink
    this.isFull = false
  }

  /** Whether results wait. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Takes results from the run. */
  take(batch: Batch): void {
    if (!this.#transaction.answersLater) {
      this.#hand(batch)
      return
    }
    this.#waiting.push(batch)
    this.#waitingRows += batch.length
    if (this.#waiting.length > MIN_FETCHED_BATCHES && this.#waitingRows > MIN_FETCHED_ROWS) this.isFull = true
  }

  /** Passes waiting results on until the sink is full. Returns what must be awaited before the next call, if anything. */
  deliver(): Pending | undefined {
    while (this.#waiting.length > 0) {
      if (this.#readable === 0) {
        const wait = this.#transaction.prefetch(this.#waiting.flatMap((batch) => this.#readsOf(batch)))
        if (wait !== undefined) return wait
        this.#readable = this.#waiting.length
      }
      const batch = this.#waiting.shift()!
      this.#readable--
      this.#waitingRows -= batch.length
      this.#hand(batch)
      if (this.isFull) return undefined
    }
    return undefined
  }

  #readsOf(batch: Batch): ReadonlyArray<Reads> {
    return this.#materializes || batch.kind !== VALUE ? elementReads(batch, this.#transaction) : []
  }

  #hand(batch: Batch): void {
    const values = new Array<unknown>(batch.length)
    for (let i = 0; i < values.length; i++) values[i] = batch.value(i, this.#transaction)
    if (!this.#accepted(values, batch.bulk)) this.isFull = true
  }

  #accepted(values: ReadonlyArray<unknown>, bulks: Float64Array | null): boolean {
    const sink = this.#sink!
    const sideEffects = this.#sideEffects
    if (sideEffects.lends && values.some(isCompound)) {
      if (sink.acceptGrowing !== undefined) {
        return sink.acceptGrowing(values, values.length, bulks, () => sideEffects.settle())
      }
      sideEffects.settle()
    }
    return sink.accept(values, values.length, bulks)
  }
}
