import type { ElementSource } from "../../structure/Element.ts"
import { type Ref, Vertex, VertexProperty } from "../../structure/Element.ts"
import { Cardinality, type EnumValue } from "../../structure/Enums.ts"
import { equivalent } from "../../structure/Equivalence.ts"
import { ElementExists, ElementNotFound, UnsupportedValue } from "../../structure/StoreErrors.ts"
import { whole } from "../../structure/Whole.ts"
import { Journal } from "../Journal.ts"
import { shown } from "../memory/IdManager.ts"
import { Entry, type PropertyState } from "../memory/Properties.ts"
import {
  checkKey,
  checkLabel,
  checkValue,
  entryWithValue,
  mergedMeta,
  replaceEntry,
  withEntry
} from "../memory/PropertyWrites.ts"
import type { Id } from "./codec/Ids.ts"
import { propertyIdText } from "./codec/RelationIds.ts"
import { isUnique } from "./codec/RelationTypes.ts"
import { Expander } from "./Expanding.ts"
import type { IdAllocator } from "./IdAllocator.ts"
import { CellLabelSet } from "./LabelSets.ts"
import type { CellGraphOptions } from "./Options.ts"
import { type EdgePropertyChange, Overlay, OwnVertex, type PropertyChange } from "./Overlay.ts"
import type { TransactionReading } from "./Reading.ts"
import { SchemaRules } from "./SchemaRules.ts"
import type { EdgeLabel, PropertyKey } from "./schema/Schema.ts"
import { EXPIRES } from "./schema/Schema.ts"
import { Typing, typedValue } from "./Typing.ts"
import { newIdProblem, vertexIdOf } from "./VertexIds.ts"
import { visible } from "./VisibleValues.ts"

/** Edges of a vertex that are removed between two yields. */
const EDGES_AT_ONCE = 256

/** What a transaction writes: into its overlay, for the commit. */
export class TransactionWriting {
  readonly #source: ElementSource
  readonly #reading: TransactionReading
  readonly #expander: Expander
  readonly #ids: IdAllocator
  readonly #options: CellGraphOptions
  readonly #typing: Typing
  readonly #rules: SchemaRules
  /** False for a store that answers later: then only the commit knows whether an edge is one too many. */
  readonly #checksMultiplicity: boolean
  readonly journal = new Journal()

  constructor(
    source: ElementSource,
    reading: TransactionReading,
    expander: Expander,
    ids: IdAllocator,
    options: CellGraphOptions,
    checksMultiplicity: boolean
  ) {
    this.#source = source
    this.#reading = reading
    this.#expander = expander
    this.#ids = ids
    this.#options = options
    this.#typing = new Typing(reading, options, ids)
    this.#rules = new SchemaRules(reading, options)
    this.#checksMultiplicity = checksMultiplicity
  }

  #open(): Overlay {
    this.#reading.own ??= new Overlay(this.journal)
    return this.#reading.own
  }

  // Vertices and edges

  addVertex(label: string, id: unknown): Ref {
    checkLabel(label)
    const own = this.#open()
    this.#typing.vertexLabel(label, own)
    const ref = this.#newVertexRef(id)
    const vertex = new OwnVertex(true, label)
    const before = own.vertices.get(ref)
    own.vertices.set(ref, vertex)
    own.newVertices.push(ref)
    own.count(own.vertexCounts, label, 1)
    if (this.journal.isOpen) {
      this.journal.add(() => {
        vertex.removed = true
        if (before !== undefined) own.vertices.set(ref, before)
        own.newVertices.pop()
        own.count(own.vertexCounts, label, -1)
      })
    }
    this.#setEnd(ref, label)
    return ref
  }

  /** A vertex whose label has a time to live keeps when it ends. */
  #setEnd(ref: Ref, label: string): void {
    const { expires, vertexLabels } = this.#reading.schema
    if (expires === undefined) return
    const end = this.#rules.endOf(vertexLabels.get(label)?.id ?? 0)
    if (end === undefined) return
    const change = this.#change(ref, expires)
    change.state = new Entry(this.#ids.relation(), end, null)
    change.replaced = true
  }

  #newVertexRef(id: unknown): Ref {
    if (id === undefined || id === null) return this.#ids.vertex()
    const { userVertexIds, textVertexIds, partitionBits, name } = this.#options
    if (!userVertexIds) {
      throw new UnsupportedValue(
        `The graph ${name} makes the id of each vertex itself: leave the id out, or set graph.set-vertex-id=true.`
      )
    }
    const problem = newIdProblem(id, textVertexIds, partitionBits)
    if (problem !== undefined) throw new UnsupportedValue(problem)
    const vertex = vertexIdOf(id, textVertexIds)!
    if (this.#reading.existing(vertex) !== -1) throw new ElementExists(`Vertex with id already exists: ${shown(id)}`)
    return this.#reading.vertexRefs.of(vertex)
  }

  addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref {
    checkLabel(label)
    if (id !== undefined && id !== null) {
      throw new UnsupportedValue(
        `The graph ${this.#options.name} makes the id of each edge itself: leave the id out, or keep your own id in a property.`
      )
    }
    const reading = this.#reading
    for (const end of [out, into]) {
      if (!reading.hasVertex(end)) throw new ElementNotFound(`An end of the new edge ${label} is not in the graph.`)
    }
    const own = this.#open()
    const type = this.#typing.label(label, own)
    this.#rules.checkChange(out)
    this.#rules.checkChange(into)
    this.#rules.checkConnection(type, out, into)
    if (this.#checksMultiplicity) this.#checkMultiplicity(type, out, into)
    const edge = reading.edges.intern(this.#ids.relation(), type, out, into, null, 0)
    own.newEdges.push(edge)
    own.newEdgeSet.add(edge)
    this.#ownVertex(out).out.push(edge)
    if (!type.unidirected) this.#ownVertex(into).in.push(edge)
    own.count(own.edgeCounts, label, 1)
    if (this.journal.isOpen) {
      this.journal.add(() => {
        // Its place stays, as that of a new edge that the transaction removed itself.
        own.removedEdges.add(edge)
        own.count(own.edgeCounts, label, -1)
      })
    }
    const end = this.#rules.endOfEdge(type, out, into)
    if (end !== undefined) this.#edgeChange(edge, reading.schema.expires!).value = end
    return edge
  }

  #checkMultiplicity(type: EdgeLabel, out: Ref, into: Ref): void {
    if (type.multiplicity === "MULTI") return
    if (isUnique(type.multiplicity, false) && this.#hasEdge(type, out, "OUT", -1)) throw tooMany(type, "out")
    if (isUnique(type.multiplicity, true) && this.#hasEdge(type, into, "IN", -1)) throw tooMany(type, "in")
    if (type.multiplicity === "SIMPLE" && this.#hasEdge(type, out, "OUT", into)) throw tooMany(type, "pair")
  }

  /** Whether a vertex has an edge of the type, to the other vertex (-1: to any). */
  #hasEdge(type: EdgeLabel, ref: Ref, direction: "OUT" | "IN", other: Ref): boolean {
    const labels = new CellLabelSet([type.name], this.#reading)
    const cursor = { row: 0, offset: 0 }
    const found = { rows: new Int32Array(64), refs: new Float64Array(64), length: 0 }
    for (let done = false; !done; found.length = 0) {
      done = this.#expander.expand(false, [ref], 1, direction, labels, cursor, 256, found)
      if (other === -1 && found.length > 0) return true
      if (found.refs.subarray(0, found.length).includes(other)) return true
    }
    return false
  }

  #ownVertex(ref: Ref): OwnVertex {
    const own = this.#open()
    let vertex = own.vertices.get(ref)
    if (vertex === undefined) {
      vertex = new OwnVertex(false, "")
      own.vertices.set(ref, vertex)
    }
    return vertex
  }

  removeVertex(ref: Ref): void {
    whole(this.removingVertex(ref))
  }

  /** The same, with a yield after some of its edges. */
  *removingVertex(ref: Ref): Generator<void, void> {
    const reading = this.#reading
    if (!reading.hasVertex(ref)) return
    yield* this.#removeEdgesOf(ref)
    const own = this.#open()
    const label = reading.vertexLabel(ref)
    const vertex = this.#ownVertex(ref)
    if (!vertex.isNew) own.removedVertices.set(ref, label)
    vertex.removed = true
    own.count(own.vertexCounts, label, -1)
    if (this.journal.isOpen) {
      this.journal.add(() => {
        if (!vertex.isNew) own.removedVertices.delete(ref)
        vertex.removed = false
        own.count(own.vertexCounts, label, 1)
      })
    }
  }

  /** With those that have outlived their time: they still have their place in both rows. */
  *#removeEdgesOf(ref: Ref): Generator<void, void> {
    const { rows, schema, vertexRefs, edges, own } = this.#reading
    const everything = new Expander({ rows, schema, vertexRefs, edges, own })
    const cursor = { row: 0, offset: 0 }
    const found = { rows: new Int32Array(64), refs: new Float64Array(64), length: 0 }
    for (let done = false; !done; found.length = 0) {
      done = everything.expand(true, [ref], 1, "BOTH", null, cursor, EDGES_AT_ONCE, found)
      for (let i = 0; i < found.length; i++) this.removeEdge(found.refs[i]!)
      if (!done) yield
    }
  }

  removeEdge(ref: Ref): void {
    const reading = this.#reading
    if (!reading.hasEdge(ref)) return
    const own = this.#open()
    const relation = reading.edges.relation(ref)
    const label = reading.edges.type(ref).name
    own.removedEdges.add(ref)
    if (!own.newEdgeSet.has(ref)) own.removedRelations.add(relation)
    own.count(own.edgeCounts, label, -1)
    if (this.journal.isOpen) {
      this.journal.add(() => {
        own.removedEdges.delete(ref)
        own.removedRelations.delete(relation)
        own.count(own.edgeCounts, label, 1)
      })
    }
  }

  // Properties of vertices

  setVertexProperty(
    ref: Ref,
    cardinality: EnumValue | null,
    name: string,
    value: unknown,
    id: unknown,
    meta: ReadonlyMap<string, unknown> | null
  ): VertexProperty {
    checkKey(name)
    checkValue(name, value)
    if (!this.#reading.hasVertex(ref)) throw new ElementNotFound("The vertex that gets a property was removed.")
    if (id !== undefined && id !== null) {
      throw new UnsupportedValue(
        `The graph ${this.#options.name} makes the id of each vertex property itself: leave the id out.`
      )
    }
    const vertex = new Vertex(this.#source, ref)
    if (value === null || value === undefined) return this.#setNull(vertex, cardinality, name)
    const key = this.#typing.key(name, value, cardinality, this.#open())
    if (key === undefined) return new VertexProperty(vertex, null, name, value, null)
    const how = cardinality === null ? key.cardinality : cardinality.name.toUpperCase()
    if (how !== "SINGLE" && how !== key.cardinality) {
      throw new UnsupportedValue(
        `Key is defined for ${key.cardinality} cardinality which conflicts with specified: ${how.toLowerCase()} (key ${name})`
      )
    }
    this.#rules.checkChange(ref)
    this.#rules.checkProperty(ref, key)
    const typed = typedValue(key, value)
    const change = this.#change(ref, key)
    if (how === "SET") {
      change.distinct = true
      const equal = entryWithValue(change.state, typed)
      if (equal !== undefined && this.#hasEnd(key, equal)) {
        // One with a time to live begins it anew.
        change.state = replaceEntry(change.state, equal.id, undefined)
      } else if (equal !== undefined) {
        const kept = meta === null ? equal : new Entry(equal.id, equal.value, this.#meta(equal.meta, meta))
        if (kept !== equal) change.state = replaceEntry(change.state, equal.id, kept)
        return this.handle(ref, key, kept)
      }
    }
    const entry = new Entry(
      this.#ids.relation(),
      typed,
      this.#withEnd(key, meta === null ? null : this.#meta(null, meta))
    )
    if (how === "SINGLE") {
      change.state = entry
      change.replaced = true
    } else change.state = withEntry(change, entry)
    return this.handle(ref, key, entry)
  }

  /** Whether a property has an end, or would have one if it were written now. */
  #hasEnd(key: PropertyKey, { meta }: Entry): boolean {
    return meta?.has(EXPIRES) === true || this.#rules.endOf(key.id) !== undefined
  }

  /** Meta-properties of a property that is written now, with the end of one that has a time to live. */
  #withEnd(key: PropertyKey, meta: ReadonlyMap<string, unknown> | null): ReadonlyMap<string, unknown> | null {
    if (this.#reading.schema.expires === undefined) return meta
    const end = this.#rules.endOf(key.id)
    return end === undefined ? meta : new Map([...(meta ?? []), [EXPIRES, end]])
  }

  /** Null takes a SINGLE property away, and adds nothing to the others. */
  #setNull(vertex: Vertex, cardinality: EnumValue | null, name: string): VertexProperty {
    const key = this.#reading.schema.keys.get(name) ?? this.#reading.own?.newKeys.get(name)
    const single = cardinality === null ? key?.cardinality === "SINGLE" : cardinality === Cardinality.single
    if (key !== undefined && single && this.#reading.state(vertex.ref, name) !== undefined) {
      const change = this.#change(vertex.ref, key)
      change.state = undefined
      change.replaced = true
    }
    return new VertexProperty(vertex, null, name, null, null)
  }

  #change(ref: Ref, key: PropertyKey): PropertyChange {
    const state = this.#reading.state(ref, key.name)
    const { changes } = this.#ownVertex(ref)
    const known = changes.get(key.name)
    if (known !== undefined) {
      if (this.journal.isOpen) {
        const before = { ...known }
        this.journal.add(() => Object.assign(known, before))
      }
      return known
    }
    const change: PropertyChange = { key, base: state, state, replaced: false, distinct: false }
    changes.set(key.name, change)
    if (this.journal.isOpen) this.journal.add(() => changes.delete(key.name))
    return change
  }

  /** Meta-properties after these were set, as their keys store them. */
  #meta(
    meta: ReadonlyMap<string, unknown> | null,
    more: Iterable<readonly [string, unknown]>
  ): ReadonlyMap<string, unknown> | null {
    const typed: Array<readonly [string, unknown]> = []
    for (const [name, value] of more) {
      checkKey(name)
      checkValue(name, value)
      if (value === null || value === undefined) typed.push([name, null])
      else {
        const key = this.#typing.key(name, value, null, this.#open())
        if (key !== undefined) typed.push([name, typedValue(key, value)])
      }
    }
    return mergedMeta(meta, typed, false)
  }

  setMetaProperty(property: VertexProperty, name: string, value: unknown): VertexProperty {
    const changed = this.#changeMeta(property, (meta) => this.#meta(meta, [[name, value]]))
    if (changed === undefined) {
      throw new ElementNotFound(`The property ${property.key} (id ${shown(property.id)}) is not in the graph.`)
    }
    return changed
  }

  removeMetaProperty(property: VertexProperty, name: string): void {
    this.#changeMeta(property, (meta) => mergedMeta(meta, [[name, null]], false))
  }

  /** The property with other meta-properties, or undefined when it is not there. */
  #changeMeta(
    property: VertexProperty,
    change: (meta: ReadonlyMap<string, unknown> | null) => ReadonlyMap<string, unknown> | null
  ): VertexProperty | undefined {
    const found = this.#find(property)
    if (found === undefined) return undefined
    const { ref, key, entry } = found
    const changed = new Entry(entry.id, entry.value, change(entry.meta))
    const open = this.#change(ref, key)
    open.state = replaceEntry(open.state, entry.id, changed)
    return this.handle(ref, key, changed)
  }

  removeVertexProperty(property: VertexProperty): void {
    const found = this.#find(property)
    if (found === undefined) return
    this.#rules.checkChange(found.ref)
    const change = this.#change(found.ref, found.key)
    change.state = replaceEntry(change.state, found.entry.id, undefined)
  }

  #find(property: VertexProperty): { ref: Ref; key: PropertyKey; entry: Entry } | undefined {
    const reading = this.#reading
    const ref = this.#refOf(property)
    const key = reading.schema.keys.get(property.key) ?? reading.own?.newKeys.get(property.key)
    if (ref === -1 || key === undefined || !reading.hasVertex(ref)) return undefined
    const state: PropertyState | undefined = reading.state(ref, property.key)
    const entry = state?.entries.find(({ id }) => this.propertyId(ref, key, id as Id) === property.id)
    return entry === undefined ? undefined : { ref, key, entry }
  }

  #refOf({ vertex }: VertexProperty): Ref {
    if (vertex === null) return -1
    return vertex.source === this.#source ? vertex.ref : this.#reading.vertexRef(vertex.id)
  }

  /** The id of a property as clients see it. */
  propertyId(ref: Ref, key: PropertyKey, relation: Id): string {
    return propertyIdText(relation, this.#reading.vertexRefs.id(ref), key.id)
  }

  handle(ref: Ref, key: PropertyKey, { id, value, meta }: Entry): VertexProperty {
    return new VertexProperty(
      new Vertex(this.#source, ref),
      this.propertyId(ref, key, id as Id),
      key.name,
      visible(value),
      visibleMeta(meta)
    )
  }

  // Properties of edges

  setEdgeProperty(ref: Ref, name: string, value: unknown): unknown {
    checkKey(name)
    checkValue(name, value)
    if (!this.#reading.hasEdge(ref)) throw new ElementNotFound(`The edge that gets the property ${name} was removed.`)
    if (value === null || value === undefined) {
      this.removeEdgeProperty(ref, name)
      return null
    }
    const key = this.#typing.key(name, value, null, this.#open())
    if (key === undefined) return value
    const type = this.#reading.edges.type(ref)
    this.#rules.checkEdgeProperty(type, key)
    const typed = typedValue(key, value)
    this.#edgeChange(ref, key).value = typed
    return visible(typed)
  }

  removeEdgeProperty(ref: Ref, name: string): void {
    const reading = this.#reading
    if (!reading.hasEdge(ref) || reading.edgeValue(ref, name) === undefined) return
    const key = reading.schema.keys.get(name) ?? reading.own?.newKeys.get(name)
    this.#edgeChange(ref, key!).value = undefined
  }

  #edgeChange(ref: Ref, key: PropertyKey): EdgePropertyChange {
    const own = this.#open()
    let changes = own.edgeChanges.get(ref)
    if (changes === undefined) {
      changes = new Map()
      own.edgeChanges.set(ref, changes)
    }
    const known = changes.get(key.name)
    if (known !== undefined) {
      const { value } = known
      if (this.journal.isOpen) {
        this.journal.add(() => {
          known.value = value
        })
      }
      return known
    }
    const base = this.#reading.edgeValue(ref, key.name)
    const change: EdgePropertyChange = { key, base, value: base }
    changes.set(key.name, change)
    if (this.journal.isOpen) {
      const made = changes
      this.journal.add(() => made.delete(key.name))
    }
    return change
  }
}

const tooMany = (type: EdgeLabel, end: "out" | "in" | "pair"): UnsupportedValue =>
  new UnsupportedValue(
    end === "pair"
      ? `An edge with the given label already exists between the pair of vertices and the label [${type.name}] is simple`
      : `An edge with the given label already exists on the ${end}-vertex and the label [${type.name}] is ${end}-unique`
  )

export const visibleMeta = (meta: ReadonlyMap<string, unknown> | null): ReadonlyMap<string, unknown> | null => {
  if (meta === null) return null
  if (meta.has(EXPIRES)) {
    const rest = new Map(meta)
    rest.delete(EXPIRES)
    return rest.size === 0 ? null : visibleMeta(rest)
  }
  let same = true
  for (const value of meta.values()) if (visible(value) !== value) same = false
  return same ? meta : new Map([...meta].map(([key, value]) => [key, visible(value)]))
}

/** True for values that are the same to Gremlin, of the same type. */
export const sameValue = (a: unknown, b: unknown): boolean => a === b || equivalent(a, b)
