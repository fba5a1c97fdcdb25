import { ByteWriter } from "../format/ByteWriter.ts"
import type { Id, VertexId } from "../format/Ids.ts"
import { isPartitionedId, representativeOf } from "../format/PartitionedVertices.ts"
import { edgeCell, encodeRelation, propertyCell, type Relation } from "../format/Relations.ts"
import { prefixes, type RelationType } from "../format/RelationTypes.ts"
import { rowKey } from "../format/RowKeys.ts"
import type { ZippedTexts } from "../format/Strings.ts"
import { type EdgeLabel, isWritten, type PropertyKey, type Schema } from "../schema/Schema.ts"

/** A cell in the row of a vertex. */
export interface VertexCell {
  readonly vertex: VertexId
  readonly key: Buffer
  readonly column: Buffer
  readonly value: Buffer
}

const writer = new ByteWriter()

/** Encodes all cells of a relation: those in the rows of its vertices, and the copies for vertex-centric indexes. */
export class RelationCells {
  readonly #schema: Schema
  readonly #partitionBits: number
  readonly #zipped: ZippedTexts | undefined
  /** The row of the last cell, and its key, which its cells share. */
  #row: VertexId | undefined
  #rowKey: Buffer = Buffer.alloc(0)

  constructor(schema: Schema, partitionBits: number, zipped?: ZippedTexts) {
    this.#schema = schema
    this.#partitionBits = partitionBits
    this.#zipped = zipped
  }

  /** The key of the row that has the cell of a relation of a vertex. */
  rowKey(vertex: VertexId, relation: Relation): Buffer {
    const { isIn, other, relation: id } = relation
    const type = this.#schema.baseOf(relation.type)
    const row =
      other === undefined ? vertex : representativeOf({ vertex, isIn, other, relation: id, type }, this.#partitionBits)
    return rowKey(row, this.#partitionBits)
  }

  /** One cell in the row of a vertex. */
  cell(vertex: VertexId, relation: Relation): VertexCell {
    const { other } = relation
    if (other === undefined || !(isPartitionedId(vertex) || isPartitionedId(other))) {
      return this.#encoded(vertex, vertex, relation)
    }
    const { isIn, relation: id } = relation
    const type = this.#schema.baseOf(relation.type)
    const row = representativeOf({ vertex, isIn, other, relation: id, type }, this.#partitionBits)
    const end = representativeOf({ vertex: other, isIn: !isIn, other: vertex, relation: id, type }, this.#partitionBits)
    return this.#encoded(vertex, row, { ...relation, other: end })
  }

  #key(row: VertexId): Buffer {
    if (row !== this.#row) {
      this.#row = row
      this.#rowKey = rowKey(row, this.#partitionBits)
    }
    return this.#rowKey
  }

  /** A cell of a vertex in the row of one of its representatives. */
  #encoded(vertex: VertexId, row: VertexId, relation: Relation): VertexCell {
    writer.zipped = this.#zipped
    const columnEnd = encodeRelation(writer.reset(), relation)
    writer.zipped = undefined
    return {
      vertex,
      key: this.#key(row),
      column: writer.copy(0, columnEnd),
      value: writer.copy(columnEnd)
    }
  }

  /** The cells of a property. */
  property(
    vertex: VertexId,
    type: PropertyKey,
    relation: Id,
    value: unknown,
    properties: ReadonlyMap<RelationType, unknown>
  ): ReadonlyArray<VertexCell> {
    const cell: Relation = { ...propertyCell(type, relation, value), properties }
    const cells = [this.cell(vertex, cell)]
    for (const copy of this.#schema.copiesOf(type.id)) {
      if (isWritten(copy.status)) {
        cells.push(this.cell(vertex, { ...cell, prefix: prefixes.propertyCopy, type: copy.type }))
      }
    }
    return cells
  }

  /** The cells of an edge. The first one is in the row of the out-vertex. */
  edge(
    type: EdgeLabel,
    relation: Id,
    out: VertexId,
    into: VertexId,
    properties: ReadonlyMap<RelationType, unknown>
  ): ReadonlyArray<VertexCell> {
    const atOut = edgeCell(type, false, relation, into, properties)
    const atIn = edgeCell(type, true, relation, out, properties)
    const cells = [this.cell(out, atOut)]
    if (!type.unidirected) cells.push(this.cell(into, atIn))
    for (const { type: copy, direction, status } of this.#schema.copiesOf(type.id)) {
      if (!isWritten(status)) continue
      if (direction !== "IN") cells.push(this.cell(out, { ...atOut, prefix: prefixes.edgeCopy, type: copy }))
      if (direction !== "OUT" && !type.unidirected) {
        cells.push(this.cell(into, { ...atIn, prefix: prefixes.edgeCopy, type: copy }))
      }
    }
    return cells
  }
}
