import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"

/**
 * Logs uncaught exceptions while the scope is open. Node.js then ends the process, because the state of the server may be
 * wrong.
 */
export const logged: Effect.Effect<void, never, Scope.Scope> = Effect.gen(function* () {
  const runtime = yield* Effect.runtime<never>()
  const onException = (error: unknown) => {
    Runtime.runSync(runtime)(
      Effect.logFatal(
        "The process ends because of an unexpected error. This is a defect of the server",
        Cause.die(error)
      )
    )
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("uncaughtExceptionMonitor", onException)),
    () => Effect.sync(() => process.off("uncaughtExceptionMonitor", onException))
  )
})
