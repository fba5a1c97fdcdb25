import type { Ref } from "../../../structure/elements/Element.ts"
import type { EdgeRequest, Expansion, RefColumn, RefScan } from "../../../structure/graph/GraphReads.ts"
import type { CellSnapshot, RowPage, RowScan, SliceQuery } from "../cells/CellStore.ts"
import { noCells } from "../cells/Cells.ts"
import { sliceOf } from "../cells/Slices.ts"
import { canonicalId, isSchemaId, type VertexId } from "../format/Ids.ts"
import { isPartitionedId } from "../format/PartitionedVertices.ts"
import { idOfRowKey } from "../format/RowKeys.ts"
import { MAX_SCANNED_VERTICES } from "../indexes/Searches.ts"
import { EDGES_END, EDGES_START, PROPERTIES_END } from "../rows/Headers.ts"
import type { CellLabelSet } from "../rows/LabelSets.ts"
import type { VertexRow } from "../rows/Row.ts"
import { rowOfPage } from "../rows/RowLoader.ts"
import { rowExists } from "../rows/SystemCells.ts"
import type { Expander } from "./Expander.ts"
import type { TransactionView } from "./TransactionView.ts"

/** A column of refs that grows. */
export interface Found {
  refs: RefColumn
  length: number
}

/** A scan whose rows can be fetched ahead, for stores that answer later. */
export interface CellScan extends RefScan {
  /** True when the next `max` rows, or all remaining ones, were fetched. */
  isFetched(max: number): boolean
  /** Fetches the next rows. */
  fetch(max: number): Promise<void>
}

/** Appends a ref. */
export const append = (out: Found, ref: Ref): void => {
  if (out.length === out.refs.length) {
    const grown = new Float64Array(Math.max(16, out.refs.length * 2))
    grown.set(out.refs)
    out.refs = grown
  }
  out.refs[out.length++] = ref
}

/** The minimum number of rows that one read fetches. The fixed cost of a read equals the cost of about ten rows. */
const MIN_ROWS_PER_READ = 64
/** A page of a row of which nothing was read yet. */
const unread = { cells: noCells, more: true }
/** The maximum number of rows that one call reads: a scan for a rare label must yield to its run. */
const ROWS_PER_CALL = 8192

/**
 * Iterates over all vertices, or over those with some labels. Vertices of the snapshot come first, in the order of their rows. Then
 * come the vertices that the transaction had created when the scan began.
 */
export class VertexScan implements CellScan {
  readonly #reading: TransactionView
  readonly #snapshot: CellSnapshot
  readonly #partitionBits: number
  readonly #labels: ReadonlySet<string> | null
  readonly #rows: RowScan
  readonly #later: boolean
  readonly #new: ReadonlyArray<Ref>
  #newAt = 0
  /** Rows that were read and not returned yet. */
  #buffered: ReadonlyArray<VertexRow> = []
  #at = 0
  #more = true
  /** The rows that were fetched so far, which the next scan reads again; null when they are more than MAX_SCANNED_VERTICES. */
  #fetched: Array<VertexRow> | null = []
  /** Gets the rows of the vertices that are returned; undefined: nobody needs them. */
  held: Map<VertexId, VertexRow> | undefined
  #isClosed = false

  constructor(
    reading: TransactionView,
    snapshot: CellSnapshot,
    partitionBits: number,
    labels: readonly string[] | null,
    answersLater: boolean
  ) {
    reading.assertOpen()
    this.#later = answersLater
    this.#reading = reading
    this.#snapshot = snapshot
    this.#partitionBits = partitionBits
    this.#labels = labels === null ? null : new Set(labels)
    this.#rows = snapshot.scan("edgestore")
    this.#new = [...(reading.own?.newVertices ?? [])]
    if (!answersLater || reading.searches.vertices === undefined) return
    this.#buffered = reading.searches.vertices
    this.#more = false
  }

  next(max: number, out: Found): boolean {
    const full = out.length + max
    for (let examined = 0; out.length < full && examined < ROWS_PER_CALL; ) {
      if (this.#at >= this.#buffered.length) {
        if (!this.#more || this.#later) break
        const pages = this.#rows.next(Math.max(MIN_ROWS_PER_READ, max))
        examined += pages.length
        this.#take(pages)
        continue
      }
      const row = this.#buffered[this.#at++]!
      // First, because the transaction keeps a text id that it has given a ref.
      if (this.#labels !== null && !this.#labels.has(this.#reading.labelOfRow(row))) continue
      const ref = this.#reading.vertexRefs.of(row.id)
      const own = this.#reading.own?.vertices.get(ref)
      if (own !== undefined && (own.removed || own.isNew)) continue
      this.#reading.rows.offer(row)
      this.held?.set(row.id, row)
      append(out, ref)
    }
    if (this.#more || this.#at < this.#buffered.length) return true
    while (out.length < full && this.#newAt < this.#new.length) {
      const ref = this.#new[this.#newAt++]!
      if (!this.#reading.hasVertex(ref)) continue
      if (this.#labels === null || this.#labels.has(this.#reading.vertexLabel(ref))) append(out, ref)
    }
    return this.#newAt < this.#new.length
  }

  /** Keeps the rows of existing vertices. */
  #take(pages: ReadonlyArray<RowPage>): void {
    if (pages.length === 0) this.#more = false
    const found: Array<VertexRow> = []
    this.#buffered = found
    this.#at = 0
    for (const page of pages) {
      const id = idOfRowKey(page.key, this.#partitionBits)
      if (isSchemaId(id) || canonicalId(id, this.#partitionBits) !== id) continue
      // The other rows of a partitioned vertex are not in the page.
      const row = isPartitionedId(id) ? this.#reading.rows.row(id) : rowOfPage(id, page)
      if (rowExists(this.#reading.rows, row) && !this.#reading.hasExpired(row)) found.push(row)
    }
  }

  isFetched(max: number): boolean {
    return !this.#more || this.#buffered.length - this.#at >= max
  }

  async fetch(max: number): Promise<void> {
    const pages = await this.#rows.fetch(Math.max(MIN_ROWS_PER_READ, max))
    // The rest of the rows that were not read completely.
    const parts = pages.filter(({ key, more }) => more || this.#isPartitioned(key))
    const queries: Array<SliceQuery> = []
    for (const { key } of parts) {
      queries.push(sliceOf("edgestore", key, undefined, PROPERTIES_END))
      queries.push(sliceOf("edgestore", key, EDGES_START, EDGES_END))
    }
    if (queries.length === 0) {
      this.#keepFetched(pages)
      return
    }
    const answers = await this.#snapshot.fetch(queries)
    const whole = new Map(parts.map(({ key }, at) => [key, at * 2]))
    this.#keepFetched(pages, (page, row) => {
      const at = whole.get(page.key)
      if (at === undefined) return
      row.addProperties(answers[at]!.cells)
      row.addEdges(answers[at + 1]!.cells)
    })
  }

  /** True for the key of the canonical row of a partitioned vertex. Its other rows are read too. */
  #isPartitioned(key: Uint8Array): boolean {
    const id = idOfRowKey(key, this.#partitionBits)
    return isPartitionedId(id) && canonicalId(id, this.#partitionBits) === id
  }

  #keepFetched(pages: ReadonlyArray<RowPage>, complete?: (page: RowPage, row: VertexRow) => void): void {
    // The rows of a closed scan are not all vertices.
    if (this.#isClosed) return
    const left = this.#buffered.slice(this.#at)
    if (pages.length === 0) this.#more = false
    const { rows, searches } = this.#reading
    const before = left.length
    for (const page of pages) {
      const id = idOfRowKey(page.key, this.#partitionBits)
      if (isSchemaId(id) || canonicalId(id, this.#partitionBits) !== id) continue
      const row = this.#isPartitioned(page.key) ? rowOfPage(id, unread) : rowOfPage(id, page)
      complete?.(page, row)
      rows.offer(row)
      if (rowExists(rows, row) && !this.#reading.hasExpired(row)) left.push(row)
    }
    this.#buffered = left
    this.#at = 0
    if (this.#fetched !== null) this.#fetched.push(...left.slice(before))
    if (this.#fetched !== null && this.#fetched.length > MAX_SCANNED_VERTICES) this.#fetched = null
    if (!this.#more && this.#fetched !== null) searches.vertices = this.#fetched
  }

  close(): void {
    this.#isClosed = true
    this.#more = false
    this.#buffered = []
    this.#at = 0
    this.#newAt = this.#new.length
  }
}

/** Iterates over all edges, or those with some labels, as the out-edges of all vertices. */
export class EdgeScan implements CellScan {
  readonly #vertices: VertexScan
  readonly #expander: Expander
  readonly #request: EdgeRequest
  /** Edges that were read and not returned yet. */
  readonly #found: Expansion = { rows: new Int32Array(64), refs: new Float64Array(64), length: 0 }
  #given = 0
  /** Vertices whose edges are being read. */
  readonly #column: Found = { refs: new Float64Array(MIN_ROWS_PER_READ), length: 0 }
  readonly #cursor = { row: 0, offset: 0 }
  #more = true

  constructor(vertices: VertexScan, expander: Expander, labels: CellLabelSet | null) {
    this.#vertices = vertices
    this.#expander = expander
    this.#request = {
      edges: true,
      refs: this.#column.refs,
      length: 0,
      direction: "OUT",
      labels,
      cursor: this.#cursor,
      limit: 0,
      out: this.#found
    }
  }

  next(max: number, out: Found): boolean {
    const full = out.length + max
    while (out.length < full) {
      if (this.#given < this.#found.length) append(out, this.#found.refs[this.#given++]!)
      else if (!this.#expand(max)) return false
      // These vertices have no such edges. Return to the run before reading more.
      else if (this.#found.length === 0) return true
    }
    return true
  }

  /** Reads edges of further vertices; false at the end. */
  #expand(limit: number): boolean {
    this.#found.length = 0
    this.#given = 0
    if (this.#cursor.row >= this.#column.length) {
      if (!this.#more) return false
      this.#column.length = 0
      this.#vertices.held?.clear()
      this.#more = this.#vertices.next(MIN_ROWS_PER_READ, this.#column)
      this.#cursor.row = 0
      this.#cursor.offset = 0
    }
    this.#request.refs = this.#column.refs
    this.#request.length = this.#column.length
    this.#request.limit = limit
    this.#expander.expand(this.#request)
    return true
  }

  isFetched(): boolean {
    return (
      this.#given < this.#found.length ||
      this.#cursor.row < this.#column.length ||
      this.#vertices.isFetched(MIN_ROWS_PER_READ)
    )
  }

  fetch(): Promise<void> {
    return this.#vertices.fetch(MIN_ROWS_PER_READ)
  }

  close(): void {
    this.#vertices.close()
    this.#more = false
    this.#found.length = 0
    this.#given = 0
    this.#column.length = 0
  }
}
