import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stateOf } from "../shared/ProcessIdentity.ts"
import { holderIn, LOCK, read } from "./LockFile.ts"

const PREFIX = "engine-server-memory-"

/**
 * Makes a folder for the files of a graph in memory. Removes those of processes that were killed. Throws an error of the file system.
 * `parent`: default the folder of temporary files.
 */
export const newTemporaryFolder = (parent = tmpdir()): string => {
  for (const name of namesIn(parent)) {
    const folder = join(parent, name)
    if (name.startsWith(PREFIX) && isLeft(folder)) remove(folder)
  }
  return mkdtempSync(join(parent, PREFIX))
}

const namesIn = (parent: string): ReadonlyArray<string> => {
  try {
    return readdirSync(parent)
  } catch {
    // This user may write the folder, but must not list it.
    return []
  }
}

/** Whether a folder belongs to a process that has ended. Only that of this user: another one could put a link in its place. */
const isLeft = (folder: string): boolean => {
  try {
    const stats = lstatSync(folder)
    if (!stats.isDirectory() || stats.uid !== (process.getuid?.() ?? stats.uid)) return false
    const holder = holderIn(read(join(folder, LOCK)) ?? "")
    return holder !== undefined && stateOf(holder) === "ended"
  } catch {
    // Its process, or another one that starts, has just removed it.
    return false
  }
}

const remove = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The next start tries it again.
  }
}
