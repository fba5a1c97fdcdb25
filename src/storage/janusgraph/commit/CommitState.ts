import { BigMap, BigSet } from "../../../structure/BigMap.ts"
import type { Ref } from "../../../structure/Element.ts"
import { TransactionConflict, UnsupportedValue } from "../../../structure/StoreErrors.ts"
import type { CellBatch, SliceQuery } from "../cells/CellStore.ts"
import { CellCursor, sameBytes } from "../cells/Cells.ts"
import type { Id, VertexId } from "../format/Ids.ts"
import type { Relation } from "../format/Relations.ts"
import { type RelationType, vertexExists } from "../format/RelationTypes.ts"
import { rowKey } from "../format/RowKeys.ts"
import type { IndexEntry } from "../indexes/IndexEntries.ts"
import { headersOf } from "../rows/Headers.ts"
import type { EdgeTable, VertexRefs } from "../rows/Refs.ts"
import type { VertexRow } from "../rows/Row.ts"
import { RowLoader } from "../rows/RowLoader.ts"
import { type GraphIndex, isWritten, type Schema } from "../schema/Schema.ts"
import { after, readSchema, readWhole } from "../schema/SchemaRead.ts"
import type { Overlay } from "../transaction/Overlay.ts"
import { IndexChanges } from "./IndexChanges.ts"
import { RelationCells, type VertexCell } from "./RelationCells.ts"
import { RowChanges } from "./RowChanges.ts"
import { CommitTypes } from "./SchemaCommit.ts"

/** What a transaction hands to its commit. */
export interface Changes {
  readonly own: Overlay
  readonly edges: EdgeTable
  readonly vertexRefs: VertexRefs
  readonly schema: Schema
  readonly partitionBits: number
  /** Whether elements are counted. */
  readonly counts: boolean
  /**
   * Whether the transaction compared values under unique indexes and multiplicities of edges with its snapshot as it
   * wrote: then what stands against them now was committed since.
   */
  readonly readsAtOnce: boolean
  /** When the transaction began, ms since the epoch: what had ended by then does not count. */
  readonly now: number
  /** Digests of the rows of removed vertices, as the snapshot has them. */
  readonly removedRows: BigMap<Ref, string>
  /** The cells that say that a vertex exists, of those whose ids can be used again, as the snapshot has them. */
  readonly existing: BigMap<Ref, Uint8Array>
  /** The cell of an edge of the snapshot. */
  readonly committedEdge: (edge: Ref) => Relation
  /** Ids for the relations that the commit makes by itself: enough for new types and vertices. */
  readonly relations: ReadonlyArray<Id>
}

/** Header of the cell that says that a vertex exists. */
export const existsHeader = headersOf(vertexExists).out
const none: ReadonlyMap<RelationType, unknown> = new Map()

/**
 * What vertices and edges of one commit share: the newest state, read once, and the changes of cells that they make.
 */
export class CommitState {
  readonly batch: CellBatch
  readonly given: Changes
  readonly own: Overlay
  readonly changes = new RowChanges()
  readonly indexes = new IndexChanges()
  readonly types: CommitTypes
  readonly cells: RelationCells
  readonly rows: RowLoader
  /** Vertices whose rows change. */
  readonly changed = new BigSet<VertexId>()
  readonly #current = new BigMap<VertexId, VertexRow>()
  readonly #alive = new BigSet<Ref>()
  #relations = 0

  constructor(batch: CellBatch, given: Changes) {
    this.batch = batch
    this.given = given
    this.own = given.own
    const schema =
      batch.schemaVersion === given.schema.version
        ? given.schema
        : readSchema(
            batch.schemaVersion,
            readWhole((query) => batch.slice(query))
          )
    this.types = new CommitTypes(batch, schema, given.own, this.changes, this.nextRelation)
    this.cells = new RelationCells(schema, given.partitionBits)
    this.rows = new RowLoader((query) => batch.slice(query), given.partitionBits)
  }

  /** The next of the ids for relations that the commit makes by itself. */
  readonly nextRelation = (): Id => this.given.relations[this.#relations++]!

  id(ref: Ref): VertexId {
    return this.given.vertexRefs.id(ref)
  }

  key(id: VertexId): Buffer {
    return rowKey(id, this.given.partitionBits)
  }

  /** The newest row of a vertex, without changes of the commit itself. */
  row(id: VertexId): VertexRow {
    let row = this.#current.get(id)
    if (row === undefined) {
      row = this.rows.row(id)
      this.#current.set(id, row)
    }
    return row
  }

  /** The newest value of a cell of edgestore. */
  cell(key: Uint8Array, column: Uint8Array): Uint8Array | undefined {
    const query: SliceQuery = { table: "edgestore", key, start: column, end: after(column), limit: 1 }
    const cursor = new CellCursor().over(this.batch.slice(query).cells)
    return cursor.next() ? cursor.value() : undefined
  }

  put(cells: ReadonlyArray<VertexCell>): void {
    for (const { vertex, key, column, value } of cells) {
      this.changes.put("edgestore", key, column, value)
      this.changed.add(vertex)
    }
  }

  take(cells: ReadonlyArray<VertexCell>): void {
    for (const { vertex, key, column } of cells) {
      this.changes.remove("edgestore", key, column)
      this.changed.add(vertex)
    }
  }

  /**
   * Throws TransactionConflict unless a vertex of the snapshot is still there; `what` says in its text what needs it.
   */
  assertAlive(ref: Ref, what: string): void {
    if (this.#alive.has(ref)) return
    const id = this.id(ref)
    const group = this.rows.group(this.row(id), existsHeader)
    const before = this.given.existing.get(ref)
    const same =
      group !== undefined && (before === undefined || sameBytes(group.bytes.subarray(group.start, group.end), before))
    if (!same) this.conflict(`vertex ${id}${what} was removed`)
    this.#alive.add(ref)
  }

  /** Throws TransactionConflict, unless what tells of it is still to be fetched. */
  conflict(what: string): void {
    if (!this.batch.isIncomplete) throw new TransactionConflict(what)
  }

  /** The vertex was found as the snapshot has it, in another way than by {@link assertAlive}. */
  isAlive(ref: Ref): void {
    this.#alive.add(ref)
  }

  /** Properties by their types. */
  typed(named: ReadonlyMap<string, unknown> | null): ReadonlyMap<RelationType, unknown> {
    if (named === null) return none
    return new Map([...named].map(([name, value]) => [this.types.key(name), value]))
  }

  /**
   * Entries of an element before and after; throws UnsupportedValue when another element of the commit has a unique
   * one.
   */
  replaceEntries(
    indexes: ReadonlyArray<GraphIndex>,
    before: (index: GraphIndex) => ReadonlyArray<IndexEntry>,
    now: (index: GraphIndex) => ReadonlyArray<IndexEntry>
  ): void {
    for (const index of indexes) {
      if (!isWritten(index.status)) continue
      this.indexes.replace(before(index), now(index))
      const { clash } = this.indexes
      if (clash !== undefined) throw notUnique(clash.index)
    }
  }
}

/** Two elements of one transaction, or one that is there, have the value. */
export const notUnique = (index: GraphIndex): UnsupportedValue =>
  new UnsupportedValue(
    `Another element has the same value under ${index.fields.map(({ name }) => name).join(", ")}: adding it violates a ` +
      `uniqueness constraint [${index.name}].`
  )
