import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { lookupKey } from "../shared/LookupKey.ts"
import type { PropertyState } from "../shared/Properties.ts"
import type { AdjacencyView } from "./AdjacencyView.ts"
import type { ElementTable } from "./ElementTable.ts"
import type { GraphData } from "./GraphData.ts"
import { valueBytes } from "./Growth.ts"
import { indexKeys } from "./HashIndex.ts"
import { updateIndex } from "./IndexUpdates.ts"
import { NONE, type OwnElements, ownIndex } from "./Overlay.ts"
import { Progress } from "./Progress.ts"
import type { PropertyColumn } from "./PropertyColumn.ts"
import { CommitRecord, REPLACED_BYTES, type TableRecord } from "./Snapshots.ts"
import type { TableView } from "./TableView.ts"

/** The views through which a transaction reads a graph: its snapshot together with its own changes. */
export interface TransactionViews {
  readonly vertices: TableView
  readonly edges: TableView
  readonly adjacency: AdjacencyView
}

/** Number of changes in one undo record of a long commit. Each time slice can then trim some of the records. */
const RECORD_CHANGES = 256

/**
 * Applies one commit. Every change can throw if memory runs out or the code has a defect. Each change therefore first does the
 * work that may fail, which no reader sees, and then the rest. {@link Progress} counts the changes, and {@link rollbackTask}
 * undoes them.
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

  /** `record`: the first undo record; undefined if the commit needs none. `isLong`: the commit writes several undo records. */
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

  /** Adds the current record to the undo log, unless it is empty, and begins another one for the rest of the commit. */
  nextRecord(): void {
    if (this.#record === undefined || this.#record.isEmpty) return
    this.data.snapshots.record(this.#record)
    this.#record = new CommitRecord(this.version)
  }

  /** The current undo record for the elements of a table; undefined if the commit writes none. */
  recordOf({ kind }: ElementTable): TableRecord | undefined {
    return kind === "vertex" ? this.#record?.vertices : this.#record?.edges
  }

  /** Applies all changes of the commit. */
  *task(slice: TimeSlice): Task {
    const { edges, vertices } = this
    edges.table.keys.trim()
    vertices.table.keys.trim()
    if (edges.own !== null && edges.own.removed.size > 0) yield* this.#removeEdges(edges.table, edges.own, slice)
    if (vertices.own !== null && vertices.own.removed.size > 0) {
      yield* this.#removeVertices(vertices.table, vertices.own, slice)
    }
    if (vertices.slots.length > 0) yield* this.#addElements(vertices, slice)
    if (edges.slots.length > 0) {
      yield* this.#addElements(edges, slice)
      yield* this.#connect(slice)
    }
    if (vertices.own !== null) yield* this.#changeProperties(vertices, vertices.own, slice)
    if (edges.own !== null) yield* this.#changeProperties(edges, edges.own, slice)
    this.#changeCounts()
  }

  /** Counts a change. True if the task must yield after it. */
  #isOver(slice: TimeSlice): boolean {
    if (this.#isLong && ++this.#changes % RECORD_CHANGES === 0) this.nextRecord()
    return slice.isOver()
  }

  /**
   * Releases the removed elements if the commit has no undo record; otherwise the undo log releases them. Call it after the
   * commit: a rollback needs the elements.
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

  /** Marks an element as deleted, and writes its undo data. */
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
    for (const number of table.keys.of(slot)) {
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
    for (let index = 0; index < slots.length; index++) {
      if (own!.labels[index]! >= 0) {
        const slot = table.add(own!, index)
        slots[index] = slot
        progress.added = index + 1
        const record = this.recordOf(table)
        if (record !== undefined && slot < used) {
          record.born.push(slot)
          table.bornAt.set(slot, this.version)
        }
      } else progress.added = index + 1
      if (this.#isOver(slice)) yield
    }
  }

  *#connect(slice: TimeSlice): Task {
    for (let index = 0; index < this.edges.slots.length; index++) {
      const edge = this.edges.slots[index]!
      if (edge !== -1) this.#connectEdge(edge, index)
      this.connected = index + 1
      if (this.#isOver(slice)) yield
    }
  }

  /** Adds a new edge to the edges of its two vertices. `index` is its index among the new edges of the transaction. */
  #connectEdge(edge: number, index: number): void {
    const { data, edges, vertices } = this
    const own = this.#adjacency.own!
    const outRef = own.outVertex[index]!
    const inRef = own.inVertex[index]!
    const out = outRef >= 0 ? outRef : vertices.slots[ownIndex(outRef)]!
    const into = inRef >= 0 ? inRef : vertices.slots[ownIndex(inRef)]!
    const label = edges.own!.labels[index]!
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
    for (let index = 0; index < own.changedRefs.length; index++) {
      progress.written = index + 1
      this.#changeProperty(progress, own, index)
      if (this.#isOver(slice)) yield
    }
  }

  #changeProperty(progress: Progress, own: OwnElements, index: number): void {
    const { slots, table } = progress
    const ref = own.changedRefs[index]!
    const key = own.changedKeys[index]!
    const slot = ref >= 0 ? ref : slots[ownIndex(ref)]!
    if (slot === -1 || own.isRemoved(ref)) return
    const change = own.change(key, ref)!
    if (change.state === change.base) return
    const column = change.state === undefined ? table.column(key) : table.openColumn(key)
    if (column !== undefined) this.#write(progress, column, slot, change.state, ref >= 0)
  }

  /** Writes a property. The element gets the key before its first value, and loses the key after its last value. */
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
      progress.shaped.push({ slot, shape: table.keys.shape(slot) })
    }
    if (changesKeys && state !== undefined) table.keys.set(slot, column.number, true)
    column.write(slot, state)
    if (changesKeys && state === undefined) table.keys.set(slot, column.number, false)
    updateIndex(column, slot, had, state?.value, record)
  }

  /** Changes the counts of elements. It never yields, because there are few counts. */
  #changeCounts(): void {
    const { edges, version, vertices } = this
    vertices.saveCounts(this.recordOf(vertices.table), version)
    edges.saveCounts(this.recordOf(edges.table), version)
    vertices.changeCounts()
    edges.changeCounts()
  }
}
