import type { CellBatch, CellSnapshot, Table } from "../../cells/CellStore.ts"
import { CellCursor, sameBytes } from "../../cells/Cells.ts"
import { type CountedKind, changeCounts, readCounts } from "../../commit/Counters.ts"
import { RowChanges } from "../../commit/RowChanges.ts"
import { isSchemaId, type VertexId } from "../../format/Ids.ts"
import { idOfRowKey } from "../../format/RowKeys.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { commitLater } from "../../management/IndexBuild.ts"
import { after } from "../../schema/SchemaRead.ts"

/** What can be wrong with the cells of a graph. */
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

/** A cell, and its value; null where there is none. */
export interface CellState {
  readonly table: Table
  readonly key: Uint8Array
  readonly column: Uint8Array
  readonly value: Uint8Array | null
}

export interface Finding {
  readonly kind: FindingKind
  /** Where, in words. */
  readonly where: string
  /** What the repair rests on: it is left alone when one of these has changed since. */
  readonly seen: ReadonlyArray<CellState>
  /** What mends it; empty where a person has to decide. */
  readonly repair: ReadonlyArray<CellState>
  /** By how much a number of elements is wrong. */
  readonly counter?: { readonly kind: CountedKind; readonly label: number; readonly by: number }
}

/** Bytes of their own; a Buffer's own slice would share them. */
export const copyOf = (bytes: Uint8Array): Uint8Array => Uint8Array.prototype.slice.call(bytes)

/** The value of a cell; null when there is none. */
export const valueAt = (
  from: Pick<CellSnapshot | CellBatch, "slice">,
  { column, key, table }: Pick<CellState, "table" | "key" | "column">
): Uint8Array | null => {
  const cursor = new CellCursor().over(from.slice({ table, key, start: column, end: after(column), limit: 1 }).cells)
  return cursor.next() ? copyOf(cursor.value()) : null
}

export const sameValue = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : sameBytes(a, b)

/** Findings that are mended in one commit. */
const AT_ONCE = 256

/** Mends what can be mended, and returns how many findings that were. */
export const repairAll = async (core: GraphCore, findings: ReadonlyArray<Finding>): Promise<number> => {
  let mended = 0
  const possible = findings.filter(({ counter, repair }) => repair.length > 0 || counter !== undefined)
  for (let from = 0; from < possible.length; from += AT_ONCE) {
    const part = possible.slice(from, from + AT_ONCE)
    let version = 0
    let done = 0
    await commitLater(core, (batch) => {
      core.assertWritable()
      version = batch.version
      const changes = new RowChanges()
      const changed = new Set<VertexId>()
      const counters = { vertex: new Map<number, number>(), edge: new Map<number, number>() }
      done = 0
      for (const { counter, repair, seen } of part) {
        if (!seen.every((cell) => sameValue(valueAt(batch, cell), cell.value))) continue
        done++
        if (counter !== undefined) counters[counter.kind].set(counter.label, counter.by)
        for (const { column, key, table, value } of repair) {
          if (value === null) changes.remove(table, key, column)
          else changes.put(table, key, column, value)
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
    mended += done
  }
  return mended
}
