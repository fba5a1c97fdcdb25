import { statfsSync } from "node:fs"
import { StorageFailure, StorageFull } from "../../structure/StoreErrors.ts"

/** The words of whatever was thrown. */
export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/**
 * lmdb's and the system's numbers for a disk, a quota or a file that has no room: ENOSPC, EDQUOT, EFBIG, MDB_MAP_FULL.
 */
const NO_ROOM: ReadonlySet<unknown> = new Set([28, 122, 27, -30792])
/** lmdb calls a write that was cut an input/output error. With less room than this the disk was full. */
const LITTLE_ROOM = 1024 * 1024
const INPUT_OUTPUT_ERROR = 5

/** lmdb's promise of a commit fails with an error that has another promise, of the cause. */
export const causeOf = async (error: unknown): Promise<unknown> => {
  if (!(error instanceof Error && "commitError" in error)) return error
  try {
    await error.commitError
    return error
  } catch (cause) {
    return cause
  }
}

const isFull = (directory: string, cause: unknown): boolean => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (NO_ROOM.has(code)) return true
  if (code !== INPUT_OUTPUT_ERROR) return false
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize < LITTLE_ROOM
  } catch {
    return false
  }
}

/** What a commit fails with when lmdb could not write it. */
export const writeFailure = (directory: string, cause: unknown): StorageFailure => {
  if (cause instanceof StorageFailure) return cause
  const what = `Nothing was written to the graph in ${directory} (${reasonOf(cause)}).`
  return isFull(directory, cause)
    ? new StorageFull(`${what} The disk is full: make room on it, and run the request again.`, { cause })
    : new StorageFailure(`${what} Look for a failing disk, or a folder that may not be written.`, { cause })
}
