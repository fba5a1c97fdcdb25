import type { Ref } from "../../../../structure/elements/Element.ts"
import type { VertexId } from "../../format/Ids.ts"
import { prefixes } from "../../format/RelationTypes.ts"
import { adjacencyOf } from "../../rows/Adjacency.ts"
import { EDGES_END, EDGES_START } from "../../rows/Headers.ts"
import { type Group, groupsOf, type VertexRow } from "../../rows/Row.ts"
import { rowExists } from "../../rows/SystemCells.ts"
import { type EdgeLabel, EXPIRES, type PropertyKey } from "../../schema/Schema.ts"
import { after, lastColumn } from "../../schema/SchemaRead.ts"
import type { ElementWrites } from "./ElementWrites.ts"
import type { WritingState } from "./WritingState.ts"

/** Numbers of what was removed because its time to live has passed. */
export interface ExpiredCounts {
  vertices: number
  edges: number
  values: number
}

/** Edges that are read between two yields. */
const EDGES_PER_YIELD = 256
/** Edges and values that a transaction removes before it is to be committed, and edges of one vertex that it reads. */
export const REMOVED_PER_COMMIT = 1000
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
   * Removes a vertex that has expired, or its expired edges and values. Yields between. Adds to `counts`, which are those of the
   * transaction. Returns undefined when nothing is left. Otherwise the transaction is to be committed, and the next one continues with the
   * returned column as `from`: without it, each of them would read the same living edges again.
   */
  *remove(id: VertexId, counts: ExpiredCounts, from?: Uint8Array): Generator<void, Uint8Array | undefined> {
    const { reading } = this.#state
    const ref = reading.vertexRefs.of(id)
    const row = reading.row(ref)
    if (!rowExists(reading.rows, row)) return undefined
    const isGone = reading.hasExpired(row)
    const next = yield* this.#edges(ref, isGone, counts, from)
    if (next !== undefined) return next
    if (isGone) {
      counts.vertices++
      yield* this.#elements.removingVertex(ref)
      return undefined
    }
    for (const { typeId } of reading.propertyGroups(row)) {
      const key = reading.schema.type(typeId)
      if (key?.isKey && key.name !== EXPIRES && this.#values(ref, key as PropertyKey, counts)) yield
    }
    return undefined
  }

  /** Removes the edges of a vertex that have expired, or all. Returns the column at which the next transaction begins, if any. */
  *#edges(
    ref: Ref,
    all: boolean,
    counts: ExpiredCounts,
    from: Uint8Array | undefined
  ): Generator<void, Uint8Array | undefined> {
    const { reading } = this.#state
    const row = reading.row(ref)
    if (row.complete) {
      for (const group of edgeGroups(row)) yield* this.#group(ref, group, all, counts)
      return undefined
    }
    let read = 0
    for (let start = from ?? EDGES_START; ; ) {
      const { cells, more } = reading.rows.page(row.id, start, EDGES_END)
      for (const group of groupsOf(cells)) {
        read += group.count
        yield* this.#group(ref, group, all, counts)
      }
      if (!more) return undefined
      start = after(lastColumn(cells))
      if (counts.edges + counts.values >= REMOVED_PER_COMMIT || read >= READ_EDGES_PER_COMMIT) return start
      yield
    }
  }

  /** Removes the edges of a group that have expired, or all. */
  *#group(ref: Ref, group: Group, all: boolean, counts: ExpiredCounts): Generator<void, void> {
    const { reading } = this.#state
    const { edges, schema, vertexRefs } = reading
    const type = schema.type(group.typeId)
    if (type === undefined || type.isKey) return
    const adjacency = adjacencyOf(group, type)
    const label = schema.baseOf(type) as EdgeLabel
    for (let at = 0; at < group.count; at++) {
      if (at % EDGES_PER_YIELD === EDGES_PER_YIELD - 1) yield
      const offset = adjacency.offsets[at]!
      if (!all && !reading.hasEdgeExpired(group, offset)) continue
      const other = vertexRefs.of(adjacency.other(at))
      const [out, into] = group.isIn ? [other, ref] : [ref, other]
      const edge = edges.intern(adjacency.relation(at), label, out, into, group, offset)
      // The cells of a loop are in the same row, and another vertex of the transaction may have had the edge.
      if (!reading.hasEdge(edge)) continue
      this.#elements.removeAnyEdge(edge)
      counts.edges++
    }
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
}

const edgeGroups = (row: VertexRow): ReadonlyArray<Group> => row.groups.filter(({ prefix }) => prefix === prefixes.edge)
