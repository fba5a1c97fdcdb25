import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"

/**
 * Writes an exception that nothing handles to the log, while the scope is open. The process ends with it as Node ends it: what
 * the server keeps in memory may be wrong by then.
 */
export const logged: Effect.Effect<void, never, Scope.Scope> = Effect.gen(function* () {
  const runtime = yield* Effect.runtime<never>()
  const onException = (error: unknown) => {
    Runtime.runSync(runtime)(
      Effect.logFatal("The process ends of an error; this is a defect of the server", Cause.die(error))
    )
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("uncaughtExceptionMonitor", onException)),
    () => Effect.sync(() => process.off("uncaughtExceptionMonitor", onException))
  )
})
