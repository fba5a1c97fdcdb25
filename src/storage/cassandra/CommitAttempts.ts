import { resultInSlices } from "../../scheduling/Task.ts"
import { TransactionConflict } from "../../structure/errors/StoreErrors.ts"
import type { Page, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { sameBytes } from "../janusgraph/cells/Cells.ts"
import { withLimit } from "../janusgraph/cells/Slices.ts"
import type { Consistency } from "./ColumnStore.ts"
import type { CommitWriter } from "./CommitWriter.ts"
import { inWindow } from "./ConcurrentWork.ts"
import { CqlBatch, KnownPages, rangeOf, rowName } from "./CqlBatch.ts"
import { PAGE_CELLS } from "./CqlColumns.ts"
import type { Coordination } from "./coordination/Coordination.ts"
import type { LoggedTransaction } from "./coordination/TransactionLogs.ts"
import { EntryGuard } from "./EntryGuard.ts"
import type { Fetches } from "./Fetches.ts"
import type { ReadRange, RecentChanges } from "./RecentChanges.ts"
import type { SchemaTurns } from "./SchemaTurns.ts"
import type { SiblingWrites } from "./SiblingWrites.ts"
import type { SliceCache } from "./SliceCache.ts"
import { lockTargets, needsLocks, newNameQueries, newValue, onlyValue, unreadEntryQueries } from "./UniqueEntries.ts"
import { isSchemaData, planWrites, type WritePlan } from "./WriteOrder.ts"

/** Attempts of one commit. It reaches the limit only when other commits change what it reads during each attempt. */
const MAX_ATTEMPTS = 200
/** Attempts after which the page size of a fetch stops growing: four times larger in each one, up to some millions of cells. */
const MAX_GROWTH_ATTEMPTS = 6

/** Reads of remaining times to live that one commit has in flight. */
const TIMES_IN_FLIGHT = 64

/** The work of a commit. It returns undefined when it is done, or an iterator that does the rest in slices. */
export type Work = (batch: CqlBatch) => Iterator<unknown> | undefined

/** The parts of the coordination that commits use. */
export type CommitCoordination = Pick<Coordination, "clock" | "locks" | "logs" | "schema"> & {
  readonly instances: Pick<Coordination["instances"], "others">
  readonly news: Pick<Coordination["news"], "announce" | "poll">
}

/** What the commits of a process share. */
export interface CommitParts {
  readonly fetches: Fetches
  readonly coordination: CommitCoordination
  readonly recent: RecentChanges
  readonly turns: SchemaTurns
  readonly writer: CommitWriter
  readonly siblings: SiblingWrites | undefined
  readonly cache: SliceCache | undefined
}

/** What an attempt has come to, see {@link CommitAttempts}. */
type State = "incomplete" | "outdated" | "failed" | "empty" | "blocked" | "accompanied" | "complete"

/**
 * One commit. Each attempt runs its work over the cells that were fetched so far. The attempt is then in the first of these states that is
 * true, and the commit does what the state needs. "failed", "empty" and a written commit end it; after everything else, another attempt
 * follows.
 *
 * 1. incomplete: the work has read cells that were not fetched, and took them for absent. It fetches them. This is first, because neither
 *    the changes nor the error of such work mean anything.
 * 2. outdated: what the work has read is changed, or its schema. It waits for the writes that change it. This is before the end: over the
 *    newest cells, the work may not fail, and may have something to change.
 * 3. failed: the work has failed over cells that are all current at this moment.
 * 4. empty: it changes nothing.
 * 5. blocked: another commit changes the schema, alone. It waits, because it would be outdated after that.
 * 6. accompanied: it changes the schema itself, and other commits may write. It takes its turn, so that none begins to write, and waits
 *    for those that write. They may have changed what it has read.
 * 7. complete: it prepares the write. New names of types and, while other instances are registered, entries of unique indexes must be
 *    read before they are compared; the elements of these entries are read again after them. Then it takes the locks, and checks 2 and 5
 *    once more, because all of this takes time. Nothing is awaited between this check and the start of the write.
 */
export class CommitAttempts {
  readonly #parts: CommitParts
  readonly #work: Work
  readonly #version: number
  readonly #known = new KnownPages()
  /** The pages of unique entries that were read before their elements. */
  readonly #first = new Set<Page>()
  /** The ends of the writes that have changed what was read. */
  #writes: ReadonlyArray<Promise<void>> = []
  #attempt = 0
  /** Ends the turn in which the commit is alone. */
  #leave: (() => void) | undefined

  constructor(parts: CommitParts, work: Work, version: number) {
    this.#parts = parts
    this.#work = work
    this.#version = version
  }

  /** Returns what was written; undefined when there was nothing to write. */
  async apply(): Promise<CqlBatch | undefined> {
    const { coordination, recent, turns } = this.#parts
    const begun = recent.begin()
    try {
      for (; this.#attempt < MAX_ATTEMPTS; this.#attempt++) {
        const batch = new CqlBatch(this.#known, this.#version, coordination.schema.number)
        let error: unknown
        try {
          const rest = this.#work(batch)
          if (rest !== undefined) await resultInSlices(() => rest)
        } catch (cause) {
          error = cause
        }
        switch (this.#stateOf(batch, error)) {
          case "incomplete":
            await this.#fetchMissing(batch)
            break
          case "outdated":
            await Promise.all(this.#writes)
            break
          case "failed":
            throw error
          case "empty":
            return undefined
          case "blocked":
            await turns.ended
            break
          case "accompanied":
            this.#leave = turns.take()
            for (const writing of [...recent.writing]) await writing.done
            break
          case "complete":
            if (await this.#write(batch)) return batch
        }
      }
      throw new TransactionConflict("other commits changed what it reads in every attempt")
    } finally {
      this.#leave?.()
      recent.end(begun)
    }
  }

  #stateOf(batch: CqlBatch, error: unknown): State {
    if (batch.isIncomplete) return "incomplete"
    if (this.#isOutdated(batch)) return "outdated"
    if (error !== undefined) return "failed"
    if (batch.isEmpty) return "empty"
    if (this.#isBlocked) return "blocked"
    return batch.advancesSchema && this.#leave === undefined ? "accompanied" : "complete"
  }

  get #isBlocked(): boolean {
    return this.#leave === undefined && this.#parts.turns.ended !== undefined
  }

  /** Whether anything that was read has changed. Forgets what has, and notes the writes that change it. */
  #isOutdated(batch: CqlBatch): boolean {
    const { coordination, recent, siblings } = this.#parts
    this.#writes = []
    siblings?.learnSchema()
    if (batch.schemaVersion !== coordination.schema.number) {
      this.#known.forget(() => true)
      return true
    }
    const writes: Array<Promise<void>> = []
    const isOutdated = this.#known.forget((read) => {
      const writing = recent.conflict(read)
      if (writing !== undefined) writes.push(writing.done)
      return writing !== undefined || (read.seen !== undefined && siblings?.hasChanged(read.seen) === true)
    })
    this.#writes = writes
    return isOutdated
  }

  async #fetchMissing(batch: CqlBatch): Promise<void> {
    if (batch.missing.length > 0) await this.#fetch(batch.missing)
    if (batch.undated.length > 0) await this.#fetchTimes(batch)
    this.#known.forgetRowsOf(batch.unread)
  }

  /**
   * Fetches pages. A slice without a limit is cut to a page that grows with each attempt, because each missing page costs another one.
   */
  async #fetch(queries: ReadonlyArray<SliceQuery>): Promise<void> {
    const { cache, fetches, recent, siblings } = this.#parts
    const since = recent.now
    const reads = queries.map((query): ReadRange => {
      const range = rangeOf(query)
      return { ...range, since, seen: siblings?.see(range) }
    })
    const limit = PAGE_CELLS * 4 ** Math.min(this.#attempt, MAX_GROWTH_ATTEMPTS)
    // A change of the schema must not be made from an outdated one.
    const source = queries.some(isSchemaData) ? fetches.newest : fetches
    const pages = await source.fetch(
      queries.map((query) => (query.limit === undefined ? withLimit(query, limit) : query))
    )
    queries.forEach((query, at) => {
      this.#known.set(query, pages[at]!, reads[at]!)
    })
    // A request that runs again after a conflict must not read the same outdated slices.
    cache?.forget(queries.map(({ key, table }) => rowName(table, key)))
  }

  /** Fetches how long cells live that the work has asked for. */
  #fetchTimes({ undated }: CqlBatch): Promise<void> {
    const { columns } = this.#parts.fetches.pages
    return inWindow(undated, TIMES_IN_FLIGHT, async (cell) => {
      this.#known.setSecondsLeft(cell, await columns.secondsLeft("edgestore", cell.key, cell.column))
    })
  }

  /** Writes a complete batch. Returns false if it has read something instead, or what it has read is outdated. */
  async #write(batch: CqlBatch): Promise<boolean> {
    const { coordination, siblings } = this.#parts
    if (batch.advancesSchema && (await this.#readNames(batch))) return false
    const isUnique = needsLocks(batch)
    const guard = isUnique ? new EntryGuard(coordination, batch, this.#known) : undefined
    const isShared = isUnique && (await coordination.instances.others()).length > 0
    if (isShared && (await this.#readEntries(batch))) return false
    const plan = await planWrites(batch.rows)
    const logged = batch.relations && (await coordination.logs.begin(batch.relations))
    const write = (consistency: Consistency, beginWrite: () => void): Promise<boolean> =>
      this.#writeCurrent(batch, plan, { consistency, beginWrite, logged, guard: isShared ? undefined : guard })
    const targets = isUnique ? lockTargets(batch, this.#known, isShared) : []
    // Locks of the keyspace while other instances are registered, otherwise those of this process. The next holder of a lock must see
    // this write, whatever consistency level the options set for writes.
    const isWritten = await (isShared
      ? coordination.locks.during(targets, (beginWrite) => write("system", beginWrite))
      : coordination.locks.alone(targets, (beginWrite) => write("write", beginWrite)))
    if (!isWritten) {
      // Without locks, because the writes of others may take long.
      await siblings?.giveWay(this.#known.seen)
      return false
    }
    await logged?.committed()
    // Not before the locks are released: no write is under way.
    guard?.assertComplete()
    return true
  }

  /** Writes a batch under its locks. Returns false if what it has read is outdated, or a change of the schema has begun. */
  #writeCurrent(
    batch: CqlBatch,
    plan: WritePlan,
    { beginWrite, consistency, guard, logged }: UnderLocks
  ): Promise<boolean> {
    const { writer } = this.#parts
    return writer.whenCurrent(plan, this.#known, async () => {
      // No await between this check and the start of the write, so that no other commit runs in between.
      if (this.#isOutdated(batch) || this.#isBlocked) return false
      beginWrite()
      await writer.write(batch, plan, consistency, logged, guard)
      return true
    })
  }

  /**
   * Reads the entries of new names of types. Returns false if they were read before. Throws TransactionConflict when another instance has
   * created a type with one of the names.
   */
  async #readNames(batch: CqlBatch): Promise<boolean> {
    const names = newNameQueries(batch)
    const missing = names.filter((query) => this.#known.get(query) === undefined)
    if (missing.length > 0) {
      await this.#fetch(missing)
      return true
    }
    for (const query of names) {
      const there = onlyValue(this.#known.get(query)!.cells)
      if (there === undefined || sameBytes(there, newValue(batch, query)!)) continue
      // The retry of the request then knows the type.
      await this.#parts.coordination.news.poll().catch(() => undefined)
      throw new TransactionConflict("another server has created a type of the same name")
    }
    return false
  }

  /**
   * Reads the unique entries that elements of the commit had before, which are compared under their locks. All other cells are read again
   * after them: they must not be older. Returns false if they were read before.
   */
  async #readEntries(batch: CqlBatch): Promise<boolean> {
    const unread = unreadEntryQueries(batch, this.#known, this.#first)
    if (unread.length === 0) return false
    this.#known.forget(() => true)
    await this.#fetch(unread)
    for (const query of unread) this.#first.add(this.#known.get(query)!)
    return true
  }
}

/** What a write needs once the locks are taken. */
interface UnderLocks {
  readonly consistency: Consistency
  /** Says that the write begins. Throws if the locks are no longer held. */
  readonly beginWrite: () => void
  readonly logged: LoggedTransaction | undefined
  /** Guards the entries of unique indexes that are written without locks of the keyspace. */
  readonly guard: EntryGuard | undefined
}
