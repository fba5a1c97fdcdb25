import type { Pending } from "../../scheduling/Pending.ts"
import type { GraphTransaction, Reads } from "../../structure/GraphStore.ts"
import { type Batch, VALUE } from "../plan/Batch.ts"
import { elementReads } from "./Reads.ts"
import type { ResultSink } from "./ResultSink.ts"
import { type CollectedSideEffects, isCompound } from "./SideEffects.ts"

/** Results of a store that answers later are fetched together when more batches and more rows than these wait. */
const BATCHES_TOGETHER = 8
const ROWS_TOGETHER = 256

/**
 * Hands the results of one run to its sink. On a store that answers later, results wait until the data of the elements in
 * them is fetched.
 */
export class Delivery {
  readonly #transaction: GraphTransaction
  readonly #sideEffects: CollectedSideEffects
  /** Results are written with the properties of elements. */
  readonly #materializes: boolean
  #sink: ResultSink | null = null
  #waiting: Array<Batch> = []
  #waitingRows = 0
  /** How many of the first waiting batches have their data. */
  #readable = 0
  /** The sink has no room for more, or enough results wait to be fetched together. */
  isFull = false

  constructor(transaction: GraphTransaction, sideEffects: CollectedSideEffects, materializes: boolean) {
    this.#transaction = transaction
    this.#sideEffects = sideEffects
    this.#materializes = materializes
  }

  /** Results go to `sink` from now on, which has room. */
  begin(sink: ResultSink): void {
    this.#sink = sink
    this.isFull = false
  }

  /** Whether results wait for their data. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Takes results of the run. */
  take(batch: Batch): void {
    if (!this.#transaction.answersLater) {
      this.#hand(batch)
      return
    }
    this.#waiting.push(batch)
    this.#waitingRows += batch.length
    if (this.#waiting.length > BATCHES_TOGETHER && this.#waitingRows > ROWS_TOGETHER) this.isFull = true
  }

  /** Hands over waiting results until the sink is full. Gives what must be awaited before it is called again. */
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
