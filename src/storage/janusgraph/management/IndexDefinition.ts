import { UnsupportedValue } from "../../../structure/StoreErrors.ts"
import type { CellBatch } from "../cells/CellStore.ts"
import { CellCursor } from "../cells/Cells.ts"
import type { RowChanges } from "../commit/RowChanges.ts"
import { connect, putCell, putSchemaVertex } from "../commit/SchemaCommit.ts"
import { type CardinalityName, type DefinitionCategory, javaEnum, type SchemaStatus } from "../format/EnumAttributes.ts"
import type { Id } from "../format/Ids.ts"
import { JavaEnum, Parameter, type TypeDescription } from "../format/JavaValues.ts"
import { decodeRelation } from "../format/Relations.ts"
import { schemaDefinition, schemaDescription, systemType } from "../format/RelationTypes.ts"
import { rowKey } from "../format/RowKeys.ts"
import { isSortable } from "../indexes/OrderedValues.ts"
import { MAPPING, POSITION } from "../schema/DocumentFields.ts"
import type { GraphIndex, PropertyKey, Schema } from "../schema/Schema.ts"
import { formsOf, MIXED_BACKING, ORDERED_BACKING, readWhole, schemaRowQuery } from "../schema/SchemaRead.ts"
import { definitionCell } from "../schema/SchemaVertex.ts"

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
  /** The id of the label to whose elements the index is restricted. */
  readonly onlyLabel?: number | undefined
}

const elementNames = { vertex: "VERTEX", edge: "EDGE" } as const

/** Throws UnsupportedValue for an invalid definition. */
export const checkIndex = (schema: Schema, index: NewIndex): void => {
  if (schema.indexes.some(({ name }) => name === index.name)) {
    throw new UnsupportedValue(`An index with the name ${index.name} exists already.`)
  }
  if (index.keys.length === 0) throw new UnsupportedValue(`The index ${index.name} has no key: add one by addKey().`)
  if (index.unique && index.kind !== "equality") {
    throw new UnsupportedValue(`Only a composite index can be unique; ${index.name} is ${index.kind}.`)
  }
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
  if (index.unique && index.keys.some(({ cardinality }) => cardinality !== "SINGLE")) {
    throw new UnsupportedValue(`A unique index needs keys of SINGLE cardinality; ${index.name} has others.`)
  }
}

const cardinalityOf = (index: NewIndex): CardinalityName => {
  if (index.unique) return "SINGLE"
  return index.keys.every(({ cardinality }) => cardinality === "SINGLE") || index.element === "edge" ? "SET" : "LIST"
}

const backingOf = ({ backing, kind }: NewIndex): string => {
  if (kind === "equality") return "internalindex"
  return kind === "ordered" ? ORDERED_BACKING : `${MIXED_BACKING}${backing ?? "search"}`
}

/**
 * Adds the rows of an index. Commits write a REGISTERED index, but searches do not use it until it is built. An index
 * on new keys is complete at once and can be ENABLED.
 */
export const putIndex = (
  changes: RowChanges,
  id: number,
  index: NewIndex,
  status: SchemaStatus,
  nextRelation: () => Id
): void => {
  const definitions = new Map<DefinitionCategory, unknown>([
    ["STATUS", javaEnum("SchemaStatus", status)],
    ["ELEMENT_CATEGORY", javaEnum("ElementCategory", elementNames[index.element])],
    ["INDEX_CARDINALITY", javaEnum("Cardinality", cardinalityOf(index))],
    ["INTERNAL_INDEX", index.kind === "equality"],
    ["BACKING_INDEX", backingOf(index)],
    ["INDEXSTORE_NAME", index.name]
  ])
  putSchemaVertex(changes, { id, category: "GRAPHINDEX", name: index.name, definitions }, nextRelation)
  index.keys.forEach((key, position) => {
    const modifier = fieldParameters(position, index.mappings?.[position])
    connect(changes, { from: id, to: key.id, category: "INDEX_FIELD", modifier }, nextRelation())
  })
  for (const key of index.inlineKeys ?? []) {
    connect(changes, { from: id, to: key.id, category: "INDEX_INLINE_KEY" }, nextRelation())
  }
  if (index.onlyLabel !== undefined) {
    connect(changes, { from: id, to: index.onlyLabel, category: "INDEX_SCHEMA_CONSTRAINT" }, nextRelation())
  }
}

/** The parameters of a field of an index. */
export const fieldParameters = (position: number, mapping: string | undefined): ReadonlyArray<Parameter> => {
  const parameters = [new Parameter(POSITION, position)]
  if (mapping !== undefined && mapping !== "DEFAULT") {
    parameters.push(new Parameter(MAPPING, new JavaEnum("Mapping", mapping)))
  }
  return parameters
}

/** Adds a change of the status of a type or index to a commit. `relation` is a new relation id. */
export const changeStatus = (
  batch: CellBatch,
  changes: RowChanges,
  id: number,
  status: SchemaStatus,
  relation: Id
): void => {
  const key = rowKey(id, 0)
  const cursor = new CellCursor().over(readWhole((query) => batch.slice(query))(schemaRowQuery(id)))
  while (cursor.next()) {
    const cell = decodeRelation(cursor.bytes, cursor.columnStart, cursor.columnEnd, cursor.valueEnd, systemType)
    if (cell.type !== schemaDefinition) continue
    const { category } = cell.properties.get(schemaDescription) as TypeDescription
    if (category === "STATUS") changes.remove("edgestore", key, Uint8Array.from(cursor.column()))
  }
  putCell(changes, key, definitionCell("STATUS", javaEnum("SchemaStatus", status), relation))
  batch.advanceSchema()
}
