import { Pending } from "../../../scheduling/Pending.ts"
import type { Reads } from "../../../structure/GraphReads.ts"
import type { CellSnapshot, SliceQuery } from "../cells/CellStore.ts"
import type { Cells } from "../cells/Cells.ts"
import type { VertexId } from "../format/Ids.ts"
import { parseRelationId, type RelationIdentifier } from "../format/RelationIds.ts"
import { rowKey } from "../format/RowKeys.ts"
import type { GraphCore } from "../GraphCore.ts"
import { vertexIdOf } from "../ids/VertexIds.ts"
import { EDGES_END, EDGES_START, type Header, PROPERTIES_END } from "../rows/Headers.ts"
import type { CellLabelSet } from "../rows/LabelSets.ts"
import { fetchSchema } from "../schema/SchemaFetch.ts"
import { fetchEdges } from "./EdgeFetch.ts"
import type { CellScan } from "./Scans.ts"
import type { TransactionView } from "./TransactionView.ts"

/** Fetches the cells that a transaction is about to read from a store that answers later. */
export class Prefetch {
  readonly #core: GraphCore
  readonly #reading: TransactionView
  readonly #snapshot: CellSnapshot
  readonly #partitionBits: number
  readonly #queries: Array<SliceQuery> = []
  readonly #answers: Array<(cells: Cells) => void> = []
  readonly #asked = new Set<string>()
  readonly #edges: Array<RelationIdentifier> = []
  readonly #scans: Array<Pending> = []

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
    const parts: Array<Pending> = [...this.#scans]
    if (this.#queries.length > 0) parts.push(this.#slices())
    if (this.#edges.length > 0) parts.push(this.#edgeCells())
    return Pending.all(parts)
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
          if (id !== undefined) this.#properties(id)
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
        if (!scan.isHere(read.max)) this.#scans.push(scan.fetch(read.max))
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
    if (row.complete || row.propertiesHere || this.#isNew(id)) return
    this.#ask(id, undefined, PROPERTIES_END, (cells) => row.addProperties(cells))
  }

  #adjacent(id: VertexId, direction: "OUT" | "IN" | "BOTH", labels: CellLabelSet | null): void {
    const row = this.#reading.rows.row(id)
    if (row.complete || row.edgesHere || this.#isNew(id)) return
    if (labels === null) {
      this.#ask(id, EDGES_START, EDGES_END, (cells) => row.addEdges(cells))
      return
    }
    const add = (header: Header): void => {
      if (!row.knows(header)) this.#ask(id, header.bytes, header.end, (cells) => row.addGroup(header, [cells]))
    }
    for (const { out, in: into } of labels.known) {
      if (direction !== "IN") add(out)
      if (direction !== "OUT") add(into)
    }
  }

  #ask(id: VertexId, start: Uint8Array | undefined, end: Uint8Array, answer: (cells: Cells) => void): void {
    const name = `${typeof id} ${id} ${Buffer.from(end).toString("hex")} ${start === undefined}`
    if (this.#asked.has(name)) return
    this.#asked.add(name)
    this.#queries.push({ table: "edgestore", key: rowKey(id, this.#partitionBits), start, end })
    this.#answers.push(answer)
  }

  #slices(): Pending {
    return {
      onDone: (resume) =>
        this.#snapshot.fetch(this.#queries, (error, pages) => {
          for (let at = 0; at < pages.length; at++) this.#answers[at]!(pages[at]!.cells)
          resume(error)
        })
    }
  }

  #edgeCells(): Pending {
    return {
      onDone: (resume) => fetchEdges(this.#reading, this.#snapshot, this.#partitionBits, this.#edges, resume)
    }
  }
}
