import { runWhole } from "../../scheduling/Task.ts"
import { StorageFailure, StorageUnavailable } from "../../structure/StoreErrors.ts"
import type { Environment } from "./Environment.ts"
import { LmdbBatch } from "./LmdbBatch.ts"
import type { RecordedBatch } from "./RecordedBatch.ts"

/**
 * Commits that were made within the transaction of another, long one, and answered at once: claims of ids. When the
 * disk has no room for that transaction, they are lost with it, although the ids are given out. So the next transaction
 * that writes begins with them: no commit that may contain such an id is on the disk without its claim.
 */
export class OwedCommits {
  readonly #directory: string
  /** Of the transaction that is open, or whose end is not known yet. */
  #open: Array<RecordedBatch> = []
  /** Of transactions that failed. */
  #lost: ReadonlyArray<RecordedBatch> = []

  constructor(directory: string) {
    this.#directory = directory
  }

  /** A commit was made within the open transaction. */
  add(batch: RecordedBatch): void {
    this.#open.push(batch)
  }

  /** The open transaction has failed. */
  failed(): void {
    this.#lost = [...this.#lost, ...this.#open]
    this.#open = []
  }

  /** A transaction is on the disk that began with {@link write}. */
  written(): void {
    this.#lost = []
    this.#open = []
  }

  /**
   * Inside a transaction: writes what is owed and not there, and says whether there was any. Throws StorageFailure when
   * another process has written the same meanwhile, and StorageUnavailable while it is not known whether it has.
   */
  write(environment: Environment): boolean {
    const all = [...this.#lost, ...this.#open]
    // They follow each other: where the last one is, all are.
    if (all.length === 0 || all.at(-1)!.isThere(new LmdbBatch(environment, 0, 0))) return false
    for (const owed of all) {
      const { schemaVersion, version } = environment.state()
      const batch = new LmdbBatch(environment, version + 1, schemaVersion)
      if (!owed.repeat(batch)) throw this.#open.length > 0 ? notYetKnown(this.#directory) : lost(this.#directory)
      runWhole(batch.apply())
      const [rows, schema] = [Number(batch.changesRows), Number(batch.advancesSchema)]
      if (rows + schema > 0) environment.setState({ version: version + rows, schemaVersion: schemaVersion + schema })
    }
    return true
  }
}

const notYetKnown = (directory: string): StorageFailure =>
  new StorageUnavailable(
    `Nothing was written to the graph in ${directory}: a long commit is on its way to the disk, and it is not known yet ` +
      "whether the disk has room for it. Run the request again."
  )

const lost = (directory: string): StorageFailure =>
  new StorageFailure(
    `Another process of this server has claimed ids in ${directory} that this one had claimed in a commit for which the ` +
      "disk had no room: this process writes no more to the graph. Restart it."
  )
