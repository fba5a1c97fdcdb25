import { GremlinMap } from "../structure/Collections.ts"
import { boundsOf, Geoshape } from "../structure/Geoshape.ts"
import { double, type GremlinNumber, isNumber } from "../structure/Numbers.ts"

/**
 * The shape of a GeoJSON geometry, which has the longitude first: a Point, a Circle with its radius in kilometres, or the Polygon
 * of a box. Throws RangeError for other geometries and for coordinates out of range.
 */
export const shapeOfGeometry = (type: unknown, coordinates: unknown, radius: unknown): Geoshape => {
  switch (type) {
    case "Point": {
      const [longitude, latitude] = placeOf(coordinates)
      return Geoshape.point(latitude, longitude)
    }
    case "Circle": {
      const [longitude, latitude] = placeOf(coordinates)
      return Geoshape.circle(latitude, longitude, plain(radius))
    }
    case "Polygon":
      return boxOf(coordinates)
    default:
      throw new RangeError(`a geometry is a Point, a Circle or the Polygon of a box, not ${String(type)}`)
  }
}

/** The GeoJSON geometry of a circle or a box, as JanusGraph writes it. A box is a Polygon. */
export const geometryOf = ({ kilometres, shape }: Geoshape): GremlinMap => {
  if (shape.kind === "circle") {
    return new GremlinMap([
      ["type", "Circle"],
      ["coordinates", [double(shape.longitude), double(shape.latitude)]],
      ["radius", double(kilometres)],
      ["properties", new GremlinMap([["radius_units", "km"]])]
    ])
  }
  const { east, north, south, west } = boundsOf(shape)
  const ring = [
    [west, south],
    [west, north],
    [east, north],
    [east, south],
    [west, south]
  ]
  return new GremlinMap([
    ["type", "Polygon"],
    ["coordinates", [ring.map((place) => place.map(double))]]
  ])
}

const placeOf = (value: unknown): readonly [number, number] => {
  if (!Array.isArray(value) || value.length < 2) throw new RangeError("a place has a longitude and a latitude")
  return [plain(value[0]), plain(value[1])]
}

const plain = (value: unknown): number => {
  if (!isNumber(value)) throw new RangeError("a coordinate is a number")
  const number: GremlinNumber = value
  return typeof number === "object" && "value" in number ? Number(number.value) : Number(String(number))
}

const boxOf = (coordinates: unknown): Geoshape => {
  const [ring, ...holes] = Array.isArray(coordinates) ? coordinates : []
  const places = Array.isArray(ring) ? ring.map(placeOf) : []
  const longitudes = new Set(places.map(([longitude]) => longitude))
  const latitudes = new Set(places.map(([, latitude]) => latitude))
  if (holes.length > 0 || places.length !== 5 || longitudes.size > 2 || latitudes.size > 2) {
    throw new RangeError("of polygons only boxes are known")
  }
  return Geoshape.box(Math.min(...latitudes), Math.min(...longitudes), Math.max(...latitudes), Math.max(...longitudes))
}
