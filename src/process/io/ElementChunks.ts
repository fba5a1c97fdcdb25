import type { Edge, Ref, Vertex } from "../../structure/Element.ts"
import type { Cursor, DirectionName, Reads, RefColumn, RefScan } from "../../structure/GraphStore.ts"
import { copyRefs } from "../machine/Expansions.ts"
import type { Run } from "../plan/Run.ts"

/** Elements that one piece has. */
const PIECE = 64

/** A vertex with its edges, or an edge. */
export type PieceItem =
  | { readonly vertex: Vertex; readonly out: ReadonlyArray<Edge>; readonly in: ReadonlyArray<Edge> }
  | { readonly edge: Edge }

/** Edges of the vertices of a piece, in one direction. */
interface Incident {
  readonly rows: Int32Array
  readonly refs: RefColumn
}

/**
 * Goes through all vertices or all edges of a graph, piece by piece, with everything of them at hand: properties, and on
 * demand the edges of vertices.
 */
export class ElementPieces {
  readonly #run: Run
  readonly #kind: "vertex" | "edge"
  readonly #withEdges: boolean
  readonly #scan: RefScan
  #more = true
  /** The piece that is being fetched; null before it is known. */
  #refs: RefColumn | null = null
  #out: Incident | null = null
  #in: Incident | null = null

  constructor(run: Run, kind: "vertex" | "edge", withEdges: boolean) {
    this.#run = run
    this.#kind = kind
    this.#withEdges = withEdges
    this.#scan = kind === "vertex" ? run.transaction.scanVertices(null) : run.transaction.scanEdges(null)
  }

  /** The next piece; null when there is none, undefined when the run has to wait for it. */
  next(): ReadonlyArray<PieceItem> | null | undefined {
    if (this.#refs === null) {
      if (!this.#more) return null
      if (!this.#run.fetched([{ kind: "scan", scan: this.#scan, max: PIECE }])) return undefined
      const piece = { refs: this.#run.transaction.newRefs(PIECE), length: 0 }
      this.#more = this.#scan.next(PIECE, piece)
      if (!this.#more) this.#scan.close()
      this.#refs = piece.refs.slice(0, piece.length)
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

  /** True when the edges of the piece's vertices are here, with their properties. */
  #incident(refs: RefColumn): boolean {
    this.#out ??= this.#edges(refs, "OUT")
    this.#in ??= this.#edges(refs, "IN")
    return this.#run.fetched(
      [this.#out.refs, this.#in.refs].map((edges) => ({ kind: "edge", refs: edges, length: edges.length, keys: null }))
    )
  }

  #edges(refs: RefColumn, direction: DirectionName): Incident {
    const { transaction } = this.#run
    const out = this.#run.scratch.expansion()
    const begin: Cursor = { row: 0, offset: 0 }
    transaction.incidentEdges(refs, refs.length, direction, null, begin, Number.POSITIVE_INFINITY, out)
    return { rows: out.rows.slice(0, out.length), refs: copyRefs(out) }
  }

  #items(refs: RefColumn): ReadonlyArray<PieceItem> {
    const { transaction } = this.#run
    const all = Array.from(refs)
    if (this.#kind === "edge") return all.map((ref: Ref) => ({ edge: transaction.edge(ref) }))
    const out = this.#byRow(this.#out, all.length)
    const into = this.#byRow(this.#in, all.length)
    return all.map((ref: Ref, row) => ({ vertex: transaction.vertex(ref), out: out[row]!, in: into[row]! }))
  }

  #byRow(incident: Incident | null, length: number): ReadonlyArray<Array<Edge>> {
    const rows = Array.from({ length }, (): Array<Edge> => [])
    incident?.refs.forEach((ref, at) => {
      rows[incident.rows[at]!]!.push(this.#run.transaction.edge(ref))
    })
    return rows
  }
}
