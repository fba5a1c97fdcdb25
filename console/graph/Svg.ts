import { escaped } from "../shell/Format.ts"
import { arrowOf, bendsOf, boundsOf, curveOf, FIT_MARGIN_UNITS, LOOP, type Theme } from "./Drawing.ts"
import { type GraphLink, type GraphModel, type GraphNode, NODE_RADIUS } from "./Model.ts"
import { captionOf, colourOf } from "./Style.ts"

const textAt = (text: string, x: number, y: number, size: number, { text: colour }: Theme): string =>
  `<text x="${x}" y="${y}" font-size="${size}" text-anchor="middle" fill="${colour}">${escaped(text)}</text>`

const lineOf = (link: GraphLink, bend: number, theme: Theme): string => {
  const { edge, from, to } = link
  if (from === to) {
    const top = from.y - LOOP.above - LOOP.radius - 3
    return (
      `<circle cx="${from.x}" cy="${from.y - LOOP.above}" r="${LOOP.radius}" fill="none" stroke="${theme.line}"/>` +
      textAt(edge.label, from.x, top, 9, theme)
    )
  }
  const curve = curveOf(link, bend)
  const path = `M${from.x} ${from.y}Q${curve.mid.x} ${curve.mid.y} ${curve.end.x} ${curve.end.y}`
  const arrow = arrowOf(curve)
    .map((point) => point.join(","))
    .join(" ")
  return (
    `<path d="${path}" fill="none" stroke="${theme.line}"/><polygon points="${arrow}" fill="${theme.line}"/>` +
    textAt(edge.label, (from.x + 2 * curve.mid.x + to.x) / 4, (from.y + 2 * curve.mid.y + to.y) / 4 + 3, 9, theme)
  )
}

const circleOf = ({ vertex, x, y }: GraphNode, theme: Theme): string =>
  `<circle cx="${x}" cy="${y}" r="${NODE_RADIUS}" fill="${colourOf(vertex.label)}"/>` +
  textAt(captionOf(vertex), x, y + NODE_RADIUS + 12, 11, theme)

/** The names in a drawing. */
export const namesOf = ({ links, nodes }: GraphModel): ReadonlyArray<string> => [
  ...Array.from(nodes.values(), ({ vertex }) => captionOf(vertex)),
  ...Array.from(links.values(), ({ edge }) => edge.label)
]

/** The whole drawing as SVG, on the background of the page: its texts are light in the dark. */
export const svgOf = (model: GraphModel, theme: Theme): string => {
  const { bottom, left, right, top } = boundsOf(model.nodes.values())
  const box = {
    x: left - FIT_MARGIN_UNITS,
    y: top - FIT_MARGIN_UNITS,
    width: right - left + FIT_MARGIN_UNITS * 2,
    height: bottom - top + FIT_MARGIN_UNITS * 2
  }
  const bends = bendsOf(model.links.values())
  const lines = [...model.links.values()].map((link) => lineOf(link, bends.get(link) ?? 0, theme))
  const circles = [...model.nodes.values()].map((node) => circleOf(node, theme))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${Object.values(box).join(" ")}" font-family="sans-serif">`,
    `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" fill="${theme.background}"/>`,
    ...lines,
    ...circles,
    "</svg>"
  ].join("")
}
