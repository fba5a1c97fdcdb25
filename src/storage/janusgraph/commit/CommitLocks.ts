import type { CellBatch } from "../cells/CellStore.ts"
import { startsWith } from "../cells/Cells.ts"
import { isUnique, type RelationType } from "../format/RelationTypes.ts"
import { headersOf } from "../rows/Headers.ts"
import type { Schema } from "../schema/Schema.ts"
import { existsHeader } from "./CommitState.ts"
import type { RowChanges } from "./RowChanges.ts"

/** The headers of the locked types of which a vertex has at most one relation. */
const lockedHeaders = ({ modifiers, type }: Schema): ReadonlyArray<Uint8Array> => {
  const found: Array<Uint8Array> = []
  for (const [id, consistency] of modifiers.consistencies) {
    const locked: RelationType | undefined = consistency === "LOCK" ? type(id) : undefined
    if (locked === undefined) continue
    const { multiplicity } = locked
    const headers = headersOf(locked)
    if (isUnique(multiplicity, false) || multiplicity === "SIMPLE") found.push(headers.out.bytes)
    if (!locked.isKey && isUnique(multiplicity, true)) found.push(headers.in.bytes)
  }
  return found
}

/**
 * Locks the cells that a commit changes whose types have `ConsistencyModifier.LOCK`, in the rows of existing vertices,
 * as JanusGraph does. Does nothing where commits of the store are atomic. Yields after each row.
 */
export function* lockCells(changes: RowChanges, schema: Schema, batch: CellBatch): Generator<void, void> {
  if (batch.lock === undefined || schema.modifiers.consistencies.size === 0) return
  const headers = lockedHeaders(schema)
  if (headers.length === 0) return
  for (const { columns, key, table } of changes.rows()) {
    yield
    if (table !== "edgestore" || changes.changeOf(table, key, existsHeader.bytes)) continue
    for (const column of columns) {
      if (headers.some((header) => startsWith(column, header))) batch.lock(table, key, column)
    }
  }
}
