import { randomUUID } from "node:crypto"
import { dirname } from "node:path"
import { isSame, thisProcess } from "../shared/ProcessIdentity.ts"
import { notCreated, put, read } from "./LockFile.ts"
import { openingText } from "./Opening.ts"
import { createdMarker, markersFrom, type OpeningProcess } from "./OpeningMarker.ts"

// Two processes may find the same file of a third one, which has ended. As soon as one of them has replaced it, the file names a process
// that runs, and the other one must not touch it. No system call replaces or removes a file only if it is still the same one.

/** The marker of a process that replaces or removes a file which an ended process has left in the folder. */
export const REPLACING = "server.lock.replacing"

/** After this time, in milliseconds, a wait for another process is reported. */
const NOTICE_MS = 1_000

/** "changed": the file has another text, or is gone. "busy": another process replaces a file of the folder at the moment. */
export type Replacement = "done" | "changed" | "busy"

/**
 * Changes a file with the text `found`, which names a process that has ended. One process of a folder does so at a time, also after
 * one was killed meanwhile. Throws StorageFailure when the folder cannot be written, and the error of the change.
 */
export const changeLeft = (path: string, found: string, change: () => void): Replacement => {
  const end = begun(path)
  if (end === undefined) return "busy"
  try {
    if (read(path) !== found) return "changed"
    change()
    return "done"
  } finally {
    end()
  }
}

/** Gives a file of a process that has ended another text; see {@link changeLeft}. */
export const replace = (path: string, found: string, text: string): Replacement =>
  changeLeft(path, found, () => {
    try {
      put(path, text)
    } catch (cause) {
      throw notCreated(path, cause)
    }
  })

const begun = (path: string): (() => void) | undefined => {
  const start = `${dirname(path)}/${REPLACING}`
  const own: OpeningProcess = { ...thisProcess(), opening: randomUUID() }
  try {
    const markers = markersFrom(start)
    const last = markers.at(-1)
    // This process does nothing else during a change: a marker of its own is one that it could not remove.
    const isLeft = last?.process !== undefined && isSame(last.process, own)
    return last?.counts === true && !isLeft ? undefined : createdMarker(start, markers, JSON.stringify(own))
  } catch (cause) {
    throw notCreated(path, cause)
  }
}

/**
 * Returns a function to call after each attempt that found a file of the folder "busy", at least once a second. It calls `onWait` once in
 * a wait that takes a second: a process that is stopped during a change keeps its marker.
 */
export const replacementWait = (directory: string, onWait: (text: string) => void): (() => void) => {
  let last = Number.NEGATIVE_INFINITY
  let noticeAt = 0
  return () => {
    const now = performance.now()
    if (now - last > NOTICE_MS) noticeAt = now + NOTICE_MS
    last = now
    const marker = now < noticeAt ? undefined : markersFrom(`${directory}/${REPLACING}`).at(-1)
    if (marker?.counts !== true) return
    noticeAt = Number.POSITIVE_INFINITY
    const does = "replaces a file of a process that has ended"
    onWait(`The graph in ${directory} waits for another process. ${openingText(marker, does)}`)
  }
}
