import { reasonOf } from "../../structure/errors/Reason.ts"
import { isStopped, thisProcess } from "../shared/ProcessIdentity.ts"
import { openingText, otherOpening } from "./Opening.ts"
import { remedyFor } from "./Remedy.ts"
import { processesOf } from "./ServerProcesses.ts"
import { mutexHolder } from "./WriteMutex.ts"

/** The time after which a wait is reported, and between two reports, in milliseconds. */
const NOTICE_MS = 10_000

/** Observes how long the transactions of a store wait for other processes. */
export interface LockWait {
  /** Called when a transaction is requested. Returns a function to call when it has begun. */
  readonly begin: () => () => void
}

/** Reports nothing. */
export const noLockWait: LockWait = { begin: () => () => undefined }

/** The parameters of {@link reportedLockWait}. */
interface LockWaitOptions {
  readonly directory: string
  /** The name of the server whose processes share the folder; undefined for a server of one process. */
  readonly server: string | undefined
  readonly onWait: (text: string) => void
  /** Milliseconds; default 10 s. */
  readonly notice?: number | undefined
}

/**
 * Reports a wait of more than ten seconds. lmdb waits for its write mutex without a limit, in a thread. The system releases the mutex
 * of a process that ends, but not that of one that is stopped. Nor does a process that is stopped end its opening of the files.
 */
export const reportedLockWait = ({ directory, notice = NOTICE_MS, onWait, server }: LockWaitOptions): LockWait => ({
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

const reportOf = (directory: string, server: string | undefined, waited: number): string => {
  const begin = `Commits to the graph in ${directory} have waited`
  const time = `for ${Math.round(waited / 1000)} s`
  try {
    const opening = otherOpening(directory)
    return opening === undefined
      ? `${begin} for LMDB's write lock ${time}. ${holderText(directory, server)}`
      : `${begin} ${time}. ${openingText(opening)}`
  } catch (cause) {
    // The folder cannot be read, perhaps because it was removed.
    return `${begin} ${time} (${reasonOf(cause)})`
  }
}

const holderText = (directory: string, server: string | undefined): string => {
  const holder = mutexHolder(directory)?.pid
  if (holder !== undefined) return `Process ${holder} holds it. ${remedyFor(holder)}`
  // The holder cannot be seen from here. It may be any other process of this server.
  const pids = processesOf(directory, server ?? "", thisProcess()).flatMap(({ pid }) =>
    pid === process.pid ? [] : [pid]
  )
  const stopped = pids.find(isStopped)
  if (stopped !== undefined) return `Process ${stopped} may hold it. ${remedyFor(stopped)}`
  return pids.length === 0 ? "Another process holds it" : `One of these processes may hold it: ${pids.join(", ")}`
}
