import type { Edge } from "../../structure/elements/Element.ts"
import { edgesOf } from "../../structure/graph/EdgeRequests.ts"
import type { DirectionName, EdgeRequest, RefColumn } from "../../structure/graph/GraphReads.ts"
import { OpenPlaces } from "../plan/OpenPlaces.ts"
import type { Run } from "../plan/Run.ts"

/** Edges that are read without a look at the clock. */
const PART_EDGES = 4_096

/** Reads the edges of vertices in one direction, with their properties. Others run between parts of very many edges. */
export class IncidentEdges {
  /** The edges of each vertex. */
  readonly rows: ReadonlyArray<Array<Edge>>
  readonly #run: Run
  readonly #request: EdgeRequest
  #isComplete = false

  constructor(run: Run, refs: RefColumn, direction: DirectionName) {
    this.rows = Array.from(refs, () => [])
    this.#run = run
    this.#request = edgesOf(run.transaction, refs, direction, PART_EDGES)
  }

  /** Continues. True when all edges are read, false if the run must wait or its slice is over. */
  advance(): boolean {
    const { out } = this.#request
    const { slice, transaction } = this.#run
    for (;;) {
      const { length, refs } = out
      if (length > 0) {
        if (!this.#run.fetched([{ kind: "edge", refs, length, keys: null }])) return false
        for (let at = 0; at < length; at++) this.rows[out.rows[at]!]!.push(transaction.edge(refs[at]!))
        out.length = 0
        if (!this.#isComplete && slice.isOverNow()) return false
      }
      if (this.#isComplete) return true
      this.#isComplete = OpenPlaces.expand(this.#run, transaction, this.#request)
    }
  }
}
