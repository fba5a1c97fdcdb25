import type { SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import { inferredType } from "../../storage/janusgraph/schema/TypeInference.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import { edgeLabelMaker, propertyKeyMaker, vertexLabelMaker } from "./Builders.ts"
import { keyObject, labelObject, vertexLabelObject } from "./SchemaObjects.ts"
import { type Method, type ScriptObject, stringOf } from "./ScriptObject.ts"

/** Methods that make and find property keys, edge labels and vertex labels. */
export const typeCalls = (graph: string, open: () => SchemaEditor): Readonly<Record<string, Method>> => {
  const named = (value: unknown, method: string): string => stringOf(value, method, "a name")
  return {
    makePropertyKey: ([name]) => propertyKeyMaker(graph, open(), named(name, "makePropertyKey")),
    makeEdgeLabel: ([name]) => edgeLabelMaker(graph, open(), named(name, "makeEdgeLabel")),
    makeVertexLabel: ([name]) => vertexLabelMaker(graph, open(), named(name, "makeVertexLabel")),
    containsPropertyKey: ([name]) => open().key(named(name, "containsPropertyKey")) !== undefined,
    containsEdgeLabel: ([name]) => open().label(named(name, "containsEdgeLabel")) !== undefined,
    containsVertexLabel: ([name]) => open().vertexLabel(named(name, "containsVertexLabel")) !== undefined,
    containsRelationType: ([name]) => relationType(graph, open(), named(name, "containsRelationType")) !== null,
    getPropertyKey: ([name]) => {
      const key = open().key(named(name, "getPropertyKey"))
      return key === undefined ? null : keyObject(graph, open(), key)
    },
    getEdgeLabel: ([name]) => {
      const label = open().label(named(name, "getEdgeLabel"))
      return label === undefined ? null : labelObject(graph, open(), label)
    },
    getVertexLabel: ([name]) => {
      const label = open().vertexLabel(named(name, "getVertexLabel"))
      return label === undefined ? null : vertexLabelObject(graph, open(), label)
    },
    getRelationType: ([name]) => relationType(graph, open(), named(name, "getRelationType")),
    // The data type is inferred from the value, as JanusGraph's schema makers do.
    getOrCreatePropertyKey: ([name, value]) => {
      const key = open().key(named(name, "getOrCreatePropertyKey"))
      if (key !== undefined) return keyObject(graph, open(), key)
      return open().withIds(() =>
        keyObject(graph, open(), open().makeKey(String(name), inferredType(value), undefined))
      )
    },
    getOrCreateEdgeLabel: ([name]) => {
      const label = open().label(named(name, "getOrCreateEdgeLabel"))
      if (label !== undefined) return labelObject(graph, open(), label)
      return open().withIds(() => labelObject(graph, open(), open().makeLabel(String(name), "MULTI", false, [])))
    },
    getOrCreateVertexLabel: ([name]) => {
      const label = open().vertexLabel(named(name, "getOrCreateVertexLabel"))
      if (label !== undefined) return vertexLabelObject(graph, open(), label)
      return open().withIds(() => vertexLabelObject(graph, open(), open().makeVertexLabel(String(name), false, false)))
    },
    getVertexLabels: () => open().vertexLabels.map((label) => vertexLabelObject(graph, open(), label)),
    getRelationTypes: ([type]) => {
      const wanted = type instanceof ClassName ? type.simpleName : ""
      const keys = wanted === "EdgeLabel" ? [] : open().keys.map((key) => keyObject(graph, open(), key))
      return wanted === "PropertyKey"
        ? keys
        : [...keys, ...open().labels.map((each) => labelObject(graph, open(), each))]
    }
  }
}

/** The property key or edge label of a name; null when the schema has none. */
const relationType = (graph: string, editor: SchemaEditor, name: string): ScriptObject | null => {
  const key = editor.key(name)
  if (key !== undefined) return keyObject(graph, editor, key)
  const label = editor.label(name)
  return label === undefined ? null : labelObject(graph, editor, label)
}
