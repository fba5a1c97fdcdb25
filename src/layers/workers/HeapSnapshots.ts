import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync } from "node:fs"
import { join } from "node:path"

/** The option by which a process that runs out of heap writes a snapshot of it, and the folder of the file. */
const SNAPSHOT = /^--heapsnapshot-near-heap-limit=/
const ONE_SNAPSHOT = "--heapsnapshot-near-heap-limit=1"
/** Set to `true` by the launcher if it left out the option, because the folder had a snapshot at its start. */
const WANTED = "SERVICE_SNAPSHOT_WANTED"
const FOLDER = /^--diagnostic-dir=(.+)$/

type Environment = Readonly<Record<string, string | undefined>>

/** The heap snapshots of Node.js in a folder; none if there is no such folder. */
const snapshotsIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).filter((each) => each.endsWith(".heapsnapshot"))
  } catch {
    return []
  }
}

/** The options of a worker while the folder of snapshots has none. */
const wanted = (own: ReadonlyArray<string>, environment: Environment): ReadonlyArray<string> =>
  environment[WANTED] === "true" ? [...own, ONE_SNAPSHOT] : own

const folderOf = (options: ReadonlyArray<string>): string =>
  options.reduce((last, each) => FOLDER.exec(each)?.[1] ?? last, process.cwd())

/** The name of a snapshot has the id of its process after the date and the time. */
const OF_PROCESS = /^Heap\.\d+\.\d+\.(\d+)\./

/** V8 writes these bytes last. */
const END = "]}"

const isCutOff = (file: string): boolean => {
  const descriptor = openSync(file, "r")
  try {
    const end = Buffer.alloc(END.length)
    readSync(descriptor, end, 0, END.length, Math.max(0, fstatSync(descriptor).size - END.length))
    return end.toString("latin1") !== END
  } finally {
    closeSync(descriptor)
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
  environment: Environment = process.env
): SnapshotOptions => {
  const options = wanted(own, environment)
  if (!options.some((each) => SNAPSHOT.test(each))) return { options, existing: undefined }
  const folder = folderOf(options)
  const [existing] = snapshotsIn(folder)
  return existing === undefined
    ? { options, existing }
    : { options: options.filter((each) => !SNAPSHOT.test(each)), existing: join(folder, existing) }
}

/**
 * Removes the heap snapshot that a process was writing when it was killed: no program can read it, and it would keep all later processes
 * from writing one. Returns the rest of a sentence for the log; empty if there is none.
 *
 * @param own the options of {@link withOneSnapshot}
 * @param pid the process, which has ended
 */
export const removeCutSnapshot = (
  own: ReadonlyArray<string>,
  pid: number,
  environment: Environment = process.env
): string => {
  const options = wanted(own, environment)
  if (!options.some((each) => SNAPSHOT.test(each))) return ""
  const folder = folderOf(options)
  for (const name of snapshotsIn(folder)) {
    if (Number(OF_PROCESS.exec(name)?.[1]) !== pid) continue
    const file = join(folder, name)
    try {
      if (!isCutOff(file)) continue
      rmSync(file)
    } catch {
      // Someone else has removed it, or it stays.
      continue
    }
    return `; its heap snapshot ${file} was cut off, and is removed`
  }
  return ""
}
