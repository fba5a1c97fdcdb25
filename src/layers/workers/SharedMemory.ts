import { randomBytes } from "node:crypto"
import { accessSync, closeSync, constants, ftruncateSync, openSync, unlinkSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Data from "effect/Data"

/** The shared memory of worker processes cannot be made or used. */
export class SharedMemoryUnavailable extends Data.TaggedError("SharedMemoryUnavailable")<{
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return this.reason
  }
}

const IN_ONE_PROCESS = "Set 'workers: 1' to run the server in one process."

/** From <sys/mman.h>; equal on Linux, macOS and the BSDs. */
const PROT_READ_AND_WRITE = 3
const MAP_SHARED = 1

/** What mmap returns when it fails: -1 as a pointer. */
const MAP_FAILED = 0xffff_ffff_ffff_ffffn

const CHUNK_BYTES = 65_536

/** A file that is mapped into the memory of this process. */
export interface Mapping {
  readonly buffer: ArrayBuffer
  /** Unmaps the file. An access to `buffer` afterwards ends the process. */
  readonly unmap: () => void
}

/**
 * Maps a file into memory. Processes that map the same file see each other's changes.
 *
 * @param descriptor of a file that is open for reading and writing. It may be closed afterwards
 * @param bytes to map, from the start of the file. The file must not be shorter: an access beyond its end ends the process
 */
export const map = async (descriptor: number, bytes: number): Promise<Mapping> => {
  if (process.platform === "win32") {
    throw new SharedMemoryUnavailable({
      reason: `Worker processes share memory by mmap, which Windows does not have. ${IN_ONE_PROCESS}`
    })
  }
  // Loaded here only: a server in one process does not need it.
  const koffi = await import("./Koffi.ts").catch((cause: unknown) => {
    throw new SharedMemoryUnavailable({
      reason: `The package koffi, which maps the shared memory of worker processes, cannot be loaded: ${String(cause)}. ${IN_ONE_PROCESS}`,
      cause
    })
  })
  const library = koffi.load(null)
  const mmap = library.func("mmap", "void *", ["void *", "size_t", "int", "int", "int", "int64_t"])
  const munmap = library.func("munmap", "int", ["void *", "size_t"])
  const pointer: unknown = mmap(null, bytes, PROT_READ_AND_WRITE, MAP_SHARED, descriptor, 0)
  if (pointer === null || pointer === MAP_FAILED) {
    throw new SharedMemoryUnavailable({
      reason: `The shared memory of worker processes cannot be mapped: mmap failed with error number ${koffi.errno()}. ${IN_ONE_PROCESS}`
    })
  }
  return { buffer: koffi.view(pointer, bytes), unmap: () => void munmap(pointer, bytes) }
}

/** Folders for the file. The first is in memory, where there is one. */
const folders = (): ReadonlyArray<string> => ["/dev/shm", tmpdir()]

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Makes a file for shared memory, which only its descriptor reaches, because its name is removed. All its bytes are zero, and its
 * space is allocated: a full file system is an error here, and not a fault of a process later.
 *
 * @returns the descriptor, which the caller closes
 */
export const makeFile = (bytes: number): number => {
  const folder = folders().find(isWritable)
  if (folder === undefined) {
    throw new SharedMemoryUnavailable({
      reason: `The file of the shared memory of worker processes cannot be made: neither ${folders().join(" nor ")} is writable. ${IN_ONE_PROCESS}`
    })
  }
  const path = join(folder, `engine-server-${process.pid}-${randomBytes(8).toString("hex")}`)
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, "wx+", 0o600)
    unlinkSync(path)
    ftruncateSync(descriptor, bytes)
    const zeros = Buffer.alloc(CHUNK_BYTES)
    for (let at = 0; at < bytes; ) at += writeSync(descriptor, zeros, 0, Math.min(CHUNK_BYTES, bytes - at), at)
    return descriptor
  } catch (cause) {
    if (descriptor !== undefined) closeSync(descriptor)
    throw new SharedMemoryUnavailable({
      reason: `The file of the shared memory of worker processes (${bytes} bytes in ${folder}) cannot be made: ${String(cause)}. ${IN_ONE_PROCESS}`,
      cause
    })
  }
}
