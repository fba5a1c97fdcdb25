import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"

const signals = ["SIGTERM", "SIGINT"] as const

/** The kernel ignores signals to this process that have the default disposition: it is the first one of its container. */
const INIT = 1

/**
 * Logs the first SIGTERM or SIGINT, which interrupts the main fiber (runMain does that) and starts the drain. No listener
 * remains after it, and the default disposition is in force: the system ends the process at the second signal, even
 * inside a native call that never returns to the event loop. Only process 1 keeps a listener, which ends the process.
 *
 * @param grace time that requests in flight have, in milliseconds
 */
export const cutOnSecond = (grace: number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const cut = (signal: NodeJS.Signals): void => process.exit(signal === "SIGTERM" ? 143 : 130)
    const onSignal = (signal: NodeJS.Signals): void => {
      const text = `${signal}: no new requests; those that run have ${grace} ms. A second signal ends the process at once`
      Runtime.runSync(runtime)(Effect.logInfo(text))
      for (const name of signals) {
        if (process.pid === INIT) process.on(name, cut)
        process.off(name, onSignal)
      }
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
