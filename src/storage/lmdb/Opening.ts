import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { isSame, stateOf, thisProcess } from "../shared/ProcessIdentity.ts"
import { NO_HARD_LINKS } from "./HardLinks.ts"
import { createdMarker, type Marker, markersFrom, OPENING, type OpeningProcess, PATIENCE_MS } from "./OpeningMarker.ts"
import { alsoAtExit } from "./ProcessEnd.ts"
import { remedyFor } from "./Remedy.ts"

// No process may commit while another one opens the files. When lmdb opens them, it writes the number of the newest transaction into
// its lock file, as it has read the number before, and without a lock (mdb_env_open2 of lmdb-js 3.5.6: mti_txnid). If a commit ends in
// between, the next transaction begins from the state before it, and the commit is lost.

/** The time between two checks of the marker, in milliseconds. */
const POLL_MS = 2
/** After this time, in milliseconds, a process closes the files although another one opens them. */
const CLOSING_MS = 10_000
/** After this time, in milliseconds, a wait is reported. */
const NOTICE_MS = 1_000
/** The errors of a folder that this process must not write, or where no process writes a graph, because there are no hard links. */
const FORBIDDEN: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS", ...NO_HARD_LINKS])

/** The marker of another process that opens the files of a folder; undefined if none does. Commits must wait for it. */
export const otherOpening = (directory: string): Marker | undefined => {
  const last = markersFrom(`${directory}/${OPENING}`).at(-1)
  // lmdb opens the files of a process once.
  if (last?.counts !== true) return undefined
  return last.process?.pid === process.pid && isSame(last.process, thisProcess()) ? undefined : last
}

/** Whether another process opens the files of a folder. */
export const isBeingOpened = (directory: string): boolean => otherOpening(directory) !== undefined

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
  const start = `${directory}/${OPENING}`
  const noticeAt = performance.now() + NOTICE_MS
  let isNoticed = false
  const own: OpeningProcess = { ...thisProcess(), opening: randomUUID() }
  let text = JSON.stringify(own)
  for (;;) {
    const markers = markersFrom(start)
    try {
      const ended = markers.at(-1)?.counts === true ? undefined : createdMarker(start, markers, text)
      // A process in another container would wait a minute for one that it cannot see.
      if (ended !== undefined) return alsoAtExit(ended)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (FORBIDDEN.has(code)) return () => undefined
      // A full disk has room for an empty file.
      if (code !== "ENOSPC" || text === "") throw cause
      text = ""
    }
    if (!isNoticed && performance.now() >= noticeAt) {
      isNoticed = true
      onWait(waitText(directory, markers.at(-1)))
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

const waitText = (directory: string, marker: Marker | undefined): string =>
  `The graph in ${directory} cannot be opened yet. ${marker === undefined ? "Other processes open its files" : openingText(marker)}`

/**
 * Says which process opens the files of a graph, and what to do if it does not go on.
 *
 * @param does what the process does, for a marker of other work
 */
export const openingText = ({ path, process }: Marker, does = "opens the files of the graph"): string => {
  const patience = `Other processes wait until ${path} is ${PATIENCE_MS / 1000} s old`
  if (process === undefined)
    return `${path} names no process that ${does}. ${patience}; remove it if there is no such process`
  const { host, pid } = process
  return stateOf(process) === "unknown"
    ? `Process ${pid} on ${host}, which cannot be seen from here, ${does}. Let it go on, or end it. ${patience}`
    : `Process ${pid} ${does} (${path}). ${remedyFor(pid)}`
}
