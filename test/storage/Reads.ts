import type { Ref } from "../../src/structure/elements/Element.ts"
import type {
  AdjacencyReads,
  DirectionName,
  EdgeRequest,
  IndexQuery,
  RefScan
} from "../../src/structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../src/structure/graph/GraphStore.ts"

/** The remaining elements of a scan. */
export const drain = (scan: RefScan, width = 7): Array<Ref> => {
  const out = { refs: new Int32Array(width), length: 0 }
  const found: Array<Ref> = []
  for (let more = true; more; out.length = 0) {
    more = scan.next(width, out)
    for (let i = 0; i < out.length; i++) found.push(out.refs[i]!)
  }
  scan.close()
  return found
}

/** The refs of all vertices, or of those with some labels. */
export const vertexRefs = (transaction: GraphTransaction, labels: readonly string[] | null = null): Array<Ref> =>
  drain(transaction.scanVertices(labels))

/** The ids of all vertices, or of those with some labels. */
export const vertexIds = (transaction: GraphTransaction, labels: readonly string[] | null = null): Array<unknown> =>
  vertexRefs(transaction, labels).map((ref) => transaction.vertexId(ref))

/** The ids of all edges, or of those with some labels. */
export const edgeIds = (transaction: GraphTransaction, labels: readonly string[] | null = null): Array<unknown> =>
  drain(transaction.scanEdges(labels)).map((ref) => transaction.edgeId(ref))

/** A read of the edges of one vertex, from their beginning: all edges, out of it, as edges, where nothing else is given. */
export const edgeRequest = (
  transaction: AdjacencyReads,
  vertex: Ref,
  options: {
    readonly direction?: DirectionName
    readonly labels?: readonly string[] | null
    readonly edges?: boolean
    readonly limit?: number
  } = {}
): EdgeRequest => ({
  edges: options.edges ?? true,
  refs: transaction.newRefs(1).fill(vertex),
  length: 1,
  direction: options.direction ?? "OUT",
  labels: options.labels == null ? null : transaction.edgeLabels(options.labels),
  cursor: { row: 0, offset: 0 },
  limit: options.limit ?? Number.POSITIVE_INFINITY,
  out: { rows: new Int32Array(1), refs: transaction.newRefs(1), length: 0 }
})

/** The neighbours or edges of a vertex, read in calls of about `limit` rows. */
export const around = (
  transaction: GraphTransaction,
  vertex: Ref,
  direction: DirectionName,
  labels: readonly string[] | null,
  edges: boolean,
  limit = 1000
): Array<Ref> => {
  const request = edgeRequest(transaction, vertex, { direction, labels, edges, limit })
  const { out } = request
  const found: Array<Ref> = []
  for (let done = false; !done; out.length = 0) {
    done = transaction.expand(request)
    for (let i = 0; i < out.length; i++) found.push(out.refs[i]!)
  }
  return found
}

/** The ids of the elements with a value, found through an index. Throws when no index answers. */
export const byIndex = (
  transaction: GraphTransaction,
  key: string,
  value: unknown,
  element: "vertex" | "edge" = "vertex",
  labels: readonly string[] | null = null
): Array<unknown> => {
  const query: IndexQuery = { element, labels, conditions: [{ key, operator: "eq", value }] }
  const choice = transaction.chooseIndex(query)
  if (choice === undefined) throw new Error(`No index answers for ${key}`)
  return drain(transaction.searchIndex(query, choice)).map((ref) =>
    element === "vertex" ? transaction.vertexId(ref) : transaction.edgeId(ref)
  )
}
