import type { Edge, Ref, Vertex } from "../../structure/elements/Element.ts"
import type { DirectionName, Reads, RefColumn, RefScan } from "../../structure/graph/GraphReads.ts"
import type { Run } from "../plan/Run.ts"
import { IncidentEdges } from "./IncidentEdges.ts"

/** Maximum number of elements in a chunk. */
const CHUNK_ELEMENTS = 64

/** A vertex with its edges, or an edge. A vertex has no edges here if they were not requested. */
export type ChunkItem =
  | { readonly vertex: Vertex; readonly out: ReadonlyArray<Edge>; readonly in: ReadonlyArray<Edge> }
  | { readonly edge: Edge }

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
  #out: IncidentEdges | null = null
  #in: IncidentEdges | null = null

  constructor(run: Run, kind: "vertex" | "edge", withEdges: boolean) {
    this.#run = run
    this.#kind = kind
    this.#withEdges = withEdges
    this.#scan = kind === "vertex" ? run.transaction.scanVertices(null) : run.transaction.scanEdges(null)
  }

  /** Returns the next chunk, or null after the last one. Undefined: call again when the run has waited, or in the next slice. */
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

  /** Reads the edges of the chunk's vertices. False if the run must wait, or its slice is over. */
  #incident(refs: RefColumn): boolean {
    this.#out ??= new IncidentEdges(this.#run, refs, "OUT")
    if (!this.#out.advance()) return false
    this.#in ??= new IncidentEdges(this.#run, refs, "IN")
    return this.#in.advance()
  }

  #items(refs: RefColumn): ReadonlyArray<ChunkItem> {
    const { transaction } = this.#run
    const all = Array.from(refs)
    if (this.#kind === "edge") return all.map((ref: Ref) => ({ edge: transaction.edge(ref) }))
    const [out, into] = [this.#out?.rows, this.#in?.rows]
    return all.map((ref: Ref, row) => ({
      vertex: transaction.vertex(ref),
      out: out?.[row] ?? [],
      in: into?.[row] ?? []
    }))
  }
}
