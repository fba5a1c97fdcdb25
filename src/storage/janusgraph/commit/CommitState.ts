import { BigMap, BigSet } from "../../../structure/containers/BigMap.ts"
import type { Ref } from "../../../structure/elements/Element.ts"
import { TransactionConflict, UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { CellBatch } from "../cells/CellStore.ts"
import { CellCursor, sameBytes } from "../cells/Cells.ts"
import { RelationLog } from "../cells/RelationLog.ts"
import { sliceOf } from "../cells/Slices.ts"
import { assertInDocuments } from "../documents/DocumentValues.ts"
import type { LogEntry } from "../documents/LogEntry.ts"
import type { Id, VertexId } from "../format/Ids.ts"
import { rowKeysOf } from "../format/PartitionedVertices.ts"
import { decodeRelation, type Relation } from "../format/Relations.ts"
import { type RelationType, vertexExists } from "../format/RelationTypes.ts"
import type { ZippedTexts } from "../format/Strings.ts"
import type { IndexEntry } from "../indexes/IndexEntries.ts"
import type { EdgeTable } from "../rows/EdgeTable.ts"
import { headersOf } from "../rows/Headers.ts"
import type { VertexRefs } from "../rows/Refs.ts"
import type { VertexRow } from "../rows/Row.ts"
import { RowLoader } from "../rows/RowLoader.ts"
import { type GraphIndex, isWritten, type Schema } from "../schema/Schema.ts"
import { after, readSchema, readWhole } from "../schema/SchemaRead.ts"
import type { Overlay } from "../transaction/Overlay.ts"
import { IndexChanges } from "./IndexChanges.ts"
import { assertColumnFits, assertEntryFits } from "./NameLengths.ts"
import { RelationCells, type VertexCell } from "./RelationCells.ts"
import { RowChanges } from "./RowChanges.ts"
import { CommitTypes } from "./SchemaCommit.ts"
import { type Owner, TimesToLive } from "./TimesToLive.ts"

/** The changes of a transaction, with what its commit needs to check and apply them. */
export interface Changes {
  readonly own: Overlay
  readonly edges: EdgeTable
  readonly vertexRefs: VertexRefs
  readonly schema: Schema
  readonly partitionBits: number
  /** True when the store keeps element counts. */
  readonly counts: boolean
  /**
   * True when the transaction has checked unique indexes and multiplicities against its snapshot while it wrote. A
   * violation that the commit finds then comes from a transaction that committed since.
   */
  readonly readsAtOnce: boolean
  /** See CellGraphOptions. */
  readonly staleMixedIndexes: boolean
  /** Where the commit notes the documents of search engines that it changes; undefined without search engines. */
  readonly documents: CommitDocuments | undefined
  /** True when logs of transactions have the commit. `userLog`: that of the user, undefined for none. */
  readonly isLogged: boolean
  readonly userLog: string | undefined
  /** See CellStore.cellsExpire. */
  readonly cellsExpire: boolean
  /** True when the ids of new vertices may be in use: clients choose them, or the check costs nothing. */
  readonly checksNewIds: boolean
  /** When the transaction began, ms since the epoch. Elements that expired before then are ignored. */
  readonly now: number
  /** Digests of the rows of removed vertices in the snapshot. */
  readonly removedRows: BigMap<Ref, string>
  /**
   * In a graph with user-defined ids: the cells of the snapshot that mark a vertex as existing. They distinguish the
   * vertex from a later one with the same id.
   */
  readonly existing: BigMap<Ref, Uint8Array>
  /** The decoded cell of an edge in the snapshot. */
  readonly committedEdge: (edge: Ref) => Relation
  /** New relation ids for the system relations of new types and vertices. */
  readonly relations: ReadonlyArray<Id>
  /** The long texts of a long commit, compressed; undefined for a short one. */
  readonly zipped: ZippedTexts | undefined
}

/** What a commit needs to know of search engines. */
interface CommitDocuments {
  readonly entry: LogEntry
  readonly isServed: (index: GraphIndex) => boolean
  /** Adds the entry to the changes of the commit. */
  readonly put: (changes: RowChanges) => void
}

/** The header of the cell that marks a vertex as existing. */
export const existsHeader = headersOf(vertexExists).out
const none: ReadonlyMap<RelationType, unknown> = new Map()

/** The state that the parts of one commit share: the newest rows, each read once, and the changes of cells. */
export class CommitState {
  readonly batch: CellBatch
  readonly given: Changes
  readonly own: Overlay
  readonly changes = new RowChanges()
  /** The changed relations for logs of transactions; undefined if no log has the commit. */
  readonly log: RelationLog | undefined
  readonly indexes = new IndexChanges()
  readonly types: CommitTypes
  readonly cells: RelationCells
  readonly timesToLive: TimesToLive
  readonly rows: RowLoader
  /** Ids of the vertices whose rows change. */
  readonly changed = new BigSet<VertexId>()
  readonly #current = new BigMap<VertexId, VertexRow>()
  readonly #alive = new BigSet<Ref>()
  #relations = 0

  constructor(batch: CellBatch, given: Changes) {
    this.batch = batch
    this.given = given
    this.own = given.own
    this.log = given.isLogged ? new RelationLog() : undefined
    const schema =
      batch.schemaVersion === given.schema.version
        ? given.schema
        : readSchema(
            batch.schemaVersion,
            readWhole((query) => batch.slice(query))
          )
    this.types = new CommitTypes(batch, { schema, seen: given.schema, own: given.own }, this.changes, this.nextRelation)
    this.cells = new RelationCells(schema, given.partitionBits, given.zipped)
    this.timesToLive = new TimesToLive(schema, given.cellsExpire)
    this.rows = new RowLoader((query) => batch.slice(query), given.partitionBits)
  }

  /** The next id of {@link Changes.relations}. */
  readonly nextRelation = (): Id => this.given.relations[this.#relations++]!

  /** The id of a vertex. */
  id(ref: Ref): VertexId {
    return this.given.vertexRefs.id(ref)
  }

  /** The keys of the rows of a vertex: one, unless the vertex is partitioned. */
  keys(id: VertexId): ReadonlyArray<Buffer> {
    return rowKeysOf(id, this.given.partitionBits)
  }

  /** The newest committed row of a vertex. */
  row(id: VertexId): VertexRow {
    let row = this.#current.get(id)
    if (row === undefined) {
      row = this.rows.row(id)
      this.#current.set(id, row)
    }
    return row
  }

  /** The newest committed value of a cell of `edgestore`; undefined when there is no such cell. */
  cell(key: Uint8Array, column: Uint8Array): Uint8Array | undefined {
    const query = sliceOf("edgestore", key, column, after(column), 1)
    const cursor = new CellCursor().over(this.batch.slice(query).cells)
    return cursor.next() ? cursor.value() : undefined
  }

  /** Adds the cells of a relation. `ttl`: their TTL in seconds, 0 for none. */
  put(cells: ReadonlyArray<VertexCell>, ttl: number): void {
    this.log?.added.push(cells[0]!)
    const { longestName = Number.POSITIVE_INFINITY } = this.batch
    for (const { vertex, key, column, value } of cells) {
      if (column.length > longestName) {
        assertColumnFits(column.length, longestName, () => this.#typeOf(column, value))
      }
      this.changes.put("edgestore", key, column, value, ttl)
      this.changed.add(vertex)
    }
  }

  #typeOf(column: Uint8Array, value: Uint8Array): string {
    const bytes = Buffer.concat([column, value])
    const { type } = decodeRelation(bytes, 0, column.length, bytes.length, this.types.stored)
    return this.types.schema.baseOf(type).name
  }

  /** Removes the cells of a relation. `first`: its cell in logs of transactions, if `cells` does not begin with it. */
  take(cells: ReadonlyArray<VertexCell>, first = cells[0]!): void {
    this.log?.removed.push(first)
    for (const { vertex, key, column } of cells) {
      this.changes.remove("edgestore", key, column)
      this.changed.add(vertex)
    }
  }

  /**
   * Throws TransactionConflict when a vertex of the snapshot was removed. `what` is the role of the vertex in the
   * message.
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

  /**
   * Throws TransactionConflict, unless the batch is incomplete: then the missing cell may only not have been fetched.
   */
  conflict(what: string): void {
    if (!this.batch.isIncomplete) throw new TransactionConflict(what)
  }

  /** Records that a vertex exists, so that {@link assertAlive} does not check it. */
  noteAlive(ref: Ref): void {
    this.#alive.add(ref)
  }

  /** Replaces the names of properties by their types. Throws TransactionConflict for a type that was removed. */
  typed(named: ReadonlyMap<string, unknown> | null): ReadonlyMap<RelationType, unknown> {
    if (named === null) return none
    return new Map([...named].map(([name, value]) => [this.types.key(name), value]))
  }

  /**
   * Notes the documents of an element in search engines: one for each of their indexes with a written key. Throws UnsupportedValue if the
   * element cannot have such a document, or this server does not know the engine: the index would keep the old value. The option
   * `schema.allow-stale-mixed-indexes` allows that. `label` returns the id of the label of the element; that of a vertex property is its
   * key. `name` returns the name of the document.
   */
  noteDocuments(
    element: GraphIndex["element"],
    label: () => number,
    keys: Iterable<string>,
    name: () => string | undefined
  ): void {
    const { engineIndexes } = this.types.schema
    const { documents } = this.given
    if (engineIndexes.length === 0) return
    for (const key of keys) {
      for (const index of engineIndexes) {
        if (index.element !== element || !index.engineKeys!.includes(key)) continue
        if (index.onlyLabel !== undefined && index.onlyLabel !== label()) continue
        if (!documents?.isServed(index)) {
          if (this.given.staleMixedIndexes) continue
          throw staleIndex(key, index)
        }
        const document = name()
        // Searches use the index, so that they would miss an element without a document.
        if (document === undefined) throw withoutDocument(key, index)
        documents.entry.touched.set(`${index.id} ${document}`, [index.id, document, index.backing])
      }
    }
  }

  /** Throws UnsupportedValue for a value that a search engine cannot index. `label`: as for {@link noteDocuments}. */
  assertInDocuments(element: GraphIndex["element"], label: () => number, key: string, value: unknown): void {
    for (const index of this.types.schema.engineIndexes) {
      if (index.element !== element || !this.given.documents?.isServed(index)) continue
      if (index.onlyLabel !== undefined && index.onlyLabel !== label()) continue
      const field = index.documents!.fields.find((each) => each.key.name === key)
      if (field !== undefined) assertInDocuments(index.name, field, value)
    }
  }

  /**
   * Replaces the entries of an element in the indexes. Throws UnsupportedValue when another element of the same commit
   * has the same value under a unique index.
   */
  replaceEntries(
    indexes: ReadonlyArray<GraphIndex>,
    before: (index: GraphIndex) => ReadonlyArray<IndexEntry>,
    now: (index: GraphIndex) => ReadonlyArray<IndexEntry>,
    owner: Owner = { ttl: 0, type: 0 }
  ): void {
    for (const index of indexes) {
      if (!isWritten(index.status)) continue
      const added = now(index)
      if (this.given.cellsExpire) {
        for (const entry of added) {
          const seconds = this.timesToLive.ofEntry(entry, owner)
          if (seconds !== undefined) entry.ttl = seconds
        }
      }
      for (const entry of added) assertEntryFits(entry, this.batch.longestName)
      this.indexes.replace(before(index), added)
      const { clash } = this.indexes
      if (clash !== undefined) throw notUnique(clash.index)
    }
  }
}

const staleIndex = (key: string, { backing, name }: GraphIndex): UnsupportedValue =>
  new UnsupportedValue(
    `The key ${key} is in the mixed index ${name}, which JanusGraph keeps in the index backend ` +
      `'${backing}'. This server cannot update that index. Write the key through JanusGraph, disable the index, or ` +
      "set schema.allow-stale-mixed-indexes=true."
  )

const withoutDocument = (key: string, { backing, name }: GraphIndex): UnsupportedValue =>
  new UnsupportedValue(
    `The key ${key} is in the mixed index ${name}, which the search engine of the index backend '${backing}' keeps. This ` +
      "element can have no document there: partitioned vertices and their edges have none that this server can write, and " +
      "an id has at most 512 bytes of valid Unicode. Write the key through JanusGraph, or disable the index."
  )

/** The error for a value that another element has under a unique index. */
export const notUnique = (index: GraphIndex): UnsupportedValue =>
  new UnsupportedValue(
    `Another element has the same value under ${index.fields.map(({ name }) => name).join(", ")}: adding it violates a ` +
      `uniqueness constraint [${index.name}].`
  )
