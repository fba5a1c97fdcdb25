import { type Ref, Vertex, VertexProperty } from "../../../../structure/elements/Element.ts"
import { ElementNotFound, UnsupportedValue } from "../../../../structure/errors/StoreErrors.ts"
import { Cardinality, type EnumValue } from "../../../../structure/scalars/Enums.ts"
import { shown } from "../../../shared/IdManager.ts"
import { Entry, type PropertyState } from "../../../shared/Properties.ts"
import { checkValue, entryWithValue, mergedMeta, replaceEntry, withEntry } from "../../../shared/PropertyWrites.ts"
import type { Id } from "../../format/Ids.ts"
import { EXPIRES, type PropertyKey } from "../../schema/Schema.ts"
import { typedValue } from "../../schema/TypeInference.ts"
import { checkClientKey } from "../../schema/TypeNames.ts"
import { propertyHandle, propertyId } from "../PropertyHandles.ts"
import type { WritingState } from "./WritingState.ts"

/** Writes the properties of vertices and their meta-properties in a transaction. */
export class VertexPropertyWrites {
  readonly #state: WritingState

  constructor(state: WritingState) {
    this.#state = state
  }

  /** Throws UnsupportedValue for a user-defined id of a vertex property. */
  assertNoId(id: unknown): void {
    if (id === undefined || id === null) return
    throw new UnsupportedValue(
      `The graph ${this.#state.options.name} assigns the id of each vertex property itself: leave the id out.`
    )
  }

  set(
    ref: Ref,
    cardinality: EnumValue | null,
    name: string,
    value: unknown,
    meta: ReadonlyMap<string, unknown> | null
  ): VertexProperty {
    checkClientKey(name)
    checkValue(name, value)
    if (!this.#state.reading.hasVertex(ref)) throw new ElementNotFound("The vertex that gets a property was removed.")
    const vertex = new Vertex(this.#state.source, ref)
    if (value === null || value === undefined) return this.#setNull(vertex, cardinality, name)
    const key = this.#state.typing.key(name, value, cardinality, this.#state.open())
    if (key === undefined) return new VertexProperty(vertex, null, name, value, null)
    const how = cardinality === null ? key.cardinality : cardinality.name.toUpperCase()
    if (how !== "SINGLE" && how !== key.cardinality) {
      throw new UnsupportedValue(
        `Key is defined for ${key.cardinality} cardinality which conflicts with specified: ${how.toLowerCase()} (key ${name})`
      )
    }
    this.#state.rules.checkChange(ref)
    this.#state.rules.checkProperty(ref, key)
    const typed = typedValue(key, value)
    const change = this.#state.change(ref, key)
    let known: Entry["meta"] = null
    if (how === "SET") {
      change.distinct = true
      const equal = entryWithValue(change.state, typed)
      if (equal !== undefined && this.#mayExpire(key, equal)) {
        // Setting an equal value restarts its TTL, or ends it.
        change.state = replaceEntry(change.state, equal.id, undefined)
        known = mergedMeta(equal.meta, [[EXPIRES, null]], false)
      } else if (equal !== undefined) {
        const kept = meta === null ? equal : new Entry(equal.id, equal.value, this.#countedMeta(equal.meta, meta))
        if (kept !== equal) change.state = replaceEntry(change.state, equal.id, kept)
        return this.#handle(ref, key, kept)
      }
    }
    const entry = new Entry(
      this.#state.ids.relation(),
      typed,
      this.#withExpiry(key, meta === null ? known : this.#meta(known, meta))
    )
    if (how === "SINGLE") {
      this.#state.uncount(change)
      change.state = entry
      change.replaced = true
    } else change.state = withEntry(change, entry)
    this.#state.countEntry(change, entry)
    return this.#handle(ref, key, entry)
  }

  /**
   * True when a property may have an expiry time, or would get one if it were written now. Over Cassandra a property does not tell its own:
   * it may have one if its key has a TTL, or had one. So an equal value of such a key is always written again, with a new id.
   */
  #mayExpire(key: PropertyKey, { meta }: Entry): boolean {
    if (this.#state.cellsExpire) return this.#state.reading.schema.mayExpire(key.id)
    return meta?.has(EXPIRES) === true || this.#state.rules.expiryOf(key.id) !== undefined
  }

  /** The meta-properties of a new property, with its expiry time if the key has a TTL. */
  #withExpiry(key: PropertyKey, meta: ReadonlyMap<string, unknown> | null): ReadonlyMap<string, unknown> | null {
    if (this.#state.reading.schema.expires === undefined) return meta
    const end = this.#state.rules.expiryOf(key.id)
    return end === undefined ? meta : new Map([...(meta ?? []), [EXPIRES, end]])
  }

  /** Setting null removes a SINGLE property, and does nothing for other cardinalities. */
  #setNull(vertex: Vertex, cardinality: EnumValue | null, name: string): VertexProperty {
    const key = this.#state.reading.schema.keys.get(name) ?? this.#state.reading.own?.newKeys.get(name)
    const single = cardinality === null ? key?.cardinality === "SINGLE" : cardinality === Cardinality.single
    if (key !== undefined && single && this.#state.reading.state(vertex.ref, name) !== undefined) {
      this.#state.rules.checkChange(vertex.ref)
      const change = this.#state.change(vertex.ref, key)
      this.#state.uncount(change)
      change.state = undefined
      change.replaced = true
    }
    return new VertexProperty(vertex, null, name, null, null)
  }

  /** Sets meta-properties. Values are converted to the types of their keys. */
  #meta(
    meta: ReadonlyMap<string, unknown> | null,
    more: Iterable<readonly [string, unknown]>
  ): ReadonlyMap<string, unknown> | null {
    const typed: Array<readonly [string, unknown]> = []
    for (const [name, value] of more) {
      checkClientKey(name)
      checkValue(name, value)
      if (value === null || value === undefined) typed.push([name, null])
      else {
        const key = this.#state.typing.key(name, value, null, this.#state.open())
        if (key !== undefined) typed.push([name, typedValue(key, value)])
      }
    }
    return mergedMeta(meta, typed, false)
  }

  /** Sets meta-properties of a property that the transaction has, and counts their memory. */
  #countedMeta(
    meta: ReadonlyMap<string, unknown> | null,
    more: ReadonlyMap<string, unknown> | ReadonlyArray<readonly [string, unknown]>
  ): ReadonlyMap<string, unknown> | null {
    for (const [, value] of more) this.#state.countValue(value)
    return this.#meta(meta, more)
  }

  /** Sets a meta-property. Throws ElementNotFound when the property does not exist. */
  setMeta(property: VertexProperty, name: string, value: unknown): VertexProperty {
    const changed = this.#changeMeta(property, (meta) => this.#countedMeta(meta, [[name, value]]))
    if (changed === undefined) {
      throw new ElementNotFound(`The property ${property.key} (id ${shown(property.id)}) is not in the graph.`)
    }
    return changed
  }

  /** Removes a meta-property, if the property exists. */
  removeMeta(property: VertexProperty, name: string): void {
    this.#changeMeta(property, (meta) => mergedMeta(meta, [[name, null]], false))
  }

  /** Changes the meta-properties of a property; undefined when the property does not exist. */
  #changeMeta(
    property: VertexProperty,
    change: (meta: ReadonlyMap<string, unknown> | null) => ReadonlyMap<string, unknown> | null
  ): VertexProperty | undefined {
    const found = this.#find(property)
    if (found === undefined) return undefined
    const { ref, key, entry } = found
    this.#state.rules.checkChange(ref)
    const changed = new Entry(entry.id, entry.value, change(entry.meta))
    const open = this.#state.change(ref, key)
    open.state = replaceEntry(open.state, entry.id, changed)
    return this.#handle(ref, key, changed)
  }

  /** Removes a property, if it exists. */
  remove(property: VertexProperty): void {
    const found = this.#find(property)
    if (found === undefined) return
    this.#state.rules.checkChange(found.ref)
    const change = this.#state.change(found.ref, found.key)
    change.state = replaceEntry(change.state, found.entry.id, undefined)
    if (change.state === undefined) this.#state.uncount(change)
  }

  #find(property: VertexProperty): { ref: Ref; key: PropertyKey; entry: Entry } | undefined {
    const reading = this.#state.reading
    const ref = this.#refOf(property)
    const key = reading.schema.keys.get(property.key) ?? reading.own?.newKeys.get(property.key)
    if (ref === -1 || key === undefined || !reading.hasVertex(ref)) return undefined
    const state: PropertyState | undefined = reading.state(ref, property.key)
    const entry = state?.entries.find(({ id }) => propertyId(reading, ref, key, id as Id) === property.id)
    return entry === undefined ? undefined : { ref, key, entry }
  }

  #refOf({ vertex }: VertexProperty): Ref {
    if (vertex === null) return -1
    return vertex.source === this.#state.source ? vertex.ref : this.#state.reading.vertexRef(vertex.id)
  }

  #handle(ref: Ref, key: PropertyKey, entry: Entry): VertexProperty {
    return propertyHandle(this.#state.source, this.#state.reading, ref, key, entry)
  }
}
