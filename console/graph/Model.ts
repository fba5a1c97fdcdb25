import { type Edge, type ElementId, idKeyOf, type Vertex } from "../wire/Values.ts"
import type { Layout, Point } from "./Layouts.ts"

/** A vertex in the drawing. */
export interface GraphNode {
  /** Its name of {@link nodeIdOf}. */
  readonly id: string
  vertex: Vertex
  x: number
  y: number
  /** The user placed it: layouts leave it there. */
  isPinned: boolean
}

/** An edge in the drawing. */
export interface GraphLink {
  readonly id: string
  readonly edge: Edge
  readonly from: GraphNode
  readonly to: GraphNode
}

/** Names a vertex in the drawing. An edge with the same id has another name: a selection has both kinds. */
export const nodeIdOf = (id: ElementId): string => `v ${idKeyOf(id)}`

/** Names an edge in the drawing. */
const linkIdOf = (id: ElementId): string => `e ${idKeyOf(id)}`

/** A state to which undo returns. */
interface Snapshot {
  readonly nodes: ReadonlyArray<readonly [GraphNode, number, number, boolean]>
  readonly links: ReadonlyArray<GraphLink>
  readonly waiting: ReadonlyArray<Vertex>
  readonly waitingEdges: ReadonlyArray<Edge>
  readonly layout: Layout
}

/** Radius of a vertex, in units of the drawing. */
export const NODE_RADIUS = 14

/** Vertices that are drawn first, and added by each click on "more". */
export const VERTICES_PER_CLICK = 300
const MAX_SNAPSHOTS = 50

/** The vertices and edges of a drawing, with their places. */
export class GraphModel {
  readonly nodes = new Map<string, GraphNode>()
  readonly links = new Map<string, GraphLink>()
  /** Names of vertices of which the result has only an edge: their properties are not known. */
  readonly bare = new Set<string>()
  layout: Layout = "force"
  #waiting: ReadonlyArray<Vertex> = []
  /** Edges of the result whose vertices are not drawn yet. */
  #waitingEdges: ReadonlyArray<Edge> = []
  readonly #snapshots: Array<Snapshot> = []

  constructor(vertices: Iterable<Vertex>, edges: Iterable<Edge>, standIn: (id: ElementId, label: string) => Vertex) {
    const known = new Map<string, Vertex>()
    for (const vertex of vertices) known.set(nodeIdOf(vertex.id), vertex)
    this.#waitingEdges = [...edges]
    for (const edge of this.#waitingEdges) {
      // The result has the edge, and of its vertices only the ids.
      for (const { id, label } of [edge.from, edge.to]) {
        const name = nodeIdOf(id)
        if (known.has(name)) continue
        known.set(name, standIn(id, label))
        this.bare.add(name)
      }
    }
    this.#waiting = [...known.values()]
    this.drawMore()
  }

  /** The number of vertices of the result that are not drawn yet. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Draws the next vertices of the result. */
  drawMore(count = VERTICES_PER_CLICK): void {
    this.add(this.#waiting.slice(0, count), this.#waitingEdges)
    this.#waiting = this.#waiting.slice(count)
    this.#waitingEdges = this.#waitingEdges.filter(({ id }) => !this.links.has(linkIdOf(id)))
  }

  /** Adds elements near a point. An edge is drawn when both its vertices are. */
  add(vertices: Iterable<Vertex>, edges: Iterable<Edge>, near: Point = { x: 0, y: 0 }): void {
    for (const vertex of vertices) {
      const id = nodeIdOf(vertex.id)
      const known = this.nodes.get(id)
      if (known !== undefined) {
        if (this.bare.delete(id)) known.vertex = vertex
        continue
      }
      // A spiral, so that no two vertices begin at one place.
      const turn = this.nodes.size * 2.4
      const radius = 12 * Math.sqrt(this.nodes.size + 1)
      const place = { x: near.x + Math.cos(turn) * radius, y: near.y + Math.sin(turn) * radius }
      this.nodes.set(id, { id, vertex, ...place, isPinned: false })
    }
    for (const edge of edges) {
      const from = this.nodes.get(nodeIdOf(edge.from.id))
      const to = this.nodes.get(nodeIdOf(edge.to.id))
      const id = linkIdOf(edge.id)
      if (from !== undefined && to !== undefined && !this.links.has(id)) this.links.set(id, { id, edge, from, to })
    }
  }

  /** Takes vertices, and the edges at them, out of the drawing. */
  hide(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      this.nodes.delete(id)
      this.links.delete(id)
    }
    for (const [id, { from, to }] of this.links) if (ids.has(from.id) || ids.has(to.id)) this.links.delete(id)
  }

  /** Keeps the present state for {@link undo}. */
  remember(): void {
    const nodes = [...this.nodes.values()].map((node) => [node, node.x, node.y, node.isPinned] as const)
    const waiting = { waiting: this.#waiting, waitingEdges: this.#waitingEdges, layout: this.layout }
    this.#snapshots.push({ nodes, links: [...this.links.values()], ...waiting })
    if (this.#snapshots.length > MAX_SNAPSHOTS) this.#snapshots.shift()
  }

  get canUndo(): boolean {
    return this.#snapshots.length > 0
  }

  /** Returns to the state before the last change. */
  undo(): void {
    const snapshot = this.#snapshots.pop()
    if (snapshot === undefined) return
    this.nodes.clear()
    this.links.clear()
    for (const [node, x, y, isPinned] of snapshot.nodes) {
      node.x = x
      node.y = y
      node.isPinned = isPinned
      this.nodes.set(node.id, node)
    }
    this.layout = snapshot.layout
    this.#waiting = snapshot.waiting
    this.#waitingEdges = snapshot.waitingEdges
    for (const link of snapshot.links) this.links.set(link.id, link)
  }

  /** The number of drawn edges at each vertex that has any. */
  degrees(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { from, to } of this.links.values()) {
      for (const { id } of from === to ? [from] : [from, to]) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    return counts
  }

  /** The labels of the drawn vertices with their numbers, most first. */
  labels(): ReadonlyArray<readonly [string, number]> {
    const counts = new Map<string, number>()
    for (const { vertex } of this.nodes.values()) counts.set(vertex.label, (counts.get(vertex.label) ?? 0) + 1)
    return [...counts].sort((a, b) => b[1] - a[1])
  }
}
