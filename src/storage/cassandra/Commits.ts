import { errorOf, type Pending } from "../../scheduling/Pending.ts"
import { runInSlices } from "../../scheduling/Task.ts"
import { FailedAfterCommit, TransactionConflict } from "../../structure/StoreErrors.ts"
import type { SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { sameBytes } from "../janusgraph/cells/Cells.ts"
import { Answer } from "../shared/Answer.ts"
import type { ColumnMutation, Consistency } from "./ColumnStore.ts"
import { CqlBatch, KnownPages, type ManyRows } from "./CqlBatch.ts"
import { PAGE_CELLS } from "./CqlColumns.ts"
import type { CqlPages } from "./CqlPages.ts"
import { fetchAll } from "./CqlSnapshot.ts"
import type { Coordination } from "./coordination/Coordination.ts"
import type { LockTarget } from "./coordination/Locks.ts"
import { NotApplied, unknownOutcome } from "./Failures.ts"
import { RecentChanges } from "./RecentChanges.ts"
import { lockTargets, newNameQueries, newValue, onlyValue } from "./UniqueEntries.ts"
import { changedType, mutationOf, mutationsOf, type WritePlan, writePlan } from "./WriteOrder.ts"

/** Runs of one commit's work, at most: each beyond the first few means that others were faster. */
const RUNS = 200
/** After so many runs as many cells of a slice are fetched as are ever fetched at once: some millions. */
const GROWTH = 6
/** Rows that are made and written at a time where there are very many. */
const ROWS_AT_ONCE = 512

/** What the work of a commit gives: nothing when it is done at once, else pieces. */
type Work = (batch: CqlBatch) => Iterator<unknown> | undefined

/** What commits need of those who share the keyspace. */
type CommitCoordination = Pick<Coordination, "clock" | "locks" | "schema"> & {
  readonly instances: Pick<Coordination["instances"], "others">
  readonly news: Pick<Coordination["news"], "announce" | "look">
}

/**
 * Commits of this process. Each reads the newest state and writes what follows from it, with others at the same time as
 * long as they do not change what it has read; then it runs again. A change of the schema is alone: whatever is committed
 * after it knows it. Unique values and names of types are locked while other instances are registered.
 */
export class Commits {
  readonly #pages: CqlPages
  readonly #coordination: CommitCoordination
  readonly #recent = new RecentChanges()
  #version = 0
  #lastTime = 0n
  /** A change of the schema is being written. */
  #alone: Promise<void> | undefined
  readonly #running = new Set<Promise<void>>()

  constructor(pages: CqlPages, coordination: CommitCoordination) {
    this.#pages = pages
    this.#coordination = coordination
  }

  get version(): number {
    return this.#version
  }

  commit(work: Work): Pending {
    const answer = new Answer()
    const run = this.#commit(work).then(
      () => answer.give(undefined),
      (error: unknown) => answer.give(errorOf(error))
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
    const end = this.#coordination.schema.use()
    let written: CqlBatch | undefined
    try {
      written = await this.#apply(work)
    } finally {
      end()
    }
    // Others may wait for this process, too: it uses no schema any more.
    if (written?.advancesSchema) {
      await this.#announce(written).catch((cause: unknown) => {
        const reason = errorOf(cause).message
        throw new FailedAfterCommit(`other instances may not know of the changed schema. ${reason}`, { cause })
      })
    }
  }

  /** Those who know the types that changed must learn of it; a new type is asked for by who meets it. */
  async #announce(batch: CqlBatch): Promise<void> {
    const changed: Array<number> = []
    for (const row of batch.rows.values()) {
      const type = changedType(row)
      if (type !== undefined) changed.push(type)
    }
    if (changed.length > 0) await this.#coordination.news.announce(changed)
  }

  /** Undefined when there was nothing to write. */
  async #apply(work: Work): Promise<CqlBatch | undefined> {
    const { schema } = this.#coordination
    const version = ++this.#version
    const begun = this.#recent.begin()
    const known = new KnownPages()
    let leave: (() => void) | undefined
    try {
      for (let run = 0; run < RUNS; run++) {
        const batch = new CqlBatch(known, version, schema.number)
        const error = await this.#run(work, batch)
        if (batch.isIncomplete) {
          await this.#fetch(batch.missing, known, run)
          known.forgetRowsOf(batch.unread)
          continue
        }
        const old = this.#old(batch, known)
        if (old !== undefined) {
          await old
          continue
        }
        if (error !== undefined) throw error
        if (batch.isEmpty) return undefined
        if (leave === undefined && this.#alone !== undefined) {
          await this.#alone
          continue
        }
        if (leave === undefined && batch.advancesSchema) {
          leave = this.#beAlone()
          for (const writing of this.#recent.writing) await writing.done
          continue
        }
        const names = newNameQueries(batch)
        const missing = names.filter((query) => known.get(query) === undefined)
        if (missing.length > 0) {
          await this.#fetch(missing, known, run)
          continue
        }
        await this.#checkNames(batch, known, names)
        const plan = await sliced(writePlan(batch.rows))
        const isAlone = leave !== undefined
        const isWritten = await this.#locked(lockTargets(batch, known), async (consistency, beginWrite) => {
          // From here to the begin of writing nothing else may have its turn.
          const isOld = this.#old(batch, known) !== undefined || (!isAlone && this.#alone !== undefined)
          if (isOld) return false
          beginWrite()
          await this.#write(batch, plan, consistency)
          return true
        })
        if (isWritten) return batch
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
      if (pieces !== undefined) await sliced(pieces)
      return undefined
    } catch (error) {
      return error
    }
  }

  /** In the first runs some cells of what has no limit, then more and more: each page that is missing takes another run. */
  async #fetch(queries: ReadonlyArray<SliceQuery>, known: KnownPages, run: number): Promise<void> {
    const since = this.#recent.now
    const limit = PAGE_CELLS * 4 ** Math.min(run, GROWTH)
    const pages = await fetchAll(
      this.#pages,
      queries.map((query) => (query.limit === undefined ? { ...query, limit } : query))
    )
    queries.forEach((query, at) => {
      known.set(query, pages[at]!, since)
    })
  }

  /** Undefined when the schema, and what was read, is as it was; else done when it can be read again. */
  #old(batch: CqlBatch, known: KnownPages): Promise<unknown> | undefined {
    if (batch.schemaVersion !== this.#coordination.schema.number) {
      known.forget(() => true)
      return Promise.resolve()
    }
    const waits: Array<Promise<void>> = []
    const isOld = known.forget((read) => {
      const writing = this.#recent.conflict(read)
      if (writing !== undefined) waits.push(writing.done)
      return writing !== undefined
    })
    return isOld ? Promise.all(waits) : undefined
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

  /** Throws TransactionConflict when somebody else has made a type of one of the new names. */
  async #checkNames(batch: CqlBatch, known: KnownPages, names: ReadonlyArray<SliceQuery>): Promise<void> {
    for (const query of names) {
      const there = onlyValue(known.get(query)!.cells)
      if (there === undefined || sameBytes(there, newValue(batch, query)!)) continue
      // What runs again will know the type.
      await this.#coordination.news.look().catch(() => undefined)
      throw new TransactionConflict("a type of the same name was made by another server")
    }
  }

  /** Runs work under the locks that it needs: those of this process while it is the only one. */
  async #locked(
    targets: ReadonlyArray<LockTarget>,
    work: (consistency: Consistency, beginWrite: () => void) => Promise<boolean>
  ): Promise<boolean> {
    const { instances, locks } = this.#coordination
    const needed = targets.length > 0 && (await instances.others()).length > 0
    // Who has the lock next must see what was written under it, however many replicas the options ask for.
    return needed
      ? locks.during(targets, (beginWrite) => work("system", beginWrite))
      : locks.alone(targets, (beginWrite) => work("write", beginWrite))
  }

  /** Fails with CommitOutcomeUnknown once anything may have been written. */
  async #write(batch: CqlBatch, { changed, phases }: WritePlan, consistency: Consistency): Promise<void> {
    const writing = this.#recent.write(changed)
    const time = this.#time()
    let hasWritten = false
    try {
      for (const rows of phases) {
        await this.#pages.columns.mutate(mutationsOf(rows), time, consistency)
        hasWritten ||= rows.length > 0
      }
      for (const many of batch.many) {
        hasWritten = true
        await this.#writeMany(many, time)
      }
    } catch (error) {
      throw error instanceof NotApplied && !hasWritten ? error : unknownOutcome(error)
    } finally {
      if (batch.advancesSchema) this.#coordination.schema.advance()
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

  /** Microseconds since the epoch, so much later than those of every commit before that additions and deletions differ. */
  #time(): bigint {
    const now = this.#coordination.clock.now() & ~1n
    this.#lastTime = now > this.#lastTime ? now : this.#lastTime + 2n
    return this.#lastTime
  }
}

/** Long work in slices; the common short one is done at once. */
const sliced = <A>(pieces: Iterator<unknown, A>): Promise<A> =>
  new Promise((resolve, reject) => {
    runInSlices(
      () => pieces,
      (error, returned) => (error === undefined ? resolve(returned!) : reject(error))
    )
  })
