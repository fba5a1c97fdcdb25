import * as V from "./Value.ts"
import { type Json, JsonNumber, parseJson } from "./wire/Json.ts"

/** A parsed value of a feature file, before the look-up of its elements. */
export type Notation =
  | { readonly kind: "value"; readonly value: V.Value }
  | { readonly kind: "list" | "set" | "path"; readonly items: ReadonlyArray<Notation> }
  | { readonly kind: "map"; readonly entries: ReadonlyArray<readonly [Notation, Notation]> }
  | { readonly kind: "vertex"; readonly name: string; readonly part: ElementPart }
  | { readonly kind: "edge"; readonly edge: EdgeName; readonly part: ElementPart }
  | { readonly kind: "vertexProperty"; readonly vertex: string; readonly key: string; readonly value: Notation }

/** The named part of an element: the element, its id (`v[marko].id`), or its id as a string (`v[marko].sid`). */
export type ElementPart = "self" | "id" | "sid"

/** `marko-knows->josh`: an edge by the names of its vertices. */
export interface EdgeName {
  readonly out: string
  readonly label: string
  readonly in: string
}

/** Finds the elements that notations name. */
export interface Elements {
  readonly vertex: (name: string) => Promise<V.VertexValue>
  readonly edge: (edge: EdgeName) => Promise<V.EdgeValue>
  readonly vertexProperty: (vertex: string, key: string, value: V.Value) => Promise<V.VertexPropertyValue>
}

const value = (it: V.Value): Notation => ({ kind: "value", value: it })

/** Splits a text at the commas outside all brackets. */
const splitItems = (text: string): ReadonlyArray<string> => {
  const items: Array<string> = []
  let depth = 0
  let start = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!
    if ("[{(".includes(character)) depth++
    else if ("]})".includes(character)) depth--
    else if (character === "," && depth === 0) {
      items.push(text.slice(start, index))
      start = index + 1
    }
  }
  items.push(text.slice(start))
  return items.map((item) => item.trim())
}

const fromJson = (json: Json): Notation => {
  if (json === null) return value(V.nullValue)
  if (typeof json === "boolean") return value(V.boolean(json))
  if (typeof json === "string") return parseNotation(json)
  if (json instanceof JsonNumber) {
    if (/[.eE]/.test(json.text)) return value(V.double(Number(json.text)))
    const integer = BigInt(json.text)
    return value(integer === BigInt.asIntN(32, integer) ? V.int(integer) : V.long(integer))
  }
  if (json instanceof Map) {
    return { kind: "map", entries: [...json].map(([key, item]) => [parseNotation(key), fromJson(item)] as const) }
  }
  return { kind: "list", items: (json as ReadonlyArray<Json>).map(fromJson) }
}

const integerKinds = { b: "byte", s: "short", i: "int", l: "long", n: "bigInteger" } as const

const parseNumber = (text: string, suffix: string): V.Value => {
  const wrong = (): never => {
    throw new Error(`not a number of the notation: d[${text}]${suffix === "" ? "" : `.${suffix}`}`)
  }
  if (suffix === "") {
    return /^(NaN|-?Infinity)$/.test(text) ? V.double(Number(text)) : wrong()
  }
  if (suffix === "m") return V.parseBigDecimal(text) ?? wrong()
  if (suffix === "d" || suffix === "f") {
    const number = text.trim() === "" ? Number.NaN : Number(text)
    if (Number.isNaN(number)) return wrong()
    return suffix === "d" ? V.double(number) : { kind: "float", value: Math.fround(number) }
  }
  const kind = integerKinds[suffix as keyof typeof integerKinds]
  return kind !== undefined && /^-?\d+$/.test(text) ? { kind, value: BigInt(text) } : wrong()
}

const parseEdgeName = (text: string): readonly [string, string, string] => {
  const match = /^(.+)-(.+)->(.+)$/s.exec(text)
  if (match === null) throw new Error(`not an edge or vertex property of the notation: ${text}`)
  return [match[1]!, match[2]!, match[3]!]
}

const elementPart = (suffix: string, text: string): ElementPart => {
  if (suffix === "") return "self"
  if (suffix === "id" || suffix === "sid") return suffix
  throw new Error(`not an element of the notation: ${text}`)
}

const direction = (name: string): string => (name === "from" ? "OUT" : name === "to" ? "IN" : name)

/**
 * Parses the notation of TinkerPop's Gherkin suite: `d[29].i`, `v[marko].id`, `l[a,b]`, `m[{"a":"d[1].l"}]` ...
 * Another text is a string. Throws an Error for an invalid number, date or element.
 */
export const parseNotation = (text: string): Notation => {
  if (text === "null") return value(V.nullValue)
  if (text === "true" || text === "false") return value(V.boolean(text === "true"))
  const match = /^(m|l|s|str|vp|p|d|dt|uuid|v|e|t|D|M)\[(.*)\](?:\.([a-z]+))?$/s.exec(text)
  if (match === null) return value(V.string(text))
  const content = match[2]!
  const suffix = match[3] ?? ""
  switch (match[1]) {
    case "d":
      return value(parseNumber(content, suffix))
    case "v":
      return { kind: "vertex", name: content, part: elementPart(suffix, text) }
    case "e": {
      const [out, label, into] = parseEdgeName(content)
      return { kind: "edge", edge: { out, label, in: into }, part: elementPart(suffix, text) }
    }
  }
  if (suffix !== "") throw new Error(`not a value of the notation: ${text}`)
  switch (match[1]) {
    case "m":
      return fromJson(parseJson(content))
    case "l":
      return { kind: "list", items: content === "" ? [] : splitItems(content).map(parseNotation) }
    case "s":
      return { kind: "set", items: content === "" ? [] : splitItems(content).map(parseNotation) }
    case "p":
      return { kind: "path", items: content === "" ? [] : splitItems(content).map(parseNotation) }
    case "vp": {
      const [vertex, key, property] = parseEdgeName(content)
      return { kind: "vertexProperty", vertex, key, value: parseNotation(property) }
    }
    case "dt": {
      const dateTime = V.parseDateTime(content)
      if (dateTime === undefined) throw new Error(`not a date of the notation: ${text}`)
      return value(dateTime)
    }
    case "uuid":
      return value({ kind: "uuid", value: content })
    case "t":
      return value(V.enumValue("T", content))
    case "D":
      return value(V.enumValue("Direction", direction(content)))
    case "M":
      return value(V.enumValue("Merge", content))
    default:
      return value(V.string(content))
  }
}

const idOf = (id: V.Value, part: ElementPart): V.Value =>
  part === "id" ? id : V.string("value" in id ? String(id.value) : V.show(id))

/** Looks up the elements of a notation, and returns its value. */
export const resolve = async (notation: Notation, elements: Elements): Promise<V.Value> => {
  const all = async (items: ReadonlyArray<Notation>): Promise<ReadonlyArray<V.Value>> => {
    const values: Array<V.Value> = []
    for (const item of items) values.push(await resolve(item, elements))
    return values
  }
  switch (notation.kind) {
    case "value":
      return notation.value
    case "list":
    case "set":
      return { kind: notation.kind, items: await all(notation.items) }
    case "path":
      return { kind: "path", labels: [], objects: await all(notation.items) }
    case "map": {
      const entries: Array<readonly [V.Value, V.Value]> = []
      for (const [key, item] of notation.entries) {
        entries.push([await resolve(key, elements), await resolve(item, elements)])
      }
      return V.map(entries)
    }
    case "vertex": {
      const vertex = await elements.vertex(notation.name)
      return notation.part === "self" ? vertex : idOf(vertex.id, notation.part)
    }
    case "edge": {
      const edge = await elements.edge(notation.edge)
      return notation.part === "self" ? edge : idOf(edge.id, notation.part)
    }
    case "vertexProperty":
      return elements.vertexProperty(notation.vertex, notation.key, await resolve(notation.value, elements))
  }
}
