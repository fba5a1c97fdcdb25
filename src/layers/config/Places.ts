import { existsSync } from "node:fs"
import { dirname, isAbsolute, join, resolve, sep } from "node:path"
import { nearFilesText } from "./NearFiles.ts"

/** Folders that relative paths of a configuration are looked up in. */
export interface Places {
  /** `$SERVICE_HOME`, or the working directory. New files and folders are made here. */
  readonly home: string
  /** The working directory. */
  readonly cwd: string
  /** `$SERVICE_CONF`: what files in it call `conf`, whatever its name is. */
  readonly configurations?: string | undefined
  /** `$SERVICE_LIB`: the user's own modules. */
  readonly library: string | undefined
  /** Folder of the installed package, with the shipped `conf`. */
  readonly installation: string
}

/**
 * Where a relative path of a file may lead: the JVM servers resolve against the working directory, which their launchers
 * make the installation's folder; a file that was copied with its `conf` folder resolves from there.
 */
const candidates = (places: Places, file: string, path: string): ReadonlyArray<string> => {
  if (isAbsolute(path)) return [path]
  const parents: Array<string> = []
  for (let folder = dirname(file); parents.length < 3 && folder !== dirname(folder); folder = dirname(folder)) {
    parents.push(folder)
  }
  const library = places.library === undefined ? [] : [places.library]
  const folders = [places.cwd, places.home, ...parents, ...library, places.installation]
  return [...new Set([...besides(places.configurations, file, path), ...folders.map((folder) => join(folder, path))])]
}

/** The shipped files name each other from the folder above their own, which is `conf` unless `$SERVICE_CONF` is another. */
const besides = (configurations: string | undefined, file: string, path: string): ReadonlyArray<string> => {
  const [first, ...rest] = path.split("/")
  const isOwn = configurations !== undefined && file.startsWith(`${configurations}${sep}`)
  return isOwn && first === "conf" ? [join(configurations, ...rest)] : []
}

/** The absolute path of an existing file that a configuration file names, or a message that says where it was looked for. */
export const locate = (
  places: Places,
  file: string,
  path: string
): { readonly found: string } | { readonly reason: string } => {
  const all = candidates(places, file, path)
  const found = all.find((candidate) => existsSync(candidate))
  if (found !== undefined) return { found: resolve(found) }
  const near = nearFilesText(path, [dirname(file), ...all.map((candidate) => dirname(candidate)), places.home])
  return { reason: `there is no file ${path}; looked for ${all.join(", ")}${near}` }
}

/** The absolute path of a file or folder that need not exist yet. */
export const place = (places: Places, path: string): string => resolve(places.home, path)
