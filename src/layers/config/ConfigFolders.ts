import { existsSync } from "node:fs"
import { dirname, isAbsolute, join, resolve, sep } from "node:path"
import { nearFilesText } from "./NearFiles.ts"

/** The folders in which relative paths of a configuration are searched. */
export interface ConfigFolders {
  /** `$SERVICE_HOME`, or the working directory. New files and folders are created here. */
  readonly home: string
  /** The working directory. */
  readonly cwd: string
  /** `$SERVICE_CONF`: the folder that files in it call `conf`. */
  readonly configurations?: string | undefined
  /** `$SERVICE_LIB`: modules of the user. */
  readonly library: string | undefined
  /** The folder of the installed package, with the shipped `conf`. */
  readonly installation: string
}

/**
 * The paths where a relative path of a file is searched. The JVM servers resolve it against the working directory, which
 * their launchers set to the installation; a file that was copied with its `conf` folder resolves from there.
 */
const candidates = (folders: ConfigFolders, file: string, path: string): ReadonlyArray<string> => {
  if (isAbsolute(path)) return [path]
  const parents: Array<string> = []
  for (let folder = dirname(file); parents.length < 3 && folder !== dirname(folder); folder = dirname(folder)) {
    parents.push(folder)
  }
  const library = folders.library === undefined ? [] : [folders.library]
  const searched = [folders.cwd, folders.home, ...parents, ...library, folders.installation]
  return [...new Set([...besides(folders.configurations, file, path), ...searched.map((folder) => join(folder, path))])]
}

/** Shipped files refer to each other with `conf/...`; `conf` means `$SERVICE_CONF` there. */
const besides = (configurations: string | undefined, file: string, path: string): ReadonlyArray<string> => {
  const [first, ...rest] = path.split("/")
  const isOwn = configurations !== undefined && file.startsWith(`${configurations}${sep}`)
  return isOwn && first === "conf" ? [join(configurations, ...rest)] : []
}

/** The absolute path of an existing file of a configuration, or a message that lists the searched paths. */
export const locate = (
  folders: ConfigFolders,
  file: string,
  path: string
): { readonly found: string } | { readonly reason: string } => {
  const all = candidates(folders, file, path)
  const found = all.find((candidate) => existsSync(candidate))
  if (found !== undefined) return { found: resolve(found) }
  const near = nearFilesText(path, [dirname(file), ...all.map((candidate) => dirname(candidate)), folders.home])
  return { reason: `there is no file ${path}; looked for ${all.join(", ")}${near}` }
}

/** The absolute path of a file or folder that may not exist yet. */
export const inHome = (folders: ConfigFolders, path: string): string => resolve(folders.home, path)
