import { runWhole } from "../../scheduling/Task.ts"
import { StorageFailure, StorageUnavailable } from "../../structure/errors/StoreErrors.ts"
import type { Environment } from "./Environment.ts"
import { LmdbBatch } from "./LmdbBatch.ts"
import type { RecordedBatch } from "./RecordedBatch.ts"

/**
 * Claims of ids that may not be on the disk, although their ids are in use: they were made while another transaction of this process was
 * open or about to begin, and may be a part of it. They are lost if that transaction fails, for example on a full disk. The next
 * write transaction repeats lost claims first, so that no commit with such an id is on the disk without its claim.
 */
export class OwedCommits {
  readonly #directory: string
  /** The claims that may be in the open transaction. */
  #open: Array<RecordedBatch> = []
  /** The claims in failed transactions. */
  #lost: ReadonlyArray<RecordedBatch> = []

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Adds a claim that may be in the open transaction. */
  add(batch: RecordedBatch): void {
    this.#open.push(batch)
  }

  /** True if the open transaction may have claims. */
  get hasOpen(): boolean {
    return this.#open.length > 0
  }

  /** True if some claims may not be on the disk. Only a transaction of this process may write commits that use such ids. */
  get hasAny(): boolean {
    return this.hasOpen || this.#lost.length > 0
  }

  /** Called when the open transaction has failed. */
  failed(): void {
    this.#lost = [...this.#lost, ...this.#open]
    this.#open = []
  }

  /** Called when a transaction that began with {@link write} is on the disk. */
  written(): void {
    this.#lost = []
    this.#open = []
  }

  /**
   * Repeats the lost claims inside a transaction; returns whether there were any. Throws StorageFailure when another
   * process has claimed the same ids since, and StorageUnavailable while the outcome of the open transaction is
   * unknown.
   */
  write(environment: Environment): boolean {
    const missing = this.#missing(environment)
    for (const owed of missing) {
      const { schemaVersion, version } = environment.state()
      const batch = new LmdbBatch(environment, version + 1, schemaVersion)
      if (!owed.repeat(batch)) throw this.#open.length > 0 ? notYetKnown(this.#directory) : lost(this.#directory)
      runWhole(batch.apply())
      const [rows, schema] = [Number(batch.changesRows), Number(batch.advancesSchema)]
      if (rows + schema > 0) environment.setState({ version: version + rows, schemaVersion: schemaVersion + schema })
    }
    return missing.length > 0
  }

  /** The claims that are not stored. Each claim follows the previous one: all before one that is stored are stored, too. */
  #missing(environment: Environment): ReadonlyArray<RecordedBatch> {
    const all = [...this.#lost, ...this.#open]
    const batch = new LmdbBatch(environment, 0, 0)
    return all.slice(all.findLastIndex((each) => each.isStored(batch)) + 1)
  }
}

const notYetKnown = (directory: string): StorageFailure =>
  new StorageUnavailable(
    `Nothing was written to the graph in ${directory}: an earlier commit is on its way to the disk, and it is not known yet ` +
      "whether it gets there. Run the request again."
  )

const lost = (directory: string): StorageFailure =>
  new StorageFailure(
    `Another process of this server has claimed ids in ${directory} that this one had claimed in a commit that did not stay on ` +
      "the disk: this process writes no more to the graph. Restart it."
  )
