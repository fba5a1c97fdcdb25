import type { Pending } from "../../../src/scheduling/Pending.ts"
import { runWhole } from "../../../src/scheduling/Task.ts"
import type {
  CellBatch,
  CellChange,
  CellSnapshot,
  CellStore,
  Page,
  RowPage,
  RowScan,
  SliceQuery,
  Table
} from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellPacker, type Cells, compareColumns, noCells } from "../../../src/storage/janusgraph/cells/Cells.ts"

interface Cell {
  readonly column: Uint8Array
  readonly value: Uint8Array
}

/** The cells of a row from one version on. */
interface RowVersion {
  readonly version: number
  readonly cells: ReadonlyArray<Cell>
}

/** The options of a store in memory. */
export interface MemoryCellStoreOptions {
  /** Answers reads in a later turn of the event loop, as a distributed store does. Default false. */
  readonly answersLater?: boolean
  /** The maximum number of cells in a page. Default 1000. */
  readonly pageSize?: number
}

/** A store of cells in memory that keeps every version of every row: slow and obviously correct. */
export class MemoryCellStore implements CellStore {
  readonly location = "memory"
  readonly persistent = false
  readonly answersLater: boolean
  readonly pageSize: number
  readonly #rows = new Map<string, Array<RowVersion>>()
  #version = 0
  #schemaVersion = 0
  /** The number of open snapshots. */
  open = 0
  /** The number of asynchronous reads. */
  fetches = 0

  constructor(options: MemoryCellStoreOptions = {}) {
    this.answersLater = options.answersLater ?? false
    this.pageSize = options.pageSize ?? 1000
  }

  snapshot(): CellSnapshot {
    return new MemorySnapshot(this, this.#version, this.#schemaVersion)
  }

  row(table: Table, key: Uint8Array, version: number): ReadonlyArray<Cell> {
    return newest(this.#rows.get(name(table, key)), version)
  }

  keys(table: Table, version: number): ReadonlyArray<Buffer> {
    const prefix = `${table} `
    const keys: Array<Buffer> = []
    for (const [key, versions] of this.#rows) {
      if (!key.startsWith(prefix) || newest(versions, version).length === 0) continue
      keys.push(Buffer.from(key.slice(prefix.length), "hex"))
    }
    return keys.sort(compareColumns)
  }

  commitNow(work: (batch: CellBatch) => void): void {
    if (this.answersLater) throw new Error("This store answers later")
    this.#apply(work)
  }

  commitLong(work: (batch: CellBatch) => Iterator<unknown>): Pending {
    return this.commit((batch) => runWhole(work(batch)))
  }

  commit(work: (batch: CellBatch) => void): Pending {
    return {
      onDone: (resume) =>
        setImmediate(() => {
          try {
            this.#apply(work)
          } catch (error) {
            resume(error as Error)
            return
          }
          resume(undefined)
        })
    }
  }

  #apply(work: (batch: CellBatch) => void): void {
    const version = this.#version
    const changes = new Map<string, ReadonlyArray<Cell>>()
    let schemaVersion = this.#schemaVersion
    const change: CellBatch["change"] = (table, key, made) => {
      const row = name(table, key)
      changes.set(row, changed(changes.get(row) ?? this.row(table, key, version), made))
    }
    work({
      version: version + 1,
      schemaVersion,
      slice: (query) => cut(this.row(query.table, query.key, version), query, this.pageSize),
      change,
      changeRows: (table, rows) => {
        for (const row of rows()) change(table, row.key, row.changes)
      },
      removeRow: (table, key) => changes.set(name(table, key), []),
      advanceSchema: () => {
        schemaVersion = this.#schemaVersion + 1
      }
    })
    this.#version = version + 1
    this.#schemaVersion = schemaVersion
    for (const [row, cells] of changes) {
      const versions = this.#rows.get(row) ?? []
      versions.push({ version: version + 1, cells })
      this.#rows.set(row, versions)
    }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  /** All cells of the newest state as text, for comparisons. */
  dump(): ReadonlyArray<string> {
    const lines: Array<string> = []
    for (const [row, versions] of this.#rows) {
      for (const { column, value } of newest(versions, this.#version)) {
        lines.push(`${row} ${Buffer.from(column).toString("hex")} ${Buffer.from(value).toString("hex")}`)
      }
    }
    return lines.sort()
  }
}

const name = (table: Table, key: Uint8Array): string => `${table} ${Buffer.from(key).toString("hex")}`

const newest = (versions: ReadonlyArray<RowVersion> | undefined, version: number): ReadonlyArray<Cell> => {
  for (let at = (versions?.length ?? 0) - 1; at >= 0; at--) {
    if (versions![at]!.version <= version) return versions![at]!.cells
  }
  return []
}

const changed = (cells: ReadonlyArray<Cell>, changes: ReadonlyArray<CellChange>): ReadonlyArray<Cell> => {
  const kept = cells.filter(({ column }) => !changes.some((change) => compareColumns(change.column, column) === 0))
  for (const { column, value } of changes) {
    if (value !== null) kept.push({ column: Uint8Array.from(column), value: Uint8Array.from(value) })
  }
  return kept.sort((a, b) => compareColumns(a.column, b.column))
}

const pack = (cells: ReadonlyArray<Cell>): Cells => {
  if (cells.length === 0) return noCells
  const packer = new CellPacker()
  for (const { column, value } of cells) packer.add(column, value)
  return packer.take()
}

const cut = (row: ReadonlyArray<Cell>, { start, end, limit, reverse }: SliceQuery, most: number): Page => {
  const found = row.filter(
    ({ column }) =>
      (start === undefined || compareColumns(column, start) >= 0) &&
      (end === undefined || compareColumns(column, end) < 0)
  )
  const count = Math.min(limit ?? most, most)
  const part = reverse ? found.slice(Math.max(0, found.length - count)) : found.slice(0, count)
  return { cells: pack(part), more: found.length > count }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

class MemorySnapshot implements CellSnapshot {
  readonly version: number
  readonly schemaVersion: number
  readonly #store: MemoryCellStore
  #isOpen = true

  constructor(store: MemoryCellStore, version: number, schemaVersion: number) {
    this.#store = store
    this.version = version
    this.schemaVersion = schemaVersion
    store.open++
  }

  slice(query: SliceQuery): Page {
    if (this.#store.answersLater) throw new Error("This store answers later: the slice was read before it was fetched")
    this.#assertOpen()
    return cut(this.#store.row(query.table, query.key, this.version), query, this.#store.pageSize)
  }

  async fetch(queries: ReadonlyArray<SliceQuery>): Promise<ReadonlyArray<Page>> {
    this.#assertOpen()
    this.#store.fetches++
    await turn()
    return queries.map((query) =>
      cut(this.#store.row(query.table, query.key, this.version), query, query.limit ?? Number.POSITIVE_INFINITY)
    )
  }

  scan(table: Table): RowScan {
    return this.scanFrom(table, undefined)
  }

  scanFrom(table: Table, after: Uint8Array | undefined): RowScan {
    const keys = this.#store.keys(table, this.version)
    let at = after === undefined ? 0 : keys.filter((key) => compareColumns(key, after) <= 0).length
    const next = (rows: number): ReadonlyArray<RowPage> => {
      const part = keys.slice(at, at + rows)
      at += part.length
      return part.map((key) => ({
        key,
        ...cut(this.#store.row(table, key, this.version), { table, key }, this.#store.pageSize)
      }))
    }
    return {
      next: (rows) => {
        if (this.#store.answersLater)
          throw new Error("This store answers later: rows were read before they were fetched")
        return next(rows)
      },
      fetch: async (rows) => {
        await turn()
        return next(rows)
      }
    }
  }

  #assertOpen(): void {
    if (!this.#isOpen) throw new Error("The snapshot was used after it was closed")
  }

  close(): void {
    if (this.#isOpen) this.#store.open--
    this.#isOpen = false
  }
}
