import { coversArea, coversLine, hasPosition, isIn, type Region, regionOf, regionsMeet } from "./Regions.ts"
import { placeAt, type Segment, segmentsOf } from "./Segments.ts"
import {
  type Bounds,
  boundsOf,
  boxesMeet,
  type Circle,
  distance,
  hasLongitude,
  RADIANS,
  type Shape,
  wrapped
} from "./Shape.ts"

/**
 * Which shapes intersect or contain each other; borders belong to the shapes. Points, boxes and circles are compared with each
 * other on the sphere, and lines and areas on the map. The distance between a circle and an edge is measured on the sphere.
 */

/** A shape with what its comparisons need, so that comparing it with many shapes computes that once. */
export interface Comparable {
  readonly shape: Shape
  readonly bounds: Bounds | undefined
  /** The parts of the shape. Throws RangeError for a shape of an unknown form. */
  region(): Region
}

/** The shape, ready to be compared. */
export const comparable = (shape: Shape): Comparable => {
  let region: Region | undefined
  return {
    shape,
    bounds: boundsOf(shape),
    region: () => {
      region ??= regionOf(shape)
      return region
    }
  }
}

type Round = Extract<Shape, { kind: "point" | "box" | "circle" }>

const isRound = (shape: Shape): shape is Round => shape.kind in ranks

const ranks = { point: 0, box: 1, circle: 2 } as const

/** True when the shapes have a place in common. Throws RangeError for shapes that cannot be compared. */
export const intersects = (a: Comparable, b: Comparable): boolean => {
  if (isRound(a.shape) && isRound(b.shape)) return roundShapesMeet(a.shape, b.shape)
  const [first, second] = [a.region(), b.region()]
  if (a.bounds === undefined || b.bounds === undefined || !boxesMeet(widened(a.bounds), b.bounds)) return false
  return (
    regionsMeet(first, second) ||
    first.circles.some((circle) => circleMeets(circle, second)) ||
    second.circles.some((circle) => circleMeets(circle, first))
  )
}

/** True when every place of the first shape is in the second one. Throws RangeError for shapes that cannot be compared. */
export const isWithin = (a: Comparable, b: Comparable): boolean => {
  if (isRound(a.shape) && isRound(b.shape)) return isRoundWithin(a.shape, b.shape)
  const [inner, outer] = [a.region(), b.region()]
  if (a.bounds === undefined || b.bounds === undefined || !boxesMeet(widened(a.bounds), b.bounds)) return false
  const inCircle = (segments: ReadonlyArray<Segment>): boolean =>
    outer.circles.some((circle) => segments.every((segment) => farthest(circle, segment) <= reach(circle)))
  const place = (position: readonly [number, number]): Segment => ({ from: position, to: position })
  return (
    inner.places.every((each) => hasPosition(outer, each) || inCircle([place(each)])) &&
    inner.lines.every((line) => coversLine(outer, line) || inCircle(segmentsOf([line]))) &&
    inner.areas.every((area) => coversArea(outer, area) || inCircle(area.edges)) &&
    inner.circles.every((circle) => coversCircle(outer, circle))
  )
}

/** Tolerance of comparisons in degrees: the rounding error of calculations with angles. */
const TOLERANCE = 1e-9

const reach = (circle: Circle): number => circle.radius + TOLERANCE

const widened = (bounds: Bounds): Bounds => ({
  south: bounds.south - TOLERANCE,
  west: bounds.west - TOLERANCE,
  north: bounds.north + TOLERANCE,
  east: bounds.east + TOLERANCE
})

const circleMeets = (circle: Circle, region: Region): boolean =>
  hasPosition(region, [circle.longitude, circle.latitude]) ||
  region.places.some(([longitude, latitude]) => hasPlace(circle, latitude, longitude)) ||
  [...region.segments, ...region.edges].some((segment) => nearest(circle, segment) <= reach(circle)) ||
  region.circles.some((other) => roundShapesMeet(circle, other))

const coversCircle = (region: Region, circle: Circle): boolean =>
  region.circles.some((outer) => isRoundWithin(circle, outer)) ||
  // An area has the circle when it has its centre, and no edge is nearer than the border of the circle.
  region.areas.some(
    (area) =>
      isIn([circle.longitude, circle.latitude], area) &&
      area.edges.every((edge) => nearest(circle, edge) >= circle.radius - TOLERANCE)
  )

const angleAt = (circle: Circle, segment: Segment, along: number): number => {
  const [longitude, latitude] = placeAt(segment, along)
  return distance(circle.latitude, circle.longitude, latitude, longitude)
}

/** The angle between the centre of a circle and the nearest place of a segment, in degrees. */
const nearest = (circle: Circle, segment: Segment): number => extreme(circle, segment, 1)

/** The angle between the centre of a circle and the farthest place of a segment, in degrees. */
const farthest = (circle: Circle, segment: Segment): number => -extreme(circle, segment, -1)

/** Between two samples of this distance the angle to a centre has at most one extreme. */
const SAMPLE_DEGREES = 5
/** Each round makes the interval of the search smaller by a third; 40 rounds reach the precision of the numbers. */
const SEARCH_ROUNDS = 40

/** The smallest value of `sign` times the angle between the centre of the circle and a place of the segment. */
const extreme = (circle: Circle, segment: Segment, sign: 1 | -1): number => {
  const at = (along: number): number => sign * angleAt(circle, segment, along)
  const length = Math.hypot(segment.to[0] - segment.from[0], segment.to[1] - segment.from[1])
  const ends = Math.min(at(0), at(1))
  if (length === 0) return ends
  // No place of the segment is nearer or farther than its nearest end by more than its length.
  if (ends - length > sign * circle.radius + TOLERANCE) return ends
  const samples = Math.max(2, Math.ceil(length / SAMPLE_DEGREES))
  let least = ends
  for (let i = 0; i < samples; i++) {
    let [low, high] = [Math.max(0, i - 1) / samples, Math.min(samples, i + 1) / samples]
    for (let round = 0; round < SEARCH_ROUNDS; round++) {
      const third = (high - low) / 3
      if (at(low + third) < at(high - third)) high -= third
      else low += third
    }
    least = Math.min(least, at((low + high) / 2))
  }
  return least
}

const roundShapesMeet = (a: Round, b: Round): boolean => {
  const [first, second] = ranks[a.kind] <= ranks[b.kind] ? [a, b] : [b, a]
  if (first.kind === "point") return hasPlace(second, first.latitude, first.longitude)
  if (first.kind === "box") return second.kind === "box" ? boxesMeet(first, second) : boxMeetsCircle(first, second)
  const between = distance(first.latitude, first.longitude, center(second)[0], center(second)[1])
  return between <= first.radius + (second.kind === "circle" ? second.radius : 0)
}

const isRoundWithin = (inner: Round, outer: Round): boolean => {
  switch (inner.kind) {
    case "point":
      return hasPlace(outer, inner.latitude, inner.longitude)
    case "box":
      return farthestPlaces(inner, outer).every(([latitude, longitude]) => hasPlace(outer, latitude, longitude))
        ? outer.kind !== "box" || boxInBox(inner, outer)
        : false
    default:
      if (outer.kind === "box") return boxInBox(boundsOf(inner) ?? outer, outer)
      if (outer.kind === "point") return inner.radius === 0 && hasPlace(outer, inner.latitude, inner.longitude)
      return distance(inner.latitude, inner.longitude, outer.latitude, outer.longitude) + inner.radius <= outer.radius
  }
}

const center = (shape: Round): readonly [number, number] =>
  shape.kind === "box" ? [(shape.south + shape.north) / 2, shape.west] : [shape.latitude, shape.longitude]

const hasPlace = (shape: Round, latitude: number, longitude: number): boolean => {
  switch (shape.kind) {
    case "point":
      return shape.latitude === latitude && sameMeridian(shape.longitude, longitude)
    case "box":
      return latitude >= shape.south && latitude <= shape.north && hasLongitude(shape, longitude)
    default:
      return distance(shape.latitude, shape.longitude, latitude, longitude) <= shape.radius + TOLERANCE
  }
}

const sameMeridian = (a: number, b: number): boolean => a === b || Math.abs(a - b) === 360

const boxInBox = (inner: Bounds, outer: Bounds): boolean => {
  if (inner.south < outer.south || inner.north > outer.north) return false
  if (outer.west === -180 && outer.east === 180) return true
  const offset = (inner.west - outer.west + 720) % 360
  return offset + widthOf(inner) <= widthOf(outer) || (widthOf(inner) === 0 && hasLongitude(outer, inner.west))
}

const widthOf = ({ west, east }: Bounds): number => (west <= east ? east - west : east - west + 360)

/** The points at which a box may be farthest from a shape: its corners, and points on the other side of the earth. */
const farthestPlaces = (box: Bounds, from: Round): ReadonlyArray<readonly [number, number]> => {
  const places: Array<readonly [number, number]> = []
  for (const latitude of [box.south, box.north]) {
    places.push([latitude, box.west], [latitude, box.east])
    const opposite = wrapped(center(from)[1] + 180)
    if (from.kind === "circle" && hasLongitude(box, opposite)) places.push([latitude, opposite])
  }
  return places
}

const boxMeetsCircle = (box: Bounds, circle: Round): boolean => {
  if (circle.kind !== "circle") return false
  const { latitude, longitude } = circle
  if (hasLongitude(box, longitude)) {
    const nearest = Math.min(Math.max(latitude, box.south), box.north)
    if (hasPlace(circle, nearest, longitude)) return true
  }
  return [box.west, box.east].some((meridian) => {
    const angle = (meridian - longitude) * RADIANS
    // Where the great circle from the centre meets the meridian at a right angle.
    const foot = Math.atan2(Math.sin(latitude * RADIANS), Math.cos(latitude * RADIANS) * Math.cos(angle)) / RADIANS
    const places = [Math.min(Math.max(foot, box.south), box.north), box.south, box.north]
    return places.some((place) => hasPlace(circle, place, meridian))
  })
}
