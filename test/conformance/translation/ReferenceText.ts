import { show } from "../Value.ts"
import { decode } from "../wire/GraphSON.ts"
import { type Json, JsonNumber, parseJson } from "../wire/Json.ts"

/**
 * Converts GraphSON of TinkerPop to a text. Equivalent bytecode has equal texts: values keep their types, entries of maps and
 * sets are sorted, classes have their simple names. This file uses no code of the server.
 */
const write = (json: Json): string => {
  if (json === null || typeof json !== "object" || json instanceof JsonNumber) return show(decode(json))
  const type = json instanceof Map ? json.get("@type") : undefined
  if (!(json instanceof Map) || typeof type !== "string") throw new Error("an argument of bytecode without a type")
  const value = json.get("@value") ?? null
  switch (type) {
    case "g:Bytecode":
      return `{${instructions(field(value, "source"))} | ${instructions(field(value, "step"))}}`
    case "g:Binding":
      return write(field(value, "value"))
    case "g:P":
    case "g:TextP":
      return `${type.slice(2)}.${String(field(value, "predicate"))}(${operands(field(value, "value"))})`
    case "g:List":
      return `[${array(value).map(write).join(", ")}]`
    case "g:Set":
      return `set[${array(value).map(write).sort().join(", ")}]`
    case "g:Map": {
      const flat = array(value).map(write)
      const entries = flat.flatMap((key, index) => (index % 2 === 0 ? [`${key}: ${flat[index + 1]}`] : []))
      return `map[${entries.sort().join(", ")}]`
    }
    case "g:Class":
      return `class ${simpleName(String(value))}`
  }
  const configuration = value instanceof Map ? value.get("conf") : undefined
  if (configuration instanceof Map) {
    const entries = [...configuration].map(([key, item]) => [key, write(item)] as const)
    return strategyText(String(field(value, "fqcn")), entries)
  }
  return show(decode(json))
}

/** Default configuration entries, which TinkerPop always sends. Omitting them has the same meaning. */
const defaults = new Set([
  "checkAdjacentVertices: true",
  "includeMetaProperties: false",
  'idPropertyKey: "__id"',
  "productiveKeys: set[]",
  'keys: set["id", "label"]',
  "logWarning: false",
  "throwException: false",
  'graphComputer: "org.apache.tinkerpop.gremlin.process.computer.GraphComputer"'
])

/** A strategy with the entries of its configuration, the values as text. */
export const strategyText = (className: string, entries: ReadonlyArray<readonly [string, string]>): string => {
  const texts = entries.map(([key, value]) => `${key}: ${value}`).filter((text) => !defaults.has(text))
  return `strategy ${simpleName(className)}(${texts.sort().join(", ")})`
}

/** The class name without packages and enclosing classes. */
export const simpleName = (className: string): string =>
  className.slice(Math.max(className.lastIndexOf("."), className.lastIndexOf("$")) + 1)

const field = (json: Json, name: string): Json => (json instanceof Map ? (json.get(name) ?? null) : null)
const array = (json: Json): ReadonlyArray<Json> => (Array.isArray(json) ? json : [])

/** The operands of a predicate. Several operands are a list, with or without the GraphSON type. */
const operands = (json: Json): string => (Array.isArray(json) ? `[${json.map(write).join(", ")}]` : write(json))

const instructions = (json: Json): string =>
  array(json)
    .map((instruction) => {
      const [operator, ...args] = array(instruction)
      // The cardinality is a string in maps of merge steps, and an enum constant elsewhere.
      const texts = args
        .map(write)
        .map((it) => (operator === "CardinalityValueTraversal" ? it.replace(/^Cardinality\.(\w+)$/, '"$1"') : it))
      return `${String(operator)}(${texts.join(", ")})`
    })
    .join(".")
    // TinkerPop inserts identity() between V() and shortestPath().
    .replaceAll("identity().shortestPath(", "shortestPath(")

/** The text of the bytecode inside a request message in GraphSON 3. */
export const referenceText = (message: string): string => {
  const request = parseJson(message)
  const args = array(field(field(request, "args"), "@value"))
  return write(args[args.indexOf("gremlin") + 1] ?? null)
}

/** The text of a value in GraphSON 3. */
export const referenceValue = (document: string): string => write(parseJson(document))
