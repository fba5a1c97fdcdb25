import { Pending } from "../../scheduling/Pending.ts"
import { Edge, Vertex } from "../../structure/elements/Element.ts"
import { edgesOf } from "../../structure/graph/EdgeRequests.ts"
import type { ReadAhead, Reads, RefColumn, RefScan } from "../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { pause } from "./Report.ts"

/** Elements of a piece. */
const PIECE_ELEMENTS = 256

/** Edges of vertices that are read in one turn of the event loop. */
const TURN_EDGES = 4_096

const fetched = async (transaction: ReadAhead, reads: ReadonlyArray<Reads>): Promise<void> => {
  if (transaction.answersLater) await Pending.toPromise(transaction.prefetch(reads))
}

/** A vertex with its out-edges and in-edges. */
interface WithEdges {
  readonly vertex: Vertex
  readonly out: ReadonlyArray<Edge>
  readonly in: ReadonlyArray<Edge>
}

async function* refPieces(
  transaction: GraphTransaction,
  scan: RefScan,
  signal: AbortSignal
): AsyncGenerator<RefColumn> {
  try {
    for (let more = true; more; ) {
      if (transaction.answersLater)
        await Pending.toPromise(transaction.prefetch([{ kind: "scan", scan, max: PIECE_ELEMENTS }]))
      const piece = { refs: transaction.newRefs(PIECE_ELEMENTS), length: 0 }
      more = scan.next(PIECE_ELEMENTS, piece)
      if (piece.length > 0) {
        yield piece.refs.subarray(0, piece.length)
        transaction.forgetVertices?.()
      }
      await pause(signal)
    }
  } finally {
    scan.close()
  }
}

/** All vertices in pieces, with their properties fetched. A piece must not be used any more when the next one is asked for. */
export async function* vertexPieces(
  transaction: GraphTransaction,
  signal: AbortSignal
): AsyncGenerator<ReadonlyArray<Vertex>> {
  for await (const refs of refPieces(transaction, transaction.scanVertices(null), signal)) {
    await fetched(transaction, [{ kind: "vertex", refs, length: refs.length, keys: null }])
    yield Array.from(refs, (ref) => new Vertex(transaction, ref))
  }
}

/** All edges in pieces, with their properties fetched. A piece must not be used any more when the next one is asked for. */
export async function* edgePieces(
  transaction: GraphTransaction,
  signal: AbortSignal
): AsyncGenerator<ReadonlyArray<Edge>> {
  if (transaction.forgetEdges !== undefined) {
    yield* forgottenEdgePieces(transaction, () => transaction.forgetEdges!(), signal)
    return
  }
  for await (const refs of refPieces(transaction, transaction.scanEdges(null), signal)) {
    await fetched(transaction, [{ kind: "edge", refs, length: refs.length, keys: null }])
    yield Array.from(refs, (ref) => new Edge(transaction, ref))
  }
}

/** All edges as the out-edges of all vertices. A transaction that keeps the edges that it reads forgets each piece. */
async function* forgottenEdgePieces(
  transaction: GraphTransaction,
  forget: () => void,
  signal: AbortSignal
): AsyncGenerator<ReadonlyArray<Edge>> {
  for await (const vertices of refPieces(transaction, transaction.scanVertices(null), signal)) {
    const { length } = vertices
    await fetched(transaction, [
      { kind: "adjacent", refs: vertices, length, direction: "OUT", labels: null, edges: true }
    ])
    const request = edgesOf(transaction, vertices, "OUT", PIECE_ELEMENTS)
    const { out: found } = request
    try {
      for (let done = false; !done; found.length = 0) {
        done = transaction.expand(request)
        const refs = found.refs.subarray(0, found.length)
        await fetched(transaction, [{ kind: "edge", refs, length: refs.length, keys: null }])
        if (refs.length > 0) yield Array.from(refs, (ref) => new Edge(transaction, ref))
        forget()
        if (!done) await pause(signal)
      }
    } finally {
      transaction.leaves?.(request.cursor)
    }
  }
}

/** All vertices with their edges, in pieces. A piece must not be used any more when the next one is asked for. */
export async function* adjacencyPieces(
  transaction: GraphTransaction,
  signal: AbortSignal
): AsyncGenerator<ReadonlyArray<WithEdges>> {
  for await (const refs of refPieces(transaction, transaction.scanVertices(null), signal)) {
    const { length } = refs
    await fetched(transaction, [
      { kind: "vertex", refs, length, keys: null },
      { kind: "adjacent", refs, length, direction: "OUT", labels: null, edges: true },
      { kind: "adjacent", refs, length, direction: "IN", labels: null, edges: true }
    ])
    const out = await incident(transaction, refs, "OUT", signal)
    const into = await incident(transaction, refs, "IN", signal)
    yield Array.from(refs, (ref, row) => ({ vertex: new Vertex(transaction, ref), out: out[row]!, in: into[row]! }))
  }
}

/** The edges of each vertex, with their properties fetched. Others run between parts of very many edges. */
const incident = async (
  transaction: GraphTransaction,
  refs: RefColumn,
  direction: "OUT" | "IN",
  signal: AbortSignal
): Promise<ReadonlyArray<ReadonlyArray<Edge>>> => {
  const rows = Array.from(refs, (): Array<Edge> => [])
  const request = edgesOf(transaction, refs, direction, TURN_EDGES)
  const { out: found } = request
  try {
    for (let done = false; !done; found.length = 0) {
      done = transaction.expand(request)
      const { length } = found
      if (length > 0) await fetched(transaction, [{ kind: "edge", refs: found.refs, length, keys: null }])
      for (let i = 0; i < length; i++) rows[found.rows[i]!]!.push(new Edge(transaction, found.refs[i]!))
      if (!done) await pause(signal)
    }
  } finally {
    transaction.leaves?.(request.cursor)
  }
  return rows
}
