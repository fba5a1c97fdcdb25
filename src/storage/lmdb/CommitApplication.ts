import { runWhole } from "../../scheduling/Task.ts"
import type { CommitPauses } from "../janusgraph/cells/CellStore.ts"
import { ChangedRows } from "./ChangedRows.ts"
import type { Environment } from "./Environment.ts"
import { LmdbBatch } from "./LmdbBatch.ts"
import type { OwedCommits } from "./OwedCommits.ts"
import type { Waiting } from "./WaitingCommits.ts"

/** No further commit is added to a transaction after this time, because the transaction blocks the event loop. */
const MAX_GROUP_MS = 8

/** Applies commits inside a transaction of lmdb, and advances the version of the graph. */
export class CommitApplication {
  readonly #owed: OwedCommits
  readonly #isShared: boolean

  /**
   * @param owed commits that the next transaction repeats
   * @param isShared true when other processes write the same files
   */
  constructor(owed: OwedCommits, isShared: boolean) {
    this.#owed = owed
    this.#isShared = isShared
  }

  /**
   * Applies commits inside the transaction. Returns their number, and whether they wrote anything. Commits of the graph
   * advance the version even if they write no rows, because caches expect the version. Claims of ids (`counted` is
   * false) do not.
   */
  apply(
    environment: Environment,
    group: ReadonlyArray<Waiting>,
    counted: boolean
  ): { readonly count: number; readonly wrote: boolean } {
    const limit = performance.now() + MAX_GROUP_MS
    let wrote = this.#owed.write(environment)
    const before = environment.state()
    let { schemaVersion } = before
    let changesRows = false
    let count = 0
    const changed = this.#isShared ? new ChangedRows() : undefined
    for (const waiting of group) {
      count++
      const batch = new LmdbBatch(environment, before.version + 1, schemaVersion)
      try {
        waiting.work(batch)
      } catch (error) {
        waiting.error = error as Error
        continue
      }
      if (changed !== undefined) batch.addChangedRows(changed)
      runWhole(batch.apply())
      wrote = true
      changesRows ||= counted || batch.changesRows
      if (batch.advancesSchema) schemaVersion++
      if (performance.now() > limit) break
    }
    if (changesRows || schemaVersion !== before.schemaVersion) {
      environment.setState({ version: before.version + (changesRows ? 1 : 0), schemaVersion })
      if (changesRows && changed !== undefined) environment.setChangedRows(before.version + 1, changed)
    }
    return { count, wrote }
  }

  /** Applies a commit in time slices. It does its whole work before its first write. */
  *applyLong(environment: Environment, waiting: Waiting, pauses: CommitPauses): Generator<unknown, void> {
    this.#owed.write(environment)
    const before = environment.state()
    const batch = new LmdbBatch(environment, before.version + 1, before.schemaVersion)
    try {
      yield* { [Symbol.iterator]: () => waiting.longWork!(batch, pauses) }
    } catch (error) {
      waiting.error = error as Error
      return
    }
    const changed = this.#isShared ? new ChangedRows() : undefined
    if (changed !== undefined) batch.addChangedRows(changed)
    yield* batch.apply()
    // Claims of ids may have changed the state within this transaction.
    const { schemaVersion, version } = environment.state()
    if (version !== before.version) changed?.addUnknown()
    if (changed !== undefined) environment.setChangedRows(batch.version, changed)
    environment.setState({ version: batch.version, schemaVersion: schemaVersion + (batch.advancesSchema ? 1 : 0) })
  }
}
