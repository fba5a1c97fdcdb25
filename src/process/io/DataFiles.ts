import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, realpath, rename, stat, unlink } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { TraversalError, TraversalInvalid } from "../language/Errors.ts"
import type { DataFolder } from "../plan/Run.ts"

/** Whether a path is inside a folder, at any depth. */
const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const outside = (name: string): TraversalInvalid =>
  new TraversalInvalid(
    `io('${name}') is outside the folder that io() may use: give a path inside the server's ioDirectory`
  )

/** The absolute path of a file of io(). Throws TraversalInvalid if it is not inside the data folder. Does not resolve links. */
export const pathOf = (data: DataFolder, name: string): string => {
  const path = resolve(data.path, name)
  if (name.includes("\0") || !isInside(resolve(data.path), path)) throw outside(name)
  return path
}

/** The same with all links resolved, so that no link leads out of the folder. */
const followed = async (data: DataFolder, name: string, path: string): Promise<string> => {
  const folder = await realpath(data.path)
  const file = await realpath(path)
  if (file !== folder && !isInside(folder, file)) throw outside(name)
  return file
}

/** Protects files of the server itself, such as that of the users, from users who may write a graph. */
const refuseClosed = ({ closed }: DataFolder, name: string, path: string): void => {
  if (!closed.has(path)) return
  throw new TraversalInvalid(
    `io('${name}') is a file of the server's configuration, which io() must not use: give another one`
  )
}

/** The error for a failed file operation, with what the user can do. */
const failure = (error: unknown, name: string, doing: "read" | "written"): Error => {
  if (error instanceof TraversalInvalid) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === "ENOENT" && doing === "written") {
    return new TraversalError(`${name} cannot be written: its folder does not exist in the server's ioDirectory`)
  }
  if (code === "ENOENT") return new TraversalError(`${name} does not exist in the folder that io() may use`)
  return new TraversalError(`${name} cannot be ${doing}: ${code ?? message}`)
}

/** The path of a file of the data folder, without links. Throws TraversalInvalid for a forbidden path, and TraversalError. */
const readablePath = async (data: DataFolder, name: string): Promise<string> => {
  try {
    const path = await followed(data, name, pathOf(data, name))
    refuseClosed(data, name, path)
    return path
  } catch (error) {
    throw failure(error, name, "read")
  }
}

/** An open file of the data folder. */
interface OpenedFile {
  readonly handle: FileHandle
  /** The path without links. It may be that of another file by now. */
  readonly path: string
}

/**
 * Opens a file of the data folder for reading. What was opened is compared with what the path names in the folder, because a link or a
 * folder may be exchanged between the check and the opening. Throws TraversalInvalid for a forbidden path, and TraversalError.
 */
export const openedFile = async (data: DataFolder, name: string): Promise<OpenedFile> => {
  const path = await readablePath(data, name)
  let handle: FileHandle | undefined
  try {
    handle = await open(path, "r")
    const opened = await handle.stat({ bigint: true })
    const named = await stat(await readablePath(data, name), { bigint: true })
    if (opened.dev === named.dev && opened.ino === named.ino) return { handle, path }
    throw new TraversalError(`${name} was replaced while it was opened: try again`)
  } catch (error) {
    await handle?.close()
    throw error instanceof TraversalError ? error : failure(error, name, "read")
  }
}

/** The same without the path. */
export const openToRead = async (data: DataFolder, name: string): Promise<FileHandle> =>
  (await openedFile(data, name)).handle

/** A file that is written under a temporary name and renamed when it is complete. */
export class WrittenFile {
  readonly #name: string
  readonly #path: string
  readonly #temporary: string
  readonly #handle: FileHandle

  private constructor(name: string, path: string, temporary: string, handle: FileHandle) {
    this.#name = name
    this.#path = path
    this.#temporary = temporary
    this.#handle = handle
  }

  /** Creates the temporary file. Throws TraversalInvalid for a forbidden path, and TraversalError. */
  static async create(data: DataFolder, name: string): Promise<WrittenFile> {
    const path = pathOf(data, name)
    try {
      // A new installation has no data folder.
      await mkdir(data.path, { recursive: true })
      const folder = await followed(data, name, dirname(path))
      const place = join(folder, basename(path))
      refuseClosed(data, name, place)
      const temporary = join(folder, `.${basename(path)}.${randomUUID()}.tmp`)
      return new WrittenFile(name, place, temporary, await open(temporary, "wx"))
    } catch (error) {
      throw failure(error, name, "written")
    }
  }

  /** Appends text. Throws TraversalError. */
  async write(text: string): Promise<void> {
    try {
      await this.#handle.writeFile(text)
    } catch (error) {
      throw failure(error, this.#name, "written")
    }
  }

  /** Renames the file to its final name. Throws TraversalError. */
  async complete(): Promise<void> {
    try {
      await this.#handle.close()
      await rename(this.#temporary, this.#path)
    } catch (error) {
      throw failure(error, this.#name, "written")
    }
  }

  /** Removes an incomplete file. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {})
    await unlink(this.#temporary).catch(() => {})
  }
}
