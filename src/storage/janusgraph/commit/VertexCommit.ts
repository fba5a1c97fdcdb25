import { BigMap } from "../../../structure/BigMap.ts"
import type { Ref } from "../../../structure/Element.ts"
import { type Entry, type PropertyState, stateWith } from "../../shared/Properties.ts"
import type { Id, VertexId } from "../format/Ids.ts"
import { edgeCell, propertyCell, type Relation } from "../format/Relations.ts"
import { prefixes, vertexExists, vertexLabelEdge } from "../format/RelationTypes.ts"
import { entriesOf, type IndexEntry } from "../indexes/IndexEntries.ts"
import { headersOf } from "../rows/Headers.ts"
import { relationAt, stateOfGroup } from "../rows/PropertyCells.ts"
import { groupsOf, type VertexRow } from "../rows/Row.ts"
import type { GraphIndex, PropertyKey } from "../schema/Schema.ts"
import type { OwnVertex } from "../transaction/Overlay.ts"
import { type CommitState, existsHeader } from "./CommitState.ts"
import { RowDigest } from "./Digest.ts"
import { merged, sameEntry } from "./EntryMerge.ts"
import type { VertexCell } from "./RelationCells.ts"

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
      for (const group of groupsOf(cells)) {
        const key = this.#commit.types.stored(group.typeId)
        if (group.prefix !== prefixes.property || key === undefined) continue
        const entries = found.get(key.name) ?? []
        for (const entry of stateOfGroup(group, key, this.#commit.types.stored).entries) entries.push(entry)
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
    this.#commit.isAlive(ref)
    const label = this.#commit.types.vertexLabel(this.#commit.own.removedVertices.get(ref)!)
    const states = new Map([...found].map(([name, entries]) => [name, stateWith(entries)]))
    const read = (key: PropertyKey) => states.get(key.name)
    this.#commit.replaceEntries(this.#commit.types.schema.indexes, this.#vertexEntries(id, label, read), () => [])
    this.#commit.changes.removeRow("edgestore", this.#commit.key(id))
    this.#commit.changed.add(id)
  }

  /** Adds a vertex, its properties and its index entries. */
  *add(ref: Ref, vertex: OwnVertex): Generator<void, void> {
    const id = this.#commit.id(ref)
    if (
      !this.#commit.own.removedVertices.has(ref) &&
      this.#commit.rows.group(this.#commit.row(id), existsHeader) !== undefined
    ) {
      this.#commit.conflict(`vertex ${id} was added`)
    }
    this.#commit.put([this.#commit.cells.cell(id, propertyCell(vertexExists, this.#commit.nextRelation(), true))])
    const label = this.#commit.types.vertexLabel(vertex.label)
    if (label !== 0)
      this.#commit.put([
        this.#commit.cells.cell(id, edgeCell(vertexLabelEdge, false, this.#commit.nextRelation(), label))
      ])
    for (const { key, state } of vertex.changes.values()) {
      for (const entry of state?.entries ?? []) {
        this.#commit.put(this.#propertyCells(id, this.#commit.types.key(key.name), entry))
        yield
      }
    }
    const read = (key: PropertyKey) => vertex.changes.get(key.name)?.state
    this.#commit.replaceEntries(this.#commit.types.schema.indexes, () => [], this.#vertexEntries(id, label, read))
  }

  #propertyCells(id: VertexId, key: PropertyKey, { id: relation, value, meta }: Entry): ReadonlyArray<VertexCell> {
    return this.#commit.cells.property(id, key, relation as Id, value, this.#commit.typed(meta))
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
      this.#commit.assertAlive(ref, "")
      const key = this.#commit.types.key(change.key.name)
      const current = this.#state(row, key)
      const state = merged(change, current)
      if (state === "conflict") {
        this.#commit.conflict(`the property ${key.name} of vertex ${id}`)
        continue
      }
      now.set(key.name, current)
      next.set(key.name, state)
      const [before, later] = [yield* entriesById(current), yield* entriesById(state)]
      for (const [relation, entry] of before) {
        yield
        if (!isKept(entry, later.get(relation))) this.#commit.take(this.#propertyCells(id, key, entry))
      }
      for (const [relation, entry] of later) {
        yield
        if (!isKept(entry, before.get(relation))) this.#commit.put(this.#propertyCells(id, key, entry))
      }
    }
    if (now.size === 0) return
    const indexes = this.#commit.types.schema.indexes.filter(({ fields, inlineKeys }) =>
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
    this.#commit.replaceEntries(indexes, before, later)
  }

  #state(row: VertexRow, key: PropertyKey): PropertyState | undefined {
    const group = this.#commit.rows.group(row, headersOf(key).out)
    return group === undefined ? undefined : stateOfGroup(group, key, this.#commit.types.stored)
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

function* entriesById(state: PropertyState | undefined): Generator<void, BigMap<unknown, Entry>> {
  const byId = new BigMap<unknown, Entry>()
  for (const entry of state?.entries ?? []) {
    byId.set(entry.id, entry)
    yield
  }
  return byId
}

const isKept = (entry: Entry, other: Entry | undefined): boolean => other !== undefined && sameEntry(entry, other)
