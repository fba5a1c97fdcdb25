import { writeSync } from "node:fs"

/** One function for each open store: returns true while a transaction of lmdb is open. */
const watched = new Set<() => boolean>()

const STDERR = 2

/**
 * The last step of an exit during a transaction. Node.js would join the thread of the transaction, which waits for the
 * event loop, which has ended: the process would never end, and never release lmdb's write mutex. A process that is
 * killed releases the mutex, and the transaction is rolled back.
 */
const killWhileBusy = (): void => {
  if (![...watched].some((isBusy) => isBusy())) return
  try {
    writeSync(STDERR, "The process exits during a commit: it kills itself, and the commit is rolled back.\n")
  } catch {
    // Standard error may be closed.
  }
  process.kill(process.pid, "SIGKILL")
  // The kernel does not let the first process of a container kill itself, but lets it crash.
  process.abort()
}

/**
 * Makes sure that an exit of the process ends even during a transaction of lmdb. `isBusy` returns true while a
 * transaction is open. Returns a function that ends the watch. Call it after registering the exit listeners that must
 * run before.
 */
export const watchExit = (isBusy: () => boolean): (() => void) => {
  if (watched.size === 0) process.on("exit", killWhileBusy)
  watched.add(isBusy)
  return () => {
    watched.delete(isBusy)
    if (watched.size === 0) process.off("exit", killWhileBusy)
  }
}
