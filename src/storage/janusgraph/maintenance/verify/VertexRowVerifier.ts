import type { RowPage } from "../../cells/CellStore.ts"
import { CellCursor } from "../../cells/Cells.ts"
import { RelationCells } from "../../commit/RelationCells.ts"
import { canonicalId, isSchemaId, type VertexId } from "../../format/Ids.ts"
import { decodeRelation, edgeCell, type Relation, UnknownType } from "../../format/Relations.ts"
import { prefixes, vertexExists, vertexLabelEdge } from "../../format/RelationTypes.ts"
import { idOfRowKey, rowKey } from "../../format/RowKeys.ts"
import { headersOf } from "../../rows/Headers.ts"
import { type EdgeLabel, isWritten } from "../../schema/Schema.ts"
import type { EntryVerifier } from "./EntryVerifier.ts"
import { type CellState, copyOf, type FindingKind, sameValue, valueAt } from "./Findings.ts"
import type { NumberVerifier } from "./NumberVerifier.ts"
import { hex, type Verification } from "./Verification.ts"

const existsHeader = headersOf(vertexExists).out

/** The maximum number of relations of a row that are kept until they are verified. */
const MAX_RELATIONS = 4096

/** Verifies the rows of vertices: their cells, both ends of each edge, and the copies of vertex-centric indexes. */
export class VertexRowVerifier {
  readonly #shared: Verification
  readonly #entries: EntryVerifier
  readonly #numbers: NumberVerifier
  readonly #relationCells: RelationCells

  constructor(shared: Verification, entries: EntryVerifier, numbers: NumberVerifier) {
    this.#shared = shared
    this.#entries = entries
    this.#numbers = numbers
    this.#relationCells = new RelationCells(shared.schema, shared.bits)
  }

  /** Verifies a row, and the cells in other rows that belong to it. Yields where others must run. */
  *verify(row: RowPage): Generator<void> {
    // The next read may overwrite the memory of the row.
    const key = copyOf(row.key)
    const stored = idOfRowKey(key, this.#shared.bits)
    const schemaRow = isSchemaId(stored)
    const id = schemaRow ? stored : canonicalId(stored, this.#shared.bits)
    const isCanonical = id === stored
    // The canonical row of a partitioned vertex says that the vertex exists.
    let exists = !isCanonical && this.#exists(id)
    let label = 0
    const cells: Array<CellState> = []
    const relations: Array<readonly [CellState, Relation]> = []
    for (const page of this.#shared.pages("edgestore", { ...row, key })) {
      const cursor = new CellCursor().over(page)
      while (cursor.next()) {
        this.#shared.cells++
        if (this.#shared.isDue()) yield
        const [column, value] = [copyOf(cursor.column()), copyOf(cursor.value())]
        const cell: CellState = { table: "edgestore", key, column, value }
        const relation = this.#decoded(cell, `row of ${shown(id)}`)
        if (relation?.type === vertexExists) exists = true
        if (relation?.type === vertexLabelEdge) label = this.#label(cell, relation, id)
        if (schemaRow) continue
        if (!exists) cells.push(cell)
        if (relation !== undefined) relations.push([cell, relation])
        // Rows of many edges are verified in parts.
        if (relations.length >= MAX_RELATIONS && exists) yield* this.#relations(id, relations.splice(0))
      }
    }
    if (schemaRow) return
    if (!exists) {
      const gone = cells.map((cell) => ({ ...cell, value: null }))
      this.#shared.tell("cells of a vertex that does not exist", shown(id), cells, gone)
      return
    }
    yield* this.#relations(id, relations)
    if (!isCanonical) return
    this.#numbers.count("vertex", label)
    this.#numbers.vertex(id)
    for (const index of this.#shared.schema.indexes)
      if (index.status === "ENABLED") yield* this.#entries.verifyElement(index, id)
  }

  #decoded(cell: CellState, where: string): Relation | undefined {
    const bytes = Buffer.concat([cell.column, cell.value!])
    try {
      return decodeRelation(bytes, 0, cell.column.length, bytes.length, this.#shared.schema.type)
    } catch (error) {
      const kind: FindingKind =
        error instanceof UnknownType ? "a cell of a type that the schema does not have" : "a cell that cannot be read"
      this.#shared.tell(kind, `${where}: ${hex(cell.column)} = ${hex(cell.value!)}`, [cell], [{ ...cell, value: null }])
      return undefined
    }
  }

  #label(cell: CellState, { other }: Relation, id: VertexId): number {
    const label = Number(other)
    if (this.#shared.schema.vertexLabel(label) !== undefined) return label
    this.#shared.tell("a vertex label that the schema does not have", shown(id), [cell], [{ ...cell, value: null }])
    return 0
  }

  *#relations(id: VertexId, relations: ReadonlyArray<readonly [CellState, Relation]>): Generator<void> {
    for (const [cell, relation] of relations) {
      if (this.#shared.isDue()) yield
      this.#numbers.relation(relation.relation)
      if (relation.prefix === prefixes.edge) this.#edge(id, cell, relation)
      if (relation.prefix === prefixes.edge || relation.prefix === prefixes.property) this.#copies(id, cell, relation)
      else if (relation.prefix === prefixes.edgeCopy || relation.prefix === prefixes.propertyCopy) {
        this.#copy(id, cell, relation)
      }
    }
  }

  /** Verifies that the other vertex of an edge has the edge too. */
  #edge(id: VertexId, cell: CellState, relation: Relation): void {
    const type = relation.type as EdgeLabel
    const other = canonicalId(relation.other!, this.#shared.bits)
    if (!relation.isIn) this.#numbers.count("edge", type.id)
    const where = `${type.name} of ${shown(id)} ${relation.isIn ? "from" : "to"} ${shown(other)}`
    // The in-vertex has no cell of the edge. The edge remains when that vertex is removed.
    if (type.unidirected) return
    const mirror = this.#cell(other, edgeCell(type, !relation.isIn, relation.relation, id, relation.properties))
    const there = valueAt(this.#shared.snapshot, mirror)
    if (sameValue(there, mirror.value)) return
    const seen = [cell, { ...mirror, value: there }]
    if (there !== null) {
      // The cell of the out-vertex is the correct one. The verification of that row reports the error.
      if (relation.isIn) return
      this.#shared.tell("an edge that its vertices have with different properties", where, seen, [mirror])
    } else if (this.#exists(other)) {
      this.#shared.tell("an edge that only one of its vertices has", where, seen, [mirror])
      // The repair adds the edge to the out-vertex.
      if (relation.isIn) this.#numbers.count("edge", type.id)
    } else {
      this.#gone(cell, where, other)
      if (!relation.isIn) this.#numbers.count("edge", type.id, -1)
    }
  }

  #gone(cell: CellState, where: string, other: VertexId): void {
    const exists: CellState = {
      table: "edgestore",
      key: rowKey(other, this.#shared.bits),
      column: existsHeader.bytes,
      value: null
    }
    this.#shared.tell("an edge to a vertex that does not exist", where, [cell, exists], [{ ...cell, value: null }])
  }

  #exists(id: VertexId): boolean {
    const key = rowKey(id, this.#shared.bits)
    const { bytes: start, end } = existsHeader
    return !this.#shared.snapshot.slice({ table: "edgestore", key, start, end, limit: 1 }).cells.isEmpty
  }

  #cell(id: VertexId, relation: Relation): CellState & { readonly value: Uint8Array } {
    return { table: "edgestore", ...this.#relationCells.cell(id, relation) }
  }

  /** Verifies that vertex-centric indexes have the copies of a relation. */
  #copies(id: VertexId, cell: CellState, relation: Relation): void {
    for (const { direction, status, type } of this.#shared.schema.copiesOf(relation.type.id)) {
      if (status !== "ENABLED" || direction === (relation.isIn ? "OUT" : "IN")) continue
      const prefix = relation.type.isKey ? prefixes.propertyCopy : prefixes.edgeCopy
      const copy = this.#cell(id, { ...relation, prefix, type })
      const there = valueAt(this.#shared.snapshot, copy)
      if (sameValue(there, copy.value)) continue
      const where = `${relation.type.name} of ${shown(id)}, relation ${relation.relation}`
      this.#shared.tell("a missing entry of a vertex-centric index", where, [cell, { ...copy, value: there }], [copy])
    }
  }

  /** Verifies that a copy belongs to an existing relation. */
  #copy(id: VertexId, cell: CellState, relation: Relation): void {
    const index = this.#shared.schema.indexTable.relationIndex(relation.type.id)
    const base = index === undefined ? undefined : this.#shared.schema.type(index.base)
    // An index that commits do not write has stale copies.
    if (index !== undefined && !isWritten(index.status)) return
    if (base !== undefined) {
      const prefix = base.isKey ? prefixes.property : prefixes.edge
      const original = this.#cell(id, { ...relation, prefix, type: base })
      const there = valueAt(this.#shared.snapshot, original)
      if (sameValue(there, original.value)) return
      // The copy has the column of the correct copy: the error is reported and repaired with the relation.
      if (there !== null && this.#isPlaceOf(id, { ...original, value: there }, relation, cell)) return
    }
    const where = `${relation.type.name} of ${shown(id)}, relation ${relation.relation}`
    this.#shared.tell("a stale entry of a vertex-centric index", where, [cell], [{ ...cell, value: null }])
  }

  /** True when the correct copy of a relation has the same column as an existing copy. */
  #isPlaceOf(id: VertexId, original: CellState, { prefix, type }: Relation, copy: CellState): boolean {
    const bytes = Buffer.concat([original.column, original.value!])
    try {
      const relation = decodeRelation(bytes, 0, original.column.length, bytes.length, this.#shared.schema.type)
      return sameValue(this.#cell(id, { ...relation, prefix, type }).column, copy.column)
    } catch {
      // The cell that cannot be decoded is a separate finding.
      return false
    }
  }
}

const shown = (id: VertexId): string => `v[${id}]`
