import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

/**
 * Creates a folder, and those above it that are missing. Throws the error of the operating system.
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
      mkdirSync(name)
    } catch (cause) {
      // Another process may have created it since.
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    }
  }
  if (!statSync(folder).isDirectory()) mkdirSync(folder)
}
