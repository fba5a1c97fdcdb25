import type { Edge, Ref, Vertex } from "../../structure/elements/Element.ts"
import type { DirectionName, Reads, RefColumn, RefScan } from "../../structure/graph/GraphReads.ts"
import { copyRefs } from "../machine/Expansions.ts"
import type { Run } from "../plan/Run.ts"

/** Maximum number of elements in a chunk. */
const CHUNK_ELEMENTS = 64

/** A vertex with its edges, or an edge. A vertex has no edges here if they were not requested. */
export type ChunkItem =
  | { readonly vertex: Vertex; readonly out: ReadonlyArray<Edge>; readonly in: ReadonlyArray<Edge> }
  | { readonly edge: Edge }

/** Edges of the vertices of a chunk, in one direction. `rows` has the row of the vertex for each edge in `refs`. */
interface Incident {
  readonly rows: Int32Array
  readonly refs: RefColumn
}

/**
 * Iterates over all vertices or all edges of a graph in chunks. It fetches the properties of the elements and, if `withEdges`
 * is true, the edges of the vertices.
 */
export class ElementChunks {
  readonly #run: Run
  readonly #kind: "vertex" | "edge"
  readonly #withEdges: boolean
  readonly #scan: RefScan
  #more = true
  /** The elements of the chunk that is being fetched; null before the scan returns them. */
  #refs: RefColumn | null = null
  #out: Incident | null = null
  #in: Incident | null = null

  constructor(run: Run, kind: "vertex" | "edge", withEdges: boolean) {
    this.#run = run
    this.#kind = kind
    this.#withEdges = withEdges
    this.#scan = kind === "vertex" ? run.transaction.scanVertices(null) : run.transaction.scanEdges(null)
  }

  /** Returns the next chunk, or null after the last one. Returns undefined if the run must wait, and then call again. */
  next(): ReadonlyArray<ChunkItem> | null | undefined {
    if (this.#refs === null) {
      if (!this.#more) return null
      if (!this.#run.fetched([{ kind: "scan", scan: this.#scan, max: CHUNK_ELEMENTS }])) return undefined
      const chunk = { refs: this.#run.transaction.newRefs(CHUNK_ELEMENTS), length: 0 }
      this.#more = this.#scan.next(CHUNK_ELEMENTS, chunk)
      if (!this.#more) this.#scan.close()
      this.#refs = chunk.refs.slice(0, chunk.length)
    }
    const refs = this.#refs
    if (!this.#run.fetched(this.#reads(refs))) return undefined
    if (this.#withEdges && !this.#incident(refs)) return undefined
    const items = this.#items(refs)
    this.#refs = null
    this.#out = null
    this.#in = null
    return items
  }

  /** The reads that fetch the data of a chunk. */
  #reads(refs: RefColumn): readonly Reads[] {
    const { length } = refs
    const own: Reads = { kind: this.#kind, refs, length, keys: null }
    if (!this.#withEdges) return [own]
    const adjacent = (direction: DirectionName): Reads => ({
      kind: "adjacent",
      refs,
      length,
      direction,
      labels: null,
      edges: true
    })
    return [own, adjacent("OUT"), adjacent("IN")]
  }

  /** Finds the edges of the chunk's vertices. True if their properties are fetched, false if the run must wait. */
  #incident(refs: RefColumn): boolean {
    this.#out ??= this.#edges(refs, "OUT")
    this.#in ??= this.#edges(refs, "IN")
    return this.#run.fetched(
      [this.#out.refs, this.#in.refs].map((edges) => ({ kind: "edge", refs: edges, length: edges.length, keys: null }))
    )
  }

  #edges(refs: RefColumn, direction: DirectionName): Incident {
    const { transaction } = this.#run
    const request = this.#run.scratch.edgeRequest(refs, refs.length, true, direction, null)
    transaction.expand(request)
    const { out } = request
    return { rows: out.rows.slice(0, out.length), refs: copyRefs(out) }
  }

  #items(refs: RefColumn): ReadonlyArray<ChunkItem> {
    const { transaction } = this.#run
    const all = Array.from(refs)
    if (this.#kind === "edge") return all.map((ref: Ref) => ({ edge: transaction.edge(ref) }))
    const out = this.#byRow(this.#out, all.length)
    const into = this.#byRow(this.#in, all.length)
    return all.map((ref: Ref, row) => ({ vertex: transaction.vertex(ref), out: out[row]!, in: into[row]! }))
  }

  /** The edges of each row, from 0 to `length` - 1. */
  #byRow(incident: Incident | null, length: number): ReadonlyArray<Array<Edge>> {
    const rows = Array.from({ length }, (): Array<Edge> => [])
    incident?.refs.forEach((ref, at) => {
      rows[incident.rows[at]!]!.push(this.#run.transaction.edge(ref))
    })
    return rows
  }
}
