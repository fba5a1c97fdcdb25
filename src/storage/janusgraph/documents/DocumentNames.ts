import { normalId, type VertexId } from "../format/Ids.ts"
import { isPartitionedId } from "../format/PartitionedVertices.ts"
import { parseRelationId } from "../format/RelationIds.ts"
import { isWellFormed } from "./DocumentValues.ts"

/** Names of documents: JanusGraph's texts of ids. */

/** The longest name that engines take, in bytes. */
const MAX_NAME_BYTES = 512

/** The name of a document, or undefined if engines do not take it. */
export const documentName = (name: string): string | undefined =>
  Buffer.byteLength(name) <= MAX_NAME_BYTES && isWellFormed(name) ? name : undefined

/** The name of the document of a vertex. The name of the document of an edge is the id of the edge. */
export const vertexName = (id: VertexId): string => (typeof id === "string" ? `S${id}` : id.toString(36))

/** The vertex of a document; undefined if the name is none of a vertex. */
export const vertexOfName = (name: string): VertexId | undefined => {
  if (name.startsWith("S")) return name.length === 1 ? undefined : name.slice(1)
  if (!/^[0-9a-z]{1,13}$/.test(name)) return undefined
  let value = 0n
  for (const digit of name) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value < 2n ** 63n ? normalId(value) : undefined
}

/** True if this server may remove the document of that name: JanusGraph alone writes those of partitioned vertices. */
export const isOwnName = (element: "vertex" | "edge", name: string): boolean => {
  if (element === "vertex") {
    const id = vertexOfName(name)
    return id === undefined || !isPartitionedId(id)
  }
  const edge = parseRelationId(name)
  return edge === undefined || !(isPartitionedId(edge.out) || (edge.into !== undefined && isPartitionedId(edge.into)))
}
