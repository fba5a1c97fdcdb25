import * as Effect from "effect/Effect"
import { descriptorLimit } from "../../config/SystemLimits.ts"

/** Files that a server has open beside its connections (libraries, graphs, logs, answers), about. */
const OTHER_OPEN_FILES = 64

/**
 * Warns when the system allows fewer connections than the setting: the system closes further ones without an answer.
 * Node.js raises the soft limit to the hard limit before this is called.
 */
export const warnOfDescriptorLimit = (maxConnections: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    const limit = descriptorLimit()
    if (limit === undefined || limit >= maxConnections + OTHER_OPEN_FILES) return Effect.void
    return Effect.logWarning(
      `maxConnections is ${maxConnections}, but the system lets this process open ${limit} files: connections beyond ` +
        "that are closed without an answer. Raise the limit (ulimit -n, LimitNOFILE) or lower maxConnections"
    )
  })
