import type { Edge, Vertex } from "../elements/Element.ts"

/**
 * The interface between the codecs of file formats and the code that reads and writes graphs: a decoder passes elements to a
 * receiver, an encoder gets elements and returns text.
 */

/** A property of a vertex as a file has it. */
export interface StreamedProperty {
  /** Undefined where the format has no ids of properties. */
  readonly id: unknown
  readonly key: string
  readonly value: unknown
  /** Null when there are none. */
  readonly meta: ReadonlyMap<string, unknown> | null
  /** Only where the format states the cardinality of the key. */
  readonly cardinality?: "single" | "set" | "list"
}

/** The keys of which a vertex has several values. */
export const repeatedKeys = (properties: ReadonlyArray<StreamedProperty>): ReadonlySet<string> => {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { key, value } of properties) {
    if (value === null || value === undefined) continue
    if (seen.has(key)) repeated.add(key)
    else seen.add(key)
  }
  return repeated
}

/** A vertex as a file has it. */
export interface StreamedVertex {
  readonly id: unknown
  readonly label: string
  readonly properties: ReadonlyArray<StreamedProperty>
}

/** An edge as a file has it. */
export interface StreamedEdge {
  /** Undefined where the file has none. */
  readonly id: unknown
  readonly label: string
  /** Ids of the vertices. */
  readonly out: unknown
  readonly in: unknown
  readonly properties: ReadonlyMap<string, unknown>
}

/** Where a file has an edge: with its out-vertex, with its in-vertex (in adjacency lists, often with both), or alone. */
export type EdgeListing = "out" | "in" | "alone"

/** Receives the elements that a decoder reads, in the order of the file. */
export interface GraphReceiver {
  vertex(vertex: StreamedVertex): void
  edge(edge: StreamedEdge, listing: EdgeListing): void
}

/** Reads one file, chunk by chunk. Its methods throw an error with the position of what is wrong in the file. */
export interface GraphDecoder {
  /** The line of the element that the receiver gets, from 1. Absent where the format has no lines. */
  readonly line?: number
  /** The number of bytes at the end of what was pushed that belong to an incomplete record. Absent where it is not known. */
  readonly tail?: number
  push(bytes: Uint8Array): void
  /** The file has ended. */
  end(): void
}

/** Writes one file. It gets all elements of a graph, in passes. */
export interface GraphEncoder {
  /** A pass over vertices and then edges before anything is written, for formats whose header depends on all of them. */
  readonly survey: ((element: Vertex | Edge) => void) | null
  begin(): string
  /** Writes a vertex. It gets the edges of the vertex if {@link withEdges} is true, otherwise empty lists. */
  vertex(vertex: Vertex, out: ReadonlyArray<Edge>, into: ReadonlyArray<Edge>): string
  /**
   * The text of {@link vertex} in parts, for a format that writes edges with their vertices: a vertex may have very many. Others may
   * run after each part, also an empty one.
   */
  vertexParts?(vertex: Vertex, out: ReadonlyArray<Edge>, into: ReadonlyArray<Edge>): Iterable<string>
  /** True: edges are written with their vertices; false: after all vertices, by {@link edge}. */
  readonly withEdges: boolean
  edge(edge: Edge): string
  end(): string
}

/** The formats of files, by name. */
export interface GraphFormats {
  /** A decoder; undefined for an unknown format. */
  decoder(format: string, receiver: GraphReceiver): GraphDecoder | undefined
  /** An encoder; undefined for an unknown format, and for one that is only read. */
  encoder(format: string): GraphEncoder | undefined
}
