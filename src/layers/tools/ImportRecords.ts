import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { SliceQuery } from "../../storage/janusgraph/cells/CellStore.ts"
import { CellCursor, type Cells } from "../../storage/janusgraph/cells/Cells.ts"
import { commitLater } from "../../storage/janusgraph/management/IndexBuild.ts"
import { readWhole } from "../../storage/janusgraph/schema/SchemaRead.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import type { ElementCounts } from "./ImportCounts.ts"
import type { ImportPosition } from "./ImportTarget.ts"

/** A file of an import, as it was when it was imported. */
export interface ImportedFile {
  readonly path: string
  /** Bytes of the decompressed contents. */
  readonly bytes: number
  /** SHA-256 of the decompressed contents, in hexadecimal digits. */
  readonly digest: string
}

/** The record of an import, stored in the graph. */
export interface ImportRecord {
  readonly state: "begun" | "finished"
  /** The files with records. */
  readonly files: ReadonlyArray<ImportedFile>
  /** Start and end, ISO 8601. */
  readonly began: string
  readonly ended?: string
  /** Its last committed position. */
  readonly position: ImportPosition
  /** Elements after the position whose commit had begun: none, a part or all of them are in the graph. Absent when there are none. */
  readonly unsure?: ElementCounts
  /** The label for edges without one; null when its options have named none but the default. */
  readonly edgeLabel?: string | null
  /** The data with which it resumes; absent when it cannot. */
  readonly resume?: ImportCommits
}

/** The commits of an import with a file of ids. */
export interface ImportCommits {
  /** Number of the last applied commit. */
  readonly commit: number
  /** Numbers of earlier commits whose ids were stored, but which were not applied. */
  readonly lost: ReadonlyArray<number>
}

/** The import records of a graph, by job. */
export interface ImportRecords {
  read(): Promise<ReadonlyMap<string, ImportRecord>>
  /** Writes records; null removes one. */
  write(records: ReadonlyMap<string, ImportRecord | null>): Promise<void>
}

/** The row of the records in the store of a graph over cells. Each import has a column. */
export const RECORDS_ROW: Uint8Array = Buffer.from("imports")

/** The cell of a record. */
export const recordCell = (
  job: string,
  record: ImportRecord | null
): { readonly column: Uint8Array; readonly value: Uint8Array | null } => ({
  column: Buffer.from(job),
  value: record === null ? null : Buffer.from(JSON.stringify(record))
})

class CellRecords implements ImportRecords {
  readonly #graph: CellGraph

  constructor(graph: CellGraph) {
    this.#graph = graph
  }

  async read(): Promise<ReadonlyMap<string, ImportRecord>> {
    const cursor = new CellCursor().over(await this.#cells())
    const records = new Map<string, ImportRecord>()
    while (cursor.next()) {
      const name = Buffer.from(cursor.bytes.subarray(cursor.columnStart, cursor.columnEnd)).toString()
      records.set(name, JSON.parse(Buffer.from(cursor.value()).toString()) as ImportRecord)
    }
    return records
  }

  async #cells(): Promise<Cells> {
    const { cells } = this.#graph.core
    const query: SliceQuery = { table: "engine_counters", key: RECORDS_ROW }
    const snapshot = cells.snapshot()
    try {
      if (!cells.answersLater) return readWhole((slice) => snapshot.slice(slice))(query)
      const [page] = await snapshot.fetch([query])
      return page!.cells
    } finally {
      snapshot.close()
    }
  }

  async write(records: ReadonlyMap<string, ImportRecord | null>): Promise<void> {
    const changes = [...records].sort(([a], [b]) => (a < b ? -1 : 1)).map(([job, record]) => recordCell(job, record))
    if (changes.length === 0) return
    await commitLater(this.#graph.core, (batch) => {
      this.#graph.core.assertWritable()
      batch.change("engine_counters", RECORDS_ROW, changes)
    })
  }
}

/** Records of graphs that end with the process. */
const inMemory = new WeakMap<GraphStore, Map<string, ImportRecord>>()

class MemoryRecords implements ImportRecords {
  readonly #records: Map<string, ImportRecord>

  constructor(graph: GraphStore) {
    const known = inMemory.get(graph)
    this.#records = known ?? new Map()
    if (known === undefined) inMemory.set(graph, this.#records)
  }

  read(): Promise<ReadonlyMap<string, ImportRecord>> {
    return Promise.resolve(new Map(this.#records))
  }

  write(records: ReadonlyMap<string, ImportRecord | null>): Promise<void> {
    for (const [job, record] of records) {
      if (record === null) this.#records.delete(job)
      else this.#records.set(job, record)
    }
    return Promise.resolve()
  }
}

/** The records of a graph: in its store for a graph over cells, otherwise in this process. */
export const recordsOf = (graph: GraphStore): ImportRecords =>
  graph instanceof CellGraph ? new CellRecords(graph) : new MemoryRecords(graph)
