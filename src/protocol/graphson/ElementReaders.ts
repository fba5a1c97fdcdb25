import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { Tree } from "../../structure/collections/Tree.ts"
import { type Detached, Edge, Property, Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import { Path } from "../../structure/elements/Path.ts"
import { SubGraph } from "../../structure/elements/SubGraph.ts"
import { Metrics, TraversalExplanation, TraversalMetrics } from "../../structure/profiles/Metrics.ts"
import { OPEN_BRACE } from "../json/JsonCharacters.ts"
import { checkParts, nameText, valueOfParts } from "../ValueParts.ts"
import { readMembers, type ValueReader } from "./ValueReader.ts"

type Reader = (reader: ValueReader) => unknown

/** Reads the members of the object that the value of a type is. */
const members = (reader: ValueReader, type: string): GremlinMap => {
  const { json } = reader
  if (json.peek() !== OPEN_BRACE) json.fail(`The value of ${type} is no object`)
  const none = new GremlinMap()
  return json.openObject() ? readMembers(reader, none, setMember) : none
}

/** Reads a member. "properties" is always a map: its names are the client's, so that one may look like a type. */
const setMember = (reader: ValueReader, map: GremlinMap, name: string): void => {
  map.set(name, name === "properties" && reader.json.peek() === OPEN_BRACE ? reader.map() : reader.value())
}

const label = (reader: ValueReader, value: unknown, otherwise: string): string => {
  if (value === undefined || value === null) return otherwise
  if (typeof value !== "string") reader.json.fail("A label is no string")
  return value
}

const list = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  if (!(value instanceof GremlinSet)) return []
  // It is copied at once, and again in every slice.
  checkParts(value.size, "members of a set where a list is meant")
  return [...value]
}

/** Makes the value that begins at `start`, of which the parts were just read; see {@link valueOfParts}. */
const made = <A, R>(
  reader: ValueReader,
  start: number,
  parts: Iterable<A>,
  begin: () => R,
  add: (result: R, part: A) => void
): R =>
  valueOfParts(
    reader.json.slices,
    { start, end: reader.json.position, count: Number.POSITIVE_INFINITY },
    parts,
    begin,
    add
  )

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

const vertex: Reader = (reader) => {
  const start = reader.json.position
  const map = members(reader, "g:Vertex")
  const begin = (): Made<Vertex> => {
    const { elements } = reader
    return { elements, found: elements.addVertex(map.get("id") ?? null, label(reader, map.get("label"), "vertex")) }
  }
  const properties = map.get("properties")
  if (!(properties instanceof GremlinMap)) return begin().found
  return made(reader, start, allProperties(properties), begin, ({ elements, found }, [key, value]) =>
    addProperty(reader, elements, found, key, value)
  ).found
}

const addProperty = (reader: ValueReader, elements: Detached, owner: Vertex, key: string, value: unknown): void => {
  if (value instanceof VertexProperty) {
    elements.addVertexProperty(owner, value.id, value.key, value.value, value.meta)
  } else if (value instanceof GremlinMap) {
    const meta = metaOf(value.get("properties"))
    elements.addVertexProperty(owner, value.get("id") ?? null, key, value.get("value") ?? null, meta)
  } else reader.json.fail(`The property '${key}' of a vertex is no vertex property`)
}

const edge: Reader = (reader) => {
  const start = reader.json.position
  const map = members(reader, "g:Edge")
  const begin = (): Made<Edge> => {
    const { elements } = reader
    const out = elements.addVertex(map.get("outV") ?? null, label(reader, map.get("outVLabel"), "vertex"))
    const into = elements.addVertex(map.get("inV") ?? null, label(reader, map.get("inVLabel"), "vertex"))
    const name = label(reader, map.get("label"), "edge")
    return { elements, found: elements.addEdge(map.get("id") ?? null, name, out, into) }
  }
  const properties = map.get("properties")
  if (!(properties instanceof GremlinMap)) return begin().found
  return made(reader, start, properties, begin, ({ elements, found }, [key, value]) => {
    elements.addEdgeProperty(found, nameText(key), value instanceof Property ? value.value : value)
  }).found
}

const vertexProperty: Reader = (reader) => {
  const map = members(reader, "g:VertexProperty")
  const key = label(reader, map.get("label"), "")
  return new VertexProperty(null, map.get("id") ?? null, key, map.get("value") ?? null, metaOf(map.get("properties")))
}

const metaOf = (value: unknown): ReadonlyMap<string, unknown> | null => {
  if (!(value instanceof GremlinMap) || value.size === 0) return null
  checkParts(value.size, "meta-properties")
  const meta = new Map<string, unknown>()
  for (const [key, item] of value) meta.set(nameText(key), item)
  return meta
}

const property: Reader = (reader) => {
  const map = members(reader, "g:Property")
  return new Property(null, label(reader, map.get("key"), ""), map.get("value") ?? null)
}

const path: Reader = (reader) => {
  const start = reader.json.position
  const map = members(reader, "g:Path")
  const objects = list(map.get("objects"))
  const labels = list(map.get("labels"))
  if (labels.length !== objects.length) reader.json.fail("A path has not as many sets of labels as objects")
  const begin = (): Array<ReadonlySet<string>> => []
  return new Path(
    objects,
    made(reader, start, labels, begin, (sets, set) => {
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

const tree: Reader = (reader) => {
  const start = reader.json.position
  const begin = (): GremlinMap => new GremlinMap()
  return new Tree(
    made(reader, start, reader.list(), begin, (children, entry) => {
      const child = entry instanceof GremlinMap ? entry.get("value") : undefined
      if (!(child instanceof Tree)) return reader.json.fail("An entry of a tree has no tree below it")
      children.set((entry as GremlinMap).get("key") ?? null, child)
    })
  )
}

const graph: Reader = (reader) => {
  const map = members(reader, "tinker:graph")
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

/** Reads the map that the value of a type is, in GraphSON 3 with a type of its own. */
const mapValue = (reader: ValueReader, type: string): GremlinMap => {
  // The value opens no bracket before it is read as any value, so the bracket of its type counts as a level.
  reader.json.uncount(-1)
  const map = reader.value()
  reader.json.uncount(1)
  if (!(map instanceof GremlinMap)) reader.json.fail(`The value of ${type} is no map`)
  return map
}

const metrics: Reader = (reader) => {
  const map = mapValue(reader, "g:Metrics")
  return new Metrics({
    id: label(reader, map.get("id"), ""),
    name: label(reader, map.get("name"), ""),
    duration: nanoseconds(map.get("dur")),
    counts: stringKeys(map.get("counts"), (value) =>
      typeof value === "bigint" ? value : BigInt(Math.trunc(Number(value)) || 0)
    ),
    annotations: stringKeys(map.get("annotations"), (value) => value),
    nested: list(map.get("metrics")).filter((item) => item instanceof Metrics)
  })
}

const traversalMetrics: Reader = (reader) => {
  const map = mapValue(reader, "g:TraversalMetrics")
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

const explanation: Reader = (reader) => {
  const map = mapValue(reader, "g:TraversalExplanation")
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
