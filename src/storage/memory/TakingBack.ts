import { each, eachOf, type Work } from "../shared/Work.ts"
import type { Application, Progress } from "./Application.ts"
import { WIDE } from "./ElementTable.ts"
import { updateIndex } from "./IndexUpdates.ts"
import { NONE } from "./Overlay.ts"

/**
 * Takes back everything that an application has done when it failed, in the opposite order. The unit that failed may have
 * been done in part: each work here is right for what was done, for what was done in part, and for what was not.
 *
 * Notes in the undo log stay: they say that the version of the commit replaced what is there again, which readers and
 * later checks for conflicts may believe. So the version counts as one that changed nothing.
 */
export const takingBack = (application: Application): ReadonlyArray<Work> => {
  const { edges, vertices } = application
  return [
    ...[edges, vertices].flatMap((progress) => [properties(application, progress), shapes(progress)]),
    connections(application),
    newEdges(application),
    newVertices(application),
    removedVertices(application),
    removedEdges(application)
  ]
}

/** Does something with each place below a count, the last one first. */
const backwards = (count: number, one: (at: number) => void): Work => each(count, (at) => one(count - 1 - at))

/** Values of elements that were there before; those of new elements go with their slots. */
const properties = (application: Application, { own, table, written }: Progress): Work =>
  backwards(written, (at) => {
    const ref = own!.changedRefs[at]!
    const key = own!.changedKeys[at]!
    const change = own!.change(key, ref)!
    const column = table.column(key)
    if (ref < 0 || own!.isRemoved(ref) || change.state === change.base || column === undefined) return
    const record = application.recordOf(table)
    // Without a log nothing was committed since the transaction began: its base is what the graph had.
    const replaced = record === undefined ? { old: change.base } : column.undo.at(ref, application.version - 1)
    if (replaced === undefined) return
    const { old } = replaced
    const had = column.values.get(ref)
    column.write(ref, old)
    if (table.shape(ref) === WIDE) table.setKey(ref, column.number, old !== undefined)
    updateIndex(column, ref, had, old?.value, record)
  })

/** The keys of elements, in the order in which they had them. */
const shapes = ({ shaped = [], table }: Progress): Work =>
  backwards(shaped.length, (at) => {
    const { shape, slot } = shaped[at]!
    if (shape !== WIDE) table.setShape(slot, shape)
  })

const connections = ({ connected, data, edges }: Application): Work =>
  backwards(connected, (place) => {
    const edge = edges.slots[place]!
    if (edge === -1) return
    const label = edges.table.label(edge)
    data.out.takeBack(data.outVertices[edge]!, label)
    data.in.takeBack(data.inVertices[edge]!, label)
  })

const newEdges = ({ edges: { added, slots, table } }: Application): Work =>
  backwards(added, (place) => {
    const slot = slots[place]!
    if (slot === -1) return
    table.kill(slot)
    table.release(slot)
  })

const newVertices = ({ data, vertices: { added, slots, table } }: Application): Work =>
  backwards(added, (place) => {
    const slot = slots[place]!
    if (slot === -1) return
    table.kill(slot)
    data.releaseVertex(slot)
  })

const revive = ({ version }: Application, { table }: Progress, slot: number): void => {
  if (!table.isAlive(slot)) table.revive(slot)
  if (table.diedAt.get(slot) === version) table.diedAt.delete(slot)
}

const removedVertices = (application: Application): Work => {
  const { vertices } = application
  return eachOf(vertices.own?.removed ?? NONE, (vertex) => revive(application, vertices, vertex))
}

const removedEdges = (application: Application): Work => {
  const { data, edges } = application
  return eachOf(edges.own?.removed ?? NONE, (edge) => {
    const label = edges.table.label(edge)
    data.out.restore(data.outVertices[edge]!, label, edge)
    data.in.restore(data.inVertices[edge]!, label, edge)
    revive(application, edges, edge)
  })
}
