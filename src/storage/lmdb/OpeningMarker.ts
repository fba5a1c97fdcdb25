import { randomUUID } from "node:crypto"
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { type ProcessIdentity, stateOf } from "../shared/ProcessIdentity.ts"

/** The file in the folder of a graph that names the process which opens the files. */
export const OPENING = "graph.opening"
/**
 * The name of a marker that follows another one: the name of the first marker, this text, and the name of the opening that it follows. Two
 * processes cannot both make this file. The marker of a process that has ended stays until its follower has opened the files.
 */
const AFTER = ".after."
/** After this time, in milliseconds, the marker of a process that is unknown, or cannot be seen from here, no longer counts. */
export const PATIENCE_MS = 60_000

/** A process that opens the files, or does other work that one process does at a time, and the name of its opening, which is unique. */
export interface OpeningProcess extends ProcessIdentity {
  readonly opening: string
}

/** A marker in a folder. */
export interface Marker {
  readonly path: string
  /** Undefined if this process cannot read it now, or must not. */
  readonly text: string | undefined
  /** Undefined for an unknown text, and without one. */
  readonly process: OpeningProcess | undefined
  /** Whether its process still opens the files. */
  readonly counts: boolean
  /** The path of the marker that follows it. */
  readonly next: string
}

/** The text of a marker, if it can be read; undefined if there is no marker. */
const textOf = (path: string): Pick<Marker, "text"> | undefined => {
  // Nearly always there is none, and this call then takes no error.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
  try {
    return { text: readFileSync(path, "utf8") }
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ENOENT" ? undefined : { text: undefined }
  }
}

const processIn = (text: string): OpeningProcess | undefined => {
  try {
    const found: Partial<OpeningProcess> | null = JSON.parse(text)
    return /^[\w-]+$/.test(found?.opening ?? "") ? (found as OpeningProcess) : undefined
  } catch {
    return undefined
  }
}

/** `start`: the path of the first marker. */
const markerAt = (start: string, path: string): Marker | undefined => {
  const found = textOf(path)
  if (found === undefined) return undefined
  const { text } = found
  const process = text === undefined ? undefined : processIn(text)
  const { ino = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  const state = process === undefined ? "unknown" : stateOf(process)
  // A marker from the future is as old as one from the past: the clock was set back.
  const counts = state === "unknown" ? Math.abs(Date.now() - mtimeMs) < PATIENCE_MS : state === "running"
  const next = `${start}${AFTER}${process?.opening ?? `${ino}-${mtimeMs}`}`
  return { path, text, process, counts, next }
}

/** The markers from the path of the first one on, each of which follows the one before. Only the last one may count. */
export const markersFrom = (start: string): ReadonlyArray<Marker> => {
  const found: Array<Marker> = []
  for (let path = start; ; ) {
    const marker = markerAt(start, path)
    if (marker === undefined) return found
    found.push(marker)
    if (marker.counts) return found
    path = marker.next
  }
}

/**
 * Whether a file is a marker that follows none that is there: its process was killed while it removed the markers. Only for the
 * process that opens the files.
 */
export const isLeftMarker = (start: string, file: string): boolean =>
  file.startsWith(start + AFTER) && markersFrom(start).every(({ path }) => path !== file)

const removeFile = (path: string): void => rmSync(path, { force: true })

/**
 * Creates a marker that follows those from the path `start` on, none of which counts. Returns a function that removes each of them, by
 * `remove`; undefined if another process was faster. Throws the error of the system.
 */
export const createdMarker = (
  start: string,
  before: ReadonlyArray<Marker>,
  text: string,
  remove = removeFile
): (() => void) | undefined => {
  const [first] = before
  const path = before.at(-1)?.next ?? start
  const beside = `${start}.${randomUUID()}`
  try {
    writeFileSync(beside, text, { flag: "wx" })
    linkSync(beside, path)
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException
    // This process was stopped before the link, and another one has removed the file (`removeUnfinished`).
    const isRemoved = code === "ENOENT" && syscall === "link"
    if (code === "EEXIST" || isRemoved) return undefined
    throw cause
  } finally {
    removeFile(beside)
  }
  // The process that had followed the first one has ended its opening, and has removed all of the markers, the first one first.
  if (first !== undefined && markerAt(start, start)?.next !== first.next) {
    removeFile(path)
    return undefined
  }
  const known = first === undefined ? text : first.text
  return () => {
    const found = textOf(start)
    // Another process may have replaced a marker that no longer counted. One that cannot be read, for example without a free file
    // descriptor, is most probably the same: if it stayed, it would count as long as this process runs.
    if (found === undefined || (found.text !== undefined && found.text !== known)) return
    // Each once: as soon as the first one is gone, another process may have made its own under the same name.
    for (const each of new Set([start, ...before.map((marker) => marker.path), path])) remove(each)
  }
}
