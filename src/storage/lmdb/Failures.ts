import { statfsSync } from "node:fs"
import { reasonOf } from "../../structure/errors/Reason.ts"
import { StorageFailure, StorageFull } from "../../structure/errors/StoreErrors.ts"

/** Error codes for a full disk, an exceeded quota and a file that is too large: ENOSPC, EDQUOT, EFBIG, MDB_MAP_FULL. */
const FULL_DISK_CODES: ReadonlySet<unknown> = new Set([28, 122, 27, -30792])
/** EIO: lmdb reports a short write as an input/output error. */
const INPUT_OUTPUT_ERROR = 5
/** An input/output error is reported as a full disk when less than this is free. */
const MIN_FREE_BYTES = 1024 * 1024

/** The cause of a failed commit. lmdb rejects with an error that has a promise of the cause. */
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
  if (FULL_DISK_CODES.has(code)) return true
  if (code !== INPUT_OUTPUT_ERROR) return false
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize < MIN_FREE_BYTES
  } catch {
    return false
  }
}

/** The error of a commit that lmdb could not write. */
export const writeFailure = (directory: string, cause: unknown): StorageFailure => {
  if (cause instanceof StorageFailure) return cause
  const what = `Nothing was written to the graph in ${directory} (${reasonOf(cause)}).`
  return isFull(directory, cause)
    ? new StorageFull(`${what} The disk is full: make room on it, and run the request again.`, { cause })
    : new StorageFailure(`${what} Check for a failing disk, or a folder without write permission.`, { cause })
}

/** The error of a graph whose newest meta page could not be written. lmdb refuses its files from then on, also to readers. */
export const brokenFiles = (directory: string, cause: unknown): StorageFailure =>
  new StorageFailure(
    `LMDB takes no more commits to the graph in ${directory}, because the end of a commit could not be written ` +
      `(${reasonOf(cause)}). Make sure that the disk works and has room, and restart the server.`,
    { cause }
  )
