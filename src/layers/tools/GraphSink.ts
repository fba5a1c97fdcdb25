import type { StreamedEdge, StreamedVertex } from "../../structure/GraphStream.ts"

/** How far an import has come: everything before is in the graph. */
export interface ImportPosition {
  /** Place of the step among the steps of the import. */
  readonly step: number
  /** Elements of that step. */
  readonly elements: number
  readonly vertices: number
  readonly edges: number
}

export const BEGIN: ImportPosition = { step: 0, elements: 0, vertices: 0, edges: 0 }

/** Takes the elements of an import into a graph: in commits, each of whole elements. */
export interface GraphSink {
  /** Where an import of the same files was interrupted; BEGIN when there is none. */
  readonly begun: ImportPosition
  /** True where a key keeps the cardinality that its first value gives it: it must be told beforehand. */
  readonly fixesCardinality: boolean
  /** True when what was taken should be committed now. */
  readonly full: boolean
  vertex(vertex: StreamedVertex): void
  edge(edge: StreamedEdge): void
  /** Commits what was taken, and where that leaves the import. Durable when it is done, where the graph is. */
  commit(position: ImportPosition): Promise<void>
  /** All is in the graph: forgets the journal. */
  finish(): Promise<void>
  /** Releases what is open; the journal stays. */
  close(): Promise<void>
}
