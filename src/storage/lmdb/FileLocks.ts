import { readFileSync, statSync } from "node:fs"

/** A lock of the system on a file. */
interface FileLock {
  readonly pid: number
  /** Other processes may have such a lock, too. */
  readonly isShared: boolean
  /** The system names the device of the file. Where it names another one, the lock may be that of another file with this inode. */
  readonly isOnDevice: boolean
}

/** The device of a file as `/proc/locks` writes it: `fe:01`. */
const deviceText = (device: number): string => {
  const number = BigInt(device)
  const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & ~0xfffn)
  const minor = (number & 0xffn) | ((number >> 12n) & ~0xffn & 0xffffffffn)
  return [major, minor].map((part) => part.toString(16).padStart(2, "0")).join(":")
}

/** What the system writes into a file of `/proc`; empty where it does not tell. */
export const systemText = (path: string): string => {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return ""
  }
}

/** The POSIX locks on a file; none where the system does not tell (outside of Linux), and of processes that this one cannot see. */
export const locksOn = (path: string): ReadonlyArray<FileLock> => {
  const file = statSync(path, { throwIfNoEntry: false })
  if (file === undefined) return []
  const device = deviceText(file.dev)
  return systemText("/proc/locks")
    .split("\n")
    .flatMap((line) => {
      // `1: POSIX  ADVISORY  READ 1234 fe:01:5678 0 0`
      const [, kind, , access, owner, name = ""] = line.trim().split(/\s+/)
      const [major, minor, inode] = name.split(":")
      if (kind !== "POSIX" || inode !== String(file.ino)) return []
      return [{ pid: Number(owner), isShared: access === "READ", isOnDevice: `${major}:${minor}` === device }]
    })
}

/** Whether a process has the files of a graph open: LMDB then has a shared lock on its lock file. False where this is not certain. */
export const isOpen = (lockFile: string): boolean =>
  locksOn(lockFile).some(({ isOnDevice, isShared, pid }) => isShared && isOnDevice && pid > 0)
