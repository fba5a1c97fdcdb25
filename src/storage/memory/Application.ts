import type { PropertyColumn, PropertyState } from "../shared/Properties.ts"
import { each, eachOf, type Work } from "../shared/Work.ts"
import type { AdjacencyView } from "./AdjacencyView.ts"
import { ALL_LABELS, type ElementTable } from "./ElementTable.ts"
import type { GraphData } from "./GraphData.ts"
import { valueBytes } from "./Growth.ts"
import { type HashIndex, indexKeys } from "./HashIndex.ts"
import { lookupKey } from "./IdTable.ts"
import { type OwnElements, ownPlace } from "./Overlay.ts"
import { CommitRecord, REPLACED_BYTES, type TableRecord } from "./Snapshots.ts"
import type { TableView } from "./TableView.ts"

/** Estimated bytes of what is noted about an index entry that is out of date. */
const STALE_BYTES = 32

/** One commit being applied; from here on nothing fails. */
export class Application {
  readonly #data: GraphData
  readonly #version: number
  #record: CommitRecord | undefined

  constructor(data: GraphData, version: number, record: CommitRecord | undefined) {
    this.#data = data
    this.#version = version
    this.#record = record
  }

  /** What was replaced so far goes to the log; the rest becomes another part of it. */
  nextRecord(): void {
    if (this.#record!.isEmpty) return
    this.#data.snapshots.record(this.#record!)
    this.#record = new CommitRecord(this.#version)
  }

  #recordOf({ kind }: ElementTable): TableRecord | undefined {
    return kind === "vertex" ? this.#record?.vertices : this.#record?.edges
  }

  works(vertices: TableView, edges: TableView, adjacency: AdjacencyView): ReadonlyArray<Work> {
    const works: Array<Work> = []
    if (edges.own !== null && edges.own.removed.size > 0) works.push(this.#removeEdges(edges.table, edges.own))
    if (vertices.own !== null && vertices.own.removed.size > 0) {
      works.push(this.#removeVertices(vertices.table, vertices.own))
    }
    const vertexSlots = this.#addElements(works, vertices)
    const edgeSlots = this.#addElements(works, edges)
    if (edgeSlots.length > 0) works.push(this.#connect(edges, adjacency, edgeSlots, vertexSlots))
    if (vertices.own !== null) works.push(this.#changeProperties(vertices.table, vertices.own, vertexSlots))
    if (edges.own !== null) works.push(this.#changeProperties(edges.table, edges.own, edgeSlots))
    works.push(
      () => this.#changeCounts(vertices.table, vertices.own),
      () => this.#changeCounts(edges.table, edges.own)
    )
    return works
  }

  #removeEdges(table: ElementTable, own: OwnElements): Work {
    const data = this.#data
    return eachOf(own.removed, (edge) => {
      const out = data.outVertices[edge]!
      const into = data.inVertices[edge]!
      const label = table.label(edge)
      data.out.delete(out, label, edge)
      data.in.delete(into, label, edge)
      data.touched[out] = this.#version
      data.touched[into] = this.#version
      this.#kill(table, edge, this.#recordOf(table))
      if (this.#record === undefined) data.releaseEdge(edge)
    })
  }

  #removeVertices(table: ElementTable, own: OwnElements): Work {
    return eachOf(own.removed, (vertex) => {
      this.#kill(table, vertex, this.#recordOf(table))
      if (this.#record === undefined) this.#data.releaseVertex(vertex)
    })
  }

  #kill(table: ElementTable, slot: number, record: TableRecord | undefined): void {
    if (record !== undefined) {
      const key = lookupKey(table.ids.id(slot))
      table.idUndo.push(key, this.#version, slot)
      record.ids.push(key)
      table.diedAt.set(slot, this.#version)
      record.died.push(slot)
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
        if (!index.ready) index.add(key, slot)
        index.stale++
        record.dyingEntries.set(index, (record.dyingEntries.get(index) ?? 0) + 1)
      }
    }
  }

  /** Slots that the new elements will have by their place; -1 for those removed again. */
  #addElements(works: Array<Work>, { table, own }: TableView): Int32Array {
    const count = own?.labels.length ?? 0
    const slots = new Int32Array(count)
    if (count === 0) return slots
    const used = table.peak
    works.push(
      each(count, (place) => {
        if (own!.labels[place]! < 0) {
          slots[place] = -1
          return
        }
        const slot = table.add(own!, place)
        slots[place] = slot
        const record = this.#recordOf(table)
        if (record !== undefined && slot < used) {
          table.bornAt.set(slot, this.#version)
          record.born.push(slot)
        }
      })
    )
    return slots
  }

  #connect(edges: TableView, adjacency: AdjacencyView, edgeSlots: Int32Array, vertexSlots: Int32Array): Work {
    const data = this.#data
    const { own } = adjacency
    return each(edgeSlots.length, (place) => {
      const edge = edgeSlots[place]!
      if (edge === -1) return
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
    })
  }

  #changeProperties(table: ElementTable, own: OwnElements, slots: Int32Array): Work {
    return each(own.changedRefs.length, (i) => {
      const ref = own.changedRefs[i]!
      const key = own.changedKeys[i]!
      const slot = ref >= 0 ? ref : slots[ownPlace(ref)]!
      if (slot === -1 || own.isRemoved(ref)) return
      const change = own.change(key, ref)!
      if (change.state === change.base) return
      const column = change.state === undefined ? table.column(key) : table.openColumn(key)
      if (column === undefined) return
      this.#write(table, column, slot, change.state, ref >= 0 ? this.#recordOf(table) : undefined)
    })
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
      record.bytes += REPLACED_BYTES + (had === undefined ? 0 : valueBytes(had))
    }
    column.write(slot, state)
    if ((had === undefined) !== (state === undefined)) table.setKey(slot, column.number, state !== undefined)
    if (column.index !== null) updateIndex(column.index, column, slot, had, state?.value, record)
  }

  /** Few numbers: a single unit of work. */
  #changeCounts(table: ElementTable, own: OwnElements | null): false {
    if (own === null) return false
    const record = this.#recordOf(table)
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
    if (total === 0) return false
    if (record !== undefined) {
      table.countUndo.push(ALL_LABELS, this.#version, table.total)
      record.counts.push(ALL_LABELS)
    }
    table.total += total
    return false
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
  const stays = setOf(after)
  for (const key of before) {
    if (stays === null ? after.includes(key) : stays.has(key)) continue
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
    record.bytes += STALE_BYTES
  }
  const wasThere = setOf(before)
  for (const key of after) {
    if (!(wasThere === null ? before.includes(key) : wasThere.has(key))) index.add(key, slot)
  }
}

/** Null where the few keys are found quickly enough in their list. */
const setOf = (keys: readonly unknown[]): ReadonlySet<unknown> | null => (keys.length > 16 ? new Set(keys) : null)
