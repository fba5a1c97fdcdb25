import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { type Detached, Edge, Property, Vertex, VertexProperty } from "../../structure/Element.ts"
import { Metrics, TraversalExplanation, TraversalMetrics } from "../../structure/Metrics.ts"
import { Path } from "../../structure/Path.ts"
import { SubGraph } from "../../structure/SubGraph.ts"
import { Tree } from "../../structure/Tree.ts"
import { checkParts, makeOf, nameText } from "../ReadParts.ts"
import type { GraphSONValues } from "./GraphSONValues.ts"

const OPEN_BRACE = 123

type Reader = (json: GraphSONValues) => unknown

/** Reads an object's members. Under "properties" stands an object of names that the client chose, whatever they look like. */
const members = (json: GraphSONValues, type: string): GremlinMap => {
  if (json.peek() !== OPEN_BRACE) json.fail(`The value of ${type} is no object`)
  const none = new GremlinMap()
  if (!json.openObject()) return none
  return json.eachMember(none, (map, name) => {
    map.set(name, name === "properties" && json.peek() === OPEN_BRACE ? json.map() : json.value())
  })
}

const label = (json: GraphSONValues, value: unknown, otherwise: string): string => {
  if (value === undefined || value === null) return otherwise
  if (typeof value !== "string") json.fail("A label is no string")
  return value
}

const list = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  if (!(value instanceof GremlinSet)) return []
  // It is copied at once, and again in every slice.
  checkParts(value.size, "members of a set where a list is meant")
  return [...value]
}

/** Makes the value that begins at `start`, of which the parts were just read; see {@link makeOf}. */
const made = <A, R>(
  json: GraphSONValues,
  start: number,
  parts: Iterable<A>,
  begin: () => R,
  add: (result: R, part: A) => void
): R => makeOf(json.slices, { start, end: json.position, count: Number.POSITIVE_INFINITY }, parts, begin, add)

/** A vertex or an edge that is being made, and where it lives: that of another slice is not this one's. */
interface Made<A> {
  readonly elements: Detached
  readonly found: A
}

/** The values under all keys of a vertex. */
function* allProperties(properties: GremlinMap): Iterable<readonly [string, unknown]> {
  for (const [key, values] of properties) {
    const name = nameText(key)
    const all: Iterable<unknown> = Array.isArray(values) || values instanceof GremlinSet ? values : []
    for (const value of all) yield [name, value]
  }
}

const vertex: Reader = (json) => {
  const start = json.position
  const map = members(json, "g:Vertex")
  const begin = (): Made<Vertex> => {
    const { elements } = json
    return { elements, found: elements.addVertex(map.get("id") ?? null, label(json, map.get("label"), "vertex")) }
  }
  const properties = map.get("properties")
  if (!(properties instanceof GremlinMap)) return begin().found
  return made(json, start, allProperties(properties), begin, ({ elements, found }, [key, value]) =>
    addProperty(json, elements, found, key, value)
  ).found
}

const addProperty = (json: GraphSONValues, elements: Detached, owner: Vertex, key: string, value: unknown): void => {
  if (value instanceof VertexProperty) {
    elements.addVertexProperty(owner, value.id, value.key, value.value, value.meta)
  } else if (value instanceof GremlinMap) {
    const meta = metaOf(value.get("properties"))
    elements.addVertexProperty(owner, value.get("id") ?? null, key, value.get("value") ?? null, meta)
  } else json.fail(`The property '${key}' of a vertex is no vertex property`)
}

const edge: Reader = (json) => {
  const start = json.position
  const map = members(json, "g:Edge")
  const begin = (): Made<Edge> => {
    const { elements } = json
    const out = elements.addVertex(map.get("outV") ?? null, label(json, map.get("outVLabel"), "vertex"))
    const into = elements.addVertex(map.get("inV") ?? null, label(json, map.get("inVLabel"), "vertex"))
    const name = label(json, map.get("label"), "edge")
    return { elements, found: elements.addEdge(map.get("id") ?? null, name, out, into) }
  }
  const properties = map.get("properties")
  if (!(properties instanceof GremlinMap)) return begin().found
  return made(json, start, properties, begin, ({ elements, found }, [key, value]) => {
    elements.addEdgeProperty(found, nameText(key), value instanceof Property ? value.value : value)
  }).found
}

const vertexProperty: Reader = (json) => {
  const map = members(json, "g:VertexProperty")
  const key = label(json, map.get("label"), "")
  return new VertexProperty(null, map.get("id") ?? null, key, map.get("value") ?? null, metaOf(map.get("properties")))
}

const metaOf = (value: unknown): ReadonlyMap<string, unknown> | null => {
  if (!(value instanceof GremlinMap) || value.size === 0) return null
  checkParts(value.size, "meta-properties")
  const meta = new Map<string, unknown>()
  for (const [key, item] of value) meta.set(nameText(key), item)
  return meta
}

const property: Reader = (json) => {
  const map = members(json, "g:Property")
  return new Property(null, label(json, map.get("key"), ""), map.get("value") ?? null)
}

const path: Reader = (json) => {
  const start = json.position
  const map = members(json, "g:Path")
  const objects = list(map.get("objects"))
  const labels = list(map.get("labels"))
  if (labels.length !== objects.length) json.fail("A path has not as many sets of labels as objects")
  const begin = (): Array<ReadonlySet<string>> => []
  return new Path(
    objects,
    made(json, start, labels, begin, (sets, set) => {
      sets.push(labelsOf(set))
    })
  )
}

const noLabels: ReadonlySet<string> = new Set()

/** The labels of one object of a path. */
const labelsOf = (set: unknown): ReadonlySet<string> => {
  const count = Array.isArray(set) ? set.length : set instanceof GremlinSet ? set.size : 0
  if (count === 0) return noLabels
  checkParts(count, "labels of one object of a path")
  return new Set(list(set).map(nameText))
}

const tree: Reader = (json) => {
  const start = json.position
  const begin = (): GremlinMap => new GremlinMap()
  return new Tree(
    made(json, start, json.list(), begin, (children, entry) => {
      const child = entry instanceof GremlinMap ? entry.get("value") : undefined
      if (!(child instanceof Tree)) return json.fail("An entry of a tree has no tree below it")
      children.set((entry as GremlinMap).get("key") ?? null, child)
    })
  )
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
  if (!(value instanceof GremlinMap)) return found
  checkParts(value.size, "counts or annotations")
  for (const [key, item] of value) found.set(nameText(key), convert(item))
  return found
}

const mapValue = (json: GraphSONValues, type: string): GremlinMap => {
  const map = json.value()
  if (!(map instanceof GremlinMap)) json.fail(`The value of ${type} is no map`)
  return map
}

const metrics: Reader = (json) => {
  const map = mapValue(json, "g:Metrics")
  return new Metrics({
    id: label(json, map.get("id"), ""),
    name: label(json, map.get("name"), ""),
    duration: nanoseconds(map.get("dur")),
    counts: stringKeys(map.get("counts"), (value) =>
      typeof value === "bigint" ? value : BigInt(Math.trunc(Number(value)) || 0)
    ),
    annotations: stringKeys(map.get("annotations"), (value) => value),
    nested: list(map.get("metrics")).filter((item) => item instanceof Metrics)
  })
}

const traversalMetrics: Reader = (json) => {
  const map = mapValue(json, "g:TraversalMetrics")
  return new TraversalMetrics(
    nanoseconds(map.get("dur")),
    list(map.get("metrics")).filter((item) => item instanceof Metrics)
  )
}

const texts = (value: unknown): readonly string[] => {
  const steps = list(value)
  checkParts(steps.length, "steps in an explanation")
  return steps.map(nameText)
}

const explanation: Reader = (json) => {
  const map = mapValue(json, "g:TraversalExplanation")
  const intermediate = list(map.get("intermediate")).filter((item) => item instanceof GremlinMap)
  checkParts(intermediate.length, "strategies in an explanation")
  return new TraversalExplanation(
    texts(map.get("original")),
    intermediate.map((item) => ({
      strategy: nameText(item.get("strategy")),
      category: nameText(item.get("category")),
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
