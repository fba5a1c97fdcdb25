import type { MapEntry } from "../../structure/Collections.ts"
import { GremlinSet } from "../../structure/Collections.ts"
import { type Edge, Property, type Vertex, type VertexProperty } from "../../structure/Element.ts"
import type { Path } from "../../structure/Path.ts"
import { ScriptIterator } from "../Scope.ts"
import { OperandError } from "./Budget.ts"
import { memberMethods } from "./CollectionMethods.ts"
import { asIndex, asText, type Methods, within } from "./MethodTable.ts"

type Reader = { properties(keys: readonly string[] | null): readonly (Property | VertexProperty)[] }

const keysOf = (args: readonly unknown[]): readonly string[] | null => (args.length === 0 ? null : args.map(asText))

/** An absent property, as Java's Property.empty(). */
const absent = new Property(null, "", undefined)

/** Methods of vertices that only read. */
export const elementMethods: Methods = {
  id: [0, 0, (value: Vertex) => value.id],
  label: [0, 0, (value: Vertex) => value.label],
  keys: [0, 0, (value: Reader) => new GremlinSet(value.properties(null).map((property) => property.key))],
  value: [
    1,
    1,
    (value: Reader, [key]) => {
      const found = value.properties([asText(key)])[0]
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
  property: [1, 1, (value: Reader, [key]) => value.properties([asText(key)])[0] ?? absent],
  properties: [0, 1000, (value: Reader, args) => new ScriptIterator(value.properties(keysOf(args)))]
}

/** Methods of edges that only read. */
export const edgeMethods: Methods = {
  ...elementMethods,
  outVertex: [0, 0, (value: Edge) => value.outVertex],
  inVertex: [0, 0, (value: Edge) => value.inVertex],
  bothVertices: [0, 0, (value: Edge) => new ScriptIterator([value.outVertex, value.inVertex])]
}

/** Methods of properties of edges and of meta-properties. */
export const propertyMethods: Methods = {
  key: [0, 0, (value: Property) => value.key],
  value: [
    0,
    0,
    (value: Property) => {
      if (value === absent) throw new OperandError("the property is not there")
      return value.value
    }
  ],
  orElse: [1, 1, (value: Property, [other]) => (value === absent ? other : value.value)],
  isPresent: [0, 0, (value: Property) => value !== absent],
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
      const found = value.objects.filter((_, index) => value.labels[index]!.has(at))
      if (found.length === 0) throw new OperandError(`the path has no step labelled ${JSON.stringify(at)}`)
      return found.length === 1 ? found[0] : found
    }
  ],
  head: [0, 0, (value: Path) => value.objects.at(-1) ?? null]
}

/** Methods of entries of maps. */
export const entryMethods: Methods = {
  getKey: [0, 0, (value: MapEntry) => value.key],
  getValue: [0, 0, (value: MapEntry) => value.value]
}
