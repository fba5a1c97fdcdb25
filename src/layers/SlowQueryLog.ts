import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type { Evaluation } from "../services/Evaluator.ts"
import { RequestLog } from "../services/RequestLog.ts"

const millis = (time: number): number => Math.round(time * 10) / 10

/** Lines of one kind in a second: one client that gives up may end thousands of its requests at once. */
const MOST_LINES = 20

/** How many lines may be written, and how many were not. */
class Quota {
  #second = 0
  #written = 0
  #left = 0

  /** The number of lines left out before this one; undefined when this one is to be left out. */
  take(): number | undefined {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#written = 0
    }
    if (this.#written >= MOST_LINES) {
      this.#left++
      return undefined
    }
    this.#written++
    const left = this.#left
    this.#left = 0
    return left
  }
}

/** Slow requests, defects and the audit as lines of the server's own log. Bindings are never written. */
export const layer: Layer.Layer<RequestLog> = Layer.effect(
  RequestLog,
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const run = Runtime.runFork(runtime)
    const slow = new Quota()
    const defects = new Quota()
    const audit = (what: string, evaluation: Evaluation, address: string): void => {
      const { request, user } = evaluation.describe()
      run(Effect.annotateLogs(Effect.logInfo(what), { user, address, requestId: evaluation.requestId, request }))
    }
    return {
      slow: (evaluation, status) => {
        const unwritten = slow.take()
        if (unwritten === undefined) return
        const { client, evaluate, prepare, queued, storage, total } = evaluation.times()
        const { request, user } = evaluation.describe()
        run(
          Effect.annotateLogs(Effect.logWarning("Slow request"), {
            requestId: evaluation.requestId,
            ...(user === "" ? {} : { user }),
            status,
            rows: evaluation.rows,
            total: millis(total),
            queued: millis(queued),
            prepare: millis(prepare),
            evaluate: millis(evaluate),
            storage: millis(storage),
            client: millis(client),
            ...(unwritten === 0 ? {} : { unwritten }),
            request
          })
        )
      },
      audit: (evaluation, remoteAddress) => {
        audit("Audit", evaluation, remoteAddress)
      },
      refused: (evaluation, remoteAddress) => {
        audit("Audit: not allowed", evaluation, remoteAddress)
      },
      defect: (what, error) => {
        const unwritten = defects.take()
        if (unwritten === undefined) return
        const more = unwritten === 0 ? "" : `; ${unwritten} more of these were not written`
        run(Effect.logError(`${what}; this is a defect of the server${more}`, Cause.die(error)))
      }
    }
  })
)
