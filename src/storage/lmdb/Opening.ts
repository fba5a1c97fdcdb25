import { randomUUID } from "node:crypto"
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { type ProcessIdentity, stateOf, thisProcess } from "../shared/ProcessIdentity.ts"

// No process may commit while another one opens the files. When lmdb opens them, it writes the number of the newest transaction into
// its lock file, as it has read the number before, and without a lock (mdb_env_open2 of lmdb-js 3.5.6: mti_txnid). If a commit ends in
// between, the next transaction begins from the state before it, and the commit is lost.

/** The file in the folder of a graph that names the process which opens the files. */
const MARKER = "graph.opening"
/** The time between two checks of the marker, in milliseconds. */
const POLL_MS = 2
/** After this time, in milliseconds, the marker of a process that is unknown, or cannot be seen from here, no longer counts. */
const PATIENCE_MS = 60_000
/** After this time, in milliseconds, a wait is reported. */
const NOTICE_MS = 1_000
/** The errors of a folder that this process must not write. */
const FORBIDDEN: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"])

const pathIn = (directory: string): string => `${directory}/${MARKER}`

/** The text of a marker; undefined if there is none. A marker that this process must not read has an unknown process. */
const textOf = (path: string): string | undefined => {
  // Nearly always there is none, and this call then takes no error.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ENOENT" ? undefined : ""
  }
}

const processIn = (text: string): ProcessIdentity | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether the process of a marker still opens the files. */
const counts = (text: string, path: string): boolean => {
  const process = processIn(text)
  const state = process === undefined ? "unknown" : stateOf(process)
  if (state !== "unknown") return state === "running"
  // A marker from the future is as old as one from the past: the clock was set back.
  return Math.abs(Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)) < PATIENCE_MS
}

/** Whether another process opens the files of a folder. Commits must wait then. */
export const isBeingOpened = (directory: string): boolean => {
  const path = pathIn(directory)
  const text = textOf(path)
  // lmdb opens the files of a process once.
  return text !== undefined && processIn(text)?.pid !== process.pid && counts(text, path)
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

/** Creates a marker, or replaces that of a process that has ended. False if another process has created one meanwhile. */
const marked = (path: string, text: string): boolean => {
  const beside = `${path}.${randomUUID()}`
  try {
    writeFileSync(beside, text, { flag: "wx" })
    // A folder is never without the marker of a process that opens the files: a marker is replaced in one step.
    if (textOf(path) === undefined) linkSync(beside, path)
    else renameSync(beside, path)
    return textOf(path) === text
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false
    throw cause
  } finally {
    rmSync(beside, { force: true })
  }
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
  const path = pathIn(directory)
  const noticeAt = performance.now() + NOTICE_MS
  let isNoticed = false
  let text = JSON.stringify({ ...thisProcess(), opening: randomUUID() })
  for (;;) {
    const found = textOf(path)
    try {
      if ((found === undefined || !counts(found, path)) && marked(path, text)) {
        return () => {
          if (textOf(path) === text) rmSync(path, { force: true })
        }
      }
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (FORBIDDEN.has(code)) return () => undefined
      // A full disk has room for an empty file.
      if (code !== "ENOSPC" || text === "") throw cause
      text = ""
    }
    if (!isNoticed && performance.now() >= noticeAt) {
      isNoticed = true
      onWait(waitText(path))
    }
    await sleep(POLL_MS, undefined, { signal })
  }
}

const waitText = (path: string): string => {
  const process = processIn(textOf(path) ?? "")
  return process?.pid === undefined
    ? `${path} names no process that opens the files of the graph. Waiting until the file is ${PATIENCE_MS / 1000} s old; remove it if no process opens the files`
    : `The process ${process.pid} opens the files of the graph (${path}). Waiting until it has opened them, or has ended`
}
