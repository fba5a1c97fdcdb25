import type { Edge, Vertex } from "./Element.ts"

/** A graph as a value: what subgraph() collects, and a graph decoded from a message. */
export class SubGraph {
  readonly vertices: readonly Vertex[]
  /** Both vertices of each edge are among the vertices. */
  readonly edges: readonly Edge[]
  constructor(vertices: readonly Vertex[], edges: readonly Edge[]) {
    this.vertices = vertices
    this.edges = edges
  }
}
