import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"

/** Files that a server has open beside its connections: libraries, graphs, logs, temporary answers. About. */
const OWN_FILES = 64

/** How many files the system lets this process have open; undefined where it does not say (other systems than Linux). */
const descriptorLimit = (): number | undefined => {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))
    return found === null ? undefined : Number(found[1])
  } catch {
    return undefined
  }
}

/**
 * Warns where the system allows fewer connections than the setting: those beyond are closed by it before anybody can
 * answer them. Node has raised the limit as far as it may (from the soft to the hard one) before this looks.
 */
export const warnOfDescriptorLimit = (maxConnections: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    const limit = descriptorLimit()
    if (limit === undefined || limit >= maxConnections + OWN_FILES) return Effect.void
    return Effect.logWarning(
      `maxConnections is ${maxConnections}, but the system lets this process open ${limit} files: connections beyond ` +
        "that are closed without an answer. Raise the limit (ulimit -n, LimitNOFILE) or lower maxConnections"
    )
  })
