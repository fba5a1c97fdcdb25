import * as Effect from "effect/Effect"
import type { DynamicGraphs } from "../../services/DynamicGraphs.ts"
import type { GraphSettings } from "../../services/GraphSettings.ts"
import { reasonOf } from "../../structure/errors/Reason.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { isGraphsRequest, manageGraphs } from "./GraphsTool.ts"
import { type ProgressState, type ToolContext, ToolFailure } from "./Report.ts"
import { chosenGraph, decodeRequest, perform, type ToolGraph, type ToolRequest } from "./ToolRequests.ts"

/** Time between two lines of progress. */
const PROGRESS_INTERVAL_MS = 200

/** A line of the answer to a command: progress, or the final result or failure. */
export type ToolLine = { readonly progress: ProgressState } | { readonly result: string } | { readonly failure: string }

/**
 * Runs work on a graph. Interruption aborts the signal and waits for the end of the work, which then leaves no files behind.
 *
 * @param other the effect of an error that is no ToolFailure
 * @param completed called with the result, also after an interruption: work that is almost complete does not notice the signal
 */
export const waitingForEnd = (
  work: (signal: AbortSignal) => Promise<string>,
  other: (error: unknown) => Effect.Effect<never, ToolFailure>,
  completed: (text: string) => void = () => undefined
): Effect.Effect<string, ToolFailure> =>
  Effect.async((resume, signal) => {
    const done = work(signal).then(
      (text) => {
        completed(text)
        resume(Effect.succeed(text))
      },
      (error) => resume(error instanceof ToolFailure ? Effect.fail(error) : other(error))
    )
    return Effect.promise(() => done)
  })

/** Runs a command. Interruption stops it and waits for its end. `completed`: see {@link waitingForEnd}. */
export const performing = (
  request: ToolRequest,
  on: ToolGraph,
  context: Omit<ToolContext, "signal">,
  completed?: (text: string) => void
): Effect.Effect<string, ToolFailure> =>
  waitingForEnd((signal) => perform(request, on, { ...context, signal }), Effect.die, completed)

/** Opens the graph of a command if it is closed because no request used it. */
const opened = (name: string | undefined, dynamic: DynamicGraphs | undefined): Effect.Effect<void, ToolFailure> => {
  const closed = name === undefined ? undefined : dynamic?.closedGraphOf(name)
  if (closed === undefined || closed !== name) return Effect.void
  return Effect.asVoid(
    Effect.tryPromise({
      try: async () => dynamic?.open(closed),
      catch: (error) => new ToolFailure(reasonOf(error))
    })
  )
}

/** What the commands of the control socket use. */
interface ToolParts {
  readonly graphs: ReadonlyMap<string, GraphStore>
  readonly settings: ReadonlyMap<string, GraphSettings>
  readonly dynamic: DynamicGraphs | undefined
  readonly imports: ToolContext["imports"]
}

/** Answers the commands of the control socket. */
export const toolAnswer =
  ({ dynamic, graphs, imports, settings }: ToolParts) =>
  (text: string, send: (line: string) => void): Effect.Effect<string> => {
    const line = (content: ToolLine): string => `${JSON.stringify(content)}\n`
    let shown = 0
    let stage = ""
    const report = (state: ProgressState): void => {
      const now = performance.now()
      if (state.stage === stage && now - shown < PROGRESS_INTERVAL_MS && state.done !== state.total) return
      shown = now
      stage = state.stage
      send(line({ progress: state }))
    }
    return Effect.gen(function* () {
      const asked = yield* Effect.try({
        try: (): unknown => JSON.parse(text),
        catch: () => new ToolFailure("The request cannot be read.")
      })
      if (isGraphsRequest(asked)) {
        const managed = yield* Effect.tryPromise({
          try: () => manageGraphs(asked, dynamic),
          catch: (error) => (error instanceof ToolFailure ? error : new ToolFailure(String(error)))
        })
        return line({ result: managed })
      }
      const request = yield* decodeRequest(text)
      yield* opened(request.graph, dynamic)
      const name = yield* Effect.try({
        try: () => chosenGraph(request.graph, [...graphs.keys()]),
        catch: (error) => error as ToolFailure
      })
      yield* Effect.logInfo(`The command '${request.tool}' works on the graph '${name}'`)
      const on = { store: graphs.get(name)!, settings: (settings.get(name) ?? dynamic?.settingsOf(name))! }
      const watch = on.store.watch
      watch?.began()
      const work = performing(request, on, { report, shared: true, imports })
      return line({
        result: yield* Effect.ensuring(
          work,
          Effect.sync(() => watch?.ended())
        )
      })
    }).pipe(
      Effect.catchAll((error) => Effect.succeed(line({ failure: error.message }))),
      Effect.catchAllCause((cause) =>
        Effect.as(
          Effect.logError("A command failed", cause),
          line({ failure: "The command failed; the log of the server says why." })
        )
      )
    )
  }
