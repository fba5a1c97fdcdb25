import { runWhole } from "../../../../scheduling/Task.ts"
import { ElementRefused, TransactionConflict, UnsupportedValue } from "../../../../structure/errors/StoreErrors.ts"
import type { StreamedEdge, StreamedVertex } from "../../../../structure/graph/GraphStream.ts"
import type { CellBatch, CommitPauses, RowChange } from "../../cells/CellStore.ts"
import { CellCursor, startsWith } from "../../cells/Cells.ts"
import { notUnique } from "../../commit/CommitState.ts"
import { changeCounts, readCounts } from "../../commit/Counters.ts"
import { RowChanges } from "../../commit/RowChanges.ts"
import type { VertexId } from "../../format/Ids.ts"
import { vertexExists } from "../../format/RelationTypes.ts"
import { rowKey } from "../../format/RowKeys.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { newIdProblem, vertexIdOf } from "../../ids/VertexIds.ts"
import { commitLater, commitPieces } from "../../management/IndexBuild.ts"
import { headersOf } from "../../rows/Headers.ts"
import { after } from "../../schema/SchemaRead.ts"
import { BulkEncoder } from "./BulkEncoder.ts"
import { BulkTypes } from "./BulkTypes.ts"
import { NeedsTransaction } from "./LaterBulkLoader.ts"

/** A cell that is written in the same commit as the loaded elements, to record the progress of the load. */
interface BulkNote {
  readonly row: Uint8Array
  readonly column: Uint8Array
  readonly value: Uint8Array | null
}

/** A vertex since the last commit, with the id that it gets. */
interface PlacedVertex {
  readonly origin: number
  readonly vertex: StreamedVertex
  readonly id: VertexId
}

interface PlacedEdge {
  readonly origin: number
  readonly edge: StreamedEdge
  readonly out: VertexId
  readonly into: VertexId
}

const existsHeader = headersOf(vertexExists).out

/** The indexes of the schema have changed since the elements were encoded. */
class IndexesChanged extends Error {}

/**
 * Loads many elements into a graph over cells, without transactions. Elements are encoded as they are added, and their
 * cells are written in large commits, sorted by row. Only for stores that answer at once.
 */
export class BulkLoader {
  readonly #core: GraphCore
  readonly #types: BulkTypes
  /**
   * True when other clients may write at the same time: each commit then checks that the vertices of its edges exist.
   */
  readonly #shared: boolean
  readonly #encoder: BulkEncoder
  /** The elements since the last commit. Used only in a shared graph, where a change of the schema makes it encode them again. */
  #items: Array<PlacedVertex | PlacedEdge> = []

  /** Of the last commit in time slices. */
  #pauses: CommitPauses | undefined

  constructor(core: GraphCore, shared: boolean) {
    if (core.cells.answersLater) throw new Error("Bulk loading needs a store that answers at once")
    core.assertWritable()
    this.#core = core
    this.#shared = shared
    this.#types = new BulkTypes(core)
    this.#types.refresh()
    this.#encoder = new BulkEncoder(core, this.#types)
  }

  /** How long other work has interrupted the last commit, in ms: other commits have waited for it, too. */
  get pausedMs(): number {
    return this.#pauses?.pausedMs ?? 0
  }

  /** Reads the types that were defined since. Called before the first element. */
  refresh(): void {
    this.#types.refresh()
  }

  /** Estimated bytes held for the next commit outside the JavaScript heap. */
  get bytes(): number {
    return this.#encoder.bytes
  }

  /** Estimated bytes held for the next commit on the JavaScript heap. */
  get heapBytes(): number {
    return this.#encoder.heapBytes
  }

  /**
   * Adds a vertex and returns its id, which is the given one in a graph with user-defined ids. `origin` is the caller's
   * number of the element, for the errors of {@link commit}. Throws UnsupportedValue.
   */
  vertex(vertex: StreamedVertex, origin: number): VertexId {
    const id = this.#newId(vertex.id)
    if (this.#shared) this.#items.push({ vertex, id, origin })
    this.#encoder.vertex(vertex, id, origin)
    return id
  }

  #newId(given: unknown): VertexId {
    const { partitionBits, textVertexIds, userVertexIds } = this.#core.options
    if (!userVertexIds) return this.#core.ids.vertex()
    const id = typeof given === "string" && !textVertexIds && /^\d{1,15}$/.test(given) ? Number(given) : given
    const problem = newIdProblem(id, textVertexIds, partitionBits)
    if (problem !== undefined) throw new UnsupportedValue(problem)
    return vertexIdOf(id, textVertexIds)!
  }

  /** The elements since the last commit, in a shared graph. */
  get items(): ReadonlyArray<PlacedVertex | PlacedEdge> {
    return this.#items
  }

  /** Adds an edge between existing or added vertices; see {@link vertex}. Throws UnsupportedValue. */
  edge(edge: StreamedEdge, out: VertexId, into: VertexId, origin: number): void {
    if (this.#shared) this.#items.push({ edge, out, into, origin })
    this.#encoder.edge(edge, out, into, origin)
  }

  /**
   * Writes the elements since the last commit, and a note, in one commit. Throws ElementRefused for a value that
   * another element has under a unique index, for an edge that violates its multiplicity, and for an edge whose vertex
   * was removed. Throws NeedsTransaction, and writes nothing, when another client has given the schema rules ({@link Schema.hasRules}).
   */
  async commit(note: BulkNote | undefined): Promise<void> {
    for (;;) {
      if (this.#shared && this.#types.schema.hasRules) throw new NeedsTransaction()
      try {
        await this.#commit(note)
        break
      } catch (error) {
        if (!(error instanceof IndexesChanged)) {
          this.#core.failed(error as Error)
          throw error
        }
        this.#encodeAgain()
      }
    }
    this.#encoder.clear()
    this.#items = []
  }

  async #commit(note: BulkNote | undefined): Promise<void> {
    let version = 0
    const work = (batch: CellBatch, pauses?: CommitPauses): Generator<void, void> => {
      this.#pauses = pauses
      this.#core.assertWritable()
      if (this.#types.moved || batch.schemaVersion !== this.#types.schema.version) throw new IndexesChanged()
      version = batch.version
      return this.#apply(batch, note)
    }
    // Each end of an edge is a row that is read and written: a commit beside other requests takes many turns.
    if (this.#shared) await commitPieces(this.#core, work)
    else await commitLater(this.#core, (batch) => runWhole(work(batch)))
    this.#core.cache.advance(version)
  }

  /** Encodes the elements again, because another client has changed the schema. */
  #encodeAgain(): void {
    const { indexes, relationIndexes } = this.#types.schema
    this.#types.refresh()
    if (!this.#shared) {
      const { schema } = this.#types
      if (schema.indexes.length === indexes.length && schema.relationIndexes.length === relationIndexes.length) return
      throw new TransactionConflict("the indexes of the graph")
    }
    // The commit refuses the elements.
    if (this.#types.schema.hasRules) return
    this.#encoder.clear()
    for (const item of this.#items) {
      try {
        if ("vertex" in item) this.#encoder.vertex(item.vertex, item.id, item.origin)
        else this.#encoder.edge(item.edge, item.out, item.into, item.origin)
      } catch (error) {
        throw error instanceof UnsupportedValue ? new ElementRefused(item.origin, error) : error
      }
    }
  }

  *#apply(batch: CellBatch, note: BulkNote | undefined): Generator<void, void> {
    yield* this.#checkMultiplicities(batch)
    // If the cache is not told which rows change, the next commit clears it.
    if (this.#shared || this.#core.options.userVertexIds) {
      this.#core.cache.changes(batch.version, yield* this.#checkVertices(batch))
    }
    batch.changeRows("edgestore", () => this.#rows())
    const changes = new RowChanges()
    const taken = yield* this.#encoder.indexes.taking((query) => batch.slice(query), undefined)
    if (taken !== undefined) throw new ElementRefused(taken.origin!, notUnique(taken.index))
    this.#encoder.indexes.put(changes)
    for (const [kind, counts] of [
      ["vertex", this.#encoder.vertexCounts],
      ["edge", this.#encoder.edgeCounts]
    ] as const) {
      if (counts.size > 0) changeCounts(kind, readCounts(batch, kind), counts, changes)
    }
    yield* changes.applyTask(batch)
    if (note !== undefined) batch.change("engine_counters", note.row, [note])
  }

  *#rows(): Generator<RowChange> {
    const { partitionBits } = this.#core.options
    for (const { ref, changes } of this.#encoder.arena.rows()) {
      yield { key: rowKey(this.#encoder.refs.id(ref), partitionBits), changes }
    }
  }

  /** Checks that new vertices do not exist yet, and that all other vertices exist. Returns the ids of all vertices. */
  *#checkVertices(batch: CellBatch): Generator<void, ReadonlyArray<VertexId>> {
    const { partitionBits, userVertexIds } = this.#core.options
    const ids: Array<VertexId> = []
    for (const { ref, changes } of this.#encoder.arena.rows()) {
      const isNew = startsWith(changes[0]!.column, existsHeader.bytes)
      const id = this.#encoder.refs.id(ref)
      ids.push(id)
      yield
      if (isNew && !userVertexIds) continue
      const { bytes: start, end } = existsHeader
      const query = { table: "edgestore", key: rowKey(id, partitionBits), start, end, limit: 1 } as const
      const there = !batch.slice(query).cells.isEmpty
      if (there && isNew) {
        throw new ElementRefused(
          this.#encoder.origins.get(ref)!,
          new Error(`A vertex with the id ${id} exists already.`)
        )
      }
      if (!there && !isNew) throw this.#removed(id)
    }
    return ids
  }

  /** The error for a vertex that another client has removed. It names the first edge at the vertex. */
  #removed(id: VertexId): Error {
    const cause = new UnsupportedValue(`The vertex ${id}, an end of a new edge, was removed.`)
    const first = this.#items.find((item) => "edge" in item && (item.out === id || item.into === id))
    return first === undefined ? cause : new ElementRefused(first.origin, cause)
  }

  *#checkMultiplicities(batch: CellBatch): Generator<void, void> {
    const seen = new Set<string>()
    for (const { ref, column, label, origin } of this.#encoder.uniqueEdges) {
      yield
      const key = rowKey(this.#encoder.refs.id(ref), this.#core.options.partitionBits)
      const name = `${ref} ${Buffer.from(column).toString("latin1")}`
      const query = { table: "edgestore", key, start: column, end: after(column), limit: 1 } as const
      const there = new CellCursor().over(batch.slice(query).cells).next()
      if (there || seen.has(name)) {
        const problem = `The label ${label.name} has the multiplicity ${label.multiplicity}, and the vertex ${this.#encoder.refs.id(ref)} would have too many such edges.`
        throw new ElementRefused(origin, new Error(problem))
      }
      seen.add(name)
    }
  }
}
