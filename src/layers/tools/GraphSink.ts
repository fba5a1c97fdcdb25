import type { StreamedEdge, StreamedVertex } from "../../structure/GraphStream.ts"
import type { ToolContext } from "./Report.ts"

/** How far an import has come: everything before is in the graph. */
export interface ImportPosition {
  /** Place of the step among the steps of the import. */
  readonly step: number
  /** Elements of that step. */
  readonly elements: number
  readonly vertices: number
  readonly edges: number
  /** Bytes of the contents of that step's file that the elements are in, at most, and their SHA-256 in hexadecimal digits. */
  readonly bytes: number
  readonly digest: string
}

export const BEGIN: ImportPosition = { step: 0, elements: 0, vertices: 0, edges: 0, bytes: 0, digest: "" }

/** The label of edges that have none in their file. JanusGraph reserves the name. */
export const DEFAULT_EDGE_LABEL = "edge"

/**
 * Takes the elements of an import into a graph: in commits, each of whole elements. `origin` is a number by which an
 * element is named that is refused only when it is committed, by ElementRefused.
 */
export interface GraphSink {
  /** Where an import of the same files was interrupted; BEGIN when there is none. */
  readonly begun: ImportPosition
  /** True where a key keeps the cardinality that its first value gives it: it must be told beforehand. */
  readonly fixesCardinality: boolean
  /** False where edges without a label of their own cannot have TinkerPop's, which is `edge`. */
  readonly takesDefaultEdgeLabel: boolean
  /** True when what was taken should be committed now. */
  readonly full: boolean
  vertex(vertex: StreamedVertex, origin: number): void
  /** Called before the first edge: vertices that are in the graph, and not in the files, will be looked for. */
  prepareEdges(context: ToolContext): Promise<void>
  edge(edge: StreamedEdge, origin: number): void
  /** Commits what was taken, and where that leaves the import. Durable when it is done, where the graph is. */
  commit(position: ImportPosition): Promise<void>
  /** All is in the graph, and the graph knows that. */
  finish(): Promise<void>
  /** Releases what is open; what the graph knows of an import that did not finish stays. */
  close(): Promise<void>
}
