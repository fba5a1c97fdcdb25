import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { Edge, Property, Vertex, VertexProperty } from "../../structure/Element.ts"
import { Metrics, TraversalExplanation, TraversalMetrics } from "../../structure/Metrics.ts"
import { Path, Tree } from "../../structure/Path.ts"
import { SubGraph } from "../../structure/SubGraph.ts"
import type { GraphSONReader } from "./GraphSONReader.ts"

const OPEN_BRACE = 123

type Reader = (json: GraphSONReader) => unknown

/** Reads an object's members. Under "properties" stands an object of names that the client chose, whatever they look like. */
const members = (json: GraphSONReader, type: string): GremlinMap => {
  if (json.peek() !== OPEN_BRACE) json.fail(`The value of ${type} is no object`)
  const none = new GremlinMap()
  if (!json.openObject()) return none
  return json.eachMember(none, (map, name) => {
    map.set(name, name === "properties" && json.peek() === OPEN_BRACE ? json.map() : json.value())
  })
}

const label = (json: GraphSONReader, value: unknown, otherwise: string): string => {
  if (value === undefined || value === null) return otherwise
  if (typeof value !== "string") json.fail("A label is no string")
  return value
}

const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value instanceof GremlinSet ? [...value] : []

const vertex: Reader = (json) => {
  const map = members(json, "g:Vertex")
  const found = json.elements.addVertex(map.get("id") ?? null, label(json, map.get("label"), "vertex"))
  const properties = map.get("properties")
  if (properties instanceof GremlinMap) {
    for (const [key, values] of properties)
      for (const value of list(values)) addProperty(json, found, String(key), value)
  }
  return found
}

const addProperty = (json: GraphSONReader, owner: Vertex, key: string, value: unknown): void => {
  if (value instanceof VertexProperty) {
    json.elements.addVertexProperty(owner, value.id, value.key, value.value, value.meta)
  } else if (value instanceof GremlinMap) {
    const meta = metaOf(value.get("properties"))
    json.elements.addVertexProperty(owner, value.get("id") ?? null, key, value.get("value") ?? null, meta)
  } else json.fail(`The property '${key}' of a vertex is no vertex property`)
}

const edge: Reader = (json) => {
  const map = members(json, "g:Edge")
  const out = json.elements.addVertex(map.get("outV") ?? null, label(json, map.get("outVLabel"), "vertex"))
  const into = json.elements.addVertex(map.get("inV") ?? null, label(json, map.get("inVLabel"), "vertex"))
  const found = json.elements.addEdge(map.get("id") ?? null, label(json, map.get("label"), "edge"), out, into)
  const properties = map.get("properties")
  if (properties instanceof GremlinMap) {
    for (const [key, value] of properties) {
      json.elements.addEdgeProperty(found, String(key), value instanceof Property ? value.value : value)
    }
  }
  return found
}

const vertexProperty: Reader = (json) => {
  const map = members(json, "g:VertexProperty")
  const key = label(json, map.get("label"), "")
  return new VertexProperty(null, map.get("id") ?? null, key, map.get("value") ?? null, metaOf(map.get("properties")))
}

const metaOf = (value: unknown): ReadonlyMap<string, unknown> | null => {
  if (!(value instanceof GremlinMap) || value.size === 0) return null
  const meta = new Map<string, unknown>()
  for (const [key, item] of value) meta.set(String(key), item)
  return meta
}

const property: Reader = (json) => {
  const map = members(json, "g:Property")
  return new Property(null, label(json, map.get("key"), ""), map.get("value") ?? null)
}

const path: Reader = (json) => {
  const map = members(json, "g:Path")
  const objects = list(map.get("objects"))
  const labels = list(map.get("labels"))
  if (labels.length !== objects.length) json.fail("A path has not as many sets of labels as objects")
  return new Path(
    objects,
    labels.map((set) => new Set(list(set).map(String)))
  )
}

const tree: Reader = (json) => {
  const children = new GremlinMap()
  for (const entry of json.list()) {
    const child = entry instanceof GremlinMap ? entry.get("value") : undefined
    if (!(child instanceof Tree)) return json.fail("An entry of a tree has no tree below it")
    children.set((entry as GremlinMap).get("key") ?? null, child)
  }
  return new Tree(children)
}

const graph: Reader = (json) => {
  const map = members(json, "tinker:graph")
  return new SubGraph(
    list(map.get("vertices")).filter((item) => item instanceof Vertex),
    list(map.get("edges")).filter((item) => item instanceof Edge)
  )
}

/** Nanoseconds of a duration that is sent as milliseconds with a fraction. */
const nanoseconds = (value: unknown): bigint => {
  const millis = Number(value instanceof Object && "value" in value ? value.value : (value ?? 0))
  return Number.isFinite(millis) ? BigInt(Math.round(millis * 1_000_000)) : 0n
}

const stringKeys = <A>(value: unknown, convert: (value: unknown) => A): ReadonlyMap<string, A> => {
  const found = new Map<string, A>()
  if (value instanceof GremlinMap) for (const [key, item] of value) found.set(String(key), convert(item))
  return found
}

const mapValue = (json: GraphSONReader, type: string): GremlinMap => {
  const map = json.value()
  if (!(map instanceof GremlinMap)) json.fail(`The value of ${type} is no map`)
  return map
}

const metrics: Reader = (json) => {
  const map = mapValue(json, "g:Metrics")
  return new Metrics(
    label(json, map.get("id"), ""),
    label(json, map.get("name"), ""),
    nanoseconds(map.get("dur")),
    stringKeys(map.get("counts"), (value) =>
      typeof value === "bigint" ? value : BigInt(Math.trunc(Number(value)) || 0)
    ),
    stringKeys(map.get("annotations"), (value) => value),
    list(map.get("metrics")).filter((item) => item instanceof Metrics)
  )
}

const traversalMetrics: Reader = (json) => {
  const map = mapValue(json, "g:TraversalMetrics")
  return new TraversalMetrics(
    nanoseconds(map.get("dur")),
    list(map.get("metrics")).filter((item) => item instanceof Metrics)
  )
}

const texts = (value: unknown): readonly string[] => list(value).map(String)

const explanation: Reader = (json) => {
  const map = mapValue(json, "g:TraversalExplanation")
  const intermediate = list(map.get("intermediate")).filter((item) => item instanceof GremlinMap)
  return new TraversalExplanation(
    texts(map.get("original")),
    intermediate.map((item) => ({
      strategy: String(item.get("strategy")),
      category: String(item.get("category")),
      steps: texts(item.get("traversal"))
    }))
  )
}

/** Types of the graph structure, and the results of profile() and explain(). */
export const elementReaders: ReadonlyArray<[string, Reader]> = [
  ["g:Vertex", vertex],
  ["g:Edge", edge],
  ["g:VertexProperty", vertexProperty],
  ["g:Property", property],
  ["g:Path", path],
  ["g:Tree", tree],
  ["tinker:graph", graph],
  ["g:Metrics", metrics],
  ["g:TraversalMetrics", traversalMetrics],
  ["g:TraversalExplanation", explanation]
]
