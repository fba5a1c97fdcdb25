/**
 * Shapes on the earth as data. Latitudes and longitudes are in degrees. Points, boxes and circles are shapes on a sphere. The edges
 * of lines and polygons are straight on a map whose axes are longitude and latitude, as in JanusGraph.
 */

/** Maximum number of levels of collections in a shape, in every format. */
export const MAX_SHAPE_LEVELS = 16

/** A place with its longitude first, as in well-known text and GeoJSON. */
export type Position = readonly [longitude: number, latitude: number]

/** The places of a line, or of a ring, whose last place is its first one. */
export type Line = ReadonlyArray<Position>

/** The rings of a polygon: its border, then the borders of its holes. */
export type Rings = ReadonlyArray<Line>

/** The angle `radius` is at the centre of the earth, in degrees. */
export interface Circle {
  readonly kind: "circle"
  readonly latitude: number
  readonly longitude: number
  readonly radius: number
}

/** A box in degrees. It crosses the 180th meridian if its west is greater than its east. */
export interface Bounds {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

/** A shape with its numbers in degrees. A shape of the kind `other` is bytes that are only stored and returned. */
export type Shape =
  | { readonly kind: "point"; readonly latitude: number; readonly longitude: number }
  | ({ readonly kind: "box" } & Bounds)
  | Circle
  | { readonly kind: "line"; readonly points: Line }
  | { readonly kind: "polygon"; readonly rings: Rings }
  | { readonly kind: "multipoint"; readonly points: Line }
  | { readonly kind: "multiline"; readonly lines: ReadonlyArray<Line> }
  | { readonly kind: "multipolygon"; readonly polygons: ReadonlyArray<Rings> }
  | { readonly kind: "collection"; readonly shapes: ReadonlyArray<Shape> }
  | { readonly kind: "other"; readonly bytes: Uint8Array }

/** Mean radius of the earth, km. */
const EARTH_RADIUS_KM = 6371.0087714

/** Radians of a degree. */
export const RADIANS = Math.PI / 180

/** The angle of a distance on the earth, in degrees; at most 180. */
export const angleOf = (kilometres: number): number => Math.min(180, kilometres / EARTH_RADIUS_KM / RADIANS)

/** The distance of an angle in degrees, in kilometres. */
export const kilometresOf = (angle: number): number => Number((angle * RADIANS * EARTH_RADIUS_KM).toPrecision(12))

/** The angle between two places, in degrees. */
export const distance = (latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number => {
  const halfLatitude = Math.sin(((latitudeB - latitudeA) * RADIANS) / 2)
  const halfLongitude = Math.sin(((longitudeB - longitudeA) * RADIANS) / 2)
  const square = halfLatitude ** 2 + Math.cos(latitudeA * RADIANS) * Math.cos(latitudeB * RADIANS) * halfLongitude ** 2
  return (2 * Math.asin(Math.min(1, Math.sqrt(square)))) / RADIANS
}

/** The number of places of a shape, with one more for each collection; an empty line has none. */
export const placesOf = (shape: Shape): number => {
  switch (shape.kind) {
    case "point":
    case "circle":
      return 1
    case "box":
      return 2
    case "other":
      return Math.ceil(shape.bytes.length / PLACE_NUMBERS_BYTES)
    case "collection":
      return shape.shapes.reduce((count, each) => count + placesOf(each), 1)
    default:
      return linesOf(shape).reduce((count, { length }) => count + length, 0)
  }
}

/** Size of the two numbers of a place. */
const PLACE_NUMBERS_BYTES = 16

const WORLD: Bounds = { south: -90, west: -180, north: 90, east: 180 }

/** The smallest box around a shape; the whole earth for one of kind `other`, and undefined for a shape without a place. */
export const boundsOf = (shape: Shape): Bounds | undefined => {
  switch (shape.kind) {
    case "point":
      return { south: shape.latitude, west: shape.longitude, north: shape.latitude, east: shape.longitude }
    case "box":
      return shape
    case "circle":
      return circleBounds(shape)
    case "other":
      return WORLD
    case "collection":
      return shape.shapes.reduce<Bounds | undefined>((bounds, each) => joined(bounds, boundsOf(each)), undefined)
    default:
      return boundsOfLines(linesOf(shape))
  }
}

/** The lines, or the rings, of a shape without circles; each place of a multipoint is in one line. */
const linesOf = (shape: Extract<Shape, { kind: "line" | "polygon" | `multi${string}` }>): ReadonlyArray<Line> => {
  switch (shape.kind) {
    case "polygon":
      return shape.rings
    case "multiline":
      return shape.lines
    case "multipolygon":
      return shape.polygons.flat()
    default:
      return [shape.points]
  }
}

const boundsOfLines = (lines: ReadonlyArray<Line>): Bounds | undefined => {
  let [south, west, north, east] = [90, 180, -90, -180]
  for (const line of lines) {
    for (const [longitude, latitude] of line) {
      south = Math.min(south, latitude)
      north = Math.max(north, latitude)
      west = Math.min(west, longitude)
      east = Math.max(east, longitude)
    }
  }
  return south > north ? undefined : { south, west, north, east }
}

const joined = (a: Bounds | undefined, b: Bounds | undefined): Bounds | undefined => {
  if (a === undefined || b === undefined) return a ?? b
  const [south, north] = [Math.min(a.south, b.south), Math.max(a.north, b.north)]
  // A box that crosses the 180th meridian makes the result as wide as the earth.
  if (a.west > a.east || b.west > b.east) return { ...WORLD, south, north }
  return { south, west: Math.min(a.west, b.west), north, east: Math.max(a.east, b.east) }
}

const circleBounds = ({ latitude, longitude, radius }: Circle): Bounds => {
  const south = latitude - radius
  const north = latitude + radius
  // A circle that contains a pole contains every longitude.
  if (south <= -90 || north >= 90) {
    return { south: Math.max(-90, south), west: -180, north: Math.min(90, north), east: 180 }
  }
  const width = Math.asin(Math.min(1, Math.sin(radius * RADIANS) / Math.cos(latitude * RADIANS))) / RADIANS
  return { south, west: wrapped(longitude - width), north, east: wrapped(longitude + width) }
}

/** The longitude from -180 to 180. */
export const wrapped = (longitude: number): number =>
  longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude

/** True when the longitude is in the box. The meridians -180 and 180 are the same. */
export const hasLongitude = ({ west, east }: Bounds, longitude: number): boolean => {
  const between = (value: number): boolean =>
    west <= east ? value >= west && value <= east : value >= west || value <= east
  return between(longitude) || (Math.abs(longitude) === 180 && between(-longitude))
}

/** True when two boxes have a place in common. */
export const boxesMeet = (a: Bounds, b: Bounds): boolean =>
  a.south <= b.north &&
  b.south <= a.north &&
  (hasLongitude(a, b.west) || hasLongitude(a, b.east) || hasLongitude(b, a.west) || hasLongitude(b, a.east))
