import { Edge, Mapping, Property, shortOf, textOf, type Value, Vertex } from "../wire/Values.ts"

/** A column of the table of results. */
export interface Column {
  readonly name: string
  readonly of: (value: Value) => Value | undefined
}

const one = (values: ReadonlyArray<Value> | undefined): Value | undefined =>
  values === undefined ? undefined : values.length === 1 ? values[0] : values

const propertyColumn = (name: string): Column => ({
  name,
  of: (value) => (value instanceof Vertex || value instanceof Edge ? one(value.properties.get(name)) : undefined)
})

const ID: Column = {
  name: "id",
  of: (value) => (value instanceof Vertex || value instanceof Edge ? value.id.text : undefined)
}
const LABEL: Column = {
  name: "label",
  of: (value) => (value instanceof Vertex || value instanceof Edge ? value.label : undefined)
}
const FROM: Column = { name: "from", of: (value) => (value instanceof Edge ? value.from.id.text : undefined) }
const TO: Column = { name: "to", of: (value) => (value instanceof Edge ? value.to.id.text : undefined) }
const VALUE: Column = {
  name: "value",
  of: (value) => (value instanceof Vertex || value instanceof Edge || value instanceof Mapping ? undefined : value)
}
const KEY: Column = { name: "key", of: (value) => (value instanceof Property ? value.key : undefined) }
const PROPERTY: Column = { name: "value", of: (value) => (value instanceof Property ? value.value : undefined) }

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
    if (value instanceof Vertex) this.#addAll("element", [ID, LABEL], value)
    else if (value instanceof Edge) this.#addAll("edge", [ID, LABEL, FROM, TO], value)
    else if (value instanceof Mapping) {
      for (const [key] of value.entries) this.#put(`map ${shortOf(key)}`, () => mapColumn(shortOf(key)))
    } else if (value instanceof Property) {
      this.#put("key", () => KEY)
      this.#put("property", () => PROPERTY)
    } else this.#put("value", () => VALUE)
  }

  #addAll(_kind: string, fixed: ReadonlyArray<Column>, element: Vertex | Edge): void {
    for (const column of fixed) this.#put(column.name, () => column)
    for (const key of element.properties.keys()) this.#put(`property ${key}`, () => propertyColumn(key))
  }

  #put(name: string, make: () => Column): void {
    if (this.#found.has(name)) return
    if (this.#found.size < this.#most) this.#found.set(name, make())
    else this.#others.add(name)
  }
}

const mapColumn = (name: string): Column => ({
  name,
  of: (value) => (value instanceof Mapping ? value.cell(name) : undefined)
})

const MAX_CELL_CHARS = 300

/** The text of a cell, shortened. */
export const cellText = (value: Value | undefined): string => {
  if (value === undefined) return ""
  const text = typeof value === "object" && value !== null ? textOf(value) : String(value)
  return text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS)}…` : text
}
