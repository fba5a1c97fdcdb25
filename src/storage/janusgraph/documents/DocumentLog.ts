import { errorOf } from "../../../scheduling/Pending.ts"
import type { CellStore } from "../cells/CellStore.ts"
import { RowChanges } from "../commit/RowChanges.ts"
import { commitLater } from "../management/IndexBuild.ts"
import { after } from "../schema/SchemaRead.ts"
import { LeftEntries } from "./LeftEntries.ts"
import { directory, first, HOUR_MICROS, logCells, nowMicros, rowOf } from "./LogCells.ts"
import { columnOf, entryOf, type LogEntry, timeBytes } from "./LogEntry.ts"

const TOUCHED_PER_CELL = 500
/** Time between the end of a write and the removal of its entry, ms. */
const FLUSH_MS = 5000

/** Cells of the own row that are read at once. */
const STORED_CELLS = 200

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
  readonly #left: LeftEntries
  /** The column from which the store has entries that are not in memory; undefined if there are none. */
  #stored: Uint8Array | undefined
  /** The first column of the entries that were left since the last read began. */
  #leftSince: Uint8Array | undefined
  #failure: Error | undefined
  #last = 0n
  #registered = 0n
  #timer: NodeJS.Timeout | undefined

  /**
   * `instance`: a name that no other process has or had. `hasEngine`: true for the index backends whose documents this graph writes.
   */
  constructor(cells: CellStore, instance: string, hasEngine: (backend: string) => boolean) {
    this.#cells = cells
    this.#instance = instance
    this.#row = rowOf(instance)
    this.#left = new LeftEntries(cells, instance, hasEngine)
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
    if (!this.isOwn(entry) && !this.#left.finish(entry)) return
    this.#done.push(entry)
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), FLUSH_MS).unref()
  }

  /** Forgets an entry, whose cells stay in the store. */
  leave(entry: LogEntry): void {
    this.#open.delete(entry)
    if (!this.isOwn(entry)) {
      this.#left.leave(entry)
      return
    }
    this.#stored = first(this.#stored, entry.columns[0])
    this.#leftSince = first(this.#leftSince, entry.columns[0])
  }

  /** True if the store has entries that are neither written nor in memory, or may have. */
  get hasStored(): boolean {
    return this.hasUnread || this.failure !== undefined
  }

  /** True if {@link stored} has something to read. */
  get hasUnread(): boolean {
    return this.#stored !== undefined || this.#left.hasMore
  }

  /** Why the log was not read completely. */
  get failure(): Error | undefined {
    return this.#failure ?? this.#left.failure
  }

  /**
   * Reads some of the entries that only the store has, and takes them as begun: those of this instance first, then those of others.
   * `unread`: as of {@link left}. Fails as the store does.
   */
  async stored(unread: (error: Error) => void): Promise<ReadonlyArray<LogEntry>> {
    if (this.#stored === undefined) return this.#left.next(unread)
    this.#leftSince = undefined
    try {
      const cells = await logCells(this.#cells, this.#row, this.#stored, STORED_CELLS)
      const known = new Set([...this.#open].flatMap((entry) => entry.columns.map(hexOf)))
      const found = cells.filter(({ column }) => !known.has(hexOf(column))).map((cell) => entryOf(this.#row, cell))
      for (const entry of found) this.#open.add(entry)
      this.#stored = first(this.#leftSince, cells.length < STORED_CELLS ? undefined : after(cells.at(-1)!.column))
      this.#failure = undefined
      return found
    } catch (cause) {
      this.#failure = errorOf(cause)
      throw cause
    }
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
   * Looks what other instances have left, and reads their entries until there are more than `room`; `isBrief`: only the first ones.
   * `unread` gets the error of each row that was not read, and of each cell that is not an entry, once; such a cell stays where it is.
   */
  left(room: number, isBrief: boolean, unread: (error: Error) => void): Promise<ReadonlyArray<LogEntry>> {
    return this.#left.look(room, isBrief, unread)
  }
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")
