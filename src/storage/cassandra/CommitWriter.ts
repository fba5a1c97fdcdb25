import type { ColumnStore, Consistency } from "./ColumnStore.ts"
import type { CqlBatch, KnownPages } from "./CqlBatch.ts"
import type { Coordination } from "./coordination/Coordination.ts"
import type { LoggedTransaction } from "./coordination/TransactionLogs.ts"
import type { EntryGuard } from "./EntryGuard.ts"
import { NotApplied, notBegun, unknownOutcome } from "./Failures.ts"
import type { RecentChanges } from "./RecentChanges.ts"
import type { SiblingWrites } from "./SiblingWrites.ts"
import type { SliceCache } from "./SliceCache.ts"
import { bulkMutations, isLog, isOfEntries, mutationsOf, type PlannedRow, type WritePlan } from "./WriteOrder.ts"

/** What the writes of commits need. */
interface Parts {
  readonly columns: ColumnStore
  readonly coordination: Pick<Coordination, "clock" | "schema">
  readonly recent: RecentChanges
  readonly siblings: SiblingWrites | undefined
  readonly cache: SliceCache | undefined
}

/** Writes what commits change, and tells the other commits of this process and the other workers of the server. */
export class CommitWriter {
  readonly #parts: Parts
  #lastTime = 0n

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Begins a write when no other worker writes what the commit has read. `write` checks what the commit has read, and returns false if it
   * is outdated. Returns false if the commit must run again.
   */
  whenCurrent(plan: WritePlan, known: KnownPages, write: () => Promise<boolean>): Promise<boolean> {
    const { siblings } = this.#parts
    return siblings === undefined ? write() : besideSiblings(siblings, plan, known, write)
  }

  /**
   * Fails with CommitOutcomeUnknown once anything of the graph may have been written. An entry of a log changes no element. `guard`: guards
   * the entries of indexes.
   */
  async write(
    batch: CqlBatch,
    { changed, phases }: WritePlan,
    given: Consistency,
    logged: LoggedTransaction | undefined,
    guard: EntryGuard | undefined
  ): Promise<void> {
    const { cache, columns, coordination, recent, siblings } = this.#parts
    const writing = recent.write(changed)
    cache?.writing(changed.keys())
    const time = this.#time()
    // Whoever learns of a changed schema must see it, whatever consistency level the options set.
    const level = batch.advancesSchema ? "schema" : given
    let mayHaveWritten = false
    let hasBegun = false
    let isKnown = false
    const put = async (rows: ReadonlyArray<PlannedRow>, isLocked: boolean): Promise<void> => {
      hasBegun ||= rows.some(({ row }) => !isLog(row))
      try {
        await columns.mutate(mutationsOf(rows), isLocked ? this.#time() : time, isLocked ? "system" : level)
        mayHaveWritten = hasBegun
      } catch (error) {
        // A guard writes several rows at the same time, and fails with the first error.
        if (!(error instanceof NotApplied)) mayHaveWritten = hasBegun
        throw error
      }
    }
    try {
      await logged?.begin()
      for (const rows of phases) {
        if (guard !== undefined && isOfEntries(rows)) await guard.write(rows, put)
        else await put(rows, false)
      }
      for (const many of batch.many) {
        hasBegun = mayHaveWritten = true
        for (const some of bulkMutations(many)) await columns.mutate(some, time, "write")
      }
      isKnown = true
    } catch (error) {
      const isUntouched = !hasBegun || (!mayHaveWritten && error instanceof NotApplied)
      isKnown = isUntouched
      throw isUntouched ? notBegun(error) : unknownOutcome(error)
    } finally {
      if (batch.advancesSchema) {
        coordination.schema.advance()
        siblings?.schemaChanged()
      }
      recent.finish(writing)
      cache?.written(changed.keys(), isKnown)
      // The rows of a bulk write are not known.
      if (batch.many.length > 0) {
        cache?.clear()
        siblings?.bulkWritten()
      }
    }
  }

  /** Microseconds since the epoch. Two more than for any earlier commit: the lowest bit tells additions from deletions. */
  #time(): bigint {
    const { coordination, siblings } = this.#parts
    const now = coordination.clock.now() & ~1n
    if (siblings !== undefined) return siblings.timeFrom(now)
    this.#lastTime = now > this.#lastTime ? now : this.#lastTime + 2n
    return this.#lastTime
  }
}

const besideSiblings = async (
  siblings: SiblingWrites,
  { changed }: WritePlan,
  { seen }: KnownPages,
  write: () => Promise<boolean>
): Promise<boolean> => {
  const parts = siblings.announce(changed)
  let mayBeChanged = false
  try {
    const othersGone = siblings.othersGone(seen)
    if (othersGone === undefined || (await othersGone)) {
      mayBeChanged = true
      mayBeChanged = await write()
      return mayBeChanged
    }
    return false
  } finally {
    siblings.end(parts, mayBeChanged)
  }
}
