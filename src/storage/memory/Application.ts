import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { PropertyColumn, PropertyState } from "../shared/Properties.ts"
import type { AdjacencyView } from "./AdjacencyView.ts"
import { ALL_LABELS, type ElementTable } from "./ElementTable.ts"
import type { GraphData } from "./GraphData.ts"
import { valueBytes } from "./Growth.ts"
import { indexKeys } from "./HashIndex.ts"
import { lookupKey } from "./IdTable.ts"
import { updateIndex } from "./IndexUpdates.ts"
import { NONE, type OwnElements, ownPlace } from "./Overlay.ts"
import { CommitRecord, REPLACED_BYTES, type TableRecord } from "./Snapshots.ts"
import type { TableView } from "./TableView.ts"

/** What a transaction sees of a graph, with its own changes. */
export interface TransactionViews {
  readonly vertices: TableView
  readonly edges: TableView
  readonly adjacency: AdjacencyView
}

const NO_SLOTS = new Int32Array(0)

/** Changes of a long commit that share a record of the undo log: several records can be cut in several slices. */
const RECORD_CHANGES = 256

/** The progress of a commit with the vertices, or with the edges. */
export class Progress {
  readonly table: ElementTable
  readonly own: OwnElements | null
  /** Slots of the new elements by their place; -1 for those removed again. */
  readonly slots: Int32Array
  /** Number of new elements that are done. */
  added = 0
  /** Number of changes of properties that were begun. */
  written = 0
  /** Elements whose keys changed, and the shape that each had before. */
  shaped: Array<{ readonly slot: number; readonly shape: number }> | undefined

  constructor({ own, table }: TableView) {
    this.table = table
    this.own = own
    const added = own === null ? 0 : own.labels.length
    this.slots = added === 0 ? NO_SLOTS : new Int32Array(added).fill(-1)
  }
}

/**
 * Applies one commit. No change is expected to fail, but memory can run out in each of them, and a defect can throw anywhere:
 * so each change first does what may fail and what no reader sees, and `Progress` says how many changes are done.
 * {@link rollbackTask} undoes them from there.
 */
export class Application {
  readonly data: GraphData
  readonly version: number
  readonly vertices: Progress
  readonly edges: Progress
  /** Number of new edges that were added to their vertices. */
  connected = 0
  readonly #adjacency: AdjacencyView
  readonly #isLong: boolean
  #record: CommitRecord | undefined
  #changes = 0

  /** `record`: what the undo log gets; undefined when no snapshot needs it. `isLong`: the log gets several records. */
  constructor(
    data: GraphData,
    version: number,
    changes: TransactionViews,
    record: CommitRecord | undefined,
    isLong: boolean
  ) {
    this.data = data
    this.version = version
    this.#record = record
    this.#isLong = isLong
    this.vertices = new Progress(changes.vertices)
    this.edges = new Progress(changes.edges)
    this.#adjacency = changes.adjacency
  }

  /** Adds the record to the undo log, and begins another one for the rest of the commit. */
  nextRecord(): void {
    if (this.#record === undefined || this.#record.isEmpty) return
    this.data.snapshots.record(this.#record)
    this.#record = new CommitRecord(this.version)
  }

  recordOf({ kind }: ElementTable): TableRecord | undefined {
    return kind === "vertex" ? this.#record?.vertices : this.#record?.edges
  }

  /** Makes all changes. */
  *task(slice: TimeSlice): Task {
    const { edges, vertices } = this
    if (edges.own !== null) yield* this.#removeEdges(edges.table, edges.own, slice)
    if (vertices.own !== null) yield* this.#removeVertices(vertices.table, vertices.own, slice)
    if (vertices.slots.length > 0) yield* this.#addElements(vertices, slice)
    if (edges.slots.length > 0) {
      yield* this.#addElements(edges, slice)
      yield* this.#connect(slice)
    }
    if (vertices.own !== null) yield* this.#changeProperties(vertices, vertices.own, slice)
    if (edges.own !== null) yield* this.#changeProperties(edges, edges.own, slice)
    this.#changeCounts()
  }

  /** True when the task must yield after a change. */
  #isOver(slice: TimeSlice): boolean {
    if (this.#isLong && ++this.#changes % RECORD_CHANGES === 0) this.nextRecord()
    return slice.isOver()
  }

  /**
   * Releases the elements that were removed, where the undo log does not: call it after the commit. They are kept until then, so
   * that the commit can be rolled back.
   */
  release(): void {
    const [edges, vertices] = [this.edges.own?.removed ?? NONE, this.vertices.own?.removed ?? NONE]
    if (this.#record === undefined && edges.size + vertices.size > 0) this.data.release(edges, vertices)
  }

  *#removeEdges(table: ElementTable, own: OwnElements, slice: TimeSlice): Task {
    const { data } = this
    for (const edge of own.removed) {
      const out = data.outVertices[edge]!
      const into = data.inVertices[edge]!
      const label = table.label(edge)
      data.out.delete(out, label, edge)
      data.in.delete(into, label, edge)
      data.touched[out] = this.version
      data.touched[into] = this.version
      this.#kill(table, edge)
      if (this.#isOver(slice)) yield
    }
  }

  *#removeVertices(table: ElementTable, own: OwnElements, slice: TimeSlice): Task {
    for (const vertex of own.removed) {
      this.#kill(table, vertex)
      if (this.#isOver(slice)) yield
    }
  }

  #kill(table: ElementTable, slot: number): void {
    const record = this.recordOf(table)
    if (record !== undefined) {
      const key = lookupKey(table.ids.id(slot))
      record.ids.push(key)
      table.idUndo.push(key, this.version, slot)
      record.died.push(slot)
      table.diedAt.set(slot, this.version)
      record.bytes += REPLACED_BYTES
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
        record.dyingEntries.set(index, (record.dyingEntries.get(index) ?? 0) + 1)
        index.stale++
        if (!index.ready) index.add(key, slot)
      }
    }
  }

  *#addElements(progress: Progress, slice: TimeSlice): Task {
    const { own, slots, table } = progress
    const used = table.peak
    for (let place = 0; place < slots.length; place++) {
      if (own!.labels[place]! >= 0) {
        const slot = table.add(own!, place)
        slots[place] = slot
        progress.added = place + 1
        const record = this.recordOf(table)
        if (record !== undefined && slot < used) {
          record.born.push(slot)
          table.bornAt.set(slot, this.version)
        }
      } else progress.added = place + 1
      if (this.#isOver(slice)) yield
    }
  }

  *#connect(slice: TimeSlice): Task {
    for (let place = 0; place < this.edges.slots.length; place++) {
      const edge = this.edges.slots[place]!
      if (edge !== -1) this.#connectEdge(edge, place)
      this.connected = place + 1
      if (this.#isOver(slice)) yield
    }
  }

  /** Adds a new edge, which is at a place of the transaction, to the edges of its vertices. */
  #connectEdge(edge: number, place: number): void {
    const { data, edges, vertices } = this
    const own = this.#adjacency.own!
    const outRef = own.outVertex[place]!
    const inRef = own.inVertex[place]!
    const out = outRef >= 0 ? outRef : vertices.slots[ownPlace(outRef)]!
    const into = inRef >= 0 ? inRef : vertices.slots[ownPlace(inRef)]!
    const label = edges.own!.labels[place]!
    const outGroup = data.out.open(out, label)
    const inGroup = data.in.open(into, label)
    data.outVertices[edge] = out
    data.inVertices[edge] = into
    data.out.put(outGroup, into, edge)
    data.in.put(inGroup, out, edge)
    data.touched[out] = this.version
    data.touched[into] = this.version
  }

  *#changeProperties(progress: Progress, own: OwnElements, slice: TimeSlice): Task {
    for (let place = 0; place < own.changedRefs.length; place++) {
      progress.written = place + 1
      this.#changeProperty(progress, own, place)
      if (this.#isOver(slice)) yield
    }
  }

  #changeProperty(progress: Progress, own: OwnElements, place: number): void {
    const { slots, table } = progress
    const ref = own.changedRefs[place]!
    const key = own.changedKeys[place]!
    const slot = ref >= 0 ? ref : slots[ownPlace(ref)]!
    if (slot === -1 || own.isRemoved(ref)) return
    const change = own.change(key, ref)!
    if (change.state === change.base) return
    const column = change.state === undefined ? table.column(key) : table.openColumn(key)
    if (column !== undefined) this.#write(progress, column, slot, change.state, ref >= 0)
  }

  /** An element has a key before it has a value under it, and as long as it has one. */
  #write(
    progress: Progress,
    column: PropertyColumn,
    slot: number,
    state: PropertyState | undefined,
    wasThere: boolean
  ): void {
    const { table } = progress
    const record = wasThere ? this.recordOf(table) : undefined
    const had = column.values.get(slot)
    if (record !== undefined) {
      record.columns.push(column)
      record.slots.push(slot)
      column.undo.push(slot, this.version, column.state(slot))
      record.bytes += REPLACED_BYTES + (had === undefined ? 0 : valueBytes(had))
    }
    const changesKeys = (had === undefined) !== (state === undefined)
    if (changesKeys && wasThere) {
      progress.shaped ??= []
      progress.shaped.push({ slot, shape: table.shape(slot) })
    }
    if (changesKeys && state !== undefined) table.setKey(slot, column.number, true)
    column.write(slot, state)
    if (changesKeys && state === undefined) table.setKey(slot, column.number, false)
    updateIndex(column, slot, had, state?.value, record)
  }

  /** Changes the counts of elements: few numbers, so it is no task. */
  #changeCounts(): void {
    this.#noteCounts(this.vertices)
    this.#noteCounts(this.edges)
    changeCounts(this.vertices)
    changeCounts(this.edges)
  }

  /** Notes the counts that will change, before any of them does. */
  #noteCounts({ own, table }: Progress): void {
    if (own === null) return
    const record = this.recordOf(table)
    let total = 0
    for (const [label, change] of own.countChanges) {
      while (table.perLabel.length <= label) table.perLabel.push(0)
      total += change
      if (change === 0 || record === undefined) continue
      record.counts.push(label)
      table.countUndo.push(label, this.version, table.perLabel[label]!)
    }
    if (total === 0 || record === undefined) return
    record.counts.push(ALL_LABELS)
    table.countUndo.push(ALL_LABELS, this.version, table.total)
  }
}

const changeCounts = ({ own, table }: Progress): void => {
  if (own === null) return
  for (const [label, change] of own.countChanges) {
    table.perLabel[label]! += change
    table.total += change
  }
}
