import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ProcessIdentity, stateOf } from "../shared/ProcessIdentity.ts"

/** The files of the processes of a server begin with this text. A random part follows. */
const PREFIX = "server.process."

/** A process of a server of several processes, which has a folder open. */
export interface ServerProcess extends ProcessIdentity {
  /** The name of the server. */
  readonly server: string
  /** The process that started it and that stops it; undefined for a server of one process. */
  readonly parent?: ProcessIdentity
}

/**
 * Notes a process of a server of several processes in a folder. The lock of the folder names the process that created
 * it. That process may end while others go on, so each has a file of its own. Returns a function that removes the file.
 * Throws an error of the file system.
 */
export const noteProcess = (directory: string, process: ServerProcess): (() => void) => {
  const path = join(directory, `${PREFIX}${randomUUID()}`)
  const beside = `${path}.new`
  try {
    writeFileSync(beside, `${JSON.stringify(process)}\n`, { flag: "wx" })
    // No reader sees a part of the file.
    renameSync(beside, path)
  } catch (cause) {
    rmSync(beside, { force: true })
    throw cause
  }
  return () => rmSync(path, { force: true })
}

const processIn = (path: string): ServerProcess | undefined => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
}

/** True when a process has certainly ended. A process of another container or machine cannot be seen from here. */
export const hasEnded = (process: ServerProcess, own: ProcessIdentity): boolean => stateOf(process, own) === "ended"

/**
 * The processes of a server that have a folder open: those that run, and those that cannot be seen from here. Removes the files of
 * processes that have ended.
 */
export const processesOf = (
  directory: string,
  server: string,
  own: ProcessIdentity
): ReadonlyArray<ServerProcess & { readonly state: "running" | "unknown" }> => {
  const found: Array<ServerProcess & { readonly state: "running" | "unknown" }> = []
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(PREFIX) || name.endsWith(".new")) continue
    const path = join(directory, name)
    const process = processIn(path)
    if (process === undefined) continue
    const state = stateOf(process, own)
    if (state === "ended") rmSync(path, { force: true })
    else if (process.server === server) found.push({ ...process, state })
  }
  return found
}

/**
 * Removes the files that processes of earlier servers have left in a folder, for example in a container that was killed. Only for the
 * server that has the lock of the folder.
 */
export const removeLeftovers = (directory: string, own: ServerProcess): void => {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(PREFIX) || name.endsWith(".new")) continue
    const path = join(directory, name)
    const process = processIn(path)
    // A process that runs may be waiting for the lock.
    if (process === undefined || process.server === own.server || stateOf(process, own) === "running") continue
    rmSync(path, { force: true })
  }
}
