import { TraversalError } from "../../process/language/Errors.ts"
import { nameOfRelationIndex } from "../../storage/janusgraph/management/IndexDefinition.ts"
import type { SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import { idOfIndex } from "../../storage/janusgraph/management/SchemaEdits.ts"
import { HostConstant } from "../../structure/collections/HostConstant.ts"
import { Duration } from "../../structure/times/Temporal.ts"
import {
  indexKind,
  isAnyLabel,
  isElement,
  isKey,
  isLabel,
  isType,
  isVertexLabel,
  type SchemaSubject
} from "./SchemaObjects.ts"
import { constantOf, type Method, rename, severalOf, stringOf, subjectOf } from "./ScriptObject.ts"
import { secondsToLive } from "./TypeDetails.ts"

/** Methods that read and change settings of types and indexes: TTL, consistency, constraints and names. */
export const settingCalls = (open: () => SchemaEditor): Readonly<Record<string, Method>> => ({
  setTTL: ([value, time]) => {
    const subject = subjectOf(value, isType, "setTTL", "a property key, an edge label or a vertex label")
    if (!(time instanceof Duration)) throw new TraversalError("setTTL() takes a time, such as Duration.ofDays(7).")
    const type = subject.kind === "key" ? subject.key : subject.label
    return withIds(open(), (editor) => editor.setTimeToLive(type, Number(time.seconds)))
  },
  getTTL: ([value]) => {
    const subject = subjectOf(value, isType, "getTTL", "a property key, an edge label or a vertex label")
    const { id } = subject.kind === "key" ? subject.key : subject.label
    return new Duration(BigInt(secondsToLive(open(), id)), 0)
  },
  setConsistency: ([value, level]) => {
    const name = constantOf(level, ["ConsistencyModifier"], "setConsistency")
    const subject = subjectOf(value, isElement, "setConsistency", "a type or an index")
    assertConsistency(subject, name)
    // Every commit is checked for conflicts, whatever the level. The level is stored for JanusGraph.
    return withIds(open(), (editor) => editor.setConsistency(idOf(subject, editor), name))
  },
  getConsistency: ([value]) => {
    const id = idOf(subjectOf(value, isElement, "getConsistency", "a type or an index"), open())
    const edits = open().edits.filter((each) => each.kind === "consistency")
    const edit = edits.findLast((each) => each.type === id)
    const level = edit?.name ?? open().schema.modifiers.consistencies.get(id) ?? "DEFAULT"
    return new HostConstant("ConsistencyModifier", level)
  },
  addProperties: ([value, ...keys]) => {
    const { label } = subjectOf(value, isAnyLabel, "addProperties", "a vertex label or an edge label")
    open().addProperties(
      label,
      severalOf(keys).map((key) => subjectOf(key, isKey, "addProperties", "property keys").key)
    )
    return value
  },
  addConnection: ([edge, out, into]) => {
    const label = subjectOf(edge, isLabel, "addConnection", "an edge label first").label
    const [from, to] = [out, into].map(
      (end) => subjectOf(end, isVertexLabel, "addConnection", "the vertex labels of both ends").label
    )
    open().addConnection(label, from!, to!)
    return edge
  },
  changeName: ([value, name]) => {
    const subject = subjectOf(value, isElement, "changeName", "a type or an index")
    const newName = stringOf(name, "changeName", "the new name")
    switch (subject.kind) {
      case "key":
        open().changeName(subject.key.id, "PROPERTYKEY", subject.key.name, newName)
        break
      case "label":
        open().changeName(subject.label.id, "EDGELABEL", subject.label.name, newName)
        break
      case "vertexLabel":
        open().changeName(subject.label.id, "VERTEXLABEL", subject.label.name, newName)
        break
      case "index":
        open().changeName(idOfIndex(open().edits, subject.index), "GRAPHINDEX", subject.index.name, newName)
        break
      default:
        if (newName === nameOf(subject)) return null
        throw new TraversalError(`The vertex-centric index ${nameOfRelationIndex(subject.index)} cannot be renamed.`)
    }
    rename(value, newName)
    return null
  }
})

/** Adds a modifier, which takes an id. */
const withIds = (editor: SchemaEditor, change: (editor: SchemaEditor) => void): null | Promise<null> =>
  editor.withIds(() => {
    change(editor)
    return null
  })

const nameOf = (subject: SchemaSubject): string => {
  switch (subject.kind) {
    case "key":
      return subject.key.name
    case "index":
      return subject.index.name
    case "relationIndex":
      return nameOfRelationIndex(subject.index)
    default:
      return subject.label.name
  }
}

/** JanusGraph's rules: JanusGraph could not read a type with another level. */
const assertConsistency = (subject: SchemaSubject, level: string): void => {
  const isMixed = subject.kind === "index" && indexKind(subject.index) === "mixed"
  if (subject.kind === "vertexLabel" || isMixed) {
    const what = isMixed ? "on mixed index" : "of schema element"
    throw new TraversalError(`Cannot change consistency ${what}: ${nameOf(subject)}`)
  }
  const isConstrained =
    (subject.kind === "key" && subject.key.cardinality !== "LIST") ||
    (subject.kind === "label" && subject.label.multiplicity !== "MULTI")
  if (level !== "FORK" || !isConstrained) return
  throw new TraversalError(
    `Cannot apply FORK consistency mode to constraint relation type: ${nameOf(subject)}. It is for keys with the cardinality LIST and edge ` +
      "labels with the multiplicity MULTI."
  )
}

/** The id of a type or index. */
const idOf = (subject: SchemaSubject, editor: SchemaEditor): number => {
  switch (subject.kind) {
    case "key":
      return subject.key.id
    case "index":
      return idOfIndex(editor.edits, subject.index)
    case "relationIndex":
      return subject.index.type.id
    default:
      return subject.label.id
  }
}
