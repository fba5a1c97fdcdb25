import { chmodSync, existsSync, renameSync, rmSync, statfsSync, statSync } from "node:fs"
import { join } from "node:path"
import { nextTurn } from "../../scheduling/NextTurn.ts"
import { tables } from "../janusgraph/cells/CellStore.ts"
import { syncFile, syncFolder } from "../shared/Synced.ts"
import { Environment } from "./Environment.ts"
import { FILE, makeFolder } from "./GraphFiles.ts"

/** The bits of a mode that are permissions. */
const PERMISSIONS = 0o777

/** Bytes that are copied in one transaction. */
const TRANSACTION_BYTES = 16 * 1024 * 1024

const folderOf = (directory: string): string => join(directory, "rewritten")

/** Removes the files of an interrupted compaction. */
export const removeCompacted = (directory: string): void =>
  rmSync(folderOf(directory), { recursive: true, force: true })

/** True when the disk has room for a second copy of the files. */
export const hasRoom = (directory: string): boolean => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize > statSync(join(directory, FILE)).size * 1.1
}

/**
 * Copies all entries of open files, in order, into new files. Random writes leave half-full pages and free pages in the
 * file, which the copy does not have. Nothing may write to the files during the copy.
 */
export const compact = async (from: Environment, directory: string): Promise<void> => {
  removeCompacted(directory)
  const options = { directory: folderOf(directory), sync: "none", readOnly: false } as const
  makeFolder(options)
  const to = new Environment(options)
  try {
    for (const name of tables) {
      const entries = from.table(name).getRange({ start: BEGIN })[Symbol.iterator]()
      const table = to.table(name)
      for (let more = true; more; await nextTurn()) {
        more = to.root.transactionSync(() => {
          for (let bytes = 0; bytes < TRANSACTION_BYTES; ) {
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
    await to.close()
  }
  syncFile(join(options.directory, FILE))
}

/** Replaces the files, which are closed, by those that {@link compact} has written. */
export const installCompacted = (directory: string): void => {
  const written = join(folderOf(directory), FILE)
  if (!existsSync(written)) return
  // The user may have given other users access to the graph, or none.
  for (const name of [FILE, `${FILE}-lock`])
    chmodSync(join(folderOf(directory), name), statSync(join(directory, name)).mode & PERMISSIONS)
  renameSync(written, join(directory, FILE))
  // lmdb's lock file contains the state of its data file: move both.
  renameSync(`${written}-lock`, join(directory, `${FILE}-lock`))
  syncFolder(directory)
  removeCompacted(directory)
}

const BEGIN = Buffer.from([0])
