import { UnsupportedValue } from "../../../structure/StoreErrors.ts"
import type { CellBatch } from "../CellStore.ts"
import { CellCursor } from "../Cells.ts"
import { type CardinalityName, type DefinitionCategory, javaEnum, type SchemaStatus } from "../codec/EnumAttributes.ts"
import type { Id } from "../codec/Ids.ts"
import { Parameter, type TypeDescription } from "../codec/JavaValues.ts"
import { decodeRelation } from "../codec/Relations.ts"
import { schemaDefinition, schemaDescription, systemType } from "../codec/RelationTypes.ts"
import { rowKey } from "../codec/RowKeys.ts"
import type { RowChanges } from "../commit/RowChanges.ts"
import { putCell, putSchemaVertex } from "../commit/SchemaCommit.ts"
import { isSortable } from "../indexes/Ranges.ts"
import type { PropertyKey, Schema } from "../schema/Schema.ts"
import { POSITION, RANGE_BACKING, readWhole, schemaRowQuery } from "../schema/SchemaReading.ts"
import { definitionCell, schemaEdgeCell } from "../schema/SchemaVertex.ts"

/** An index to be made. */
export interface NewIndex {
  readonly name: string
  readonly element: "vertex" | "edge"
  readonly kind: "equality" | "range"
  readonly unique: boolean
  readonly keys: ReadonlyArray<PropertyKey>
  /** Id of the label that all its elements have. */
  readonly onlyLabel?: number | undefined
}

const elementNames = { vertex: "VERTEX", edge: "EDGE" } as const

/** Throws UnsupportedValue when there cannot be such an index. */
export const checkIndex = (schema: Schema, index: NewIndex): void => {
  if (schema.indexes.some(({ name }) => name === index.name)) {
    throw new UnsupportedValue(`An index with the name ${index.name} is there already.`)
  }
  if (index.kind === "range") {
    const [key, ...more] = index.keys
    if (more.length > 0 || index.unique || key === undefined || !isSortable(key)) {
      throw new UnsupportedValue(
        `A range index is on one key whose values are numbers, texts or dates, and is not unique; ${index.name} is not.`
      )
    }
  }
  if (index.unique && index.keys.some(({ cardinality }) => cardinality !== "SINGLE")) {
    throw new UnsupportedValue(`A unique index needs keys of SINGLE cardinality; ${index.name} has others.`)
  }
}

const cardinalityOf = (index: NewIndex): CardinalityName => {
  if (index.unique) return "SINGLE"
  return index.keys.every(({ cardinality }) => cardinality === "SINGLE") || index.element === "edge" ? "SET" : "LIST"
}

/** Adds the rows of an index: it is REGISTERED, that is written by every commit from now on and not asked yet. */
export const putIndex = (changes: RowChanges, id: number, index: NewIndex, nextRelation: () => Id): void => {
  const definitions = new Map<DefinitionCategory, unknown>([
    ["STATUS", javaEnum("SchemaStatus", "REGISTERED")],
    ["ELEMENT_CATEGORY", javaEnum("ElementCategory", elementNames[index.element])],
    ["INDEX_CARDINALITY", javaEnum("Cardinality", cardinalityOf(index))],
    ["INTERNAL_INDEX", index.kind === "equality"],
    ["BACKING_INDEX", index.kind === "equality" ? "internalindex" : RANGE_BACKING],
    ["INDEXSTORE_NAME", index.name]
  ])
  putSchemaVertex(changes, { id, category: "GRAPHINDEX", name: index.name, definitions }, nextRelation)
  index.keys.forEach((key, position) => {
    const modifier = [new Parameter(POSITION, position)]
    connect(changes, id, key.id, "INDEX_FIELD", modifier, nextRelation())
  })
  if (index.onlyLabel !== undefined) {
    connect(changes, id, index.onlyLabel, "INDEX_SCHEMA_CONSTRAINT", null, nextRelation())
  }
}

const connect = (
  changes: RowChanges,
  from: number,
  to: number,
  category: DefinitionCategory,
  modifier: unknown,
  relation: Id
): void => {
  putCell(changes, rowKey(from, 0), schemaEdgeCell({ isIn: false, other: to, category, modifier }, relation))
  putCell(changes, rowKey(to, 0), schemaEdgeCell({ isIn: true, other: from, category, modifier }, relation))
}

/** Changes the status of a type or index. */
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
