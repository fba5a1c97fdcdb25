import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { Schema } from "../../storage/janusgraph/schema/Schema.ts"
import { keyObject, labelObject, vertexLabelObject } from "./SchemaObjects.ts"
import { type ScriptObject, stringOf } from "./ScriptObject.ts"
import { committedTypes } from "./TypeDetails.ts"

/** The type of a name in the schema of a graph; null for none. */
type Find = (graph: string, schema: Schema, name: string) => ScriptObject | null

const propertyKey: Find = (graph, schema, name) => {
  const key = schema.keys.get(name)
  return key === undefined ? null : keyObject(graph, committedTypes(schema), key)
}

const edgeLabel: Find = (graph, schema, name) => {
  const label = schema.labels.get(name)
  return label === undefined ? null : labelObject(graph, committedTypes(schema), label)
}

const vertexLabel: Find = (graph, schema, name) => {
  const label = schema.vertexLabels.get(name)
  return label === undefined ? null : vertexLabelObject(graph, committedTypes(schema), label)
}

const kinds: ReadonlyArray<readonly [kind: string, find: Find]> = [
  ["PropertyKey", propertyKey],
  ["EdgeLabel", edgeLabel],
  ["RelationType", (graph, schema, name) => propertyKey(graph, schema, name) ?? edgeLabel(graph, schema, name)],
  ["VertexLabel", vertexLabel]
]

/** A method of a graph with the name of a type as its argument. */
type TypeMethod = (graph: CellGraph, name: unknown) => Promise<ScriptObject | boolean | null>

/** Methods of a graph that read its committed schema, such as `graph.getPropertyKey('name')`, by their names. */
export const typeMethods: ReadonlyMap<string, TypeMethod> = new Map(
  kinds.flatMap(([kind, find]): ReadonlyArray<readonly [string, TypeMethod]> => {
    const [get, contains] = [`get${kind}`, `contains${kind}`]
    const found = async (method: string, graph: CellGraph, name: unknown): Promise<ScriptObject | null> => {
      const wanted = stringOf(name, method, "the name of a type")
      return find(graph.name, await graph.management.schema(), wanted)
    }
    return [
      [get, (graph, name) => found(get, graph, name)],
      [contains, async (graph, name) => (await found(contains, graph, name)) !== null]
    ]
  })
)
