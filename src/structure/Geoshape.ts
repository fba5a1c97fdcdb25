import { Keyed } from "./Equivalence.ts"

/**
 * Shapes on the earth, as in JanusGraph: latitude before longitude, both in degrees; the radius of a circle in kilometres on a
 * sphere. A box whose western longitude is greater than the eastern one crosses the 180th meridian.
 */

/** Mean radius of the earth, km. */
const EARTH_RADIUS = 6371.0087714

const RADIANS = Math.PI / 180

/** The kind of a shape, with its numbers in degrees. `other` is a shape that is only stored and returned: its bytes. */
export type Shape =
  | { readonly kind: "point"; readonly latitude: number; readonly longitude: number }
  | {
      readonly kind: "box"
      readonly south: number
      readonly west: number
      readonly north: number
      readonly east: number
    }
  /** The radius is the angle at the centre of the earth, in degrees. */
  | { readonly kind: "circle"; readonly latitude: number; readonly longitude: number; readonly radius: number }
  | { readonly kind: "other"; readonly bytes: Uint8Array }

/** A box around a shape: the longitudes are those of its west and its east. */
export interface Bounds {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

/** A shape as a value. */
export class Geoshape extends Keyed {
  readonly shape: Shape

  constructor(shape: Shape) {
    super()
    this.shape = shape
  }

  /** Throws RangeError for coordinates out of range; so do the other factories. */
  static point(latitude: number, longitude: number): Geoshape {
    checkPlace(latitude, longitude)
    return new Geoshape({ kind: "point", latitude, longitude })
  }

  static box(south: number, west: number, north: number, east: number): Geoshape {
    checkPlace(south, west)
    checkPlace(north, east)
    if (south > north) throw new RangeError(`a box goes from south to north: ${south} is north of ${north}`)
    return new Geoshape({ kind: "box", south, west, north, east })
  }

  /** The radius is in kilometres. */
  static circle(latitude: number, longitude: number, kilometres: number): Geoshape {
    checkPlace(latitude, longitude)
    if (!(kilometres > 0)) throw new RangeError(`the radius of a circle is a number of kilometres, not ${kilometres}`)
    const radius = Math.min(180, kilometres / EARTH_RADIUS / RADIANS)
    return new Geoshape({ kind: "circle", latitude, longitude, radius })
  }

  /** The radius of a circle in kilometres, 0 for other shapes. */
  get kilometres(): number {
    const { shape } = this
    return shape.kind === "circle" ? Number((shape.radius * RADIANS * EARTH_RADIUS).toPrecision(12)) : 0
  }

  override equivalenceKey(): string {
    return `\0G${this.toString()}`
  }

  /** As well-known text, which names longitudes first: `POINT (7.45 46.95)`. */
  override toString(): string {
    const { shape } = this
    switch (shape.kind) {
      case "point":
        return `POINT (${shape.longitude} ${shape.latitude})`
      case "box":
        return `ENVELOPE (${shape.west}, ${shape.east}, ${shape.north}, ${shape.south})`
      case "circle":
        return `BUFFER (POINT (${shape.longitude} ${shape.latitude}), ${shape.radius})`
      default:
        return `SHAPE (${Buffer.from(shape.bytes).toString("hex")})`
    }
  }
}

const checkPlace = (latitude: number, longitude: number): void => {
  if (!(latitude >= -90 && latitude <= 90)) throw new RangeError(`a latitude is from -90 to 90, not ${latitude}`)
  if (!(longitude >= -180 && longitude <= 180))
    throw new RangeError(`a longitude is from -180 to 180, not ${longitude}`)
}

type Known = Exclude<Shape, { readonly kind: "other" }>

/** True for a shape whose coordinates are known. */
const isKnownShape = (shape: Shape): shape is Known => shape.kind !== "other"

const WORLD: Bounds = { south: -90, west: -180, north: 90, east: 180 }

/** The smallest box around a shape; the whole earth for one of kind `other`. */
export const boundsOf = (shape: Shape): Bounds => {
  switch (shape.kind) {
    case "point":
      return { south: shape.latitude, west: shape.longitude, north: shape.latitude, east: shape.longitude }
    case "box":
      return shape
    case "circle":
      return circleBounds(shape)
    default:
      return WORLD
  }
}

const circleBounds = ({ latitude, longitude, radius }: Extract<Shape, { kind: "circle" }>): Bounds => {
  const south = latitude - radius
  const north = latitude + radius
  // A circle around a pole has every longitude.
  if (south <= -90 || north >= 90) {
    return { south: Math.max(-90, south), west: -180, north: Math.min(90, north), east: 180 }
  }
  const width = Math.asin(Math.min(1, Math.sin(radius * RADIANS) / Math.cos(latitude * RADIANS))) / RADIANS
  return { south, west: wrapped(longitude - width), north, east: wrapped(longitude + width) }
}

const wrapped = (longitude: number): number =>
  longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude

/** True when the shapes have a point in common; borders belong to the shapes. */
export const intersects = (a: Shape, b: Shape): boolean => {
  const [first, second] = inOrder(assertKnown(a), assertKnown(b))
  if (first.kind === "point") return hasPlace(second, first.latitude, first.longitude)
  if (first.kind === "box") return second.kind === "box" ? boxesMeet(first, second) : boxMeetsCircle(first, second)
  const between = distance(first.latitude, first.longitude, center(second)[0], center(second)[1])
  return between <= first.radius + (second.kind === "circle" ? second.radius : 0)
}

/** True when every point of the first shape is in the second one. */
export const isWithin = (a: Shape, b: Shape): boolean => {
  const inner = assertKnown(a)
  const outer = assertKnown(b)
  switch (inner.kind) {
    case "point":
      return hasPlace(outer, inner.latitude, inner.longitude)
    case "box":
      return farthestPlaces(inner, outer).every(([latitude, longitude]) => hasPlace(outer, latitude, longitude))
        ? outer.kind !== "box" || boxInBox(inner, outer)
        : false
    default:
      if (outer.kind === "box") return boxInBox(circleBounds(inner), outer)
      if (outer.kind === "point") return inner.radius === 0 && hasPlace(outer, inner.latitude, inner.longitude)
      return distance(inner.latitude, inner.longitude, outer.latitude, outer.longitude) + inner.radius <= outer.radius
  }
}

const assertKnown = (shape: Shape): Known => {
  if (isKnownShape(shape)) return shape
  throw new RangeError("only points, boxes and circles can be compared; lines and polygons are kept as they are")
}

const ranks = { point: 0, box: 1, circle: 2 } as const

const inOrder = (a: Known, b: Known): readonly [Known, Known] => (ranks[a.kind] <= ranks[b.kind] ? [a, b] : [b, a])

const center = (shape: Known): readonly [number, number] =>
  shape.kind === "box" ? [(shape.south + shape.north) / 2, shape.west] : [shape.latitude, shape.longitude]

/** Tolerance of comparisons in degrees: the rounding error of calculations with angles. */
const TOLERANCE = 1e-9

const hasPlace = (shape: Known, latitude: number, longitude: number): boolean => {
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

const hasLongitude = ({ west, east }: Bounds, longitude: number): boolean => {
  const between = (value: number): boolean =>
    west <= east ? value >= west && value <= east : value >= west || value <= east
  return between(longitude) || (Math.abs(longitude) === 180 && between(-longitude))
}

const boxesMeet = (a: Bounds, b: Bounds): boolean =>
  a.south <= b.north &&
  b.south <= a.north &&
  (hasLongitude(a, b.west) || hasLongitude(a, b.east) || hasLongitude(b, a.west) || hasLongitude(b, a.east))

const boxInBox = (inner: Bounds, outer: Bounds): boolean => {
  if (inner.south < outer.south || inner.north > outer.north) return false
  if (outer.west === -180 && outer.east === 180) return true
  const offset = (inner.west - outer.west + 720) % 360
  return offset + widthOf(inner) <= widthOf(outer) || (widthOf(inner) === 0 && hasLongitude(outer, inner.west))
}

const widthOf = ({ west, east }: Bounds): number => (west <= east ? east - west : east - west + 360)

/** The points at which a box may be farthest from a shape: its corners, and points on the other side of the earth. */
const farthestPlaces = (box: Bounds, from: Known): ReadonlyArray<readonly [number, number]> => {
  const places: Array<readonly [number, number]> = []
  for (const latitude of [box.south, box.north]) {
    places.push([latitude, box.west], [latitude, box.east])
    const opposite = wrapped(center(from)[1] + 180)
    if (from.kind === "circle" && hasLongitude(box, opposite)) places.push([latitude, opposite])
  }
  return places
}

const boxMeetsCircle = (box: Bounds, circle: Known): boolean => {
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

/** The angle between two points, in degrees. */
export const distance = (latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number => {
  const halfLatitude = Math.sin(((latitudeB - latitudeA) * RADIANS) / 2)
  const halfLongitude = Math.sin(((longitudeB - longitudeA) * RADIANS) / 2)
  const square = halfLatitude ** 2 + Math.cos(latitudeA * RADIANS) * Math.cos(latitudeB * RADIANS) * halfLongitude ** 2
  return (2 * Math.asin(Math.min(1, Math.sqrt(square)))) / RADIANS
}
