import { closeSync, fsyncSync, openSync } from "node:fs"

/** The errors of systems that do not sync folders, and of a folder that this user may write but must not read. */
const NO_SYNC: ReadonlySet<unknown> = new Set("EACCES EBADF EINVAL EISDIR ENOSYS ENOTSUP EOPNOTSUPP EPERM".split(" "))

/** Returns when a file is on the disk. Throws the error of the system. */
export const syncFile = (path: string): void => {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Returns when the names of the files in a folder are on the disk: after a power failure, a new file could have no name otherwise. Has no
 * effect where the system cannot do it. Throws the error of the system.
 */
export const syncFolder = (folder: string): void => {
  try {
    syncFile(folder)
  } catch (cause) {
    if (!NO_SYNC.has((cause as NodeJS.ErrnoException).code)) throw cause
  }
}
