import {
  columnOf,
  Edge,
  Mapping,
  Property,
  type PropertyValue,
  shortOf,
  textOf,
  type Value,
  Vertex
} from "../wire/Values.ts"

/** A column of the table of results. */
export interface Column {
  /** Columns of several kinds may have one name: `from` is the first vertex of an edge, or a property. */
  readonly id: string
  readonly name: string
  readonly of: (value: Value) => Value | undefined
}

/** What a column reads from the values of a property: one cell, or a list if there are several. */
const read = (value: Value, key: string, of: (property: PropertyValue) => Value | undefined): Value | undefined => {
  if (!(value instanceof Vertex || value instanceof Edge)) return undefined
  const found = value.properties.get(key)?.map(of)
  if (found === undefined || found.every((cell) => cell === undefined)) return undefined
  return found.length === 1 ? found[0] : found.map((cell) => cell ?? null)
}

const propertyColumn = (key: string): Column => ({
  id: `property ${key}`,
  name: key,
  of: (value) => read(value, key, (property) => property.value)
})

/** A meta-property of a property. */
const metaColumn = (key: string, meta: string): Column => ({
  id: `meta ${key}\0${meta}`,
  name: `${key}.${meta}`,
  of: (value) => read(value, key, (property) => property.meta.get(meta))
})

/** A meta-property of a property that is itself a result. */
const ownMetaColumn = (meta: string): Column => ({
  id: `meta ${meta}`,
  name: meta,
  of: (value) => (value instanceof Property ? value.meta.get(meta) : undefined)
})

const ID: Column = {
  id: "id",
  name: "id",
  of: (value) => (value instanceof Vertex || value instanceof Edge ? value.id.text : undefined)
}
const LABEL: Column = {
  id: "label",
  name: "label",
  of: (value) => (value instanceof Vertex || value instanceof Edge ? value.label : undefined)
}
const FROM: Column = {
  id: "from",
  name: "from",
  of: (value) => (value instanceof Edge ? value.from.id.text : undefined)
}
const TO: Column = { id: "to", name: "to", of: (value) => (value instanceof Edge ? value.to.id.text : undefined) }
const VALUE: Column = {
  id: "value",
  name: "value",
  of: (value) =>
    value instanceof Vertex || value instanceof Edge || value instanceof Mapping || value instanceof Property
      ? undefined
      : value
}
const KEY: Column = { id: "key", name: "key", of: (value) => (value instanceof Property ? value.key : undefined) }
const PROPERTY: Column = {
  id: "property",
  name: "value",
  of: (value) => (value instanceof Property ? value.value : undefined)
}

/** Columns that a table shows, at most. */
export const MAX_SHOWN_COLUMNS = 60

/** Collects the columns of results that arrive over time. */
export class Columns {
  readonly #values: ReadonlyArray<Value>
  readonly #found = new Map<string, Column>()
  readonly #others = new Set<string>()
  #seen = 0

  readonly #most: number

  /** `most`: columns that are collected, at most. */
  constructor(values: ReadonlyArray<Value>, most = Number.POSITIVE_INFINITY) {
    this.#values = values
    this.#most = most
  }

  /** The columns of all values so far. */
  all(): ReadonlyArray<Column> {
    for (; this.#seen < this.#values.length; this.#seen++) this.#add(this.#values[this.#seen] ?? null)
    return [...this.#found.values()]
  }

  /** The number of columns that are not collected, because there are too many. */
  get left(): number {
    return this.#others.size
  }

  #add(value: Value): void {
    if (value instanceof Vertex) this.#addAll([ID, LABEL], value)
    else if (value instanceof Edge) this.#addAll([ID, LABEL, FROM, TO], value)
    else if (value instanceof Mapping) {
      for (const [key] of value.entries) this.#put(`map ${columnOf(key)}`, () => mapColumn(key))
    } else if (value instanceof Property) {
      for (const column of [KEY, PROPERTY]) this.#put(column.id, () => column)
      for (const meta of value.meta.keys()) this.#put(`meta ${meta}`, () => ownMetaColumn(meta))
    } else this.#put(VALUE.id, () => VALUE)
  }

  #addAll(fixed: ReadonlyArray<Column>, element: Vertex | Edge): void {
    for (const column of fixed) this.#put(column.id, () => column)
    for (const [key, values] of element.properties) {
      this.#put(`property ${key}`, () => propertyColumn(key))
      for (const { meta } of values)
        for (const own of meta.keys()) this.#put(`meta ${key}\0${own}`, () => metaColumn(key, own))
    }
  }

  #put(id: string, make: () => Column): void {
    if (this.#found.has(id)) return
    if (this.#found.size < this.#most) this.#found.set(id, make())
    else this.#others.add(id)
  }
}

const mapColumn = (key: Value): Column => {
  const column = columnOf(key)
  return {
    id: `map ${column}`,
    name: shortOf(key),
    of: (value) => (value instanceof Mapping ? value.cell(column) : undefined)
  }
}

const MAX_CELL_CHARS = 300

/** The text of a cell, shortened. */
export const cellText = (value: Value | undefined): string => {
  if (value === undefined) return ""
  const text = typeof value === "object" && value !== null ? textOf(value) : String(value)
  return text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS)}…` : text
}
