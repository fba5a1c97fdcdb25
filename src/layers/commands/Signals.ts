import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"

const signals = ["SIGTERM", "SIGINT"] as const

/**
 * The first SIGTERM or SIGINT interrupts the main fiber (runMain does that), which drains: this only says so. A second
 * one ends the process at once.
 *
 * @param grace milliseconds that in-flight requests have
 */
export const cutOnSecond = (grace: number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    let received = 0
    const onSignal = (signal: NodeJS.Signals) => {
      received += 1
      const text =
        received === 1
          ? `${signal}: no new requests; those that run have ${grace} ms. A second signal ends them at once`
          : `${signal} again: ending at once`
      Runtime.runSync(runtime)(Effect.logInfo(text))
      if (received > 1) process.exit(signal === "SIGTERM" ? 143 : 130)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        for (const signal of signals) process.on(signal, onSignal)
      }),
      () =>
        Effect.sync(() => {
          for (const signal of signals) process.off(signal, onSignal)
        })
    )
  })
