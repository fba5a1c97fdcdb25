import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"

const signals = ["SIGTERM", "SIGINT"] as const

/** PID 1, the first process of a container: the kernel ignores signals to it that have the default disposition. */
const INIT_PID = 1

/**
 * Logs the first SIGTERM or SIGINT; runMain interrupts the main fiber on it, which starts the shutdown. Then the listeners
 * are removed, so that the default disposition applies and the second signal ends the process, even inside a native call
 * that does not return to the event loop. Only PID 1 keeps a listener, which exits.
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
      const text = `${signal}: no new requests; those that run have ${graceMs} ms. A second signal ends the process at once`
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
