import { deserialize, serialize } from "node:v8"
import type {
  CellBatch,
  CellChange,
  CountedKind,
  Page,
  RowChange,
  SliceQuery,
  Table
} from "../../janusgraph/cells/CellStore.ts"
import { type Cells, sameBytes } from "../../janusgraph/cells/Cells.ts"
import { changeCounts, readCountsOf } from "../../janusgraph/commit/Counters.ts"
import { RowChanges } from "../../janusgraph/commit/RowChanges.ts"
import { FILE_BYTES } from "./HandedFile.ts"

/** A read of a commit, and the cells that it returned. */
interface HandedRead {
  readonly query: SliceQuery
  readonly bytes: Uint8Array
  readonly more: boolean
}

/** A write of a commit: changes of a row, the removal of a row (`changes` is null), or changes of element counts. */
type HandedWrite =
  | { readonly table: Table; readonly key: Uint8Array; readonly changes: ReadonlyArray<CellChange> | null }
  | { readonly kind: CountedKind; readonly by: ReadonlyMap<number, number> }

/** A commit as data. */
interface HandedCommit {
  readonly schemaVersion: number
  readonly reads: ReadonlyArray<HandedRead>
  readonly writes: ReadonlyArray<HandedWrite>
}

/** The error of a commit whose reads return other cells in the process that was to apply it. */
class ReadsDiffer extends Error {}

/** A copy of the cells of a page, whose memory the next read overwrites. */
const bytesOf = ({ bytes, end, start }: Cells): Uint8Array => Uint8Array.from(bytes.subarray(start, end))

/**
 * Runs a commit on a snapshot, and keeps its reads and writes as data. Changes of element counts are kept as differences: all
 * commits of new elements change the same counts, and would differ otherwise.
 */
export class HandedBatch implements CellBatch {
  readonly version: number
  readonly schemaVersion: number
  readonly #slice: (query: SliceQuery) => Page
  readonly #reads: Array<HandedRead> = []
  readonly #writes: Array<HandedWrite> = []
  /** The bytes of all reads. */
  #bytes = 0
  #isWhole = true

  /** @param slice reads the snapshot */
  constructor(version: number, schemaVersion: number, slice: (query: SliceQuery) => Page) {
    this.version = version
    this.schemaVersion = schemaVersion
    this.#slice = slice
  }

  slice(query: SliceQuery): Page {
    const page = this.#slice(query)
    this.#bytes += page.cells.end - page.cells.start
    if (this.#bytes > FILE_BYTES) {
      this.#isWhole = false
      this.#reads.length = 0
    } else this.#reads.push({ query, bytes: bytesOf(page.cells), more: page.more })
    return page
  }

  change(table: Table, key: Uint8Array, changes: ReadonlyArray<CellChange>): void {
    this.#writes.push({ table, key, changes })
  }

  changeCounts(kind: CountedKind, by: ReadonlyMap<number, number>): void {
    this.#writes.push({ kind, by })
  }

  /** A change of many rows is not handed over. */
  changeRows(_table: Table, _rows: () => Iterable<RowChange>): void {
    this.#isWhole = false
  }

  removeRow(table: Table, key: Uint8Array): void {
    this.#writes.push({ table, key, changes: null })
  }

  /** A change of the schema is not handed over. */
  advanceSchema(): void {
    this.#isWhole = false
  }

  /** The commit as bytes, for {@link handedWork}; undefined for a commit that is not handed over. */
  encoded(): Buffer | undefined {
    if (!this.#isWhole) return undefined
    const commit: HandedCommit = { schemaVersion: this.schemaVersion, reads: this.#reads, writes: this.#writes }
    return serialize(commit)
  }
}

/**
 * The work of a commit of another process. It throws an error, and writes nothing, when a read returns other cells than in that
 * process, or the schema has changed: that process then runs the commit itself.
 */
export const handedWork =
  (bytes: Uint8Array): ((batch: CellBatch) => void) =>
  (batch) => {
    const { reads, schemaVersion, writes }: HandedCommit = deserialize(bytes)
    if (batch.schemaVersion !== schemaVersion) throw new ReadsDiffer("the schema has changed")
    for (const { bytes: before, more, query } of reads) {
      const page = batch.slice(query)
      if (page.more !== more || !sameBytes(bytesOf(page.cells), before)) throw new ReadsDiffer("a row has changed")
    }
    for (const write of writes) {
      if ("kind" in write) applyCounts(batch, write.kind, write.by)
      else if (write.changes === null) batch.removeRow(write.table, write.key)
      else batch.change(write.table, write.key, write.changes)
    }
  }

const applyCounts = (batch: CellBatch, kind: CountedKind, by: ReadonlyMap<number, number>): void => {
  const changes = new RowChanges()
  changeCounts(kind, readCountsOf(batch, kind, by), by, changes)
  changes.apply(batch)
}
