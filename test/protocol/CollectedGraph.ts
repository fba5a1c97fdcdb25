import type {
  GraphDecoder,
  GraphReceiver,
  StreamedEdge,
  StreamedVertex
} from "../../src/structure/graph/GraphStream.ts"

/** The elements that a decoder returned. */
export interface Collected {
  readonly vertices: Array<StreamedVertex>
  readonly edges: Array<StreamedEdge & { readonly place: string }>
}

/** Decodes bytes in chunks of the given length. */
export const decoded = (
  make: (receiver: GraphReceiver) => GraphDecoder,
  bytes: Uint8Array | string,
  piece = 7
): Collected => {
  const found: Collected = { vertices: [], edges: [] }
  const decoder = make({
    vertex: (vertex) => found.vertices.push(vertex),
    edge: (edge, place) => found.edges.push({ ...edge, place })
  })
  const all = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes
  for (let at = 0; at < all.length; at += piece) decoder.push(all.subarray(at, at + piece))
  decoder.end()
  return found
}
