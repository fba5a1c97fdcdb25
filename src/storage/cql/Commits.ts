import type { Later } from "../../structure/GraphStore.ts"
import { TransactionConflict } from "../../structure/StoreErrors.ts"
import { Answer } from "../Answer.ts"
import type { SliceQuery } from "../cells/CellStore.ts"
import { CellCursor, sameBytes } from "../cells/Cells.ts"
import { inSlices } from "../Work.ts"
import type { Addition, ColumnMutation } from "./ColumnStore.ts"
import { type ChangedRow, CqlBatch, KnownPages, type ManyRows } from "./CqlBatch.ts"
import type { CqlPages } from "./CqlPages.ts"
import { fetchAll } from "./CqlSnapshot.ts"
import { type ChangedColumns, RecentChanges } from "./RecentChanges.ts"
import { inOrder, isNameRow } from "./WriteOrder.ts"

/** Runs of one commit's work, at most: each beyond the first few means that others were faster. */
const RUNS = 200
/** Rows that are made and written at a time where there are very many. */
const ROWS_AT_ONCE = 512

const ONLY = Buffer.from([0])
const BEHIND_ONLY = Buffer.from([0, 0])

/** What the work of a commit gives: nothing when it is done at once, else pieces. */
export type Work = (batch: CqlBatch) => Iterator<unknown> | undefined

/**
 * Commits of this process. Each reads the newest state and writes what follows from it, with others at the same time as
 * long as they do not change what it has read; then it runs again. A change of the schema is alone: whatever is committed
 * after it knows it.
 */
export class Commits {
  readonly #pages: CqlPages
  readonly #recent = new RecentChanges()
  #version = 0
  #schemaVersion = 1
  #lastTime = 0n
  /** A change of the schema is being written. */
  #alone: Promise<void> | undefined
  readonly #running = new Set<Promise<void>>()

  constructor(pages: CqlPages) {
    this.#pages = pages
  }

  get version(): number {
    return this.#version
  }

  get schemaVersion(): number {
    return this.#schemaVersion
  }

  /** The schema is another one, whoever changed it. */
  schemaChanged(): void {
    this.#schemaVersion++
  }

  commit(work: Work): Later {
    const answer = new Answer()
    const run = this.#commit(work).then(
      () => answer.give(undefined),
      (error: unknown) => answer.give(error instanceof Error ? error : new Error(String(error)))
    )
    this.#running.add(run)
    run.finally(() => this.#running.delete(run))
    return answer
  }

  /** Done when nothing is being committed. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #commit(work: Work): Promise<void> {
    const version = ++this.#version
    const begun = this.#recent.begin()
    const known = new KnownPages()
    let leave: (() => void) | undefined
    try {
      for (let run = 0; run < RUNS; run++) {
        const batch = new CqlBatch(known, version, this.#schemaVersion)
        const error = await this.#run(work, batch)
        if (batch.isIncomplete) {
          await this.#fetch(batch.missing, known)
          continue
        }
        if (await this.#isOld(batch, known)) continue
        if (error !== undefined) throw error
        if (batch.isEmpty) return
        if (batch.advancesSchema) {
          if (leave === undefined) {
            if (this.#alone !== undefined) {
              await this.#alone
              continue
            }
            leave = this.#beAlone()
            for (const writing of this.#recent.writing) await writing.done
            continue
          }
          if (await this.#checkNames(batch, known)) continue
        } else if (this.#alone !== undefined) {
          await this.#alone
          continue
        }
        await this.#write(batch)
        return
      }
      throw new TransactionConflict("others changed what it reads, again and again")
    } finally {
      leave?.()
      this.#recent.end(begun)
    }
  }

  /** Runs the work, in slices where it comes in pieces; returns what it threw. */
  async #run(work: Work, batch: CqlBatch): Promise<unknown> {
    try {
      const pieces = work(batch)
      if (pieces === undefined) return undefined
      return await new Promise((resolve) => inSlices(pieces, resolve))
    } catch (error) {
      return error
    }
  }

  async #fetch(queries: ReadonlyArray<SliceQuery>, known: KnownPages): Promise<void> {
    const since = this.#recent.now
    const pages = await fetchAll(this.#pages, queries)
    queries.forEach((query, at) => {
      known.set(query, pages[at]!, since)
    })
  }

  /** Whether the work must run again: the schema, or something that it has read, is not as it was. */
  async #isOld(batch: CqlBatch, known: KnownPages): Promise<boolean> {
    if (batch.schemaVersion !== this.#schemaVersion) {
      known.forget(() => true)
      return true
    }
    const waits: Array<Promise<void>> = []
    const isOld = known.forget((read) => {
      const writing = this.#recent.conflict(read)
      if (writing !== undefined) waits.push(writing.done)
      return writing !== undefined
    })
    await Promise.all(waits)
    return isOld
  }

  /** Nothing else is written until the function is called that this gives. */
  #beAlone(): () => void {
    let resolve: () => void = () => undefined
    this.#alone = new Promise((done) => {
      resolve = done
    })
    return () => {
      this.#alone = undefined
      resolve()
    }
  }

  /**
   * True when entries of new names of types had to be fetched first. Throws TransactionConflict when somebody else has made
   * a type of one of them.
   */
  async #checkNames(batch: CqlBatch, known: KnownPages): Promise<boolean> {
    const queries: Array<SliceQuery> = []
    const mine: Array<Uint8Array> = []
    for (const { changes, key, table } of batch.rows.values()) {
      const value = changes.find(({ column }) => column.length === 1 && column[0] === 0)?.value
      if (table !== "graphindex" || !isNameRow(key) || !value) continue
      queries.push({ table, key, start: ONLY, end: BEHIND_ONLY, limit: 1 })
      mine.push(value)
    }
    const missing = queries.filter((query) => known.get(query) === undefined)
    if (missing.length > 0) {
      await this.#fetch(missing, known)
      return true
    }
    queries.forEach((query, at) => {
      const cursor = new CellCursor().over(known.get(query)!.cells)
      if (!cursor.next() || sameBytes(cursor.value(), mine[at]!)) return
      this.schemaChanged()
      throw new TransactionConflict("a type of the same name was made by another server")
    })
    return false
  }

  async #write(batch: CqlBatch): Promise<void> {
    const changed = new Map<string, ChangedColumns>()
    for (const [name, { changes, removed }] of batch.rows) {
      changed.set(name, removed ? null : changes.map(({ column }) => column))
    }
    const writing = this.#recent.write(changed)
    const time = this.#time()
    try {
      for (const rows of inOrder(batch.rows.values())) {
        await this.#pages.columns.mutate(rows.map(mutationOf), time, "write")
      }
      for (const many of batch.many) await this.#writeMany(many, time)
    } finally {
      if (batch.advancesSchema) this.schemaChanged()
      this.#recent.finish(writing)
    }
  }

  async #writeMany({ rows, table }: ManyRows, time: bigint): Promise<void> {
    let some: Array<ColumnMutation> = []
    for (const { changes, key } of rows()) {
      some.push(mutationOf({ table, key, changes: [...changes], removed: false }))
      if (some.length < ROWS_AT_ONCE) continue
      await this.#pages.columns.mutate(some, time, "write")
      some = []
    }
    if (some.length > 0) await this.#pages.columns.mutate(some, time, "write")
  }

  /** Microseconds since the epoch, later than those of every commit before. */
  #time(): bigint {
    const now = BigInt(Date.now()) * 1000n
    this.#lastTime = now > this.#lastTime ? now : this.#lastTime + 2n
    return this.#lastTime
  }
}

const mutationOf = ({ changes, key, removed, table }: ChangedRow): ColumnMutation => {
  const additions: Array<Addition> = []
  const deletions: Array<Uint8Array> = []
  for (const { column, value } of changes) {
    if (value !== null) additions.push({ column, value })
    else if (!removed) deletions.push(column)
  }
  return { table, key, additions, deletions, wholeRow: removed }
}
