import { drawCrowd, isCrowd, type View, visibleLinks, visibleNodes } from "./Crowd.ts"
import { type GraphLink, type GraphModel, type GraphNode, NODE_RADIUS } from "./Model.ts"
import { captionOf, colourOf } from "./Style.ts"

/** The part of the drawing that is visible: a point of the drawing is at `x * scale + dx`. */
export interface Camera {
  readonly scale: number
  readonly dx: number
  readonly dy: number
}

/** Colours of the page. */
export interface Theme {
  readonly text: string
  readonly line: string
  readonly background: string
  readonly accent: string
}

const ARROW_LENGTH = 7
/** The circle of an edge that leads back to its vertex: its radius, and its middle above the vertex. */
export const LOOP = { radius: 12, above: NODE_RADIUS + 6 } as const
/** Captions of a drawing with more vertices are left out when it is zoomed out. */
const CAPTIONED_VERTICES = 400
const MIN_CAPTION_SCALE = 0.25
/** Captions of a small drawing stay at least this large on the screen. */
const MIN_CAPTION_PIXELS = 10
const VIEW_MARGIN = 80
/** Between a selected vertex and the middle of the ring around it. */
const RING_GAP = 4.5

/** Where several edges join the same vertices, each is bent differently. */
export const bendsOf = (links: Iterable<GraphLink>): Map<GraphLink, number> => {
  const groups = new Map<string, Array<GraphLink>>()
  for (const link of links) {
    const key = link.from.id < link.to.id ? `${link.from.id}\0${link.to.id}` : `${link.to.id}\0${link.from.id}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [link])
    else group.push(link)
  }
  const bends = new Map<GraphLink, number>()
  for (const group of groups.values()) {
    group.forEach((link, at) => {
      const side = link.from.id < link.to.id ? 1 : -1
      bends.set(link, side * (at - (group.length - 1) / 2) * 34)
    })
  }
  return bends
}

/** The middle of a drawn edge, its end, and its direction there. */
export const curveOf = ({ from, to }: GraphLink, bend: number) => {
  const dx = to.x - from.x
  const dy = to.y - from.y
  const length = Math.hypot(dx, dy) || 1
  const mid = { x: (from.x + to.x) / 2 - (dy / length) * bend, y: (from.y + to.y) / 2 + (dx / length) * bend }
  const back = Math.hypot(to.x - mid.x, to.y - mid.y) || 1
  const end = {
    x: to.x - ((to.x - mid.x) / back) * (NODE_RADIUS + 2),
    y: to.y - ((to.y - mid.y) / back) * (NODE_RADIUS + 2)
  }
  return { mid, end, angle: Math.atan2(end.y - mid.y, end.x - mid.x) }
}

/** The corners of the arrowhead of an edge, the tip first. */
export const arrowOf = ({ angle, end }: ReturnType<typeof curveOf>): ReadonlyArray<readonly [number, number]> =>
  [0, 2.6, -2.6].map((turn) =>
    turn === 0
      ? [end.x, end.y]
      : [end.x + Math.cos(angle + turn) * ARROW_LENGTH, end.y + Math.sin(angle + turn) * ARROW_LENGTH]
  )

/** How an edge is drawn. */
interface LinkStyle {
  readonly hasText: boolean
  readonly isSelected: boolean
  readonly scale: number
  readonly theme: Theme
}

const drawLink = (
  context: CanvasRenderingContext2D,
  link: GraphLink,
  bend: number,
  { hasText, isSelected, scale, theme }: LinkStyle
): void => {
  context.strokeStyle = isSelected ? theme.accent : theme.line
  context.fillStyle = context.strokeStyle
  context.lineWidth = (isSelected ? 2 : 1) * Math.max(1.2, 1 / scale)
  context.beginPath()
  if (link.from === link.to) {
    const { x, y } = link.from
    context.arc(x, y - LOOP.above, LOOP.radius, 0, 2 * Math.PI)
    context.stroke()
    if (hasText) drawLinkName(context, link, x, y - LOOP.above - LOOP.radius - 3, theme)
  } else {
    const curve = curveOf(link, bend)
    context.moveTo(link.from.x, link.from.y)
    context.quadraticCurveTo(curve.mid.x, curve.mid.y, curve.end.x, curve.end.y)
    context.stroke()
    context.beginPath()
    for (const [x, y] of arrowOf(curve)) context.lineTo(x, y)
    context.fill()
    if (hasText) {
      const at = {
        x: (link.from.x + 2 * curve.mid.x + link.to.x) / 4,
        y: (link.from.y + 2 * curve.mid.y + link.to.y) / 4
      }
      drawLinkName(context, link, at.x, at.y + 3, theme)
    }
  }
}

const drawLinkName = (context: CanvasRenderingContext2D, link: GraphLink, x: number, y: number, theme: Theme): void => {
  context.font = "9px system-ui, sans-serif"
  label(context, link.edge.label, x, y, theme)
}

/** A text with a border in the colour of the background, so that lines behind it do not cross it out. */
const label = (context: CanvasRenderingContext2D, text: string, x: number, y: number, theme: Theme): void => {
  context.lineWidth = 3
  context.strokeStyle = theme.background
  context.strokeText(text, x, y)
  context.fillStyle = theme.text
  context.fillText(text, x, y)
}

const drawNode = (context: CanvasRenderingContext2D, node: GraphNode, isSelected: boolean, theme: Theme): void => {
  context.beginPath()
  context.arc(node.x, node.y, NODE_RADIUS, 0, 2 * Math.PI)
  context.fillStyle = colourOf(node.vertex.label)
  context.fill()
  context.lineWidth = 1.5
  context.strokeStyle = theme.background
  context.stroke()
  if (!isSelected) return
  // A ring with a gap is visible around a vertex of its own colour, too.
  context.beginPath()
  context.arc(node.x, node.y, NODE_RADIUS + RING_GAP, 0, 2 * Math.PI)
  context.lineWidth = 3
  context.strokeStyle = theme.accent
  context.stroke()
}

/** The part of the drawing that the canvas shows, with a margin for bent edges and captions. */
const viewOf = ({ dx, dy, scale }: Camera, width: number, height: number): View => ({
  left: (-dx - VIEW_MARGIN) / scale,
  top: (-dy - VIEW_MARGIN) / scale,
  right: (width - dx + VIEW_MARGIN) / scale,
  bottom: (height - dy + VIEW_MARGIN) / scale
})

/** What is drawn, and how. */
export interface Scene {
  readonly model: GraphModel
  readonly camera: Camera
  readonly selection: ReadonlySet<string>
  readonly theme: Theme
}

/** Draws the graph, in parts if it has many elements. `width` and `height` are in pixels of the page. */
export function* drawParts(
  context: CanvasRenderingContext2D,
  { camera, model, selection, theme }: Scene,
  width: number,
  height: number
): Generator<void> {
  context.fillStyle = theme.background
  context.fillRect(0, 0, width, height)
  context.save()
  context.translate(camera.dx, camera.dy)
  context.scale(camera.scale, camera.scale)
  context.textAlign = "center"
  const few = model.nodes.size <= CAPTIONED_VERTICES
  const hasCaptions = camera.scale >= (few ? MIN_CAPTION_SCALE : 1)
  const view = viewOf(camera, width, height)
  const [nodes, links] = [visibleNodes(model, view), visibleLinks(model, view)]
  const hasText = hasCaptions && model.links.size <= CAPTIONED_VERTICES && camera.scale >= 0.7
  const style = { hasText, scale: camera.scale, theme }
  if (isCrowd(model)) {
    const { scale } = camera
    yield* drawCrowd(context, links, nodes, { colour: theme.line, width: Math.max(1.2, 1 / scale), scale })
    for (const link of links) if (selection.has(link.id)) drawLink(context, link, 0, { ...style, isSelected: true })
    for (const node of nodes) if (selection.has(node.id)) drawNode(context, node, true, theme)
  } else {
    const bends = bendsOf(model.links.values())
    for (const link of links)
      drawLink(context, link, bends.get(link) ?? 0, { ...style, isSelected: selection.has(link.id) })
    for (const node of nodes) drawNode(context, node, selection.has(node.id), theme)
  }
  if (hasCaptions) {
    const size = Math.max(11, MIN_CAPTION_PIXELS / camera.scale)
    context.font = `${size}px system-ui, sans-serif`
    for (const node of nodes) {
      const below = NODE_RADIUS + (selection.has(node.id) ? RING_GAP + 2 : 0)
      label(context, captionOf(node.vertex), node.x, node.y + below + size + 1, theme)
    }
  }
  context.restore()
}

/** The rectangle around all vertices. */
export const boundsOf = (nodes: Iterable<GraphNode>): { left: number; top: number; right: number; bottom: number } => {
  let [left, top, right, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY
  ]
  for (const { x, y } of nodes) {
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return left > right ? { left: 0, top: 0, right: 0, bottom: 0 } : { left, top, right, bottom }
}

/** Space around all vertices, in units of the drawing. */
export const FIT_MARGIN_UNITS = 60
const MAX_FIT_SCALE = 1.6

/** The camera that shows all vertices. */
export const fitted = (model: GraphModel, width: number, height: number): Camera => {
  const { bottom, left, right, top } = boundsOf(model.nodes.values())
  const scale = Math.min(
    MAX_FIT_SCALE,
    Math.max(
      0.02,
      Math.min(
        (width - FIT_MARGIN_UNITS * 2) / Math.max(1, right - left),
        (height - FIT_MARGIN_UNITS * 2) / Math.max(1, bottom - top)
      )
    )
  )
  return { scale, dx: width / 2 - ((left + right) / 2) * scale, dy: height / 2 - ((top + bottom) / 2) * scale }
}
