import { existsSync, fstatSync, readdirSync, readlinkSync, readSync, statSync } from "node:fs"
import { firstBytes } from "./FileLength.ts"

/** The end of the name of LMDB's lock file, as the system names it for a descriptor. */
const LOCK_FILE = /\.mdb-lock(?: \(deleted\))?$/

/** The first bytes of lmdb's lock file (MDB_MAGIC), in the byte order of x64 and arm64. */
const MAGIC = 0xbeefc0de
/**
 * The possible offsets of the write mutex in the lock file (MDB_txninfo of lmdb's mdb.c). It is in the first cache line
 * after the header, which ends with the mutex of the readers: 40 bytes on x64, 48 bytes on arm64 with glibc.
 */
const OFFSETS = [64, 128]
/** Bytes that are read of a lock file. */
const HEADER_BYTES = 192
/** glibc (struct __pthread_mutex_s): the kind of a robust mutex that processes share, and the offset of the kind. */
const GLIBC_KIND = 16 | 128
const GLIBC_KIND_OFFSET = 16
/** The kind of a destroyed mutex: the last process destroys it when it closes the files. */
const GLIBC_DESTROYED = 0xffffffff
/** musl (struct pthread_mutex_t): the mutex begins with its type, and the lock follows. */
const MUSL_KIND = 4 | 128
const MUSL_LOCK_OFFSET = 4
/** The bits of a robust futex with the id of its thread. The higher bits are flags for waiters and dead owners. */
const THREAD_BITS = 0x3fffffff

/** The descriptors of this process. */
const OWN_FILES = "/proc/self/fd"

/** A descriptor by which this process has a file open; undefined if it has none. */
export const openDescriptor = (path: string): number | undefined => {
  // Not by its name: the file may have been renamed or removed since.
  const { dev, ino } = statSync(path)
  // Outside of Linux, where the system does not tell.
  if (!existsSync(OWN_FILES)) return undefined
  for (const name of readdirSync(OWN_FILES)) {
    try {
      const file = fstatSync(Number(name))
      if (file.ino === ino && file.dev === dev) return Number(name)
    } catch {
      // It was that of the folder itself.
    }
  }
  return undefined
}

/**
 * The first bytes of a lock file. If this process has it open, it must not open it again: the system releases all locks of a process on a
 * file when the process closes it once. Other processes would then take its snapshots for those of a process that has ended.
 */
const headerOf = (lockFile: string): Buffer => {
  const open = openDescriptor(lockFile)
  if (open === undefined) return firstBytes(lockFile, HEADER_BYTES)
  const bytes = Buffer.alloc(HEADER_BYTES)
  return bytes.subarray(0, readSync(open, bytes, 0, HEADER_BYTES, 0))
}

/**
 * The thread that holds the write mutex of a lock file; 0 when the mutex is free; undefined when the lock file has an unknown layout.
 */
export const owningThread = (lockFile: string): number | undefined => {
  let header: Buffer
  try {
    header = headerOf(lockFile)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? 0 : undefined
  }
  if (header.length < HEADER_BYTES) return 0
  if (header.readUInt32LE(0) !== MAGIC) return undefined
  for (const at of OFFSETS) {
    const kind = header.readUInt32LE(at + GLIBC_KIND_OFFSET)
    if (kind === GLIBC_DESTROYED) return 0
    if (kind === GLIBC_KIND) return header.readUInt32LE(at) & THREAD_BITS
    if (header.readUInt32LE(at) === MUSL_KIND) return header.readUInt32LE(at + MUSL_LOCK_OFFSET) & THREAD_BITS
  }
  return undefined
}

/**
 * True if a process holds the write mutex of a graph that it has open. False where the system does not tell (outside of Linux), and for
 * processes that this one cannot see.
 */
export const holdsWriteMutex = (pid: number): boolean => {
  try {
    const files = `/proc/${pid}/fd`
    return readdirSync(files).some((descriptor) => {
      const file = `${files}/${descriptor}`
      // The process may close it meanwhile.
      const path = readlinkSync(file)
      if (!LOCK_FILE.test(path)) return false
      const thread = owningThread(file)
      return thread !== undefined && thread > 0 && existsSync(`/proc/${pid}/task/${thread}`)
    })
  } catch {
    return false
  }
}
