import { isCrowd } from "./Crowd.ts"
import { bendsOf, curveOf, LOOP } from "./Drawing.ts"
import type { Point } from "./Layouts.ts"
import { type GraphLink, type GraphModel, type GraphNode, NODE_RADIUS } from "./Model.ts"

/** The vertex at a point of the drawing. */
export const nodeAt = (model: GraphModel, x: number, y: number): GraphNode | undefined => {
  let found: GraphNode | undefined
  for (const node of model.nodes.values()) if (Math.hypot(node.x - x, node.y - y) <= NODE_RADIUS + 3) found = node
  return found
}

/** How far from its line an edge is selected, in units of the drawing. */
const REACH = 6
/** Straight parts by which the distance from a curve is measured. */
const CURVE_PARTS = 12

/** The distance of a point from the straight line between two others. */
const distanceFrom = ({ x, y }: Point, a: Point, b: Point): number => {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const along = ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)
  const t = Math.min(1, Math.max(0, along))
  return Math.hypot(a.x + t * dx - x, a.y + t * dy - y)
}

/** The distance of a point from an edge, as it is drawn with its bend. */
const distanceOf = (link: GraphLink, bend: number, point: Point): number => {
  const { from, to } = link
  if (from === to) {
    return Math.abs(Math.hypot(point.x - from.x, point.y - (from.y - LOOP.above)) - LOOP.radius)
  }
  if (bend === 0) return distanceFrom(point, from, to)
  const { end, mid } = curveOf(link, bend)
  const at = (t: number): Point => ({
    x: (1 - t) ** 2 * from.x + 2 * t * (1 - t) * mid.x + t * t * end.x,
    y: (1 - t) ** 2 * from.y + 2 * t * (1 - t) * mid.y + t * t * end.y
  })
  let least = Number.POSITIVE_INFINITY
  for (let part = 0; part < CURVE_PARTS; part++) {
    least = Math.min(least, distanceFrom(point, at(part / CURVE_PARTS), at((part + 1) / CURVE_PARTS)))
  }
  return least
}

/** The edge whose line is nearest to a point of the drawing, if it is near. */
export const linkAt = (model: GraphModel, x: number, y: number): GraphLink | undefined => {
  // The edges of a crowd are straight.
  const bends = isCrowd(model) ? new Map<GraphLink, number>() : bendsOf(model.links.values())
  let found: GraphLink | undefined
  let least = REACH
  for (const link of model.links.values()) {
    const distance = distanceOf(link, bends.get(link) ?? 0, { x, y })
    if (distance >= least) continue
    least = distance
    found = link
  }
  return found
}
