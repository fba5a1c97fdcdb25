import { Edge, Property, type Ref, Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import { ElementNotFound, UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { VertexPropertyOptions } from "../../structure/graph/GraphWrites.ts"
import { Cardinality, type EnumValue } from "../../structure/scalars/Enums.ts"
import { shown } from "../shared/IdManager.ts"
import { Entries, Entry } from "../shared/Properties.ts"
import {
  checkKey,
  checkValue,
  entryWithValue,
  mergedMeta,
  replaceEntry,
  sameId,
  withEntry
} from "../shared/PropertyWrites.ts"
import { valueBytes } from "./Growth.ts"
import type { Change } from "./Overlay.ts"
import type { WriteContext } from "./WriteContext.ts"

/** Estimated bytes of a new property besides its value, for the memory limit. */
const PROPERTY_BYTES = 60

/** Maximum number of values of a vertex under one key. A read of the key returns all of them together. */
const MAX_VALUES_OF_KEY = 32_768

/** Meta-properties of a vertex property; null = none. */
type Meta = ReadonlyMap<string, unknown> | null

/** Sets and removes the properties of one transaction. They are the own changes of its views until the commit. */
export class PropertyWriter {
  readonly #context: WriteContext

  constructor(context: WriteContext) {
    this.#context = context
  }

  /** Begins to write a property, and returns the bytes that count for it. */
  #begin(key: string, value: unknown): number {
    const bytes = PROPERTY_BYTES + valueBytes(value)
    this.#context.begin(bytes)
    checkKey(key)
    checkValue(key, value)
    return bytes
  }

  /** Sets the whole state of a change, as SINGLE cardinality does. The values that it replaces no longer count. */
  #setState(change: Change, state: Entry | undefined, bytes: number): void {
    this.#context.views.vertices.journal.uncount(change.bytes)
    change.bytes = bytes
    change.state = state
    change.replaced = true
  }

  /** True for a null value, which removes a property, in a graph that keeps no nulls. */
  #isAbsent(value: unknown): boolean {
    return (value === null || value === undefined) && !this.#context.data.options.features.nullPropertyValues
  }

  /** See `GraphWrites.setVertexProperty`. */
  setVertexProperty(
    ref: Ref,
    cardinality: EnumValue | null,
    key: string,
    value: unknown,
    options: VertexPropertyOptions | undefined
  ): VertexProperty {
    const bytes = this.#begin(key, value)
    const { data, transaction, views } = this.#context
    const { vertices } = views
    if (!vertices.has(ref)) throw new ElementNotFound("The vertex that gets a property was removed.")
    const { features, defaultVertexPropertyCardinality } = data.options
    const how = cardinality?.name ?? defaultVertexPropertyCardinality
    const vertex = new Vertex(transaction, ref)
    if (this.#isAbsent(value)) {
      // As in TinkerGraph: null takes a SINGLE property away, and adds nothing to the others.
      if (how === Cardinality.single.name && vertices.state(key, ref) !== undefined) {
        this.#setState(vertices.openChange(key, ref), undefined, 0)
      }
      return new VertexProperty(vertex, null, key, null, null)
    }
    const id = options?.id
    const isIdGiven = this.#context.isIdGiven(id, features.userSuppliedVertexPropertyIds, "vertex property")
    const meta = options?.meta ?? null
    const metaWith = (before: Meta): Meta =>
      meta === null ? before : mergedMeta(before, meta, features.nullPropertyValues)
    const change = vertices.openChange(key, ref)
    if (how === Cardinality.set.name) {
      change.distinct = true
      const equal = entryWithValue(change.state, value)
      if (equal !== undefined) {
        const kept = new Entry(equal.id, equal.value, metaWith(equal.meta))
        if (kept.meta !== equal.meta) change.state = replaceEntry(change.state, equal.id, kept)
        return handle(vertex, key, kept)
      }
    }
    const entry = new Entry(this.#propertyId(id, isIdGiven), value ?? null, metaWith(null))
    if (how === Cardinality.single.name) this.#setState(change, entry, bytes)
    else {
      addEntry(change, key, entry)
      change.bytes += bytes
    }
    return handle(vertex, key, entry)
  }

  #propertyId(id: unknown, isGiven: boolean): unknown {
    const { data } = this.#context
    const { propertyIds } = data
    if (!isGiven) return propertyIds.random() ?? propertyIds.restore(data.nextNumber(propertyIds, null, null))
    const converted = propertyIds.convert(id)
    data.givePropertyId(converted)
    return converted
  }

  /** See `GraphWrites.setMetaProperty`. */
  setMetaProperty(property: VertexProperty, key: string, value: unknown): VertexProperty {
    this.#context.begin(PROPERTY_BYTES + valueBytes(value))
    const { nullPropertyValues } = this.#context.data.options.features
    const changed = this.#changeMeta(property, (meta) => mergedMeta(meta, [[key, value]], nullPropertyValues))
    if (changed !== undefined) return changed
    throw new ElementNotFound(`The property ${property.key} (id ${shown(property.id)}) is not in the graph.`)
  }

  /** The property with other meta-properties; undefined when it does not exist. */
  #changeMeta(property: VertexProperty, change: (meta: Meta) => Meta): VertexProperty | undefined {
    const { transaction, views } = this.#context
    const ref = property.vertex === null ? -1 : transaction.refOfVertex(property.vertex)
    const entry = views.vertices.has(ref) ? this.#entry(ref, property) : undefined
    if (entry === undefined) return undefined
    const changed = new Entry(entry.id, entry.value, change(entry.meta))
    const open = views.vertices.openChange(property.key, ref)
    open.state = replaceEntry(open.state, entry.id, changed)
    return handle(new Vertex(transaction, ref), property.key, changed)
  }

  #entry(ref: Ref, property: VertexProperty): Entry | undefined {
    const state = this.#context.views.vertices.state(property.key, ref)
    return state?.entries.find((entry) => sameId(entry.id, property.id))
  }

  /** See `GraphWrites.setEdgeProperty`. */
  setEdgeProperty(ref: Ref, key: string, value: unknown): Property {
    const bytes = this.#begin(key, value)
    const { edges } = this.#context.views
    if (!edges.has(ref)) throw new ElementNotFound(`The edge that gets the property ${key} was removed.`)
    const edge = new Edge(this.#context.transaction, ref)
    const isAbsent = this.#isAbsent(value)
    if (isAbsent && edges.state(key, ref) === undefined) return new Property(null, key, null)
    const change = edges.openChange(key, ref)
    if (isAbsent) this.#setState(change, undefined, 0)
    else this.#setState(change, new Entry(undefined, value ?? null, null), bytes)
    return new Property(isAbsent ? null : edge, key, value ?? null)
  }

  /** Removes a vertex property. */
  removeVertexProperty(property: VertexProperty): void {
    this.#context.begin(0)
    const { transaction, views } = this.#context
    const ref = property.vertex === null ? -1 : transaction.refOfVertex(property.vertex)
    if (!views.vertices.has(ref) || this.#entry(ref, property) === undefined) return
    const change = views.vertices.openChange(property.key, ref)
    change.state = replaceEntry(change.state, property.id, undefined)
  }

  /** Removes a property of an edge, or a meta-property. */
  removeProperty({ element, key }: Property): void {
    this.#context.begin(0)
    const { transaction, views } = this.#context
    if (element instanceof VertexProperty) {
      this.#changeMeta(element, (meta) => mergedMeta(meta, [[key, null]], false))
    } else if (element !== null) {
      const ref = transaction.refOfEdge(element)
      if (!views.edges.has(ref) || views.edges.state(key, ref) === undefined) return
      this.#setState(views.edges.openChange(key, ref), undefined, 0)
    }
  }
}

/** Adds a property to the others under its key. Throws UnsupportedValue when these are as many as a vertex may have. */
const addEntry = (change: Change, key: string, entry: Entry): void => {
  if (change.state instanceof Entries && change.state.length >= MAX_VALUES_OF_KEY) {
    throw new UnsupportedValue(
      `A vertex has at most ${MAX_VALUES_OF_KEY} values under one key, and ${key} already has them. Store further values in separate vertices.`
    )
  }
  change.state = withEntry(change, entry)
}

/** A property as programs outside the store see it. */
export const handle = (vertex: Vertex, key: string, entry: Entry): VertexProperty =>
  new VertexProperty(vertex, entry.id, key, entry.value, entry.meta)
