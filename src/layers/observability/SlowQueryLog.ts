import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { auditLine } from "../../services/AuditLine.ts"
import { isDefect } from "../../services/Errors.ts"
import type { Evaluation } from "../../services/Evaluator.ts"
import { RequestLog } from "../../services/RequestLog.ts"
import { FailureQuotas, LineQuota } from "./LineQuota.ts"

const millis = (time: number): number => Math.round(time * 10) / 10

/** Writes slow requests, internal errors and the audit to the log. Bindings are never written. */
export const layer: Layer.Layer<RequestLog> = Layer.effect(
  RequestLog,
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const run = Runtime.runFork(runtime)
    const slow = new LineQuota()
    const prints = new LineQuota()
    const failures = new FailureQuotas((kind, left) => {
      run(Effect.logError(`${left} more failures of one kind were not written: ${kind}`))
    })
    const audit = (what: string, evaluation: Evaluation, address: string): void => {
      const { request, user } = evaluation.describe()
      run(auditLine(what, { user, address, requestId: evaluation.requestId, request }))
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
      printed: (requestId, user, text) => {
        const unwritten = prints.take()
        if (unwritten === undefined) return
        const notes = { requestId, ...(user === "" ? {} : { user }), ...(unwritten === 0 ? {} : { unwritten }), text }
        run(Effect.annotateLogs(Effect.logInfo("A script printed"), notes))
      },
      failed: (what, error) => {
        if (!failures.take(error)) return
        const defect = isDefect(error) ? "; this is a defect of the server" : ""
        run(Effect.logError(`${what}${defect}`, Cause.die(error)))
      }
    }
  })
)
