import { GremlinSet } from "../../structure/collections/Collections.ts"
import { type Detached, type Edge, Property, type Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import { Path } from "../../structure/elements/Path.ts"
import { checkParts, nameText, valueOfParts } from "../ValueParts.ts"
import type { ValueReader } from "./ValueReader.ts"

// Elements, properties and paths, without their type codes.

const noProperties: readonly unknown[] = []
const noLabels: ReadonlySet<string> = new Set()

/** A vertex or an edge that is being made, with its container: an earlier slice had another container than this one. */
interface VertexInProgress {
  readonly elements: Detached
  readonly vertex: Vertex
}
interface EdgeInProgress {
  readonly elements: Detached
  readonly edge: Edge
}

/** Makes the value that begins at `start` of the parts that were just read; see {@link valueOfParts}. */
const made = <R>(
  { input }: ValueReader,
  start: number,
  parts: readonly unknown[],
  begin: () => R,
  add: (result: R, part: unknown) => void
): R => valueOfParts(input.slices, { start, end: input.position, count: parts.length }, parts, begin, add)

/** Reads the properties of an element: a list, or null. */
const readProperties = (reader: ValueReader): readonly unknown[] => {
  const properties = reader.value()
  if (properties === null) return noProperties
  if (Array.isArray(properties)) return properties
  return reader.input.fail("The properties of an element are no list")
}

/** Reads a vertex with its properties. */
export const readVertex = (reader: ValueReader): Vertex => {
  const { input } = reader
  const start = input.position
  const id = reader.value()
  const label = input.string()
  const begin = (): VertexInProgress => {
    const { elements } = reader
    return { elements, vertex: elements.addVertex(id, label) }
  }
  return made(reader, start, readProperties(reader), begin, ({ elements, vertex }, property) => {
    if (!(property instanceof VertexProperty)) return input.fail("A property of a vertex is no VertexProperty")
    elements.addVertexProperty(vertex, property.id, property.key, property.value, property.meta)
  }).vertex
}

/** Reads an edge with its properties and the ids and labels of its vertices. */
export const readEdge = (reader: ValueReader): Edge => {
  const { elements, input } = reader
  const start = input.position
  const id = reader.value()
  const label = input.string()
  const inId = reader.value()
  const into = elements.addVertex(inId, input.string())
  const outId = reader.value()
  const out = elements.addVertex(outId, input.string())
  reader.value()
  const begin = (): EdgeInProgress => ({ elements, edge: elements.addEdge(id, label, out, into) })
  return made(reader, start, readProperties(reader), begin, (read, property) => {
    if (!(property instanceof Property)) return input.fail("A property of an edge is not a Property")
    read.elements.addEdgeProperty(read.edge, property.key, property.value)
  }).edge
}

/** Reads a property of a vertex with its meta-properties. */
export const readVertexProperty = (reader: ValueReader): VertexProperty => {
  const { input } = reader
  const id = reader.value()
  const key = input.string()
  const value = reader.value()
  // The parent is always null.
  reader.value()
  return new VertexProperty(null, id, key, value, metaOf(reader, readProperties(reader)))
}

/** Meta-properties by key; null when there are none. */
export const metaOf = ({ input }: ValueReader, properties: readonly unknown[]): ReadonlyMap<string, unknown> | null => {
  if (properties.length === 0) return null
  checkParts(properties.length, "meta-properties")
  const meta = new Map<string, unknown>()
  for (const property of properties) {
    if (!(property instanceof Property)) return input.fail("A meta-property is not a Property")
    meta.set(property.key, property.value)
  }
  return meta
}

/** Reads a property of an edge or a meta-property. */
export const readProperty = (reader: ValueReader): Property => {
  const key = reader.input.string()
  const value = reader.value()
  // The parent is always null.
  reader.value()
  return new Property(null, key, value)
}

/** Reads a path: the labels and the objects of its steps. */
export const readPath = (reader: ValueReader): Path => {
  const { input } = reader
  const start = input.position
  const labels = reader.value()
  const objects = reader.value()
  if (!Array.isArray(labels) || !Array.isArray(objects) || labels.length !== objects.length) {
    return input.fail("A path has not as many sets of labels as objects")
  }
  const begin = (): Array<ReadonlySet<string>> => []
  const sets = made(reader, start, labels, begin, (found, set) => {
    found.push(labelsOf(set))
  })
  return new Path(objects, sets)
}

/** The labels of one object of a path. */
const labelsOf = (set: unknown): ReadonlySet<string> => {
  if (!(set instanceof GremlinSet || Array.isArray(set))) return noLabels
  const count = Array.isArray(set) ? set.length : set.size
  if (count === 0) return noLabels
  checkParts(count, "labels of one object of a path")
  return new Set(Array.from(set, nameText))
}
