import { PlaceCount } from "./PlaceCount.ts"
import { isIn, regionOf } from "./Regions.ts"
import { isOn, PairCount, type Segment, segmentsCross, segmentsMeet, segmentsOf, somePair } from "./Segments.ts"
import { type Line, MAX_SHAPE_LEVELS, type Position, placesOf, type Rings, type Shape } from "./Shape.ts"

// Which shapes are valid. A polygon that JanusGraph refuses must not be stored, because it could not read the graph.

/** Throws RangeError for coordinates out of range. */
export const checkPlace = (latitude: number, longitude: number): void => {
  if (!(latitude >= -90 && latitude <= 90)) throw new RangeError(`a latitude is from -90 to 90, not ${latitude}`)
  if (!(longitude >= -180 && longitude <= 180))
    throw new RangeError(`a longitude is from -180 to 180, not ${longitude}`)
}

/** Throws RangeError for a radius that is not positive. */
export const checkCircle = (radius: number): void => {
  if (!(radius > 0))
    throw new RangeError(`the radius of a circle must be a positive number of kilometres, not ${radius}`)
}

/** The maximum number of pairs of edges, and of holes and edges, that the check of one shape looks at: about 100 ms. */
const MAX_CHECKED_PAIRS = 4_000_000

/** Checks a shape and returns it; a polygon that is a rectangle along the axes is returned as a box. Throws RangeError. */
export const checkShape = (shape: Shape): Shape => {
  checkDepth(shape, 0)
  new PlaceCount().add(placesOf(shape))
  return checked(shape, new PairCount(MAX_CHECKED_PAIRS))
}

const checkDepth = (shape: Shape, depth: number): void => {
  if (shape.kind !== "collection") return
  if (depth >= MAX_SHAPE_LEVELS) throw new RangeError(`collections of shapes are at most ${MAX_SHAPE_LEVELS} deep`)
  for (const each of shape.shapes) checkDepth(each, depth + 1)
}

/** Checks a shape. The parts share `count`, so that many of them do not take longer than a large one. */
const checked = (shape: Shape, count: PairCount): Shape => {
  switch (shape.kind) {
    case "point":
      checkPlace(shape.latitude, shape.longitude)
      return shape
    case "circle":
      checkPlace(shape.latitude, shape.longitude)
      return shape
    case "box":
      checkPlace(shape.south, shape.west)
      checkPlace(shape.north, shape.east)
      if (shape.south > shape.north) {
        throw new RangeError(`a box goes from south to north: ${shape.south} is north of ${shape.north}`)
      }
      return shape
    case "multipoint":
      return checkPlaces([shape.points], shape)
    case "line":
      return checkLines([shape.points], shape)
    case "multiline":
      return checkLines(shape.lines, shape)
    case "polygon":
      checkRings(shape.rings, count)
      return boxOf(shape.rings) ?? shape
    case "multipolygon":
      for (const rings of shape.polygons) checkRings(rings, count)
      return shape
    case "collection":
      return { kind: "collection", shapes: shape.shapes.map((each) => checked(each, count)) }
    default:
      return shape
  }
}

const checkPlaces = <A>(lines: ReadonlyArray<Line>, result: A): A => {
  for (const line of lines) for (const [longitude, latitude] of line) checkPlace(latitude, longitude)
  return result
}

const checkLines = <A>(lines: ReadonlyArray<Line>, result: A): A => {
  if (lines.some(({ length }) => length === 1)) throw new RangeError("a line has at least two places")
  return checkPlaces(lines, result)
}

const checkRings = (rings: Rings, count: PairCount): void => {
  checkPlaces(rings, rings)
  for (const ring of rings) {
    if (ring.length === 0) continue
    if (ring.length < 4) throw new RangeError(`the border of a polygon has at least four places, not ${ring.length}`)
    if (!isSame(ring[0]!, ring.at(-1)!)) throw new RangeError("the border of a polygon ends at its first place")
    if (crossesItself(ring, count)) throw new RangeError("the border of a polygon does not meet itself")
  }
  const [border, ...holes] = rings
  if (border === undefined || holes.length === 0) return
  const area = regionOf({ kind: "polygon", rings: [border] }).areas[0]
  const rest = holes.filter(({ length }) => length > 0)
  count.add(rest.length * border.length)
  if (area === undefined || !rest.every(([first]) => isIn(first!, area)) || bordersCross(rings, count)) {
    throw new RangeError("the holes of a polygon are inside its border and do not cross each other")
  }
}

const bordersCross = (rings: Rings, count: PairCount): boolean => {
  const segments = segmentsOf(rings)
  return somePair(segments, segments, (a, b) => a < b && segmentsCross(segments[a]!, segments[b]!), count)
}

const isSame = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1]

const crossesItself = (ring: Line, count: PairCount): boolean => {
  const places = ring.filter((place, at) => at === 0 || !isSame(place, ring[at - 1]!))
  const segments = segmentsOf([places])
  if (segments.length < 3) return true
  const meet = (a: number, b: number): boolean => {
    const [first, last] = a < b ? [a, b] : [b, a]
    if (first === last) return false
    if (last - first === 1) return turnsBack(segments[first]!, segments[last]!)
    if (first === 0 && last === segments.length - 1) return turnsBack(segments[last]!, segments[first]!)
    return segmentsMeet(segments[first]!, segments[last]!)
  }
  return somePair(segments, segments, meet, count)
}

/** True when a segment goes back along the one before it. */
const turnsBack = (before: Segment, after: Segment): boolean => isOn(after.to, before) || isOn(before.from, after)

/** The box of a polygon that is a rectangle along the axes. */
const boxOf = ([ring, ...holes]: Rings): Shape | undefined => {
  if (ring?.length !== 5 || holes.length > 0) return undefined
  const along = ring.slice(1).map(([x, y], at) => (x === ring[at]![0] ? "y" : y === ring[at]![1] ? "x" : ""))
  if (along.join("") !== "xyxy" && along.join("") !== "yxyx") return undefined
  const longitudes = ring.map(([longitude]) => longitude)
  const latitudes = ring.map(([, latitude]) => latitude)
  return {
    kind: "box",
    south: Math.min(...latitudes),
    west: Math.min(...longitudes),
    north: Math.max(...latitudes),
    east: Math.max(...longitudes)
  }
}
