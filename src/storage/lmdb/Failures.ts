import { statfsSync } from "node:fs"
import { reasonOf } from "../../structure/errors/Reason.ts"
import { StorageFailure, StorageFull, StorageUnavailable } from "../../structure/errors/StoreErrors.ts"

/**
 * Error codes for a full disk, an exceeded quota, a file that is too large and MDB_MAP_FULL, as numbers of lmdb and names of Node.
 */
const FULL_DISK_CODES: ReadonlySet<unknown> = new Set([28, 122, 27, -30792, "ENOSPC", "EDQUOT", "EFBIG"])
/** EIO: lmdb reports a short write as an input/output error. */
const INPUT_OUTPUT_ERRORS: ReadonlySet<unknown> = new Set([5, "EIO"])
/** An input/output error is reported as a full disk when less than this is free. */
const MIN_FREE_BYTES = 1024 * 1024

/** The system has no more memory or open files at the moment: ENOMEM, ENFILE, EMFILE, as numbers of lmdb and names of Node. */
const SHORTAGE_CODES: ReadonlySet<unknown> = new Set([12, 23, 24, "ENOMEM", "ENFILE", "EMFILE"])

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

const codeOf = (cause: unknown): unknown => (cause instanceof Error && "code" in cause ? cause.code : undefined)

const isFull = (directory: string, cause: unknown): boolean => {
  const code = codeOf(cause)
  if (FULL_DISK_CODES.has(code)) return true
  if (!INPUT_OUTPUT_ERRORS.has(code)) return false
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
  if (SHORTAGE_CODES.has(codeOf(cause))) return new StorageUnavailable(`${what} ${SHORTAGE}`, { cause })
  return isFull(directory, cause)
    ? new StorageFull(`${what} The disk is full: make room on it, and run the request again.`, { cause })
    : new StorageFailure(`${what} Check for a failing disk, or a folder without write permission.`, { cause })
}

const SHORTAGE =
  "The process has no more open files or memory at the moment: raise its limits (ulimit -n, LimitNOFILE), and run the request again."

/**
 * The error of a commit whose transaction needs a second handle, which could not be opened. A failure of the system passes: the files are
 * open already, and nothing has happened to them. One that the server has found itself stays, for example a removed file.
 */
export const secondFailure = (directory: string, failure: unknown): StorageFailure => {
  const cause = failure instanceof StorageFailure ? failure.cause : failure
  if (failure instanceof StorageFailure && cause === undefined) return failure
  const hint = SHORTAGE_CODES.has(codeOf(cause)) ? SHORTAGE : "Run the request again."
  return new StorageUnavailable(
    `Nothing was written to the graph in ${directory}: its files could not be opened once more (${reasonOf(cause)}). ${hint}`,
    { cause }
  )
}

/** The error of a graph whose newest meta page could not be written. lmdb refuses its files from then on, also to readers. */
export const brokenFiles = (directory: string, cause: unknown): StorageFailure =>
  new StorageFailure(
    `LMDB takes no more commits to the graph in ${directory}, because the end of a commit could not be written ` +
      `(${reasonOf(cause)}). Make sure that the disk works and has room, and restart the server.`,
    { cause }
  )
