import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { CellSnapshot, CountedKind, Page, RowPage } from "../../storage/janusgraph/cells/CellStore.ts"
import { type Table, tables } from "../../storage/janusgraph/cells/CellStore.ts"
import { CellCursor, type Cells } from "../../storage/janusgraph/cells/Cells.ts"
import { readCounts } from "../../storage/janusgraph/commit/Counters.ts"
import { ByteReader } from "../../storage/janusgraph/format/ByteReader.ts"
import { DEFAULT_VERTEX_LABEL, type GraphIndex } from "../../storage/janusgraph/schema/Schema.ts"
import { fetchSchema } from "../../storage/janusgraph/schema/SchemaFetch.ts"
import { after, lastColumn } from "../../storage/janusgraph/schema/SchemaRead.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { counted, grouped, pause, sized, type ToolContext } from "./Report.ts"
import { edgePieces, vertexPieces } from "./Walk.ts"

/** Rows that are read together. */
const ROWS_PER_READ = 64
/** Cells of a page of a long row in Cassandra. */
const PAGE_CELLS = 5000
/** Pages of a long row that are read before others run. */
const PAGES_PER_TURN = 64

/** Size of a table. */
interface TableStats {
  readonly table: Table
  rows: number
  cells: number
  bytes: number
}

/** Size of an index. */
interface IndexStats {
  readonly name: string
  readonly element: GraphIndex["element"]
  readonly keys: ReadonlyArray<string>
  readonly unique: boolean
  readonly status: string
  entries: number
}

/** The contents of a graph in numbers. */
interface GraphStats {
  readonly graph: string
  readonly vertices: Readonly<Record<string, number>>
  readonly edges: Readonly<Record<string, number>>
  /** Empty unless the graph is over cells. */
  readonly tables: ReadonlyArray<TableStats>
  readonly indexes: ReadonlyArray<IndexStats>
  /** Size of the files on disk; undefined when there are none. */
  readonly fileBytes: number | undefined
}

/** Counts the contents of a snapshot of a graph. */
export const graphStats = async (
  graph: GraphStore,
  directory: string | undefined,
  context: ToolContext
): Promise<GraphStats> => {
  const labels = await labelCounts(graph, context)
  const found = graph instanceof CellGraph ? await cellStats(graph, context) : { tables: [], indexes: [] }
  return { graph: graph.name, ...labels, ...found, fileBytes: directory === undefined ? undefined : sizeOf(directory) }
}

const sizeOf = (directory: string): number =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)

const labelCounts = async (
  graph: GraphStore,
  { report, signal }: ToolContext
): Promise<Pick<GraphStats, "vertices" | "edges">> => {
  if (graph instanceof CellGraph && graph.core.keepsCounts && !graph.core.cells.answersLater) return keptCounts(graph)
  const transaction = graph.begin({ readOnly: true })
  const vertices = new Map<string, number>()
  const edges = new Map<string, number>()
  try {
    let done = 0
    for await (const piece of vertexPieces(transaction, signal)) {
      for (const { label } of piece) vertices.set(label, (vertices.get(label) ?? 0) + 1)
      done += piece.length
      const total = transaction.counts.vertices(null)
      report({ stage: "vertices", done, total, unit: "vertex", note: grouped(done) })
    }
    done = 0
    for await (const piece of edgePieces(transaction, signal)) {
      for (const { label } of piece) edges.set(label, (edges.get(label) ?? 0) + 1)
      done += piece.length
      report({ stage: "edges", done, total: transaction.counts.edges(null), unit: "edge", note: grouped(done) })
    }
  } finally {
    transaction.rollback()
  }
  return { vertices: sorted(vertices), edges: sorted(edges) }
}

/** Counts from the counters of the graph. */
const keptCounts = (graph: CellGraph): Pick<GraphStats, "vertices" | "edges"> => {
  const snapshot = graph.core.cells.snapshot()
  try {
    const schema = graph.core.schemaOf(snapshot)
    const named = (kind: CountedKind, name: (label: number) => string | undefined) =>
      sorted(new Map([...readCounts(snapshot, kind)].map(([id, n]) => [name(id) ?? String(id), n])))
    return {
      vertices: named("vertex", (id) => (id === 0 ? DEFAULT_VERTEX_LABEL : schema.vertexLabel(id)?.name)),
      edges: named("edge", (id) => schema.type(id)?.name)
    }
  } finally {
    snapshot.close()
  }
}

const sorted = (counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))

const cellStats = async (
  graph: CellGraph,
  { report, signal }: ToolContext
): Promise<Pick<GraphStats, "tables" | "indexes">> => {
  const { core } = graph
  const { answersLater } = core.cells
  const snapshot = core.cells.snapshot()
  try {
    const schema = answersLater ? await fetchSchema(snapshot) : core.schemaOf(snapshot)
    const indexes = new Map<number, IndexStats>()
    for (const { element, fields, id, name, status, unique } of schema.indexes) {
      indexes.set(id, { name, element, keys: fields.map((key) => key.name), unique, status, entries: 0 })
    }
    const found: Array<TableStats> = []
    for (const table of tables) {
      const stats: TableStats = { table, rows: 0, cells: 0, bytes: 0 }
      const scan = snapshot.scan(table)
      let pages = 0
      for (;;) {
        const rows = answersLater ? await scan.fetch(ROWS_PER_READ) : scan.next(ROWS_PER_READ)
        if (rows.length === 0) break
        for (const row of rows) {
          const key = Uint8Array.prototype.slice.call(row.key)
          const before = stats.cells
          stats.rows++
          stats.bytes += key.length
          for await (const page of pagesOf(snapshot, answersLater, { ...row, key }, table)) {
            const cursor = new CellCursor().over(page)
            while (cursor.next()) {
              stats.cells++
              stats.bytes += cursor.valueEnd - cursor.columnStart
            }
            // The only row of an ordered index may have very many pages, and rows of some pages may follow each other.
            if (++pages % PAGES_PER_TURN === 0) await pause(signal)
          }
          const index = table === "graphindex" || table === "engine_ranges" ? indexes.get(indexOf(key)) : undefined
          if (index !== undefined) index.entries += stats.cells - before
        }
        report({
          stage: table,
          done: stats.rows,
          total: undefined,
          unit: "row",
          note: counted(stats.cells, "cell")
        })
        await pause(signal)
      }
      found.push(stats)
    }
    return { tables: found, indexes: [...indexes.values()] }
  } finally {
    snapshot.close()
  }
}

/** All cells of a row, in pages. */
async function* pagesOf(
  snapshot: CellSnapshot,
  answersLater: boolean,
  { cells, key, more }: RowPage,
  table: Table
): AsyncGenerator<Cells> {
  for (let page: Page = { cells, more }; ; ) {
    const start = page.more ? after(lastColumn(page.cells)) : undefined
    yield page.cells
    if (start === undefined) return
    page = answersLater
      ? (await snapshot.fetch([{ table, key, start, limit: PAGE_CELLS }], true))[0]!
      : snapshot.slice({ table, key, start })
  }
}

const indexOf = (key: Uint8Array): number => Number(new ByteReader(key).varint())

/** The numbers as text. */
export const statsText = ({ edges, fileBytes, graph, indexes, tables: found, vertices }: GraphStats): string => {
  const lines = [`Graph ${graph}`]
  for (const [kind, counts] of [
    ["Vertices", vertices],
    ["Edges", edges]
  ] as const) {
    const sum = Object.values(counts).reduce((a, b) => a + b, 0)
    lines.push(
      `${kind}: ${grouped(sum)}`,
      ...Object.entries(counts).map(([label, count]) => `  ${label}  ${grouped(count)}`)
    )
  }
  if (found.length > 0) {
    lines.push("Indexes:")
    for (const { element, entries, keys, name, status, unique } of indexes) {
      lines.push(
        `  ${name}  ${element} ${keys.join(", ")}${unique ? ", unique" : ""}  ${status}  ${counted(entries, "entry")}`
      )
    }
    if (indexes.length === 0) lines.push("  none")
    lines.push("Tables:")
    for (const { bytes, cells, rows, table } of found) {
      lines.push(`  ${table}  ${counted(rows, "row")}, ${counted(cells, "cell")}, ${sized(bytes)}`)
    }
  }
  if (fileBytes !== undefined) lines.push(`On disk: ${sized(fileBytes)}`)
  return lines.join("\n")
}
