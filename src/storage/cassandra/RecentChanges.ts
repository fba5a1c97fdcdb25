import { type Linked, LinkedList } from "../../structure/containers/LinkedList.ts"
import type { PartHash } from "../../structure/graph/SharedWrites.ts"
import { compareColumns } from "../janusgraph/cells/Cells.ts"

/** The columns of a row that a commit changes; null means all of them. */
export type ChangedColumns = ReadonlyArray<Uint8Array> | null

/** A part of a row. The end is excluded; without it, the part ends with the row. */
export interface RowRange {
  readonly row: string
  readonly start: Uint8Array | undefined
  readonly end: Uint8Array | undefined
}

/** The parts that a commit has read as the other workers know them, and how often others had changed them before. */
export interface SeenParts {
  readonly parts: ReadonlyArray<PartHash>
  readonly changes: number
}

/** A part of a row that a commit has read, and when, as a count of {@link RecentChanges.now}. */
export interface ReadRange extends RowRange {
  readonly since: number
  /** Undefined in a server of one process. */
  readonly seen: SeenParts | undefined
}

/** True if a change of the columns of a row changes a part of it. */
const changesRange = (columns: ChangedColumns, { end, start }: RowRange): boolean =>
  columns === null ||
  columns.some(
    (column) =>
      (start === undefined || compareColumns(column, start) >= 0) &&
      (end === undefined || compareColumns(column, end) < 0)
  )

/** The changes of a commit, from the start of its write until no running commit began before its end. */
class Writing implements Linked<Writing> {
  /** What a large write changes; undefined for any other. */
  readonly #rows: ReadonlyMap<string, ChangedColumns> | undefined
  /** What any other write changes, in the writes of each row. Set by {@link RecentChanges} only. */
  parts: ReadonlyArray<RowWriting> = []
  /** Count at its end. Reads that began earlier may have seen the changes or not. */
  finished = Number.POSITIVE_INFINITY
  previous: Writing | undefined = undefined
  next: Writing | undefined = undefined
  /** Those who wait for the end. */
  #waiters: Array<() => void> | undefined

  /** @param rows what a large write changes */
  constructor(rows?: ReadonlyMap<string, ChangedColumns>) {
    this.#rows = rows
  }

  get isRunning(): boolean {
    return this.finished === Number.POSITIVE_INFINITY
  }

  /** True if it is large, and changes the range. */
  touches(range: RowRange): boolean {
    const columns = this.#rows?.get(range.row)
    return columns !== undefined && changesRange(columns, range)
  }

  finish(now: number): void {
    this.finished = now
    const waiters = this.#waiters
    this.#waiters = undefined
    if (waiters !== undefined) for (const resume of waiters) resume()
  }

  /** Resolves when the write has ended, with or without success. */
  get done(): Promise<void> {
    if (!this.isRunning) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiters ??= []
      this.#waiters.push(resolve)
    })
  }
}

/** What a commit changes in one row. */
class RowWriting implements Linked<RowWriting> {
  readonly writing: Writing
  readonly row: WritesOfRow
  readonly #columns: ChangedColumns
  previous: RowWriting | undefined = undefined
  next: RowWriting | undefined = undefined

  constructor(writing: Writing, row: WritesOfRow, columns: ChangedColumns) {
    this.writing = writing
    this.row = row
    this.#columns = columns
  }

  touches(range: RowRange): boolean {
    return changesRange(this.#columns, range)
  }
}

/**
 * The recent writes of one row. There may be very many: while one commit runs for minutes, every other that has ended since is kept. So
 * each is added and removed without a look at the others.
 */
class WritesOfRow {
  readonly name: string
  readonly running = new LinkedList<RowWriting>()
  /** In the order of their ends. */
  readonly ended = new LinkedList<RowWriting>()

  constructor(name: string) {
    this.name = name
  }

  get isEmpty(): boolean {
    return this.running.size === 0 && this.ended.size === 0
  }

  /** A write that changes the range, and has ended after the count or has not ended. A read that is not old looks at few. */
  find(range: RowRange, since: number): Writing | undefined {
    for (let each = this.running.last; each !== undefined; each = each.previous) {
      if (each.touches(range)) return each.writing
    }
    for (let each = this.ended.last; each !== undefined && each.writing.finished > since; each = each.previous) {
      if (each.touches(range)) return each.writing
    }
    return undefined
  }
}

/** Rows whose writes are forgotten in one turn of the event loop: about a millisecond. */
const ROWS_PER_TURN = 4096

/** A write of more rows is large: it is not added to the writes of each row, which would take all of a turn. */
const MAX_ROWS = 4096
/** Large writes that are kept at the same time. Each read is compared with all of them. */
const MAX_LARGE_WRITES = 4

/** A commit that runs. */
class Running implements Linked<Running> {
  /** Count at its beginning. */
  readonly begun: number
  previous: Running | undefined = undefined
  next: Running | undefined = undefined

  constructor(begun: number) {
    this.begun = begun
  }
}

/**
 * The recent changes of this process. They tell a commit whether what it has read may have changed since. Commits that
 * touch different cells do not wait for each other.
 */
export class RecentChanges {
  #clock = 0
  readonly #maxRows: number
  readonly #byRow = new Map<string, WritesOfRow>()
  /** Large writes, running and ended. They are not in the writes of the rows. */
  readonly #large = new Set<Writing>()
  /** Ended writes, in the order of their ends. */
  readonly #finished = new LinkedList<Writing>()
  readonly #writing = new LinkedList<Writing>()
  /** The running commits, in the order of their beginnings. */
  readonly #running = new LinkedList<Running>()
  /** True while a later turn will forget the rest. */
  #isForgetting = false

  /** @param maxRows the rows of the largest write that is not large */
  constructor(maxRows = MAX_ROWS) {
    this.#maxRows = maxRows
  }

  /** A count that grows with every start and end. */
  get now(): number {
    return this.#clock
  }

  /** Registers a commit that starts to read. Pass the result to {@link end}. */
  begin(): Running {
    const running = new Running(++this.#clock)
    this.#running.add(running)
    return running
  }

  end(running: Running): void {
    this.#running.delete(running)
    this.#forget()
  }

  /** The write that has changed the range since it was read, or may have during the read. Read again after it is done. */
  conflict(read: ReadRange): Writing | undefined {
    let ended: Writing | undefined
    for (const writing of this.#large) {
      if (writing.finished <= read.since || !writing.touches(read)) continue
      if (writing.isRunning) return writing
      ended = writing
    }
    return this.#byRow.get(read.row)?.find(read, read.since) ?? ended
  }

  /** Registers a commit that starts to write these rows, which must not change. Pass the result to {@link finish}. */
  write(rows: ReadonlyMap<string, ChangedColumns>): Writing {
    const isLarge = rows.size > this.#maxRows && this.#large.size < MAX_LARGE_WRITES
    const writing = new Writing(isLarge ? rows : undefined)
    this.#writing.add(writing)
    if (isLarge) {
      this.#large.add(writing)
      return writing
    }
    const parts: Array<RowWriting> = []
    for (const [name, columns] of rows) {
      let row = this.#byRow.get(name)
      if (row === undefined) {
        row = new WritesOfRow(name)
        this.#byRow.set(name, row)
      }
      const part = new RowWriting(writing, row, columns)
      row.running.add(part)
      parts.push(part)
    }
    writing.parts = parts
    return writing
  }

  finish(writing: Writing): void {
    this.#writing.delete(writing)
    this.#finished.add(writing)
    for (const part of writing.parts) {
      part.row.running.delete(part)
      part.row.ended.add(part)
    }
    writing.finish(++this.#clock)
    this.#forget()
  }

  /** The writes that have not ended. */
  get writing(): Iterable<Writing> {
    return this.#writing
  }

  /**
   * Drops writes that ended before every running commit began. The end of a commit that has run for long leaves very many of them: the
   * rest is dropped in later turns of the event loop, a part in each, however many commits end in the same turn. No read looks at it.
   */
  #forget(): void {
    if (this.#isForgetting) return
    const oldest = this.#running.first?.begun ?? Number.POSITIVE_INFINITY
    let rows = 0
    for (;;) {
      const writing = this.#finished.first
      if (writing === undefined || writing.finished >= oldest) return
      if (rows >= ROWS_PER_TURN) break
      rows += writing.parts.length
      this.#finished.delete(writing)
      this.#large.delete(writing)
      for (const part of writing.parts) {
        const { row } = part
        row.ended.delete(part)
        if (row.isEmpty) this.#byRow.delete(row.name)
      }
    }
    this.#isForgetting = true
    setImmediate(() => {
      this.#isForgetting = false
      this.#forget()
    })
  }
}
