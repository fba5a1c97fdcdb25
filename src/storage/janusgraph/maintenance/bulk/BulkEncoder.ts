import { keyOf } from "../../../../structure/collections/Equivalence.ts"
import { repeatedKeys, type StreamedEdge, type StreamedVertex } from "../../../../structure/graph/GraphStream.ts"
import { checkLabel, checkValue } from "../../../shared/PropertyWrites.ts"
import { notUnique } from "../../commit/CommitState.ts"
import { IndexChanges } from "../../commit/IndexChanges.ts"
import { assertColumnFits, assertEntryFits } from "../../commit/NameLengths.ts"
import type { Id, VertexId } from "../../format/Ids.ts"
import { edgeCell, encodeRelation, propertyCell, type Relation } from "../../format/Relations.ts"
import { prefixes, type RelationType, vertexExists, vertexLabelEdge } from "../../format/RelationTypes.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { entriesOf, type IndexedElement, type IndexedProperty } from "../../indexes/IndexEntries.ts"
import { headersOf } from "../../rows/Headers.ts"
import { VertexRefs } from "../../rows/Refs.ts"
import { type EdgeLabel, isWritten, type PropertyKey, type Schema } from "../../schema/Schema.ts"
import { typedValue } from "../../schema/TypeInference.ts"
import { checkClientKey } from "../../schema/TypeNames.ts"
import { CellArena } from "./CellArena.ts"
import { severalValues } from "./SeveralValues.ts"

/** The types by which elements are encoded. {@link schema} may change when one of the others is called. */
export interface LoadTypes {
  readonly schema: Schema
  /** The key of a property; undefined for a property that is ignored. Throws UnsupportedValue. */
  key(name: string, value: unknown, cardinality: "single" | "set" | "list" | undefined): PropertyKey | undefined
  /** The label of an edge. Throws UnsupportedValue. */
  label(name: string): EdgeLabel
  /** The id of a vertex label; 0 for the default label. */
  vertexLabel(name: string): number
}

/** The cell of an edge whose label allows at most one such edge. */
interface UniqueEdgeCell {
  readonly origin: number
  readonly ref: number
  readonly column: Uint8Array
  readonly label: EdgeLabel
}

/** Estimated heap bytes of an index entry until it is written. */
const ENTRY_BYTES = 400

const none: ReadonlyMap<RelationType, unknown> = new Map()

/** Encodes the elements of one commit of a bulk load: their cells, index entries and counts. */
export class BulkEncoder {
  readonly #core: GraphCore
  readonly #types: LoadTypes
  readonly arena = new CellArena()
  readonly refs = new VertexRefs(0)
  indexes = new IndexChanges()
  #entries = 0
  /** New vertices by the ids of their labels. */
  readonly vertexCounts = new Map<number, number>()
  /** New edges by the ids of their labels. */
  readonly edgeCounts = new Map<number, number>()
  /** The cells of edges whose labels allow at most one such edge. */
  uniqueEdges: Array<UniqueEdgeCell> = []
  /** The number of the element that is being encoded. */
  #origin = 0
  /** Numbers of the vertices by their refs, in a graph whose ids are chosen by its user. */
  readonly origins = new Map<number, number>()

  constructor(core: GraphCore, types: LoadTypes) {
    this.#core = core
    this.#types = types
  }

  /** Estimated bytes held outside the JavaScript heap. */
  get bytes(): number {
    return this.arena.bytes
  }

  /** Estimated bytes held on the JavaScript heap. */
  get heapBytes(): number {
    return this.#entries * ENTRY_BYTES
  }

  /** Removes all elements, after they were written or before they are encoded again. */
  clear(): void {
    this.arena.clear()
    this.indexes = new IndexChanges()
    this.#entries = 0
    this.vertexCounts.clear()
    this.edgeCounts.clear()
    this.uniqueEdges = []
    this.origins.clear()
  }

  #put(ref: number, relation: Relation): void {
    const { writer } = this.arena
    const start = writer.length
    const columnEnd = encodeRelation(writer, relation)
    assertColumnFits(columnEnd - start, this.#core.cells.longestName, () => this.#nameOf(relation))
    this.arena.add(ref, start, columnEnd)
  }

  #nameOf({ type }: Relation): string {
    return this.#types.schema.baseOf(type).name
  }

  /** Repeats `make` until all of its types come from one schema: defining a missing type replaces the schema. */
  #withTypes<A>(make: () => A): A {
    for (;;) {
      const before = this.#types.schema
      const made = make()
      if (this.#types.schema === before) return made
    }
  }

  /**
   * Encodes a new vertex with this id. `origin` is the caller's number of the element, for errors. Throws
   * UnsupportedValue for a value that the schema does not allow.
   */
  vertex({ label, properties }: StreamedVertex, id: VertexId, origin: number): void {
    this.#origin = origin
    checkLabel(label)
    const ref = this.refs.of(id)
    const { ids, options } = this.#core
    if (options.userVertexIds) this.origins.set(ref, this.#origin)
    const [labelId, states] = this.#withTypes(() => [this.#types.vertexLabel(label), this.#states(properties)] as const)
    this.#put(ref, propertyCell(vertexExists, ids.relation(), true))
    if (labelId !== 0) this.#put(ref, edgeCell(vertexLabelEdge, false, ids.relation(), labelId))
    for (const [key, relations] of states) {
      for (const relation of relations) {
        this.#put(ref, relation)
        this.#copies(ref, key, relation, "OUT")
      }
    }
    this.#count(this.vertexCounts, labelId)
    const element: IndexedElement = { kind: "vertex", id, label: labelId, inline: (key) => states.get(key)?.[0] }
    this.#index(element, (key) =>
      (states.get(key) ?? []).map((relation) => ({ relation: relation.relation, value: relation.value }))
    )
  }

  /** The properties of a vertex by key. */
  #states(properties: StreamedVertex["properties"]): ReadonlyMap<PropertyKey, ReadonlyArray<Relation>> {
    const states = new Map<PropertyKey, Array<Relation>>()
    const distinct = new Map<PropertyKey, Set<unknown>>()
    const repeated = repeatedKeys(properties)
    for (const property of properties) {
      if (property.value === null || property.value === undefined) continue
      checkClientKey(property.key)
      checkValue(property.key, property.value)
      const several = repeated.has(property.key)
      const key = this.#types.key(property.key, property.value, property.cardinality ?? (several ? "list" : undefined))
      if (key === undefined) continue
      const value = typedValue(key, property.value)
      const relation: Relation = {
        ...propertyCell(key, this.#core.ids.relation(), value),
        properties: this.#typed(property.meta ?? [])
      }
      const state = states.get(key)
      if (key.cardinality === "SET") {
        const values = distinct.get(key) ?? new Set()
        const own = keyOf(value)
        // Comparing each value with all earlier ones would take seconds for some thousand values.
        if (values.has(own)) continue
        distinct.set(key, values.add(own))
      }
      if (state === undefined) states.set(key, [relation])
      else if (key.cardinality === "SINGLE") throw severalValues(key.name)
      else state.push(relation)
    }
    return states
  }

  /** Properties of edges and meta-properties by their types. */
  #typed(named: Iterable<readonly [string, unknown]>): ReadonlyMap<RelationType, unknown> {
    let typed: Map<RelationType, unknown> | undefined
    for (const [name, value] of named) {
      if (value === null || value === undefined) continue
      checkClientKey(name)
      checkValue(name, value)
      const key = this.#types.key(name, value, undefined)
      if (key === undefined) continue
      typed ??= new Map()
      typed.set(key, typedValue(key, value))
    }
    return typed ?? none
  }

  /** Encodes a new edge; see {@link vertex}. */
  edge({ label, properties }: StreamedEdge, out: VertexId, into: VertexId, origin: number): void {
    this.#origin = origin
    checkLabel(label)
    const relation = this.#core.ids.relation()
    const [type, typed] =
      properties.size === 0
        ? ([this.#types.label(label), none] as const)
        : this.#withTypes(() => [this.#types.label(label), this.#typed(properties)] as const)
    const [outRef, inRef] = [this.refs.of(out), this.refs.of(into)]
    this.#count(this.edgeCounts, type.id)
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

  /** Encodes an edge without properties whose label has neither keys nor indexes: the most frequent case. */
  #plain(ref: number, header: Uint8Array, other: VertexId, relation: Id): void {
    const { writer } = this.arena
    const start = writer.length
    writer.raw(header)
    writer.vertexIdBackward(other)
    writer.backward(relation)
    this.arena.add(ref, start, writer.length)
  }

  #end(ref: number, type: EdgeLabel, cell: Relation, direction: "OUT" | "IN"): void {
    const { writer } = this.arena
    const start = writer.length
    const columnEnd = encodeRelation(writer, cell)
    assertColumnFits(columnEnd - start, this.#core.cells.longestName, () => this.#nameOf(cell))
    this.arena.add(ref, start, columnEnd)
    if (type.multiplicity !== "MULTI")
      this.uniqueEdges.push({ origin: this.#origin, ref, column: writer.copy(start, columnEnd), label: type })
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
      for (const entry of entries) {
        assertEntryFits(entry, this.#core.cells.longestName)
        entry.origin = this.#origin
      }
      this.#entries += entries.length
      this.indexes.replace([], entries)
      if (this.indexes.clash !== undefined) throw notUnique(this.indexes.clash.index)
    }
  }
}

/** True when an edge without properties is stored as its header, its other end and its id alone. */
const isPlain = (type: EdgeLabel, schema: Schema): boolean =>
  type.multiplicity === "MULTI" &&
  type.sortKey.length === 0 &&
  type.signature.length === 0 &&
  schema.copiesOf(type.id).length === 0
