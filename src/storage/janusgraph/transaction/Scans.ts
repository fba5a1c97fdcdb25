import type { Pending } from "../../../scheduling/Pending.ts"
import type { Ref } from "../../../structure/Element.ts"
import type { Expansion, RefColumn, RefScan } from "../../../structure/GraphStore.ts"
import type { CellSnapshot, RowPage, RowScan, SliceQuery } from "../cells/CellStore.ts"
import { canonicalId, isSchemaId } from "../format/Ids.ts"
import { idOfRowKey } from "../format/RowKeys.ts"
import { SCANNED_VERTICES } from "../indexes/Searches.ts"
import { EDGES_END, EDGES_START, PROPERTIES_END } from "../rows/Headers.ts"
import type { CellLabelSet } from "../rows/LabelSets.ts"
import type { VertexRow } from "../rows/Row.ts"
import { rowOfPage } from "../rows/RowLoader.ts"
import { rowExists } from "../rows/SystemCells.ts"
import type { EdgeRequest, Expander } from "./Expander.ts"
import type { TransactionReading } from "./TransactionReading.ts"

export interface Found {
  refs: RefColumn
  length: number
}

/** A scan that can be fetched ahead, for stores that answer later. */
export interface CellScan extends RefScan {
  /** True when the next `max` rows, or all that are left, are here. */
  isHere(max: number): boolean
  fetch(max: number): Pending
}

/** Appends refs; false when the column had to grow. */
export const append = (out: Found, ref: Ref): void => {
  if (out.length === out.refs.length) {
    const grown = new Float64Array(Math.max(16, out.refs.length * 2))
    grown.set(out.refs)
    out.refs = grown
  }
  out.refs[out.length++] = ref
}

/** Rows a scan asks the store for at a time, at least: one question costs as much as some ten rows. */
const ROWS = 64
/** Rows looked at in one call, at most: a scan for a rare label must come back to its run now and then. */
const EXAMINE = 8192

/**
 * Every vertex, or those with some labels, in the order of the rows; then those the transaction had made when it began.
 */
export class VertexScan implements CellScan {
  readonly #reading: TransactionReading
  readonly #snapshot: CellSnapshot
  readonly #partitionBits: number
  readonly #labels: ReadonlySet<string> | null
  readonly #rows: RowScan
  readonly #later: boolean
  readonly #new: ReadonlyArray<Ref>
  #newAt = 0
  /** Rows that were read and not given yet. */
  #here: ReadonlyArray<VertexRow> = []
  #at = 0
  #more = true
  /** What was fetched so far, to be kept for the next scan; null where that is too much. */
  #fetched: Array<VertexRow> | null = []

  constructor(
    reading: TransactionReading,
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
    this.#here = reading.searches.vertices
    this.#more = false
  }

  next(max: number, out: Found): boolean {
    const full = out.length + max
    for (let examined = 0; out.length < full && examined < EXAMINE; ) {
      if (this.#at >= this.#here.length) {
        if (!this.#more || this.#later) break
        const pages = this.#rows.next(Math.max(ROWS, max))
        examined += pages.length
        this.#take(pages)
        continue
      }
      const row = this.#here[this.#at++]!
      const ref = this.#reading.vertexRefs.of(row.id)
      const own = this.#reading.own?.vertices.get(ref)
      if (own !== undefined && (own.removed || own.isNew)) continue
      if (this.#labels !== null && !this.#labels.has(this.#reading.labelOfRow(row))) continue
      this.#reading.rows.offer(row)
      append(out, ref)
    }
    if (this.#more || this.#at < this.#here.length) return true
    while (out.length < full && this.#newAt < this.#new.length) {
      const ref = this.#new[this.#newAt++]!
      if (!this.#reading.hasVertex(ref)) continue
      if (this.#labels === null || this.#labels.has(this.#reading.vertexLabel(ref))) append(out, ref)
    }
    return this.#newAt < this.#new.length
  }

  /** Keeps the rows of vertices among those read. */
  #take(pages: ReadonlyArray<RowPage>): void {
    if (pages.length === 0) this.#more = false
    const here: Array<VertexRow> = []
    this.#here = here
    this.#at = 0
    for (const page of pages) {
      const id = idOfRowKey(page.key, this.#partitionBits)
      if (isSchemaId(id) || canonicalId(id, this.#partitionBits) !== id) continue
      const row = rowOfPage(id, page)
      if (rowExists(this.#reading.rows, row) && !this.#reading.hasEnded(row)) here.push(row)
    }
  }

  isHere(max: number): boolean {
    return !this.#more || this.#here.length - this.#at >= max
  }

  fetch(max: number): Pending {
    return {
      onDone: (resume) =>
        this.#rows.fetch(Math.max(ROWS, max), (error, pages) => {
          if (error !== undefined) {
            resume(error)
            return
          }
          this.#fetchRest(pages, resume)
        })
    }
  }

  /** Rows that came in part are read to their end. */
  #fetchRest(pages: ReadonlyArray<RowPage>, resume: (error: Error | undefined) => void): void {
    const parts = pages.filter(({ more }) => more)
    const queries: Array<SliceQuery> = []
    for (const { key } of parts) {
      queries.push({ table: "edgestore", key, end: PROPERTIES_END })
      queries.push({ table: "edgestore", key, start: EDGES_START, end: EDGES_END })
    }
    if (queries.length === 0) {
      this.#keepFetched(pages)
      resume(undefined)
      return
    }
    this.#snapshot.fetch(queries, (error, answers) => {
      if (error === undefined) {
        const whole = new Map(parts.map(({ key }, at) => [key, at * 2]))
        this.#keepFetched(pages, (page, row) => {
          const at = whole.get(page.key)
          if (at === undefined) return
          row.addProperties(answers[at]!.cells)
          row.addEdges(answers[at + 1]!.cells)
        })
      }
      resume(error)
    })
  }

  #keepFetched(pages: ReadonlyArray<RowPage>, complete?: (page: RowPage, row: VertexRow) => void): void {
    const left = this.#here.slice(this.#at)
    if (pages.length === 0) this.#more = false
    const { rows, searches } = this.#reading
    const before = left.length
    for (const page of pages) {
      const id = idOfRowKey(page.key, this.#partitionBits)
      if (isSchemaId(id) || canonicalId(id, this.#partitionBits) !== id) continue
      const row = rowOfPage(id, page)
      complete?.(page, row)
      rows.offer(row)
      if (rowExists(rows, row) && !this.#reading.hasEnded(row)) left.push(row)
    }
    this.#here = left
    this.#at = 0
    if (this.#fetched !== null) this.#fetched.push(...left.slice(before))
    if (this.#fetched !== null && this.#fetched.length > SCANNED_VERTICES) this.#fetched = null
    if (!this.#more && this.#fetched !== null) searches.vertices = this.#fetched
  }

  close(): void {
    this.#more = false
    this.#here = []
    this.#at = 0
    this.#newAt = this.#new.length
  }
}

/** Every edge, or those with some labels: those out of each vertex. */
export class EdgeScan implements CellScan {
  readonly #vertices: VertexScan
  readonly #expander: Expander
  readonly #request: EdgeRequest
  /** Edges that were read and not returned yet. */
  readonly #found: Expansion = { rows: new Int32Array(64), refs: new Float64Array(64), length: 0 }
  #given = 0
  /** Vertices whose edges are being read. */
  readonly #column: Found = { refs: new Float64Array(ROWS), length: 0 }
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
      // Nothing came of these vertices: the run gets its turn.
      else if (this.#found.length === 0) return true
    }
    return true
  }

  /** Edges of further vertices; false when there are no more. */
  #expand(limit: number): boolean {
    this.#found.length = 0
    this.#given = 0
    if (this.#cursor.row >= this.#column.length) {
      if (!this.#more) return false
      this.#column.length = 0
      this.#more = this.#vertices.next(ROWS, this.#column)
      this.#cursor.row = 0
      this.#cursor.offset = 0
    }
    this.#request.refs = this.#column.refs
    this.#request.length = this.#column.length
    this.#request.limit = limit
    this.#expander.expand(this.#request)
    return true
  }

  isHere(): boolean {
    return this.#given < this.#found.length || this.#cursor.row < this.#column.length || this.#vertices.isHere(ROWS)
  }

  fetch(): Pending {
    return this.#vertices.fetch(ROWS)
  }

  close(): void {
    this.#vertices.close()
    this.#more = false
    this.#found.length = 0
    this.#given = 0
    this.#column.length = 0
  }
}
