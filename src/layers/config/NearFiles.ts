import { readdirSync, statSync } from "node:fs"
import { basename, dirname, isAbsolute, join, parse, sep } from "node:path"
import { closest } from "../../structure/characters/Spelling.ts"

/** Names of the folders or files in a folder; none when it cannot be read. */
const names = (folder: string, kind: "folders" | "files"): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).filter((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false })
      return kind === "folders" ? found?.isDirectory() : found?.isFile()
    })
  } catch {
    return []
  }
}

/** The file below a folder whose relative path is similar to these words. */
const nearIn = (folder: string, words: ReadonlyArray<string>): string | undefined => {
  let place = folder
  for (const [at, word] of words.entries()) {
    if (word === "" || word === ".") continue
    if (word === "..") {
      place = dirname(place)
      continue
    }
    const known = names(place, at === words.length - 1 ? "files" : "folders")
    const name = known.includes(word) ? word : closest(word, known)
    if (name === undefined) return undefined
    place = join(place, name)
  }
  return place
}

/** Number of suggested files. */
const MAX_SUGGESTIONS = 3

/**
 * Existing files that the user may have meant by a missing path: files with a similar path, and files with a similar name in the
 * folders. A relative path is searched below each folder.
 */
const nearFiles = (path: string, folders: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { root } = parse(path)
  const words = path.slice(root.length).split(sep)
  const found = (isAbsolute(path) ? [root] : folders).map((folder) => nearIn(folder, words))
  const elsewhere = folders.map((folder) => nearIn(folder, [basename(path)]))
  const all = [...found, ...elsewhere].filter((file) => file !== undefined && file !== path)
  return [...new Set(all as ReadonlyArray<string>)].slice(0, MAX_SUGGESTIONS)
}

/** The end of an error message that suggests similar files; empty when there are none. */
export const nearFilesText = (path: string, folders: ReadonlyArray<string>): string => {
  const near = nearFiles(path, folders)
  return near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`
}
