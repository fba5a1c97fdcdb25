import { errorOf, type Pending } from "../../scheduling/Pending.ts"
import { resultInSlices } from "../../scheduling/Task.ts"
import { FailedAfterCommit, TransactionConflict } from "../../structure/errors/StoreErrors.ts"
import { type Page, type SliceQuery, withLimit } from "../janusgraph/cells/CellStore.ts"
import { sameBytes } from "../janusgraph/cells/Cells.ts"
import { Answer } from "../shared/Answer.ts"
import { WorkUnderWay } from "../shared/WorkUnderWay.ts"
import type { Consistency } from "./ColumnStore.ts"
import { CommitWriter } from "./CommitWriter.ts"
import { inWindow } from "./ConcurrentWork.ts"
import { CqlBatch, KnownPages, rangeOf, rowName } from "./CqlBatch.ts"
import { PAGE_CELLS } from "./CqlColumns.ts"
import type { Coordination } from "./coordination/Coordination.ts"
import type { LockTarget } from "./coordination/Locks.ts"
import { EntryGuard } from "./EntryGuard.ts"
import type { Fetches } from "./Fetches.ts"
import { type ReadRange, RecentChanges } from "./RecentChanges.ts"
import type { SiblingWrites } from "./SiblingWrites.ts"
import type { SliceCache } from "./SliceCache.ts"
import { lockTargets, needsLocks, newNameQueries, newValue, onlyValue, unreadEntryQueries } from "./UniqueEntries.ts"
import { changedTypes, isSchemaData, writePlan } from "./WriteOrder.ts"

/** Runs of one commit's work. A commit reaches the limit only when other commits change what it reads during each run. */
const MAX_RUNS = 200
/** Runs after which the page size of a fetch stops growing: four times larger in each run, up to some millions of cells. */
const MAX_GROWTH_RUNS = 6

/** Reads of remaining times to live that one commit has in flight. */
const TIMES_IN_FLIGHT = 64

/** The work of a commit. It returns undefined when it is done, or an iterator that does the rest in slices. */
type Work = (batch: CqlBatch) => Iterator<unknown> | undefined

/** The parts of the coordination that commits use. */
type CommitCoordination = Pick<Coordination, "clock" | "locks" | "logs" | "schema"> & {
  readonly instances: Pick<Coordination["instances"], "others">
  readonly news: Pick<Coordination["news"], "announce" | "poll">
}

/**
 * Commits of this process. Each one reads the newest state and writes what follows from it. Commits run concurrently; one
 * that has read what another changes runs again. A change of the schema runs alone, so every later commit knows it. Unique
 * values and type names are locked while other instances are registered.
 */
export class Commits {
  readonly #fetches: Fetches
  readonly #coordination: CommitCoordination
  readonly #cache: SliceCache | undefined
  readonly #recent = new RecentChanges()
  readonly #siblings: SiblingWrites | undefined
  readonly #writer: CommitWriter
  #version = 0
  /** Pending while a change of the schema is written. */
  #alone: Promise<void> | undefined
  readonly #running = new WorkUnderWay()

  /**
   * @param siblings the writes of other workers of the server
   * @param cache the cache of slices that forgets what commits write
   */
  constructor(fetches: Fetches, coordination: CommitCoordination, siblings?: SiblingWrites, cache?: SliceCache) {
    this.#fetches = fetches
    this.#siblings = siblings
    this.#cache = cache
    this.#coordination = coordination
    const { columns } = fetches.pages
    this.#writer = new CommitWriter({ columns, coordination, recent: this.#recent, siblings, cache })
  }

  /** Grows with every commit of this process. */
  get version(): number {
    return this.#version
  }

  /**
   * Runs the work and writes its changes. Fails with TransactionConflict, or with CommitOutcomeUnknown once writing has
   * begun.
   */
  commit(work: Work): Pending {
    this.#running.begin()
    return Answer.of(this.#commit(work), () => this.#running.end())
  }

  /** Resolves when no commit runs. */
  settled(): Promise<void> {
    return this.#running.ended()
  }

  async #commit(work: Work): Promise<void> {
    const end = this.#coordination.schema.use()
    let written: CqlBatch | undefined
    try {
      written = await this.#apply(work)
    } finally {
      end()
    }
    // First release the schema: other instances may wait for this process.
    if (written?.advancesSchema) {
      await this.#announce(written).catch((cause: unknown) => {
        const reason = errorOf(cause).message
        throw new FailedAfterCommit(`other instances may not know of the changed schema. ${reason}`, { cause })
      })
    }
  }

  /**
   * Announces changed types to the other instances. New types are not announced: an instance reads them when it meets them.
   */
  async #announce(batch: CqlBatch): Promise<void> {
    const changed = changedTypes(batch.rows)
    if (changed.length > 0) await this.#coordination.news.announce(changed)
  }

  /** Returns what was written; undefined when there was nothing to write. */
  async #apply(work: Work): Promise<CqlBatch | undefined> {
    const { instances, schema } = this.#coordination
    const version = ++this.#version
    const begun = this.#recent.begin()
    const known = new KnownPages()
    const first = new Set<Page>()
    let leave: (() => void) | undefined
    try {
      for (let run = 0; run < MAX_RUNS; run++) {
        const batch = new CqlBatch(known, version, schema.number)
        const error = await this.#run(work, batch)
        if (batch.isIncomplete) {
          if (batch.missing.length > 0) await this.#fetch(batch.missing, known, run)
          if (batch.undated.length > 0) await this.#fetchTimes(batch, known)
          known.forgetRowsOf(batch.unread)
          continue
        }
        const old = this.#refresh(batch, known)
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
          for (const writing of [...this.#recent.writing]) await writing.done
          continue
        }
        const names = newNameQueries(batch)
        const missing = names.filter((query) => known.get(query) === undefined)
        if (missing.length > 0) {
          await this.#fetch(missing, known, run)
          continue
        }
        await this.#checkNames(batch, known, names)
        const guard = new EntryGuard(this.#coordination, batch, known)
        const isShared = needsLocks(batch, known) && (await instances.others()).length > 0
        if (isShared && (await this.#readEntries(batch, known, run, first))) continue
        const plan = await resultInSlices(() => writePlan(batch.rows))
        const logged = batch.relations && (await this.#coordination.logs.begin(batch.relations))
        const isWritten = await this.#locked(lockTargets(batch, known, isShared), isShared, (consistency, beginWrite) =>
          this.#writer.whenCurrent(plan, known, async () => {
            // No await between this check and the start of the write, so that no other commit runs in between.
            const isOld =
              this.#refresh(batch, known) !== undefined || (leave === undefined && this.#alone !== undefined)
            if (isOld) return false
            beginWrite()
            await this.#writer.write(batch, plan, consistency, logged, isShared ? undefined : guard)
            return true
          })
        )
        if (!isWritten) {
          // Without locks, because the writes of others may take long.
          await this.#siblings?.giveWay(known.seen)
          continue
        }
        await logged?.committed()
        // Not before the locks are released: no write is under way.
        guard.assertComplete()
        return batch
      }
      throw new TransactionConflict("other commits changed what it reads in every attempt")
    } finally {
      leave?.()
      this.#recent.end(begun)
    }
  }

  /** Runs the work, in slices when it returns an iterator. Returns what it threw. */
  async #run(work: Work, batch: CqlBatch): Promise<unknown> {
    try {
      const iterator = work(batch)
      if (iterator !== undefined) await resultInSlices(() => iterator)
      return undefined
    } catch (error) {
      return error
    }
  }

  /**
   * Fetches pages. A slice without a limit is cut to a page that grows with each run, because each missing page costs
   * another run.
   */
  async #fetch(queries: ReadonlyArray<SliceQuery>, known: KnownPages, run: number): Promise<void> {
    const since = this.#recent.now
    const reads = queries.map((query): ReadRange => {
      const range = rangeOf(query)
      return { ...range, since, seen: this.#siblings?.see(range) }
    })
    const limit = PAGE_CELLS * 4 ** Math.min(run, MAX_GROWTH_RUNS)
    // A change of the schema must not be made from an outdated one.
    const fetches = queries.some(isSchemaData) ? this.#fetches.newest : this.#fetches
    const pages = await fetches.fetch(
      queries.map((query) => (query.limit === undefined ? withLimit(query, limit) : query))
    )
    queries.forEach((query, at) => {
      known.set(query, pages[at]!, reads[at]!)
    })
    // A request that runs again after a conflict must not read the same outdated slices.
    this.#cache?.forget(queries.map(({ key, table }) => rowName(table, key)))
  }

  /** Fetches how long cells live that the work has asked for. */
  #fetchTimes({ undated }: CqlBatch, known: KnownPages): Promise<void> {
    const { columns } = this.#fetches.pages
    return inWindow(undated, TIMES_IN_FLIGHT, async (cell) => {
      known.setSecondsLeft(cell, await columns.secondsLeft("edgestore", cell.key, cell.column))
    })
  }

  /**
   * Forgets pages that other commits have changed. Returns undefined when everything read is still current; otherwise a
   * promise that resolves when it can be read again.
   */
  #refresh(batch: CqlBatch, known: KnownPages): Promise<unknown> | undefined {
    this.#siblings?.learnSchema()
    if (batch.schemaVersion !== this.#coordination.schema.number) {
      known.forget(() => true)
      return Promise.resolve()
    }
    const waits: Array<Promise<void>> = []
    const isOld = known.forget((read) => {
      const writing = this.#recent.conflict(read)
      if (writing !== undefined) waits.push(writing.done)
      return writing !== undefined || (read.seen !== undefined && this.#siblings?.hasChanged(read.seen) === true)
    })
    return isOld ? Promise.all(waits) : undefined
  }

  /** Blocks other commits from writing until the returned function is called. */
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

  /** Throws TransactionConflict when another instance has created a type with one of the new names. */
  async #checkNames(batch: CqlBatch, known: KnownPages, names: ReadonlyArray<SliceQuery>): Promise<void> {
    for (const query of names) {
      const there = onlyValue(known.get(query)!.cells)
      if (there === undefined || sameBytes(there, newValue(batch, query)!)) continue
      // The retry of the request then knows the type.
      await this.#coordination.news.poll().catch(() => undefined)
      throw new TransactionConflict("another server has created a type of the same name")
    }
  }

  /**
   * Reads the unique entries that elements of a commit had before, which are compared under their locks. All other cells are read again
   * after them: they must not be older. Returns false if they have been read. `first` gets their pages.
   */
  async #readEntries(batch: CqlBatch, known: KnownPages, run: number, first: Set<Page>): Promise<boolean> {
    const unread = unreadEntryQueries(batch, known, first)
    if (unread.length === 0) return false
    known.forget(() => true)
    await this.#fetch(unread, known, run)
    for (const query of unread) first.add(known.get(query)!)
    return true
  }

  /**
   * Runs the work under locks: those of the keyspace while other instances are registered, otherwise those of this process.
   */
  #locked(
    targets: ReadonlyArray<LockTarget>,
    isShared: boolean,
    work: (consistency: Consistency, beginWrite: () => void) => Promise<boolean>
  ): Promise<boolean> {
    const { locks } = this.#coordination
    // The next holder of the lock must see this write, whatever consistency level the options set for writes.
    return isShared
      ? locks.during(targets, (beginWrite) => work("system", beginWrite))
      : locks.alone(targets, (beginWrite) => work("write", beginWrite))
  }
}
