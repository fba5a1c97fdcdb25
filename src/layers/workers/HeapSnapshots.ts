import { readdirSync } from "node:fs"
import { join } from "node:path"

/** The option by which a process that runs out of heap writes a snapshot of it, and the folder of the file. */
const SNAPSHOT = /^--heapsnapshot-near-heap-limit=/
const ONE_SNAPSHOT = "--heapsnapshot-near-heap-limit=1"
/** Set to `true` by the launcher if it left out the option, because the folder had a snapshot at its start. */
const WANTED = "SERVICE_SNAPSHOT_WANTED"
const FOLDER = /^--diagnostic-dir=(.+)$/

/** A heap snapshot of Node.js in a folder; undefined if there is none, or no such folder. */
const snapshotIn = (folder: string): string | undefined => {
  try {
    const name = readdirSync(folder).find((each) => each.endsWith(".heapsnapshot"))
    return name === undefined ? undefined : join(folder, name)
  } catch {
    return undefined
  }
}

/** Options of Node.js, and the heap snapshot because of which the option for another one is left out. */
interface SnapshotOptions {
  readonly options: ReadonlyArray<string>
  readonly existing: string | undefined
}

/**
 * The options of a process that starts: it writes no heap snapshot if the folder of snapshots has one at this time. A snapshot is as
 * large as the heap, and a request that kills one worker after the other would fill the disk, which may be that of the graph.
 */
export const withOneSnapshot = (
  own: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>> = process.env
): SnapshotOptions => {
  const options = environment[WANTED] === "true" ? [...own, ONE_SNAPSHOT] : own
  if (!options.some((each) => SNAPSHOT.test(each))) return { options, existing: undefined }
  const folder = options.reduce((last, each) => FOLDER.exec(each)?.[1] ?? last, process.cwd())
  const existing = snapshotIn(folder)
  return existing === undefined
    ? { options, existing }
    : { options: options.filter((each) => !SNAPSHOT.test(each)), existing }
}
