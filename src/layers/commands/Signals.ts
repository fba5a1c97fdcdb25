import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { printError } from "./StandardOutput.ts"
import { afterStop } from "./StoppedImport.ts"

const signals = ["SIGTERM", "SIGINT"] as const

/** The first process of a container. The kernel does not deliver signals with the default disposition to it. */
const INIT_PID = 1

/** The exit status of a process that a signal ends, as a shell reports it. */
const statusOf = (signal: NodeJS.Signals): number => (signal === "SIGTERM" ? 143 : 130)

/** A signal stopped a command before its end. It is a defect of the command's effect, because an interruption keeps no failures. */
export class CommandStopped extends Data.TaggedError("CommandStopped")<{ readonly status: number }> {}

/**
 * Runs a command that ends by itself. If a signal stops it, the command has failed: standard error says so when its work has
 * ended, and the effect ends with {@link CommandStopped}.
 *
 * @param print prints the result
 * @param work the command. It is given a function for its result, which is printed at the end. If a signal comes after the call,
 * the command is complete, and its effect is only interrupted.
 */
export const reportingStop = <A, E, R>(
  command: string,
  print: (text: string) => void,
  work: (completed: (text: string) => void) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let received: NodeJS.Signals = "SIGINT"
    let result: string | undefined
    const onSignal = (signal: NodeJS.Signals): void => {
      received = signal
      stopListening()
    }
    // A second signal finds no listener, and ends the process at once.
    const stopListening = (): void => {
      for (const name of signals) process.off(name, onSignal)
    }
    const ended = (exit: Exit.Exit<A, E>): Effect.Effect<void> => {
      const isInterrupted = Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
      if (result !== undefined)
        return Exit.isSuccess(exit) || isInterrupted ? Effect.sync(() => print(result!)) : Effect.void
      if (!isInterrupted) return Effect.void
      return Effect.zipRight(
        printError(`The command ${command} was stopped by ${received} before its end.${afterStop(command)}`),
        Effect.die(new CommandStopped({ status: statusOf(received) }))
      )
    }
    for (const name of signals) process.on(name, onSignal)
    return work((text) => {
      result = text
    }).pipe(Effect.onExit(ended), Effect.ensuring(Effect.sync(stopListening)))
  })

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
    const cut = (signal: NodeJS.Signals): void => process.exit(statusOf(signal))
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
