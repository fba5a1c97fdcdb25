/** The id of an element: as it is sent, so that it can be sent back, and as text. */
export interface ElementId {
  readonly raw: unknown
  readonly text: string
}

/** Tells elements of one kind apart: a vertex may have the number 1 as its id, and another one the text. */
export const idKeyOf = ({ raw, text }: ElementId): string =>
  `${typeof raw === "object" && raw !== null && "@type" in raw ? String(raw["@type"]) : typeof raw} ${text}`

/** The properties of a property: its meta-properties. */
export type MetaProperties = ReadonlyMap<string, Value>

/** Most properties have none. */
const NO_META: MetaProperties = new Map()

/** A value of a property of an element. */
export class PropertyValue {
  readonly value: Value
  /** Its type in GraphSON, such as `g:Double`; empty for a text, a boolean and null. */
  readonly type: string
  readonly meta: MetaProperties
  constructor(value: Value, type = "", meta = NO_META) {
    this.value = value
    this.type = type
    this.meta = meta
  }
}

/** The properties of an element by key. They are lists, because a key of a vertex may have several values. */
type Properties = ReadonlyMap<string, ReadonlyArray<PropertyValue>>

/** A vertex. */
export class Vertex {
  readonly id: ElementId
  readonly label: string
  readonly properties: Properties
  constructor(id: ElementId, label: string, properties: Properties) {
    this.id = id
    this.label = label
    this.properties = properties
  }
}

/** One end of an edge. */
interface EdgeEnd {
  readonly id: ElementId
  readonly label: string
}

/** An edge. */
export class Edge {
  readonly id: ElementId
  readonly label: string
  readonly from: EdgeEnd
  readonly to: EdgeEnd
  readonly properties: Properties
  constructor(id: ElementId, label: string, [from, to]: readonly [EdgeEnd, EdgeEnd], properties: Properties) {
    this.id = id
    this.label = label
    this.from = from
    this.to = to
    this.properties = properties
  }
}

/** A property of an element as a result. */
export class Property {
  readonly key: string
  readonly value: Value
  readonly meta: MetaProperties
  constructor(key: string, value: Value, meta = NO_META) {
    this.key = key
    this.value = value
    this.meta = meta
  }
}

/** A path. */
export class Path {
  readonly objects: ReadonlyArray<Value>
  constructor(objects: ReadonlyArray<Value>) {
    this.objects = objects
  }
}

/** A subgraph. */
export class Subgraph {
  readonly vertices: ReadonlyArray<Vertex>
  readonly edges: ReadonlyArray<Edge>
  constructor(vertices: ReadonlyArray<Vertex>, edges: ReadonlyArray<Edge>) {
    this.vertices = vertices
    this.edges = edges
  }
}

/** Entries of a map in which a search is as quick as an index. */
const FEW_ENTRIES = 8

/** A map. Its keys may be of any type. */
export class Mapping {
  readonly entries: ReadonlyArray<readonly [Value, Value]>
  #cells: ReadonlyMap<string, Value> | undefined
  constructor(entries: ReadonlyArray<readonly [Value, Value]>) {
    this.entries = entries
  }
  /** The value of a key that is a text. */
  get(key: string): Value | undefined {
    return this.entries.find(([name]) => name === key)?.[1]
  }
  /** The value of the first key of a column. */
  cell(column: string): Value | undefined {
    if (this.entries.length <= FEW_ENTRIES) return this.entries.find(([key]) => columnOf(key) === column)?.[1]
    this.#cells ??= new Map(this.entries.toReversed().map(([key, value]) => [columnOf(key), value]))
    return this.#cells.get(column)
  }
}

/** A value of a type that the console only shows: a profile, a duration, a shape. */
export class Other {
  readonly type: string
  readonly value: Value
  constructor(type: string, value: Value) {
    this.type = type
    this.value = value
  }
}

/** A result, or a part of one. */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Vertex
  | Edge
  | Property
  | Path
  | Subgraph
  | Mapping
  | Other
  | ReadonlyArray<Value>

const listed = (items: ReadonlyArray<Value>): string => items.map((item) => textOf(item)).join(", ")

const pairs = (map: Iterable<readonly [string, Value]>): string =>
  Array.from(map, ([key, value]) => `${key}: ${textOf(value)}`).join(", ")

/** A value with its meta-properties. */
const withMeta = (value: Value, meta: MetaProperties): string =>
  meta.size === 0 ? textOf(value) : `${textOf(value)} {${pairs(meta)}}`

const propertiesOf = (properties: Properties): string =>
  [...properties]
    .map(([key, values]) => `${key}: ${values.map(({ meta, value }) => withMeta(value, meta)).join(", ")}`)
    .join(", ")

/** A value as one line of text. */
export const textOf = (value: Value): string => {
  if (value === null) return "null"
  if (typeof value !== "object") return String(value)
  if (value instanceof Vertex) return `v[${value.id.text}] ${value.label} {${propertiesOf(value.properties)}}`
  if (value instanceof Edge) return `e[${value.id.text}] ${value.from.id.text} -${value.label}-> ${value.to.id.text}`
  if (value instanceof Property) return `${value.key}: ${withMeta(value.value, value.meta)}`
  if (value instanceof Path) return value.objects.map((object) => shortOf(object)).join(" > ")
  if (value instanceof Subgraph) return `${value.vertices.length} vertices, ${value.edges.length} edges`
  if (value instanceof Mapping) {
    return `{${value.entries.map(([key, item]) => `${shortOf(key)}: ${textOf(item)}`).join(", ")}}`
  }
  if (value instanceof Other) return textOf(value.value)
  return `[${listed(value)}]`
}

/** A value as a short text: an element without its properties. */
export const shortOf = (value: Value): string => {
  if (value instanceof Vertex) return `v[${value.id.text}]`
  if (value instanceof Edge) return value.label
  return textOf(value)
}

/** The column of a key of a map: the keys 1 and "1" have the same text. */
export const columnOf = (key: Value): string => `${typeof key} ${shortOf(key)}`

const plainValue = ({ meta, value }: { readonly value: Value; readonly meta: MetaProperties }): unknown =>
  meta.size === 0
    ? plainOf(value)
    : { value: plainOf(value), properties: Object.fromEntries(Array.from(meta, ([key, item]) => [key, plainOf(item)])) }

const plainProperties = (properties: Properties): Record<string, unknown> =>
  Object.fromEntries(
    Array.from(properties, ([key, values]) => {
      const [only] = values
      return [key, values.length === 1 && only !== undefined ? plainValue(only) : values.map(plainValue)]
    })
  )

/** A map as an object, or as a list of its entries if keys have the same text. */
const plainMap = ({ entries }: Mapping): unknown => {
  const names = new Set(entries.map(([key]) => shortOf(key)))
  return names.size === entries.length
    ? Object.fromEntries(entries.map(([key, item]) => [shortOf(key), plainOf(item)]))
    : entries.map(([key, item]) => ({ key: plainOf(key), value: plainOf(item) }))
}

/** A value as plain data, which `writeJson` writes. */
export const plainOf = (value: Value): unknown => {
  if (value === null || typeof value !== "object") return value
  if (value instanceof Vertex) {
    return { id: value.id.text, label: value.label, properties: plainProperties(value.properties) }
  }
  if (value instanceof Edge) {
    const { from, id, label, properties, to } = value
    return { id: id.text, label, from: from.id.text, to: to.id.text, properties: plainProperties(properties) }
  }
  if (value instanceof Property) return { [value.key]: plainValue(value) }
  if (value instanceof Path) return value.objects.map(plainOf)
  if (value instanceof Subgraph) return { vertices: value.vertices.map(plainOf), edges: value.edges.map(plainOf) }
  if (value instanceof Mapping) return plainMap(value)
  if (value instanceof Other) return plainOf(value.value)
  return value.map(plainOf)
}
