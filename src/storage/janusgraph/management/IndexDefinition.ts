import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { CellBatch } from "../cells/CellStore.ts"
import { CellCursor, type Cells } from "../cells/Cells.ts"
import type { RowChanges } from "../commit/RowChanges.ts"
import { connect, connectOneWay, putCell, putSchemaVertex } from "../commit/SchemaCommit.ts"
import { type CardinalityName, type DefinitionCategory, javaEnum, type SchemaStatus } from "../format/EnumAttributes.ts"
import type { Id } from "../format/Ids.ts"
import { JavaEnum, Parameter, type TypeDescription } from "../format/JavaValues.ts"
import { decodeRelation } from "../format/Relations.ts"
import { schemaDefinition, schemaDescription, schemaRelated, systemType } from "../format/RelationTypes.ts"
import { rowKey } from "../format/RowKeys.ts"
import { isSortable } from "../indexes/OrderedValues.ts"
import {
  defaultFieldName,
  documentsOf,
  FIELD_STATUS,
  fieldStatusOf,
  MAPPED_NAME,
  MAPPING,
  mappingOf,
  POSITION,
  parameter
} from "../schema/DocumentFields.ts"
import type { DocumentStore, GraphIndex, PropertyKey, RelationIndex, Schema } from "../schema/Schema.ts"
import { formsOf, MIXED_BACKING, ORDERED_BACKING, readWhole, schemaRowQuery } from "../schema/SchemaRead.ts"
import { definitionCell, readSchemaVertex } from "../schema/SchemaVertex.ts"
import { checkFieldNames } from "./FieldConflicts.ts"

/** The definition of a new index. */
export interface NewIndex {
  readonly name: string
  readonly element: "vertex" | "edge"
  readonly kind: GraphIndex["kind"]
  readonly unique: boolean
  readonly keys: ReadonlyArray<PropertyKey>
  /** In a mixed index: JanusGraph's Mapping of each key. */
  readonly mappings?: ReadonlyArray<string>
  /** In a mixed index: the user's name of the index backend. */
  readonly backing?: string
  /** Keys whose values are copied into the entries of a composite index. */
  readonly inlineKeys?: ReadonlyArray<PropertyKey>
  /** In a mixed index: the other parameters of each key, which only search engines use. */
  readonly parameters?: ReadonlyArray<ReadonlyArray<Parameter>>
  /** In a mixed index that a search engine keeps: its documents, in JanusGraph's form. */
  readonly documents?: DocumentStore | undefined
  /** The id of the label to whose elements the index is restricted. */
  readonly onlyLabel?: number | undefined
}

const elementNames = { vertex: "VERTEX", edge: "EDGE" } as const

/** Throws UnsupportedValue for an invalid definition. */
export const checkIndex = (schema: Schema, index: NewIndex): void => {
  if (schema.indexTable.named(index.name) !== undefined) {
    throw new UnsupportedValue(`An index with the name ${index.name} exists already.`)
  }
  if (index.keys.length === 0) throw new UnsupportedValue(`The index ${index.name} has no key: add one by addKey().`)
  if (index.unique && index.kind !== "equality") {
    throw new UnsupportedValue(`Only a composite index can be unique; ${index.name} is ${index.kind}.`)
  }
  if (index.documents !== undefined) return
  index.keys.forEach((key, at) => {
    const isOrdered =
      index.kind === "ordered" ||
      (index.kind === "mixed" && formsOf(key, index.mappings?.[at] ?? "DEFAULT").includes("ordered"))
    if (isOrdered && !isSortable(key)) {
      throw new UnsupportedValue(
        `Values of the type ${key.dataType.name} have no order, which the index ${index.name} on ${key.name} needs.`
      )
    }
  })
}

const cardinalityOf = (index: NewIndex): CardinalityName => {
  if (index.documents !== undefined) return "LIST"
  if (index.unique) return "SINGLE"
  return index.keys.every(({ cardinality }) => cardinality === "SINGLE") || index.element === "edge" ? "SET" : "LIST"
}

const backingOf = ({ backing, documents, kind }: NewIndex): string => {
  if (documents !== undefined) return backing!
  if (kind === "equality") return "internalindex"
  return kind === "ordered" ? ORDERED_BACKING : `${MIXED_BACKING}${backing ?? "search"}`
}

/** The status of each field of an index in a search engine, and of other indexes. */
interface NewStatus {
  readonly index: SchemaStatus
  /** The status of a field in a search engine. */
  readonly field: (key: PropertyKey) => SchemaStatus
}

/**
 * Adds the rows of an index. Commits write a REGISTERED index, but searches do not use it until it is built. An index
 * on new keys is complete at once and can be ENABLED.
 */
export const putIndex = (
  changes: RowChanges,
  id: number,
  index: NewIndex,
  status: NewStatus,
  nextRelation: () => Id
): void => {
  const isServed = index.documents !== undefined
  const definitions = new Map<DefinitionCategory, unknown>([
    ["STATUS", javaEnum("SchemaStatus", isServed ? "ENABLED" : status.index)],
    ["ELEMENT_CATEGORY", javaEnum("ElementCategory", elementNames[index.element])],
    ["INDEX_CARDINALITY", javaEnum("Cardinality", cardinalityOf(index))],
    ["INTERNAL_INDEX", index.kind === "equality"],
    ["BACKING_INDEX", backingOf(index)],
    ["INDEXSTORE_NAME", index.name]
  ])
  putSchemaVertex(changes, { id, category: "GRAPHINDEX", name: index.name, definitions }, nextRelation)
  index.keys.forEach((key, position) => {
    const modifier = isServed
      ? servedParameters(key, status.field(key), fieldOptions(index, position))
      : fieldParameters(position, index.mappings?.[position])
    const isOwn = index.kind !== "equality" && !isServed
    putField(changes, { index: id, key: key.id, modifier, isOwn }, nextRelation())
  })
  for (const key of index.inlineKeys ?? []) {
    connect(changes, { from: id, to: key.id, category: "INDEX_INLINE_KEY" }, nextRelation())
  }
  if (index.onlyLabel !== undefined) {
    connect(changes, { from: id, to: index.onlyLabel, category: "INDEX_SCHEMA_CONSTRAINT" }, nextRelation())
  }
}

/** A field of an index: the ids of the index and of its key, and the parameters of the field. */
interface NewField {
  readonly index: number
  readonly key: number
  readonly modifier: ReadonlyArray<Parameter>
  /** True in an ordered or mixed index of this server, which has a name of an index backend that JanusGraph does not know. */
  readonly isOwn: boolean
}

/**
 * Adds a field of an index. JanusGraph follows the connections of a key to its indexes in each search and each change of a value, and
 * fails for an unknown index backend. So the key has no connection to an index of this server, and JanusGraph shows the field as DISABLED.
 */
export const putField = (changes: RowChanges, { index, isOwn, key, modifier }: NewField, relation: Id): void => {
  const connection = { from: index, to: key, category: "INDEX_FIELD" } as const
  if (!isOwn) connect(changes, { ...connection, modifier }, relation)
  else connectOneWay(changes, { ...connection, modifier: withStatus(modifier, "DISABLED") }, relation)
}

const withStatus = (modifier: unknown, status: SchemaStatus): ReadonlyArray<Parameter> => {
  const others = ((modifier ?? []) as ReadonlyArray<Parameter>).filter(({ key }) => key !== FIELD_STATUS)
  return [...others, new Parameter(FIELD_STATUS, new JavaEnum("SchemaStatus", status))]
}

/** The parameters that a user gives to a field of a mixed index. */
export interface FieldOptions {
  /** JanusGraph's Mapping. */
  readonly mapping: string
  readonly parameters: ReadonlyArray<Parameter>
}

/** A field without parameters. */
export const plainField: FieldOptions = { mapping: "DEFAULT", parameters: [] }

/** The parameters that the user gives to a field of a new mixed index. */
const fieldOptions = (
  { mappings, parameters }: Pick<NewIndex, "mappings" | "parameters">,
  position: number
): FieldOptions => ({
  mapping: mappings?.[position] ?? "DEFAULT",
  parameters: parameters?.[position] ?? []
})

/** The parameters of a field of an index in a search engine, as JanusGraph writes them: the status is the last one. */
export const servedParameters = (
  key: PropertyKey,
  status: SchemaStatus,
  { mapping, parameters }: FieldOptions
): ReadonlyArray<Parameter> => {
  const all = mapping === "DEFAULT" ? [] : [new Parameter(MAPPING, new JavaEnum("Mapping", mapping))]
  all.push(...parameters)
  if (parameter(all, MAPPED_NAME) === undefined) all.push(new Parameter(MAPPED_NAME, defaultFieldName(key.name)))
  return withStatus(all, status)
}

/** The documents of a new mixed index in a search engine. Throws UnsupportedValue for a field that no document can have. */
export const newDocuments = (
  name: string,
  index: Pick<NewIndex, "keys" | "mappings" | "parameters">
): DocumentStore => {
  const fields = index.keys.map((key, at) => ({
    key,
    modifier: servedParameters(key, "ENABLED", fieldOptions(index, at))
  }))
  const documents = documentsOf(name, fields)
  if (documents !== undefined) {
    checkFieldNames(name, documents.fields)
    return documents
  }
  const wrong = fields.find((field) => documentsOf(name, [field]) === undefined)!
  throw new UnsupportedValue(
    `The index ${name} cannot have the key ${wrong.key.name}: a search engine takes no ${wrong.key.dataType.name} with the mapping ` +
      `${mappingOf(wrong.modifier)}, or not with the parameters of the field.`
  )
}

/** The documents of an index with only the field of a key that is added to it. Throws UnsupportedValue as {@link newDocuments}. */
export const addedDocuments = (
  name: string,
  { key, options }: { readonly key: PropertyKey; readonly options: FieldOptions }
): DocumentStore => newDocuments(name, { keys: [key], mappings: [options.mapping], parameters: [options.parameters] })

/** The parameters of a field of an index. */
export const fieldParameters = (position: number, mapping: string | undefined): ReadonlyArray<Parameter> => {
  const parameters = [new Parameter(POSITION, position)]
  if (mapping !== undefined && mapping !== "DEFAULT") {
    parameters.push(new Parameter(MAPPING, new JavaEnum("Mapping", mapping)))
  }
  return parameters
}

/** A new status. */
interface NextStatus {
  readonly status: SchemaStatus
  /** In an index in a search engine: the statuses of the fields that change. */
  readonly from?: ReadonlyArray<SchemaStatus> | undefined
}

/** Adds a change of the status of a type or index to a commit. `relation` is a new relation id. */
export const changeStatus = (
  batch: CellBatch,
  changes: RowChanges,
  id: number,
  { status, from = changesTo[status] }: NextStatus,
  relation: Id
): void => {
  const key = rowKey(id, 0)
  const row = readWhole((query) => batch.slice(query))(schemaRowQuery(id))
  const cursor = new CellCursor().over(row)
  if (readSchemaVertex(id, row)?.definitions.get("INTERNAL_INDEX") === false) {
    const isOwn = !isInEngine(row, id)
    // The fields of an index of an older version are connected with their keys.
    changeFieldStatuses(changes, id, row, isOwn ? undefined : { from, status })
    batch.advanceSchema()
    if (!isOwn) return
  }
  while (cursor.next()) {
    const cell = decodeRelation(cursor.bytes, cursor.columnStart, cursor.columnEnd, cursor.valueEnd, systemType)
    if (cell.type !== schemaDefinition) continue
    const { category } = cell.properties.get(schemaDescription) as TypeDescription
    if (category === "STATUS") changes.remove("edgestore", key, Uint8Array.from(cursor.column()))
  }
  putCell(changes, key, definitionCell("STATUS", javaEnum("SchemaStatus", status), relation))
  batch.advanceSchema()
}

/** True for the row of a mixed index that is not in the store of the graph. */
const isInEngine = (row: Cells, id: number): boolean => {
  const backing = String(readSchemaVertex(id, row)?.definitions.get("BACKING_INDEX"))
  return backing !== ORDERED_BACKING && !backing.startsWith(MIXED_BACKING)
}

/** The statuses of fields that change to another one. */
const changesTo: Readonly<Partial<Record<SchemaStatus, ReadonlyArray<SchemaStatus>>>> = {
  REGISTERED: ["INSTALLED", "DISABLED"],
  ENABLED: ["INSTALLED", "REGISTERED"],
  DISABLED: ["INSTALLED", "REGISTERED", "ENABLED"]
}

/**
 * Changes the statuses of the fields of a mixed index in another system. It has no other status. `change` is undefined for an index of this
 * server, whose fields are put again.
 */
const changeFieldStatuses = (changes: RowChanges, id: number, row: Cells, change: NextStatus | undefined): void => {
  const cursor = new CellCursor().over(row)
  while (cursor.next()) {
    const cell = decodeRelation(cursor.bytes, cursor.columnStart, cursor.columnEnd, cursor.valueEnd, systemType)
    if (cell.type !== schemaRelated || cell.isIn) continue
    const { category, modifier } = cell.properties.get(schemaDescription) as TypeDescription
    const isSame = change?.from?.includes(fieldStatusOf(modifier)) === false
    if (category !== "INDEX_FIELD" || isSame) continue
    const changed = withStatus(modifier, change?.status ?? "DISABLED")
    const field = { index: id, key: Number(cell.other), modifier: changed, isOwn: change === undefined }
    // The same relation id gives the same columns, so that the cells are replaced.
    putField(changes, field, cell.relation)
  }
}

/** The user's name of a vertex-centric index. The format stores it after the id of the indexed type. */
export const nameOfRelationIndex = ({ type: { name } }: RelationIndex): string => name.slice(name.indexOf(":") + 1)
