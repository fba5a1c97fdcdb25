import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Application } from "./Application.ts"
import { WIDE } from "./ElementKeys.ts"
import { updateIndex } from "./IndexUpdates.ts"
import { NONE, type OwnElements } from "./Overlay.ts"
import type { Progress } from "./Progress.ts"

/**
 * Undoes everything that an application has done when it failed, in the opposite order. The change that failed may be done in
 * part: each function here is right for a change that is done, done in part, or not done.
 *
 * The entries of the undo log stay: they say that the version of the commit replaced what the graph now has again, which
 * readers and later checks for conflicts may believe. So the version counts as one that changed nothing.
 */
export function* rollbackTask(application: Application, slice: TimeSlice): Task {
  const { edges, vertices } = application
  yield* restoreProperties(application, edges, slice)
  yield* restoreShapes(edges, slice)
  yield* restoreProperties(application, vertices, slice)
  yield* restoreShapes(vertices, slice)
  yield* disconnect(application, slice)
  yield* removeNewEdges(application, slice)
  yield* removeNewVertices(application, slice)
  yield* restoreVertices(application, slice)
  yield* restoreEdges(application, slice)
}

/** Values of elements that existed before; those of new elements go with their slots. */
function* restoreProperties(application: Application, progress: Progress, slice: TimeSlice): Task {
  for (let index = progress.written - 1; index >= 0; index--) {
    restoreProperty(application, progress, progress.own!, index)
    if (slice.isOver()) yield
  }
}

const restoreProperty = (application: Application, { table }: Progress, own: OwnElements, index: number): void => {
  const ref = own.changedRefs[index]!
  const key = own.changedKeys[index]!
  const change = own.change(key, ref)!
  const column = table.column(key)
  if (ref < 0 || own.isRemoved(ref) || change.state === change.base || column === undefined) return
  const record = application.recordOf(table)
  // Without a log nothing was committed since the transaction began: its base is what the graph had.
  const replaced = record === undefined ? { old: change.base } : column.undo.at(ref, application.version - 1)
  if (replaced === undefined) return
  const { old } = replaced
  const had = column.values.get(ref)
  column.write(ref, old)
  if (table.keys.shape(ref) === WIDE) table.keys.set(ref, column.number, old !== undefined)
  updateIndex(column, ref, had, old?.value, record)
}

/** The keys of elements, in the order in which they had them. */
function* restoreShapes({ shaped = [], table }: Progress, slice: TimeSlice): Task {
  for (let at = shaped.length - 1; at >= 0; at--) {
    const { shape, slot } = shaped[at]!
    if (shape !== WIDE) table.keys.setShape(slot, shape)
    if (slice.isOver()) yield
  }
}

function* disconnect({ connected, data, edges }: Application, slice: TimeSlice): Task {
  for (let index = connected - 1; index >= 0; index--) {
    const edge = edges.slots[index]!
    if (edge !== -1) {
      const label = edges.table.label(edge)
      data.out.undoPut(data.outVertices[edge]!, label)
      data.in.undoPut(data.inVertices[edge]!, label)
    }
    if (slice.isOver()) yield
  }
}

function* removeNewEdges({ edges: { added, slots, table } }: Application, slice: TimeSlice): Task {
  for (let index = added - 1; index >= 0; index--) {
    const slot = slots[index]!
    if (slot !== -1) {
      table.kill(slot)
      table.release(slot)
    }
    if (slice.isOver()) yield
  }
}

function* removeNewVertices({ data, vertices: { added, slots, table } }: Application, slice: TimeSlice): Task {
  for (let index = added - 1; index >= 0; index--) {
    const slot = slots[index]!
    if (slot !== -1) {
      table.kill(slot)
      data.releaseVertex(slot)
    }
    if (slice.isOver()) yield
  }
}

const revive = ({ version }: Application, { table }: Progress, slot: number): void => {
  if (!table.isAlive(slot)) table.revive(slot)
  if (table.diedAt.get(slot) === version) table.diedAt.delete(slot)
}

function* restoreVertices(application: Application, slice: TimeSlice): Task {
  const { vertices } = application
  for (const vertex of vertices.own?.removed ?? NONE) {
    revive(application, vertices, vertex)
    if (slice.isOver()) yield
  }
}

function* restoreEdges(application: Application, slice: TimeSlice): Task {
  const { data, edges } = application
  for (const edge of edges.own?.removed ?? NONE) {
    const label = edges.table.label(edge)
    data.out.restore(data.outVertices[edge]!, label, edge)
    data.in.restore(data.inVertices[edge]!, label, edge)
    revive(application, edges, edge)
    if (slice.isOver()) yield
  }
}
