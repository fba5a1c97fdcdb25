import { resultInSlices, runWhole } from "../../scheduling/Task.ts"
import type { CellChange, Table } from "../janusgraph/cells/CellStore.ts"
import { isLogRow } from "../janusgraph/documents/LogEntry.ts"
import { ByteWriter } from "../janusgraph/format/ByteWriter.ts"
import { schemaCategory, schemaName } from "../janusgraph/format/RelationTypes.ts"
import type { Addition, ColumnMutation } from "./ColumnStore.ts"
import type { ChangedRow, ManyRows } from "./CqlBatch.ts"
import type { ChangedColumns } from "./RecentChanges.ts"

/** The column whose cell means that the vertex exists. */
const EXISTS = 0x02

const prefixOf = (id: number): Buffer => {
  const writer = new ByteWriter(8)
  writer.varint(id)
  return Buffer.from(writer.copy())
}

const systemIndexes = [schemaName, schemaCategory].map(({ id }) => prefixOf(Number(id)))

const isSchemaRow = (key: Uint8Array): boolean => key.length === 8 && (key[7]! & 3) === 1

/** True for rows of the indexes of type names and type categories. */
const isSystemIndex = (key: Uint8Array): boolean =>
  systemIndexes.some((prefix) => prefix.equals(key.subarray(0, prefix.length)))

/** True for rows that have a part of the schema, and for tables that do not have data of the graph. */
export const isSchemaData = ({ key, table }: { readonly table: Table; readonly key: Uint8Array }): boolean =>
  table === "edgestore" ? isSchemaRow(key) : table === "graphindex" ? isSystemIndex(key) : table !== "engine_ranges"

/** True for rows of the log of documents that search engines need. */
export const isLog = ({ key, table }: { readonly table: Table; readonly key: Uint8Array }): boolean =>
  table === "engine_ranges" && isLogRow(key)

/** The ids of the schema vertices among rows, without those of new types. */
export const changedTypes = (rows: ReadonlyMap<string, ChangedRow>): ReadonlyArray<number> => {
  const changed: Array<number> = []
  for (const row of rows.values()) {
    if (row.table !== "edgestore" || !isSchemaRow(row.key) || makesVertex(row)) continue
    changed.push(Number(Buffer.from(row.key).readBigUInt64BE(0)))
  }
  return changed
}

/** True for rows of the index of type names. Each has one entry. */
export const isNameRow = (key: Uint8Array): boolean =>
  systemIndexes[0]!.equals(key.subarray(0, systemIndexes[0]!.length))

/** The phase of a row of a system index. A type stays listed until its name is free: only a listed one can be removed again. */
const phaseOfSystemIndex = ({ changes, key }: ChangedRow): keyof typeof phaseOrder =>
  isNameRow(key) || changes.some(isAddition) ? "namesOfTypes" : "listsOfRemovedTypes"

const makesVertex = ({ changes }: ChangedRow): boolean =>
  changes.some(({ column, value }) => column.length === 1 && column[0] === EXISTS && value !== null)

/** Ranges of the columns of edges, and of their copies for vertex-centric indexes. */
const edgeRanges: ReadonlyArray<readonly [start: Uint8Array, end: Uint8Array]> = [
  [Buffer.from([0x60]), Buffer.from([0x80])],
  [Buffer.from([0xa0]), Buffer.from([0xc0])]
]

const isEdge = ({ column }: CellChange): boolean =>
  edgeRanges.some(([start, end]) => column[0]! >= start[0]! && column[0]! < end[0]!)

/** Rows of a bulk write that are in memory at the same time. */
const BULK_ROWS = 512

/** The mutations of a bulk write, in parts that are in memory at the same time. */
export function* bulkMutations({ rows, table }: ManyRows): Generator<ReadonlyArray<ColumnMutation>> {
  let some: Array<ColumnMutation> = []
  for (const { changes, key } of rows()) {
    some.push(mutationOf({ table, key, changes: [...changes], removed: false }))
    if (some.length < BULK_ROWS) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

const isAddition = (change: CellChange): change is CellChange & Addition => change.value !== null

/** The mutation with all changes of a row. */
const mutationOf = ({ changes, key, removed, table }: ChangedRow): ColumnMutation => {
  const additions: Array<Addition> = []
  const deletions: Array<Uint8Array> = []
  for (const change of changes) {
    if (isAddition(change)) additions.push(change)
    else if (!removed) deletions.push(change.column)
  }
  return { table, key, additions, deletions, wholeRow: removed }
}

/** Phases of a commit: each is complete before the next begins. */
const phaseOrder = {
  log: 0,
  types: 1,
  namesOfTypes: 2,
  listsOfRemovedTypes: 3,
  vertices: 4,
  edges: 5,
  indexes: 6,
  edgesOfRemoved: 7,
  removed: 8
} as const

/** A row in one phase of a commit. */
export interface PlannedRow {
  readonly row: ChangedRow
  /** What the phase writes: everything, only edges, everything except edges, or the removal of edges. */
  readonly what: "all" | "edges" | "others" | "removal"
}

/** The writes of a commit in their order. */
export interface WritePlan {
  readonly phases: ReadonlyArray<ReadonlyArray<PlannedRow>>
  /** The changed columns, by the names of the rows. */
  readonly changed: ReadonlyMap<string, ChangedColumns>
}

/** Rows that are planned between two yields. */
const ROWS_BETWEEN_YIELDS = 256

/** The columns of a row that a commit changes. */
const changedColumns = ({ changes, removed }: ChangedRow): ChangedColumns =>
  removed ? null : changes.map(({ column }) => column)

/**
 * Plans the writes of a commit. A commit is not atomic. A process that dies during one may leave a type that nothing uses, a vertex
 * without its edges, or a vertex that an index does not list; it never leaves a cell of an unknown type, an edge to a missing vertex, an
 * index entry without its element, or the name of a removed type that is no longer listed. The plan of few rows is made at once.
 */
export const planWrites = (rows: ReadonlyMap<string, ChangedRow>): WritePlan | Promise<WritePlan> => {
  if (rows.size !== 1) return rows.size < ROWS_BETWEEN_YIELDS ? runWhole(plan(rows)) : resultInSlices(() => plan(rows))
  const [[name, row]] = rows as unknown as readonly [[string, ChangedRow]]
  return { phases: [[{ row, what: "all" }]], changed: new Map([[name, changedColumns(row)]]) }
}

/** Yields between groups of rows. */
function* plan(rows: ReadonlyMap<string, ChangedRow>): Generator<void, WritePlan> {
  const phases: Array<Array<PlannedRow>> = []
  const changed = new Map<string, ChangedColumns>()
  const put = (part: keyof typeof phaseOrder, row: ChangedRow, what: PlannedRow["what"] = "all"): void => {
    const phase = phaseOrder[part]
    phases[phase] ??= []
    phases[phase].push({ row, what })
  }
  // Edges need a separate phase only when several vertices are created, or several are removed.
  let made = 0
  let removed = 0
  for (const [name, row] of rows) {
    changed.set(name, changedColumns(row))
    if (row.table === "edgestore" && !isSchemaRow(row.key)) {
      if (row.removed) removed++
      else if (makesVertex(row)) made++
    }
    if (changed.size % ROWS_BETWEEN_YIELDS === 0) yield
  }
  let planned = 0
  for (const row of rows.values()) {
    if (row.table === "graphindex") put(isSystemIndex(row.key) ? phaseOfSystemIndex(row) : "indexes", row)
    else if (row.table === "engine_ranges") put(isLog(row) ? "log" : "indexes", row)
    else if (row.table !== "edgestore" || isSchemaRow(row.key)) put(row.removed ? "removed" : "types", row)
    else if (row.removed) {
      if (removed > 1) put("edgesOfRemoved", row, "removal")
      put("removed", row)
    } else if (made === 0 || !makesVertex(row)) put("edges", row)
    else if (made === 1 || !row.changes.some(isEdge)) put("vertices", row)
    else {
      put("vertices", row, "others")
      put("edges", row, "edges")
    }
    if (++planned % ROWS_BETWEEN_YIELDS === 0) yield
  }
  // Phases without rows are holes, which filter() leaves out.
  return { phases: phases.filter(() => true), changed }
}

/** True for the phase with the entries of the indexes of elements. */
export const isOfEntries = (rows: ReadonlyArray<PlannedRow>): boolean =>
  rows.some(({ row }) => row.table === "graphindex" && !isSystemIndex(row.key))

/** The mutations of planned rows, produced lazily if there are several. */
export const mutationsOf = (rows: ReadonlyArray<PlannedRow>): Iterable<ColumnMutation> =>
  rows.length === 1 ? [plannedMutation(rows[0]!)] : eachMutation(rows)

function* eachMutation(rows: ReadonlyArray<PlannedRow>): Generator<ColumnMutation, void> {
  for (const row of rows) yield plannedMutation(row)
}

const plannedMutation = ({ row, what }: PlannedRow): ColumnMutation => {
  const { changes, key, table } = row
  if (what === "all") return mutationOf(row)
  if (what === "removal") return { table, key, additions: [], deletions: [], removedRanges: edgeRanges }
  return mutationOf({ ...row, changes: changes.filter((change) => isEdge(change) === (what === "edges")) })
}
