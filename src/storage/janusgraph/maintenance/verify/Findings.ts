import type { CellBatch, CellSnapshot, CountedKind, Page, SliceQuery, Table } from "../../cells/CellStore.ts"
import { CellCursor, sameBytes } from "../../cells/Cells.ts"
import { changeCounts, readCounts } from "../../commit/Counters.ts"
import { RowChanges } from "../../commit/RowChanges.ts"
import { isSchemaId, type VertexId } from "../../format/Ids.ts"
import { decodeRelation } from "../../format/Relations.ts"
import { idOfRowKey } from "../../format/RowKeys.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { ElementEntries } from "../../indexes/ElementEntries.ts"
import { SourceTimes } from "../../indexes/SourceTimes.ts"
import { commitLater } from "../../management/IndexBuild.ts"
import type { GraphIndex } from "../../schema/Schema.ts"
import { after } from "../../schema/SchemaRead.ts"

/** The kinds of errors in the cells of a graph. */
export type FindingKind =
  | "a cell that cannot be read"
  | "a cell of a type that the schema does not have"
  | "cells of a vertex that does not exist"
  | "a vertex label that the schema does not have"
  | "an edge that only one of its vertices has"
  | "an edge to a vertex that does not exist"
  | "an edge that its vertices have with different properties"
  | "a missing entry of a vertex-centric index"
  | "a stale entry of a vertex-centric index"
  | "a missing entry of an index"
  | "a stale entry of an index"
  | "an entry of an index that does not exist"
  | "a value that two elements have under a unique index"
  | "a wrong number of elements"
  | "ids in use that could be given out again"

/** A cell and its value; null when the cell does not exist. */
export interface CellState {
  readonly table: Table
  readonly key: Uint8Array
  readonly column: Uint8Array
  readonly value: Uint8Array | null
}

/** An error in the cells of a graph. */
export interface Finding {
  readonly kind: FindingKind
  /** The place of the error, as text for messages. */
  readonly where: string
  /** The cells that show the error. It is not repaired when one of them has changed since. */
  readonly seen: ReadonlyArray<CellState>
  /** The cells that repair the error; empty where the operator has to decide. */
  readonly repair: ReadonlyArray<CellState>
  /** The index and the vertex of a missing entry, from whose elements the entry has its time to live. */
  readonly entryOf?: { readonly index: GraphIndex; readonly vertex: VertexId }
  /** The correction of a wrong element count. */
  readonly counter?: { readonly kind: CountedKind; readonly label: number; readonly by: number }
}

/** A copy of the bytes; Buffer.slice() would share them. */
export const copyOf = (bytes: Uint8Array): Uint8Array => Uint8Array.prototype.slice.call(bytes)

/** The value of a cell; null when it does not exist. */
export const valueAt = (
  from: Pick<CellSnapshot | CellBatch, "slice">,
  { column, key, table }: Pick<CellState, "table" | "key" | "column">
): Uint8Array | null => {
  const cursor = new CellCursor().over(from.slice({ table, key, start: column, end: after(column), limit: 1 }).cells)
  return cursor.next() ? copyOf(cursor.value()) : null
}

/** True when both values are the same bytes, or both cells do not exist. */
export const sameValue = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : sameBytes(a, b)

/** The TTL of a cell that a repair adds, in seconds: that of the relation from which it is made; 0 for none. */
const timeToLive = (core: GraphCore, batch: CellBatch, { entryOf, seen }: Finding, column: Uint8Array): number => {
  const times = SourceTimes.of(batch, core.schema)
  if (times === undefined) return 0
  if (entryOf === undefined) {
    const source = seen.find(({ table, value }) => table === "edgestore" && value !== null)
    if (source === undefined) return 0
    const bytes = Buffer.concat([source.column, source.value!])
    const { type } = decodeRelation(bytes, 0, source.column.length, bytes.length, core.schema.type)
    return times.left({ type: type.id, key: source.key, column: source.column })
  }
  const slice = (query: SliceQuery): Page => batch.slice(query)
  const entries = new ElementEntries(slice, core.schema, core.options.partitionBits, undefined, times)
  for (const entry of entries.each(entryOf.index, entryOf.vertex))
    if (sameBytes(entry.column, column)) return entry.ttl ?? 0
  return 0
}

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
    await commitLater(core, (batch) => {
      core.assertWritable()
      version = batch.version
      const changes = new RowChanges()
      const changed = new Set<VertexId>()
      const counters = { vertex: new Map<number, number>(), edge: new Map<number, number>() }
      done = 0
      for (const finding of part) {
        const { counter, repair, seen } = finding
        if (!seen.every((cell) => sameValue(valueAt(batch, cell), cell.value))) continue
        done++
        if (counter !== undefined) counters[counter.kind].set(counter.label, counter.by)
        for (const { column, key, table, value } of repair) {
          if (value === null) changes.remove(table, key, column)
          else changes.put(table, key, column, value, timeToLive(core, batch, finding, column))
          if (table !== "edgestore") continue
          const id = idOfRowKey(key, core.options.partitionBits)
          if (!isSchemaId(id)) changed.add(id)
        }
      }
      for (const kind of ["vertex", "edge"] as const) {
        if (counters[kind].size > 0) {
          changeCounts(kind, readCounts(batch, kind), counters[kind], changes)
        }
      }
      changes.apply(batch)
      core.cache.changes(version, changed)
    })
    core.cache.advance(version)
    repaired += done
  }
  return repaired
}
