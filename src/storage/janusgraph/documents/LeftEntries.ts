import { errorOf } from "../../../scheduling/Pending.ts"
import { reasonOf } from "../../../structure/errors/Reason.ts"
import type { CellBatch, CellChange, CellStore } from "../cells/CellStore.ts"
import { commitLater } from "../management/IndexBuild.ts"
import { after } from "../schema/SchemaRead.ts"
import { directory, first, HOUR_MICROS, logCells, nowMicros, rowOf } from "./LogCells.ts"
import { entryOf, type LogCell, type LogEntry } from "./LogEntry.ts"

/** An entry that is older belongs to no running commit. Microseconds. */
const OLD_MICROS = 600_000_000n

/** Cells that are read at once. */
const PAGE_CELLS = 200

/** What is left to read of the row of an instance. */
interface Position {
  /** The next column; undefined: the first. */
  readonly from: Uint8Array | undefined
  /** True if all cells before it are for engines that the graph does not have. */
  readonly isBeginning: boolean
}

/** Gets the error of what was not read, and of each cell that is not an entry. */
type Unread = (error: Error) => void

/** The entries that other instances have left in the log of documents. They are read in pages, so that few are in memory. */
export class LeftEntries {
  readonly #cells: CellStore
  readonly #instance: string
  readonly #hasEngine: (backend: string) => boolean
  /** The entries that are being processed. */
  readonly #open = new Set<string>()
  /** The entries that were processed since the last look, and stay because their commits may still run. */
  readonly #kept = new Set<string>()
  /** The cells that stay: they are not entries, or the rest of the entry is for engines that the graph does not have. */
  readonly #skipped = new Set<string>()
  /** The rows that have entries which are neither written nor in memory, or may have, by instance. */
  readonly #rows = new Map<string, Position>()
  /** The columns before which rows have only old entries for engines that the graph does not have, by instance. */
  readonly #starts = new Map<string, Uint8Array>()
  #failure: Error | undefined

  /** `instance`: the name of this instance. `hasEngine`: true for the index backends whose documents this graph writes. */
  constructor(cells: CellStore, instance: string, hasEngine: (backend: string) => boolean) {
    this.#cells = cells
    this.#instance = instance
    this.#hasEngine = hasEngine
  }

  /** True if the store may have entries that next() reads. */
  get hasMore(): boolean {
    return this.#rows.size > 0
  }

  /** Why entries may be unknown; undefined once all instances and their rows were read. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /**
   * Looks what the other instances have left, and reads their entries until there are more than `room`; `isBrief`: only one page of each
   * row. Forgets instances that have left none for a day. It does not fail: `unread` and {@link failure} have the error.
   */
  async look(room: number, isBrief: boolean, unread: Unread): Promise<ReadonlyArray<LogEntry>> {
    this.#kept.clear()
    const found: Array<LogEntry> = []
    const gone: Array<CellChange> = []
    let failure: Error | undefined
    try {
      for (const { column, value } of await logCells(this.#cells, directory)) {
        const instance = Buffer.from(column).toString()
        if (instance === this.#instance) continue
        // A value of another length names no time: the whole row is read.
        const checkpoint = value.length === 8 ? value : undefined
        try {
          const from = later(checkpoint, this.#starts.get(instance))
          const isEmpty = await this.#read(instance, { from, isBeginning: true }, found, unread)
          while (!isBrief && found.length <= room && this.#rows.has(instance)) {
            await this.#read(instance, this.#rows.get(instance)!, found, unread)
          }
          const registered = checkpoint === undefined ? nowMicros() : Buffer.from(checkpoint).readBigUInt64BE(0)
          const isOld = nowMicros() - registered > 24n * HOUR_MICROS
          if (isEmpty && isOld && !this.#starts.has(instance)) gone.push({ column, value: null })
        } catch (cause) {
          failure = rowFailure(instance, cause)
          unread(failure)
        }
      }
    } catch (cause) {
      failure = errorOf(cause)
      unread(failure)
    }
    this.#failure = failure
    if (gone.length > 0) {
      const forget = (batch: CellBatch): void => batch.change("engine_ranges", directory, gone)
      await commitLater({ cells: this.#cells }, forget).catch((cause: unknown) => unread(errorOf(cause)))
    }
    return found
  }

  /** Reads some of the entries that only the store has. Fails if their row is not read; the next call begins with another row. */
  async next(unread: Unread): Promise<ReadonlyArray<LogEntry>> {
    const found: Array<LogEntry> = []
    for (const [instance, position] of this.#rows) {
      try {
        await this.#read(instance, position, found, unread)
      } catch (cause) {
        this.#rows.delete(instance)
        this.#rows.set(instance, position)
        this.#failure = rowFailure(instance, cause)
        throw this.#failure
      }
      break
    }
    return found
  }

  /** Reads a page of a row, and notes where the next one begins. Returns true if it is empty. */
  async #read(
    instance: string,
    { from, isBeginning }: Position,
    found: Array<LogEntry>,
    unread: Unread
  ): Promise<boolean> {
    const row = rowOf(instance)
    const cells = await logCells(this.#cells, row, from, PAGE_CELLS)
    let hasOthersOnly = isBeginning
    for (const cell of cells) if (!this.#take(instance, row, cell, found, unread)) hasOthersOnly = false
    const last = cells.at(-1)
    if (last !== undefined && hasOthersOnly) this.#starts.set(instance, after(last.column))
    if (last === undefined || cells.length < PAGE_CELLS) this.#rows.delete(instance)
    else this.#rows.set(instance, { from: after(last.column), isBeginning: hasOthersOnly })
    return last === undefined
  }

  /**
   * Adds the entry of a cell to those that were found, unless it was found before. Returns true for an old entry that is only for engines
   * that the graph does not have.
   */
  #take(instance: string, row: Buffer, cell: LogCell, found: Array<LogEntry>, unread: Unread): boolean {
    const name = nameOf({ row, columns: [cell.column] })
    if (this.#open.has(name) || this.#kept.has(name) || this.#skipped.has(name)) return false
    try {
      const entry = entryOf(row, cell)
      if (![...entry.touched.values()].some(([, , backend]) => this.#hasEngine(backend))) return isOld(entry)
      this.#open.add(name)
      found.push(entry)
    } catch (cause) {
      this.#skipped.add(name)
      unread(new Error(`${cellWords(instance, cell)} is not an entry, and is skipped: ${reasonOf(cause)}.`))
    }
    return false
  }

  /** Ends an entry whose documents are written. Returns true if its cells can be removed. */
  finish(entry: LogEntry): boolean {
    const name = nameOf(entry)
    this.#open.delete(name)
    if (![...entry.touched.values()].every(([, , backend]) => this.#hasEngine(backend))) this.#skipped.add(name)
    else if (isOld(entry)) return true
    else this.#kept.add(name)
    return false
  }

  /** Forgets an entry for which there is no room. next() reads it again. */
  leave(entry: LogEntry): void {
    this.#open.delete(nameOf(entry))
    const instance = Buffer.from(entry.row).toString("utf8", directory.length)
    const [column] = entry.columns
    this.#rows.set(instance, { from: first(this.#rows.get(instance)?.from, column), isBeginning: false })
  }
}

const isOld = ({ time }: LogEntry): boolean => nowMicros() - time >= OLD_MICROS

/** The higher of two columns; undefined is lower than all. */
const later = (a: Uint8Array | undefined, b: Uint8Array | undefined): Uint8Array | undefined =>
  a === undefined || (b !== undefined && Buffer.compare(b, a) > 0) ? b : a

const rowFailure = (instance: string, cause: unknown): Error =>
  new Error(`The row of the instance ${instance} was not read. ${reasonOf(cause)}`, { cause })

const nameOf = ({ columns, row }: Pick<LogEntry, "columns" | "row">): string =>
  `${Buffer.from(row).toString("hex")} ${Buffer.from(columns[0]!).toString("hex")}`

const cellWords = (instance: string, { column }: LogCell): string =>
  `The cell ${Buffer.from(column).toString("hex")} of the instance ${instance} in the log of documents (engine_ranges)`
