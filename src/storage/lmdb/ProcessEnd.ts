import { writeSync } from "node:fs"

/** Work at an exit of the process. */
const works = new Set<() => void>()
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

const exit = (): void => {
  for (const work of works) {
    try {
      work()
    } catch {
      // The folder cannot be written. What is left there belongs to a process that has ended.
    }
  }
  killWhileBusy()
}

const isEmpty = (): boolean => works.size + watched.size === 0

/** Returns a function that takes something out of a set, and ends the listener with the last one. */
const removal =
  <A>(set: Set<A>, member: A): (() => void) =>
  () => {
    if (set.delete(member) && isEmpty()) process.off("exit", exit)
  }

/** Does work at an exit of the process: process.exit() does not wait for stores to close. Returns a function that calls this off. */
export const atExit = (work: () => void): (() => void) => {
  if (isEmpty()) process.on("exit", exit)
  works.add(work)
  return removal(works, work)
}

/** Returns a function that does the work. An exit of the process before its call does it, too. */
export const alsoAtExit = (work: () => void): (() => void) => {
  const callOff = atExit(work)
  return () => {
    callOff()
    work()
  }
}

/**
 * Makes sure that an exit of the process ends even during a transaction of lmdb. `isBusy` returns true while a
 * transaction is open. Returns a function that ends the watch.
 */
export const watchExit = (isBusy: () => boolean): (() => void) => {
  if (isEmpty()) process.on("exit", exit)
  watched.add(isBusy)
  return removal(watched, isBusy)
}
