import type { Ref } from "../../../structure/elements/Element.ts"
import { TransactionConflict, UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import { sameBytes } from "../cells/Cells.ts"
import { documentName } from "../documents/DocumentNames.ts"
import type { VertexId } from "../format/Ids.ts"
import { isPartitionedId, storedEnds } from "../format/PartitionedVertices.ts"
import { edgeIdText } from "../format/RelationIds.ts"
import { decodeRelation, type Relation } from "../format/Relations.ts"
import type { RelationType } from "../format/RelationTypes.ts"
import { entriesOf, type IndexEntry, type IndexedElement } from "../indexes/IndexEntries.ts"
import type { EdgeLabel, GraphIndex } from "../schema/Schema.ts"
import type { CommitState } from "./CommitState.ts"
import { sameValue } from "./EntryMerge.ts"
import type { VertexCell } from "./RelationCells.ts"
import { isInRemovedRow } from "./RemovedVertices.ts"
import type { CommitTypes } from "./SchemaCommit.ts"
import { least } from "./TimesToLive.ts"
import type { VertexCommit } from "./VertexCommit.ts"

/** The part of a commit that writes edges. */
export class EdgeCommit {
  readonly #commit: CommitState
  readonly #vertices: VertexCommit
  /** Changes of the counts, by label, for the expired edges that the commit replaces by new ones. */
  readonly expired = new Map<string, number>()

  constructor(commit: CommitState, vertices: VertexCommit) {
    this.#commit = commit
    this.#vertices = vertices
  }

  /** The TTL of an edge in seconds; 0 for none. */
  #timeToLive(edge: Ref, type: EdgeLabel): number {
    const { edges } = this.#commit.given
    const ends = least(this.#vertices.timeToLive(edges.out(edge)), this.#vertices.timeToLive(edges.in(edge)))
    return least(this.#commit.timesToLive.of(type.id), ends)
  }

  #noteDocuments(edge: Ref, type: EdgeLabel, keys: Iterable<{ readonly name: string }>): void {
    if (this.#commit.types.schema.engineIndexes.length === 0) return
    this.#commit.noteDocuments(
      "edge",
      () => type.id,
      Array.from(keys, ({ name }) => name),
      () => this.#documentOf(edge, type)
    )
  }

  /** The name of an edge's document. An edge of a partitioned vertex has several names, of which JanusGraph chooses one. */
  #documentOf(edge: Ref, type: EdgeLabel): string | undefined {
    const { edges } = this.#commit.given
    const [out, into] = [this.#commit.id(edges.out(edge)), this.#commit.id(edges.in(edge))]
    if (isPartitionedId(out) || isPartitionedId(into)) return undefined
    return documentName(edgeIdText(edges.relation(edge), out, type.id, into))
  }

  #assertInDocuments(type: EdgeLabel, properties: Iterable<readonly [{ readonly name: string }, unknown]>): void {
    if (this.#commit.types.schema.engineIndexes.length === 0) return
    for (const [key, value] of properties) {
      this.#commit.assertInDocuments("edge", () => type.id, key.name, value)
    }
  }

  /** Throws TransactionConflict when an end of a new edge was removed. */
  #assertEnd(ref: Ref): void {
    if (!this.#commit.own.vertices.get(ref)?.isNew) this.#commit.assertAlive(ref, ", an end of a new edge,")
  }

  /** Removes an existing edge. Throws TransactionConflict when it was removed or changed since the snapshot. */
  remove(edge: Ref): void {
    const committed = this.#commit.given.committedEdge(edge)
    const [out, into] = [this.#commit.given.edges.out(edge), this.#commit.given.edges.in(edge)]
    const type = committed.type as EdgeLabel
    const properties = this.#newest(committed.properties)
    this.#noteDocuments(edge, type, properties.keys())
    const cells = this.#edgeCells(edge, properties)
    if (!isInRemovedRow(this.#commit.own, this.#commit.given.edges, edge)) {
      this.#assertCell(cells[0]!, this.#commit.id(into), `edge ${this.#name(edge)} was removed or changed`)
    }
    const outRemoved = this.#commit.own.removedVertices.has(out)
    const inRemoved = this.#commit.own.removedVertices.has(into)
    this.#commit.take(
      cells.filter(
        ({ vertex }) =>
          !(outRemoved && vertex === this.#commit.id(out)) && !(inRemoved && vertex === this.#commit.id(into))
      ),
      cells[0]!
    )
    this.#commit.replaceEntries(this.#indexesOf(properties), this.#edgeEntries(edge, type, properties), () => [])
  }

  /** Replaces the types of the snapshot's schema by those of the newest schema, with which cells are written. */
  #newest(properties: ReadonlyMap<RelationType, unknown>): ReadonlyMap<RelationType, unknown> {
    if (this.#commit.types.schema === this.#commit.given.schema || properties.size === 0) return properties
    return new Map([...properties].map(([key, value]) => [this.#commit.types.stored(key.id) ?? key, value]))
  }

  #name(edge: Ref): string {
    const { edges } = this.#commit.given
    return `${edges.type(edge).name} of vertex ${this.#commit.id(edges.out(edge))} (relation ${edges.relation(edge)})`
  }

  #assertCell({ key, column, value, vertex }: VertexCell, other: VertexId, what: string): void {
    const found = this.#commit.cell(key, column)
    if (found !== undefined) {
      if (sameBytes(found, value)) return
      // Other programs, and other versions of zlib, compress the same long text to other bytes.
      const relation = decodeCell(Buffer.concat([column, found]), column.length, this.#commit.types)
      if (sameBytes(this.#commit.cells.cell(vertex, { ...relation, other }).value, value)) return
    }
    this.#commit.conflict(what)
  }

  #edgeCells(edge: Ref, properties: ReadonlyMap<RelationType, unknown>): ReadonlyArray<VertexCell> {
    const { edges } = this.#commit.given
    const type = this.#commit.types.label(edges.type(edge).name)
    return this.#commit.cells.edge(
      type,
      edges.relation(edge),
      this.#commit.id(edges.out(edge)),
      this.#commit.id(edges.in(edge)),
      properties
    )
  }

  /** Adds a new edge to the rows of its vertices and to the indexes. */
  add(edge: Ref): void {
    const { edges } = this.#commit.given
    this.#assertEnd(edges.out(edge))
    this.#assertEnd(edges.in(edge))
    const type = this.#commit.types.label(edges.type(edge).name)
    const properties = new Map<RelationType, unknown>()
    for (const { key, value } of this.#commit.own.edgeChanges.get(edge)?.values() ?? []) {
      if (value !== undefined) properties.set(this.#commit.types.key(key.name), value)
    }
    const cells = this.#edgeCells(edge, properties)
    if (type.multiplicity !== "MULTI") for (const cell of cells.slice(0, 2)) this.#assertMultiplicity(cell, type)
    this.#noteDocuments(edge, type, properties.keys())
    this.#assertInDocuments(type, properties)
    const ttl = this.#timeToLive(edge, type)
    this.#commit.put(cells, ttl)
    const entries = this.#edgeEntries(edge, type, properties)
    this.#commit.replaceEntries(this.#indexesOf(properties), () => [], entries, { ttl, type: type.id })
  }

  /**
   * Checks that the column of a new edge, whose label allows only one such edge, is free or becomes free in this
   * commit. An expired edge in the column is removed. Throws TransactionConflict or UnsupportedValue.
   */
  #assertMultiplicity({ vertex, key, column }: VertexCell, type: EdgeLabel): void {
    const change = this.#commit.changes.changeOf("edgestore", key, column)
    if (change === null) return
    if (change !== undefined) throw tooMany(type)
    const value = this.#commit.cell(key, column)
    if (value === undefined) return
    const there = decodeCell(Buffer.concat([column, value]), column.length, this.#commit.types)
    const end = this.#commit.types.schema.expires && there.properties.get(this.#commit.types.schema.expires)
    if (end === undefined || Number(end) > this.#commit.given.now) {
      if (!this.#commit.given.readsAtOnce) throw tooMany(type)
      throw new TransactionConflict(`an edge ${type.name} (${type.multiplicity}) at vertex ${vertex}`)
    }
    this.#removeExpired(vertex, there)
  }

  /** Removes an expired edge, which was found in the row of `vertex`. */
  #removeExpired(vertex: VertexId, { type, isIn, relation, other, properties }: Relation): void {
    const label = type as EdgeLabel
    const [out, into] = isIn ? [other!, vertex] : [vertex, other!]
    this.#commit.take(this.#commit.cells.edge(label, relation, out, into, properties))
    const ends = storedEnds(label, relation, out, into, this.#commit.given.partitionBits)
    const entries = edgeEntries({ kind: "edge", relation, label: label.id, ...ends }, properties)
    this.#commit.replaceEntries(this.#indexesOf(properties), entries, () => [])
    this.expired.set(label.name, (this.expired.get(label.name) ?? 0) - 1)
  }

  /** The indexes that may have entries of an edge with these properties. */
  #indexesOf(...properties: ReadonlyArray<ReadonlyMap<RelationType, unknown>>): ReadonlyArray<GraphIndex> {
    const names = properties.flatMap((each) => Array.from(each.keys(), ({ name }) => name))
    return names.length === 0 ? [] : this.#commit.types.schema.indexTable.ofKeys("edge", names)
  }

  #edgeEntries(
    edge: Ref,
    type: EdgeLabel,
    properties: ReadonlyMap<RelationType, unknown>
  ): (index: GraphIndex) => ReadonlyArray<IndexEntry> {
    const { edges } = this.#commit.given
    const relation = edges.relation(edge)
    const [out, into] = [this.#commit.id(edges.out(edge)), this.#commit.id(edges.in(edge))]
    const ends = storedEnds(type, relation, out, into, this.#commit.given.partitionBits)
    return edgeEntries({ kind: "edge", relation, label: type.id, ...ends }, properties)
  }

  /** Changes properties of an existing edge. Throws TransactionConflict when others have changed the same property. */
  change(edge: Ref): void {
    const committed = this.#commit.given.committedEdge(edge)
    // An edge that may expire is written again: that begins its lifetime again, or ends its TTL.
    const isDated = this.#commit.timesToLive.mayHaveExpiring(committed.type.id)
    const changes = [...this.#commit.own.edgeChanges.get(edge)!.values()].filter(
      ({ base, value }) => !sameValue(base, value) || (isDated && value !== undefined)
    )
    if (changes.length === 0) return
    const [mine] = this.#edgeCells(edge, this.#newest(committed.properties))
    const value = this.#commit.cell(mine!.key, mine!.column)
    if (value === undefined) {
      this.#commit.conflict(`edge ${this.#name(edge)} was removed or changed`)
      return
    }
    const cell = Buffer.concat([mine!.column, value])
    const now = decodeCell(cell, mine!.column.length, this.#commit.types)
    if (now.relation !== this.#commit.given.edges.relation(edge)) {
      throw new TransactionConflict(`edge ${this.#name(edge)} was removed`)
    }
    const next = new Map(now.properties)
    for (const { key, base, value } of changes) {
      const type = this.#commit.types.key(key.name)
      if (!sameValue(now.properties.get(type), base)) {
        throw new TransactionConflict(`the property ${key.name} of edge ${this.#name(edge)}`)
      }
      if (value === undefined) next.delete(type)
      else next.set(type, value)
    }
    const type = now.type as EdgeLabel
    this.#assertInDocuments(type, next)
    this.#noteDocuments(
      edge,
      type,
      changes.map(({ key }) => key)
    )
    this.#commit.take(this.#edgeCells(edge, now.properties))
    const ttl = this.#timeToLive(edge, type)
    this.#commit.put(this.#edgeCells(edge, next), ttl)
    this.#commit.replaceEntries(
      this.#indexesOf(now.properties, next),
      this.#edgeEntries(edge, type, now.properties),
      this.#edgeEntries(edge, type, next),
      { ttl, type: type.id }
    )
  }
}

/** Returns a function that makes the entries of an edge in an index. */
const edgeEntries = (
  edge: Extract<IndexedElement, { kind: "edge" }>,
  properties: ReadonlyMap<RelationType, unknown>
): ((index: GraphIndex) => ReadonlyArray<IndexEntry>) => {
  const named = new Map([...properties].map(([key, value]) => [key.name, value]))
  const { relation } = edge
  return (index) =>
    entriesOf(index, edge, ({ name }) => (named.has(name) ? [{ relation, value: named.get(name) }] : []))
}

const decodeCell = (bytes: Uint8Array, columnEnd: number, types: CommitTypes): Relation =>
  decodeRelation(bytes, 0, columnEnd, bytes.length, types.stored)

const tooMany = (type: EdgeLabel): UnsupportedValue =>
  new UnsupportedValue(
    `There can be only one such edge: the label ${type.name} has the multiplicity ${type.multiplicity}, and another edge exists.`
  )
