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

const noRows: ReadonlyMap<string, ChangedColumns> = new Map()

/** The changes of a commit, from the start of its write until no running commit began before its end. */
class Writing implements Linked<Writing> {
  rows: ReadonlyMap<string, ChangedColumns>
  /** Count at its end. Reads that began earlier may have seen the changes or not. */
  finished = Number.POSITIVE_INFINITY
  previous: Writing | undefined = undefined
  next: Writing | undefined = undefined
  /** Those who wait for the end. */
  #waiters: Array<() => void> | undefined

  constructor(rows: ReadonlyMap<string, ChangedColumns>) {
    this.rows = rows
  }

  finish(now: number): void {
    this.finished = now
    const waiters = this.#waiters
    this.#waiters = undefined
    if (waiters !== undefined) for (const resume of waiters) resume()
  }

  /** Resolves when the write has ended, with or without success. */
  get done(): Promise<void> {
    if (this.finished !== Number.POSITIVE_INFINITY) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiters ??= []
      this.#waiters.push(resolve)
    })
  }

  touches({ end, row, start }: RowRange): boolean {
    const columns = this.rows.get(row)
    if (columns === undefined) return false
    if (columns === null) return true
    return columns.some(
      (column) =>
        (start === undefined || compareColumns(column, start) >= 0) &&
        (end === undefined || compareColumns(column, end) < 0)
    )
  }
}

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
  readonly #byRow = new Map<string, Array<Writing>>()
  /** Ended writes, in the order of their ends. */
  readonly #finished: Array<Writing> = []
  readonly #writing = new LinkedList<Writing>()
  /** The running commits, in the order of their beginnings. */
  readonly #running = new LinkedList<Running>()

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
    return this.#byRow.get(read.row)?.find((writing) => writing.finished > read.since && writing.touches(read))
  }

  /** Registers a commit that starts to write these rows. Pass the result to {@link finish}. */
  write(rows: ReadonlyMap<string, ChangedColumns>): Writing {
    const writing = new Writing(rows)
    this.#writing.add(writing)
    for (const row of rows.keys()) {
      const known = this.#byRow.get(row)
      if (known === undefined) this.#byRow.set(row, [writing])
      else known.push(writing)
    }
    return writing
  }

  finish(writing: Writing): void {
    this.#writing.delete(writing)
    this.#finished.push(writing)
    writing.finish(++this.#clock)
    this.#forget()
  }

  /** The writes that have not ended. */
  get writing(): Iterable<Writing> {
    return this.#writing
  }

  /** Drops writes that ended before every running commit began. */
  #forget(): void {
    const oldest = this.#running.first?.begun ?? Number.POSITIVE_INFINITY
    let gone = 0
    while (gone < this.#finished.length && this.#finished[gone]!.finished < oldest) {
      const writing = this.#finished[gone++]!
      for (const row of writing.rows.keys()) {
        const left = this.#byRow.get(row)!.filter((other) => other !== writing)
        if (left.length === 0) this.#byRow.delete(row)
        else this.#byRow.set(row, left)
      }
      // An outgrown table of the map may still hold the write, see LinkedList.
      writing.rows = noRows
    }
    if (gone > 0) this.#finished.splice(0, gone)
  }
}
