import { Pending } from "../../../scheduling/Pending.ts"
import type { Reads } from "../../../structure/GraphReads.ts"
import type { CellSnapshot, Page, SliceQuery } from "../cells/CellStore.ts"
import type { VertexId } from "../format/Ids.ts"
import { parseRelationId, type RelationIdentifier } from "../format/RelationIds.ts"
import { rowKey } from "../format/RowKeys.ts"
import type { GraphCore } from "../GraphCore.ts"
import { vertexIdOf } from "../ids/VertexIds.ts"
import type { Columns } from "../indexes/RelationRanges.ts"
import { EDGES_END, EDGES_START, type Header, isNextHeader, PROPERTIES_END } from "../rows/Headers.ts"
import type { CellLabelSet } from "../rows/LabelSets.ts"
import type { VertexRow } from "../rows/Row.ts"
import type { FetchedRows } from "../rows/RowSource.ts"
import { fetchSchema } from "../schema/SchemaFetch.ts"
import { fetchEdges } from "./EdgeFetch.ts"
import type { CellScan } from "./Scans.ts"
import type { TransactionView } from "./TransactionView.ts"

type Start = Uint8Array | undefined

/**
 * The slices that a fetch has. Most fetches have one range of columns, and many have one slice: the maps for more are made when they
 * are needed.
 */
class AskedSlices {
  #id: VertexId | undefined
  #start: Start
  #end: Uint8Array | undefined
  /** All slices, if there are two or more: their rows, by the end and the start of the range. */
  #all: Map<Uint8Array, Map<Start, Set<VertexId>>> | undefined

  /** False for a slice that the fetch has already. */
  add(id: VertexId, start: Start, end: Uint8Array): boolean {
    if (this.#all !== undefined) return this.#add(this.#all, id, start, end)
    if (this.#id === undefined) {
      this.#id = id
      this.#start = start
      this.#end = end
      return true
    }
    if (this.#id === id && this.#start === start && this.#end === end) return false
    this.#all = new Map([[this.#end!, new Map([[this.#start, new Set([this.#id])]])]])
    return this.#add(this.#all, id, start, end)
  }

  #add(all: Map<Uint8Array, Map<Start, Set<VertexId>>>, id: VertexId, start: Start, end: Uint8Array): boolean {
    let starts = all.get(end)
    if (starts === undefined) all.set(end, (starts = new Map()))
    let ids = starts.get(start)
    if (ids === undefined) starts.set(start, (ids = new Set()))
    if (ids.has(id)) return false
    ids.add(id)
    return true
  }
}

/** Fetches the cells that a transaction is about to read from a store that answers later. */
export class Prefetch {
  readonly #core: GraphCore
  readonly #reading: TransactionView
  readonly #snapshot: CellSnapshot
  readonly #partitionBits: number
  #queries: Array<SliceQuery> = []
  #answers: Array<(page: Page) => void> = []
  readonly #asked = new AskedSlices()
  readonly #edges: Array<RelationIdentifier> = []
  #scans: Array<Promise<void>> = []

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
    const parts = this.#scans
    if (parts.length === 0 && this.#edges.length === 0) {
      return this.#queries.length === 0 ? undefined : Pending.fromPromise(this.#slices())
    }
    if (this.#queries.length > 0) parts.push(this.#slices())
    if (this.#edges.length > 0) parts.push(fetchEdges(this.#reading, this.#snapshot, this.#partitionBits, this.#edges))
    return Pending.all(parts.map(Pending.fromPromise))
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
          if (id !== undefined && edges.find(id.relation) === -1) this.#edges.push(id)
        }
        return
      case "scan": {
        const scan = read.scan as CellScan
        if (scan.isFetched(read.max)) return
        if (this.#scans.length === 0) this.#scans = [scan.fetch(read.max)]
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
    if (row.complete || row.hasAllProperties || this.#isNew(id)) return
    this.#ask(id, undefined, PROPERTIES_END, ({ cells }) => row.addProperties(cells))
  }

  #adjacent(id: VertexId, direction: "OUT" | "IN" | "BOTH", labels: CellLabelSet | null): void {
    const row = this.#reading.rows.row(id)
    if (row.complete || row.hasAllEdges || this.#isNew(id)) return
    if (labels === null) {
      this.#ask(id, EDGES_START, EDGES_END, ({ cells }) => row.addEdges(cells))
      return
    }
    for (const { in: into, inCopies, out, outCopies } of labels.known) {
      const asksOut = direction !== "IN" && !row.knows(out)
      const asksIn = direction !== "OUT" && !row.knows(into)
      // Both directions of a label are one range of columns.
      if (asksOut && asksIn && outCopies === undefined && inCopies === undefined && isNextHeader(out, into)) {
        this.#ask(id, out.bytes, into.end, ({ cells }) => row.addGroups([out, into], [cells]))
        continue
      }
      if (asksOut) this.#group(row, out, outCopies)
      if (asksIn) this.#group(row, into, inCopies)
    }
  }

  /** Fetches the edges with a header, or only the copies of a vertex-centric index that meet the conditions. */
  #group(row: VertexRow, header: Header, copies: Columns | undefined): void {
    if (copies === undefined) {
      this.#ask(row.id, header.bytes, header.end, ({ cells }) => row.addGroup(header, [cells]))
      return
    }
    const rows = this.#reading.rows as FetchedRows
    if (rows.hasPage(row.id, copies.start)) return
    this.#ask(row.id, copies.start, copies.end, (page) => rows.keepPage(row.id, copies.start, page))
  }

  /**
   * Adds a slice, unless this fetch has it already, or it is cached. Slices of equal ranges must have the same `start` and `end`
   * objects.
   */
  #ask(id: VertexId, start: Uint8Array | undefined, end: Uint8Array, answer: (page: Page) => void): void {
    if (!this.#asked.add(id, start, end)) return
    const query: SliceQuery = { table: "edgestore", key: rowKey(id, this.#partitionBits), start, end }
    const page = this.#snapshot.cached?.(query)
    if (page !== undefined) {
      answer(page)
      return
    }
    if (this.#queries.length === 0) {
      // Mostly the only ones, which live until the answer. Adding to an empty array would reserve room for more.
      this.#queries = [query]
      this.#answers = [answer]
    } else {
      this.#queries.push(query)
      this.#answers.push(answer)
    }
  }

  #slices(): Promise<void> {
    return this.#snapshot.fetch(this.#queries).then((pages) => {
      for (let at = 0; at < pages.length; at++) this.#answers[at]!(pages[at]!)
    })
  }
}
