import { randomUUID } from "node:crypto"
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { StorageFailure } from "../../structure/StoreErrors.ts"
import { type ProcessIdentity, stateOf, thisProcess } from "./ProcessIdentity.ts"

/**
 * The file in the folder of a graph that names the server to which the folder belongs. It is made by linking, which only
 * one process can do, and its time of change is renewed while the server runs: so a server that cannot see whether the
 * process of another one runs, because it is in another container or on another machine, sees it by the time.
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

export interface DirectoryLock {
  /** Removes the lock if it is still this one's. */
  readonly release: () => void
}

export interface LockTimes {
  readonly renewal: number
  readonly patience: number
}

/**
 * Takes the folder for a server. A lock of the same server is shared; one that its holder left behind is replaced. Fails
 * with StorageFailure when another server has the folder. `onLost` is called when somebody takes the lock away.
 */
export const lockDirectory = async (
  directory: string,
  server: string,
  onLost: () => void,
  { renewal, patience }: LockTimes = { renewal: RENEWAL, patience: PATIENCE }
): Promise<DirectoryLock> => {
  const path = `${directory}/${LOCK}`
  const own: Holder = { server, ...thisProcess(), since: new Date().toISOString() }
  const text = `${JSON.stringify(own)}\n`
  for (;;) {
    if (create(path, text)) return hold(path, text, renewal, onLost)
    const found = read(path)
    if (found === undefined) continue
    const holder = holderIn(found)
    if (holder?.server === server) return { release: () => undefined }
    const state = holder === undefined ? "unknown" : stateOf(holder, own)
    if (state === "running" || (state === "unknown" && (await isRenewed(path, patience)))) {
      throw new StorageFailure(inUse(directory, holder))
    }
    replace(path, found)
  }
}

/** False when there is a lock. */
const create = (path: string, text: string): boolean => {
  const beside = `${path}.${randomUUID()}`
  try {
    writeFileSync(beside, text, { flag: "wx" })
    linkSync(beside, path)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false
    throw new StorageFailure(
      `The lock ${path} cannot be made (${(cause as Error).message}). The server must be able to write the folder of a graph; ` +
        "to only read one, set storage.read-only=true.",
      { cause }
    )
  } finally {
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

const holderIn = (text: string): Holder | undefined => {
  try {
    const found: Partial<Holder> = JSON.parse(text)
    return typeof found.server === "string" && typeof found.pid === "number" ? (found as Holder) : undefined
  } catch {
    return undefined
  }
}

/** Waits until the lock is renewed, or has not been for too long. */
const isRenewed = async (path: string, patience: number): Promise<boolean> => {
  const changed = (): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const before = changed()
  // Clocks of two machines may differ a little, so that a lock that looks very old is not waited for, others are.
  if (Date.now() - before > 4 * patience) return false
  for (const limit = performance.now() + patience; performance.now() < limit; ) {
    await new Promise((resolve) => setTimeout(resolve, patience / 30))
    const now = changed()
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

const hold = (path: string, text: string, renewal: number, onLost: () => void): DirectoryLock => {
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
        utimesSync(path, new Date(), new Date())
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
    clearInterval(timer)
    held.delete(release)
    if (held.size === 0) process.off("exit", releaseAll)
    if (read(path) === text) rmSync(path, { force: true })
  }
  if (held.size === 0) process.on("exit", releaseAll)
  held.add(release)
  return { release }
}

const inUse = (directory: string, holder: Holder | undefined): string => {
  const whose =
    holder === undefined
      ? "another server"
      : `another server (process ${holder.pid} on ${holder.host}, since ${holder.since})`
  return (
    `The graph in ${directory} is in use by ${whose}. A folder belongs to one server at a time: stop that one, or name ` +
    `another folder in storage.directory. If no server uses it, remove ${directory}/${LOCK}.`
  )
}
