import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { isLeftMarker, OPENING } from "./OpeningMarker.ts"
import { REPLACING } from "./Replacement.ts"

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
/** The names of files that processes write before they give them their own names. */
const UNFINISHED = new RegExp(
  `^(?:(?:graph\\.opening|graph\\.mdb-lock|server\\.lock(?:\\.replacing)?|server\\.work\\..+)\\.${UUID}|server\\.process\\.${UUID}\\.new)$`
)
/** A process needs far less time for such a file, in milliseconds. */
const PATIENCE_MS = 60_000

/** Whether a file was written more than a minute ago. */
export const isAbandoned = (path: string): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > PATIENCE_MS
}

/**
 * Removes the files of processes that were killed while they made them. Nothing waits for such a file. A process that was only stopped
 * meanwhile makes another one, or fails to open the graph. Only for the process that opens the files.
 */
export const removeUnfinished = (directory: string): void => {
  const isLeft = (path: string): boolean =>
    [OPENING, REPLACING].some((marker) => isLeftMarker(join(directory, marker), path))
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    if ((UNFINISHED.test(name) || isLeft(path)) && isAbandoned(path)) rmSync(path, { force: true })
  }
}
