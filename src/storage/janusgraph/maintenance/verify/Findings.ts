import type { CellBatch, CellSnapshot, CountedKind, Table } from "../../cells/CellStore.ts"
import { CellCursor, sameBytes } from "../../cells/Cells.ts"
import type { VertexId } from "../../format/Ids.ts"
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
