import { setTimeout as sleep } from "node:timers/promises"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import { newestTransaction } from "./FileLength.ts"
import { locksOn, systemText } from "./FileLocks.ts"
import { FILE } from "./GraphFiles.ts"
import { owningThread } from "./MutexOwner.ts"
import { remedyFor } from "./Remedy.ts"

/** A process that holds lmdb's write mutex. */
interface MutexHolder {
  readonly pid: number
  /** The name of its program; empty when the system does not provide it. */
  readonly program: string
}

/** The times of a wait for lmdb's write mutex, in milliseconds. */
interface MutexTimes {
  /** The time between two checks of the mutex. */
  readonly poll: number
  /** The time after which the wait is reported. */
  readonly notice: number
  /** The time after which the wait fails. */
  readonly limit: number
}

const TIMES: MutexTimes = { poll: 50, notice: 1_000, limit: 60_000 }

const lockFileOf = (directory: string): string => `${directory}/${FILE}-lock`

/**
 * True when a process has the lock file open: lmdb then holds a lock of the system on it. Without this check the thread
 * id in a lock file from before a reboot could match an unrelated process.
 */
const hasOpen = (owner: number, directory: string): boolean =>
  locksOn(lockFileOf(directory)).some(({ pid }) => pid === owner)

const processOf = (thread: number, directory: string): MutexHolder | undefined => {
  const pid = Number(/^Tgid:\s+(\d+)/m.exec(systemText(`/proc/${thread}/status`))?.[1] ?? 0)
  if (pid === 0 || pid === process.pid || !hasOpen(pid, directory)) return undefined
  return { pid, program: systemText(`/proc/${pid}/comm`).trim() }
}

/**
 * The other process that holds lmdb's write mutex of a folder; this call does not wait. Undefined when the mutex is
 * free or the holder is unknown: outside of Linux, and for processes that this one cannot see.
 */
export const mutexHolder = (directory: string): MutexHolder | undefined => {
  const thread = owningThread(lockFileOf(directory))
  return thread === undefined || thread === 0 ? undefined : processOf(thread, directory)
}

const named = ({ pid, program }: MutexHolder): string => `process ${pid}${program === "" ? "" : ` (${program})`}`

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`

/**
 * Waits until no other process holds lmdb's write mutex of a folder, or a commit has completed since the call: a process that
 * commits all the time is rarely seen without the mutex, but others get it between its commits. lmdb's own wait has no limit,
 * and blocks the event loop, so that signals have no effect. `onWait` is called once, after a second. Fails with StorageFailure after a
 * minute, and with the reason of `signal` when that is aborted.
 */
export const awaitWriteMutex = async (
  directory: string,
  onWait: (text: string) => void,
  signal: AbortSignal | undefined,
  { limit, notice, poll }: MutexTimes = TIMES
): Promise<void> => {
  const begun = performance.now()
  const before = newestTransaction(`${directory}/${FILE}`)
  let isTold = false
  for (let holder = mutexHolder(directory); holder !== undefined; holder = mutexHolder(directory)) {
    if (newestTransaction(`${directory}/${FILE}`) !== before) return
    const waited = performance.now() - begun
    if (waited >= limit) {
      throw new StorageFailure(
        `The graph in ${directory} cannot be opened: ${named(holder)} has held LMDB's write lock for ${seconds(waited)}. ` +
          `${remedyFor(holder.pid)}. Then start again.`
      )
    }
    if (waited >= notice && !isTold) {
      isTold = true
      onWait(
        `The graph in ${directory} cannot be opened yet: ${named(holder)} holds LMDB's write lock. The start fails when it ` +
          `has waited for ${seconds(limit)}`
      )
    }
    await sleep(poll, undefined, { signal })
  }
}

const signals = ["SIGTERM", "SIGINT"] as const

/**
 * Runs work that may wait for the write mutex in a native call, during which listeners of signals cannot run. Unless
 * the mutex is known to be free, SIGTERM and SIGINT get their default disposition for that time, and end the process.
 */
export const interruptibly = <A>(directory: string, work: () => A): A => {
  if (owningThread(lockFileOf(directory)) === 0) return work()
  const listeners = signals.map((signal) => [signal, process.rawListeners(signal)] as const)
  for (const signal of signals) process.removeAllListeners(signal)
  try {
    return work()
  } finally {
    for (const [signal, removed] of listeners) {
      for (const listener of removed) process.on(signal, listener as NodeJS.SignalsListener)
    }
  }
}
