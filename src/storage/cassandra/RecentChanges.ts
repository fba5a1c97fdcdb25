import { compareColumns } from "../janusgraph/cells/Cells.ts"

/** The columns of a row that a commit changes; null means all of them. */
export type ChangedColumns = ReadonlyArray<Uint8Array> | null

/** A part of a row that a commit has read, and when, as a count of {@link RecentChanges.now}. */
export interface ReadRange {
  readonly row: string
  readonly start: Uint8Array | undefined
  readonly end: Uint8Array | undefined
  readonly since: number
}

/** The changes of a commit, from the start of its write until no running commit began before its end. */
class Writing {
  readonly rows: ReadonlyMap<string, ChangedColumns>
  /** Resolves when the write has ended, with or without success. */
  readonly done: Promise<void>
  /** Count at its end. Reads that began earlier may have seen the changes or not. */
  finished = Number.POSITIVE_INFINITY
  #resolve: () => void = () => undefined

  constructor(rows: ReadonlyMap<string, ChangedColumns>) {
    this.rows = rows
    this.done = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  finish(now: number): void {
    this.finished = now
    this.#resolve()
  }

  touches({ end, row, start }: ReadRange): boolean {
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

/**
 * The recent changes of this process. They tell a commit whether what it has read may have changed since. Commits that
 * touch different cells do not wait for each other.
 */
export class RecentChanges {
  #clock = 0
  readonly #byRow = new Map<string, Array<Writing>>()
  /** Ended writes, in the order of their ends. */
  readonly #finished: Array<Writing> = []
  readonly #writing = new Set<Writing>()
  /** Counts at which the running commits began. */
  readonly #begun = new Map<number, number>()

  /** A count that grows with every start and end. */
  get now(): number {
    return this.#clock
  }

  /** Registers a commit that starts to read. Pass the result to {@link end}. */
  begin(): number {
    const now = ++this.#clock
    this.#begun.set(now, now)
    return now
  }

  end(begun: number): void {
    this.#begun.delete(begun)
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
  get writing(): ReadonlySet<Writing> {
    return this.#writing
  }

  /** Drops writes that ended before every running commit began. */
  #forget(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#begun.keys()
    let gone = 0
    while (gone < this.#finished.length && this.#finished[gone]!.finished < oldest) {
      const writing = this.#finished[gone++]!
      for (const row of writing.rows.keys()) {
        const left = this.#byRow.get(row)!.filter((other) => other !== writing)
        if (left.length === 0) this.#byRow.delete(row)
        else this.#byRow.set(row, left)
      }
    }
    if (gone > 0) this.#finished.splice(0, gone)
  }
}
