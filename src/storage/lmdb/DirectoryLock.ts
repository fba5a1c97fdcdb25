import { randomUUID } from "node:crypto"
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync
} from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { StorageFailure } from "../../structure/StoreErrors.ts"
import { type ProcessIdentity, stateOf, thisProcess } from "./ProcessIdentity.ts"

/**
 * The lock file in the folder of a graph, which names the server that uses the folder. It is created with link(), which
 * only one process can do. The server renews the modification time of the file while it runs. Another server uses that
 * time to detect a dead holder that it cannot see, because the holder is in another container or on another machine.
 */
export const LOCK = "server.lock"

/** The time between two renewals. */
const RENEWAL_MS = 5_000
/** A lock that was not renewed for this time has expired. */
const PATIENCE_MS = 3 * RENEWAL_MS

interface Holder extends ProcessIdentity {
  /** The name of the server; its processes share the folder. */
  readonly server: string
  /** When the lock was created (ISO 8601), for messages. */
  readonly since: string
}

interface DirectoryLock {
  /** Removes the lock file, unless another server has replaced it. */
  readonly release: () => void
}

/** The times of a lock, in milliseconds. */
export interface LockTimes {
  /** The time between two renewals. */
  readonly renewal: number
  /** The time without a renewal after which the lock has expired. */
  readonly patience: number
}

/** The parameters of {@link lockDirectory}. */
export interface LockRequest {
  readonly directory: string
  /** The name of the server; its processes share the folder. */
  readonly server: string
  /** Called when another server has taken the lock. */
  readonly onLost: () => void
  /** Called once, with the reason, when the call waits for the lock of another server. */
  readonly onWait?: ((text: string) => void) | undefined
  /** Ends the wait: {@link lockDirectory} fails with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  readonly times?: LockTimes
}

/**
 * Locks a folder for a server. A lock of the same server is shared. The lock of a holder that has ended is replaced.
 * When it is unknown whether the holder runs, the call waits until the lock is renewed or has expired. Fails with
 * StorageFailure when another server uses the folder.
 */
export const lockDirectory = async (request: LockRequest): Promise<DirectoryLock> => {
  const { directory, onLost, onWait, server, signal, times = { renewal: RENEWAL_MS, patience: PATIENCE_MS } } = request
  const path = `${directory}/${LOCK}`
  const own: Holder = { server, ...thisProcess(), since: new Date().toISOString() }
  const text = `${JSON.stringify(own)}\n`
  for (;;) {
    const made = create(path, text)
    if (made.file !== undefined) return hold(path, text, made.file, times.renewal, onLost)
    const found = read(path)
    if (found === undefined) continue
    const holder = holderIn(found)
    if (holder?.server === server) return { release: () => undefined }
    const state = holder === undefined ? "unknown" : stateOf(holder, own)
    if (state === "running") throw new StorageFailure(inUse(directory, holder))
    // Both times come from the file system, because the clocks of two machines may differ.
    const age = made.now - changed(path)
    if (state === "unknown" && age <= 4 * times.patience) {
      onWait?.(waitsFor(directory, holder, times.patience))
      if (await isRenewed(path, times.patience, signal)) throw new StorageFailure(inUse(directory, holder))
    }
    replace(path, found)
  }
}

/** The open lock file that was created, or the current time of the file system when there is a lock. */
type Made = { readonly file: number } | { readonly file?: undefined; readonly now: number }

const create = (path: string, text: string): Made => {
  const beside = `${path}.${randomUUID()}`
  let file: number | undefined
  let isMade = false
  try {
    file = openSync(beside, "wx")
    writeSync(file, text)
    linkSync(beside, path)
    isMade = true
    return { file }
  } catch (cause) {
    if (file !== undefined && (cause as NodeJS.ErrnoException).code === "EEXIST")
      return { now: fstatSync(file).mtimeMs }
    throw new StorageFailure(
      `The lock ${path} cannot be created (${(cause as Error).message}). The server must be able to write the folder of a graph; ` +
        "to only read a graph, set storage.read-only=true.",
      { cause }
    )
  } finally {
    if (file !== undefined && !isMade) closeSync(file)
    rmSync(beside, { force: true })
  }
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** The modification time of a file in ms; 0 when it does not exist. */
const changed = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const holderIn = (text: string): Holder | undefined => {
  try {
    const found: Partial<Holder> = JSON.parse(text)
    return typeof found.server === "string" && typeof found.pid === "number" ? (found as Holder) : undefined
  } catch {
    return undefined
  }
}

/** Waits until the lock is renewed (true) or has expired (false). */
const isRenewed = async (path: string, patience: number, signal: AbortSignal | undefined): Promise<boolean> => {
  const before = changed(path)
  for (const limit = performance.now() + patience; performance.now() < limit; ) {
    await sleep(patience / 30, undefined, { signal })
    const now = changed(path)
    if (now !== before) return now !== 0
  }
  return false
}

/** Removes an expired lock, unless another process has replaced it since. */
const replace = (path: string, found: string): void => {
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  try {
    if (readFileSync(aside, "utf8") !== found) linkSync(aside, path)
  } catch {
    // Another server has created a lock since. The server whose lock was removed detects that at its next renewal.
  } finally {
    rmSync(aside, { force: true })
  }
}

/** The release functions of the locks of this process. */
const held = new Set<() => void>()

/** Removes the locks at an exit of the process: process.exit() does not wait for scopes to close. */
const releaseAll = (): void => {
  for (const release of held) release()
}

/**
 * Renews a lock until it is released. `file` is the open lock file; the lock of another server would be a different
 * file.
 */
const hold = (path: string, text: string, file: number, renewal: number, onLost: () => void): DirectoryLock => {
  const isOwn = (): boolean => {
    try {
      return readFileSync(path, "utf8") === text
    } catch (error) {
      // Any other error says nothing about the owner of the lock.
      return (error as NodeJS.ErrnoException).code !== "ENOENT"
    }
  }
  const timer = setInterval(() => {
    if (isOwn()) {
      try {
        // Writing the same text makes the file system set the time with its own clock.
        writeSync(file, text, 0)
      } catch {
        // The folder cannot be written at the moment. Commits report that error.
      }
      return
    }
    clearInterval(timer)
    onLost()
  }, renewal)
  timer.unref()
  const release = (): void => {
    if (!held.delete(release)) return
    clearInterval(timer)
    if (held.size === 0) process.off("exit", releaseAll)
    if (read(path) === text) rmSync(path, { force: true })
    closeSync(file)
  }
  if (held.size === 0) process.on("exit", releaseAll)
  held.add(release)
  return { release }
}

const whose = (holder: Holder | undefined): string =>
  holder === undefined
    ? "another server"
    : `another server (process ${holder.pid} on ${holder.host}, since ${holder.since})`

const waitsFor = (directory: string, holder: Holder | undefined, patience: number): string =>
  `The graph in ${directory} has the lock of ${whose(holder)}, which cannot be seen from here: the lock counts until it ` +
  `was not renewed for ${Math.ceil(patience / 1000)} s. Waiting so long`

const inUse = (directory: string, holder: Holder | undefined): string =>
  `The graph in ${directory} is in use by ${whose(holder)}. A folder belongs to one server at a time: stop that one, or ` +
  `name another folder in storage.directory. If no server uses it, remove ${directory}/${LOCK}.`
