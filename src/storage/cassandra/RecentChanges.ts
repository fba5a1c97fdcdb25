import { compareColumns } from "../janusgraph/cells/Cells.ts"

/** Cells that a commit changes in one row: their columns, null for all of them. */
export type ChangedColumns = ReadonlyArray<Uint8Array> | null

/** A part of a row that a commit has read, and when, by the count of {@link RecentChanges.now}. */
export interface ReadRange {
  readonly row: string
  readonly start: Uint8Array | undefined
  readonly end: Uint8Array | undefined
  readonly since: number
}

/** What a commit writes, from when it begins to until nobody needs to know any more. */
class Writing {
  readonly rows: ReadonlyMap<string, ChangedColumns>
  /** Done, with or without success. */
  readonly done: Promise<void>
  /** Reads that began before then may have seen it or not. */
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
 * What commits of this process write and have written lately, by which one can tell that what another has read may no
 * more be so. Commits that have nothing to do with each other do not wait for each other.
 */
export class RecentChanges {
  #clock = 0
  readonly #byRow = new Map<string, Array<Writing>>()
  /** Those that are finished, in that order. */
  readonly #finished: Array<Writing> = []
  readonly #writing = new Set<Writing>()
  /** When commits began that are under way. */
  readonly #begun = new Map<number, number>()

  get now(): number {
    return this.#clock
  }

  /** A commit begins to read; {@link end} it with what this gives. */
  begin(): number {
    const now = ++this.#clock
    this.#begun.set(now, now)
    return now
  }

  end(begun: number): void {
    this.#begun.delete(begun)
    this.#forget()
  }

  /** Someone's changes since something was read, or while it was: then it must be read again, after they are done. */
  conflict(read: ReadRange): Writing | undefined {
    return this.#byRow.get(read.row)?.find((writing) => writing.finished > read.since && writing.touches(read))
  }

  /** A commit begins to write these rows. */
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

  /** Everything that is being written. */
  get writing(): ReadonlySet<Writing> {
    return this.#writing
  }

  /** Nobody who is under way began before these were finished. */
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
