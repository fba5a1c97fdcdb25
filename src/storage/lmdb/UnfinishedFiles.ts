import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
/** The names of files that processes write before they give them their own names, and of locks that they put aside. */
const UNFINISHED = new RegExp(
  `^(?:(?:graph\\.opening|graph\\.mdb-lock|server\\.lock|server\\.work\\..+)\\.${UUID}|server\\.process\\.${UUID}\\.new)$`
)
/** A process needs far less time for such a file, in milliseconds. */
const PATIENCE_MS = 60_000

/** Whether a file was written more than a minute ago. A lock that a process puts aside and then gives back is renewed more often. */
export const isAbandoned = (path: string): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > PATIENCE_MS
}

/**
 * Removes the files of processes that were killed while they made them. `isLeft` is whether a further file is one of them. Nothing
 * waits for such a file. A process that was only stopped meanwhile makes another one, or fails to open the graph.
 */
export const removeUnfinished = (directory: string, isLeft: (name: string) => boolean): void => {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    if ((UNFINISHED.test(name) || isLeft(name)) && isAbandoned(path)) rmSync(path, { force: true })
  }
}
