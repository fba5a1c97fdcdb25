import { randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { type FileHandle, mkdir, open, realpath, rename, stat, unlink } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { TraversalError, TraversalInvalid } from "../language/Errors.ts"
import type { DataFolder } from "../plan/Run.ts"

/** The mode of a new file: other users must not read what the server asks them a password for. */
const FILE_MODE = 0o640

/** True if a path is inside a folder, at any depth. Both are absolute. Does not resolve links. */
export const isInside = (folder: string, path: string): boolean => {
  const steps = relative(folder, path)
  return steps !== "" && steps !== ".." && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
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

/** The path of a file of io() with all links resolved. Throws TraversalInvalid if a link leads out of the data folder. */
const followed = async (data: DataFolder, name: string, path: string): Promise<string> => {
  const folder = await realpath(data.path)
  const file = await realpath(path)
  if (file !== folder && !isInside(folder, file)) throw outside(name)
  return file
}

/** The path that stands for all files of the folder with the ending of this one: `/a/*.csv` for `/a/b.csv`. */
const allLike = (path: string): string => {
  const file = basename(path)
  return join(dirname(path), `*${file.slice(Math.max(0, file.lastIndexOf(".")))}`)
}

/** Protects files of the server itself, such as that of the users, from users who may write a graph. */
const refuseClosed = ({ closed }: DataFolder, name: string, path: string): void => {
  if (!closed.has(path) && !closed.has(allLike(path))) return
  throw new TraversalInvalid(
    `io('${name}') is a file of the server's configuration, which io() must not use: give another one`
  )
}

/** The error for a failed file operation, with what the user can do. */
const failure = (error: unknown, name: string, doing: "read" | "written"): Error => {
  if (error instanceof TraversalInvalid || error instanceof TraversalError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === "ENOENT" && doing === "written") {
    return new TraversalError(`${name} cannot be written: its folder does not exist in the server's ioDirectory`)
  }
  if (code === "ENOTDIR") return new TraversalError(`${name} cannot be ${doing}: a folder of its path is a file`)
  if (code === "ENOENT") return new TraversalError(`${name} does not exist in the folder that io() may use`)
  return new TraversalError(`${name} cannot be ${doing}: ${code ?? message}`)
}

/** Without O_NONBLOCK, opening a named pipe waits for its other end, and holds one of the few threads that serve all files. */
const TO_READ = constants.O_RDONLY | constants.O_NONBLOCK
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY

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
  /** The path without links. Another file may have this path now. */
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
    handle = await open(path, TO_READ)
    const opened = await handle.stat({ bigint: true })
    if (!opened.isFile()) throw new TraversalError(`${name} cannot be read: it is not a file`)
    const named = await stat(await readablePath(data, name), { bigint: true })
    if (opened.dev === named.dev && opened.ino === named.ino) return { handle, path }
    throw new TraversalError(`${name} was replaced while it was opened: try again`)
  } catch (error) {
    await handle?.close()
    throw error instanceof TraversalError ? error : failure(error, name, "read")
  }
}

/** Opens a file of the data folder for reading, as {@link openedFile}, and returns only its handle. */
export const openToRead = async (data: DataFolder, name: string): Promise<FileHandle> =>
  (await openedFile(data, name)).handle

/**
 * A path to an open folder that stays valid if the folder is renamed. The given path if the system has no such path, as Linux without
 * /proc.
 */
const throughHandle = async (handle: FileHandle, path: string): Promise<string> => {
  const held = `/proc/self/fd/${handle.fd}`
  const [opened, found] = await Promise.all([
    handle.stat({ bigint: true }),
    stat(held, { bigint: true }).catch(() => undefined)
  ])
  return found !== undefined && found.dev === opened.dev && found.ino === opened.ino ? held : path
}

/** An open folder, in which files are created and renamed even if its path names another folder by then. */
class HeldFolder {
  readonly #data: DataFolder
  readonly #name: string
  readonly #handle: FileHandle
  readonly #path: string

  private constructor(data: DataFolder, name: string, handle: FileHandle, path: string) {
    this.#data = data
    this.#name = name
    this.#handle = handle
    this.#path = path
  }

  /** Opens the folder of a file of the data folder. Throws TraversalInvalid if it is not inside. */
  static async open(data: DataFolder, name: string): Promise<HeldFolder> {
    const wanted = pathOf(data, name)
    const path = await followed(data, name, dirname(wanted))
    refuseClosed(data, name, join(path, basename(wanted)))
    const handle = await open(path, FOLDER)
    try {
      const held = new HeldFolder(data, name, handle, await throughHandle(handle, path))
      await held.assertNamed()
      return held
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** The path of a file in the folder. On Linux it leads through the open folder. */
  file(name: string): string {
    return join(this.#path, name)
  }

  /** Throws unless the name still leads to this folder. */
  async assertNamed(): Promise<void> {
    const path = await followed(this.#data, this.#name, dirname(pathOf(this.#data, this.#name)))
    const [held, named] = await Promise.all([this.#handle.stat({ bigint: true }), stat(path, { bigint: true })])
    if (held.dev === named.dev && held.ino === named.ino) return
    throw new TraversalError(`The folder of ${this.#name} was replaced while the file was written: try again`)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

/** A file that is written under a temporary name and renamed when it is complete. */
export class WrittenFile {
  readonly #name: string
  readonly #folder: HeldFolder
  readonly #path: string
  readonly #temporary: string
  readonly #handle: FileHandle

  private constructor(name: string, folder: HeldFolder, path: string, handle: FileHandle, temporary: string) {
    this.#name = name
    this.#folder = folder
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
      const folder = await HeldFolder.open(data, name)
      const temporary = folder.file(`.${basename(path)}.${randomUUID()}.tmp`)
      try {
        return new WrittenFile(
          name,
          folder,
          folder.file(basename(path)),
          await open(temporary, "wx", FILE_MODE),
          temporary
        )
      } catch (error) {
        await folder.close()
        throw error
      }
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
      await this.#folder.assertNamed()
      await rename(this.#temporary, this.#path)
      await this.#folder.close()
    } catch (error) {
      throw failure(error, this.#name, "written")
    }
  }

  /** Removes an incomplete file. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {})
    await unlink(this.#temporary).catch(() => {})
    await this.#folder.close().catch(() => {})
  }
}
