import type { Pending } from "../../scheduling/Pending.ts"
import { reasonOf } from "../../structure/errors/Reason.ts"
import { FailedAfterCommit } from "../../structure/errors/StoreErrors.ts"
import { Answer } from "../shared/Answer.ts"
import { WorkUnderWay } from "../shared/WorkUnderWay.ts"
import { CommitAttempts, type CommitCoordination, type CommitParts, type Work } from "./CommitAttempts.ts"
import { CommitWriter } from "./CommitWriter.ts"
import type { CqlBatch } from "./CqlBatch.ts"
import type { Fetches } from "./Fetches.ts"
import { RecentChanges } from "./RecentChanges.ts"
import { SchemaTurns } from "./SchemaTurns.ts"
import type { SiblingWrites } from "./SiblingWrites.ts"
import type { SliceCache } from "./SliceCache.ts"
import { changedTypes } from "./WriteOrder.ts"

/**
 * Commits of this process. Each one reads the newest state and writes what follows from it. Commits run concurrently; one
 * that has read what another changes runs again. A change of the schema runs alone, so every later commit knows it. Unique
 * values and type names are locked while other instances are registered.
 */
export class Commits {
  readonly #parts: CommitParts
  #version = 0
  readonly #running = new WorkUnderWay()

  /**
   * @param siblings the writes of other workers of the server
   * @param cache the cache of slices that forgets what commits write
   */
  constructor(fetches: Fetches, coordination: CommitCoordination, siblings?: SiblingWrites, cache?: SliceCache) {
    const recent = new RecentChanges()
    const { columns } = fetches.pages
    const writer = new CommitWriter({ columns, coordination, recent, siblings, cache })
    this.#parts = { fetches, coordination, recent, turns: new SchemaTurns(), writer, siblings, cache }
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
    const end = this.#parts.coordination.schema.use()
    let written: CqlBatch | undefined
    try {
      written = await new CommitAttempts(this.#parts, work, ++this.#version).apply()
    } finally {
      end()
    }
    // First release the schema: other instances may wait for this process.
    if (written?.advancesSchema) {
      await this.#announce(written).catch((cause: unknown) => {
        const reason = reasonOf(cause)
        throw new FailedAfterCommit(`other instances may not know of the changed schema. ${reason}`, { cause })
      })
    }
  }

  /**
   * Announces changed types to the other instances. New types are not announced: an instance reads them when it meets them.
   */
  async #announce(batch: CqlBatch): Promise<void> {
    const changed = changedTypes(batch.rows)
    if (changed.length > 0) await this.#parts.coordination.news.announce(changed)
  }
}
