import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RunQueue, type Sliced } from "../../services/RunQueue.ts"
import { Ring } from "../../structure/containers/Ring.ts"

/** Length of a first slice, and the share of one turn of the event loop that first slices may take. */
const FIRST_SLICE_MS = 5
/** Length of each later slice. */
const LATER_SLICE_MS = 2

/**
 * The run queue of one event loop. Node.js runs all immediates that are due in one phase, before it reads sockets again.
 * Therefore the whole queue has one immediate, and not one for each run.
 */
class TurnQueue {
  /** Work that waits for its first slice, because its turn had no time left. */
  readonly #fresh = new Ring<Sliced>()
  /** Work that waits for a later slice. */
  readonly #queue = new Ring<Sliced>()
  /** Time spent on first slices in this turn, ms. */
  #spent = 0
  /** When the outermost first slice that is running began, `performance.now()` ms; 0 when none runs. */
  #began = 0
  #isScheduled = false
  /** Callbacks for the end of this turn. */
  #atEnd: Array<() => void> = []

  readonly start = (work: Sliced): void => {
    if (this.#fresh.length === 0 && this.hasTime()) this.#first(work)
    else {
      this.#fresh.push(work)
      this.#schedule()
    }
  }

  readonly resume = (work: Sliced): void => {
    this.#queue.push(work)
    this.#schedule()
  }

  readonly hasTime = (): boolean =>
    this.#spent + (this.#began === 0 ? 0 : performance.now() - this.#began) < FIRST_SLICE_MS

  /** Bytes for many clients that are written together cost less: the first write wakes a client, which then reads all. */
  readonly atTurnEnd = (callback: () => void): void => {
    if (this.#atEnd.push(callback) === 1) setImmediate(this.#endTurn)
  }

  readonly length = (): number => this.#fresh.length + this.#queue.length

  readonly #endTurn = (): void => {
    if (this.#atEnd.length === 0) return
    const due = this.#atEnd
    this.#atEnd = []
    for (const callback of due) callback()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isScheduled = false
    this.#endTurn()
    this.#spent = 0
    while (this.#fresh.length > 0 && this.#spent < FIRST_SLICE_MS) this.#first(this.#fresh.shift()!)
    this.#serve(performance.now() + LATER_SLICE_MS)
    if (this.#fresh.length > 0 || this.#queue.length > 0) this.#schedule()
  }

  /** Gives a first slice. Work may start other work inside its own slice, whose time is then counted once. */
  #first(work: Sliced): void {
    const outer = this.#began
    const begin = performance.now()
    this.#began = outer === 0 ? begin : outer
    if (work.slice(begin + FIRST_SLICE_MS)) this.#queue.push(work)
    this.#began = outer
    if (outer === 0) this.#spent += performance.now() - begin
    this.#schedule()
  }

  /** Serves one later slice, nearly always of one run; runs that have little left to do share it. */
  #serve(until: number): void {
    for (let left = this.#queue.length; left > 0; left--) {
      const work = this.#queue.shift()!
      if (work.slice(until)) this.#queue.push(work)
      if (performance.now() >= until) return
    }
  }
}

/** A run queue. A server has one; tests make more. */
export const makeRunQueue = (): typeof RunQueue.Service => new TurnQueue()

/** The run queue of the whole server. */
export const layer: Layer.Layer<RunQueue> = Layer.effect(RunQueue, Effect.sync(makeRunQueue))
