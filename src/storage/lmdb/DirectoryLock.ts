import { closeSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import { parentProcess, stateOf, thisProcess } from "../shared/ProcessIdentity.ts"
import { type HeldLock, hold } from "./HeldLock.ts"
import { changed, create, type Holder, holderIn, isRenewed, LOCK, notCreated, read } from "./LockFile.ts"
import { replace, replacementWait } from "./Replacement.ts"
import { hasEnded, noteProcess, processesOf, removeLeftovers } from "./ServerProcesses.ts"
import { removeLeftWork } from "./WorkFiles.ts"

/** The time between two renewals. */
const RENEWAL_MS = 5_000
/** A lock that was not renewed for this time has expired. */
const PATIENCE_MS = 3 * RENEWAL_MS

/** A worker whose primary process has died ends within 5 s. A new server waits this long for its lock, ms. */
const ORPHANS_MS = 7_000
const ORPHANS_CHECK_MS = 100
/** The time between two attempts to replace the lock of a server that has ended, while another process replaces one, ms. */
const REPLACE_MS = 10

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
  readonly server: string
  /** True when other processes of the server may lock the folder, too. Default false. */
  readonly isShared?: boolean
  /** Called when another server has taken the lock. */
  readonly onLost: () => void
  /** Called with the reason when the call waits for the lock of another server, or a second for another process. */
  readonly onWait?: ((text: string) => void) | undefined
  /** Ends the wait: {@link lockDirectory} fails with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  readonly times?: LockTimes
}

/**
 * Locks a folder for a server. The lock of a server of several processes is shared by them, and stays until the last one has
 * released it. The lock of a holder that has ended is replaced. The call waits for a process that ends soon, because the process
 * that started it has ended. When it is unknown whether the holder runs, the call
 * waits until the lock is renewed or has expired. Fails with StorageFailure when another server uses the folder.
 */
export const lockDirectory = async (request: LockRequest): Promise<HeldLock> => {
  const { directory, isShared = false, server } = request
  const since = new Date().toISOString()
  if (!isShared) return acquire(request, { server, ...thisProcess(), since }, undefined)
  const own: Holder = { server, ...thisProcess(), parent: parentProcess(), since }
  // Noted before the lock is read: a process that releases the lock at this moment sees either the note or the lock's user.
  const forget = noted(directory, own)
  try {
    return await acquire(request, own, forget)
  } catch (cause) {
    forget()
    throw cause
  }
}

const noted = (directory: string, own: Holder): (() => void) => {
  try {
    return noteProcess(directory, own)
  } catch (cause) {
    throw notCreated(`${directory}/${LOCK}`, cause)
  }
}

/** `forget` removes the note of this process; undefined for a server of one process. */
const acquire = async (
  {
    directory,
    onLost,
    onWait = () => undefined,
    signal,
    times = { renewal: RENEWAL_MS, patience: PATIENCE_MS }
  }: LockRequest,
  own: Holder,
  forget: (() => void) | undefined
): Promise<HeldLock> => {
  const path = `${directory}/${LOCK}`
  const text = `${JSON.stringify(own)}\n`
  const events = { renewal: times.renewal, onLost, own, forget }
  const reportBusy = replacementWait(directory, onWait)
  let orphansUntil: number | undefined
  for (;;) {
    const made = create(path, text)
    if (made.file !== undefined) {
      closeSync(made.file)
      return cleaned(directory, own, hold(directory, text, events))
    }
    const found = read(path)
    if (found === undefined) continue
    const holder = holderIn(found)
    const isOfServer = holder?.server === own.server
    if (isOfServer && !hasEnded(holder, own)) return hold(directory, found, events)
    // When the lock of this server names a process that has ended, another server may be about to take it.
    const { state, user } = isOfServer ? { state: "ended", user: holder } : userOf(directory, holder, own)
    if (state === "running") {
      if (!isOrphan(user, own) || performance.now() > (orphansUntil ?? Number.POSITIVE_INFINITY))
        throw new StorageFailure(inUse(directory, user))
      if (orphansUntil === undefined) onWait(waitsForOrphan(directory, user))
      orphansUntil ??= performance.now() + ORPHANS_MS
      await sleep(ORPHANS_CHECK_MS, undefined, { signal })
      continue
    }
    // Both times come from the file system, because the clocks of two machines may differ.
    const age = made.now - changed(path)
    if (state === "unknown") {
      // The clock makes a lock old when it is set, or goes on while the machine sleeps. A server that runs then renews it soon.
      const patience = age <= 4 * times.patience ? times.patience : Math.min(2 * times.renewal, times.patience)
      onWait(waitsFor(directory, user, patience))
      if (await isRenewed(path, patience, signal)) throw new StorageFailure(inUse(directory, user))
    }
    const replaced = replace(path, found, text)
    if (replaced === "busy") {
      reportBusy()
      await sleep(REPLACE_MS, undefined, { signal })
    }
    if (replaced !== "done") continue
    const lock = hold(directory, text, events)
    return isOfServer ? lock : cleaned(directory, own, lock)
  }
}

/** Removes what earlier servers have left in a folder with a new lock. Without the folder the lock would stop the next attempt. */
const cleaned = (directory: string, own: Holder, lock: HeldLock): HeldLock => {
  try {
    removeLeftovers(directory, own)
    removeLeftWork(directory, own)
    return lock
  } catch (cause) {
    lock.release()
    throw cause
  }
}

/** A process that uses the folder, and whether it runs: the holder of the lock, or another process of its server. */
const userOf = (
  directory: string,
  holder: Holder | undefined,
  own: Holder
): { readonly state: ReturnType<typeof stateOf>; readonly user: Holder | undefined } => {
  if (holder === undefined) return { state: "unknown", user: holder }
  const state = stateOf(holder, own)
  if (state !== "ended") return { state, user: holder }
  const others = processesOf(directory, holder.server, own)
  const other = others.find((each) => each.state === "running") ?? others[0]
  return other === undefined ? { state, user: holder } : { state: other.state, user: { ...holder, ...other } }
}

/** Whether the process that started this one has ended. */
const isOrphan = (process: Holder | undefined, own: Holder): boolean =>
  process?.parent !== undefined && stateOf(process.parent, own) === "ended"

const waitsForOrphan = (directory: string, holder: Holder | undefined): string =>
  `The graph in ${directory} has the lock of ${whose(holder)}. The process that started it has ended, so it ends, too. ` +
  `Waiting up to ${ORPHANS_MS / 1000} s`

const whose = (holder: Holder | undefined): string =>
  holder === undefined
    ? "another server"
    : `another server (process ${holder.pid} on ${holder.host}, since ${holder.since})`

const waitsFor = (directory: string, holder: Holder | undefined, patience: number): string =>
  `The graph in ${directory} has the lock of ${whose(holder)}, which cannot be seen from here. Waiting up to ` +
  `${Math.ceil(patience / 1000)} s: if the lock is not renewed meanwhile, this server takes the folder`

const inUse = (directory: string, holder: Holder | undefined): string =>
  `The graph in ${directory} is in use by ${whose(holder)}. A folder belongs to one server at a time: stop that one, or ` +
  `name another folder in storage.directory. If no server uses it, remove ${directory}/${LOCK}.`
