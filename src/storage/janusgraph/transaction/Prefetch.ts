import { Pending } from "../../../scheduling/Pending.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import type { CellSnapshot, Page, SliceQuery } from "../cells/CellStore.ts"
import { sliceOf } from "../cells/Slices.ts"
import type { VertexId } from "../format/Ids.ts"
import { parseRelationId, type RelationIdentifier } from "../format/RelationIds.ts"
import { rowKey } from "../format/RowKeys.ts"
import type { GraphCore } from "../GraphCore.ts"
import { vertexIdOf } from "../ids/VertexIds.ts"
import type { Copies } from "../indexes/RelationRanges.ts"
import { areCopiesStillUsed, wasRemoved } from "../indexes/RemovedIndexes.ts"
import { EDGES_END, EDGES_START, type Header, isNextHeader, PROPERTIES_END } from "../rows/Headers.ts"
import type { CellLabelSet } from "../rows/LabelSets.ts"
import type { VertexRow } from "../rows/Row.ts"
import type { FetchedRows } from "../rows/RowSource.ts"
import { fetchSchema } from "../schema/SchemaFetch.ts"
import { fetchEdges } from "./EdgeFetch.ts"
import type { CellScan } from "./Scans.ts"
import type { TransactionView } from "./TransactionView.ts"

/** What becomes of the page of a slice: the cells with a header, or what the function does. */
type Answer = Header | ((row: VertexRow, page: Page) => void)

/** Slices of one fetch that are compared one by one; more of them have a map. */
const FEW_SLICES = 16

/** Slices by the end and the start of their columns, then by row. */
type SlicesByRange = Map<Uint8Array, Map<Uint8Array | undefined, Set<VertexRow>>>

/** The slices of a fetch, each once, with what becomes of their pages. */
class AskedSlices {
  readonly queries: Array<SliceQuery>
  readonly #rows: Array<VertexRow>
  readonly #answers: Array<Answer>
  /** Undefined for few slices. */
  #byRange: SlicesByRange | undefined

  /** Mostly the first slice is the only one, and lives until the answer. Adding to an empty array would reserve room for more. */
  constructor(query: SliceQuery, row: VertexRow, answer: Answer) {
    this.queries = [query]
    this.#rows = [row]
    this.#answers = [answer]
  }

  has(row: VertexRow, start: Uint8Array | undefined, end: Uint8Array): boolean {
    const { queries } = this
    const rows = this.#rows
    if (queries.length > FEW_SLICES) return this.#ranges().get(end)?.get(start)?.has(row) ?? false
    for (let at = 0; at < rows.length; at++) {
      if (rows[at] === row && queries[at]!.start === start && queries[at]!.end === end) return true
    }
    return false
  }

  #ranges(): SlicesByRange {
    if (this.#byRange === undefined) {
      this.#byRange = new Map()
      for (let at = 0; at < this.queries.length; at++) this.#note(this.#byRange, this.queries[at]!, this.#rows[at]!)
    }
    return this.#byRange
  }

  #note(byRange: SlicesByRange, { end, start }: SliceQuery, row: VertexRow): void {
    let starts = byRange.get(end!)
    if (starts === undefined) byRange.set(end!, (starts = new Map()))
    const rows = starts.get(start)
    if (rows === undefined) starts.set(start, new Set([row]))
    else rows.add(row)
  }

  add(query: SliceQuery, row: VertexRow, answer: Answer): void {
    this.queries.push(query)
    this.#rows.push(row)
    this.#answers.push(answer)
    if (this.#byRange !== undefined) this.#note(this.#byRange, query, row)
  }

  give(pages: ReadonlyArray<Page>): void {
    for (let at = 0; at < pages.length; at++) give(this.#rows[at]!, pages[at]!, this.#answers[at]!)
  }
}

const give = (row: VertexRow, page: Page, answer: Answer): void => {
  if (typeof answer === "function") answer(row, page)
  else row.addGroup(answer, [page.cells])
}

const addProperties = (row: VertexRow, { cells }: Page): void => row.addProperties(cells)

const addEdges = (row: VertexRow, { cells }: Page): void => row.addEdges(cells)

/** Fetches the cells that a transaction is about to read from a store that answers later. */
export class Prefetch {
  readonly #core: GraphCore
  readonly #reading: TransactionView
  readonly #snapshot: CellSnapshot
  readonly #partitionBits: number
  /** Each of these is undefined while it is empty: most calls find that everything is fetched. */
  #slices: AskedSlices | undefined
  #edges: Array<RelationIdentifier> | undefined
  #scans: Array<Promise<void>> | undefined

  constructor(core: GraphCore, reading: TransactionView, snapshot: CellSnapshot) {
    this.#core = core
    this.#reading = reading
    this.#snapshot = snapshot
    this.#partitionBits = core.options.partitionBits
  }

  /** Fetches the cells for these reads; undefined when all of them were fetched before. */
  fetch(reads: readonly Reads[]): Pending | undefined {
    const { schema } = this.#reading
    return schema.version === this.#snapshot.schemaVersion ? this.#fetch(reads) : this.#withSchema(reads)
  }

  /** Fetches the schema of the snapshot first: the reads need its types. */
  #withSchema(reads: readonly Reads[]): Pending {
    const schemaSet = fetchSchema(this.#snapshot).then((schema) => {
      this.#reading.schema = schema
      this.#core.setSchema(schema)
    })
    return Pending.then(Pending.fromPromise(schemaSet), () => this.#fetch(reads))
  }

  #fetch(reads: readonly Reads[]): Pending | undefined {
    for (const read of reads) this.#read(read)
    const slices = this.#slices
    const edges = this.#edges
    const cells = slices === undefined ? undefined : this.#fetchSlices(slices)
    if (this.#scans === undefined && edges === undefined) return cells
    const parts = (this.#scans ?? []).map((scan) => Pending.fromPromise(scan))
    if (cells !== undefined) parts.push(cells)
    if (edges !== undefined) {
      parts.push(Pending.fromPromise(fetchEdges(this.#reading, this.#snapshot, this.#partitionBits, edges)))
    }
    return Pending.all(parts)
  }

  #fetchSlices(slices: AskedSlices): Pending {
    const rows = this.#reading.rows as FetchedRows
    return Pending.fromPromise(this.#snapshot.fetch(slices.queries), (pages) => {
      rows.countPages(pages)
      slices.give(pages)
    })
  }

  #read(read: Reads): void {
    const { vertexRefs, textIds, edges } = this.#reading
    switch (read.kind) {
      case "vertex":
        for (let i = 0; i < read.length; i++) this.#properties(vertexRefs.id(read.refs[i]!))
        return
      case "adjacent":
        for (let i = 0; i < read.length; i++) {
          this.#adjacent(vertexRefs.id(read.refs[i]!), read.direction, read.labels as CellLabelSet | null)
        }
        return
      case "vertexIds":
        for (const value of read.ids) {
          const id = vertexIdOf(value, textIds)
          if (id !== undefined) this.#properties(vertexRefs.canonical(id))
        }
        return
      case "edgeIds":
        for (const value of read.ids) {
          const id = typeof value === "string" ? parseRelationId(value) : undefined
          if (id !== undefined && edges.find(id.relation) === -1) (this.#edges ??= []).push(id)
        }
        return
      case "scan": {
        const scan = read.scan as CellScan
        if (scan.isFetched(read.max)) return
        if (this.#scans === undefined) this.#scans = [scan.fetch(read.max)]
        else this.#scans.push(scan.fetch(read.max))
        return
      }
      case "ends": {
        if (!this.#reading.schema.hasRulesForEnds && !this.#core.options.constraints) return
        for (let i = 0; i < read.length; i++) this.#properties(vertexRefs.id(read.refs[i]!))
        return
      }
      case "edge":
        // The cell through which an edge was found includes its properties.
        return
    }
  }

  #isNew(id: VertexId): boolean {
    return this.#reading.own?.vertices.get(this.#reading.vertexRefs.of(id))?.isNew ?? false
  }

  #properties(id: VertexId): void {
    const row = this.#reading.rows.row(id)
    if (row.knowsProperties || this.#isNew(id)) return
    this.#ask(row, undefined, PROPERTIES_END, addProperties)
  }

  #adjacent(id: VertexId, direction: "OUT" | "IN" | "BOTH", labels: CellLabelSet | null): void {
    const row = this.#reading.rows.row(id)
    if (row.complete || row.hasAllEdges || this.#isNew(id)) return
    if (labels === null) {
      this.#ask(row, EDGES_START, EDGES_END, addEdges)
      return
    }
    for (const { in: into, inCopies, out, outCopies } of labels.known) {
      const asksOut = direction !== "IN" && !row.knows(out)
      const asksIn = direction !== "OUT" && !row.knows(into)
      // Both directions of a label are one range of columns.
      if (asksOut && asksIn && outCopies === undefined && inCopies === undefined && isNextHeader(out, into)) {
        this.#ask(row, out.bytes, into.end, (_, { cells }) => row.addGroups([out, into], [cells]))
        continue
      }
      if (asksOut) this.#group(row, out, outCopies)
      if (asksIn) this.#group(row, into, inCopies)
    }
  }

  /** Fetches the edges with a header, or only the copies of a vertex-centric index that meet the conditions. */
  #group(row: VertexRow, header: Header, copies: Copies | undefined): void {
    if (copies === undefined) {
      this.#ask(row, header.bytes, header.end, header)
      return
    }
    const rows = this.#reading.rows as FetchedRows
    if (rows.hasPage(row.id, copies.start)) return
    this.#ask(row, copies.start, copies.end, (_, page) => {
      if (!areCopiesStillUsed(copies.index, this.#reading.schema, this.#core.schema)) {
        throw wasRemoved(copies.index.type.name)
      }
      rows.keepPage(row.id, copies.start, page)
    })
  }

  /**
   * Adds a slice, unless this fetch has it already, or it is cached. Slices of equal ranges must have the same `start` and `end`
   * objects.
   */
  #ask(row: VertexRow, start: Uint8Array | undefined, end: Uint8Array, answer: Answer): void {
    const slices = this.#slices
    if (slices?.has(row, start, end) === true) return
    const query = sliceOf("edgestore", rowKey(row.id, this.#partitionBits), start, end)
    const page = this.#snapshot.cached?.(query)
    if (page !== undefined) give(row, page, answer)
    else if (slices === undefined) this.#slices = new AskedSlices(query, row, answer)
    else slices.add(query, row, answer)
  }
}
