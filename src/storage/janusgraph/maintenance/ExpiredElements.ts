import { Pending } from "../../../scheduling/Pending.ts"
import { TransactionConflict } from "../../../structure/errors/StoreErrors.ts"
import type { CellGraph } from "../CellGraph.ts"
import type { VertexId } from "../format/Ids.ts"
import { vertexPages } from "../management/IndexBuild.ts"
import { CellTransaction } from "../transaction/CellTransaction.ts"
import type { ExpiredCounts } from "../transaction/writing/ExpiredWrites.ts"

/** Attempts to commit the removals at the same vertices while clients change them. */
const MAX_ATTEMPTS = 10
/** Vertices of one commit. */
const VERTICES_PER_COMMIT = 64

/**
 * Removes what has expired, in commits of some vertices. `pause` lets others run, and throws to end the work. Only for graphs that store
 * times of expiry: elsewhere the store removes expired cells. Returns what was removed. Throws TransactionConflict if clients change the
 * same vertices again and again.
 */
export const removeExpired = async (
  graph: CellGraph,
  pause: (vertices: number) => Promise<void>
): Promise<ExpiredCounts> => {
  const removed = { vertices: 0, edges: 0, values: 0 }
  const { core } = graph
  if (core.cells.answersLater || core.newestSchema().expires === undefined) return removed
  let done = 0
  for await (const page of vertexPages(core)) {
    const before = done
    for (let at = 0; at < page.length; at += VERTICES_PER_COMMIT) {
      const left = page.slice(at, at + VERTICES_PER_COMMIT)
      for (let attempts = MAX_ATTEMPTS; left.length > 0; ) {
        const counts = await attempt(graph, left, () => pause(done))
        if (counts === undefined && --attempts === 0) throw new TransactionConflict("vertices with expired cells")
        for (const kind of ["vertices", "edges", "values"] as const) removed[kind] += counts?.[kind] ?? 0
      }
      done = Math.min(done + VERTICES_PER_COMMIT, before + page.length)
    }
  }
  return removed
}

/** Removes what has expired of the first vertices of a list in one transaction, and these from the list. Undefined after a conflict. */
const attempt = async (
  graph: CellGraph,
  vertices: Array<VertexId>,
  pause: () => Promise<void>
): Promise<ExpiredCounts | undefined> => {
  const counts = { vertices: 0, edges: 0, values: 0 }
  const transaction = new CellTransaction(graph, graph.core, {})
  let complete = 0
  try {
    for (const id of vertices) {
      const work = transaction.removeExpired(id, counts)
      let step = work.next()
      for (; !step.done; step = work.next()) await pause()
      if (!step.value) break
      complete++
    }
    await pause()
    await Pending.toPromise(transaction.commit())
  } catch (error) {
    transaction.rollback()
    if (error instanceof TransactionConflict) return undefined
    throw error
  }
  vertices.splice(0, complete)
  return counts
}
