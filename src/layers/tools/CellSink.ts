import { createHash } from "node:crypto"
import { existsSync, rmSync } from "node:fs"
import { freemem } from "node:os"
import { join } from "node:path"
import { getHeapStatistics } from "node:v8"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { CellCursor } from "../../storage/janusgraph/cells/Cells.ts"
import { readCounts } from "../../storage/janusgraph/commit/Counters.ts"
import type { VertexId } from "../../storage/janusgraph/format/Ids.ts"
import { BulkLoader } from "../../storage/janusgraph/maintenance/bulk/BulkLoader.ts"
import type { StreamedEdge, StreamedVertex } from "../../structure/GraphStream.ts"
import { ElementNotFound, UnsupportedValue } from "../../structure/StoreErrors.ts"
import { text } from "../../structure/Text.ts"
import { BEGIN, type GraphSink, type ImportPosition } from "./GraphSink.ts"
import { IdFile, type IdMap, IdsInMemory } from "./IdFile.ts"
import type { ImportOptions } from "./Import.ts"
import type { InputFile } from "./InputFiles.ts"
import { idName } from "./TransactionSink.ts"

/** Bytes of a commit where others wait for the event loop. */
const SHARED_BYTES = 256 * 1024

const MEGABYTE = 1024 * 1024

/** Bytes of a commit where nobody waits: the larger it is, the fewer times a row is written. */
const aloneBytes = (): number => Math.min(256 * MEGABYTE, Math.max(32 * MEGABYTE, freemem() / 16))

/** What a commit may take of the heap: a part of this many. */
const HEAP_SHARE = 6

const COLUMN = Buffer.from("position")

/** The row of the journal of an import, in the same store and the same commits as what is imported. */
const journalRow = (job: string): Buffer => Buffer.from(`import ${job}`)

/** A name for an import: the same for the same files, as long as they are not changed, and the same options. */
export const jobOf = (files: ReadonlyArray<InputFile>, options: ImportOptions): string =>
  createHash("sha256")
    .update(
      JSON.stringify([files.map(({ path, format, bytes, modified }) => [path, format, bytes, modified]), options])
    )
    .digest("hex")
    .slice(0, 16)

interface Journal extends ImportPosition {
  readonly commit: number
  /** Numbers of earlier commits whose ids were kept, but which did not come. */
  readonly lost: ReadonlyArray<number>
}

/** Imports into a graph over cells, past its transactions, with a journal by which an interrupted import goes on. */
export class CellSink implements GraphSink {
  readonly begun: ImportPosition
  readonly fixesCardinality = true
  readonly #graph: CellGraph
  readonly #loader: BulkLoader
  readonly #ids: IdMap
  readonly #row: Buffer
  readonly #limit: number
  /** Bytes of a commit that are on the heap of the process. */
  readonly #heapLimit = getHeapStatistics().heap_size_limit / HEAP_SHARE
  readonly #lost: Array<number>
  /** The graph was empty, and nobody else uses it. */
  readonly #isFirst: boolean
  #commit: number

  /** `directory`: where a file of ids can be kept; undefined for a graph that does not outlive the process. */
  constructor(graph: CellGraph, job: string, directory: string | undefined, shared: boolean) {
    this.#graph = graph
    this.#row = journalRow(job)
    this.#limit = shared ? SHARED_BYTES : aloneBytes()
    const file = directory === undefined ? undefined : join(directory, `import-${job}.mdb`)
    const journal = this.#journal()
    const found = file !== undefined && existsSync(file)
    if (journal !== undefined && !found) {
      throw new UnsupportedValue(
        `An import of these files was interrupted, and its file ${file} is gone: remove what it imported, or restore a backup.`
      )
    }
    this.begun = journal ?? BEGIN
    this.#isFirst = !shared && journal === undefined && this.#isEmpty()
    this.#commit = journal?.commit ?? 0
    this.#lost = [...(journal?.lost ?? [])]
    this.#ids = file === undefined ? new IdsInMemory() : this.#idFile(file, journal)
    this.#loader = new BulkLoader(graph.core, shared || journal !== undefined)
  }

  /** The ids of the commits that came; what was kept for others must not count, however often the import stops. */
  #idFile(path: string, journal: Journal | undefined): IdFile {
    // Without a journal nothing came.
    if (journal === undefined) for (const end of ["", "-lock"]) rmSync(`${path}${end}`, { force: true })
    const committed = journal?.commit ?? 0
    const lost = new Set(this.#lost)
    const ids = new IdFile(path, (commit) => commit <= committed && !lost.has(commit))
    while (this.#commit < ids.last) this.#lost.push(++this.#commit)
    return ids
  }

  #journal(): Journal | undefined {
    const snapshot = this.#graph.core.cells.snapshot()
    try {
      const cursor = new CellCursor().over(snapshot.slice({ table: "engine_counters", key: this.#row }).cells)
      if (!cursor.next()) return undefined
      return JSON.parse(Buffer.from(cursor.value()).toString()) as Journal
    } finally {
      snapshot.close()
    }
  }

  #isEmpty(): boolean {
    const snapshot = this.#graph.core.cells.snapshot()
    try {
      return readCounts(snapshot, "vertex").size === 0
    } finally {
      snapshot.close()
    }
  }

  get full(): boolean {
    const { bytes, heapBytes } = this.#loader
    return bytes + heapBytes >= this.#limit || heapBytes >= this.#heapLimit
  }

  vertex(vertex: StreamedVertex): void {
    const name = idName(vertex.id)
    if (this.#ids.get(name) !== undefined) {
      throw new UnsupportedValue(`the vertex ${text(vertex.id)} is in the files twice`)
    }
    this.#ids.set(name, this.#loader.vertex(vertex))
  }

  edge(edge: StreamedEdge): void {
    this.#loader.edge(edge, this.#end(edge.out), this.#end(edge.in))
  }

  #end(id: unknown): VertexId {
    const name = idName(id)
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    const transaction = this.#graph.begin({ readOnly: true })
    try {
      const ref = transaction.vertexRef(id)
      if (ref !== -1) {
        const there = transaction.vertexId(ref)
        const found = typeof there === "bigint" ? Number(there) : (there as VertexId)
        this.#ids.set(name, found)
        return found
      }
    } finally {
      transaction.rollback()
    }
    throw new ElementNotFound(`an edge leads to the vertex ${text(id)}, which is neither in the files nor in the graph`)
  }

  async commit(position: ImportPosition): Promise<void> {
    const commit = this.#commit + 1
    this.#ids.keep(commit)
    const value = Buffer.from(JSON.stringify({ ...position, commit, lost: this.#lost } satisfies Journal))
    await this.#loader.commit({ row: this.#row, column: COLUMN, value })
    this.#commit = commit
  }

  async finish(): Promise<void> {
    await this.#loader.commit({ row: this.#row, column: COLUMN, value: null })
    // What came in several commits wrote each row several times.
    if (this.#isFirst && this.#commit > 1) this.#graph.core.cells.rewriteWhenClosed?.()
    await this.#ids.close()
    this.#ids.remove()
  }

  async close(): Promise<void> {
    await this.#ids.close()
  }
}
