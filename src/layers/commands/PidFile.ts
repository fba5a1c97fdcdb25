import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
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

/**
 * Removes the file if it contains the PID of this process. The launcher may have written it before this process took over.
 */
export const removeOwn = (file: string): void => {
  try {
    if (readFileSync(file, "utf8").trim() === String(process.pid)) rmSync(file)
  } catch {
    // The launcher has removed it.
  }
}

/** Throws for a file that holds something else than a process id: it may be a file of the user, named by mistake. */
const refuseOther = (file: string): void => {
  if (!existsSync(file) || /^\d*$/.test(readFileSync(file, "utf8").trim())) return
  throw new Error("it exists and holds something else than a process id; remove it, or name another file")
}

/** Writes the PID of this process, and removes the file when the scope closes. The file of a killed process remains. */
export const hold = (file: string): Effect.Effect<void, PidFileUnusable, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          refuseOther(file)
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
