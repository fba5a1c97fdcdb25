import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from "node:fs"
import { join } from "node:path"
import { tables } from "../janusgraph/cells/CellStore.ts"
import { Environment, FILE, makeFolder } from "./Environment.ts"

/** Bytes that are written in one transaction. */
const BYTES = 16 * 1024 * 1024

const folderOf = (directory: string): string => join(directory, "rewritten")

/** Removes what a rewriting left that was interrupted. */
export const forgetRewriting = (directory: string): void =>
  rmSync(folderOf(directory), { recursive: true, force: true })

/** True when there is room on the disk for the files a second time. */
export const hasRoom = (directory: string): boolean => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize > statSync(join(directory, FILE)).size * 1.1
}

/**
 * Writes all entries of open files once more, in their order, into files beside them: pages that were written several
 * times are half full, and those that came free of it stay in the file. Nobody may write meanwhile.
 */
export const rewrite = async (from: Environment, directory: string): Promise<void> => {
  forgetRewriting(directory)
  const options = { directory: folderOf(directory), sync: "none", readOnly: false } as const
  makeFolder(options)
  const to = new Environment(options)
  try {
    for (const name of tables) {
      const entries = from.table(name).getRange({ start: BEGIN })[Symbol.iterator]()
      const table = to.table(name)
      for (let more = true; more; await turn()) {
        more = to.root.transactionSync(() => {
          for (let bytes = 0; bytes < BYTES; ) {
            const { done, value: entry } = entries.next()
            if (done) return false
            bytes += entry.key.length + entry.value.length
            table.put(entry.key, entry.value)
          }
          return true
        })
      }
    }
    to.root.transactionSync(() => to.setState(from.state()))
  } finally {
    await to.root.close()
  }
  synced(join(options.directory, FILE))
}

/** Puts the files that {@link rewrite} wrote into the place of those it read, which are closed. */
export const takeRewritten = (directory: string): void => {
  const written = join(folderOf(directory), FILE)
  if (!existsSync(written)) return
  renameSync(written, join(directory, FILE))
  // lmdb's own lock file says how far the file is that it belongs to.
  renameSync(`${written}-lock`, join(directory, `${FILE}-lock`))
  synced(directory)
  forgetRewriting(directory)
}

const synced = (path: string): void => {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

const BEGIN = Buffer.from([0])
