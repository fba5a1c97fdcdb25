import { cutsOf, isOn, placeAt, type Segment, segmentsMeet, segmentsNear, segmentsOf, somePair } from "./Segments.ts"
import { type Bounds, boundsOf, type Circle, type Line, type Position, type Rings, type Shape } from "./Shape.ts"

/**
 * Shapes as places, lines, areas and circles, and which of them meet or cover each other. The library for this, jsts, has more than
 * a megabyte, and compares two shapes in one call without a limit. The code here refuses shapes that would take too long.
 */

/** A polygon with its edges, holes included. */
interface Area {
  readonly rings: Rings
  readonly edges: ReadonlyArray<Segment>
  readonly bounds: Bounds
}

/** The parts of a shape. */
export interface Region {
  readonly places: ReadonlyArray<Position>
  readonly lines: ReadonlyArray<Line>
  readonly areas: ReadonlyArray<Area>
  readonly circles: ReadonlyArray<Circle>
  /** The segments of the lines. */
  readonly segments: ReadonlyArray<Segment>
  /** The edges of all areas. */
  readonly edges: ReadonlyArray<Segment>
}

/** The parts of a shape, for comparisons with others. Throws RangeError for a shape of the kind `other`. */
export const regionOf = (shape: Shape): Region => {
  const parts = { places: [] as Position[], lines: [] as Line[], rings: [] as Rings[] }
  const circles: Array<Circle> = []
  const add = (each: Shape): void => {
    switch (each.kind) {
      case "point":
        return void parts.places.push([each.longitude, each.latitude])
      case "multipoint":
        for (const place of each.points) parts.places.push(place)
        return
      case "line":
        return void parts.lines.push(each.points)
      case "multiline":
        for (const line of each.lines) parts.lines.push(line)
        return
      case "polygon":
        return void parts.rings.push(each.rings)
      case "multipolygon":
        for (const rings of each.polygons) parts.rings.push(rings)
        return
      case "box":
        return void parts.rings.push(...boxRings(each))
      case "circle":
        return void circles.push(each)
      case "collection":
        return each.shapes.forEach(add)
      default:
        throw new RangeError("this shape has a form that the server does not know, so it is only stored and returned")
    }
  }
  add(shape)
  const areas = parts.rings.flatMap((rings) => {
    const bounds = boundsOf({ kind: "polygon", rings })
    return bounds === undefined ? [] : [{ rings, edges: segmentsOf(rings), bounds }]
  })
  const { lines, places } = parts
  return { places, lines, areas, circles, segments: segmentsOf(lines), edges: areas.flatMap(({ edges }) => edges) }
}

/** The polygons of a box: two boxes if it crosses the 180th meridian. */
export const boxRings = ({ east, north, south, west }: Bounds): ReadonlyArray<Rings> => {
  if (west > east)
    return [...boxRings({ south, west, north, east: 180 }), ...boxRings({ south, west: -180, north, east })]
  const ring: Line = [
    [west, south],
    [west, north],
    [east, north],
    [east, south],
    [west, south]
  ]
  return [[ring]]
}

/** True when a place is in an area or on its border. */
export const isIn = (place: Position, { bounds, edges }: Area): boolean => {
  const [x, y] = place
  const margin = 1e-9
  if (x < bounds.west - margin || x > bounds.east + margin) return false
  if (y < bounds.south - margin || y > bounds.north + margin) return false
  let isInside = false
  for (const edge of edges) {
    const { from, to } = edge
    if (isOn(place, edge)) return true
    // Edges to the east of the place: an odd number means that the place is inside.
    if (from[1] > y !== to[1] > y && x < from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0])) {
      isInside = !isInside
    }
  }
  return isInside
}

const isInAny = (place: Position, areas: ReadonlyArray<Area>): boolean => areas.some((area) => isIn(place, area))

/** True when a place is in an area, on a line, or one of the places. */
export const hasPosition = (region: Region, place: Position): boolean =>
  isInAny(place, region.areas) ||
  region.segments.some((segment) => isOn(place, segment)) ||
  region.places.some((each) => isOn(place, { from: each, to: each }))

/** The maximum number of tests whether a place is beside an edge in one comparison of two shapes: about 20 ms. */
const MAX_TESTS = 2_000_000

const checkTests = (places: number, edges: number): void => {
  if (places * edges <= MAX_TESTS) return
  throw new RangeError(
    `two shapes with ${places} and ${edges} places are not compared: their product is over ${MAX_TESTS}`
  )
}

/** True when the places, lines and areas of two regions have a place in common. Throws RangeError for too many edges. */
export const regionsMeet = (a: Region, b: Region): boolean => {
  checkTests(a.places.length + a.lines.length + a.areas.length, b.segments.length + b.edges.length)
  checkTests(b.places.length + b.lines.length + b.areas.length, a.segments.length + a.edges.length)
  if (a.places.some((place) => hasPosition(b, place)) || b.places.some((place) => hasPosition(a, place))) return true
  // Without a crossing, a line or an area is in an area as a whole, so one of its places is.
  const begins = (region: Region): ReadonlyArray<Position> =>
    [...region.lines, ...region.areas.flatMap(({ rings }) => rings)].flatMap((line) => line.slice(0, 1))
  if (begins(a).some((place) => isInAny(place, b.areas)) || begins(b).some((place) => isInAny(place, a.areas))) {
    return true
  }
  const first = [...a.segments, ...a.edges]
  const second = [...b.segments, ...b.edges]
  return somePair(first, second, (i, j) => segmentsMeet(first[i]!, second[j]!))
}

/** The middles of the pieces into which the segments of `others` cut each segment. */
const middlesOf = (
  segments: ReadonlyArray<Segment>,
  others: ReadonlyArray<Segment>
): ReadonlyArray<{ readonly segment: Segment; readonly middle: Position }> => {
  const cuts = segments.map(() => [0, 1])
  somePair(segments, others, (i, j) => {
    cuts[i]!.push(...cutsOf(segments[i]!, others[j]!))
    return false
  })
  return cuts.flatMap((found, at) => {
    const segment = segments[at]!
    const ends = found.sort((x, y) => x - y)
    return ends.slice(1).flatMap((end, i) => {
      const begin = ends[i]!
      return end - begin > 1e-12 ? [{ segment, middle: placeAt(segment, (begin + end) / 2) }] : []
    })
  })
}

/** The distance from the middle of an edge at which its two sides are looked at: a millimetre. */
const SIDE_DEGREES = 1e-8

/** The places beside an edge, on both sides. */
const sidesOf = ({ from, to }: Segment, [x, y]: Position): readonly [Position, Position] => {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const scale = SIDE_DEGREES / Math.hypot(dx, dy)
  return [
    [x - dy * scale, y + dx * scale],
    [x + dy * scale, y - dx * scale]
  ]
}

/** True when every place of a line is in a region. Throws RangeError for too many edges. */
export const coversLine = (region: Region, line: Line): boolean => {
  const segments = segmentsOf([line])
  const others = [...region.segments, ...region.edges]
  checkTests(line.length, others.length)
  if (!line.every((place) => hasPosition(region, place))) return false
  return middlesOf(segments, others).every(
    ({ middle }) => isInAny(middle, region.areas) || region.segments.some((segment) => isOn(middle, segment))
  )
}

/** True when every place of an area is in the areas of a region. Throws RangeError for too many edges. */
export const coversArea = (region: Region, area: Area): boolean => {
  checkTests(area.edges.length, region.edges.length)
  if (!area.rings.every((ring) => ring.every((place) => isInAny(place, region.areas)))) return false
  const insideOf = ({ middle, segment }: { readonly segment: Segment; readonly middle: Position }) =>
    sidesOf(segment, middle).filter((side) => isIn(side, area))
  // Beside its own border, and beside the borders of the region inside it, the area is in the region.
  const own = middlesOf(area.edges, region.edges)
  if (!own.every((piece) => insideOf(piece).every((side) => isInAny(side, region.areas)))) return false
  const others = middlesOf(segmentsNear(region.edges, area.bounds), area.edges)
  return others.every((piece) => insideOf(piece).every((side) => isInAny(side, region.areas)))
}
