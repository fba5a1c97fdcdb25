import { CommitOutcomeUnknown } from "../../../../structure/errors/StoreErrors.ts"
import type { LongWork } from "../../cells/CellStore.ts"
import { changeCounts, readCounts } from "../../commit/Counters.ts"
import { RowChanges } from "../../commit/RowChanges.ts"
import { canonicalId, isSchemaId, type VertexId } from "../../format/Ids.ts"
import { idOfRowKey } from "../../format/RowKeys.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { commitPieces } from "../../management/IndexBuild.ts"
import { untilDone } from "../../management/PatientWork.ts"
import { type Finding, sameValue, valueAt } from "./Findings.ts"
import { readTimes } from "./RepairTimes.ts"

/** Findings that are repaired in one commit. */
const FINDINGS_PER_COMMIT = 256

/** Repairs all findings that can be repaired, and returns their number. */
export const repairAll = async (core: GraphCore, findings: ReadonlyArray<Finding>): Promise<number> => {
  let repaired = 0
  const possible = findings.filter(({ counter, repair }) => repair.length > 0 || counter !== undefined)
  for (let from = 0; from < possible.length; from += FINDINGS_PER_COMMIT) {
    const part = possible.slice(from, from + FINDINGS_PER_COMMIT)
    let version = 0
    let done = 0
    // A repair that was applied without an answer is not applied again, because its cells are no longer those that were seen. Of a counter
    // no cells were seen.
    const isRepeatable = part.every(({ counter }) => counter === undefined)
    const work: LongWork = function* (batch) {
      core.assertWritable()
      version = batch.version
      const changes = new RowChanges()
      const changed = new Set<VertexId>()
      const counters = { vertex: new Map<number, number>(), edge: new Map<number, number>() }
      done = 0
      const times = yield* readTimes(core, batch, part)
      for (const finding of part) {
        const { counter, repair, seen } = finding
        if (!seen.every((cell) => sameValue(valueAt(batch, cell), cell.value))) continue
        done++
        if (counter !== undefined) counters[counter.kind].set(counter.label, counter.by)
        for (const { column, key, table, value } of repair) {
          if (value === null) changes.remove(table, key, column)
          else changes.put(table, key, column, value, times.of(finding, { table, key, column }))
          if (table !== "edgestore") continue
          // The cache has a partitioned vertex by the id that clients see.
          const { partitionBits } = core.options
          const id = canonicalId(idOfRowKey(key, partitionBits), partitionBits)
          if (!isSchemaId(id)) changed.add(id)
        }
      }
      for (const kind of ["vertex", "edge"] as const) {
        if (counters[kind].size > 0) {
          changeCounts(kind, readCounts(batch, kind), counters[kind], changes)
        }
      }
      yield* changes.applyTask(batch)
      core.cache.changes(version, changed)
    }
    // An attempt without an answer may have repaired what the next one finds repaired. Any other failed attempt has repaired
    // nothing.
    let before = 0
    const attempt = (): Promise<void> =>
      commitPieces(core, work).catch((error: unknown) => {
        if (error instanceof CommitOutcomeUnknown) before = Math.max(before, done)
        throw error
      })
    await untilDone(core, attempt, isRepeatable ? undefined : 0)
    core.cache.advance(version)
    repaired += Math.max(before, done)
  }
  return repaired
}
