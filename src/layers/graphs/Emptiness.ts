import { Pending } from "../../scheduling/Pending.ts"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"

/** True when a graph has no vertices. A graph without counters that forbids scans counts as not empty. */
export const isEmptyGraph = async (store: GraphStore): Promise<boolean> => {
  const transaction = store.begin({ readOnly: true })
  try {
    const count = transaction.counts.vertices(null)
    if (count !== undefined) return count === 0
    const scan = transaction.scanVertices(null)
    const found = { refs: transaction.newRefs(1), length: 0 }
    for (let more = true; more && found.length === 0; ) {
      if (transaction.answersLater) await Pending.toPromise(transaction.prefetch([{ kind: "scan", scan, max: 1 }]))
      more = scan.next(1, found)
    }
    scan.close()
    return found.length === 0
  } catch (error) {
    // query.force-index forbids the scan.
    if (error instanceof UnsupportedValue) return false
    throw error
  } finally {
    transaction.rollback()
  }
}

/** True for a persistent graph with vertices, such as those of an earlier start. Datasets and scripts must not add theirs again. */
export const keepsVertices = async (store: GraphStore): Promise<boolean> =>
  store.features.persistent && !(await isEmptyGraph(store))
