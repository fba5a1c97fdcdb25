import { type GraphLink, type GraphModel, type GraphNode, NODE_RADIUS } from "./Model.ts"
import { colourOf } from "./Style.ts"

/** From this number of edges or vertices on, a drawing has straight lines without arrows, and dots. */
const CROWD = 2_000

/** The visible part of a drawing, in its units. */
export interface View {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Whether a drawing has too many elements to draw each by itself. */
export const isCrowd = ({ links, nodes }: GraphModel): boolean => links.size > CROWD || nodes.size > CROWD

const isVisible = ({ x, y }: GraphNode, { bottom, left, right, top }: View): boolean =>
  x >= left - NODE_RADIUS && x <= right + NODE_RADIUS && y >= top - NODE_RADIUS && y <= bottom + NODE_RADIUS

const crosses = ({ from, to }: GraphLink, { bottom, left, right, top }: View): boolean =>
  Math.max(from.x, to.x) >= left &&
  Math.min(from.x, to.x) <= right &&
  Math.max(from.y, to.y) >= top &&
  Math.min(from.y, to.y) <= bottom

/** Vertices in the visible part. */
export const visibleNodes = (model: GraphModel, view: View): ReadonlyArray<GraphNode> =>
  [...model.nodes.values()].filter((node) => isVisible(node, view))

/** Edges in the visible part. */
export const visibleLinks = (model: GraphModel, view: View): ReadonlyArray<GraphLink> =>
  [...model.links.values()].filter((link) => crosses(link, view))

/** Lines in one path. A path of all lines takes longer, because a browser looks for overlaps in each path. */
const LINES_PER_PATH = 100
/** Smaller vertices are squares, which take a tenth of the time of circles. */
const MIN_CIRCLE_PIXELS = 4

/** Draws edges as straight lines. */
export const drawLines = (
  context: CanvasRenderingContext2D,
  links: ReadonlyArray<GraphLink>,
  colour: string,
  width: number
): void => {
  context.strokeStyle = colour
  context.lineWidth = width
  for (let at = 0; at < links.length; at += LINES_PER_PATH) {
    context.beginPath()
    for (const { from, to } of links.slice(at, at + LINES_PER_PATH)) {
      context.moveTo(from.x, from.y)
      context.lineTo(to.x, to.y)
    }
    context.stroke()
  }
}

/** Draws vertices as dots. */
export const drawDots = (context: CanvasRenderingContext2D, nodes: ReadonlyArray<GraphNode>, scale: number): void => {
  const isSquare = NODE_RADIUS * scale < MIN_CIRCLE_PIXELS
  for (const { vertex, x, y } of nodes) {
    context.fillStyle = colourOf(vertex.label)
    if (isSquare) context.fillRect(x - NODE_RADIUS, y - NODE_RADIUS, 2 * NODE_RADIUS, 2 * NODE_RADIUS)
    else {
      context.beginPath()
      context.arc(x, y, NODE_RADIUS, 0, 2 * Math.PI)
      context.fill()
    }
  }
}
