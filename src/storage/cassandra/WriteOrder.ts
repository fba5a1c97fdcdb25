import type { CellChange } from "../janusgraph/cells/CellStore.ts"
import { ByteWriter } from "../janusgraph/format/ByteWriter.ts"
import { schemaCategory, schemaName } from "../janusgraph/format/RelationTypes.ts"
import type { Addition, ColumnMutation } from "./ColumnStore.ts"
import type { ChangedRow } from "./CqlBatch.ts"
import type { ChangedColumns } from "./RecentChanges.ts"

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
const isSystemIndex = (key: Uint8Array): boolean =>
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

/** A row as one part of a commit writes it. */
interface PlannedRow {
  readonly row: ChangedRow
  /** What of it: everything, only its edges, all but these, or their removal. */
  readonly what: "all" | "edges" | "others" | "removal"
}

/** What is written of a commit, and in which order. */
export interface WritePlan {
  readonly phases: ReadonlyArray<ReadonlyArray<PlannedRow>>
  /** The cells that are changed, by the names of their rows. */
  readonly changed: ReadonlyMap<string, ChangedColumns>
}

/** Rows that are looked at between two yields. */
const AT_ONCE = 256

/**
 * Plans what is written, with a yield now and then. A commit is not atomic; a process that dies in the midst of one leaves a
 * type that nothing uses, a vertex without its edges, or one that an index does not know yet or no more, but no cell of an
 * unknown type, no edge to a vertex that is not there, and no entry of an index without its element.
 */
export function* writePlan(rows: ReadonlyMap<string, ChangedRow>): Generator<void, WritePlan> {
  const phases: Array<Array<PlannedRow>> = Object.values(parts).map(() => [])
  const changed = new Map<string, ChangedColumns>()
  const put = (part: keyof typeof parts, row: ChangedRow, what: PlannedRow["what"] = "all"): void => {
    phases[parts[part]]!.push({ row, what })
  }
  // One vertex has no edges to others that are made, or removed, with it.
  let made = 0
  let removed = 0
  for (const [name, row] of rows) {
    changed.set(name, row.removed ? null : row.changes.map(({ column }) => column))
    if (row.table === "edgestore" && !isSchemaRow(row.key)) {
      if (row.removed) removed++
      else if (makesVertex(row)) made++
    }
    if (changed.size % AT_ONCE === 0) yield
  }
  let planned = 0
  for (const row of rows.values()) {
    if (row.table === "graphindex") put(isSystemIndex(row.key) ? "namesOfTypes" : "indexes", row)
    else if (row.table === "engine_ranges") put("indexes", row)
    else if (row.table !== "edgestore" || isSchemaRow(row.key)) put(row.removed ? "removed" : "types", row)
    else if (row.removed) {
      if (removed > 1) put("edgesOfRemoved", row, "removal")
      put("removed", row)
    } else if (!makesVertex(row)) put("edges", row)
    else if (made === 1 || !row.changes.some(isEdge)) put("vertices", row)
    else {
      put("vertices", row, "others")
      put("edges", row, "edges")
    }
    if (++planned % AT_ONCE === 0) yield
  }
  return { phases: phases.filter((phase) => phase.length > 0), changed }
}

/** What is written of rows, made as it is asked for. */
export function* mutationsOf(rows: Iterable<PlannedRow>): Generator<ColumnMutation, void> {
  for (const { row, what } of rows) {
    const { changes, key, table } = row
    if (what === "all") yield mutationOf(row)
    else if (what === "removal") yield { table, key, additions: [], deletions: [], removedRanges: edgeRanges }
    else yield mutationOf({ ...row, changes: changes.filter((change) => isEdge(change) === (what === "edges")) })
  }
}
