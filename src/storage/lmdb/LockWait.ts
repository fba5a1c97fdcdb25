import { readFileSync } from "node:fs"
import { thisProcess } from "../shared/ProcessIdentity.ts"
import { reasonOf } from "./Failures.ts"
import { processesOf } from "./ServerProcesses.ts"

/** The time after which a wait is reported, and between two reports, in milliseconds. */
const NOTICE_MS = 10_000

/** Observes how long the transactions of a store wait for lmdb's write mutex. */
export interface LockWait {
  /** Called when a transaction is requested. Returns a function to call when it has begun. */
  readonly begin: () => () => void
}

const nothing = (): void => undefined

/** For a store that no other process writes. */
export const noLockWait: LockWait = { begin: () => nothing }

/** The parameters of {@link sharedLockWait}. */
interface LockWaitOptions {
  readonly directory: string
  /** The name of the server whose processes share the folder. */
  readonly server: string
  readonly onWait: (text: string) => void
  /** Milliseconds; default 10 s. */
  readonly notice?: number | undefined
}

/**
 * For a store that the processes of a server share: reports a wait of more than ten seconds. lmdb waits without a limit, in a thread. The
 * system releases the mutex of a process that ends, but not that of one that is stopped.
 */
export const sharedLockWait = ({ directory, notice = NOTICE_MS, onWait, server }: LockWaitOptions): LockWait => ({
  begin: () => {
    let waited = 0
    const timer = setInterval(() => {
      waited += notice
      onWait(reportOf(directory, server, waited))
    }, notice)
    timer.unref()
    return () => clearInterval(timer)
  }
})

const reportOf = (directory: string, server: string, waited: number): string => {
  try {
    return waitText(directory, server, waited)
  } catch (cause) {
    // The folder cannot be read, perhaps because it was removed.
    return `Commits to the graph in ${directory} have waited for ${Math.round(waited / 1000)} s (${reasonOf(cause)})`
  }
}

const waitText = (directory: string, server: string, waited: number): string => {
  const others = processesOf(directory, server, thisProcess()).filter(({ pid }) => pid !== process.pid)
  const stopped = others.find(({ pid }) => isStopped(pid))
  const begin = `Commits to the graph in ${directory} have waited for LMDB's write lock for ${Math.round(waited / 1000)} s. `
  if (stopped === undefined)
    return `${begin}Another process of this server holds it: ${others.map(({ pid }) => pid).join(", ")}`
  return (
    `${begin}Process ${stopped.pid} of this server is stopped. Continue it (kill -CONT ${stopped.pid}) or end it ` +
    `(kill -KILL ${stopped.pid}): the commits then go on, and those that were answered are kept`
  )
}

/** True for a process that a signal has stopped. False where the system does not tell it. */
const isStopped = (pid: number): boolean => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1")
    return /^[Tt]/.test(line.slice(line.lastIndexOf(")") + 2))
  } catch {
    return false
  }
}
