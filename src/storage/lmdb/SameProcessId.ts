import { accessSync, closeSync, constants, openSync, readlinkSync } from "node:fs"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import { FILE } from "./GraphFiles.ts"
import { openDescriptor } from "./MutexOwner.ts"

/** From <fcntl.h> of Linux: the question who has a lock, and the kinds of locks. */
const [F_GETLK, F_WRLCK, F_UNLCK] = [5, 1, 2]
/** struct flock of Linux on machines of 64 bits: its size, and the offsets of the kind, of the first byte and of the number of bytes. */
const [FLOCK_BYTES, KIND_AT, START_AT, LENGTH_AT] = [32, 0, 8, 16]
/** The namespace of the process ids of the machine itself. */
const MACHINE = "pid:[4026531836]"

/**
 * Throws StorageFailure if a process in another container has the files open, and has the id of this process. LMDB locks the byte of its
 * lock file whose offset is the process id. The second process would wait for that lock, and fail with an error that does not say why.
 */
export const refuseSameProcessId = async (directory: string): Promise<void> => {
  if (process.platform !== "linux" || !isInContainer()) return
  const path = `${directory}/${FILE}-lock`
  try {
    accessSync(path, constants.W_OK)
  } catch {
    // There is no lock file yet, or LMDB uses none, because the folder is mounted read-only.
    return
  }
  if (await isLocked(path)) throw sameId(directory)
}

/** The processes of this container do not have the ids that the machine gives them. */
const isInContainer = (): boolean => {
  try {
    return readlinkSync("/proc/self/ns/pid") !== MACHINE
  } catch {
    return false
  }
}

/** Whether another process has the lock that LMDB takes for this process. */
const isLocked = async (path: string): Promise<boolean> => {
  const koffi = await import("../shared/Koffi.ts").catch(() => undefined)
  if (koffi === undefined) return false
  const fcntl = koffi.load(null).func("fcntl", "int", ["int", "int", "void *"])
  // If this process has the file open, a second close of it would release its locks.
  const open = openDescriptor(path)
  const descriptor = open ?? openSync(path, "r")
  try {
    const lock = Buffer.alloc(FLOCK_BYTES)
    lock.writeInt16LE(F_WRLCK, KIND_AT)
    lock.writeBigInt64LE(BigInt(process.pid), START_AT)
    lock.writeBigInt64LE(1n, LENGTH_AT)
    return fcntl(descriptor, F_GETLK, lock) === 0 && lock.readInt16LE(KIND_AT) !== F_UNLCK
  } finally {
    if (open === undefined) closeSync(descriptor)
  }
}

const sameId = (directory: string): StorageFailure =>
  new StorageFailure(
    `The graph in ${directory} cannot be opened: a process in another container has it open, and has the same process id as this one ` +
      `(${process.pid}), by which LMDB tells processes apart. Let both containers use the same process ids, so that each id is used once: ` +
      "docker run --pid=container:NAME or --pid=host, hostPID in Kubernetes."
  )
