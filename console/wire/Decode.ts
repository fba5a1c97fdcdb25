import {
  Edge,
  type ElementId,
  Mapping,
  type MetaProperties,
  Other,
  Path,
  Property,
  PropertyValue,
  Subgraph,
  textOf,
  type Value,
  Vertex
} from "./Values.ts"

interface Typed {
  readonly "@type": string
  readonly "@value": unknown
}

/** Whether JSON is a value with its type in GraphSON. */
export const isTyped = (json: unknown): json is Typed => typeof json === "object" && json !== null && "@type" in json

const record = (json: unknown): Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null ? (json as Readonly<Record<string, unknown>>) : {}

const list = (json: unknown): ReadonlyArray<unknown> => {
  const items = isTyped(json) ? json["@value"] : json
  return Array.isArray(items) ? items : []
}

const idOf = (raw: unknown): ElementId => {
  const relation = record(record(raw)["@value"]).relationId
  return { raw, text: typeof relation === "string" ? relation : textOf(decode(raw)) }
}

const vertexOf = (json: unknown): Vertex => {
  const { id, label, properties } = record(isTyped(json) ? json["@value"] : json)
  const decoded = Object.entries(record(properties)).map(
    ([key, values]) => [key, list(values).map((value) => propertyValue(value))] as const
  )
  return new Vertex(idOf(id), String(label ?? "vertex"), new Map(decoded))
}

const metaOf = (properties: unknown): MetaProperties | undefined =>
  properties === undefined
    ? undefined
    : new Map(Object.entries(record(properties)).map(([key, value]) => [key, decode(value)]))

const propertyValue = (json: unknown): PropertyValue => {
  const { properties, value = null } = record(isTyped(json) ? json["@value"] : json)
  return new PropertyValue(decode(value), isTyped(value) ? value["@type"] : "", metaOf(properties))
}

const edgeOf = (json: unknown): Edge => {
  const { id, inV, inVLabel, label, outV, outVLabel, properties } = record(isTyped(json) ? json["@value"] : json)
  const decoded = Object.entries(record(properties)).map(([key, value]) => [key, [propertyValue(value)]] as const)
  const from = { id: idOf(outV), label: String(outVLabel ?? "vertex") }
  const to = { id: idOf(inV), label: String(inVLabel ?? "vertex") }
  return new Edge(idOf(id), String(label), [from, to], new Map(decoded))
}

const mappingOf = (flat: ReadonlyArray<unknown>): Mapping => {
  const entries: Array<readonly [Value, Value]> = []
  for (let at = 0; at + 1 < flat.length; at += 2) entries.push([decode(flat[at]), decode(flat[at + 1])])
  return new Mapping(entries)
}

/** Values of a bulk set that are listed one by one. */
const MAX_REPEATED_VALUES = 10_000

/** A bulk set: values and how often each occurs. One with very many values is shown as a map of the values and their counts. */
const repeated = (flat: ReadonlyArray<unknown>): Value => {
  const { entries } = mappingOf(flat)
  const total = entries.reduce((sum, [, count]) => sum + Number(count), 0)
  if (!(total <= MAX_REPEATED_VALUES)) return new Other("g:BulkSet", new Mapping(entries))
  const items: Array<Value> = []
  for (const [value, count] of entries) for (let left = Number(count); left > 0; left--) items.push(value)
  return items
}

const integerOf = (value: unknown): Value =>
  typeof value === "bigint" && value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : (value as Value)

const dateOf = (value: unknown): Value => {
  const date = new Date(Number(value))
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString()
}

const doubleOf = (value: unknown): Value => (typeof value === "bigint" ? Number(value) : (value as Value))

const decoders: Readonly<Record<string, (value: unknown) => Value>> = {
  "g:Double": doubleOf,
  "g:Float": doubleOf,
  "g:Int64": integerOf,
  "g:List": (value) => list(value).map(decode),
  "g:Set": (value) => list(value).map(decode),
  "g:BulkSet": (value) => repeated(list(value)),
  "g:Map": (value) => mappingOf(list(value)),
  "g:Vertex": vertexOf,
  "g:Edge": edgeOf,
  "g:VertexProperty": (value) => {
    const { label, properties, value: own } = record(value)
    return new Property(String(label), decode(own), metaOf(properties))
  },
  "g:Property": (value) => new Property(String(record(value).key), decode(record(value).value)),
  "g:Path": (value) => new Path(list(record(value).objects).map(decode)),
  "g:Tree": (value) => new Other("g:Tree", list(value).map(treeEntry)),
  "g:TinkerGraph": (value) =>
    new Subgraph(list(record(value).vertices).map(vertexOf), list(record(value).edges).map(edgeOf)),
  "g:Date": dateOf,
  "g:Timestamp": dateOf
}

const treeEntry = (json: unknown): Value => [decode(record(json).key), decode(record(json).value)]

/** Reads a value of GraphSON 3. A type that the console does not know is shown as it is. */
export const decode = (json: unknown): Value => {
  if (json === null || json === undefined) return null
  if (json instanceof Double) return json.value
  if (Array.isArray(json)) return json.map(decode)
  if (!isTyped(json)) {
    return typeof json === "object"
      ? new Mapping(Object.entries(json).map(([key, item]) => [key, decode(item)]))
      : (json as Value)
  }
  const decoder = decoders[json["@type"]]
  if (decoder !== undefined) return decoder(json["@value"])
  const value = decode(json["@value"])
  return typeof value === "object" && value !== null ? new Other(json["@type"], value) : value
}

/** Longer integers lose digits as a number of JavaScript. */
const LONG_INTEGER = /(?:^|[:,[])\s*-?\d{16,}\s*(?:$|[,}\]])/

/** Texts and numbers of JSON. A number inside of a text is part of the text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Stands before the digits of an integer in a text. A new one for each use: no text of a client begins with it. */
const newMark = (): string => `${Math.random()}${Math.random()}:`

/** Parses JSON. Integers beyond the safe range become bigint. */
export const parseJson = (text: string): unknown => {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text)
  const mark = newMark()
  const marked = text.replace(TOKENS, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token
  )
  return JSON.parse(marked, (_key, value) =>
    typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value
  )
}

/** A number that is written with a point or an exponent: a Double, also if it is whole. */
class Double {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** A number of JSON with a point or an exponent, or a text that may contain one. */
const MAYBE_DOUBLES = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)/g

/**
 * Parses JSON that a user wrote, for {@link typed}: `1.0` and `1e20` stay Doubles there. A number that has its type in GraphSON stays as it
 * is.
 */
export const parseWritten = (text: string): unknown => {
  const plain = parseJson(text)
  if (!/\d[.eE]/.test(text)) return plain
  const mark = newMark()
  const marked = text.replace(MAYBE_DOUBLES, (token) => (token.startsWith('"') ? token : `"${mark}${token}"`))
  const withDoubles = (json: unknown, key = ""): unknown => {
    if (typeof json === "string" && json.startsWith(mark)) {
      const number = Number(json.slice(mark.length))
      return key === "@value" ? number : new Double(number)
    }
    if (Array.isArray(json)) return json.map((item) => withDoubles(item))
    if (typeof json !== "object" || json === null) return json
    return Object.fromEntries(Object.entries(json).map(([name, item]) => [name, withDoubles(item, name)]))
  }
  return withDoubles(parseJson(marked))
}

/** Spaces of a level in JSON for people. */
export const JSON_INDENT = 2

/** Writes JSON. A bigint is written as a number, with all its digits. */
export const writeJson = (value: unknown, indent?: number): string => {
  const mark = newMark()
  let isMarked = false
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => {
      if (item instanceof Double) return item.value
      if (typeof item !== "bigint") return item
      isMarked = true
      return `${mark}${item}`
    },
    indent
  )
  return isMarked ? text.replaceAll(new RegExp(`"${mark.replaceAll(".", "\\.")}(-?\\d+)"`, "g"), "$1") : text
}

const MAX_INT32 = 0x7fff_ffff
const MAX_INT64 = 0x7fff_ffff_ffff_ffffn

/** A value in GraphSON, with the type that holds it. A value that has a type stays as it is. */
export const typed = (value: unknown): unknown => {
  if (typeof value === "bigint") {
    const isLong = value <= MAX_INT64 && value >= -MAX_INT64 - 1n
    return { "@type": isLong ? "g:Int64" : "gx:BigInteger", "@value": value }
  }
  if (typeof value === "number") {
    // A longer integer is a bigint: this number was a Double.
    if (!Number.isSafeInteger(value)) return { "@type": "g:Double", "@value": value }
    return { "@type": Math.abs(value) > MAX_INT32 ? "g:Int64" : "g:Int32", "@value": value }
  }
  if (value instanceof Double) {
    // JSON has no infinity.
    return { "@type": "g:Double", "@value": Number.isFinite(value.value) ? value.value : String(value.value) }
  }
  if (Array.isArray(value)) return { "@type": "g:List", "@value": value.map(typed) }
  if (typeof value === "object" && value !== null) {
    if ("@type" in value) return value
    return { "@type": "g:Map", "@value": Object.entries(value).flatMap(([key, item]) => [key, typed(item)]) }
  }
  return value
}
