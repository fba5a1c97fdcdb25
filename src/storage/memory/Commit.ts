import type { AdjacencyView } from "./AdjacencyView.ts"
import { checkConflicts } from "./Conflicts.ts"
import { ALL_LABELS, type ElementTable } from "./ElementTable.ts"
import type { GraphData } from "./GraphData.ts"
import { type HashIndex, indexKeys } from "./HashIndex.ts"
import { lookupKey } from "./IdTable.ts"
import { type OwnElements, ownPlace } from "./Overlay.ts"
import type { PropertyColumn, PropertyState } from "./Properties.ts"
import { CommitRecord, type TableRecord } from "./Snapshots.ts"
import type { TableView } from "./TableView.ts"

/**
 * Applies what a transaction changed, at once. Throws TransactionConflict, with nothing written, where
 * {@link checkConflicts} finds one. The transaction's own snapshot must have been given back: states it alone would
 * need are not kept.
 */
export const commitChanges = (
  data: GraphData,
  vertices: TableView,
  edges: TableView,
  adjacency: AdjacencyView
): void => {
  checkConflicts(data, vertices, edges, adjacency)
  data.reserve(vertices.own?.labels.length ?? 0, edges.own?.labels.length ?? 0)
  const version = data.clock.version + 1
  // Slots must be released in the order they died: while the log is not empty, the log does it.
  const record = data.snapshots.any || data.snapshots.logged > 0 ? new CommitRecord(version) : undefined
  new Application(data, version, record).apply(vertices, edges, adjacency)
  data.clock.version = version
  if (record !== undefined) data.snapshots.record(record)
}

/** One commit being applied; from here on nothing fails. */
class Application {
  readonly #data: GraphData
  readonly #version: number
  readonly #record: CommitRecord | undefined

  constructor(data: GraphData, version: number, record: CommitRecord | undefined) {
    this.#data = data
    this.#version = version
    this.#record = record
  }

  apply(vertices: TableView, edges: TableView, adjacency: AdjacencyView): void {
    if (edges.own !== null) this.#removeEdges(edges.table, edges.own)
    if (vertices.own !== null) this.#removeVertices(vertices.table, vertices.own)
    const vertexSlots = this.#addElements(vertices.table, vertices.own, this.#record?.vertices)
    const edgeSlots = this.#addElements(edges.table, edges.own, this.#record?.edges)
    this.#connect(edges, adjacency, edgeSlots, vertexSlots)
    this.#changeProperties(vertices.table, vertices.own, vertexSlots, this.#record?.vertices)
    this.#changeProperties(edges.table, edges.own, edgeSlots, this.#record?.edges)
    this.#changeCounts(vertices.table, vertices.own, this.#record?.vertices)
    this.#changeCounts(edges.table, edges.own, this.#record?.edges)
  }

  #removeEdges(table: ElementTable, own: OwnElements): void {
    const data = this.#data
    for (const edge of own.removed) {
      const out = data.outVertices[edge]!
      const into = data.inVertices[edge]!
      const label = table.label(edge)
      data.out.delete(out, label, edge)
      data.in.delete(into, label, edge)
      data.touched[out] = this.#version
      data.touched[into] = this.#version
      this.#kill(table, edge, this.#record?.edges)
      if (this.#record === undefined) data.releaseEdge(edge)
    }
  }

  #removeVertices(table: ElementTable, own: OwnElements): void {
    for (const vertex of own.removed) {
      this.#kill(table, vertex, this.#record?.vertices)
      if (this.#record === undefined) this.#data.releaseVertex(vertex)
    }
  }

  #kill(table: ElementTable, slot: number, record: TableRecord | undefined): void {
    if (record !== undefined) {
      const key = lookupKey(table.ids.id(slot))
      table.idUndo.push(key, this.#version, slot)
      record.ids.push(key)
      table.diedAt.set(slot, this.#version)
      record.died.push(slot)
      if (table.indexes.size > 0) this.#keepDyingEntries(table, slot, record)
    }
    table.kill(slot)
  }

  /** The index entries of a deleted element stay until its slot is released. */
  #keepDyingEntries(table: ElementTable, slot: number, record: TableRecord): void {
    for (const number of table.keysOf(slot)) {
      const { index, values } = table.columns[number]!
      if (index === null) continue
      for (const key of indexKeys(values.get(slot))) {
        if (!index.ready) index.add(key, slot)
        index.stale++
        record.dyingEntries.set(index, (record.dyingEntries.get(index) ?? 0) + 1)
      }
    }
  }

  /** Slots of the new elements by their place; -1 for those removed again. */
  #addElements(table: ElementTable, own: OwnElements | null, record: TableRecord | undefined): Int32Array {
    const count = own?.labels.length ?? 0
    const slots = new Int32Array(count)
    const used = table.peak
    for (let place = 0; place < count; place++) {
      const label = own!.labels[place]!
      if (label < 0) {
        slots[place] = -1
        continue
      }
      const slot = table.add(own!, place)
      slots[place] = slot
      if (record !== undefined && slot < used) {
        table.bornAt.set(slot, this.#version)
        record.born.push(slot)
      }
    }
    return slots
  }

  #connect(edges: TableView, adjacency: AdjacencyView, edgeSlots: Int32Array, vertexSlots: Int32Array): void {
    const data = this.#data
    const { own } = adjacency
    for (let place = 0; place < edgeSlots.length; place++) {
      const edge = edgeSlots[place]!
      if (edge === -1) continue
      const outRef = own!.outVertex[place]!
      const inRef = own!.inVertex[place]!
      const out = outRef >= 0 ? outRef : vertexSlots[ownPlace(outRef)]!
      const into = inRef >= 0 ? inRef : vertexSlots[ownPlace(inRef)]!
      const label = edges.own!.labels[place]!
      data.outVertices[edge] = out
      data.inVertices[edge] = into
      data.out.add(out, label, into, edge)
      data.in.add(into, label, out, edge)
      data.touched[out] = this.#version
      data.touched[into] = this.#version
    }
  }

  #changeProperties(
    table: ElementTable,
    own: OwnElements | null,
    slots: Int32Array,
    record: TableRecord | undefined
  ): void {
    if (own === null) return
    for (let i = 0; i < own.changedRefs.length; i++) {
      const ref = own.changedRefs[i]!
      const key = own.changedKeys[i]!
      const slot = ref >= 0 ? ref : slots[ownPlace(ref)]!
      if (slot === -1 || own.isRemoved(ref)) continue
      const change = own.change(key, ref)!
      if (change.state === change.base) continue
      const column = change.state === undefined ? table.column(key) : table.openColumn(key)
      if (column === undefined) continue
      this.#write(table, column, slot, change.state, ref >= 0 ? record : undefined)
    }
  }

  #write(
    table: ElementTable,
    column: PropertyColumn,
    slot: number,
    state: PropertyState | undefined,
    record: TableRecord | undefined
  ): void {
    const had = column.values.get(slot)
    if (record !== undefined) {
      column.undo.push(slot, this.#version, column.state(slot))
      record.columns.push(column)
      record.slots.push(slot)
    }
    column.write(slot, state)
    if ((had === undefined) !== (state === undefined)) table.setKey(slot, column.number, state !== undefined)
    if (column.index !== null) updateIndex(column.index, column, slot, had, state?.value, record)
  }

  #changeCounts(table: ElementTable, own: OwnElements | null, record: TableRecord | undefined): void {
    if (own === null) return
    let total = 0
    for (const [label, change] of own.countChanges) {
      if (change === 0) continue
      total += change
      const before = table.perLabel[label] ?? 0
      if (record !== undefined) {
        table.countUndo.push(label, this.#version, before)
        record.counts.push(label)
      }
      while (table.perLabel.length <= label) table.perLabel.push(0)
      table.perLabel[label] = before + change
    }
    if (total === 0) return
    if (record !== undefined) {
      table.countUndo.push(ALL_LABELS, this.#version, table.total)
      record.counts.push(ALL_LABELS)
    }
    table.total += total
  }
}

const updateIndex = (
  index: HashIndex,
  column: PropertyColumn,
  slot: number,
  had: unknown,
  has: unknown,
  record: TableRecord | undefined
): void => {
  const before = indexKeys(had)
  const after = indexKeys(has)
  for (const key of before) {
    if (after.includes(key)) continue
    if (record === undefined) {
      index.remove(key, slot)
      continue
    }
    // An index that is being built may not have come here yet, but snapshots after its beginning need the entry.
    if (!index.ready) index.add(key, slot)
    index.stale++
    record.staleIndexes.push(index)
    record.staleColumns.push(column)
    record.staleKeys.push(key)
    record.staleSlots.push(slot)
  }
  for (const key of after) if (!before.includes(key)) index.add(key, slot)
}
