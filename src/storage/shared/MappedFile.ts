/** From <sys/mman.h>; equal on Linux, macOS and the BSDs. */
const PROT_READ_AND_WRITE = 3
const MAP_SHARED = 1

/** What mmap returns when it fails: -1 as a pointer. */
const MAP_FAILED = 0xffff_ffff_ffff_ffffn

/** A file that is mapped into the memory of this process. */
export interface Mapping {
  readonly buffer: ArrayBuffer
  /** Unmaps the file. An access to `buffer` afterwards ends the process. */
  readonly unmap: () => void
}

/**
 * Maps a file into memory. Processes that map the same file see each other's changes. Rejects with an Error that says why the file
 * cannot be mapped.
 *
 * @param descriptor of a file that is open for reading and writing. It may be closed afterwards
 * @param bytes to map, from the start of the file. The file must not be shorter: an access beyond its end ends the process
 */
export const mapFile = async (descriptor: number, bytes: number): Promise<Mapping> => {
  if (process.platform === "win32") throw new Error("Windows has no mmap.")
  // Loaded here only: a server in one process does not need it.
  const koffi = await import("./Koffi.ts").catch((cause: unknown) => {
    throw new Error(`the package koffi, which calls mmap, cannot be loaded: ${String(cause)}.`, { cause })
  })
  const library = koffi.load(null)
  const mmap = library.func("mmap", "void *", ["void *", "size_t", "int", "int", "int", "int64_t"])
  const munmap = library.func("munmap", "int", ["void *", "size_t"])
  const pointer: unknown = mmap(null, bytes, PROT_READ_AND_WRITE, MAP_SHARED, descriptor, 0)
  if (pointer === null || pointer === MAP_FAILED) throw new Error(`mmap failed with error number ${koffi.errno()}.`)
  return { buffer: koffi.view(pointer, bytes), unmap: () => void munmap(pointer, bytes) }
}
