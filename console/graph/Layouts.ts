import type { GraphLink, GraphNode } from "./Model.ts"

/** How the vertices are placed. */
export type Layout = "force" | "tree" | "radial"

/** A place in the drawing. */
export interface Point {
  readonly x: number
  readonly y: number
}

const LEVEL_PIXELS = 110
const SIBLING_PIXELS = 60

/** The vertices by their distance from the roots: those without an incoming edge, or else those with the most edges. */
const levelsOf = (
  nodes: ReadonlyArray<GraphNode>,
  links: ReadonlyArray<GraphLink>
): ReadonlyArray<ReadonlyArray<GraphNode>> => {
  const out = new Map<GraphNode, Array<GraphNode>>()
  const join = (node: GraphNode, other: GraphNode): void => {
    const others = out.get(node)
    if (others === undefined) out.set(node, [other])
    else others.push(other)
  }
  const incoming = new Map<GraphNode, number>()
  const degree = new Map<GraphNode, number>()
  const count = (counts: Map<GraphNode, number>, node: GraphNode): void =>
    void counts.set(node, (counts.get(node) ?? 0) + 1)
  for (const { from, to } of links) {
    join(from, to)
    join(to, from)
    count(incoming, to)
    count(degree, from)
    count(degree, to)
  }
  const roots = nodes.filter((node) => !incoming.has(node) && degree.has(node))
  const byDegree = [...nodes].sort((a, b) => (degree.get(b) ?? 0) - (degree.get(a) ?? 0))
  const levels: Array<Array<GraphNode>> = []
  const seen = new Set<GraphNode>()
  for (const root of [...roots, ...byDegree]) {
    if (seen.has(root)) continue
    seen.add(root)
    let level = [root]
    for (let depth = 0; level.length > 0; depth++) {
      levels[depth] = (levels[depth] ?? []).concat(level)
      const next: Array<GraphNode> = []
      for (const node of level) {
        for (const other of out.get(node) ?? []) {
          if (seen.has(other)) continue
          seen.add(other)
          next.push(other)
        }
      }
      level = next
    }
  }
  return levels
}

const put = (node: GraphNode, x: number, y: number): void => {
  if (node.isPinned) return
  node.x = x
  node.y = y
}

/** Places the vertices in rows, by their distance from the roots. */
export const layOutTree = (nodes: ReadonlyArray<GraphNode>, links: ReadonlyArray<GraphLink>): void => {
  levelsOf(nodes, links).forEach((level, depth) => {
    level.forEach((node, at) => {
      put(node, (at - (level.length - 1) / 2) * SIBLING_PIXELS, depth * LEVEL_PIXELS)
    })
  })
}

/** Places the vertices in rings, by their distance from the roots. */
export const layOutRadially = (nodes: ReadonlyArray<GraphNode>, links: ReadonlyArray<GraphLink>): void => {
  let radius = 0
  levelsOf(nodes, links).forEach((level, depth) => {
    const needed = (level.length * SIBLING_PIXELS) / (2 * Math.PI)
    radius = depth === 0 ? (level.length === 1 ? 0 : needed) : Math.max(radius + LEVEL_PIXELS, needed)
    level.forEach((node, at) => {
      const turn = (at / level.length) * 2 * Math.PI
      put(node, Math.cos(turn) * radius, Math.sin(turn) * radius)
    })
  })
}
