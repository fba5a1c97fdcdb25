import type { MapEntry } from "../../../structure/collections/Collections.ts"
import { GremlinSet } from "../../../structure/collections/Collections.ts"
import { equals } from "../../../structure/comparison/Equality.ts"
import {
  type Edge,
  type Element,
  type ElementState,
  type Property,
  type Vertex,
  VertexProperty
} from "../../../structure/elements/Element.ts"
import type { Path } from "../../../structure/elements/Path.ts"
import { Direction } from "../../../structure/scalars/Enums.ts"
import { memberMethods } from "../collections/CollectionMethods.ts"
import { asIndex, asText, type Method, type Methods, within } from "../methods/MethodTable.ts"
import { ABSENT_PROPERTY } from "../values/AbsentProperty.ts"
import { LiveEntry } from "../values/MapParts.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"

type Reader = { properties(keys: readonly string[] | null): readonly (Property | VertexProperty)[] }

const keysOf = (args: readonly unknown[]): readonly string[] | null => (args.length === 0 ? null : args.map(asText))

/** The property with the key. As in TinkerPop, value() and property() fail for a vertex with several. */
const onlyProperty = (value: Reader, key: unknown): Property | VertexProperty | undefined => {
  const name = asText(key)
  const found = value.properties([name])
  if (found.length <= 1) return found[0]
  throw new OperandError(
    `there are several properties with the key ${JSON.stringify(name)}: use properties() or values()`,
    "IllegalStateException",
    `Multiple properties exist for the provided key, use Vertex.properties(${name})`
  )
}

/** A method that says whether the transaction has done this with an element, as in JanusGraph. */
const isState = (method: string, wanted: ElementState): Method => [
  0,
  0,
  (value: Element) => {
    const source = value instanceof VertexProperty ? value.vertex?.source : value.source
    if (source?.stateOf === undefined) {
      throw new OperandError(`${method}() needs an element of a graph with a schema, as JanusGraph's are`)
    }
    return source.stateOf(value) === wanted
  }
]

/** Methods of vertices that only read. */
export const elementMethods: Methods = {
  isNew: isState("isNew", "new"),
  isLoaded: isState("isLoaded", "loaded"),
  isModified: isState("isModified", "modified"),
  isRemoved: isState("isRemoved", "removed"),
  id: [0, 0, (value: Vertex) => value.id],
  label: [0, 0, (value: Vertex) => value.label],
  keys: [0, 0, (value: Reader) => new GremlinSet(value.properties(null).map((property) => property.key))],
  value: [
    1,
    1,
    (value: Reader, [key]) => {
      const found = onlyProperty(value, key)
      if (found === undefined)
        throw new OperandError(`there is no property with the key ${JSON.stringify(asText(key))}`)
      return found.value
    }
  ],
  values: [
    0,
    1000,
    (value: Reader, args) => new ScriptIterator(value.properties(keysOf(args)).map((property) => property.value))
  ],
  property: [1, 1, (value: Reader, [key]) => onlyProperty(value, key) ?? ABSENT_PROPERTY],
  properties: [0, 1000, (value: Reader, args) => new ScriptIterator(value.properties(keysOf(args)))]
}

/** The vertices of an edge in a direction: the one that it leaves (OUT), the one that it enters (IN), or both. */
const endsOf = (edge: Edge, direction: unknown): Vertex[] => {
  if (direction === Direction.OUT) return [edge.outVertex]
  if (direction === Direction.IN) return [edge.inVertex]
  if (direction === Direction.BOTH) return [edge.outVertex, edge.inVertex]
  throw new OperandError("a direction was expected: OUT, IN or BOTH")
}

/** Methods of edges that only read. */
export const edgeMethods: Methods = {
  ...elementMethods,
  outVertex: [0, 0, (value: Edge) => value.outVertex],
  inVertex: [0, 0, (value: Edge) => value.inVertex],
  vertices: [1, 1, (value: Edge, [direction]) => new ScriptIterator(endsOf(value, direction))],
  vertex: [
    1,
    1,
    (value: Edge, [direction]) => {
      const ends = endsOf(value, direction)
      if (ends.length > 1) throw new OperandError("vertex() takes OUT or IN")
      return ends[0]
    }
  ],
  getVertex: [
    1,
    1,
    (value: Edge, [place]) => {
      const at = asIndex(place)
      if (at === 0 || at === 1) return at === 0 ? value.outVertex : value.inVertex
      throw new OperandError("getVertex() takes 0 for the vertex that the edge leaves, or 1 for the one that it enters")
    }
  ],
  otherVertex: [
    1,
    1,
    (value: Edge, [vertex]) => {
      if (equals(value.outVertex, vertex)) return value.inVertex
      if (equals(value.inVertex, vertex)) return value.outVertex
      throw new OperandError("otherVertex() takes a vertex of the edge")
    }
  ],
  isLoop: [0, 0, (value: Edge) => equals(value.outVertex, value.inVertex)],
  isIncidentOn: [1, 1, (value: Edge, [vertex]) => equals(value.outVertex, vertex) || equals(value.inVertex, vertex)],
  bothVertices: [0, 0, (value: Edge) => new ScriptIterator([value.outVertex, value.inVertex])]
}

/** Methods of properties of edges and of meta-properties. */
export const propertyMethods: Methods = {
  key: [0, 0, (value: Property) => value.key],
  value: [
    0,
    0,
    (value: Property) => {
      if (value === ABSENT_PROPERTY) throw new OperandError("the property does not exist")
      return value.value
    }
  ],
  orElse: [1, 1, (value: Property, [other]) => (value === ABSENT_PROPERTY ? other : value.value)],
  isPresent: [0, 0, (value: Property) => value !== ABSENT_PROPERTY],
  element: [0, 0, (value: Property) => value.element]
}

/** Methods of properties of vertices. */
export const vertexPropertyMethods: Methods = {
  ...elementMethods,
  key: [0, 0, (value: VertexProperty) => value.key],
  value: [
    0,
    1,
    (value: VertexProperty, args, budget) =>
      args.length === 0 ? value.value : elementMethods.value![2](value as never, args, budget)
  ],
  orElse: [1, 1, (value: VertexProperty) => value.value],
  isPresent: [0, 0, () => true],
  element: [0, 0, (value: VertexProperty) => value.vertex]
}

/** The object of a path with this label; a list of several. Fails with OperandError for none. */
export const pathObject = (path: Path, label: string): unknown => {
  const found = path.objects.filter((_, index) => path.labels[index]!.has(label))
  if (found.length === 0) throw new OperandError(`the path has no step labelled ${JSON.stringify(label)}`)
  return found.length === 1 ? found[0] : found
}

/** Methods of paths. */
export const pathMethods: Methods = {
  ...memberMethods,
  objects: [0, 0, (value: Path) => [...value.objects]],
  labels: [0, 0, (value: Path) => value.labels.map((labels) => new GremlinSet(labels))],
  get: [
    1,
    1,
    (value: Path, [at]) => {
      if (typeof at !== "string") return value.objects[within(asIndex(at), value.objects.length)]
      return pathObject(value, at)
    }
  ],
  head: [0, 0, (value: Path) => value.objects.at(-1) ?? null]
}

/** Methods of entries of maps. */
export const entryMethods: Methods = {
  getKey: [0, 0, (value: MapEntry) => value.key],
  getValue: [0, 0, (value: MapEntry) => value.value],
  setValue: [
    1,
    1,
    (entry: MapEntry, [value], budget) => {
      if (!(entry instanceof LiveEntry)) {
        throw new Unavailable("setValue(): the entry belongs to no map of the script: put the value into a map")
      }
      const before = entry.value
      entry.put(budget.member(value, entry))
      return before
    }
  ]
}
