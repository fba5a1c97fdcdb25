import type { Ref } from "../../../../structure/elements/Element.ts"
import type { VertexId } from "../../format/Ids.ts"
import { rowExists } from "../../rows/SystemCells.ts"
import { EXPIRES, type PropertyKey } from "../../schema/Schema.ts"
import { Expander, edgesOfVertex } from "../Expander.ts"
import type { ElementWrites } from "./ElementWrites.ts"
import type { WritingState } from "./WritingState.ts"

/** Numbers of what was removed because its time to live has passed. */
export interface ExpiredCounts {
  vertices: number
  edges: number
  values: number
}

/** Edges that one call reads. */
const EDGES_PER_CALL = 256
/** Edges that a transaction removes, or has read once it has changes, before it is to be committed. */
const EDGES_PER_COMMIT = 1000
const READ_EDGES_PER_COMMIT = 50_000

/** Removes what other transactions do not see any more, because its time to live has passed. */
export class ExpiredWrites {
  readonly #state: WritingState
  readonly #elements: ElementWrites

  constructor(state: WritingState, elements: ElementWrites) {
    this.#state = state
    this.#elements = elements
  }

  /**
   * Removes a vertex that has expired, or its expired edges and values. Yields between. Returns false if edges are left: the transaction
   * is to be committed, and the next one continues. Adds to `counts`.
   */
  *remove(id: VertexId, counts: ExpiredCounts): Generator<void, boolean> {
    const { reading } = this.#state
    const ref = reading.vertexRefs.of(id)
    const row = reading.row(ref)
    if (!rowExists(reading.rows, row)) return true
    const isGone = reading.hasExpired(row)
    if (!(yield* this.#edges(ref, isGone, counts))) return false
    if (isGone) {
      counts.vertices++
      yield* this.#elements.removingVertex(ref)
      return true
    }
    for (const { typeId } of reading.propertyGroups(row)) {
      const key = reading.schema.type(typeId)
      if (key?.isKey && key.name !== EXPIRES && this.#values(ref, key as PropertyKey, counts)) yield
    }
    return true
  }

  /** Removes the edges of a vertex that have expired, or all. False if it was interrupted. */
  *#edges(ref: Ref, all: boolean, counts: ExpiredCounts): Generator<void, boolean> {
    const { reading } = this.#state
    // Without a test for expired edges, which are read, too. Edges are forgotten while nothing has changed.
    const source = {
      rows: reading.rows,
      schema: reading.schema,
      vertexRefs: reading.vertexRefs,
      get edges() {
        return reading.edges
      },
      get own() {
        return reading.own
      }
    }
    const everything = new Expander(source)
    const request = edgesOfVertex(ref, "BOTH", null, EDGES_PER_CALL)
    request.edges = true
    const { out: found } = request
    let removed = 0
    for (let done = false; !done; found.length = 0) {
      done = everything.expand(request)
      for (const edge of found.refs.subarray(0, found.length)) {
        if (!reading.hasEdge(edge) || !(all || this.#hasExpired(reading.edgeValue(edge, EXPIRES)))) continue
        this.#elements.removeAnyEdge(edge)
        removed++
        counts.edges++
      }
      if (removed >= EDGES_PER_COMMIT || (reading.own !== null && reading.edges.length >= READ_EDGES_PER_COMMIT)) {
        return false
      }
      reading.forgetEdges()
      if (!done) yield
    }
    return true
  }

  /** Removes the values of a key that have expired. False if there are none. */
  #values(ref: Ref, key: PropertyKey, counts: ExpiredCounts): boolean {
    const { reading } = this.#state
    const before = reading.state(ref, key.name)?.entries.length ?? 0
    const live = reading.liveState(ref, key.name)
    const expired = before - (live?.entries.length ?? 0)
    if (expired === 0) return false
    this.#state.change(ref, key).state = live
    counts.values += expired
    return true
  }

  #hasExpired(end: unknown): boolean {
    return end !== undefined && Number(end) <= this.#state.reading.now
  }
}
