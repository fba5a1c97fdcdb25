import { TransactionConflict, UnsupportedValue } from "../../structure/StoreErrors.ts"
import type { AdjacencyView } from "./AdjacencyView.ts"
import type { ElementTable } from "./ElementTable.ts"
import type { GraphData } from "./GraphData.ts"
import { type HashIndex, indexKeys } from "./HashIndex.ts"
import { shown } from "./IdManager.ts"
import type { OwnElements } from "./Overlay.ts"
import { mergeChange } from "./PropertyWrites.ts"
import type { TableView } from "./TableView.ts"

/**
 * Throws TransactionConflict when a commit after the transaction's snapshot changed what the transaction changes too:
 * a property, an edge, the existence of a vertex (a vertex that is removed against any change at it), an id or a
 * unique index entry. Changes to LIST and SET properties are put on top of what others added.
 */
export const checkConflicts = (
  data: GraphData,
  vertices: TableView,
  edges: TableView,
  adjacency: AdjacencyView
): void => {
  if (data.clock.version !== vertices.snapshot) {
    if (vertices.own !== null) checkElements(vertices, vertices.own, data)
    if (edges.own !== null) checkElements(edges, edges.own, undefined)
    checkEnds(vertices.table, edges, adjacency)
  }
  checkUnique(vertices)
  checkUnique(edges)
}

const checkElements = (view: TableView, own: OwnElements, data: GraphData | undefined): void => {
  const { table, snapshot } = view
  const { kind } = table
  const name = (slot: number): string => `${kind} ${shown(table.ids.id(slot))}`
  for (const slot of own.removed) {
    if (!table.isAlive(slot)) throw new TransactionConflict(`${name(slot)} was removed`)
    if (data !== undefined && data.touched[slot]! > snapshot) {
      throw new TransactionConflict(`the edges of ${name(slot)}, which this transaction removes, were changed`)
    }
    for (const { key, undo } of table.columns) {
      if (undo.changedSince(slot, snapshot)) throw new TransactionConflict(`the property ${key} of ${name(slot)}`)
    }
  }
  for (let place = 0; place < own.labels.length; place++) {
    const slot = own.labels[place]! < 0 ? -1 : table.ids.find(own.key(place))
    if (slot !== -1 && !own.removed.has(slot)) throw new TransactionConflict(`${name(slot)} was added`)
  }
  for (const [key, byRef] of own.changes) {
    const column = table.column(key)
    for (const [ref, change] of byRef) {
      if (ref < 0 || own.removed.has(ref) || change.state === change.base) continue
      if (!table.isAlive(ref)) throw new TransactionConflict(`${name(ref)} was removed`)
      if (!column?.undo.changedSince(ref, snapshot)) continue
      const merged = mergeChange(change, column.state(ref), change.distinct)
      if (merged === "conflict") throw new TransactionConflict(`the property ${key} of ${name(ref)}`)
      change.state = merged
    }
  }
}

/** Both ends of a new edge must still be there. */
const checkEnds = (vertices: ElementTable, edges: TableView, adjacency: AdjacencyView): void => {
  const { own } = adjacency
  if (own === null) return
  for (let place = 0; place < own.outVertex.length; place++) {
    if (edges.own!.labels[place]! < 0) continue
    for (const end of [own.outVertex[place]!, own.inVertex[place]!]) {
      if (end >= 0 && !vertices.isAlive(end)) {
        throw new TransactionConflict(`vertex ${shown(vertices.ids.id(end))}, an end of a new edge, was removed`)
      }
    }
  }
}

const checkUnique = (view: TableView): void => {
  for (const index of view.table.indexes.values()) {
    if (index.unique && view.own?.changes.has(index.key)) checkUniqueIndex(view, view.own, index)
  }
}

const checkUniqueIndex = (view: TableView, own: OwnElements, index: HashIndex): void => {
  const { table } = view
  const changes = own.changes.get(index.key)!
  const mine = new Set<unknown>()
  for (const [ref, change] of changes) {
    if (own.isRemoved(ref)) continue
    for (const key of indexKeys(change.state?.value)) {
      if (mine.has(key)) throw notUnique(index, key)
      mine.add(key)
      const found = new Int32Array(8)
      for (
        let read = index.read(key, -1, 8, found, 0);
        read > 0;
        read = index.read(key, found[read - 1]!, 8, found, 0)
      ) {
        for (const slot of found.subarray(0, read)) {
          if (own.removed.has(slot) || changes.has(slot) || !table.isAlive(slot)) continue
          if (!index.holds(key, table.column(index.key)?.values.get(slot))) continue
          const before = table.existsAt(slot, view.snapshot, view.high)
          if (before && index.holds(key, table.column(index.key)?.valueAt(slot, view.snapshot)))
            throw notUnique(index, key)
          throw new TransactionConflict(`the value ${shown(key)} of the unique index on ${index.key}`)
        }
      }
    }
  }
}

export const notUnique = (index: HashIndex, key: unknown): UnsupportedValue =>
  new UnsupportedValue(
    `Another element has the value ${shown(key)} under the key ${index.key}, and the index on it is unique.`
  )
