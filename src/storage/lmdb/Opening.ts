import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { thisProcess } from "../shared/ProcessIdentity.ts"
import { createdMarker, MARKER, markersIn, type OpeningProcess, PATIENCE_MS } from "./OpeningMarker.ts"

// No process may commit while another one opens the files. When lmdb opens them, it writes the number of the newest transaction into
// its lock file, as it has read the number before, and without a lock (mdb_env_open2 of lmdb-js 3.5.6: mti_txnid). If a commit ends in
// between, the next transaction begins from the state before it, and the commit is lost.

/** The time between two checks of the marker, in milliseconds. */
const POLL_MS = 2
/** After this time, in milliseconds, a process closes the files although another one opens them. */
const CLOSING_MS = 10_000
/** After this time, in milliseconds, a wait is reported. */
const NOTICE_MS = 1_000
/** The errors of a folder that this process must not write. */
const FORBIDDEN: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"])

/** Whether another process opens the files of a folder. Commits must wait then. */
export const isBeingOpened = (directory: string): boolean => {
  const last = markersIn(directory).at(-1)
  // lmdb opens the files of a process once.
  return last?.counts === true && !(last.process?.pid === process.pid && isOwn(last.process))
}

/** Whether a process with the id of this one is this one. In another container, another process may have the same id. */
const isOwn = ({ boot, namespace }: OpeningProcess): boolean => {
  const own = thisProcess()
  return boot === own.boot && namespace === own.namespace
}

/** Waits until no other process opens the files of a folder. */
export const openingEnded = async (directory: string): Promise<void> => {
  while (isBeingOpened(directory)) await sleep(POLL_MS)
}

/** Like {@link openingEnded}, for a synchronous commit. Blocks the event loop. */
export const awaitOpeningNow = (directory: string): void => {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  while (isBeingOpened(directory)) Atomics.wait(cell, 0, 0, POLL_MS)
}

/**
 * Announces that this process opens the files of a folder: later commits of other processes wait. Returns a function that ends the
 * opening. Commits that run already must end before the files are opened (`awaitWriteMutex`). Processes open the files one after
 * another. A folder that this process must not write gets no marker, and lmdb writes no lock file there. `onWait` gets a text if
 * the wait for another process takes a second.
 */
export const announceOpening = async (
  directory: string,
  signal: AbortSignal | undefined,
  onWait: (text: string) => void = () => undefined
): Promise<() => void> => {
  const noticeAt = performance.now() + NOTICE_MS
  let isNoticed = false
  const own: OpeningProcess = { ...thisProcess(), opening: randomUUID() }
  let text = JSON.stringify(own)
  for (;;) {
    const markers = markersIn(directory)
    try {
      const ended = markers.at(-1)?.counts === true ? undefined : createdMarker(directory, markers, text)
      if (ended !== undefined) return ended
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (FORBIDDEN.has(code)) return () => undefined
      // A full disk has room for an empty file.
      if (code !== "ENOSPC" || text === "") throw cause
      text = ""
    }
    if (!isNoticed && performance.now() >= noticeAt) {
      isNoticed = true
      onWait(waitText(directory))
    }
    await sleep(POLL_MS, undefined, { signal })
  }
}

/**
 * Announces that this process closes the files of a folder, as an opening: the last process destroys lmdb's mutexes, and one that
 * opens the files meanwhile would use them. Returns a function that ends the closing. Waits for an opening, but not without a limit.
 */
export const announceClosing = async (directory: string): Promise<() => void> => {
  try {
    return await announceOpening(directory, AbortSignal.timeout(CLOSING_MS))
  } catch {
    // The process that opens the files is stopped, or the folder cannot be written. A process that ends must not wait for either.
    return () => undefined
  }
}

const waitText = (directory: string): string => {
  const path = `${directory}/${MARKER}`
  const pid = markersIn(directory).at(-1)?.process?.pid
  return pid === undefined
    ? `${path} names no process that opens the files of the graph. Waiting until the file is ${PATIENCE_MS / 1000} s old; remove it if no process opens the files`
    : `The process ${pid} opens the files of the graph (${path}). Waiting until it has opened them, or has ended`
}
