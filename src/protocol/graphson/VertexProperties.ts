import type { Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import type { WriteMode } from "../WriteMode.ts"

/** Properties whose keys are compared with each other to find out whether they are grouped. */
const COMPARED_PROPERTIES = 32

/**
 * The properties of a vertex, grouped by key, in the order of the first property of each key, as GraphSON requires. They are
 * nearly always in this order already.
 */
export const byKey = (properties: readonly VertexProperty[]): readonly VertexProperty[] => {
  // Comparing each key with all earlier ones would take seconds for some thousand keys.
  if (properties.length > COMPARED_PROPERTIES) return regrouped(properties)
  for (let i = 2; i < properties.length; i++) {
    const key = properties[i]!.key
    if (key === properties[i - 1]!.key) continue
    for (let j = 0; j < i - 1; j++) if (properties[j]!.key === key) return regrouped(properties)
  }
  return properties
}

const regrouped = (properties: readonly VertexProperty[]): readonly VertexProperty[] => {
  const groups = new Map<string, Array<VertexProperty>>()
  for (const property of properties) {
    const group = groups.get(property.key)
    if (group === undefined) groups.set(property.key, [property])
    else group.push(property)
  }
  return [...groups.values()].flat()
}

/** Whether a property is the first one of its key. The properties are grouped by key. */
export const isFirst = (properties: readonly VertexProperty[], at: number): boolean =>
  at === 0 || properties[at - 1]!.key !== properties[at]!.key

/** Whether a property is the last one of its key. The properties are grouped by key. */
export const isLast = (properties: readonly VertexProperty[], at: number): boolean =>
  at === properties.length - 1 || properties[at + 1]!.key !== properties[at]!.key

/** The JSON of the properties of a vertex by key, without the braces around them; empty if there are none. */
export const propertiesJson = (
  { long }: WriteMode,
  vertex: Vertex,
  all: (properties: readonly VertexProperty[]) => string,
  one: (properties: readonly VertexProperty[], at: number) => string
): string => {
  if (long === null) return all(byKey(vertex.properties()))
  return long.made(() => byKey(vertex.properties()), all, one)
}
