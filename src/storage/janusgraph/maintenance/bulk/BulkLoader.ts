import type { StreamedEdge, StreamedVertex } from "../../../../structure/GraphStream.ts"
import { ElementRefused, TransactionConflict, UnsupportedValue } from "../../../../structure/StoreErrors.ts"
import type { CellBatch, RowChange } from "../../cells/CellStore.ts"
import { CellCursor } from "../../cells/Cells.ts"
import { notUnique } from "../../commit/CommitState.ts"
import { changeCounts, readCounts } from "../../commit/Counters.ts"
import { RowChanges } from "../../commit/RowChanges.ts"
import type { VertexId } from "../../format/Ids.ts"
import { vertexExists } from "../../format/RelationTypes.ts"
import { rowKey } from "../../format/RowKeys.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { newIdProblem, vertexIdOf } from "../../ids/VertexIds.ts"
import { commitLater } from "../../management/IndexBuild.ts"
import { headersOf } from "../../rows/Headers.ts"
import { after } from "../../schema/SchemaRead.ts"
import { BulkEncoder } from "./BulkEncoder.ts"
import { BulkTypes } from "./BulkTypes.ts"

/** A cell that is written in the same commit as what was loaded: how far the load has come. */
interface BulkNote {
  readonly row: Uint8Array
  readonly column: Uint8Array
  readonly value: Uint8Array | null
}

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

/** The schema has other indexes than what was loaded was encoded for. */
class IndexesChanged extends Error {}

/**
 * Loads many elements into a graph over cells, past its transactions: cells are made as elements come, sorted by rows,
 * and written in large commits, each of whole elements. Only for stores that answer at once.
 */
export class BulkLoader {
  readonly #core: GraphCore
  readonly #types: BulkTypes
  /** Others may write meanwhile: vertices must be looked for before edges are added to them. */
  readonly #shared: boolean
  readonly #encoder: BulkEncoder
  /** What was loaded since the last commit, where it may have to be encoded again. */
  #items: Array<PlacedVertex | PlacedEdge> = []

  constructor(core: GraphCore, shared: boolean) {
    if (core.cells.answersLater) throw new Error("Cells can be loaded in bulk only where they answer at once")
    core.assertWritable()
    this.#core = core
    this.#shared = shared
    this.#types = new BulkTypes(core)
    this.#types.refresh()
    this.#encoder = new BulkEncoder(core, this.#types)
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
   * Adds a vertex and returns its id: that of the file where the graph takes ids. `origin` is a number of the caller's,
   * by which {@link commit} names an element that is refused. Throws UnsupportedValue.
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

  /** Adds an edge between vertices that are there; `origin` as that of {@link vertex}. Throws UnsupportedValue. */
  edge(edge: StreamedEdge, out: VertexId, into: VertexId, origin: number): void {
    if (this.#shared) this.#items.push({ edge, out, into, origin })
    this.#encoder.edge(edge, out, into, origin)
  }

  /**
   * Writes what was loaded since the last commit, with a note, as one commit. Throws ElementRefused for a value of a
   * unique index that is there already, and for an edge that is one too many or whose vertex is gone.
   */
  async commit(note: BulkNote | undefined): Promise<void> {
    for (;;) {
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
    await commitLater(this.#core, (batch) => {
      this.#core.assertWritable()
      if (this.#types.moved || batch.schemaVersion !== this.#types.schema.version) throw new IndexesChanged()
      version = batch.version
      this.#apply(batch, note)
    })
    this.#core.cache.advance(version)
  }

  /** The types were defined anew while this was loaded: by another client of a graph that is served. */
  #encodeAgain(): void {
    const { indexes, relationIndexes } = this.#types.schema
    this.#types.refresh()
    if (!this.#shared) {
      const { schema } = this.#types
      if (schema.indexes.length === indexes.length && schema.relationIndexes.length === relationIndexes.length) return
      throw new TransactionConflict("the indexes of the graph")
    }
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

  #apply(batch: CellBatch, note: BulkNote | undefined): void {
    this.#checkPlaces(batch)
    // Without a word about what changed the cache forgets everything.
    if (this.#shared || this.#core.options.userVertexIds) {
      this.#core.cache.changes(batch.version, this.#checkVertices(batch))
    }
    batch.changeRows("edgestore", () => this.#rows())
    const changes = new RowChanges()
    const taken = this.#encoder.indexes.taken((query) => batch.slice(query), undefined)
    if (taken !== undefined) throw new ElementRefused(taken.origin!, notUnique(taken.index))
    this.#encoder.indexes.put(changes)
    for (const [kind, counts] of [
      ["vertex", this.#encoder.vertexCounts],
      ["edge", this.#encoder.edgeCounts]
    ] as const) {
      if (counts.size > 0) changeCounts(kind, readCounts(batch, kind), counts, changes)
    }
    changes.apply(batch)
    if (note !== undefined) batch.change("engine_counters", note.row, [note])
  }

  *#rows(): Generator<RowChange> {
    const { partitionBits } = this.#core.options
    for (const { ref, changes } of this.#encoder.arena.rows()) {
      yield { key: rowKey(this.#encoder.refs.id(ref), partitionBits), changes }
    }
  }

  /** New vertices must not be there, and all others must. Returns the ids of all. */
  #checkVertices(batch: CellBatch): ReadonlyArray<VertexId> {
    const { partitionBits, userVertexIds } = this.#core.options
    const ids: Array<VertexId> = []
    for (const { ref, changes } of this.#encoder.arena.rows()) {
      const isNew = startsWith(changes[0]!.column, existsHeader.bytes)
      const id = this.#encoder.refs.id(ref)
      ids.push(id)
      if (isNew && !userVertexIds) continue
      const { bytes: start, end } = existsHeader
      const query = { table: "edgestore", key: rowKey(id, partitionBits), start, end, limit: 1 } as const
      const there = !batch.slice(query).cells.isEmpty
      if (there && isNew) {
        throw new ElementRefused(
          this.#encoder.origins.get(ref)!,
          new Error(`A vertex with the id ${id} is there already.`)
        )
      }
      if (!there && !isNew) throw this.#removed(id)
    }
    return ids
  }

  /** Of a vertex that others removed: the error of the first edge that leads to it. */
  #removed(id: VertexId): Error {
    const cause = new UnsupportedValue(`The vertex ${id}, an end of a new edge, was removed meanwhile.`)
    const first = this.#items.find((item) => "edge" in item && (item.out === id || item.into === id))
    return first === undefined ? cause : new ElementRefused(first.origin, cause)
  }

  #checkPlaces(batch: CellBatch): void {
    const seen = new Set<string>()
    for (const { ref, column, label, origin } of this.#encoder.places) {
      const key = rowKey(this.#encoder.refs.id(ref), this.#core.options.partitionBits)
      const name = `${ref} ${Buffer.from(column).toString("latin1")}`
      const query = { table: "edgestore", key, start: column, end: after(column), limit: 1 } as const
      const there = new CellCursor().over(batch.slice(query).cells).next()
      if (there || seen.has(name)) {
        const problem = `The label ${label.name} has the multiplicity ${label.multiplicity}, and the vertex ${this.#encoder.refs.id(ref)} would have one such edge too many.`
        throw new ElementRefused(origin, new Error(problem))
      }
      seen.add(name)
    }
  }
}

const startsWith = (bytes: Uint8Array, begin: Uint8Array): boolean => {
  for (let i = 0; i < begin.length; i++) if (bytes[i] !== begin[i]) return false
  return bytes.length >= begin.length
}
