import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { CellBatch } from "../cells/CellStore.ts"
import { CellCursor } from "../cells/Cells.ts"
import type { RowChanges } from "../commit/RowChanges.ts"
import { connect, nameRow, ONLY, putCell } from "../commit/SchemaCommit.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import type { SchemaCategory } from "../format/EnumAttributes.ts"
import type { Id } from "../format/Ids.ts"
import type { TypeDescription } from "../format/JavaValues.ts"
import { decodeRelation, propertyCell } from "../format/Relations.ts"
import { schemaDescription, schemaName, schemaRelated, systemType } from "../format/RelationTypes.ts"
import { rowKey } from "../format/RowKeys.ts"
import type { Schema } from "../schema/Schema.ts"
import { readWhole, schemaRowQuery } from "../schema/SchemaRead.ts"
import { fullName } from "../schema/SchemaVertex.ts"

/** A new name of a type or an index. */
export interface NameChange {
  readonly id: number
  readonly category: SchemaCategory
  readonly before: string
  readonly name: string
}

/** The commit to which the change of a name is added. */
interface NameContext {
  readonly batch: CellBatch
  readonly changes: RowChanges
  /** The newest schema. */
  readonly schema: Schema
  readonly nextRelation: () => Id
}

/** The error for a definition whose name is used already, in JanusGraph's words. */
export const nameTaken = (what: string, name: string): UnsupportedValue =>
  new UnsupportedValue(
    `Adding this property for key [~T$SchemaName] and value [${name}] violates a uniqueness constraint: there is a definition of the ${what} ${name} already.`
  )

/** Throws UnsupportedValue for a used name. Property keys and edge labels share one namespace. */
export const checkFree = (schema: Schema, name: string): void => {
  if (schema.keys.has(name)) throw nameTaken("property key", name)
  if (schema.labels.has(name)) throw nameTaken("edge label", name)
}

/** Adds the change of a name to a commit. Throws UnsupportedValue when the newest schema does not allow it. */
export const putName = (change: NameChange, context: NameContext): void => {
  const { changes, nextRelation, schema } = context
  const { before, category, id, name } = change
  const index = schema.indexes.find((each) => each.id === id)
  const named = index ?? schema.type(id) ?? schema.vertexLabel(id)
  if (named?.name !== before) {
    throw new UnsupportedValue(
      `${before} was renamed or dropped by another management transaction. Open the management again.`
    )
  }
  if (category === "VERTEXLABEL" && schema.vertexLabels.has(name)) throw nameTaken("vertex label", name)
  if (category === "GRAPHINDEX" && schema.indexes.some((other) => other.name === name)) throw nameTaken("index", name)
  if (category === "PROPERTYKEY" || category === "EDGELABEL") checkFree(schema, name)
  putCell(changes, rowKey(id, 0), propertyCell(schemaName, nextRelation(), fullName(category, name)))
  changes.remove("graphindex", nameRow(category, before), ONLY)
  const value = new ByteWriter(8)
  value.varint(id)
  changes.put("graphindex", nameRow(category, name), ONLY, value.copy())
  if (category === "EDGELABEL") renameConnections(change, context)
}

/**
 * Gives the connections of an edge label its new name, as JanusGraph does: they are stored with the name of the label, not with its id.
 * They would otherwise allow edges of a later label with the old name.
 */
const renameConnections = ({ before, name }: NameChange, { batch, changes, schema }: NameContext): void => {
  const read = readWhole((query) => batch.slice(query))
  const vertices = new Set(schema.modifiers.connections.flatMap(({ edge, out }) => (edge === before ? [out] : [])))
  for (const from of vertices) {
    const cursor = new CellCursor().over(read(schemaRowQuery(from)))
    while (cursor.next()) {
      const cell = decodeRelation(cursor.bytes, cursor.columnStart, cursor.columnEnd, cursor.valueEnd, systemType)
      if (cell.type !== schemaRelated || cell.isIn) continue
      const { category, modifier } = cell.properties.get(schemaDescription) as TypeDescription
      if (category !== "CONNECTION_EDGE" || modifier !== before) continue
      // The same relation id gives the same columns, so that the cells are replaced.
      connect(changes, { from, to: Number(cell.other), category, modifier: name }, cell.relation)
    }
  }
}
