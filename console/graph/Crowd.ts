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
/** Lines or dots that one part of a painting draws: some ten milliseconds without a GPU. */
const SHAPES_PER_PART = 3_000

/** How a crowd is drawn. */
interface CrowdStyle {
  readonly colour: string
  readonly width: number
  readonly scale: number
}

/**
 * Draws edges as straight lines and vertices as dots, in parts: between two of them the page may do something else. The places are
 * those of the beginning, so that no line leaves its dots when they move in the meantime.
 */
export function* drawCrowd(
  context: CanvasRenderingContext2D,
  links: ReadonlyArray<GraphLink>,
  nodes: ReadonlyArray<GraphNode>,
  { colour, scale, width }: CrowdStyle
): Generator<void> {
  const lines = links.map(({ from, to }) => [from.x, from.y, to.x, to.y] as const)
  const dots = nodes.map(({ vertex, x, y }) => [x, y, colourOf(vertex.label)] as const)
  for (let at = 0; at < lines.length; at += SHAPES_PER_PART) {
    context.strokeStyle = colour
    context.lineWidth = width
    drawLines(context, lines.slice(at, at + SHAPES_PER_PART))
    yield
  }
  const isSquare = NODE_RADIUS * scale < MIN_CIRCLE_PIXELS
  for (let at = 0; at < dots.length; at += SHAPES_PER_PART) {
    for (const dot of dots.slice(at, at + SHAPES_PER_PART)) drawDot(context, dot, isSquare)
    yield
  }
}

const drawLines = (
  context: CanvasRenderingContext2D,
  lines: ReadonlyArray<readonly [number, number, number, number]>
): void => {
  for (let at = 0; at < lines.length; at += LINES_PER_PATH) {
    context.beginPath()
    for (const [x1, y1, x2, y2] of lines.slice(at, at + LINES_PER_PATH)) {
      context.moveTo(x1, y1)
      context.lineTo(x2, y2)
    }
    context.stroke()
  }
}

const drawDot = (
  context: CanvasRenderingContext2D,
  [x, y, colour]: readonly [number, number, string],
  isSquare: boolean
): void => {
  context.fillStyle = colour
  if (isSquare) {
    context.fillRect(x - NODE_RADIUS, y - NODE_RADIUS, 2 * NODE_RADIUS, 2 * NODE_RADIUS)
    return
  }
  context.beginPath()
  context.arc(x, y, NODE_RADIUS, 0, 2 * Math.PI)
  context.fill()
}
