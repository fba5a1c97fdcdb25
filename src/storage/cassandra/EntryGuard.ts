import type { Consistency } from "./ColumnStore.ts"
import type { CqlBatch, KnownPages } from "./CqlBatch.ts"
import type { Coordination } from "./coordination/Coordination.ts"
import { SETTLE_DELAY_MS } from "./coordination/Instances.ts"
import { lockTargets } from "./UniqueEntries.ts"
import { isSchemaData } from "./WriteOrder.ts"

/** Writes index entries, and what follows them, with a consistency level. `isLate`: with a new time stamp. */
type WriteEntries = (consistency: Consistency, isLate: boolean) => Promise<void>

/** The parts of the coordination that a guard uses. */
type GuardCoordination = Pick<Coordination, "clock" | "locks"> & {
  readonly instances: Pick<Coordination["instances"], "others">
}

/**
 * Guards the unique entries of a commit that began while this process was the only instance. They are written after the elements, which
 * may take longer than a process that starts waits (SETTLE_DELAY_MS). Then the others are looked for again, and if there are some, the
 * entries are written under the locks of the keyspace.
 */
export class EntryGuard {
  readonly #coordination: GuardCoordination
  readonly #batch: CqlBatch
  readonly #known: KnownPages
  /** When the process was alone, as a time of the clock's elapsed(). */
  readonly #aloneAt: number

  /** Made before the other instances are looked for. */
  constructor(coordination: GuardCoordination, batch: CqlBatch, known: KnownPages) {
    this.#coordination = coordination
    this.#batch = batch
    this.#known = known
    this.#aloneAt = coordination.clock.elapsed()
  }

  /** Fails as locks do: with TransactionConflict if another instance has got one of the values meanwhile. */
  async write(consistency: Consistency, write: WriteEntries): Promise<void> {
    const { clock, instances, locks } = this.#coordination
    if (clock.elapsed() - this.#aloneAt < SETTLE_DELAY_MS / 2) return write(consistency, false)
    // What precedes the entries is written, so only they still have the values that the commit has read.
    const all = lockTargets(this.#batch, this.#known, true)
    const targets = all.filter((each) => each.table === "graphindex" && !isSchemaData(each))
    if (targets.length === 0 || (await instances.others()).length === 0) return write(consistency, false)
    await locks.during(targets, (beginWrite) => {
      beginWrite()
      return write("system", true)
    })
  }
}
