import { randomUUID } from "node:crypto"
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { reasonOf } from "../../structure/errors/Reason.ts"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import { makeLink } from "./HardLinks.ts"
import type { ServerProcess } from "./ServerProcesses.ts"

/**
 * The lock file in the folder of a graph, which names the server that uses the folder. It is created with link(), which
 * only one process can do. The server renews the modification time of the file while it runs. Another server uses that
 * time to detect a dead holder that it cannot see, because the holder is in another container or on another machine.
 */
export const LOCK = "server.lock"

/** The process that created a lock. */
export interface Holder extends ServerProcess {
  /** When the lock was created (ISO 8601), for messages. */
  readonly since: string
}

/** The open lock file that was created, or the current time of the file system when there is a lock. */
type Made = { readonly file: number } | { readonly file?: undefined; readonly now: number }

/**
 * Creates the lock file with a text, unless there is one. Throws StorageFailure when the folder cannot be written, or its file system
 * has no hard links.
 */
export const create = (path: string, text: string): Made => {
  const beside = `${path}.${randomUUID()}`
  let file: number | undefined
  let isMade = false
  try {
    file = openSync(beside, "wx")
    writeSync(file, text)
    makeLink(beside, path)
    isMade = true
    return { file }
  } catch (cause) {
    if (file !== undefined && (cause as NodeJS.ErrnoException).code === "EEXIST")
      return { now: fstatSync(file).mtimeMs }
    throw cause instanceof StorageFailure ? cause : notCreated(path, cause)
  } finally {
    if (file !== undefined && !isMade) closeSync(file)
    rmSync(beside, { force: true })
  }
}

/** The text of a lock file; undefined when there is none. Throws StorageFailure when it cannot be read. */
export const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw new StorageFailure(
      `The file ${path} cannot be read (${reasonOf(cause)}). Let the user of the server read it, or remove it if no server ` +
        "uses the folder.",
      { cause }
    )
  }
}

/** The modification time of a file in ms; 0 when it does not exist. */
export const changed = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** The process that a lock file names; undefined for an unknown text. */
export const holderIn = (text: string): Holder | undefined => {
  try {
    const found: Partial<Holder> = JSON.parse(text)
    return typeof found.server === "string" && typeof found.pid === "number" ? (found as Holder) : undefined
  } catch {
    return undefined
  }
}

/** An open lock file and its text. */
export interface OpenLock {
  readonly file: number
  readonly text: string
}

/** Opens the lock of another process of this server; undefined when that process has removed it. */
export const joinLock = (path: string): OpenLock | undefined => {
  let file: number | undefined
  try {
    file = openSync(path, "r+")
    return { file, text: readFileSync(file, "utf8") }
  } catch (cause) {
    if (file !== undefined) closeSync(file)
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw notCreated(path, cause)
  }
}

/** Waits until the lock is renewed (true) or has expired (false). */
export const isRenewed = async (path: string, patience: number, signal: AbortSignal | undefined): Promise<boolean> => {
  const before = changed(path)
  for (const limit = performance.now() + patience; performance.now() < limit; ) {
    await sleep(patience / 30, undefined, { signal })
    const now = changed(path)
    if (now !== before) return now !== 0
  }
  return false
}

/** Gives a file another text, or makes it. No reader sees a part of the text. Throws the error of the system. */
export const put = (path: string, text: string): void => {
  const beside = `${path}.${randomUUID()}`
  try {
    writeFileSync(beside, text, { flag: "wx" })
    renameSync(beside, path)
  } catch (cause) {
    rmSync(beside, { force: true })
    throw cause
  }
}

/** The failure of a lock that this process cannot create or join. */
export const notCreated = (path: string, cause: unknown): StorageFailure =>
  new StorageFailure(
    `The lock ${path} cannot be created (${reasonOf(cause)}). The server must be able to write the folder of a graph; ` +
      "to only read a graph, set storage.read-only=true.",
    { cause }
  )
