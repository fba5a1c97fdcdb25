import { existsSync, lstatSync, mkdirSync, realpathSync } from "node:fs"
import module from "node:module"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"

/** Bits of the mode of a file. */
const [ANY_OF_OTHERS, WRITE_OF_OTHERS, STICKY] = [0o077, 0o022, 0o1000]

/** Whether nobody but this user and root can put another folder in the place of this one. */
const isKept = (folder, uid) => {
  const parent = dirname(folder)
  if (parent === folder) return true
  const stats = lstatSync(parent)
  const isTheirs = stats.uid !== uid && stats.uid !== 0
  // In a sticky folder, others cannot rename what is not theirs.
  const isOpen = (stats.mode & WRITE_OF_OTHERS) !== 0 && (stats.mode & STICKY) === 0
  return !isTheirs && !isOpen && isKept(parent, uid)
}

/**
 * Creates a folder and those above it that are missing. `mkdir` with `recursive` never returns where a file system answers ENOENT for a
 * new folder in a folder that exists, as mount points of autofs do.
 */
const makeFolder = (folder) => {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    // Another process may have created it since.
    if (cause.code !== "EEXIST") throw cause
  }
}

/**
 * A folder for compiled code that only this user can write, below the user's folder of caches. It is created if necessary. Undefined if
 * there is none: Node runs what it finds in the folder, so a user who could write there could run code in the server.
 */
export const compileCache = (environment = process.env) => {
  const uid = process.getuid?.()
  if (uid === undefined) return undefined
  const { HOME: home, NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME: given = "" } = environment
  // Node has been told what to do.
  if (NODE_COMPILE_CACHE || NODE_DISABLE_COMPILE_CACHE) return undefined
  try {
    const caches = isAbsolute(given) ? given : join(home ?? homedir(), ".cache")
    if (!isAbsolute(caches)) return undefined
    const made = join(caches, "engine-server", "compiled")
    makeFolder(made)
    const folder = realpathSync(made)
    const stats = lstatSync(folder)
    const isOwn = stats.isDirectory() && stats.uid === uid && (stats.mode & ANY_OF_OTHERS) === 0
    return isOwn && isKept(folder, uid) ? folder : undefined
  } catch {
    // There is no home, or it cannot be written.
    return undefined
  }
}

/** Lets Node 22.8 and later keep compiled code between starts, if there is a safe folder for it. */
export const keepCompiledCode = () => {
  const folder = compileCache()
  // Without a name, Node takes a folder below the one of temporary files, which every user can create first.
  if (folder !== undefined) module.enableCompileCache?.(folder)
}
