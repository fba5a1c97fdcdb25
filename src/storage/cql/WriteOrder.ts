import { ByteWriter } from "../cells/codec/ByteWriter.ts"
import { schemaCategory, schemaName } from "../cells/codec/RelationTypes.ts"
import type { ChangedRow } from "./CqlBatch.ts"

/** The column that says that a vertex is there. */
const EXISTS = 0x02

const prefixOf = (id: number): Buffer => {
  const writer = new ByteWriter(8)
  writer.varint(id)
  return Buffer.from(writer.copy())
}

const systemIndexes = [schemaName, schemaCategory].map(({ id }) => prefixOf(Number(id)))

const isSchemaRow = (key: Uint8Array): boolean => key.length === 8 && (key[7]! & 3) === 1

/** True for rows of the index of names, and of kinds, of types. */
export const isSystemIndex = (key: Uint8Array): boolean =>
  systemIndexes.some((prefix) => prefix.equals(key.subarray(0, prefix.length)))

/** The schema vertex whose row this is, if it was there before; undefined for other rows, and new types. */
export const changedType = (row: ChangedRow): number | undefined =>
  row.table === "edgestore" && isSchemaRow(row.key) && !makesVertex(row)
    ? Number(Buffer.from(row.key).readBigUInt64BE(0))
    : undefined

/** True for rows of the index of names of types: each has one entry. */
export const isNameRow = (key: Uint8Array): boolean =>
  systemIndexes[0]!.equals(key.subarray(0, systemIndexes[0]!.length))

const makesVertex = ({ changes }: ChangedRow): boolean =>
  changes.some(({ column, value }) => column.length === 1 && column[0] === EXISTS && value !== null)

/**
 * When a row is written: all rows of one number, then those of the next. A commit is not atomic; a process that dies in the
 * midst of one leaves a type that nothing uses, a vertex that no index knows yet, or one that none knows any more, but no
 * cell of an unknown type, no edge to a vertex that was never made, and no entry of an index without its element.
 */
const phaseOf = (row: ChangedRow): number => {
  switch (row.table) {
    case "edgestore":
      if (isSchemaRow(row.key)) return row.removed ? 6 : 0
      if (row.removed) return 5
      return makesVertex(row) ? 2 : 3
    case "graphindex":
      return isSystemIndex(row.key) ? 1 : 4
    case "engine_ranges":
      return 4
    default:
      return 0
  }
}

/** Rows in groups that are written one after the other. */
export const inOrder = (rows: Iterable<ChangedRow>): ReadonlyArray<ReadonlyArray<ChangedRow>> => {
  const phases: Array<Array<ChangedRow> | undefined> = []
  for (const row of rows) {
    const phase = phaseOf(row)
    const known = phases[phase]
    if (known === undefined) phases[phase] = [row]
    else known.push(row)
  }
  return phases.filter((phase) => phase !== undefined)
}
