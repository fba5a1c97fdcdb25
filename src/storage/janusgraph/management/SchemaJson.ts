import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { CellGraph } from "../CellGraph.ts"
import type { CardinalityName, Multiplicity } from "../format/EnumAttributes.ts"
import type { EdgeLabel, PropertyKey, RelationIndex, VertexLabel } from "../schema/Schema.ts"
import { dataTypeOf, type SchemaEditor } from "./SchemaEditor.ts"
import { idOfIndex } from "./SchemaEdits.ts"
import { fieldsOf } from "./SchemaJsonFields.ts"
import { type Entry, entriesOf, type Located, parse } from "./SchemaJsonText.ts"

/**
 * JanusGraph's schema in JSON (`schema.init.strategy=json`). Missing types are created first, then missing indexes.
 * Existing ones are not changed. An unknown member of the document is an error.
 */

interface SchemaJsonOptions {
  /** Ignores the types of the document. Default false. */
  readonly skipElements?: boolean
  /** Ignores the indexes of the document. Default false. */
  readonly skipIndices?: boolean
  /** Called after the commit of the types, and after that of the indexes. */
  readonly committed?: () => void
  /** Called when both are committed. Only the builds of indexes remain, which do not need the caller. */
  readonly goesOn?: () => void
}

/**
 * Creates the types and indexes of a document, and waits until the indexes can be queried. Throws UnsupportedValue with
 * the position in the document.
 */
export const initializeSchema = async (
  graph: CellGraph,
  json: string,
  options: SchemaJsonOptions = {}
): Promise<void> => {
  const document = parse(json)
  const { management } = graph
  const lists = (...names: ReadonlyArray<string>) => names.flatMap((name) => entriesOf(document, name))
  if (!options.skipElements) await defineAll(graph, lists("propertyKeys", "edgeLabels", "vertexLabels"), options)
  if (options.skipIndices) return
  await defineAll(
    graph,
    lists("compositeIndexes", "vertexCentricEdgeIndexes", "vertexCentricPropertyIndexes", "mixedIndexes"),
    options
  )
  options.goesOn?.()
  const schema = await management.schema()
  const ids = [...schema.indexes.map(({ id }) => id), ...schema.relationIndexes.map(({ type }) => type.id)]
  for (const id of ids) await management.done(id)
}

/**
 * Commits definitions. Another process that starts at the same time may have made the same definitions since the schema was read: then
 * they are compared with the newest schema again.
 */
const defineAll = async (
  { management }: CellGraph,
  entries: ReadonlyArray<Located>,
  { committed }: SchemaJsonOptions
): Promise<void> => {
  for (;;) {
    const editor = await management.edit()
    for (const located of entries) {
      try {
        await editor.withIds(() => define(editor, located))
      } catch (error) {
        if (!(error instanceof UnsupportedValue)) throw error
        throw new UnsupportedValue(`${located.place} of the schema in JSON: ${error.message}`)
      }
    }
    try {
      await management.commit(editor)
      if (editor.edits.length > 0) committed?.()
      return
    } catch (error) {
      const isNewest = (await management.schema()).version === editor.schema.version
      if (!(error instanceof UnsupportedValue) || isNewest) throw error
    }
  }
}

const define = (editor: SchemaEditor, { entry, list }: Located): void => {
  switch (list) {
    case "propertyKeys":
      defineKey(editor, entry)
      return
    case "edgeLabels":
      defineLabel(editor, entry)
      return
    case "vertexLabels":
      defineVertexLabel(editor, entry)
      return
    case "vertexCentricEdgeIndexes":
    case "vertexCentricPropertyIndexes":
      defineRelationIndex(editor, entry)
      return
    default:
      defineIndex(editor, entry, list === "mixedIndexes")
  }
}

const word = (entry: Entry, name: string): string => {
  const value = entry[name]
  if (typeof value === "string") return value
  throw new UnsupportedValue(`${name} must be a string, not ${JSON.stringify(value)}.`)
}

const flag = (entry: Entry, name: string): boolean => {
  const value = entry[name] ?? false
  if (typeof value === "boolean") return value
  throw new UnsupportedValue(`${name} must be true or false, not ${JSON.stringify(value)}.`)
}

const oneOf = <A extends string>(entry: Entry, name: string, words: ReadonlyArray<A>): A | undefined => {
  const value = entry[name]
  if (value === undefined || value === null) return undefined
  const found = words.find((each) => each === value)
  if (found !== undefined) return found
  throw new UnsupportedValue(`${name} must be one of ${words.join(", ")}, not ${JSON.stringify(value)}.`)
}

/** Sets a TTL. It is in milliseconds in the document and in seconds in the schema. */
const setTime = (editor: SchemaEditor, type: PropertyKey | EdgeLabel | VertexLabel, entry: Entry): void => {
  const { ttl } = entry
  if (ttl === undefined || ttl === null) return
  if (typeof ttl !== "number")
    throw new UnsupportedValue(`ttl must be a number of milliseconds, not ${JSON.stringify(ttl)}.`)
  editor.setTimeToLive(type, Math.floor(ttl / 1000))
}

const setConsistency = (editor: SchemaEditor, id: number, entry: Entry): void => {
  const level = oneOf(entry, "consistency", ["DEFAULT", "LOCK", "FORK"])
  if (level !== undefined) editor.setConsistency(id, level)
}

const defineKey = (editor: SchemaEditor, entry: Entry): void => {
  const name = word(entry, "key")
  if (editor.key(name) !== undefined) return
  const cardinality = oneOf<CardinalityName>(entry, "cardinality", ["SINGLE", "LIST", "SET"])
  const key = editor.makeKey(name, dataTypeOf(word(entry, "className")), cardinality)
  setTime(editor, key, entry)
  setConsistency(editor, key.id, entry)
}

const defineLabel = (editor: SchemaEditor, entry: Entry): void => {
  const name = word(entry, "label")
  if (editor.label(name) !== undefined) return
  const multiplicity = oneOf<Multiplicity>(entry, "multiplicity", [
    "MULTI",
    "SIMPLE",
    "ONE2MANY",
    "MANY2ONE",
    "ONE2ONE"
  ])
  const label = editor.makeLabel(name, multiplicity ?? "MULTI", flag(entry, "unidirected"), [])
  setTime(editor, label, entry)
  setConsistency(editor, label.id, entry)
}

const defineVertexLabel = (editor: SchemaEditor, entry: Entry): void => {
  const name = word(entry, "label")
  if (editor.vertexLabel(name) !== undefined) return
  const label = editor.makeVertexLabel(name, flag(entry, "staticVertex"), flag(entry, "partition"))
  setTime(editor, label, entry)
}

const keyOf = (editor: SchemaEditor, name: unknown): PropertyKey => {
  const key = typeof name === "string" ? editor.key(name) : undefined
  if (key !== undefined) return key
  throw new UnsupportedValue(`The property key ${JSON.stringify(name)} does not exist; define it in propertyKeys.`)
}

const defineIndex = (editor: SchemaEditor, entry: Entry, mixed: boolean): void => {
  const name = word(entry, "name")
  if (editor.index(name) !== undefined) return
  const element = elementOf(word(entry, "typeClass"))
  const fields = fieldsOf(listOf(entry, "keys"))
  const inline = entry.inlinePropertyKeys === undefined ? [] : listOf(entry, "inlinePropertyKeys")
  const index = {
    name,
    element,
    unique: flag(entry, "unique"),
    keys: fields.map(({ propertyKey }) => keyOf(editor, propertyKey)),
    inlineKeys: inline.map((key) => keyOf(editor, key)),
    onlyLabel: entry.indexOnly === undefined ? undefined : labelOf(editor, element, word(entry, "indexOnly"))
  }
  if (mixed) {
    editor.makeIndex({
      ...index,
      kind: "mixed",
      mappings: fields.map(({ options }) => options.mapping),
      parameters: fields.map(({ options }) => options.parameters),
      backing: word(entry, "indexBackend")
    })
  } else {
    const made = editor.makeIndex({ ...index, kind: "equality" })
    setConsistency(editor, idOfIndex(editor.edits, made), entry)
  }
}

const listOf = (entry: Entry, name: string): ReadonlyArray<unknown> => {
  const value = entry[name]
  if (Array.isArray(value)) return value
  throw new UnsupportedValue(`${name} must be a list, not ${JSON.stringify(value)}.`)
}

const elementOf = (className: string): "vertex" | "edge" => {
  const simple = className.slice(className.lastIndexOf(".") + 1)
  if (simple === "Vertex") return "vertex"
  if (simple === "Edge") return "edge"
  throw new UnsupportedValue(`typeClass must be the class Vertex or Edge, not ${className}.`)
}

const labelOf = (editor: SchemaEditor, element: "vertex" | "edge", name: string): number => {
  const label = element === "vertex" ? editor.vertexLabel(name) : editor.label(name)
  if (label !== undefined) return label.id
  throw new UnsupportedValue(`indexOnly names the ${element} label ${name}, which does not exist.`)
}

const defineRelationIndex = (editor: SchemaEditor, entry: Entry): void => {
  const name = word(entry, "name")
  const isEdge = entry.indexedEdgeLabel !== undefined
  const base = isEdge ? editor.label(word(entry, "indexedEdgeLabel")) : editor.key(word(entry, "indexedPropertyKey"))
  if (base === undefined) {
    throw new UnsupportedValue(`The ${isEdge ? "edge label" : "property key"} of the index ${name} does not exist.`)
  }
  if (editor.relationIndex(base.id, name) !== undefined) return
  const descending = oneOf(entry, "order", ["asc", "desc"]) === "desc"
  const direction = oneOf<RelationIndex["direction"]>(entry, "direction", ["OUT", "IN", "BOTH"]) ?? "BOTH"
  const keys = listOf(entry, "propertyKeys").map((key) => keyOf(editor, key))
  editor.makeRelationIndex(base, name, direction, descending, keys)
}
