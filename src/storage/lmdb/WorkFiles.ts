import { closeSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { SharedWork } from "../janusgraph/cells/SharedWork.ts"
import { stateOf, thisProcess } from "../shared/ProcessIdentity.ts"
import { create, type Holder, holderIn, read, replace } from "./LockFile.ts"
import { WORK_PREFIX } from "./ServerProcesses.ts"

/** What the file of a work says. */
interface Work extends Holder {
  /** Why the work failed; absent while a process does it. */
  readonly failure?: string
}

const pathOf = (directory: string, name: string): string => join(directory, WORK_PREFIX + name)

/**
 * The work that processes of a server have taken: a file in the folder for each, which names the process. The file of work that failed
 * stays until a process takes the work again.
 */
export const workFiles = (directory: string, server: string): SharedWork => ({
  failure: (name) => {
    const found = holderIn(read(pathOf(directory, name)) ?? "") as Work | undefined
    return found?.server === server ? found.failure : undefined
  },
  take: (name) => {
    const path = pathOf(directory, name)
    const own: Holder = { server, ...thisProcess(), since: new Date().toISOString() }
    const text = `${JSON.stringify(own)}\n`
    for (;;) {
      const { file } = create(path, text)
      if (file !== undefined) {
        closeSync(file)
        return (failure) => {
          if (failure === undefined || !keepsFailure(path, { ...own, failure })) rmSync(path, { force: true })
        }
      }
      const found = read(path)
      if (found === undefined) continue
      const holder = holderIn(found) as Work | undefined
      // The folder belongs to this server: another one that has left its file does not use the folder any more.
      const isTaken = holder?.server === server && holder.failure === undefined
      if (isTaken && stateOf(holder, own) !== "ended") return undefined
      replace(path, found)
    }
  }
})

/** False when the file cannot be written, for example because the disk is full: the others do not learn the reason then. */
const keepsFailure = (path: string, work: Work): boolean => {
  try {
    writeFileSync(path, `${JSON.stringify(work)}\n`)
    return true
  } catch {
    return false
  }
}
