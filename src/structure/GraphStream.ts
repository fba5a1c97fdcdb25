import type { Edge, Vertex } from "./Element.ts"

/**
 * Graphs on their way to and from files. Codecs of the formats and the step that reads and writes files meet here: a
 * decoder hands elements to a receiver, an encoder is handed elements and gives text.
 */

/** A property of a vertex as a file has it. */
export interface StreamedProperty {
  /** Undefined where the format has no ids of properties. */
  readonly id: unknown
  readonly key: string
  readonly value: unknown
  /** Null when there are none. */
  readonly meta: ReadonlyMap<string, unknown> | null
  /** Where the format says how many values the key has. */
  readonly cardinality?: "single" | "set" | "list"
}

export interface StreamedVertex {
  readonly id: unknown
  readonly label: string
  readonly properties: ReadonlyArray<StreamedProperty>
}

export interface StreamedEdge {
  /** Undefined where the file gives none. */
  readonly id: unknown
  readonly label: string
  /** Ids of the vertices. */
  readonly out: unknown
  readonly in: unknown
  readonly properties: ReadonlyMap<string, unknown>
}

/** Where an edge stands in a file: with its out-vertex, with its in-vertex (in adjacency lists, often with both), or alone. */
export type EdgePlace = "out" | "in" | "alone"

/** Takes what a decoder reads, in the order of the file. */
export interface GraphReceiver {
  vertex(vertex: StreamedVertex): void
  edge(edge: StreamedEdge, place: EdgePlace): void
}

/** Reads one file, piece by piece. Its methods throw an error with the place where the file is not as it should be. */
export interface GraphDecoder {
  /** The line of the element that the receiver is handed, from 1. Absent where the format has no lines. */
  readonly line?: number
  push(bytes: Uint8Array): void
  /** The file ends here. */
  end(): void
}

/** Writes one file. It is handed all elements of a graph, in passes. */
export interface GraphEncoder {
  /** A pass before anything is written, over vertices and then edges, for what the head of the file says of all of them. */
  readonly survey: ((element: Vertex | Edge) => void) | null
  begin(): string
  /** A vertex; with its edges where {@link withEdges} says so, else with empty lists. */
  vertex(vertex: Vertex, out: ReadonlyArray<Edge>, into: ReadonlyArray<Edge>): string
  /** True: edges are written with their vertices; false: after all vertices, by {@link edge}. */
  readonly withEdges: boolean
  edge(edge: Edge): string
  end(): string
}

/** The formats of files, by name. */
export interface GraphFormats {
  /** A decoder; undefined when the name is none of a format. */
  decoder(format: string, receiver: GraphReceiver): GraphDecoder | undefined
  /** An encoder; undefined when the name is none of a format, or the format is only read. */
  encoder(format: string): GraphEncoder | undefined
}
