import { TraversalError } from "../../process/language/Errors.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import type { EdgeLabel, PropertyKey, RelationIndex } from "../../storage/janusgraph/schema/Schema.ts"
import { indexBuilder, keyOf } from "./Builders.ts"
import { fieldOptionsOf } from "./FieldParameters.ts"
import { indexJob, updateIndex } from "./IndexActions.ts"
import { indexObject, isIndex, isLabel, isRelationType, onlyLabelObject, relationIndexObject } from "./SchemaObjects.ts"
import {
  constantOf,
  elementOf,
  type Method,
  type ScriptObject,
  severalOf,
  stringOf,
  subjectOf
} from "./ScriptObject.ts"

/** Methods that build, find and change indexes. */
export const indexCalls = (cellGraph: CellGraph, open: () => SchemaEditor): Readonly<Record<string, Method>> => {
  const graph = cellGraph.name
  const shown = (index: RelationIndex): ScriptObject => relationIndexObject(graph, open(), index)
  return {
    buildIndex: ([name, element]) =>
      indexBuilder(graph, open(), stringOf(name, "buildIndex", "a name"), elementOf(element, "buildIndex")),
    buildEdgeIndex: ([label, name, direction, ...rest]) => {
      const base = subjectOf(label, isLabel, "buildEdgeIndex", "an edge label").label
      const way = constantOf(direction, ["Direction"], "buildEdgeIndex") as RelationIndex["direction"]
      return open().withIds(() =>
        shown(newRelationIndex(open(), base, way, [name, ...severalOf(rest)], "buildEdgeIndex"))
      )
    },
    buildPropertyIndex: ([value, ...rest]) => {
      const key = keyOf(value, "buildPropertyIndex")
      return open().withIds(() => shown(newRelationIndex(open(), key, "OUT", severalOf(rest), "buildPropertyIndex")))
    },
    containsGraphIndex: ([name]) => open().index(String(name)) !== undefined,
    getGraphIndex: ([name]) => {
      const index = open().index(stringOf(name, "getGraphIndex", "a name"))
      return index === undefined ? null : indexObject(graph, open(), index)
    },
    getIndexOnlyConstraint: ([name]) => {
      const index = open().index(stringOf(name, "getIndexOnlyConstraint", "the name of an index"))
      return index === undefined ? null : onlyLabelObject(graph, open(), index)
    },
    getIndexJobStatus: ([index]) => indexJob(cellGraph, subjectOf(index, isIndex, "getIndexJobStatus", "an index")),
    getGraphIndexes: ([element]) => {
      const wanted = elementOf(element, "getGraphIndexes")
      return open()
        .indexes.filter((each) => each.element === wanted)
        .map((each) => indexObject(graph, open(), each))
    },
    containsRelationIndex: ([type, name]) =>
      findRelationIndex(open(), type, name, "containsRelationIndex") !== undefined,
    getRelationIndex: ([type, name]) => {
      const index = findRelationIndex(open(), type, name, "getRelationIndex")
      return index === undefined ? null : shown(index)
    },
    getRelationIndexes: ([type]) => {
      const base = subjectOf(type, isRelationType, "getRelationIndexes", "a property key or an edge label")
      const { id } = base.kind === "key" ? base.key : base.label
      return open()
        .relationIndexes.filter((index) => index.base === id)
        .map(shown)
    },
    addIndexKey: ([value, key, ...parameters]) => {
      const subject = subjectOf(value, isIndex, "addIndexKey", "an index")
      if (subject.kind !== "index" || !("id" in subject.index)) {
        throw new TraversalError("addIndexKey() takes a mixed index that is already committed.")
      }
      open().addIndexKey(subject.index, keyOf(key, "addIndexKey"), fieldOptionsOf(severalOf(parameters)))
      return null
    },
    updateIndex: ([index, action]) => {
      const editor = open()
      const subject = subjectOf(index, isIndex, "updateIndex", "an index, as getGraphIndex() returns it")
      return updateIndex(cellGraph, editor, subject, constantOf(action, ["SchemaAction"], "updateIndex"))
    }
  }
}

/** Makes a vertex-centric index. The arguments are those of a script: a name, optionally an Order, and the sort keys. */
const newRelationIndex = (
  editor: SchemaEditor,
  base: EdgeLabel | PropertyKey,
  direction: RelationIndex["direction"],
  [name, ...rest]: ReadonlyArray<unknown>,
  method: string
): RelationIndex => {
  const [first] = rest
  const order = isOrder(first) ? constantOf(first, ["Order"], method) : "asc"
  const keys = (isOrder(first) ? rest.slice(1) : rest).map((key) => keyOf(key, method))
  const descending = order === "desc" || order === "decr"
  return editor.makeRelationIndex(base, stringOf(name, method, "a name"), direction, descending, keys)
}

const findRelationIndex = (
  editor: SchemaEditor,
  type: unknown,
  name: unknown,
  method: string
): RelationIndex | undefined => {
  const base = subjectOf(type, isRelationType, method, "a property key or an edge label")
  return editor.relationIndex((base.kind === "key" ? base.key : base.label).id, String(name))
}

const isOrder = (value: unknown): boolean => {
  try {
    return ["asc", "desc", "incr", "decr"].includes(constantOf(value, ["Order"], ""))
  } catch {
    return false
  }
}
