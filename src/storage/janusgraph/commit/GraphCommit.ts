import type { BigSet } from "../../../structure/containers/BigMap.ts"
import type { CellBatch } from "../cells/CellStore.ts"
import type { VertexId } from "../format/Ids.ts"
import { lockCells } from "./CommitLocks.ts"
import { type Changes, CommitState, notUnique } from "./CommitState.ts"
import { changeCounts, readCountsOf } from "./Counters.ts"
import { EdgeCommit } from "./EdgeCommit.ts"
import { hasExpired } from "./IndexChanges.ts"
import { VertexCommit } from "./VertexCommit.ts"

/**
 * One run of a commit. It compares the changes of the transaction with the newest state and converts them to changes of
 * cells. The first committer wins: it throws TransactionConflict when another commit since the snapshot has changed the
 * same property or edge, removed a vertex, added an edge that the multiplicity allows only once, or taken a value of a
 * unique index.
 */
export class GraphCommit {
  readonly #state: CommitState
  readonly #vertices: VertexCommit
  readonly #edges: EdgeCommit

  constructor(batch: CellBatch, given: Changes) {
    this.#state = new CommitState(batch, given)
    this.#vertices = new VertexCommit(this.#state)
    this.#edges = new EdgeCommit(this.#state, this.#vertices)
  }

  /** Applies all changes, and yields about once per element. Returns the ids of the vertices whose rows changed. */
  *applyTask(): Generator<void, BigSet<VertexId>> {
    // The store may run the work several times.
    this.#state.given.documents?.entry.touched.clear()
    const { edgeChanges, newEdges, newEdgeSet, removedEdges, removedVertices, vertices } = this.#state.own
    for (const ref of removedVertices.keys()) yield* this.#vertices.remove(ref)
    for (const edge of removedEdges) {
      yield
      if (!newEdgeSet.has(edge)) this.#edges.remove(edge)
    }
    for (const [ref, vertex] of vertices) {
      yield
      if (vertex.removed) continue
      if (vertex.isNew) yield* this.#vertices.add(ref, vertex)
      else if (vertex.changes.size > 0) yield* this.#vertices.change(ref, vertex)
    }
    for (const edge of newEdges) {
      yield
      if (!removedEdges.has(edge)) this.#edges.add(edge)
    }
    for (const edge of edgeChanges.keys()) {
      yield
      if (!newEdgeSet.has(edge) && !removedEdges.has(edge)) this.#edges.change(edge)
    }
    const { readsAtOnce, now, partitionBits } = this.#state.given
    yield* this.#state.indexes.checking(
      this.#state.batch,
      hasExpired((query) => this.#state.batch.slice(query), this.#state.types.schema, partitionBits, now),
      readsAtOnce ? undefined : notUnique
    )
    yield* this.#state.indexes.putting(this.#state.changes)
    this.#count()
    this.#state.given.documents?.put(this.#state.changes)
    yield* lockCells(this.#state.changes, this.#state.types.schema, this.#state.batch)
    yield* this.#state.changes.applyTask(this.#state.batch)
    this.#log()
    return this.#state.changed
  }

  /** Gives the changed relations to the logs of transactions. A commit that changes only the schema has none. */
  #log(): void {
    const { batch, given, log } = this.#state
    if (log === undefined || log.added.length + log.removed.length === 0) return
    const { documents, userLog } = given
    const { added, removed } = log
    batch.log?.({ added, removed, userLog, documents: documents?.entry.touched.size ? documents.entry : undefined })
  }

  #count(): void {
    if (!this.#state.given.counts) return
    const { vertexCounts, edgeCounts } = this.#state.own
    if (vertexCounts.size > 0) this.#countKind("vertex", vertexCounts, (name) => this.#state.types.vertexLabel(name))
    const edges = this.#withExpired(edgeCounts)
    if (edges.size > 0) this.#countKind("edge", edges, (name) => this.#state.types.label(name).id)
  }

  /** Adds the expired edges that the commit removes to the changes of the counts. */
  #withExpired(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    if (this.#edges.expired.size === 0) return counts
    const all = new Map(counts)
    for (const [label, change] of this.#edges.expired) all.set(label, (all.get(label) ?? 0) + change)
    return all
  }

  #countKind(kind: "vertex" | "edge", by: ReadonlyMap<string, number>, idOf: (name: string) => number): void {
    const { batch, changes } = this.#state
    const byId = new Map<number, number>()
    // Two names may mean one label by now.
    for (const [name, change] of by) {
      const id = idOf(name)
      byId.set(id, (byId.get(id) ?? 0) + change)
    }
    if (batch.changeCounts !== undefined) batch.changeCounts(kind, byId)
    else changeCounts(kind, readCountsOf(batch, kind, byId), byId, changes)
  }
}
