import { BigMap, BigSet } from "../../../structure/BigMap.ts"
import type { Ref } from "../../../structure/Element.ts"
import { TransactionConflict, UnsupportedValue } from "../../../structure/StoreErrors.ts"
import { type Entry, type PropertyState, stateWith } from "../../memory/Properties.ts"
import type { CellBatch, SliceQuery } from "../CellStore.ts"
import { CellCursor, sameBytes } from "../Cells.ts"
import type { Id, VertexId } from "../codec/Ids.ts"
import { decodeRelation, edgeCell, propertyCell, type Relation } from "../codec/Relations.ts"
import { type RelationType, vertexExists, vertexLabelEdge } from "../codec/RelationTypes.ts"
import { rowKey } from "../codec/RowKeys.ts"
import { headersOf } from "../Headers.ts"
import { entriesOf, type IndexEntry, type IndexedElement } from "../indexes/IndexEntries.ts"
import type { Overlay, OwnVertex } from "../Overlay.ts"
import { relationAt, stateOfGroup } from "../PropertyCells.ts"
import type { EdgeTable, VertexRefs } from "../Refs.ts"
import { groupsOf, type VertexRow } from "../Row.ts"
import { RowLoader } from "../RowLoader.ts"
import { type EdgeLabel, type GraphIndex, isWritten, type PropertyKey, type Schema } from "../schema/Schema.ts"
import { after, readSchema, readWhole } from "../schema/SchemaReading.ts"
import { sameValue } from "../Writing.ts"
import { changeCounts, readCounts } from "./Counters.ts"
import { RowDigest } from "./Digest.ts"
import { hasEnded, IndexChanges } from "./IndexChanges.ts"
import { merged, sameEntry } from "./Merging.ts"
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

const existsHeader = headersOf(vertexExists).out
const none: ReadonlyMap<RelationType, unknown> = new Map()

/**
 * One run of a commit: compares what the transaction changes with the newest state, and turns it into changes of cells.
 * First committer wins: throws TransactionConflict when another commit since the snapshot changed the same property,
 * edge, existence of a vertex, place of a multiplicity or entry of a unique index.
 */
export class GraphCommit {
  readonly #batch: CellBatch
  readonly #given: Changes
  readonly #own: Overlay
  readonly #changes = new RowChanges()
  readonly #indexes = new IndexChanges()
  readonly #types: CommitTypes
  readonly #cells: RelationCells
  readonly #rows: RowLoader
  readonly #current = new BigMap<VertexId, VertexRow>()
  readonly #alive = new BigSet<Ref>()
  readonly #changed = new BigSet<VertexId>()
  /** Edges that gave their places to others, which they had outlived, by label. */
  readonly #ended = new Map<string, number>()
  #relations = 0
  readonly #nextRelation = (): Id => this.#given.relations[this.#relations++]!

  constructor(batch: CellBatch, given: Changes) {
    this.#batch = batch
    this.#given = given
    this.#own = given.own
    const schema =
      batch.schemaVersion === given.schema.version
        ? given.schema
        : readSchema(
            batch.schemaVersion,
            readWhole((query) => batch.slice(query))
          )
    this.#types = new CommitTypes(batch, schema, given.own, this.#changes, this.#nextRelation)
    this.#cells = new RelationCells(schema, given.partitionBits)
    this.#rows = new RowLoader((query) => batch.slice(query), given.partitionBits)
  }

  /** Applies everything, with a yield for about each element, and returns the vertices whose rows changed. */
  *pieces(): Generator<void, BigSet<VertexId>> {
    const { edgeChanges, newEdges, newEdgeSet, removedEdges, removedVertices, vertices } = this.#own
    for (const ref of removedVertices.keys()) yield* this.#removeVertex(ref)
    for (const edge of removedEdges) {
      yield
      if (!newEdgeSet.has(edge)) this.#removeEdge(edge)
    }
    for (const [ref, vertex] of vertices) {
      yield
      if (vertex.removed) continue
      if (vertex.isNew) yield* this.#addVertex(ref, vertex)
      else if (vertex.changes.size > 0) yield* this.#changeVertex(ref, vertex)
    }
    for (const edge of newEdges) {
      yield
      if (!removedEdges.has(edge)) this.#addEdge(edge)
    }
    for (const edge of edgeChanges.keys()) {
      yield
      if (!newEdgeSet.has(edge) && !removedEdges.has(edge)) this.#changeEdge(edge)
    }
    const { now, partitionBits } = this.#given
    yield* this.#indexes.checking(
      this.#batch,
      hasEnded((query) => this.#batch.slice(query), this.#types.schema, partitionBits, now)
    )
    yield* this.#indexes.putting(this.#changes)
    this.#count()
    yield* this.#changes.pieces(this.#batch)
    return this.#changed
  }

  #id(ref: Ref): VertexId {
    return this.#given.vertexRefs.id(ref)
  }

  #key(id: VertexId): Buffer {
    return rowKey(id, this.#given.partitionBits)
  }

  #row(id: VertexId): VertexRow {
    let row = this.#current.get(id)
    if (row === undefined) {
      row = this.#rows.row(id)
      this.#current.set(id, row)
    }
    return row
  }

  #put(cells: ReadonlyArray<VertexCell>): void {
    for (const { vertex, key, column, value } of cells) {
      this.#changes.put("edgestore", key, column, value)
      this.#changed.add(vertex)
    }
  }

  #take(cells: ReadonlyArray<VertexCell>): void {
    for (const { vertex, key, column } of cells) {
      this.#changes.remove("edgestore", key, column)
      this.#changed.add(vertex)
    }
  }

  // Existence

  /** Throws TransactionConflict unless a vertex of the snapshot is still there. */
  #assertAlive(ref: Ref, what: string): void {
    if (this.#alive.has(ref)) return
    const id = this.#id(ref)
    const group = this.#rows.group(this.#row(id), existsHeader)
    const before = this.#given.existing.get(ref)
    const same =
      group !== undefined && (before === undefined || sameBytes(group.bytes.subarray(group.start, group.end), before))
    if (!same) throw new TransactionConflict(`vertex ${id}${what} was removed`)
    this.#alive.add(ref)
  }

  #assertEnd(ref: Ref): void {
    if (!this.#own.vertices.get(ref)?.isNew) this.#assertAlive(ref, ", an end of a new edge,")
  }

  // Vertices

  *#removeVertex(ref: Ref): Generator<void, void> {
    const id = this.#id(ref)
    const digest = new RowDigest()
    const found = new Map<string, Array<Entry>>()
    for (const cells of this.#rows.whole(id)) {
      digest.add(cells)
      for (const group of groupsOf(cells)) {
        const key = this.#types.stored(group.typeId)
        if (group.prefix !== PROPERTY || key === undefined) continue
        const entries = found.get(key.name) ?? []
        for (const entry of stateOfGroup(group, key, this.#types.stored).entries) entries.push(entry)
        found.set(key.name, entries)
      }
      yield
    }
    if (digest.text() !== this.#given.removedRows.get(ref)) {
      const row = this.#row(id)
      const gone = this.#rows.group(row, existsHeader) === undefined
      throw new TransactionConflict(
        gone ? `vertex ${id} was removed` : `the edges or a property of vertex ${id}, which this transaction removes`
      )
    }
    this.#alive.add(ref)
    const label = this.#types.vertexLabel(this.#own.removedVertices.get(ref)!)
    const states = new Map([...found].map(([name, entries]) => [name, stateWith(entries)]))
    const read = (key: PropertyKey) => states.get(key.name)
    this.#replaceEntries(this.#types.schema.indexes, this.#vertexEntries(id, label, read), () => [])
    this.#changes.removeRow("edgestore", this.#key(id))
    this.#changed.add(id)
  }

  *#addVertex(ref: Ref, vertex: OwnVertex): Generator<void, void> {
    const id = this.#id(ref)
    if (!this.#own.removedVertices.has(ref) && this.#rows.group(this.#row(id), existsHeader) !== undefined) {
      throw new TransactionConflict(`vertex ${id} was added`)
    }
    this.#put([this.#cells.cell(id, propertyCell(vertexExists, this.#nextRelation(), true))])
    const label = this.#types.vertexLabel(vertex.label)
    if (label !== 0) this.#put([this.#cells.cell(id, edgeCell(vertexLabelEdge, false, this.#nextRelation(), label))])
    for (const { key, state } of vertex.changes.values()) {
      for (const entry of state?.entries ?? []) {
        this.#put(this.#propertyCells(id, this.#types.key(key.name), entry))
        yield
      }
    }
    const read = (key: PropertyKey) => vertex.changes.get(key.name)?.state
    this.#replaceEntries(this.#types.schema.indexes, () => [], this.#vertexEntries(id, label, read))
  }

  #propertyCells(id: VertexId, key: PropertyKey, { id: relation, value, meta }: Entry): ReadonlyArray<VertexCell> {
    return this.#cells.property(id, key, relation as Id, value, this.#typed(meta))
  }

  /** Properties by their types. */
  #typed(named: ReadonlyMap<string, unknown> | null): ReadonlyMap<RelationType, unknown> {
    if (named === null) return none
    return new Map([...named].map(([name, value]) => [this.#types.key(name), value]))
  }

  *#changeVertex(ref: Ref, vertex: OwnVertex): Generator<void, void> {
    const id = this.#id(ref)
    const row = this.#row(id)
    const now = new Map<string, PropertyState | undefined>()
    const next = new Map<string, PropertyState | undefined>()
    for (const change of vertex.changes.values()) {
      if (change.state === change.base) continue
      this.#assertAlive(ref, "")
      const key = this.#types.key(change.key.name)
      const current = this.#state(row, key)
      const state = merged(change, current)
      if (state === "conflict") throw new TransactionConflict(`the property ${key.name} of vertex ${id}`)
      now.set(key.name, current)
      next.set(key.name, state)
      const [before, later] = [yield* entriesById(current), yield* entriesById(state)]
      for (const [relation, entry] of before) {
        yield
        if (!isKept(entry, later.get(relation))) this.#take(this.#propertyCells(id, key, entry))
      }
      for (const [relation, entry] of later) {
        yield
        if (!isKept(entry, before.get(relation))) this.#put(this.#propertyCells(id, key, entry))
      }
    }
    if (now.size === 0) return
    const indexes = this.#types.schema.indexes.filter(({ fields, inlineKeys }) =>
      [...fields, ...inlineKeys].some(({ name }) => now.has(name))
    )
    if (indexes.length === 0) return
    const label = this.#labelOf(row)
    const before = this.#vertexEntries(id, label, (key) =>
      now.has(key.name) ? now.get(key.name) : this.#state(row, key)
    )
    const later = this.#vertexEntries(id, label, (key) =>
      next.has(key.name) ? next.get(key.name) : this.#state(row, key)
    )
    this.#replaceEntries(indexes, before, later)
  }

  #state(row: VertexRow, key: PropertyKey): PropertyState | undefined {
    const group = this.#rows.group(row, headersOf(key).out)
    return group === undefined ? undefined : stateOfGroup(group, key, this.#types.stored)
  }

  #labelOf(row: VertexRow): number {
    const group = this.#rows.group(row, headersOf(vertexLabelEdge).out)
    if (group === undefined) return 0
    return Number(relationAt(group.bytes, group.start, group.end, this.#types.stored).other)
  }

  #vertexEntries(
    id: VertexId,
    label: number,
    read: (key: PropertyKey) => PropertyState | undefined
  ): (index: GraphIndex) => ReadonlyArray<IndexEntry> {
    const inline = (key: PropertyKey): Relation | undefined => {
      const entry = read(key)?.entries[0]
      if (entry === undefined) return undefined
      return { ...propertyCell(key, entry.id as Id, entry.value), properties: this.#typed(entry.meta) }
    }
    return (index) =>
      entriesOf(index, { kind: "vertex", id, label, inline }, (key) =>
        (read(key)?.entries ?? []).map((entry) => ({ relation: entry.id as Id, value: entry.value }))
      )
  }

  #replaceEntries(
    indexes: ReadonlyArray<GraphIndex>,
    before: (index: GraphIndex) => ReadonlyArray<IndexEntry>,
    now: (index: GraphIndex) => ReadonlyArray<IndexEntry>
  ): void {
    for (const index of indexes) {
      if (!isWritten(index.status)) continue
      this.#indexes.replace(before(index), now(index))
      const { clash } = this.#indexes
      if (clash !== undefined) throw notUnique(clash.index)
    }
  }

  // Edges

  #removeEdge(edge: Ref): void {
    const committed = this.#given.committedEdge(edge)
    const [out, into] = [this.#given.edges.out(edge), this.#given.edges.in(edge)]
    const type = committed.type as EdgeLabel
    const properties = this.#newest(committed.properties)
    const cells = this.#edgeCells(edge, properties)
    // The row of a removed vertex was compared in whole, and goes in whole.
    const outRemoved = this.#own.removedVertices.has(out)
    const inRemoved = this.#own.removedVertices.has(into)
    if (!outRemoved && !inRemoved) this.#assertCell(cells[0]!, `edge ${this.#name(edge)} was removed or changed`)
    this.#take(
      cells.filter(
        ({ vertex }) => !(outRemoved && vertex === this.#id(out)) && !(inRemoved && vertex === this.#id(into))
      )
    )
    this.#replaceEntries(this.#types.schema.indexes, this.#edgeEntries(edge, type, properties), () => [])
  }

  /** Properties of the snapshot by the types of the newest schema, which cells are written with: those are other objects. */
  #newest(properties: ReadonlyMap<RelationType, unknown>): ReadonlyMap<RelationType, unknown> {
    if (this.#types.schema === this.#given.schema || properties.size === 0) return properties
    return new Map([...properties].map(([key, value]) => [this.#types.stored(key.id) ?? key, value]))
  }

  #name(edge: Ref): string {
    const { edges } = this.#given
    return `${edges.type(edge).name} of vertex ${this.#id(edges.out(edge))} (relation ${edges.relation(edge)})`
  }

  #assertCell({ key, column, value }: VertexCell, what: string): void {
    const found = this.#cell(key, column)
    if (found === undefined || !sameBytes(found, value)) throw new TransactionConflict(what)
  }

  /** The newest value of a cell of edgestore. */
  #cell(key: Uint8Array, column: Uint8Array): Uint8Array | undefined {
    const query: SliceQuery = { table: "edgestore", key, start: column, end: after(column), limit: 1 }
    const cursor = new CellCursor().over(this.#batch.slice(query).cells)
    return cursor.next() ? cursor.value() : undefined
  }

  #edgeCells(edge: Ref, properties: ReadonlyMap<RelationType, unknown>): ReadonlyArray<VertexCell> {
    const { edges } = this.#given
    const type = this.#types.label(edges.type(edge).name)
    return this.#cells.edge(type, edges.relation(edge), this.#id(edges.out(edge)), this.#id(edges.in(edge)), properties)
  }

  #addEdge(edge: Ref): void {
    const { edges } = this.#given
    this.#assertEnd(edges.out(edge))
    this.#assertEnd(edges.in(edge))
    const type = this.#types.label(edges.type(edge).name)
    const properties = new Map<RelationType, unknown>()
    for (const { key, value } of this.#own.edgeChanges.get(edge)?.values() ?? []) {
      if (value !== undefined) properties.set(this.#types.key(key.name), value)
    }
    const cells = this.#edgeCells(edge, properties)
    if (type.multiplicity !== "MULTI") for (const cell of cells.slice(0, 2)) this.#assertPlace(cell, type)
    this.#put(cells)
    this.#replaceEntries(this.#types.schema.indexes, () => [], this.#edgeEntries(edge, type, properties))
  }

  /** The place of an edge that there may be only one of must be free, or freed by the transaction itself. */
  #assertPlace({ vertex, key, column }: VertexCell, type: EdgeLabel): void {
    const change = this.#changes.changeOf("edgestore", key, column)
    if (change === null) return
    if (change !== undefined) throw tooMany(type)
    const value = this.#cell(key, column)
    if (value === undefined) return
    const there = decodeCell(Buffer.concat([column, value]), column.length, this.#types)
    const end = this.#types.schema.expires && there.properties.get(this.#types.schema.expires)
    if (end === undefined || Number(end) > this.#given.now) {
      throw new TransactionConflict(`an edge ${type.name} (${type.multiplicity}) at vertex ${vertex}`)
    }
    this.#removeEnded(vertex, there)
  }

  /** Takes an edge away that has outlived its time, as one of its vertices has it. */
  #removeEnded(vertex: VertexId, { type, isIn, relation, other, properties }: Relation): void {
    const label = type as EdgeLabel
    const [out, into] = isIn ? [other!, vertex] : [vertex, other!]
    this.#take(this.#cells.edge(label, relation, out, into, properties))
    const entries = edgeEntries({ kind: "edge", relation, out, label: label.id, into }, properties)
    this.#replaceEntries(this.#types.schema.indexes, entries, () => [])
    this.#ended.set(label.name, (this.#ended.get(label.name) ?? 0) - 1)
  }

  #edgeEntries(
    edge: Ref,
    type: EdgeLabel,
    properties: ReadonlyMap<RelationType, unknown>
  ): (index: GraphIndex) => ReadonlyArray<IndexEntry> {
    const { edges } = this.#given
    const relation = edges.relation(edge)
    const [out, into] = [this.#id(edges.out(edge)), this.#id(edges.in(edge))]
    return edgeEntries({ kind: "edge", relation, out, label: type.id, into }, properties)
  }

  #changeEdge(edge: Ref): void {
    const committed = this.#given.committedEdge(edge)
    const changes = [...this.#own.edgeChanges.get(edge)!.values()].filter(({ base, value }) => !sameValue(base, value))
    if (changes.length === 0) return
    const [mine] = this.#edgeCells(edge, this.#newest(committed.properties))
    const value = this.#cell(mine!.key, mine!.column)
    if (value === undefined) throw new TransactionConflict(`edge ${this.#name(edge)} was removed or changed`)
    const cell = Buffer.concat([mine!.column, value])
    const now = decodeCell(cell, mine!.column.length, this.#types)
    if (now.relation !== this.#given.edges.relation(edge)) {
      throw new TransactionConflict(`edge ${this.#name(edge)} was removed`)
    }
    const next = new Map(now.properties)
    for (const { key, base, value } of changes) {
      const type = this.#types.key(key.name)
      if (!sameValue(now.properties.get(type), base)) {
        throw new TransactionConflict(`the property ${key.name} of edge ${this.#name(edge)}`)
      }
      if (value === undefined) next.delete(type)
      else next.set(type, value)
    }
    const type = now.type as EdgeLabel
    this.#take(this.#edgeCells(edge, now.properties))
    this.#put(this.#edgeCells(edge, next))
    this.#replaceEntries(
      this.#types.schema.indexes,
      this.#edgeEntries(edge, type, now.properties),
      this.#edgeEntries(edge, type, next)
    )
  }

  // Counters

  #count(): void {
    const { vertexCounts, edgeCounts } = this.#own
    if (vertexCounts.size > 0) this.#countKind("vertex", vertexCounts, (name) => this.#types.vertexLabel(name))
    const edges = this.#withEnded(edgeCounts)
    if (edges.size > 0) this.#countKind("edge", edges, (name) => this.#types.label(name).id)
  }

  #withEnded(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    if (this.#ended.size === 0) return counts
    const all = new Map(counts)
    for (const [label, change] of this.#ended) all.set(label, (all.get(label) ?? 0) + change)
    return all
  }

  #countKind(kind: "vertex" | "edge", by: ReadonlyMap<string, number>, idOf: (name: string) => number): void {
    const now = readCounts(this.#batch, kind)
    changeCounts(kind, now, new Map([...by].map(([name, change]) => [idOf(name), change])), this.#changes)
  }
}

/** The entries of an edge in an index. */
const edgeEntries = (
  edge: Extract<IndexedElement, { kind: "edge" }>,
  properties: ReadonlyMap<RelationType, unknown>
): ((index: GraphIndex) => ReadonlyArray<IndexEntry>) => {
  const named = new Map([...properties].map(([key, value]) => [key.name, value]))
  const { relation } = edge
  return (index) =>
    entriesOf(index, edge, ({ name }) => (named.has(name) ? [{ relation, value: named.get(name) }] : []))
}

const PROPERTY = 2

function* entriesById(state: PropertyState | undefined): Generator<void, BigMap<unknown, Entry>> {
  const byId = new BigMap<unknown, Entry>()
  for (const entry of state?.entries ?? []) {
    byId.set(entry.id, entry)
    yield
  }
  return byId
}

const isKept = (entry: Entry, other: Entry | undefined): boolean => other !== undefined && sameEntry(entry, other)

const decodeCell = (bytes: Uint8Array, columnEnd: number, types: CommitTypes): Relation =>
  decodeRelation(bytes, 0, columnEnd, bytes.length, types.stored)

/** Two elements of one transaction, or one that is there, have the value. */
export const notUnique = (index: GraphIndex): UnsupportedValue =>
  new UnsupportedValue(
    `Another element has the same value under ${index.fields.map(({ name }) => name).join(", ")}: adding it violates a ` +
      `uniqueness constraint [${index.name}].`
  )

const tooMany = (type: EdgeLabel): UnsupportedValue =>
  new UnsupportedValue(
    `There can be only one such edge: the label ${type.name} has the multiplicity ${type.multiplicity}, and another edge has the place.`
  )
