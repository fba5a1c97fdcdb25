import { runWhole, type Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { Edge, Property, type Ref, Vertex, VertexProperty } from "../../structure/Element.ts"
import { Cardinality, type EnumValue } from "../../structure/Enums.ts"
import type { GraphTransaction } from "../../structure/GraphStore.ts"
import { heapRoom } from "../../structure/HeapRoom.ts"
import {
  ElementExists,
  ElementNotFound,
  MemoryLimitExceeded,
  ReadOnlyTransaction,
  UnsupportedValue
} from "../../structure/StoreErrors.ts"
import { shown } from "../shared/IdManager.ts"
import { Entries, Entry } from "../shared/Properties.ts"
import {
  checkKey,
  checkLabel,
  checkValue,
  entryWithValue,
  mergedMeta,
  replaceEntry,
  sameId,
  withEntry
} from "../shared/PropertyWrites.ts"
import type { AdjacencyView } from "./AdjacencyView.ts"
import type { GraphData } from "./GraphData.ts"
import { valueBytes } from "./Growth.ts"
import { lookupKey } from "./IdTable.ts"
import type { TableView } from "./TableView.ts"

/** Estimated bytes of a new element or property besides its values, for the memory limit. */
const ELEMENT_BYTES = 120
const PROPERTY_BYTES = 60

/** Values of a vertex under one key: whoever reads them goes through all of them at once. */
const MOST_VALUES = 32_768

/** Edges of a vertex that are removed between two yields. */
const EDGES_AT_ONCE = 1024

/** The writes of one transaction: they go to the own changes of its views, until the commit. */
export class Writer {
  readonly #transaction: GraphTransaction
  readonly #data: GraphData
  readonly #vertices: TableView
  readonly #edges: TableView
  readonly #adjacency: AdjacencyView
  readonly #readOnly: boolean
  #bytes = 0

  constructor(
    transaction: GraphTransaction,
    data: GraphData,
    vertices: TableView,
    edges: TableView,
    adjacency: AdjacencyView,
    readOnly: boolean
  ) {
    this.#transaction = transaction
    this.#data = data
    this.#vertices = vertices
    this.#edges = edges
    this.#adjacency = adjacency
    this.#readOnly = readOnly
  }

  /** Estimate of what the transaction adds. */
  get bytes(): number {
    return this.#bytes
  }

  addVertex(label: string, id: unknown): Ref {
    this.#assertWritable(ELEMENT_BYTES)
    checkLabel(label)
    const data = this.#data
    const number = data.vertices.labels.intern(label)
    if (!this.#givenId(id, data.options.features.userSuppliedVertexIds, "vertex")) {
      return this.#addCounted(this.#vertices, number)
    }
    const converted = data.vertexIds.convert(id)
    if (this.#vertices.find(lookupKey(converted)) !== -1) {
      throw new ElementExists(`Vertex with id already exists: ${shown(converted)}`)
    }
    return this.#vertices.open().add(number, converted)
  }

  #addCounted(view: TableView, label: number): Ref {
    const { table } = view
    const random = table.idManager.random()
    const own = view.open()
    if (random !== undefined) return own.add(label, random)
    return own.addCounted(label, this.#data.nextNumber(table.idManager, table, own))
  }

  addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref {
    this.#assertWritable(ELEMENT_BYTES)
    checkLabel(label)
    const data = this.#data
    if (!this.#vertices.has(out) || !this.#vertices.has(into)) {
      throw new ElementNotFound(`An end of the new edge ${label} is not in the graph (any more).`)
    }
    const number = data.edges.labels.intern(label)
    let edge: Ref
    if (this.#givenId(id, data.options.features.userSuppliedEdgeIds, "edge")) {
      const converted = data.edgeIds.convert(id)
      if (this.#edges.find(lookupKey(converted)) !== -1) {
        throw new ElementExists(`Edge with id already exists: ${shown(converted)}`)
      }
      edge = this.#edges.open().add(number, converted)
    } else edge = this.#addCounted(this.#edges, number)
    this.#adjacency.open().add(out, into)
    return edge
  }

  setVertexProperty(
    ref: Ref,
    cardinality: EnumValue | null,
    key: string,
    value: unknown,
    id: unknown,
    meta: ReadonlyMap<string, unknown> | null
  ): VertexProperty {
    this.#assertWritable(PROPERTY_BYTES + valueBytes(value))
    checkKey(key)
    checkValue(key, value)
    this.#assertVertex(ref)
    const { features, defaultVertexPropertyCardinality } = this.#data.options
    const how = cardinality?.name ?? defaultVertexPropertyCardinality
    const vertex = new Vertex(this.#transaction, ref)
    if ((value === null || value === undefined) && !features.nullPropertyValues) {
      // As in TinkerGraph: null takes a SINGLE property away, and adds nothing to the others.
      if (how === Cardinality.single.name && this.#vertices.state(key, ref) !== undefined) {
        const change = this.#vertices.openChange(key, ref)
        change.state = undefined
        change.replaced = true
      }
      return new VertexProperty(vertex, null, key, null, null)
    }
    const given = this.#givenId(id, features.userSuppliedVertexPropertyIds, "vertex property")
    const change = this.#vertices.openChange(key, ref)
    const metaWith = (before: ReadonlyMap<string, unknown> | null) =>
      meta === null ? before : mergedMeta(before, meta, features.nullPropertyValues)
    if (how === Cardinality.set.name) {
      change.distinct = true
      const equal = entryWithValue(change.state, value)
      if (equal !== undefined) {
        const kept = new Entry(equal.id, equal.value, metaWith(equal.meta))
        if (kept.meta !== equal.meta) change.state = replaceEntry(change.state, equal.id, kept)
        return handle(vertex, key, kept)
      }
    }
    const entry = new Entry(this.#propertyId(id, given), value ?? null, metaWith(null))
    if (how === Cardinality.single.name) {
      change.state = entry
      change.replaced = true
    } else {
      if (change.state instanceof Entries && change.state.length >= MOST_VALUES) {
        throw new UnsupportedValue(
          `A vertex has at most ${MOST_VALUES} values under one key, and ${key} has so many. Keep them in vertices of their own.`
        )
      }
      change.state = withEntry(change, entry)
    }
    return handle(vertex, key, entry)
  }

  #propertyId(id: unknown, given: boolean): unknown {
    const data = this.#data
    const { propertyIds } = data
    if (!given) return propertyIds.random() ?? propertyIds.restore(data.nextNumber(propertyIds, null, null))
    const converted = data.propertyIds.convert(id)
    data.givePropertyId(converted)
    return converted
  }

  setMetaProperty(property: VertexProperty, key: string, value: unknown): VertexProperty {
    this.#assertWritable(PROPERTY_BYTES + valueBytes(value))
    const changed = this.#changeMeta(property, (meta) =>
      mergedMeta(meta, [[key, value]], this.#data.options.features.nullPropertyValues)
    )
    if (changed === undefined) {
      throw new ElementNotFound(`The property ${property.key} (id ${shown(property.id)}) is not in the graph.`)
    }
    return changed
  }

  /** The property with other meta-properties, or undefined when it is not there. */
  #changeMeta(
    property: VertexProperty,
    change: (meta: ReadonlyMap<string, unknown> | null) => ReadonlyMap<string, unknown> | null
  ): VertexProperty | undefined {
    const ref = property.vertex === null ? -1 : this.#transaction.refOfVertex(property.vertex)
    const entry = this.#vertices.has(ref) ? this.#entry(ref, property) : undefined
    if (entry === undefined) return undefined
    const changed = new Entry(entry.id, entry.value, change(entry.meta))
    const open = this.#vertices.openChange(property.key, ref)
    open.state = replaceEntry(open.state, entry.id, changed)
    return handle(new Vertex(this.#transaction, ref), property.key, changed)
  }

  #entry(ref: Ref, property: VertexProperty): Entry | undefined {
    return this.#vertices.state(property.key, ref)?.entries.find((entry) => sameId(entry.id, property.id))
  }

  setEdgeProperty(ref: Ref, key: string, value: unknown): Property {
    this.#assertWritable(PROPERTY_BYTES + valueBytes(value))
    checkKey(key)
    checkValue(key, value)
    if (!this.#edges.has(ref)) throw new ElementNotFound(`The edge that gets the property ${key} was removed.`)
    const edge = new Edge(this.#transaction, ref)
    const absent = (value === null || value === undefined) && !this.#data.options.features.nullPropertyValues
    if (absent && this.#edges.state(key, ref) === undefined) return new Property(edge, key, null)
    const change = this.#edges.openChange(key, ref)
    change.state = absent ? undefined : new Entry(undefined, value ?? null, null)
    change.replaced = true
    return new Property(edge, key, value ?? null)
  }

  removeVertex(ref: Ref): void {
    runWhole(this.removeVertexTask(ref, new TimeSlice()))
  }

  /** {@link removeVertex} as a task, for a vertex that may have very many edges. */
  *removeVertexTask(ref: Ref, slice: TimeSlice): Task {
    this.#assertWritable(0)
    if (!this.#vertices.has(ref)) return
    const column = Int32Array.of(ref)
    const cursor = { row: 0, offset: 0 }
    const out = { rows: new Int32Array(64), refs: new Int32Array(64), length: 0 }
    for (let done = false; !done; out.length = 0) {
      done = this.#adjacency.expand(true, column, 1, "BOTH", null, cursor, EDGES_AT_ONCE, out)
      for (let i = 0; i < out.length; i++) this.removeEdge(out.refs[i]!)
      if (!done && slice.isOverNow()) yield
    }
    this.#vertices.open().remove(ref, this.#vertices.labelNumber(ref))
  }

  removeEdge(ref: Ref): void {
    this.#assertWritable(0)
    if (!this.#edges.has(ref)) return
    this.#edges.open().remove(ref, this.#edges.labelNumber(ref))
  }

  removeVertexProperty(property: VertexProperty): void {
    this.#assertWritable(0)
    const ref = property.vertex === null ? -1 : this.#transaction.refOfVertex(property.vertex)
    if (!this.#vertices.has(ref) || this.#entry(ref, property) === undefined) return
    const change = this.#vertices.openChange(property.key, ref)
    change.state = replaceEntry(change.state, property.id, undefined)
  }

  removeProperty(property: Property): void {
    this.#assertWritable(0)
    const { element, key } = property
    if (element instanceof VertexProperty) {
      this.#changeMeta(element, (meta) => mergedMeta(meta, [[key, null]], false))
    } else if (element !== null) {
      const ref = this.#transaction.refOfEdge(element)
      if (!this.#edges.has(ref) || this.#edges.state(key, ref) === undefined) return
      const change = this.#edges.openChange(key, ref)
      change.state = undefined
      change.replaced = true
    }
  }

  #assertVertex(ref: Ref): void {
    if (!this.#vertices.has(ref)) throw new ElementNotFound("The vertex that gets a property was removed.")
  }

  /** True when the client gave an id; throws when the graph does not take it. */
  #givenId(id: unknown, allowed: boolean, what: string): boolean {
    if (id === undefined || id === null) return false
    if (allowed) return true
    throw new UnsupportedValue(
      `The graph ${this.#data.options.name} makes the id of each ${what} itself: leave the id out, or keep your own id in a property.`
    )
  }

  /** Also adds to the estimate of what the transaction writes. */
  #assertWritable(bytes: number): void {
    this.#vertices.assertOpen()
    this.#data.assertTakesWrites()
    if (this.#readOnly) throw new ReadOnlyTransaction("This transaction only reads; write in another one.")
    this.#bytes += bytes
    if (bytes > 0) this.assertRoom()
  }

  /** Throws MemoryLimitExceeded when what the transaction adds does not fit. */
  assertRoom(): void {
    if (this.#bytes === 0) return
    const { maxBytes, name } = this.#data.options
    if (maxBytes !== undefined && this.#data.meter.used + this.#bytes > maxBytes) {
      throw new MemoryLimitExceeded(name, maxBytes)
    }
    if (!heapRoom.hasRoomFor(this.#bytes)) throw new MemoryLimitExceeded(name, undefined)
  }
}

/** A property as programs outside see it. */
export const handle = (vertex: Vertex, key: string, entry: Entry): VertexProperty =>
  new VertexProperty(vertex, entry.id, key, entry.value, entry.meta)
