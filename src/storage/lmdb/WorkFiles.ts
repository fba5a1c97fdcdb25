import { randomUUID } from "node:crypto"
import { closeSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { SharedWork } from "../janusgraph/cells/SharedWork.ts"
import { stateOf, thisProcess } from "../shared/ProcessIdentity.ts"
import { create, type Holder, holderIn, put, read } from "./LockFile.ts"
import { changeLeft, replace, replacementWait } from "./Replacement.ts"
import type { ServerProcess } from "./ServerProcesses.ts"

/** The files of the work that processes of a server have taken begin with this text. */
const PREFIX = "server.work."

/** What the file of a work says. */
interface Work extends Holder {
  /** Another one for each work, so that no two files have the same text. */
  readonly id: string
  /** Why the work failed; absent while a process does it. */
  readonly failure?: string
}

const workIn = (text: string): Work | undefined => holderIn(text) as Work | undefined
const textOf = (work: Work): string => `${JSON.stringify(work)}\n`

/**
 * The work that processes of a server have taken: a file in the folder for each, which names the process. The file of work that failed
 * stays until a process takes the work again.
 *
 * @param onWait called with a text if the work of a process that has ended cannot be taken for a second
 */
export const workFiles = (
  directory: string,
  server: string,
  onWait: (text: string) => void = () => undefined
): SharedWork => {
  const reportBusy = replacementWait(directory, onWait)
  return {
    failure: (name) => {
      const found = workIn(read(join(directory, PREFIX + name)) ?? "")
      return found?.server === server ? found.failure : undefined
    },
    take: (name, follows) => {
      const path = join(directory, PREFIX + name)
      const own: Work = { server, ...thisProcess(), since: new Date().toISOString(), id: randomUUID() }
      const text = textOf(own)
      for (;;) {
        const { file } = create(path, text)
        if (file !== undefined) {
          closeSync(file)
          return { release: (failure) => release(path, own, failure) }
        }
        const found = read(path)
        if (found === undefined) continue
        const work = workIn(found)
        // The folder belongs to this server: another one that has left its file does not use the folder any more.
        const failure = work?.server === server ? work.failure : undefined
        if (failure !== undefined && follows) return { failure }
        if (work?.server === server && failure === undefined && stateOf(work, own) !== "ended") return "elsewhere"
        const replaced = replace(path, found, text)
        if (replaced === "done") return { release: (reason) => release(path, own, reason) }
        if (replaced === "busy") {
          reportBusy()
          return "busy"
        }
      }
    }
  }
}

/**
 * Removes the files of work that earlier servers have left in a folder, for example in a container that was killed. Only for the
 * server that has the lock of the folder.
 */
export const removeLeftWork = (directory: string, own: ServerProcess): void => {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(PREFIX)) continue
    try {
      removeIfLeft(join(directory, name), own)
    } catch {
      // Perhaps another user has left it. It stops only the process that takes the same work, which names the file then.
    }
  }
}

const removeIfLeft = (path: string, own: ServerProcess): void => {
  const found = read(path)
  const work = found === undefined ? undefined : workIn(found)
  if (found === undefined || work === undefined || work.server === own.server) return
  // A process that does not get to remove it leaves it to the one that takes the same work.
  if (stateOf(work, own) !== "running") changeLeft(path, found, () => rmSync(path))
}

/** Ends the work of this process. Nobody replaces the file of a process that runs, except another server that has taken the folder. */
const release = (path: string, own: Work, failure: string | undefined): void => {
  if (!mayBeOf(path, textOf(own))) return
  if (failure === undefined || !keepsFailure(path, { ...own, failure })) rmSync(path, { force: true })
}

/** Whether a file has a text, or cannot be read at the moment, for example without a free file descriptor. */
const mayBeOf = (path: string, text: string): boolean => {
  try {
    return read(path) === text
  } catch {
    return true
  }
}

/** False when the file cannot be written, for example because the disk is full: the others do not learn the reason then. */
const keepsFailure = (path: string, work: Work): boolean => {
  try {
    put(path, textOf(work))
    return true
  } catch {
    return false
  }
}
