import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { type ControlUnreachable, converse } from "./ControlClient.ts"

/** No worker was replaced, or not all. */
class ReloadFailed extends Data.TaggedError("ReloadFailed")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

const FAILURE = "error: "

/**
 * Replaces the workers of a running server, and returns its answer. There is no timeout: a new worker opens the graphs before
 * it serves.
 */
export const reload = (path: string): Effect.Effect<string, ControlUnreachable | ReloadFailed> => {
  const lines: Array<string> = []
  return Effect.flatMap(
    converse(path, "reload", (line) => lines.push(line)),
    () => {
      const text = lines.join("\n")
      if (text === "") {
        const reason =
          "The server closed the connection without an answer. Its log says which workers were replaced; status lists them."
        return new ReloadFailed({ reason })
      }
      return text.startsWith(FAILURE)
        ? new ReloadFailed({ reason: text.slice(FAILURE.length) })
        : Effect.succeed(`${text}\n`)
    }
  )
}
