import { CommitOutcomeUnknown, StorageUnavailable, TransactionConflict } from "../../structure/errors/StoreErrors.ts"
import { inWindow } from "./ConcurrentWork.ts"
import { type CqlBatch, type KnownPages, rowName } from "./CqlBatch.ts"
import type { Coordination } from "./coordination/Coordination.ts"
import { SETTLE_DELAY_MS } from "./coordination/Instances.ts"
import type { LockTarget } from "./coordination/LockTargets.ts"
import { lockTargets } from "./UniqueEntries.ts"
import { isSchemaData, type PlannedRow } from "./WriteOrder.ts"

/** Writes rows with index entries. `isLocked`: under locks of the keyspace, so with a time stamp that is later than all others. */
type WriteEntries = (rows: ReadonlyArray<PlannedRow>, isLocked: boolean) => Promise<void>

/** The parts of the coordination that a guard uses. */
type GuardCoordination = Pick<Coordination, "clock" | "locks"> & {
  readonly instances: Pick<Coordination["instances"], "others">
}

/** A row with a unique entry, and the lock that it needs. */
interface GuardedRow {
  readonly row: PlannedRow
  readonly target: LockTarget
}

/** Rows that are written between two looks at the clock. */
const WINDOW_ROWS = 256
/** Entries that are locked one by one at the same time. Few, because a claim that takes too long does not count. */
const SINGLES_IN_FLIGHT = 8
/** How often an entry is tried by itself, and the pause before it is tried again, ms. */
const ATTEMPTS = 3
const PAUSE_MS = 200
/** After so many entries without a lock, no more locks are tried: the cluster is too slow for them. */
const MAX_UNLOCKED_ENTRIES = 16

/**
 * Guards the unique entries of a commit that began while this process was the only instance. They are written after the elements, which
 * may take longer than a process that starts waits (SETTLE_DELAY_MS). Then the others are looked for again, and once there are some, the
 * unique entries are written under the locks of the keyspace. An entry whose value another instance has got meanwhile is left out.
 */
export class EntryGuard {
  readonly #coordination: GuardCoordination
  readonly #batch: CqlBatch
  readonly #known: KnownPages
  /** When the process was alone, as a time of the clock's elapsed(). */
  #aloneAt: number
  #hasOthers = false
  #taken = 0
  #unlocked = 0

  /** Made before the other instances are looked for. */
  constructor(coordination: GuardCoordination, batch: CqlBatch, known: KnownPages) {
    this.#coordination = coordination
    this.#batch = batch
    this.#known = known
    this.#aloneAt = coordination.clock.elapsed()
  }

  /** Writes the rows of the entries, in windows. Fails as `write` does. What was left out is known to assertComplete(). */
  async write(rows: ReadonlyArray<PlannedRow>, write: WriteEntries): Promise<void> {
    if (rows.length <= WINDOW_ROWS && !this.#isLate) return write(rows, false)
    const targets = this.#targets()
    if (targets.size === 0) return write(rows, false)
    for (let at = 0; at < rows.length; at += WINDOW_ROWS) {
      const some = rows.slice(at, at + WINDOW_ROWS)
      if (await this.#mustLock()) await this.#writeGuarded(some, targets, write)
      else await write(some, false)
    }
  }

  /** Throws CommitOutcomeUnknown if entries were left out. Everything else is written then. */
  assertComplete(): void {
    const reasons: Array<string> = []
    if (this.#taken > 0) reasons.push(`${this.#taken} whose values another server has taken meanwhile`)
    if (this.#unlocked > 0) reasons.push(`${this.#unlocked} that could not be locked in time (storage.lock.wait-time)`)
    if (reasons.length === 0) return
    throw new CommitOutcomeUnknown(
      "another server has started while the commit was written. All of it is written except the entries of unique indexes of " +
        `these values: ${reasons.join(", and ")}. Searches for such a value do not find its element of this commit. The command ` +
        "verify with --repair writes the entries of values that are free, and names the elements that share a value."
    )
  }

  get #isLate(): boolean {
    return this.#coordination.clock.elapsed() - this.#aloneAt >= SETTLE_DELAY_MS / 2
  }

  /**
   * The locks of the unique entries, by the names of their rows. A removed entry that was not read has none: it is removed with the time
   * stamp of the commit, which removes nothing that another instance writes later.
   */
  #targets(): ReadonlyMap<string, LockTarget> {
    // What precedes the entries is written, so only they still have the values that the commit has read.
    const all = lockTargets(this.#batch, this.#known, true)
    const entries = all.filter((each) => each.table === "graphindex" && !isSchemaData(each))
    return new Map(entries.map((each) => [rowName("graphindex", each.key), each]))
  }

  /** True if other instances may use the keyspace. */
  async #mustLock(): Promise<boolean> {
    if (this.#hasOthers || !this.#isLate) return this.#hasOthers
    const { clock, instances } = this.#coordination
    const begun = clock.elapsed()
    try {
      this.#hasOthers = (await instances.others()).length > 0
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
      // Locks are right in any case.
      this.#hasOthers = true
    }
    this.#aloneAt = begun
    return this.#hasOthers
  }

  async #writeGuarded(
    rows: ReadonlyArray<PlannedRow>,
    targets: ReadonlyMap<string, LockTarget>,
    write: WriteEntries
  ): Promise<void> {
    const free: Array<PlannedRow> = []
    const guarded: Array<GuardedRow> = []
    for (const row of rows) {
      const target = targets.get(rowName(row.row.table, row.row.key))
      if (target === undefined) free.push(row)
      else guarded.push({ row, target })
    }
    if (free.length > 0) await write(free, false)
    if (guarded.length === 0) return
    if (this.#canLock && (await this.#writeLocked(guarded, write)) === undefined) return
    await inWindow(guarded, SINGLES_IN_FLIGHT, (each) => this.#writeSingle(each, write))
  }

  get #canLock(): boolean {
    return this.#unlocked < MAX_UNLOCKED_ENTRIES
  }

  /** Writes one row under its lock, or counts it as left out. */
  async #writeSingle(row: GuardedRow, write: WriteEntries): Promise<void> {
    let failure: Error | undefined
    for (let attempt = 0; attempt < ATTEMPTS && this.#canLock; attempt++) {
      if (attempt > 0) await this.#coordination.clock.sleep(PAUSE_MS)
      failure = await this.#writeLocked([row], write)
      if (failure === undefined) return
    }
    if (failure instanceof TransactionConflict) this.#taken++
    else this.#unlocked++
  }

  /** Writes rows under their locks. Returns why they could not be locked; a failed write fails. */
  async #writeLocked(rows: ReadonlyArray<GuardedRow>, write: WriteEntries): Promise<Error | undefined> {
    let hasBegun = false
    try {
      await this.#coordination.locks.during(
        rows.map(({ target }) => target),
        (beginWrite) => {
          beginWrite()
          hasBegun = true
          return write(
            rows.map(({ row }) => row),
            true
          )
        }
      )
      return undefined
    } catch (error) {
      const isLock = error instanceof TransactionConflict || error instanceof StorageUnavailable
      if (hasBegun || !isLock) throw error
      return error
    }
  }
}
