import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RunQueue, type Sliced } from "../../services/RunQueue.ts"
import { Ring } from "../../structure/Ring.ts"

/** Length of a first slice, and what first slices may take of one turn of the event loop, ms. */
const FIRST_SLICE = 5
/** Length of each later slice, ms. */
const SLICE = 2

/**
 * The queue itself. Node runs all immediates that are due in one phase, before it looks at sockets again: therefore
 * there is one immediate for the whole queue and not one for each run.
 */
export const makeRunQueue = (): typeof RunQueue.Service => {
  /** Waiting for their first slice, because the turn in which they came had spent its share. */
  const fresh = new Ring<Sliced>()
  /** Waiting for a later slice. */
  const queue = new Ring<Sliced>()
  /** Time spent on first slices in this turn. */
  let spent = 0
  /** When the first slice began that is running, ms; 0 = none is. What it read may start at its end. */
  let began = 0
  let scheduled = false
  /** Callbacks for the end of this turn. */
  let atEnd: Array<() => void> = []

  const endTurn = (): void => {
    if (atEnd.length === 0) return
    const due = atEnd
    atEnd = []
    for (const callback of due) callback()
  }

  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    setImmediate(turn)
  }

  const first = (work: Sliced): void => {
    const outer = began
    const begin = performance.now()
    began = outer === 0 ? begin : outer
    if (work.slice(begin + FIRST_SLICE)) queue.push(work)
    began = outer
    // The time of one inside of another is the other's.
    if (outer === 0) spent += performance.now() - begin
    schedule()
  }

  const hasTime = (): boolean => spent + (began === 0 ? 0 : performance.now() - began) < FIRST_SLICE

  const turn = (): void => {
    scheduled = false
    endTurn()
    spent = 0
    while (fresh.length > 0 && spent < FIRST_SLICE) first(fresh.shift()!)
    serve(performance.now() + SLICE)
    if (fresh.length > 0 || queue.length > 0) schedule()
  }

  /** One slice of time: nearly always of one run; runs that have little left to do share it. */
  const serve = (until: number): void => {
    for (let left = queue.length; left > 0; left--) {
      const work = queue.shift()!
      if (work.slice(until)) queue.push(work)
      if (performance.now() >= until) return
    }
  }

  return {
    start: (work) => {
      if (fresh.length === 0 && hasTime()) first(work)
      else {
        fresh.push(work)
        schedule()
      }
    },
    resume: (work) => {
      queue.push(work)
      schedule()
    },
    hasTime,
    // Bytes for many clients that are written together cost less: the first one wakes a client that is still awake for the others.
    atTurnEnd: (callback) => {
      if (atEnd.push(callback) === 1) setImmediate(endTurn)
    },
    length: () => fresh.length + queue.length
  }
}

/** One queue for the whole server. */
export const layer: Layer.Layer<RunQueue> = Layer.effect(RunQueue, Effect.sync(makeRunQueue))
