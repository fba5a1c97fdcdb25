import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { syncFolder } from "./Synced.ts"

/** The mode of a new file with data of a graph: other users must not read what the server asks them a password for. */
export const DATA_FILE_MODE = 0o640
/** The mode of a new folder for such files. */
const DATA_FOLDER_MODE = 0o750

/**
 * Creates a folder for data of graphs, and those above it that are missing, without access for users outside of the group. Throws the
 * error of the operating system.
 *
 * `mkdir` of Node.js with `recursive` never returns where a file system answers ENOENT for a new folder in a folder that exists. `/proc`
 * and mount points of autofs do so.
 */
export const makeFolders = (path: string): void => {
  const folder = resolve(path)
  const missing: Array<string> = []
  // A drive of Windows that does not exist is its own parent.
  for (let at = folder; !existsSync(at) && at !== missing.at(-1); at = dirname(at)) missing.push(at)
  for (const name of missing.reverse()) {
    try {
      mkdirSync(name, { mode: DATA_FOLDER_MODE })
      syncFolder(dirname(name))
    } catch (cause) {
      // Another process may have created it since.
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    }
  }
  if (!statSync(folder).isDirectory()) mkdirSync(folder)
}
