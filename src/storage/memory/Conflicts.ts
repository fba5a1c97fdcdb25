import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { type BigMap, BigSet, type ReadonlyBigSet } from "../../structure/containers/BigMap.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import { TransactionConflict, UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import { shown } from "../shared/IdManager.ts"
import { mergeChange } from "../shared/PropertyWrites.ts"
import type { TransactionViews } from "./Application.ts"
import type { ElementTable } from "./ElementTable.ts"
import type { GraphData } from "./GraphData.ts"
import { type HashIndex, indexKeys } from "./HashIndex.ts"
import type { Change, OwnEdges, OwnElements } from "./Overlay.ts"
import type { TableView } from "./TableView.ts"

/**
 * Checks a commit. Throws TransactionConflict when a commit after the transaction's snapshot changed what the transaction
 * changes, too: a property, an edge, the existence of a vertex (a vertex that is removed conflicts with any change at it), an
 * id or a unique index entry. Values that the transaction adds to LIST and SET properties are added to those that others have
 * committed.
 */
export function* conflictTask(
  data: GraphData,
  { adjacency, edges, vertices }: TransactionViews,
  slice: TimeSlice
): Task {
  if (data.clock.version !== vertices.snapshot) {
    if (vertices.own !== null) yield* checkElements(vertices, vertices.own, data, slice)
    if (edges.own !== null) yield* checkElements(edges, edges.own, undefined, slice)
    if (adjacency.own !== null) yield* checkEnds(vertices.table, edges, adjacency.own, slice)
  }
  if (vertices.own !== null && vertices.table.indexes.size > 0) yield* checkUnique(vertices, vertices.own, slice)
  if (edges.own !== null && edges.table.indexes.size > 0) yield* checkUnique(edges, edges.own, slice)
}

/** `data` for vertices only. */
function* checkElements(view: TableView, own: OwnElements, data: GraphData | undefined, slice: TimeSlice): Task {
  const { table } = view
  for (const slot of own.removed) {
    checkRemoved(view, slot, data)
    if (slice.isOver()) yield
  }
  yield* checkRemovedProperties(view, own.removed, slice)
  for (let place = 0; place < own.labels.length; place++) {
    const slot = own.labels[place]! < 0 ? -1 : table.ids.find(own.key(place))
    if (slot !== -1 && !own.removed.has(slot)) throw new TransactionConflict(`${nameOf(table, slot)} was added`)
    if (slice.isOver()) yield
  }
  for (const [key, byRef] of own.changes) {
    for (const [ref, change] of byRef) {
      checkChange(view, own, key, ref, change)
      if (slice.isOver()) yield
    }
  }
}

const nameOf = ({ kind, ids }: ElementTable, slot: number): string => `${kind} ${shown(ids.id(slot))}`

const checkRemoved = ({ table, snapshot }: TableView, slot: number, data: GraphData | undefined): void => {
  const name = (): string => nameOf(table, slot)
  if (!table.isAlive(slot)) throw new TransactionConflict(`${name()} was removed`)
  if (data !== undefined && data.touched[slot]! > snapshot) {
    throw new TransactionConflict(`the edges of ${name()}, which this transaction removes, were changed`)
  }
}

/** Number of former properties of removed elements that the check of a commit looks up. */
export const removedChecks = ({ own, table }: TableView): number => {
  let checks = 0
  const removed = own?.removed.size ?? 0
  if (removed > 0) for (const { undo } of table.columns) checks += Math.min(undo.size, removed)
  return checks
}

/** No later commit may have changed a property of a removed element. Only keys that commits have changed are looked at. */
function* checkRemovedProperties(
  { table, snapshot }: TableView,
  removed: ReadonlyBigSet<number>,
  slice: TimeSlice
): Task {
  if (removed.size === 0) return
  for (const { key, undo } of table.columns) {
    if (undo.size === 0) continue
    for (const slot of undo.size < removed.size ? undo.keys() : removed) {
      if (removed.has(slot) && undo.changedSince(slot, snapshot)) {
        throw new TransactionConflict(`the property ${key} of ${nameOf(table, slot)}`)
      }
      if (slice.isOver()) yield
    }
  }
}

const checkChange = (
  { table, snapshot }: TableView,
  own: OwnElements,
  key: string,
  ref: number,
  change: Change
): void => {
  if (ref < 0 || own.removed.has(ref) || change.state === change.base) return
  if (!table.isAlive(ref)) throw new TransactionConflict(`${nameOf(table, ref)} was removed`)
  const column = table.column(key)
  if (!column?.undo.changedSince(ref, snapshot)) return
  const merged = mergeChange(change, column.state(ref), change.distinct)
  if (merged === "conflict") throw new TransactionConflict(`the property ${key} of ${nameOf(table, ref)}`)
  change.state = merged
}

/** Both ends of a new edge must still exist. */
function* checkEnds(vertices: ElementTable, edges: TableView, own: OwnEdges, slice: TimeSlice): Task {
  for (let place = 0; place < own.outVertex.length; place++) {
    if (edges.own!.labels[place]! >= 0) {
      checkEnd(vertices, own.outVertex[place]!)
      checkEnd(vertices, own.inVertex[place]!)
    }
    if (slice.isOver()) yield
  }
}

const checkEnd = (vertices: ElementTable, end: Ref): void => {
  if (end < 0 || vertices.isAlive(end)) return
  throw new TransactionConflict(`vertex ${shown(vertices.ids.id(end))}, an end of a new edge, was removed`)
}

function* checkUnique(view: TableView, own: OwnElements, slice: TimeSlice): Task {
  for (const index of view.table.indexes.values()) {
    const changes = index.unique ? own.changes.get(index.key) : undefined
    if (changes === undefined) continue
    const mine = new BigSet<unknown>()
    for (const [ref, change] of changes) {
      if (own.isRemoved(ref)) continue
      for (const key of indexKeys(change.state?.value)) {
        if (mine.has(key)) throw notUnique(index, key)
        mine.add(key)
        checkFree(view, own, changes, index, key)
      }
      if (slice.isOver()) yield
    }
  }
}

/** No other element may have the entry of a unique index. */
const checkFree = (
  view: TableView,
  own: OwnElements,
  changes: BigMap<Ref, Change>,
  index: HashIndex,
  key: unknown
): void => {
  const { table } = view
  const found = new Int32Array(8)
  for (let read = index.read(key, -1, 8, found, 0); read > 0; read = index.read(key, found[read - 1]!, 8, found, 0)) {
    for (const slot of found.subarray(0, read)) {
      if (own.removed.has(slot) || changes.has(slot) || !table.isAlive(slot)) continue
      if (!index.holds(key, table.column(index.key)?.values.get(slot))) continue
      const before = table.existsAt(slot, view.snapshot, view.high)
      if (before && index.holds(key, table.column(index.key)?.valueAt(slot, view.snapshot))) throw notUnique(index, key)
      throw new TransactionConflict(`the value ${shown(key)} of the unique index on ${index.key}`)
    }
  }
}

/** The error of an element whose value another element has under a unique index. */
export const notUnique = (index: HashIndex, key: unknown): UnsupportedValue =>
  new UnsupportedValue(
    `Another element has the value ${shown(key)} under the key ${index.key}, and the index on it is unique.`
  )
