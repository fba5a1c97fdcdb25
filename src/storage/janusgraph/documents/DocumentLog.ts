import { errorOf } from "../../../scheduling/Pending.ts"
import { type CellBatch, type CellChange, type CellStore, type Page, sliceOf } from "../cells/CellStore.ts"
import { CellCursor } from "../cells/Cells.ts"
import { RowChanges } from "../commit/RowChanges.ts"
import { commitLater } from "../management/IndexBuild.ts"
import { after, lastColumn } from "../schema/SchemaRead.ts"
import { columnOf, entryOf, type LogCell, type LogEntry, logPrefix, timeBytes } from "./LogEntry.ts"

/** The row with a column for each instance that may have entries. Its values are times before which nothing is left to do. */
const directory = logPrefix()
const rowOf = (instance: string): Buffer => Buffer.concat([logPrefix(), Buffer.from(instance)])

const TOUCHED_PER_CELL = 500
/** An entry of another instance that is older belongs to no running commit. Microseconds. */
const OLD_MICROS = 600_000_000n
/** An instance writes its column of the directory again after this time, and is forgotten after 24 times as long. */
const HOUR_MICROS = 3_600_000_000n
/** Time between the end of a write and the removal of its entry, ms. */
const FLUSH_MS = 5000

/** Cells of the own row that are read at once. */
const STORED_CELLS = 200

const nowMicros = (): bigint => BigInt(Date.now()) * 1000n

/**
 * The log of documents that have to be written to search engines. A commit writes its entry before the elements, so a crash at any
 * time leaves an entry, and another start of a server writes the documents again. A document is always written from the newest state
 * of its element, so an entry may be processed any number of times.
 */
export class DocumentLog {
  readonly #cells: CellStore
  readonly #instance: string
  readonly #row: Uint8Array
  readonly #open = new Set<LogEntry>()
  #done: Array<LogEntry> = []
  /** The entries of other instances that are being processed. */
  readonly #foreign = new Set<string>()
  /** The entries of other instances that were processed since the last call of left(), and stay because their commits may still run. */
  readonly #kept = new Set<string>()
  /** True if the store has entries of other instances that were read, and are neither written nor in memory. */
  #hasForeign = false
  /** The column from which the store has entries that are not in memory; undefined if there are none. */
  #stored: Uint8Array | undefined
  /** The first column of the entries that were left since the last read began. */
  #leftSince: Uint8Array | undefined
  #last = 0n
  #registered = 0n
  #timer: NodeJS.Timeout | undefined

  /** `instance`: a name that no other process has or had. */
  constructor(cells: CellStore, instance: string) {
    this.#cells = cells
    this.#instance = instance
    this.#row = rowOf(instance)
  }

  /** A new entry without elements, for a commit that begins. */
  begin(): LogEntry {
    const entry: LogEntry = { row: this.#row, time: this.#nextTime(), touched: new Map(), columns: [] }
    this.#open.add(entry)
    return entry
  }

  #nextTime(): bigint {
    const now = nowMicros()
    this.#last = now > this.#last ? now : this.#last + 1n
    return this.#last
  }

  /** Adds the cells of an entry to the changes of its commit. */
  put(entry: LogEntry, changes: RowChanges): void {
    if (nowMicros() - this.#registered > HOUR_MICROS) {
      changes.put("engine_ranges", directory, Buffer.from(this.#instance), timeBytes(this.#checkpoint()))
    }
    this.#putCells(entry, changes)
  }

  #putCells(entry: LogEntry, changes: RowChanges): void {
    const all = [...entry.touched.values()]
    const columns: Array<Uint8Array> = []
    for (let at = 0; at < all.length; at += TOUCHED_PER_CELL) {
      const column = columnOf(entry.time, columns.length)
      columns.push(column)
      const value = Buffer.from(JSON.stringify(all.slice(at, at + TOUCHED_PER_CELL)))
      changes.put("engine_ranges", entry.row, column, value)
    }
    entry.columns = columns
  }

  /** True for an entry of this instance. */
  isOwn({ row }: LogEntry): boolean {
    return row === this.#row
  }

  /** The commit of an entry has succeeded. */
  committed(): void {
    this.#registered = nowMicros()
  }

  /** Ends an entry that is not in the store: its commit wrote nothing, or has touched no document. */
  drop(entry: LogEntry): void {
    this.#open.delete(entry)
  }

  /** Ends an entry whose documents are written, or whose commit wrote nothing else. Its cells are removed some seconds later. */
  finish(entry: LogEntry): void {
    this.#open.delete(entry)
    entry.whenWritten?.()
    if (entry.columns.length === 0) return
    if (!this.isOwn(entry)) {
      this.#foreign.delete(nameOf(entry))
      if (nowMicros() - entry.time < OLD_MICROS) {
        this.#kept.add(nameOf(entry))
        return
      }
    }
    this.#done.push(entry)
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), FLUSH_MS).unref()
  }

  /** Forgets an entry, whose cells stay in the store. */
  leave(entry: LogEntry): void {
    this.#open.delete(entry)
    if (!this.isOwn(entry)) {
      this.#foreign.delete(nameOf(entry))
      this.#hasForeign = true
      return
    }
    this.#stored = first(this.#stored, entry.columns[0])
    this.#leftSince = first(this.#leftSince, entry.columns[0])
  }

  /** True if the store has known entries that are neither written nor in memory. */
  get hasStored(): boolean {
    return this.#stored !== undefined || this.#hasForeign
  }

  /**
   * Reads some of the entries that only the store has, and takes them as begun: those of this instance first, then those of others.
   * `unread`: as of {@link left}.
   */
  async stored(unread: (error: Error) => void): Promise<ReadonlyArray<LogEntry>> {
    if (this.#stored === undefined) return this.#others(unread)
    this.#leftSince = undefined
    const cells = await this.#slice(this.#row, this.#stored, STORED_CELLS)
    const known = new Set([...this.#open].flatMap((entry) => entry.columns.map(hexOf)))
    const found = cells.filter(({ column }) => !known.has(hexOf(column))).map((cell) => entryOf(this.#row, cell))
    for (const entry of found) this.#open.add(entry)
    this.#stored = first(this.#leftSince, cells.length < STORED_CELLS ? undefined : after(cells.at(-1)!.column))
    return found
  }

  /** The time before which this instance has nothing left to do. */
  #checkpoint(): bigint {
    let least = this.#stored === undefined ? nowMicros() : Buffer.from(this.#stored).readBigUInt64BE(0)
    for (const { time } of this.#open) if (time < least) least = time
    return least
  }

  /** Removes the cells of finished entries. Fails as the store does; the next call then tries again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#done.length === 0) return
    await this.#moveOld()
    const done = this.#done
    this.#done = []
    const checkpoint = timeBytes(this.#checkpoint())
    try {
      await commitLater({ cells: this.#cells }, (batch) => {
        const changes = new RowChanges()
        for (const { columns, row } of done) for (const column of columns) changes.remove("engine_ranges", row, column)
        changes.put("engine_ranges", directory, Buffer.from(this.#instance), checkpoint)
        changes.apply(batch)
      })
      this.#registered = nowMicros()
    } catch (error) {
      this.#done.push(...done)
      throw error
    }
  }

  /**
   * Moves old entries to new cells. An entry may wait for long, such as that of a document that the engine refuses. A reader would begin
   * there, and skip the tombstones of all later entries.
   */
  async #moveOld(): Promise<void> {
    const limit = nowMicros() - HOUR_MICROS
    const old = [...this.#open].filter(({ columns, time }) => columns.length > 0 && time < limit)
    if (old.length === 0) return
    const moved = old.map((entry) => ({ ...entry, time: this.#nextTime() }))
    await commitLater({ cells: this.#cells }, (batch) => {
      const changes = new RowChanges()
      for (const each of moved) this.#putCells(each, changes)
      changes.apply(batch)
    })
    old.forEach((entry, at) => {
      const { columns, time } = moved[at]!
      // The copy of an entry that has ended meanwhile is not needed.
      this.#done.push({ ...entry, columns: this.#open.has(entry) ? entry.columns : columns })
      if (this.#open.has(entry)) Object.assign(entry, { columns, time })
    })
  }

  /**
   * Reads the entries that other instances have left, and forgets instances that have left none for a day. `unread` gets the error
   * of each row that was not read, which the next call reads again, and of each cell that is not an entry, once; such a cell stays
   * where it is.
   */
  left(unread: (error: Error) => void): Promise<ReadonlyArray<LogEntry>> {
    this.#kept.clear()
    return this.#others(unread)
  }

  async #others(unread: (error: Error) => void): Promise<ReadonlyArray<LogEntry>> {
    const found: Array<LogEntry> = []
    const gone: Array<CellChange> = []
    this.#hasForeign = false
    for (const { column, value } of await this.#slice(directory)) {
      const instance = Buffer.from(column).toString()
      if (instance === this.#instance) continue
      const row = rowOf(instance)
      try {
        const cells = await this.#slice(row, value.length === 8 ? value : undefined)
        for (const cell of cells) this.#take(instance, row, cell, found, unread)
        // A value of another length names no time: the whole row was read.
        const registered = value.length === 8 ? Buffer.from(value).readBigUInt64BE(0) : nowMicros()
        if (cells.length === 0 && nowMicros() - registered > 24n * HOUR_MICROS) gone.push({ column, value: null })
      } catch (cause) {
        unread(new Error(`The row of the instance ${instance} was not read. ${errorOf(cause).message}`))
      }
    }
    if (gone.length > 0) {
      const forget = (batch: CellBatch): void => batch.change("engine_ranges", directory, gone)
      await commitLater({ cells: this.#cells }, forget).catch((cause: unknown) => unread(errorOf(cause)))
    }
    return found
  }

  /** Adds the entry of a cell of another instance to those that were found, unless it was found before. */
  #take(instance: string, row: Buffer, cell: LogCell, found: Array<LogEntry>, unread: (error: Error) => void): void {
    const name = nameOf({ row, columns: [cell.column] })
    if (this.#foreign.has(name) || this.#kept.has(name)) return
    this.#foreign.add(name)
    try {
      found.push(entryOf(row, cell))
    } catch (cause) {
      unread(new Error(`${cellWords(instance, cell)} is not an entry, and is skipped: ${errorOf(cause).message}.`))
    }
  }

  /** The cells of a row from a column on, at most `most`. */
  async #slice(key: Uint8Array, from?: Uint8Array, most = Number.POSITIVE_INFINITY): Promise<ReadonlyArray<LogCell>> {
    const snapshot = this.#cells.snapshot()
    try {
      const cells: Array<LogCell> = []
      let start = from
      for (;;) {
        const [page] = await snapshot.fetch(
          [sliceOf("engine_ranges", key, start, undefined, Math.min(most, 1000))],
          true
        )
        const cursor = new CellCursor().over((page as Page).cells)
        while (cursor.next()) {
          cells.push({ column: Uint8Array.from(cursor.column()), value: Uint8Array.from(cursor.value()) })
        }
        if (!page!.more || cells.length >= most) return cells
        start = after(lastColumn(page!.cells))
      }
    } finally {
      snapshot.close()
    }
  }
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** The lower of two columns. */
const first = (a: Uint8Array | undefined, b: Uint8Array | undefined): Uint8Array | undefined =>
  a === undefined || (b !== undefined && Buffer.compare(b, a) < 0) ? b : a

const nameOf = ({ columns, row }: Pick<LogEntry, "columns" | "row">): string =>
  `${Buffer.from(row).toString("hex")} ${Buffer.from(columns[0]!).toString("hex")}`

const cellWords = (instance: string, { column }: LogCell): string =>
  `The cell ${Buffer.from(column).toString("hex")} of the instance ${instance} in the log of documents (engine_ranges)`
