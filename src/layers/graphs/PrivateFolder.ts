import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { GraphSettings } from "../../services/GraphSettings.ts"
import { makeFolders } from "../../storage/shared/Folders.ts"

/** Creates the folder of a graph with secrets so that only the server can read it. An existing folder keeps its permissions. */
export const makePrivate = ({ factory }: GraphSettings): Effect.Effect<void> =>
  Effect.sync(() => {
    if (factory.kind !== "JanusGraphFactory") return
    const { directory, mustExist = false, readOnly } = factory.storage
    if (directory === undefined || readOnly || mustExist) return
    try {
      makeFolders(dirname(directory))
      mkdirSync(directory, { mode: 0o700 })
    } catch {
      // The folder exists, or cannot be created. Opening the graph reports the reason.
    }
  })
