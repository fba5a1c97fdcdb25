import { BigMap } from "../../../structure/containers/BigMap.ts"
import type { Ref } from "../../../structure/elements/Element.ts"
import { Entry, type PropertyState, stateWith } from "../../shared/Properties.ts"
import { CellCursor, type Cells } from "../cells/Cells.ts"
import { documentName, vertexName } from "../documents/DocumentNames.ts"
import type { Id, VertexId } from "../format/Ids.ts"
import { isPartitionedId } from "../format/PartitionedVertices.ts"
import { decodeRelation, edgeCell, propertyCell, type Relation } from "../format/Relations.ts"
import { prefixes, vertexExists, vertexLabelEdge } from "../format/RelationTypes.ts"
import { MAX_PLAIN_UNITS } from "../format/Strings.ts"
import { entriesOf, type IndexEntry } from "../indexes/IndexEntries.ts"
import { headersOf } from "../rows/Headers.ts"
import { entriesOfGroup, relationAt, stateOfGroup } from "../rows/PropertyCells.ts"
import { groupsOf, type VertexRow } from "../rows/Row.ts"
import type { GraphIndex, PropertyKey } from "../schema/Schema.ts"
import type { OwnVertex } from "../transaction/Overlay.ts"
import { type CommitState, existsHeader } from "./CommitState.ts"
import { RowDigest } from "./Digest.ts"
import { merged, sameEntry } from "./EntryMerge.ts"
import { assertNotIndexed } from "./PropertyIndexes.ts"
import type { VertexCell } from "./RelationCells.ts"
import { least } from "./TimesToLive.ts"

/** Values of a removed vertex that are decoded between two yields. */
const ENTRIES_PER_YIELD = 256

/** The part of a commit that writes vertices and their properties. */
export class VertexCommit {
  readonly #commit: CommitState

  constructor(commit: CommitState) {
    this.#commit = commit
  }

  /** Removes a vertex and its row. Throws TransactionConflict when the row differs from the snapshot. */
  *remove(ref: Ref): Generator<void, void> {
    const id = this.#commit.id(ref)
    const digest = new RowDigest()
    const found = new Map<string, Array<Entry>>()
    for (const cells of this.#commit.rows.whole(id)) {
      digest.add(cells)
      this.#logRemoved(id, cells)
      for (const group of groupsOf(cells)) {
        const key = this.#commit.types.stored(group.typeId)
        if (group.prefix !== prefixes.property || key === undefined) continue
        const entries = found.get(key.name) ?? []
        for (const entry of entriesOfGroup(group, key, this.#commit.types.stored)) {
          entries.push(entry)
          if (entries.length % ENTRIES_PER_YIELD === 0) yield
        }
        found.set(key.name, entries)
      }
      yield
    }
    if (digest.text() !== this.#commit.given.removedRows.get(ref)) {
      const row = this.#commit.row(id)
      const gone = this.#commit.rows.group(row, existsHeader) === undefined
      this.#commit.conflict(
        gone ? `vertex ${id} was removed` : `the edges or a property of vertex ${id}, which this transaction removes`
      )
    }
    this.#commit.noteAlive(ref)
    const label = this.#commit.types.vertexLabel(this.#commit.own.removedVertices.get(ref)!)
    this.#commit.noteDocuments(
      "vertex",
      () => label,
      found.keys(),
      () => documentOf(id)
    )
    for (const [name, entries] of found) for (const entry of entries) this.#assertMetaNotIndexed(name, entry)
    const states = new Map([...found].map(([name, entries]) => [name, stateWith(entries)]))
    const read = (key: PropertyKey) => states.get(key.name)
    const indexes = this.#commit.types.schema.indexTable.ofKeys("vertex", found.keys())
    this.#commit.replaceEntries(indexes, this.#vertexEntries(id, label, read), () => [])
    for (const key of this.#commit.keys(id)) this.#commit.changes.removeRow("edgestore", key)
    this.#commit.changed.add(id)
  }

  /** Adds what a removed vertex has by itself to the logs of transactions. Its edges are removed one by one. */
  #logRemoved(vertex: VertexId, cells: Cells): void {
    const { log } = this.#commit
    if (log === undefined) return
    for (const cursor = new CellCursor().over(cells); cursor.next(); ) {
      const column = cursor.column()
      if (column[0]! >> 5 <= prefixes.property) log.removed.push({ vertex, column, value: cursor.value() })
    }
  }

  /** Adds a vertex, its properties and its index entries. */
  *add(ref: Ref, vertex: OwnVertex): Generator<void, void> {
    const id = this.#commit.id(ref)
    if (
      this.#commit.given.checksNewIds &&
      !this.#commit.own.removedVertices.has(ref) &&
      this.#commit.rows.group(this.#commit.row(id), existsHeader) !== undefined
    ) {
      this.#commit.conflict(`vertex ${id} was added`)
    }
    const label = this.#commit.types.vertexLabel(vertex.label)
    this.#commit.noteDocuments(
      "vertex",
      () => label,
      vertex.changes.keys(),
      () => documentOf(id)
    )
    const { timesToLive } = this.#commit
    const ttl = timesToLive.of(label)
    this.#commit.put([this.#commit.cells.cell(id, propertyCell(vertexExists, this.#commit.nextRelation(), true))], ttl)
    if (label !== 0) {
      const cell = edgeCell(vertexLabelEdge, false, this.#commit.nextRelation(), label)
      this.#commit.put([this.#commit.cells.cell(id, cell)], ttl)
    }
    for (const { key, state } of vertex.changes.values()) {
      for (const entry of state?.entries ?? []) {
        const type = this.#commit.types.key(key.name)
        this.#assertMetaNotIndexed(key.name, entry)
        this.#commit.assertInDocuments("vertex", () => label, key.name, entry.value)
        this.#commit.put(this.#propertyCells(id, type, entry), least(ttl, timesToLive.of(type.id)))
        yield
      }
    }
    const read = (key: PropertyKey) => vertex.changes.get(key.name)?.state
    const indexes = this.#commit.types.schema.indexTable.ofKeys("vertex", vertex.changes.keys())
    this.#commit.replaceEntries(indexes, () => [], this.#vertexEntries(id, label, read), { ttl, type: label })
  }

  /** Throws UnsupportedValue if an index that only JanusGraph updates has one of the meta-properties of an entry. */
  #assertMetaNotIndexed(key: string, { meta }: Entry): void {
    const { schema } = this.#commit.types
    if (meta === null) return
    if (schema.propertyIndexes.length > 0) assertNotIndexed(schema, this.#commit.types.key(key).id, meta)
    if (schema.engineIndexes.length === 0) return
    this.#commit.noteDocuments(
      "property",
      () => this.#commit.types.key(key).id,
      meta.keys(),
      () => undefined
    )
  }

  #propertyCells(id: VertexId, key: PropertyKey, { id: relation, value, meta }: Entry): ReadonlyArray<VertexCell> {
    return this.#commit.cells.property(id, key, relation as Id, value, this.#commit.typed(meta))
  }

  /** A value that is removed, without its long text, which would be compressed. Only columns of a SET key and logs have the value. */
  #withoutText({ cardinality }: PropertyKey, entry: Entry): Entry {
    if (cardinality === "SET" || this.#commit.log !== undefined || !isLongText(entry.value)) return entry
    return new Entry(entry.id, "", entry.meta)
  }

  /**
   * Changes the properties of an existing vertex, merged with the changes that others have committed since the
   * snapshot.
   */
  *change(ref: Ref, vertex: OwnVertex): Generator<void, void> {
    const id = this.#commit.id(ref)
    const row = this.#commit.row(id)
    const now = new Map<string, PropertyState | undefined>()
    const next = new Map<string, PropertyState | undefined>()
    for (const change of vertex.changes.values()) {
      if (change.state === change.base) continue
      const key = this.#commit.types.key(change.key.name)
      const current = this.#state(row, key)
      if (!this.#provesAlive(ref, change.base, current)) this.#commit.assertAlive(ref, "")
      const state = merged(change, current)
      if (state === "conflict") {
        this.#commit.conflict(`the property ${key.name} of vertex ${id}`)
        continue
      }
      now.set(key.name, current)
      next.set(key.name, state)
      const [before, later] = [yield* entriesById(current), yield* entriesById(state)]
      let stored: BigMap<unknown, Buffer> | undefined
      for (const [relation, entry] of before) {
        yield
        if (isKept(entry, later.get(relation))) continue
        this.#assertMetaNotIndexed(key.name, entry)
        const [cell, ...copies] = this.#propertyCells(id, key, this.#withoutText(key, entry))
        // Every long value is decoded, so once for all that are removed.
        if (key.cardinality === "SET" && isLongText(entry.value)) stored ??= yield* this.#storedColumns(row, key)
        this.#commit.take([{ ...cell!, column: stored?.get(relation) ?? cell!.column }, ...copies])
      }
      for (const [relation, entry] of later) {
        yield
        if (isKept(entry, before.get(relation))) continue
        this.#assertMetaNotIndexed(key.name, entry)
        this.#commit.assertInDocuments("vertex", () => this.#labelOf(row), key.name, entry.value)
        this.#commit.put(this.#propertyCells(id, key, entry), this.#commit.timesToLive.of(key.id))
      }
    }
    if (now.size === 0) return
    this.#commit.noteDocuments(
      "vertex",
      () => this.#labelOf(row),
      now.keys(),
      () => documentOf(id)
    )
    const indexes = this.#commit.types.schema.indexTable.ofKeys("vertex", now.keys())
    if (indexes.length === 0) return
    const label = this.#labelOf(row)
    const before = this.#vertexEntries(id, label, (key) =>
      now.has(key.name) ? now.get(key.name) : this.#state(row, key)
    )
    const later = this.#vertexEntries(id, label, (key) =>
      next.has(key.name) ? next.get(key.name) : this.#state(row, key)
    )
    this.#commit.replaceEntries(indexes, before, later)
  }

  /**
   * True when no cell but that of the property needs to be read to know that the vertex exists: its row still has a
   * property that the transaction has read, and removing a vertex removes its row. In a graph with user-defined ids the
   * row may be that of another vertex. While the cells are not fetched, the next run of the work decides.
   */
  #provesAlive(ref: Ref, base: PropertyState | undefined, current: PropertyState | undefined): boolean {
    const { batch, given } = this.#commit
    if (given.readsAtOnce || base === undefined || given.existing.has(ref)) return false
    if (batch.isIncomplete) return true
    const known = new Set(base.entries.map(({ id }) => id))
    return current?.entries.some(({ id }) => known.has(id)) ?? false
  }

  #state(row: VertexRow, key: PropertyKey): PropertyState | undefined {
    const group = this.#commit.rows.group(row, headersOf(key).out)
    return group === undefined ? undefined : stateOfGroup(group, key, this.#commit.types.stored)
  }

  /**
   * The stored columns of the values of a SET key that are long texts, by relation: other programs, and other versions of zlib, compress
   * them to other bytes. The columns of other values are always the same.
   */
  *#storedColumns(row: VertexRow, key: PropertyKey): Generator<void, BigMap<unknown, Buffer>> {
    const columns = new BigMap<unknown, Buffer>()
    for (let part = this.#commit.rows.group(row, headersOf(key).out); part; part = part.next ?? undefined) {
      const cursor = new CellCursor().within(part.bytes, part.start, part.end)
      while (cursor.next()) {
        yield
        const { columnEnd, columnStart, valueEnd } = cursor
        const found = decodeRelation(part.bytes, columnStart, columnEnd, valueEnd, this.#commit.types.stored)
        if (isLongText(found.value)) columns.set(found.relation, Buffer.from(cursor.column()))
      }
    }
    return columns
  }

  /** The TTL of a vertex in seconds, that of its label; 0 for none. */
  timeToLive(ref: Ref): number {
    const { own, timesToLive, types } = this.#commit
    if (!timesToLive.hasVertices) return 0
    const vertex = own.vertices.get(ref)
    const label = vertex?.isNew
      ? types.vertexLabel(vertex.label)
      : this.#labelOf(this.#commit.row(this.#commit.id(ref)))
    return timesToLive.of(label)
  }

  #labelOf(row: VertexRow): number {
    const group = this.#commit.rows.group(row, headersOf(vertexLabelEdge).out)
    if (group === undefined) return 0
    return Number(relationAt(group.bytes, group.start, group.end, this.#commit.types.stored).other)
  }

  #vertexEntries(
    id: VertexId,
    label: number,
    read: (key: PropertyKey) => PropertyState | undefined
  ): (index: GraphIndex) => ReadonlyArray<IndexEntry> {
    const inline = (key: PropertyKey): Relation | undefined => {
      const entry = read(key)?.entries[0]
      if (entry === undefined) return undefined
      return { ...propertyCell(key, entry.id as Id, entry.value), properties: this.#commit.typed(entry.meta) }
    }
    return (index) =>
      entriesOf(index, { kind: "vertex", id, label, inline }, (key) =>
        (read(key)?.entries ?? []).map((entry) => ({ relation: entry.id as Id, value: entry.value }))
      )
  }
}

const isLongText = (value: unknown): boolean => typeof value === "string" && value.length > MAX_PLAIN_UNITS

/** The name of a vertex's document. A partitioned vertex has none that this server can write. */
const documentOf = (id: VertexId): string | undefined =>
  isPartitionedId(id) ? undefined : documentName(vertexName(id))

function* entriesById(state: PropertyState | undefined): Generator<void, BigMap<unknown, Entry>> {
  const byId = new BigMap<unknown, Entry>()
  for (const entry of state?.entries ?? []) {
    byId.set(entry.id, entry)
    yield
  }
  return byId
}

const isKept = (entry: Entry, other: Entry | undefined): boolean => other !== undefined && sameEntry(entry, other)
