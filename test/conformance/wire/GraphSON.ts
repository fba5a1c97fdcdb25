import {
  type EdgeValue,
  nullValue,
  parseBigDecimal,
  parseDateTime,
  type TreeValue,
  type Value,
  type VertexPropertyValue,
  type VertexValue
} from "../Value.ts"
import type { Answer } from "./Answer.ts"
import { type Json, JsonNumber, parseJson } from "./Json.ts"

type JsonObject = ReadonlyMap<string, Json>

const wrong = (what: string, json: Json): never => {
  throw new Error(`GraphSON 3: ${what}: ${describe(json)}`)
}

const describe = (json: Json): string =>
  JSON.stringify(json, (_, item) =>
    item instanceof Map ? Object.fromEntries(item) : item instanceof JsonNumber ? item.text : item
  ).slice(0, 200)

const object = (json: Json | undefined): JsonObject =>
  json instanceof Map ? json : wrong("an object is expected", json ?? null)

const array = (json: Json | undefined): ReadonlyArray<Json> =>
  Array.isArray(json) ? json : wrong("an array is expected", json ?? null)

const text = (json: Json | undefined): string =>
  typeof json === "string" ? json : wrong("a string is expected", json ?? null)

const integer = (json: Json): bigint =>
  json instanceof JsonNumber && /^-?\d+$/.test(json.text) ? BigInt(json.text) : wrong("an integer is expected", json)

const floating = (json: Json): number => {
  if (json instanceof JsonNumber) return Number(json.text)
  return json === "NaN" || json === "Infinity" || json === "-Infinity"
    ? Number(json)
    : wrong("a number is expected", json)
}

/** The members of an object with an expected type name. */
const typed = (json: Json, type: string): JsonObject => {
  const wrapper = object(json)
  if (wrapper.get("@type") !== type) wrong(`${type} is expected`, json)
  return object(wrapper.get("@value"))
}

const list = (json: Json): ReadonlyArray<Value> => array(json).map(decode)

const pairs = (json: Json): ReadonlyArray<readonly [Value, Value]> => {
  const flat = list(json)
  if (flat.length % 2 !== 0) wrong("a flat list of pairs is expected", json)
  return flat.flatMap((key, index) => (index % 2 === 0 ? [[key, flat[index + 1]!] as const] : []))
}

const bulkSet = (json: Json): ReadonlyArray<Value> =>
  pairs(json).flatMap(([item, bulk]) => {
    if (bulk.kind !== "long") return wrong("the bulk of a g:BulkSet is a g:Int64", json)
    return Array.from({ length: Number(bulk.value) }, () => item)
  })

const vertexProperty = (json: JsonObject): VertexPropertyValue => ({
  kind: "vertexProperty",
  id: decode(json.get("id") ?? null),
  label: text(json.get("label")),
  value: decode(json.get("value") ?? null)
})

const vertex = (json: JsonObject): VertexValue => {
  const properties = json.get("properties")
  return {
    kind: "vertex",
    id: decode(json.get("id") ?? null),
    label: text(json.get("label")),
    ...(properties !== undefined && {
      properties: [...object(properties).values()].flatMap((items) =>
        array(items).map((item) => vertexProperty(typed(item, "g:VertexProperty")))
      )
    })
  }
}

const property = (json: JsonObject) => ({ key: text(json.get("key")), value: decode(json.get("value") ?? null) })

const edge = (json: JsonObject): EdgeValue => {
  const properties = json.get("properties")
  return {
    kind: "edge",
    id: decode(json.get("id") ?? null),
    label: text(json.get("label")),
    out: { id: decode(json.get("outV") ?? null), label: text(json.get("outVLabel")) },
    in: { id: decode(json.get("inV") ?? null), label: text(json.get("inVLabel")) },
    ...(properties !== undefined && {
      properties: [...object(properties).values()].map((item) => property(typed(item, "g:Property")))
    })
  }
}

const tree = (json: Json): TreeValue => ({
  kind: "tree",
  branches: array(json).map((branch) => {
    const below = object(object(branch).get("value"))
    if (below.get("@type") !== "g:Tree") wrong("g:Tree is expected below a key", branch)
    return [decode(object(branch).get("key") ?? null), tree(below.get("@value") ?? null)] as const
  })
})

const enums = new Set([
  "T",
  "Direction",
  "Merge",
  "Order",
  "Scope",
  "Column",
  "Pop",
  "Operator",
  "Barrier",
  "Pick",
  "Cardinality",
  "DT",
  "GType"
])

const decodeTyped = (type: string, json: Json): Value => {
  switch (type) {
    case "gx:Byte":
      return { kind: "byte", value: integer(json) }
    case "gx:Int16":
      return { kind: "short", value: integer(json) }
    case "g:Int32":
      return { kind: "int", value: integer(json) }
    case "g:Int64":
      return { kind: "long", value: integer(json) }
    case "gx:BigInteger":
      return { kind: "bigInteger", value: integer(json) }
    case "g:Float":
      return { kind: "float", value: Math.fround(floating(json)) }
    case "g:Double":
      return { kind: "double", value: floating(json) }
    case "gx:BigDecimal":
      return (json instanceof JsonNumber && parseBigDecimal(json.text)) || wrong("a decimal number is expected", json)
    case "g:UUID":
      return { kind: "uuid", value: text(json) }
    case "gx:Char":
      return { kind: "char", value: text(json) }
    case "gx:OffsetDateTime":
      return parseDateTime(text(json)) ?? wrong("a date with time and offset is expected", json)
    case "g:List":
      return { kind: "list", items: list(json) }
    case "g:Set":
      return { kind: "set", items: list(json) }
    case "g:BulkSet":
      return { kind: "bulkSet", items: bulkSet(json) }
    case "g:Map":
      return { kind: "map", entries: pairs(json) }
    case "g:Vertex":
      return vertex(object(json))
    case "g:Edge":
      return edge(object(json))
    case "g:VertexProperty":
      return vertexProperty(object(json))
    case "g:Property":
      return { kind: "property", ...property(object(json)) }
    case "g:Path": {
      const labels = decode(object(json).get("labels") ?? null)
      const objects = decode(object(json).get("objects") ?? null)
      if (labels.kind !== "list" || objects.kind !== "list") return wrong("labels and objects are g:List", json)
      return { kind: "path", labels: labels.items, objects: objects.items }
    }
    case "g:Tree":
      return tree(json)
    case "tinker:graph":
      return {
        kind: "graph",
        vertices: array(object(json).get("vertices")).map((item) => vertex(typed(item, "g:Vertex"))),
        edges: array(object(json).get("edges")).map((item) => edge(typed(item, "g:Edge")))
      }
    case "g:Traverser": {
      const bulk = decode(object(json).get("bulk") ?? null)
      if (bulk.kind !== "long") return wrong("the bulk of a traverser is a g:Int64", json)
      return { kind: "traverser", bulk: bulk.value, value: decode(object(json).get("value") ?? null) }
    }
  }
  const name = type.replace(/^g:/, "")
  return enums.has(name)
    ? { kind: "enum", type: name, name: text(json) }
    : { kind: "other", type, text: describe(json) }
}

/** Decodes a GraphSON 3 document. A number without a type has the kind `other`, because GraphSON 3 never writes one. */
export const decode = (json: Json): Value => {
  if (json === null) return nullValue
  if (typeof json === "boolean") return { kind: "boolean", value: json }
  if (typeof json === "string") return { kind: "string", value: json }
  if (json instanceof JsonNumber) return { kind: "other", type: "untyped number", text: json.text }
  if (!(json instanceof Map)) return { kind: "other", type: "untyped list", text: describe(json) }
  const type = json.get("@type")
  if (typeof type !== "string") return { kind: "other", type: "untyped map", text: describe(json) }
  return decodeTyped(type, json.get("@value") ?? null)
}

/** Decodes a response message of the WebSocket or HTTP protocol in GraphSON 3. */
export const decodeAnswer = (document: string): Answer => {
  const answer = object(parseJson(document))
  const requestId = answer.get("requestId")
  const status = object(answer.get("status"))
  return {
    requestId: requestId === null ? undefined : text(requestId),
    code: Number(integer(status.get("code") ?? null)),
    message: text(status.get("message") ?? ""),
    data: decode(object(answer.get("result")).get("data") ?? null)
  }
}
