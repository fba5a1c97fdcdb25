import { createReadStream, createWriteStream, existsSync, lstatSync, readdirSync, statSync } from "node:fs"
import { rename, rm, rmdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"
import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { CellStore, RowChange, Table } from "../../storage/janusgraph/cells/CellStore.ts"
import { ArchiveReader, damagedBackup, writeArchive } from "../../storage/janusgraph/maintenance/archive/Archive.ts"
import { commitLater } from "../../storage/janusgraph/management/IndexBuild.ts"
import { canonical } from "../../storage/shared/CanonicalPath.ts"
import { DATA_FILE_MODE, makeFolders } from "../../storage/shared/Folders.ts"
import { syncFolder } from "../../storage/shared/Synced.ts"
import { TaggedError } from "../../structure/errors/TaggedError.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { counted, grouped, isDecompression, pause, sized, type ToolContext, ToolFailure } from "./Report.ts"
import { refuseExisting, writeWhole } from "./WholeFile.ts"

/** Bytes of the rows of one commit. */
const COMMIT_BYTES = 16 * 1024 * 1024

/**
 * Writes all cells of a snapshot of a graph into a file, while other clients may write. Returns a summary. Throws
 * ToolFailure.
 */
export const backupGraph = async (graph: GraphStore, file: string, context: ToolContext): Promise<string> => {
  if (!(graph instanceof CellGraph)) {
    throw new ToolFailure(`The graph '${graph.name}' is in memory; export it instead.`)
  }
  if (graph.core.cells.answersLater)
    throw new ToolFailure(
      `The graph '${graph.name}' is in a database: back it up with the tools of that database, such as nodetool snapshot of Cassandra.`
    )
  refuseExisting(file)
  const begin = performance.now()
  const snapshot = graph.core.cells.snapshot()
  let rows = 0
  const parts = async function* (): AsyncGenerator<Buffer> {
    const head = { graph: graph.name, created: new Date().toISOString() }
    for (const part of writeArchive(snapshot, head, (count) => {
      rows = count
    })) {
      yield part
      context.report({ stage: "backup", done: rows, total: undefined, unit: "row", note: grouped(rows) })
      await pause(context.signal)
    }
  }
  try {
    await writeWhole(file, async (temporary) => {
      makeFolders(dirname(file))
      // Level 1: higher levels are slower and compress little more.
      const output = createWriteStream(temporary, { flags: "wx", flush: true, mode: DATA_FILE_MODE })
      await pipeline(parts(), createGzip({ level: 1 }), output)
    })
  } finally {
    snapshot.close()
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  return `Backed up ${counted(rows, "row")} to ${file}, ${sized(statSync(file).size)} (${seconds} s).`
}

/** Opens a store in a folder, which is created. */
type OpenStore = (directory: string) => Promise<CellStore>

/** What an empty folder may have: the folder of a new file system, and that of a restore that was killed. */
const NO_CONTENTS: ReadonlySet<string> = new Set(["lost+found", ".restoring"])

/** True for a path, with its links resolved, that has a symbolic link which leads back to itself. */
const isLoop = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ELOOP"
  }
}

/**
 * Creates a graph in a folder from a backup. The whole backup is read and checked first, and the folder gets its name only
 * when the graph is complete. A folder that exists stays, because it may be the root of a disk: the graph is made inside of it,
 * and its files are moved when it is complete. Returns a summary. Throws ToolFailure.
 */
export const restoreGraph = async (
  file: string,
  named: string,
  open: OpenStore,
  context: ToolContext
): Promise<string> => {
  // A symbolic link to a folder on another disk stays: the graph belongs into that folder, which may not exist yet.
  const isThere = existsSync(named)
  const directory = canonical(named)
  if (!isThere && isLoop(directory))
    throw new ToolFailure(
      `${named} cannot be followed, such as a symbolic link to itself: replace it by a folder, or remove it.`
    )
  if (!existsSync(file))
    throw new ToolFailure(`${file} does not exist: name a file that the command backup has written.`)
  if (isThere && !statSync(directory).isDirectory())
    throw new ToolFailure(`${named} is no folder: name a folder that is empty or does not exist.`)
  if (isThere && readdirSync(directory).some((name) => !NO_CONTENTS.has(name))) {
    throw new ToolFailure(
      `The folder ${directory} is not empty: move its files away, or restore into an empty folder or one that does not exist.`
    )
  }
  const begin = performance.now()
  const made = isThere ? join(directory, ".restoring") : `${directory}.restoring`
  await rm(made, { recursive: true, force: true })
  try {
    await read(file, "checking", context, () => Promise.resolve())
    const store = await open(made)
    let rows: number
    try {
      rows = await fill(store, file, context)
    } finally {
      await store.close()
    }
    makeFolders(dirname(directory))
    syncFolder(made)
    if (isThere) {
      for (const name of readdirSync(made)) await rename(join(made, name), join(directory, name))
      await rmdir(made)
    } else await rename(made, directory)
    syncFolder(isThere ? directory : dirname(directory))
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    return `Restored ${counted(rows, "row")} into ${directory} (${seconds} s).`
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    if (error instanceof TaggedError) throw new ToolFailure(`${file}: ${error.message}`)
    const { code, message } = error as NodeJS.ErrnoException
    if (typeof code !== "string") throw error
    if (isDecompression(code))
      throw new ToolFailure(`${file}: ${damagedBackup(`cannot be decompressed (${message})`).message}`)
    throw new ToolFailure(`${file} cannot be restored: ${message}`)
  }
}

interface TableRow {
  readonly table: Table
  readonly row: RowChange
}

const fill = async (store: CellStore, file: string, context: ToolContext): Promise<number> => {
  let first = true
  const commit = (rows: ReadonlyArray<TableRow>): Promise<void> =>
    commitLater({ cells: store }, (batch) => {
      for (const { row, table } of rows) batch.change(table, row.key, row.changes)
      if (first) batch.advanceSchema()
      first = false
    })
  return read(file, "restoring", context, commit)
}

/** Reads a backup and passes its rows in groups to `take`. Returns their number. */
const read = async (
  file: string,
  stage: string,
  { report, signal }: ToolContext,
  take: (rows: ReadonlyArray<TableRow>) => Promise<void>
): Promise<number> => {
  let rows: Array<TableRow> = []
  let held = 0
  const reader = new ArchiveReader((table, row) => {
    rows.push({ table, row })
    for (const { column, value } of row.changes) held += column.length + (value?.length ?? 0)
  })
  const give = async (): Promise<void> => {
    const given = rows
    rows = []
    held = 0
    // A row may come in several parts; each part is a change of the row.
    await take(given)
  }
  const total = statSync(file).size
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  const plain = createGunzip({ chunkSize: 256 * 1024 })
  source.on("error", (error) => plain.destroy(error))
  for await (const piece of source.pipe(plain) as AsyncIterable<Buffer>) {
    reader.push(piece)
    if (held >= COMMIT_BYTES) await give()
    report({ stage, done: source.bytesRead, total, unit: "bytes", note: counted(reader.rows, "row") })
    await pause(signal)
  }
  reader.end()
  await give()
  return reader.rows
}
