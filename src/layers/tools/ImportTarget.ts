import type { StreamedEdge, StreamedVertex } from "../../structure/graph/GraphStream.ts"
import type { KeySurvey } from "./KeySurvey.ts"
import type { ToolContext } from "./Report.ts"

/** The position of an import: everything before it is in the graph. */
export interface ImportPosition {
  /** Index of the pass among the passes of the import. Graphs store it under this name. */
  readonly step: number
  /** Imported elements of that pass. */
  readonly elements: number
  readonly vertices: number
  readonly edges: number
  /** Length of the prefix of that pass's file that contains the elements, and its SHA-256 in hexadecimal digits. */
  readonly bytes: number
  readonly digest: string
  /** The edges that the vertices of earlier passes list; absent if there are none. */
  readonly listed?: ListedEdges
}

/** The edges that vertices of adjacency lists name, at both ends. */
export interface ListedEdges {
  /** The number at in-vertices less that at out-vertices; negative if later files have the in-vertices. */
  readonly missing: number
  /** The place of the first edge at an in-vertex; empty if there is none. */
  readonly firstIn: string
}

/** The position of an import that has not begun. */
export const BEGIN: ImportPosition = { step: 0, elements: 0, vertices: 0, edges: 0, bytes: 0, digest: "" }

/** The default label of edges. JanusGraph reserves the name. */
export const DEFAULT_EDGE_LABEL = "edge"

/** Bytes of a file that are decoded without a pause, at most. */
export const PIECE_BYTES = 64 * 1024

/**
 * Writes the elements of an import into a graph, in commits of whole elements. `origin` is the caller's number of an element.
 * If a commit refuses the element, ElementRefused contains the number.
 */
export interface ImportTarget {
  /** The position at which an import of the same files was interrupted; BEGIN otherwise. */
  readonly begun: ImportPosition
  /** True when the first value of a key fixes its type and cardinality, so that the files must be surveyed first. */
  readonly fixesTypes: boolean
  /** True when an interrupted import can go on with its last commit. */
  readonly resumes: boolean
  /** False when the graph does not accept the default label of edges. */
  readonly takesDefaultEdgeLabel: boolean
  /** True when the target should be committed now. */
  readonly full: boolean
  /** Bytes of a file that are decoded before the target may be full: fewer while its commits delay others. At most {@link PIECE_BYTES}. */
  readonly pieceBytes: number
  /** Defines keys whose values have several types. Called before the first element. */
  defineMixed(keys: KeySurvey["mixed"]): Promise<void>
  vertex(vertex: StreamedVertex, origin: number): void
  /** Called before the first edge, to prepare the search for vertices of the graph. */
  prepareEdges(context: ToolContext): Promise<void>
  edge(edge: StreamedEdge, origin: number): void
  /** Commits the elements with the position of the import. Durable when the graph is. */
  commit(position: ImportPosition): Promise<void>
  /** Records that the import is complete. */
  finish(): Promise<void>
  /** Releases resources. The record of an unfinished import remains in the graph. */
  close(): Promise<void>
}
