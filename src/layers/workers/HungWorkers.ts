import { readFileSync } from "node:fs"
import { holdsWriteMutex } from "../../storage/lmdb/MutexOwner.ts"
import type { WorkerLink } from "./WorkerLink.ts"

/** Time between two looks, ms. */
const LOOK_MS = 10_000

/** The part of this time that a worker has for its answer: the next look comes after it. */
const ANSWER_SHARE = 0.8

/** Looks in a row without an answer after which a worker does not run: its event loop has done nothing for 30 s. */
const SILENT_LOOKS = 3

/** What {@link watchHungWorkers} needs of the primary process. */
interface HungWorkersParts {
  /** The workers that run now. */
  readonly workers: () => ReadonlyArray<WorkerLink>
  readonly log: (text: string) => void
  /** Milliseconds; default 10 s. */
  readonly lookMs?: number
}

/** True for a process that another one traces, such as a debugger. False where the system does not tell it. */
const isTraced = (pid: number): boolean => {
  try {
    return /^TracerPid:\s+[1-9]/m.test(readFileSync(`/proc/${pid}/status`, "latin1"))
  } catch {
    return false
  }
}

/**
 * Ends workers that hold LMDB's write lock and do not run: those that are stopped, or write a heap snapshot. All other workers would wait
 * for the lock without a limit. No commit that was answered is lost: it is on the disk, and the system frees the lock of a process that
 * ends. Workers that do not run without the lock stay: they delay only their own clients. Returns a function that ends the watch.
 */
export const watchHungWorkers = ({ log, lookMs = LOOK_MS, workers }: HungWorkersParts): (() => void) => {
  const silent = new WeakMap<WorkerLink, number>()
  /** Those that had opened a debugger at their last answer. It may stop them for any time. */
  const debugged = new WeakSet<WorkerLink>()
  const look = async (link: WorkerLink): Promise<void> => {
    const answers = await link.channel.ask("alive", null, ANSWER_SHARE * lookMs).then(
      (answer) => {
        if (answer === "debugger") debugged.add(link)
        else debugged.delete(link)
        return true
      },
      () => false
    )
    const looks = answers ? 0 : (silent.get(link) ?? 0) + 1
    silent.set(link, looks)
    if (looks < SILENT_LOOKS || link.state === "ended") return
    if (debugged.has(link) || isTraced(link.pid) || !holdsWriteMutex(link.pid)) return
    log(
      `Worker ${link.number} (process ${link.pid}) has not run for ${(looks * lookMs) / 1000} s and holds LMDB's write lock, for which all commits ` +
        "to a graph wait: it is ended. Commits that were answered are kept"
    )
    link.signal("SIGKILL")
  }
  const asked = new WeakSet<WorkerLink>()
  const timer = setInterval(() => {
    for (const link of workers()) {
      // A worker that starts does not answer yet.
      if (!link.hasServed || link.state === "ended" || asked.has(link)) continue
      asked.add(link)
      void look(link).finally(() => asked.delete(link))
    }
  }, lookMs)
  timer.unref()
  return () => clearInterval(timer)
}
