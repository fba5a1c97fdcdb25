import {
  Binding,
  Bytecode,
  type Instruction,
  Lambda,
  StrategySpec,
  Traverser
} from "../../src/process/language/Bytecode.ts"
import { ConnectiveP, NotP, P } from "../../src/process/language/Predicate.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../src/structure/collections/Collections.ts"
import { Tree } from "../../src/structure/collections/Tree.ts"
import { Edge, Property, Vertex, VertexProperty } from "../../src/structure/elements/Element.ts"
import { Path } from "../../src/structure/elements/Path.ts"
import { SubGraph } from "../../src/structure/elements/SubGraph.ts"
import { Metrics, TraversalMetrics } from "../../src/structure/profiles/Metrics.ts"

const entries = (map: Iterable<readonly [unknown, unknown]>): unknown =>
  Array.from(map, ([key, value]) => [shape(key), shape(value)])

const instruction = ({ operator, args }: Instruction): unknown => [operator, args.map(shape)]

/** Converts a value to plain data for `toEqual`, which cannot compare private fields and handles. */
export const shape = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : value
  if (Array.isArray(value)) return value.map(shape)
  if (value instanceof GremlinMap) return { map: entries(value) }
  if (value instanceof GremlinSet) return { set: [...value].map(shape) }
  if (value instanceof BulkSet) return { bulkSet: entries(value.entries()) }
  if (value instanceof Vertex) {
    return { vertex: shape(value.id), label: value.label, properties: value.properties().map(shape) }
  }
  if (value instanceof Edge) {
    const { outVertex, inVertex } = value
    return {
      edge: shape(value.id),
      label: value.label,
      out: [shape(outVertex.id), outVertex.label],
      in: [shape(inVertex.id), inVertex.label],
      properties: value.properties().map(shape)
    }
  }
  if (value instanceof VertexProperty) {
    return {
      vertexProperty: shape(value.id),
      key: value.key,
      value: shape(value.value),
      meta: entries(value.meta ?? [])
    }
  }
  if (value instanceof Property) return { property: value.key, value: shape(value.value) }
  if (value instanceof Path) return { path: value.objects.map(shape), labels: value.labels.map((set) => [...set]) }
  if (value instanceof Tree) return { tree: entries(value.children) }
  if (value instanceof SubGraph) return { vertices: value.vertices.map(shape), edges: value.edges.map(shape) }
  if (value instanceof Traverser) return { traverser: shape(value.value), bulk: value.bulk }
  return processShape(value) ?? scalarShape(value)
}

const processShape = (value: object): unknown => {
  if (value instanceof Bytecode) {
    return { source: value.sourceInstructions.map(instruction), step: value.stepInstructions.map(instruction) }
  }
  if (value instanceof ConnectiveP) return { [value.operator]: value.predicates.map(shape) }
  if (value instanceof NotP) return { not: shape(value.predicate) }
  if (value instanceof P) return { p: value.constructor.name, operator: value.operator, value: shape(value.value) }
  if (value instanceof StrategySpec) return { strategy: value.name, configuration: entries(value.configuration) }
  if (value instanceof Binding) return { binding: value.key, value: shape(value.value) }
  if (value instanceof Lambda) return { ...value }
  if (value instanceof Metrics) {
    const { id, name, duration, counts, annotations, nested } = value
    return { id, name, duration, counts: [...counts], annotations: entries(annotations), nested: nested.map(shape) }
  }
  if (value instanceof TraversalMetrics) return { duration: value.duration, metrics: value.metrics.map(shape) }
  return undefined
}

/** Small classes of plain fields. */
const scalarShape = (value: object): unknown =>
  value instanceof Uint8Array
    ? { bytes: Buffer.from(value).toString("hex") }
    : { class: value.constructor.name, fields: Object.entries(value).map(([name, field]) => [name, shape(field)]) }
