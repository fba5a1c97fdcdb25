import { type BigMap, BigSet } from "../../structure/BigMap.ts"
import type { Ref } from "../../structure/Element.ts"
import { TransactionConflict, UnsupportedValue } from "../../structure/StoreErrors.ts"
import { shown } from "../shared/IdManager.ts"
import { mergeChange } from "../shared/PropertyWrites.ts"
import { each, eachOf, type Work } from "../shared/Work.ts"
import type { AdjacencyView } from "./AdjacencyView.ts"
import type { ElementTable } from "./ElementTable.ts"
import type { GraphData } from "./GraphData.ts"
import { type HashIndex, indexKeys } from "./HashIndex.ts"
import type { Change, OwnEdges, OwnElements } from "./Overlay.ts"
import type { TableView } from "./TableView.ts"

/**
 * The checks of a commit: they throw TransactionConflict when a commit after the transaction's snapshot changed what the
 * transaction changes too: a property, an edge, the existence of a vertex (a vertex that is removed against any change at
 * it), an id or a unique index entry. Changes to LIST and SET properties are put on top of what others added.
 */
export const conflictChecks = (
  data: GraphData,
  vertices: TableView,
  edges: TableView,
  adjacency: AdjacencyView
): ReadonlyArray<Work> => {
  const checks: Array<Work> = []
  if (data.clock.version !== vertices.snapshot) {
    if (vertices.own !== null) checkElements(checks, vertices, vertices.own, data)
    if (edges.own !== null) checkElements(checks, edges, edges.own, undefined)
    if (adjacency.own !== null) checks.push(endsCheck(vertices.table, edges, adjacency.own))
  }
  if (vertices.own !== null) checkUnique(checks, vertices, vertices.own)
  if (edges.own !== null) checkUnique(checks, edges, edges.own)
  return checks
}

const checkElements = (checks: Array<Work>, view: TableView, own: OwnElements, data: GraphData | undefined): void => {
  const { table } = view
  if (own.removed.size > 0) checks.push(eachOf(own.removed, (slot) => checkRemoved(view, slot, data)))
  checks.push(
    each(own.labels.length, (place) => {
      const slot = own.labels[place]! < 0 ? -1 : table.ids.find(own.key(place))
      if (slot !== -1 && !own.removed.has(slot)) throw new TransactionConflict(`${nameOf(table, slot)} was added`)
    })
  )
  for (const [key, byRef] of own.changes) {
    checks.push(eachOf(byRef, ([ref, change]) => checkChange(view, own, key, ref, change)))
  }
}

const nameOf = ({ kind, ids }: ElementTable, slot: number): string => `${kind} ${shown(ids.id(slot))}`

const checkRemoved = ({ table, snapshot }: TableView, slot: number, data: GraphData | undefined): void => {
  const name = (): string => nameOf(table, slot)
  if (!table.isAlive(slot)) throw new TransactionConflict(`${name()} was removed`)
  if (data !== undefined && data.touched[slot]! > snapshot) {
    throw new TransactionConflict(`the edges of ${name()}, which this transaction removes, were changed`)
  }
  for (const { key, undo } of table.columns) {
    if (undo.changedSince(slot, snapshot)) throw new TransactionConflict(`the property ${key} of ${name()}`)
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

/** Both ends of a new edge must still be there. */
const endsCheck = (vertices: ElementTable, edges: TableView, own: OwnEdges): Work =>
  each(own.outVertex.length, (place) => {
    if (edges.own!.labels[place]! < 0) return
    for (const end of [own.outVertex[place]!, own.inVertex[place]!]) {
      if (end >= 0 && !vertices.isAlive(end)) {
        throw new TransactionConflict(`vertex ${shown(vertices.ids.id(end))}, an end of a new edge, was removed`)
      }
    }
  })

const checkUnique = (checks: Array<Work>, view: TableView, own: OwnElements): void => {
  for (const index of view.table.indexes.values()) {
    const changes = index.unique ? own.changes.get(index.key) : undefined
    if (changes === undefined) continue
    const mine = new BigSet<unknown>()
    checks.push(
      eachOf(changes, ([ref, change]) => {
        if (own.isRemoved(ref)) return
        for (const key of indexKeys(change.state?.value)) {
          if (mine.has(key)) throw notUnique(index, key)
          mine.add(key)
          checkFree(view, own, changes, index, key)
        }
      })
    )
  }
}

/** Nobody else may have the entry of a unique index. */
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

export const notUnique = (index: HashIndex, key: unknown): UnsupportedValue =>
  new UnsupportedValue(
    `Another element has the value ${shown(key)} under the key ${index.key}, and the index on it is unique.`
  )
