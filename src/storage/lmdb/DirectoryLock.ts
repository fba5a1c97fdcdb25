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
 * The file in the folder of a graph that names the server to which the folder belongs. It is made by linking, which
 * only one process can do, and its time of change is renewed while the server runs: so a server that cannot see whether
 * the process of another one runs, because it is in another container or on another machine, sees it by the time.
 */
export const LOCK = "server.lock"

/** Milliseconds between two renewals. */
const RENEWAL = 5_000
/** A lock that was not renewed for so many milliseconds belongs to nobody. */
const PATIENCE = 3 * RENEWAL

interface Holder extends ProcessIdentity {
  /** Name of the server; its processes share the folder. */
  readonly server: string
  /** When the lock was made, for people. */
  readonly since: string
}

interface DirectoryLock {
  /** Removes the lock if it is still this one's. */
  readonly release: () => void
}

export interface LockTimes {
  readonly renewal: number
  readonly patience: number
}

/** How a folder is taken. */
export interface LockRequest {
  readonly directory: string
  /** Name of the server; its processes share the folder. */
  readonly server: string
  /** Called when somebody takes the lock away. */
  readonly onLost: () => void
  /** Told once, in words, that the folder is waited for, and why. */
  readonly onWait?: ((text: string) => void) | undefined
  /** Ends the waiting; {@link lockDirectory} then fails with its reason. */
  readonly signal?: AbortSignal | undefined
  readonly times?: LockTimes
}

/**
 * Takes the folder for a server. A lock of the same server is shared; one that its holder left behind is replaced.
 * Where nobody can see from here whether the holder runs, it is waited for as long as the lock may go without a
 * renewal. Fails with StorageFailure when another server has the folder.
 */
export const lockDirectory = async (request: LockRequest): Promise<DirectoryLock> => {
  const { directory, onLost, onWait, server, signal, times = { renewal: RENEWAL, patience: PATIENCE } } = request
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
    // Both times are those of the folder's file system: clocks of two machines may differ.
    const age = made.now - changed(path)
    if (state === "unknown" && age <= 4 * times.patience) {
      onWait?.(waitsFor(directory, holder, times.patience))
      if (await isRenewed(path, times.patience, signal)) throw new StorageFailure(inUse(directory, holder))
    }
    replace(path, found)
  }
}

/** The open file of a lock that was made, or the time of the file system where there is a lock. */
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
      `The lock ${path} cannot be made (${(cause as Error).message}). The server must be able to write the folder of a graph; ` +
        "to only read one, set storage.read-only=true.",
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

/** When a file was changed, in milliseconds of its file system; 0 without one. */
const changed = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const holderIn = (text: string): Holder | undefined => {
  try {
    const found: Partial<Holder> = JSON.parse(text)
    return typeof found.server === "string" && typeof found.pid === "number" ? (found as Holder) : undefined
  } catch {
    return undefined
  }
}

/** Waits until the lock is renewed, or has not been for too long. */
const isRenewed = async (path: string, patience: number, signal: AbortSignal | undefined): Promise<boolean> => {
  const before = changed(path)
  for (const limit = performance.now() + patience; performance.now() < limit; ) {
    await sleep(patience / 30, undefined, { signal })
    const now = changed(path)
    if (now !== before) return now !== 0
  }
  return false
}

/** Takes away a lock that was left behind, unless another process has just replaced it. */
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
    // Somebody else has it meanwhile; whom it was taken from finds out when it renews its lock.
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Locks of this process. */
const held = new Set<() => void>()

/** process.exit() does not wait for scopes to close. */
const releaseAll = (): void => {
  for (const release of held) release()
}

/** `file`: the lock, open; a lock that somebody else has made meanwhile is another file. */
const hold = (path: string, text: string, file: number, renewal: number, onLost: () => void): DirectoryLock => {
  const isOwn = (): boolean => {
    try {
      return readFileSync(path, "utf8") === text
    } catch (error) {
      // Whatever else keeps it from being read says nothing about whose it is.
      return (error as NodeJS.ErrnoException).code !== "ENOENT"
    }
  }
  const timer = setInterval(() => {
    if (isOwn()) {
      try {
        // Writing the same once more has the file system set the time, by its own clock.
        writeSync(file, text, 0)
      } catch {
        // A folder that cannot be written for a while: commits fail by themselves.
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
