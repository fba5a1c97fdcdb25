import { keyOf } from "../../../../structure/Equivalence.ts"
import type { StreamedEdge, StreamedVertex } from "../../../../structure/GraphStream.ts"
import { ElementRefused, TransactionConflict, UnsupportedValue } from "../../../../structure/StoreErrors.ts"
import { checkKey, checkLabel, checkValue } from "../../../shared/PropertyWrites.ts"
import type { CellBatch, RowChange } from "../../cells/CellStore.ts"
import { CellCursor } from "../../cells/Cells.ts"
import { notUnique } from "../../commit/CommitState.ts"
import { changeCounts, readCounts } from "../../commit/Counters.ts"
import { IndexChanges } from "../../commit/IndexChanges.ts"
import { RowChanges } from "../../commit/RowChanges.ts"
import type { Id, VertexId } from "../../format/Ids.ts"
import { edgeCell, encodeRelation, propertyCell, type Relation } from "../../format/Relations.ts"
import { prefixes, type RelationType, vertexExists, vertexLabelEdge } from "../../format/RelationTypes.ts"
import { rowKey } from "../../format/RowKeys.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { newIdProblem, vertexIdOf } from "../../ids/VertexIds.ts"
import { entriesOf, type IndexedElement, type IndexedProperty } from "../../indexes/IndexEntries.ts"
import { commitLater } from "../../management/IndexBuild.ts"
import { headersOf } from "../../rows/Headers.ts"
import { VertexRefs } from "../../rows/Refs.ts"
import { type EdgeLabel, isWritten, type PropertyKey, type Schema } from "../../schema/Schema.ts"
import { after } from "../../schema/SchemaRead.ts"
import { typedValue } from "../../schema/TypeInference.ts"
import { BulkTypes } from "./BulkTypes.ts"
import { CellArena } from "./CellArena.ts"

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

/** The cell of an edge of which there may be one only. */
interface Place {
  readonly origin: number
  readonly ref: number
  readonly column: Uint8Array
  readonly label: EdgeLabel
}

/** What an entry of an index takes until it is written, about. */
const INDEXED = 400

const existsHeader = headersOf(vertexExists).out
const none: ReadonlyMap<RelationType, unknown> = new Map()

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
  readonly #arena = new CellArena()
  readonly #refs = new VertexRefs()
  #indexes = new IndexChanges()
  #indexed = 0
  readonly #vertexCounts = new Map<number, number>()
  readonly #edgeCounts = new Map<number, number>()
  /** Cells of edges of which there may be one only. */
  #places: Array<Place> = []
  /** The number of the element that is being added. */
  #origin = 0
  /** Numbers of the vertices of a commit, by their refs, where the ids are the user's. */
  readonly #origins = new Map<number, number>()
  /** What was loaded since the last commit, where it may have to be encoded again. */
  #items: Array<PlacedVertex | PlacedEdge> = []

  constructor(core: GraphCore, shared: boolean) {
    if (core.cells.answersLater) throw new Error("Cells can be loaded in bulk only where they answer at once")
    core.assertWritable()
    this.#core = core
    this.#shared = shared
    this.#types = new BulkTypes(core)
    this.#types.refresh()
  }

  /** Bytes held for the next commit, about: outside of the heap, ... */
  get bytes(): number {
    return this.#arena.bytes
  }

  /** ... and on it. */
  get heapBytes(): number {
    return this.#indexed * INDEXED
  }

  /**
   * Adds a vertex and returns its id: that of the file where the graph takes ids. `origin` is a number of the caller's, by
   * which {@link commit} names an element that is refused. Throws UnsupportedValue.
   */
  vertex(vertex: StreamedVertex, origin: number): VertexId {
    const id = this.#newId(vertex.id)
    this.#origin = origin
    if (this.#shared) this.#items.push({ vertex, id, origin })
    this.#vertex(vertex, id)
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
    this.#origin = origin
    if (this.#shared) this.#items.push({ edge, out, into, origin })
    this.#edge(edge, out, into)
  }

  #put(ref: number, relation: Relation): void {
    const { writer } = this.#arena
    const start = writer.length
    this.#arena.add(ref, start, encodeRelation(writer, relation))
  }

  /** Types as one schema has them: making one that is missing gives all of them anew. */
  #withTypes<A>(make: () => A): A {
    for (;;) {
      const before = this.#types.schema
      const made = make()
      if (this.#types.schema === before) return made
    }
  }

  #vertex({ label, properties }: StreamedVertex, id: VertexId): void {
    checkLabel(label)
    const ref = this.#refs.of(id)
    const { ids, options } = this.#core
    if (options.userVertexIds) this.#origins.set(ref, this.#origin)
    const [labelId, states] = this.#withTypes(() => [this.#types.vertexLabel(label), this.#states(properties)] as const)
    this.#put(ref, propertyCell(vertexExists, ids.relation(), true))
    if (labelId !== 0) this.#put(ref, edgeCell(vertexLabelEdge, false, ids.relation(), labelId))
    for (const [key, relations] of states) {
      for (const relation of relations) {
        this.#put(ref, relation)
        this.#copies(ref, key, relation, "OUT")
      }
    }
    this.#count(this.#vertexCounts, labelId)
    const element: IndexedElement = { kind: "vertex", id, label: labelId, inline: (key) => states.get(key)?.[0] }
    this.#index(element, (key) =>
      (states.get(key) ?? []).map((relation) => ({ relation: relation.relation, value: relation.value }))
    )
  }

  /** What is under each key of a vertex. */
  #states(properties: StreamedVertex["properties"]): ReadonlyMap<PropertyKey, ReadonlyArray<Relation>> {
    const states = new Map<PropertyKey, Array<Relation>>()
    for (const property of properties) {
      if (property.value === null || property.value === undefined) continue
      checkKey(property.key)
      checkValue(property.key, property.value)
      const several = properties.some((other) => other !== property && other.key === property.key)
      const key = this.#types.key(property.key, property.value, property.cardinality ?? (several ? "list" : undefined))
      if (key === undefined) continue
      const value = typedValue(key, property.value)
      const relation: Relation = {
        ...propertyCell(key, this.#core.ids.relation(), value),
        properties: this.#typed(property.meta ?? [])
      }
      const state = states.get(key)
      if (state === undefined) states.set(key, [relation])
      else if (key.cardinality === "SINGLE") {
        throw new UnsupportedValue(`The key ${key.name} holds one value of a vertex (SINGLE), and there are several.`)
      } else if (key.cardinality === "LIST") state.push(relation)
      else if (!state.some((other) => keyOf(other.value) === keyOf(value))) state.push(relation)
    }
    return states
  }

  /** Properties of edges and meta-properties by their types. */
  #typed(named: Iterable<readonly [string, unknown]>): ReadonlyMap<RelationType, unknown> {
    let typed: Map<RelationType, unknown> | undefined
    for (const [name, value] of named) {
      if (value === null || value === undefined) continue
      checkKey(name)
      checkValue(name, value)
      const key = this.#types.key(name, value, undefined)
      if (key === undefined) continue
      typed ??= new Map()
      typed.set(key, typedValue(key, value))
    }
    return typed ?? none
  }

  #edge({ label, properties }: StreamedEdge, out: VertexId, into: VertexId): void {
    checkLabel(label)
    const relation = this.#core.ids.relation()
    const [type, typed] =
      properties.size === 0
        ? ([this.#types.label(label), none] as const)
        : this.#withTypes(() => [this.#types.label(label), this.#typed(properties)] as const)
    const [outRef, inRef] = [this.#refs.of(out), this.#refs.of(into)]
    this.#count(this.#edgeCounts, type.id)
    if (typed.size === 0 && isPlain(type, this.#types.schema)) {
      this.#plain(outRef, headersOf(type).out.bytes, into, relation)
      if (!type.unidirected) this.#plain(inRef, headersOf(type).in.bytes, out, relation)
    } else {
      this.#end(outRef, type, edgeCell(type, false, relation, into, typed), "OUT")
      if (!type.unidirected) this.#end(inRef, type, edgeCell(type, true, relation, out, typed), "IN")
    }
    this.#index({ kind: "edge", relation, out, label: type.id, into }, (key) =>
      typed.has(key) ? [{ relation, value: typed.get(key) }] : []
    )
  }

  /** An edge without properties whose label has no keys of its own: what most edges are. */
  #plain(ref: number, header: Uint8Array, other: VertexId, relation: Id): void {
    const { writer } = this.#arena
    const start = writer.length
    writer.raw(header)
    writer.vertexIdBackward(other)
    writer.backward(relation)
    this.#arena.add(ref, start, writer.length)
  }

  #end(ref: number, type: EdgeLabel, cell: Relation, direction: "OUT" | "IN"): void {
    const { writer } = this.#arena
    const start = writer.length
    const columnEnd = encodeRelation(writer, cell)
    this.#arena.add(ref, start, columnEnd)
    if (type.multiplicity !== "MULTI")
      this.#places.push({ origin: this.#origin, ref, column: writer.copy(start, columnEnd), label: type })
    this.#copies(ref, type, cell, direction)
  }

  #copies(ref: number, type: RelationType, cell: Relation, direction: "OUT" | "IN"): void {
    for (const copy of this.#types.schema.copiesOf(type.id)) {
      if (!isWritten(copy.status) || (copy.direction !== "BOTH" && copy.direction !== direction)) continue
      const prefix = type.isKey ? prefixes.propertyCopy : prefixes.edgeCopy
      this.#put(ref, { ...cell, prefix, type: copy.type })
    }
  }

  #count(counts: Map<number, number>, label: number): void {
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }

  #index(element: IndexedElement, read: (key: PropertyKey) => ReadonlyArray<IndexedProperty>): void {
    for (const index of this.#types.schema.indexes) {
      if (index.element !== element.kind || !isWritten(index.status)) continue
      const entries = entriesOf(index, element, read)
      for (const entry of entries) entry.origin = this.#origin
      this.#indexed += entries.length
      this.#indexes.replace([], entries)
      if (this.#indexes.clash !== undefined) throw notUnique(this.#indexes.clash.index)
    }
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
    this.#clear()
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
    this.#clear()
    for (const item of this.#items) {
      this.#origin = item.origin
      try {
        if ("vertex" in item) this.#vertex(item.vertex, item.id)
        else this.#edge(item.edge, item.out, item.into)
      } catch (error) {
        throw error instanceof UnsupportedValue ? new ElementRefused(item.origin, error) : error
      }
    }
  }

  #clear(): void {
    this.#arena.clear()
    this.#indexes = new IndexChanges()
    this.#indexed = 0
    this.#vertexCounts.clear()
    this.#edgeCounts.clear()
    this.#places = []
    this.#origins.clear()
  }

  #apply(batch: CellBatch, note: BulkNote | undefined): void {
    this.#checkPlaces(batch)
    // Without a word about what changed the cache forgets everything.
    if (this.#shared || this.#core.options.userVertexIds) {
      this.#core.cache.changes(batch.version, this.#checkVertices(batch))
    }
    batch.changeRows("edgestore", () => this.#rows())
    const changes = new RowChanges()
    const taken = this.#indexes.taken((query) => batch.slice(query), undefined)
    if (taken !== undefined) throw new ElementRefused(taken.origin!, notUnique(taken.index))
    this.#indexes.put(changes)
    for (const [kind, counts] of [
      ["vertex", this.#vertexCounts],
      ["edge", this.#edgeCounts]
    ] as const) {
      if (counts.size > 0) changeCounts(kind, readCounts(batch, kind), counts, changes)
    }
    changes.apply(batch)
    if (note !== undefined) batch.change("engine_counters", note.row, [note])
  }

  *#rows(): Generator<RowChange> {
    const { partitionBits } = this.#core.options
    for (const { ref, changes } of this.#arena.rows()) {
      yield { key: rowKey(this.#refs.id(ref), partitionBits), changes }
    }
  }

  /** New vertices must not be there, and all others must. Returns the ids of all. */
  #checkVertices(batch: CellBatch): ReadonlyArray<VertexId> {
    const { partitionBits, userVertexIds } = this.#core.options
    const ids: Array<VertexId> = []
    for (const { ref, changes } of this.#arena.rows()) {
      const isNew = startsWith(changes[0]!.column, existsHeader.bytes)
      const id = this.#refs.id(ref)
      ids.push(id)
      if (isNew && !userVertexIds) continue
      const { bytes: start, end } = existsHeader
      const query = { table: "edgestore", key: rowKey(id, partitionBits), start, end, limit: 1 } as const
      const there = !batch.slice(query).cells.isEmpty
      if (there && isNew) {
        throw new ElementRefused(this.#origins.get(ref)!, new Error(`A vertex with the id ${id} is there already.`))
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
    for (const { ref, column, label, origin } of this.#places) {
      const key = rowKey(this.#refs.id(ref), this.#core.options.partitionBits)
      const name = `${ref} ${Buffer.from(column).toString("latin1")}`
      const query = { table: "edgestore", key, start: column, end: after(column), limit: 1 } as const
      const there = new CellCursor().over(batch.slice(query).cells).next()
      if (there || seen.has(name)) {
        const problem = `The label ${label.name} has the multiplicity ${label.multiplicity}, and the vertex ${this.#refs.id(ref)} would have one such edge too many.`
        throw new ElementRefused(origin, new Error(problem))
      }
      seen.add(name)
    }
  }
}

/** True when the cells of a label's edges are their ends and ids alone. */
const isPlain = (type: EdgeLabel, schema: Schema): boolean =>
  type.multiplicity === "MULTI" &&
  type.sortKey.length === 0 &&
  type.signature.length === 0 &&
  schema.copiesOf(type.id).length === 0

const startsWith = (bytes: Uint8Array, begin: Uint8Array): boolean => {
  for (let i = 0; i < begin.length; i++) if (bytes[i] !== begin[i]) return false
  return bytes.length >= begin.length
}
