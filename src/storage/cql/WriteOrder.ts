import type { CellChange } from "../cells/CellStore.ts"
import { ByteWriter } from "../cells/codec/ByteWriter.ts"
import { schemaCategory, schemaName } from "../cells/codec/RelationTypes.ts"
import type { Addition, ColumnMutation } from "./ColumnStore.ts"
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

/** What edges' columns begin with: those of the edges themselves, and of their copies for vertex-centric indexes. */
const edgeRanges: ReadonlyArray<readonly [start: Uint8Array, end: Uint8Array]> = [
  [Buffer.from([0x60]), Buffer.from([0x80])],
  [Buffer.from([0xa0]), Buffer.from([0xc0])]
]

const isEdge = ({ column }: CellChange): boolean =>
  edgeRanges.some(([start, end]) => column[0]! >= start[0]! && column[0]! < end[0]!)

/** What is written of a row at a time. */
export const mutationOf = ({ changes, key, removed, table }: ChangedRow): ColumnMutation => {
  const additions: Array<Addition> = []
  const deletions: Array<Uint8Array> = []
  for (const { column, value } of changes) {
    if (value !== null) additions.push({ column, value })
    else if (!removed) deletions.push(column)
  }
  return { table, key, additions, deletions, wholeRow: removed }
}

/** Parts of a commit: all of one is written, then the next. */
const parts = {
  types: 0,
  namesOfTypes: 1,
  vertices: 2,
  edges: 3,
  indexes: 4,
  edgesOfRemoved: 5,
  removed: 6
} as const

/**
 * What is written, in the order in which it is. A commit is not atomic; a process that dies in the midst of one leaves a
 * type that nothing uses, a vertex without its edges, or one that an index does not know yet or no more, but no cell of an
 * unknown type, no edge to a vertex that is not there, and no entry of an index without its element.
 */
export const inOrder = (rows: ReadonlyArray<ChangedRow>): ReadonlyArray<ReadonlyArray<ColumnMutation>> => {
  const phases: Array<Array<ColumnMutation>> = Object.values(parts).map(() => [])
  const put = (part: keyof typeof parts, mutation: ColumnMutation): void => {
    phases[parts[part]]!.push(mutation)
  }
  const graphRows = rows.filter(({ key, table }) => table === "edgestore" && !isSchemaRow(key))
  // One vertex has no edges to others that are made, or removed, with it.
  const makesSeveral = graphRows.filter(makesVertex).length > 1
  const removesSeveral = graphRows.filter(({ removed }) => removed).length > 1
  for (const row of rows) {
    const mutation = mutationOf(row)
    if (row.table === "graphindex" || row.table === "engine_ranges") {
      put(row.table === "graphindex" && isSystemIndex(row.key) ? "namesOfTypes" : "indexes", mutation)
    } else if (row.table !== "edgestore" || isSchemaRow(row.key)) put(row.removed ? "removed" : "types", mutation)
    else if (row.removed) {
      const { key, table } = row
      if (removesSeveral) {
        put("edgesOfRemoved", { table, key, additions: [], deletions: [], removedRanges: edgeRanges })
      }
      put("removed", mutation)
    } else if (!makesVertex(row)) put("edges", mutation)
    else if (!makesSeveral || !row.changes.some(isEdge)) put("vertices", mutation)
    else {
      put("vertices", mutationOf({ ...row, changes: row.changes.filter((change) => !isEdge(change)) }))
      put("edges", mutationOf({ ...row, changes: row.changes.filter(isEdge) }))
    }
  }
  return phases.filter((phase) => phase.length > 0)
}
