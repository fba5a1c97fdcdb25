import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import { checkLabel } from "../../shared/PropertyWrites.ts"
import { EXPIRES, type Schema } from "../schema/Schema.ts"
import { checkTypeName } from "../schema/TypeNames.ts"
import { nameTaken } from "./NameChange.ts"
import type { SchemaEdit } from "./SchemaEdits.ts"

type NameEdit = Extract<SchemaEdit, { kind: "name" }>

/** A name that an edit gives, and the namespace in which names are unique. Property keys and edge labels share one namespace. */
interface Named {
  readonly what: string
  readonly namespace: "relation type" | "vertex label" | "index"
  readonly name: string
}

/**
 * Adds a change of a name. It replaces an earlier change of the same type or index; a change back to the committed name only removes
 * the earlier change. Throws UnsupportedValue for a type or index that is not committed yet, and for a name that is not allowed or that
 * another edit gives.
 */
export const addNameEdit = (schema: Schema, edits: Array<SchemaEdit>, edit: NameEdit): void => {
  const { before, category, id, name } = edit
  const isCommitted =
    category === "GRAPHINDEX"
      ? schema.indexes.some((index) => index.id === id)
      : schema.type(id) !== undefined || schema.vertexLabel(id) !== undefined
  if (!isCommitted) {
    throw new UnsupportedValue(`${before} is not committed yet: create it with the name ${name}, or commit first.`)
  }
  checkLabel(name)
  if (category !== "GRAPHINDEX") {
    // The key of expiry times keeps its name.
    if (before === EXPIRES) checkTypeName(before)
    checkTypeName(name)
  }
  const others = edits.filter((other) => !(other.kind === "name" && other.id === id))
  checkNotGiven(others, namespaceOf(category), name)
  edits.splice(0, edits.length, ...others)
  if (name !== before) edits.push(edit)
}

/** Throws UnsupportedValue if one of the edits gives the name to something in the same namespace. */
export const checkNotGiven = (
  edits: ReadonlyArray<SchemaEdit>,
  namespace: Named["namespace"],
  wanted: string
): void => {
  for (const edit of edits) {
    if (nameIn(edit) !== wanted) continue
    const given = givenBy(edit)
    if (given?.namespace === namespace) throw nameTaken(given.what, wanted)
  }
}

/** The name that an edit gives. It makes no object: the edits that define many types are compared with each other. */
const nameIn = (edit: SchemaEdit): string | undefined => {
  switch (edit.kind) {
    case "key":
      return edit.key.name
    case "label":
    case "vertexLabel":
      return edit.label.name
    case "index":
      return edit.index.name
    case "name":
      return edit.name
    default:
      return undefined
  }
}

const givenBy = (edit: SchemaEdit): Named | undefined => {
  switch (edit.kind) {
    case "key":
      return { what: "property key", namespace: "relation type", name: edit.key.name }
    case "label":
      return { what: "edge label", namespace: "relation type", name: edit.label.name }
    case "vertexLabel":
      return { what: "vertex label", namespace: "vertex label", name: edit.label.name }
    case "index":
      return { what: "index", namespace: "index", name: edit.index.name }
    case "name": {
      const namespace = namespaceOf(edit.category)
      const what = edit.category === "PROPERTYKEY" ? "property key" : "edge label"
      return { what: namespace === "relation type" ? what : namespace, namespace, name: edit.name }
    }
    default:
      return undefined
  }
}

const namespaceOf = (category: NameEdit["category"]): Named["namespace"] => {
  if (category === "VERTEXLABEL") return "vertex label"
  return category === "GRAPHINDEX" ? "index" : "relation type"
}
