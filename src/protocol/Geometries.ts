import { Geoshape } from "../structure/Geoshape.ts"
import { type GremlinNumber, isNumber } from "../structure/Numbers.ts"

/**
 * The shape of a geometry of GeoJSON, which names longitudes first: a Point, a Circle with its radius in kilometres, or
 * the Polygon of a box. Throws RangeError for others, and for numbers that are not on the earth.
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
