import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"

const signals = ["SIGTERM", "SIGINT"] as const

/** The first process of a container. The kernel does not deliver signals with the default disposition to it. */
const INIT_PID = 1

/**
 * Logs the first SIGTERM or SIGINT. On this signal runMain interrupts the main fiber, which starts the shutdown. The first signal
 * also removes the listeners, so that the default disposition applies to the second signal. It ends the process even inside a native
 * call that does not return to the event loop. Only PID 1 keeps a listener, which calls process.exit().
 *
 * @param graceMs time that requests in flight have, ms
 */
export const cutOnSecond = (graceMs: number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const cut = (signal: NodeJS.Signals): void => process.exit(signal === "SIGTERM" ? 143 : 130)
    const onSignal = (signal: NodeJS.Signals): void => {
      for (const name of signals) {
        if (process.pid === INIT_PID) process.on(name, cut)
        process.off(name, onSignal)
      }
      // Logged last: a second signal after this line ends the process.
      const text = `${signal}: no new requests are accepted, and running ones have ${graceMs} ms. A second signal ends the process at once`
      Runtime.runSync(runtime)(Effect.logInfo(text))
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
