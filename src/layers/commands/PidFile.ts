import { readFileSync, rmSync, writeFileSync } from "node:fs"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** The PID file cannot be written. */
class PidFileUnusable extends Data.TaggedError("PidFileUnusable")<{
  readonly file: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `The PID file ${this.file} cannot be written: ${this.cause instanceof Error ? this.cause.message : this.cause}`
  }
}

/** Removes a file with the number of this process: the launcher may have written it before the process became the server. */
export const removeOwn = (file: string): void => {
  try {
    if (readFileSync(file, "utf8").trim() === String(process.pid)) rmSync(file)
  } catch {
    // It has been removed already, by the launcher.
  }
}

/** Holds this process's id while the scope is open. The file of a process that was killed stays, and is stale. */
export const hold = (file: string): Effect.Effect<void, PidFileUnusable, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          writeFileSync(file, `${process.pid}\n`)
          // process.exit() does not wait for scopes to close.
          const remove = () => removeOwn(file)
          process.on("exit", remove)
          return remove
        },
        catch: (cause) => new PidFileUnusable({ file, cause })
      }),
      (remove) =>
        Effect.sync(() => {
          process.off("exit", remove)
          remove()
        })
    )
  )
