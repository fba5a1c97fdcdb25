import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { CellBatch } from "../cells/CellStore.ts"
import { CellCursor } from "../cells/Cells.ts"
import { sliceOf } from "../cells/Slices.ts"
import type { RowChanges } from "../commit/RowChanges.ts"
import {
  connect,
  keyDefinitions,
  labelDefinitions,
  nameRow,
  ONLY,
  putSchemaVertex,
  vertexLabelDefinitions
} from "../commit/SchemaCommit.ts"
import { longArray } from "../format/ArrayAttributes.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import { type DefinitionCategory, javaEnum, type SchemaCategory } from "../format/EnumAttributes.ts"
import type { Id } from "../format/Ids.ts"
import { JavaEnum } from "../format/JavaValues.ts"
import { decodeRelation } from "../format/Relations.ts"
import { schemaRelated, systemType } from "../format/RelationTypes.ts"
import { rowKey } from "../format/RowKeys.ts"
import {
  type EdgeLabel,
  EXPIRES,
  type GraphIndex,
  type PropertyKey,
  type RelationIndex,
  type Schema,
  type VertexLabel
} from "../schema/Schema.ts"
import { categoryRow, readWhole, schemaRowQuery } from "../schema/SchemaRead.ts"
import { listedCategories, readSchemaVertex } from "../schema/SchemaVertex.ts"
import {
  checkIndex,
  type FieldOptions,
  fieldParameters,
  type NewIndex,
  putField,
  putIndex,
  servedParameters
} from "./IndexDefinition.ts"
import { checkFree, type NameChange, nameTaken, putName } from "./NameChange.ts"

/** One change of a schema. */
export type SchemaEdit =
  | { readonly kind: "key"; readonly key: PropertyKey }
  | { readonly kind: "label"; readonly label: EdgeLabel }
  | { readonly kind: "vertexLabel"; readonly label: VertexLabel }
  | { readonly kind: "index"; readonly id: number; readonly index: NewIndex }
  | { readonly kind: "relationIndex"; readonly index: RelationIndex }
  | { readonly kind: "indexKey"; readonly index: GraphIndex; readonly key: PropertyKey; readonly options: FieldOptions }
  | { readonly kind: "timeToLive"; readonly type: number; readonly modifier: number; readonly seconds: number }
  | { readonly kind: "consistency"; readonly type: number; readonly modifier: number; readonly name: string }
  | { readonly kind: "properties"; readonly label: number; readonly keys: ReadonlyArray<number> }
  | { readonly kind: "connection"; readonly edge: EdgeLabel; readonly out: number; readonly into: number }
  | ({ readonly kind: "name" } & NameChange)

/** The id of an index, which may be one that the edits make. Throws UnsupportedValue for a new index of other edits. */
export const idOfIndex = (edits: ReadonlyArray<SchemaEdit>, index: GraphIndex | NewIndex): number => {
  const made = edits.flatMap((edit) => (edit.kind === "index" && edit.index === index ? [edit.id] : []))
  const id = "id" in index ? index.id : made[0]
  if (id !== undefined) return id
  throw new UnsupportedValue(
    `The index ${index.name} was built in another management transaction: get it by getGraphIndex('${index.name}').`
  )
}

/** The maximum number of relation ids of a new schema vertex and its connections, without those to the keys of an index. */
const MAX_RELATIONS_OF_VERTEX = 18

/** The maximum number of relation ids that an edit needs. */
export const relationsOf = (edit: SchemaEdit): number => {
  switch (edit.kind) {
    case "index":
      return MAX_RELATIONS_OF_VERTEX + edit.index.keys.length + (edit.index.inlineKeys?.length ?? 0)
    case "properties":
      return edit.keys.length
    default:
      return MAX_RELATIONS_OF_VERTEX
  }
}

/** The commit to which edits are added. */
interface EditContext {
  readonly batch: CellBatch
  readonly changes: RowChanges
  /** The newest schema, without the edits. */
  readonly schema: Schema
  /** The ids of the types that the same edits create: no element has them yet. */
  readonly made: ReadonlySet<number>
  /** The number of keys that the same edits have added to an index so far, by its id. */
  readonly added: Map<number, number>
  /** The names that the same edits give to existing types, by the ids of the types. */
  readonly names: ReadonlyMap<number, string>
  readonly nextRelation: () => Id
}

/** Adds an edit to the changes of a commit. Throws UnsupportedValue when the newest schema does not allow it. */
export const putEdit = (edit: SchemaEdit, context: EditContext): void => {
  const { changes, nextRelation, schema } = context
  switch (edit.kind) {
    case "key":
      // Another management transaction may have set the first time to live of the graph, too.
      if (edit.key.name === EXPIRES && schema.expires !== undefined) return
      checkFree(schema, edit.key.name)
      putType("PROPERTYKEY", edit.key, keyDefinitions(edit.key), context)
      return
    case "label":
      checkFree(schema, edit.label.name)
      putType("EDGELABEL", edit.label, labelDefinitions(edit.label), context)
      return
    case "vertexLabel": {
      const { label } = edit
      if (schema.vertexLabels.has(label.name)) throw nameTaken("vertex label", label.name)
      putType("VERTEXLABEL", label, vertexLabelDefinitions(label), context)
      return
    }
    case "index":
      checkIndex(schema, edit.index)
      putIndex(changes, edit.id, edit.index, newStatus(edit.index, context.made), nextRelation)
      return
    case "relationIndex":
      putRelationIndex(edit.index, context)
      return
    case "indexKey":
      putIndexKey(edit, context)
      return
    case "timeToLive":
      putModifier(edit.type, edit.modifier, "TTL", edit.seconds, context)
      return
    case "consistency":
      putModifier(
        edit.type,
        edit.modifier,
        "CONSISTENCY_LEVEL",
        new JavaEnum("ConsistencyModifier", edit.name),
        context
      )
      return
    case "properties":
      for (const to of edit.keys) {
        connect(changes, { from: edit.label, to, category: "PROPERTY_KEY_EDGE" }, nextRelation())
      }
      return
    case "connection": {
      const { edge, into: to, out: from } = edit
      const modifier = context.names.get(edge.id) ?? schema.type(edge.id)?.name ?? edge.name
      connect(changes, { from, to, category: "CONNECTION_EDGE", modifier }, nextRelation())
      return
    }
    case "name":
      putName(edit, context)
  }
}

/** True for an index that no existing element can be in, because the same edits create one of its types. */
const isEmpty = (index: NewIndex, made: ReadonlySet<number>): boolean => {
  if (index.onlyLabel !== undefined && made.has(index.onlyLabel)) return true
  const isNew = ({ id }: PropertyKey): boolean => made.has(id)
  switch (index.kind) {
    case "mixed":
      return index.keys.every(isNew)
    case "ordered":
      // It has elements without the later keys, too.
      return isNew(index.keys[0]!)
    case "equality":
      return index.keys.some(isNew)
  }
}

const newStatus = (index: NewIndex, made: ReadonlySet<number>): Parameters<typeof putIndex>[3] => {
  const isOnNewLabel = index.onlyLabel !== undefined && made.has(index.onlyLabel)
  return {
    index: isEmpty(index, made) ? "ENABLED" : "REGISTERED",
    field: ({ id }) => (isOnNewLabel || made.has(id) ? "ENABLED" : "REGISTERED")
  }
}

const putType = (
  category: SchemaCategory,
  { id, name }: { readonly id: number; readonly name: string },
  definitions: ReadonlyMap<DefinitionCategory, unknown>,
  { changes, nextRelation }: EditContext
): void => putSchemaVertex(changes, { id, category, name, definitions }, nextRelation)

/** Adds a vertex-centric index: a separate relation type for the copies, connected to the indexed type. */
const putRelationIndex = (index: RelationIndex, { changes, made, nextRelation, schema }: EditContext): void => {
  const { base, direction, type } = index
  if (schema.relationIndexes.some((other) => other.base === base && other.type.name === type.name)) {
    throw nameTaken("vertex-centric index", type.name.slice(type.name.indexOf(":") + 1))
  }
  const definitions = new Map<DefinitionCategory, unknown>([
    ["INVISIBLE", true],
    ["SORT_KEY", longArray(type.sortKey.map(({ id }) => id))],
    ["SORT_ORDER", javaEnum("Order", type.descending ? "DESC" : "ASC")],
    ["SIGNATURE", longArray(type.signature.map(({ id }) => id))],
    ["MULTIPLICITY", javaEnum("Multiplicity", type.multiplicity)],
    ["UNIDIRECTIONAL", javaEnum("Direction", direction)],
    ["STATUS", javaEnum("SchemaStatus", made.has(base) ? "ENABLED" : "REGISTERED")]
  ])
  if (type.isKey) {
    definitions.delete("UNIDIRECTIONAL")
    for (const [category, value] of keyDefinitions(type as PropertyKey)) {
      if (category === "DATATYPE") definitions.set(category, value)
    }
  }
  const category = type.isKey ? "PROPERTYKEY" : "EDGELABEL"
  putSchemaVertex(changes, { id: type.id, category, name: type.name, definitions }, nextRelation)
  connect(changes, { from: base, to: type.id, category: "RELATIONTYPE_INDEX" }, nextRelation())
}

/** Adds a key to an index. Its position follows the existing keys and those that the same edits have added. */
const putIndexKey = (
  { index, key, options }: Extract<SchemaEdit, { kind: "indexKey" }>,
  { added, changes, made, nextRelation, schema }: EditContext
): void => {
  const newest = schema.indexes.find(({ id }) => id === index.id)
  if (newest === undefined)
    throw new UnsupportedValue(
      `The index ${index.name} was dropped by another management transaction. Open the management again.`
    )
  if (newest.fields.some(({ id }) => id === key.id)) {
    throw new UnsupportedValue(`The key ${key.name} is in the index ${index.name} already.`)
  }
  const before = added.get(index.id) ?? 0
  added.set(index.id, before + 1)
  const modifier =
    index.engineStatus === undefined
      ? fieldParameters(newest.fields.length + before, options.mapping)
      : servedParameters(key, made.has(key.id) ? "ENABLED" : "REGISTERED", options)
  const isOwn = index.engineStatus === undefined && index.kind !== "equality"
  putField(changes, { index: index.id, key: key.id, modifier, isOwn }, nextRelation())
}

/** Adds a modifier of a type, which is a schema vertex, and removes the previous one. */
const putModifier = (
  type: number,
  modifier: number,
  category: "TTL" | "CONSISTENCY_LEVEL",
  value: unknown,
  { batch, changes, nextRelation }: EditContext
): void => {
  const read = readWhole((query) => batch.slice(query))
  for (const { category: kind, isIn, other } of readSchemaVertex(type, read(schemaRowQuery(type)))?.edges ?? []) {
    if (kind !== "TYPE_MODIFIER" || isIn) continue
    if (readSchemaVertex(other, read(schemaRowQuery(other)))?.definitions.has(category)) {
      removeSchemaVertex(changes, other, read)
    }
  }
  const definitions = new Map<DefinitionCategory, unknown>([[category, value]])
  putSchemaVertex(changes, { id: modifier, category: "TYPE_MODIFIER", name: undefined, definitions }, nextRelation)
  connect(changes, { from: type, to: modifier, category: "TYPE_MODIFIER" }, nextRelation())
}

/** Removes the row of a schema vertex, its connections and its entries in the system indexes. */
export const removeSchemaVertex = (changes: RowChanges, id: number, read: ReturnType<typeof readWhole>): void => {
  const vertex = readSchemaVertex(id, read(schemaRowQuery(id)))
  if (vertex === undefined) return
  changes.removeRow("edgestore", rowKey(id, 0))
  for (const { other } of vertex.edges) removeConnections(changes, other, id, read)
  const row = categoryRow(listedCategories.find(([name]) => name === vertex.category)![1])
  const cursor = new CellCursor().over(read(sliceOf("graphindex", row)))
  const value = new ByteWriter(8)
  value.varint(id)
  while (cursor.next()) {
    if (value.copy().equals(cursor.value())) changes.remove("graphindex", row, Uint8Array.from(cursor.column()))
  }
  if (vertex.name === undefined) return
  // A removal that goes on after an interruption may find that another definition has the name.
  const key = nameRow(vertex.category, vertex.name)
  const named = new CellCursor().over(read(sliceOf("graphindex", key)))
  if (named.next() && value.copy().equals(named.value())) changes.remove("graphindex", key, ONLY)
}

/** Removes the cells of the connection to another schema vertex. */
const removeConnections = (changes: RowChanges, from: number, to: number, read: ReturnType<typeof readWhole>): void => {
  const cursor = new CellCursor().over(read(schemaRowQuery(from)))
  while (cursor.next()) {
    const cell = decodeRelation(cursor.bytes, cursor.columnStart, cursor.columnEnd, cursor.valueEnd, systemType)
    if (cell.type === schemaRelated && cell.other === to) {
      changes.remove("edgestore", rowKey(from, 0), Uint8Array.from(cursor.column()))
    }
  }
}
