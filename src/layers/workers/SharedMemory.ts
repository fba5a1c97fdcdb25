import { randomBytes } from "node:crypto"
import { accessSync, closeSync, constants, ftruncateSync, openSync, unlinkSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Data from "effect/Data"
import { type Mapping, mapFile } from "../../storage/shared/MappedFile.ts"

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

const CHUNK_BYTES = 65_536

/**
 * Maps a file into memory, see {@link mapFile}.
 *
 * @param descriptor of a file that is open for reading and writing. It may be closed afterwards
 * @param bytes to map, from the start of the file. The file must not be shorter: an access beyond its end ends the process
 */
export const map = (descriptor: number, bytes: number): Promise<Mapping> =>
  mapFile(descriptor, bytes).catch((cause: Error) => {
    throw new SharedMemoryUnavailable({
      reason: `The shared memory of worker processes cannot be mapped: ${cause.message} ${IN_ONE_PROCESS}`,
      cause
    })
  })

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
