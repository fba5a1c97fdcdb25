import { TraversalError } from "../../process/language/Errors.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { nameOfRelationIndex, type SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import type { EdgeLabel, PropertyKey, RelationIndex } from "../../storage/janusgraph/schema/Schema.ts"
import { inferredType } from "../../storage/janusgraph/schema/TypeInference.ts"
import { ClassName, Duration } from "../../structure/Temporal.ts"
import { edgeLabelMaker, indexBuilder, keyOf, mappingOf, propertyKeyMaker, vertexLabelMaker } from "./Builders.ts"
import { clusterCalls } from "./ClusterCalls.ts"
import { indexJob, updateIndex } from "./IndexActions.ts"
import {
  indexObject,
  isAnyLabel,
  isElement,
  isIndex,
  isKey,
  isLabel,
  isRelationType,
  isType,
  isVertexLabel,
  keyObject,
  labelObject,
  onlyLabelObject,
  relationIndexObject,
  vertexLabelObject
} from "./SchemaObjects.ts"
import { printEdgeLabels, printIndexes, printPropertyKeys, printSchema, printVertexLabels } from "./SchemaPrinting.ts"
import { Committing, constantOf, elementOf, type Method, ScriptObject, stringOf, subjectOf } from "./ScriptObject.ts"

/** JanusGraph's management of a graph: `graph.openManagement()`. One change of the schema, until commit() or rollback(). */
export const openManagement = async (graph: CellGraph): Promise<ScriptObject> => {
  const management = new Management(graph, await graph.management.edit())
  return new ScriptObject("management", graph.name, management, management.methods)
}

class Management {
  readonly #graph: CellGraph
  readonly #name: string
  #editor: SchemaEditor | null

  constructor(graph: CellGraph, editor: SchemaEditor) {
    this.#graph = graph
    this.#name = graph.name
    this.#editor = editor
  }

  get #open(): SchemaEditor {
    if (this.#editor !== null) return this.#editor
    throw new TraversalError(
      "This management was committed or rolled back and is closed: open another one by graph.openManagement()."
    )
  }

  get methods(): Readonly<Record<string, Method>> {
    return {
      ...this.#types(),
      ...this.#indexes(),
      ...this.#settings(),
      ...clusterCalls(this.#graph),
      printSchema: () => printSchema(this.#open),
      printVertexLabels: () => printVertexLabels(this.#open),
      printEdgeLabels: () => printEdgeLabels(this.#open),
      printPropertyKeys: () => printPropertyKeys(this.#open),
      printIndexes: () => printIndexes(this.#open),
      isOpen: () => this.#editor !== null,
      commit: () => {
        const editor = this.#open
        this.#editor = null
        return new Committing(async (keeps) => {
          await this.#graph.management.commit(editor)
          if (editor.edits.length > 0) keeps(`the schema of the graph '${this.#name}'`)
          return null
        })
      },
      rollback: () => {
        this.#editor = null
        return null
      }
    }
  }

  #types(): Readonly<Record<string, Method>> {
    const graph = this.#name
    const named = (value: unknown, method: string): string => stringOf(value, method, "a name")
    return {
      makePropertyKey: ([name]) => propertyKeyMaker(graph, this.#open, named(name, "makePropertyKey")),
      makeEdgeLabel: ([name]) => edgeLabelMaker(graph, this.#open, named(name, "makeEdgeLabel")),
      makeVertexLabel: ([name]) => vertexLabelMaker(graph, this.#open, named(name, "makeVertexLabel")),
      containsPropertyKey: ([name]) => this.#open.key(named(name, "containsPropertyKey")) !== undefined,
      containsEdgeLabel: ([name]) => this.#open.label(named(name, "containsEdgeLabel")) !== undefined,
      containsVertexLabel: ([name]) => this.#open.vertexLabel(named(name, "containsVertexLabel")) !== undefined,
      containsRelationType: ([name]) => this.#relationType(named(name, "containsRelationType")) !== null,
      getPropertyKey: ([name]) => {
        const key = this.#open.key(named(name, "getPropertyKey"))
        return key === undefined ? null : keyObject(graph, key)
      },
      getEdgeLabel: ([name]) => {
        const label = this.#open.label(named(name, "getEdgeLabel"))
        return label === undefined ? null : labelObject(graph, label)
      },
      getVertexLabel: ([name]) => {
        const label = this.#open.vertexLabel(named(name, "getVertexLabel"))
        return label === undefined ? null : vertexLabelObject(graph, label)
      },
      getRelationType: ([name]) => this.#relationType(named(name, "getRelationType")),
      // The data type is that of a value that is given too, as JanusGraph's schema makers take it.
      getOrCreatePropertyKey: ([name, value]) => {
        const key = this.#open.key(named(name, "getOrCreatePropertyKey"))
        return keyObject(graph, key ?? this.#open.makeKey(String(name), inferredType(value), undefined))
      },
      getOrCreateEdgeLabel: ([name]) => {
        const label = this.#open.label(named(name, "getOrCreateEdgeLabel"))
        return labelObject(graph, label ?? this.#open.makeLabel(String(name), "MULTI", false, []))
      },
      getOrCreateVertexLabel: ([name]) => {
        const label = this.#open.vertexLabel(named(name, "getOrCreateVertexLabel"))
        return vertexLabelObject(graph, label ?? this.#open.makeVertexLabel(String(name), false, false))
      },
      getVertexLabels: () => this.#open.vertexLabels.map((label) => vertexLabelObject(graph, label)),
      getRelationTypes: ([type]) => {
        const wanted = type instanceof ClassName ? type.name : ""
        const keys = wanted === "EdgeLabel" ? [] : this.#open.keys.map((key) => keyObject(graph, key))
        return wanted === "PropertyKey" ? keys : [...keys, ...this.#open.labels.map((each) => labelObject(graph, each))]
      }
    }
  }

  #relationType(name: string): ScriptObject | null {
    const key = this.#open.key(name)
    if (key !== undefined) return keyObject(this.#name, key)
    const label = this.#open.label(name)
    return label === undefined ? null : labelObject(this.#name, label)
  }

  #indexes(): Readonly<Record<string, Method>> {
    const graph = this.#name
    return {
      buildIndex: ([name, element]) =>
        indexBuilder(graph, this.#open, stringOf(name, "buildIndex", "a name"), elementOf(element, "buildIndex")),
      buildEdgeIndex: ([label, name, direction, ...rest]) => {
        const base = subjectOf(label, isLabel, "buildEdgeIndex", "an edge label").label
        const way = constantOf(direction, ["Direction"], "buildEdgeIndex") as RelationIndex["direction"]
        return this.#relationIndex(base, name, way, rest, "buildEdgeIndex")
      },
      buildPropertyIndex: ([key, name, ...rest]) =>
        this.#relationIndex(keyOf(key, "buildPropertyIndex"), name, "OUT", rest, "buildPropertyIndex"),
      containsGraphIndex: ([name]) => this.#open.index(String(name)) !== undefined,
      getGraphIndex: ([name]) => {
        const index = this.#open.index(stringOf(name, "getGraphIndex", "a name"))
        return index === undefined ? null : indexObject(graph, this.#open, index)
      },
      getIndexOnlyConstraint: ([name]) => {
        const index = this.#open.index(stringOf(name, "getIndexOnlyConstraint", "the name of an index"))
        return index === undefined ? null : onlyLabelObject(graph, this.#open, index)
      },
      getIndexJobStatus: ([index]) =>
        indexJob(this.#graph, subjectOf(index, isIndex, "getIndexJobStatus", "an index that is there")),
      getGraphIndexes: ([element]) => {
        const wanted = elementOf(element, "getGraphIndexes")
        return this.#open.indexes
          .filter((each) => each.element === wanted)
          .map((each) => indexObject(graph, this.#open, each))
      },
      containsRelationIndex: ([type, name]) =>
        this.#findRelationIndex(type, name, "containsRelationIndex") !== undefined,
      getRelationIndex: ([type, name]) => {
        const index = this.#findRelationIndex(type, name, "getRelationIndex")
        return index === undefined ? null : relationIndexObject(graph, this.#open, index)
      },
      getRelationIndexes: ([type]) => {
        const base = subjectOf(type, isRelationType, "getRelationIndexes", "a property key or an edge label")
        const { id } = base.kind === "key" ? base.key : base.label
        return this.#open.relationIndexes
          .filter((index) => index.base === id)
          .map((index) => relationIndexObject(graph, this.#open, index))
      },
      addIndexKey: ([value, key, ...parameters]) => {
        const subject = subjectOf(value, isIndex, "addIndexKey", "an index")
        if (subject.kind !== "index" || !("id" in subject.index)) {
          throw new TraversalError("addIndexKey() takes a mixed index that is committed already.")
        }
        this.#open.addIndexKey(subject.index, keyOf(key, "addIndexKey"), mappingOf(parameters))
        return null
      },
      updateIndex: ([index, action]) => {
        const editor = this.#open
        const subject = subjectOf(index, isIndex, "updateIndex", "an index that is there, as getGraphIndex() gives it")
        return updateIndex(this.#graph, editor, subject, constantOf(action, ["SchemaAction"], "updateIndex"))
      }
    }
  }

  #relationIndex(
    base: EdgeLabel | PropertyKey,
    name: unknown,
    direction: RelationIndex["direction"],
    rest: ReadonlyArray<unknown>,
    method: string
  ): ScriptObject {
    const [first] = rest
    const order = isOrder(first) ? constantOf(first, ["Order"], method) : "asc"
    const keys = (isOrder(first) ? rest.slice(1) : rest).map((key) => keyOf(key, method))
    const named = stringOf(name, method, "a name")
    const descending = order === "desc" || order === "decr"
    return relationIndexObject(
      this.#name,
      this.#open,
      this.#open.makeRelationIndex(base, named, direction, descending, keys)
    )
  }

  #findRelationIndex(type: unknown, name: unknown, method: string): RelationIndex | undefined {
    const base = subjectOf(type, isRelationType, method, "a property key or an edge label")
    return this.#open.relationIndex((base.kind === "key" ? base.key : base.label).id, String(name))
  }

  #settings(): Readonly<Record<string, Method>> {
    return {
      setTTL: ([value, time]) => {
        const subject = subjectOf(value, isType, "setTTL", "a property key, an edge label or a vertex label")
        if (!(time instanceof Duration)) throw new TraversalError("setTTL() takes a time, such as Duration.ofDays(7).")
        this.#open.setTimeToLive(subject.kind === "key" ? subject.key : subject.label, Number(time.seconds))
        return null
      },
      getTTL: ([value]) => {
        const subject = subjectOf(value, isType, "getTTL", "a property key, an edge label or a vertex label")
        const { id } = subject.kind === "key" ? subject.key : subject.label
        return new Duration(BigInt(this.#open.schema.timeToLive(id)), 0)
      },
      setConsistency: ([value, level]) => {
        const name = constantOf(level, ["ConsistencyModifier"], "setConsistency")
        const id = idOf(subjectOf(value, isElement, "setConsistency", "a type or an index"))
        // Commits are checked for conflicts whatever the level is; the level is kept for JanusGraph.
        if (id !== undefined) this.#open.setConsistency(id, name)
        return null
      },
      getConsistency: ([value]) => {
        const id = idOf(subjectOf(value, isElement, "getConsistency", "a type or an index"))
        return this.#open.schema.modifiers.consistencies.get(id ?? -1) ?? "DEFAULT"
      },
      addProperties: ([value, ...keys]) => {
        const { label } = subjectOf(value, isAnyLabel, "addProperties", "a vertex label or an edge label")
        this.#open.addProperties(
          label,
          keys.map((key) => subjectOf(key, isKey, "addProperties", "property keys").key)
        )
        return value
      },
      addConnection: ([edge, out, into]) => {
        const label = subjectOf(edge, isLabel, "addConnection", "an edge label first").label
        const [from, to] = [out, into].map(
          (end) => subjectOf(end, isVertexLabel, "addConnection", "the vertex labels of both ends").label
        )
        this.#open.addConnection(label, from!, to!)
        return edge
      },
      changeName: ([value, name]) => {
        const subject = subjectOf(value, isElement, "changeName", "a type or an index")
        const newName = stringOf(name, "changeName", "the new name")
        switch (subject.kind) {
          case "key":
            this.#open.changeName(subject.key.id, "PROPERTYKEY", subject.key.name, newName)
            break
          case "label":
            this.#open.changeName(subject.label.id, "EDGELABEL", subject.label.name, newName)
            break
          case "vertexLabel":
            this.#open.changeName(subject.label.id, "VERTEXLABEL", subject.label.name, newName)
            break
          case "index":
            this.#open.changeName(idOf(subject) ?? -1, "GRAPHINDEX", subject.index.name, newName)
            break
          default:
            throw new TraversalError(`The vertex-centric index ${nameOfRelationIndex(subject.index)} keeps its name.`)
        }
        return null
      }
    }
  }
}

const isOrder = (value: unknown): boolean => {
  try {
    return ["asc", "desc", "incr", "decr"].includes(constantOf(value, ["Order"], ""))
  } catch {
    return false
  }
}

/** The id of what a script hands over; undefined for an index that is not committed yet. */
const idOf = (subject: Parameters<typeof isElement>[0] & { readonly kind: string }): number | undefined => {
  if (!isElement(subject)) return undefined
  switch (subject.kind) {
    case "key":
      return subject.key.id
    case "index":
      return "id" in subject.index ? subject.index.id : undefined
    case "relationIndex":
      return subject.index.type.id
    default:
      return subject.label.id
  }
}
