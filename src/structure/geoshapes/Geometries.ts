import { GremlinMap } from "../collections/Collections.ts"
import { type GremlinNumber, isNumber } from "../numbers/Numbers.ts"
import { plainGeometry } from "./GeoJson.ts"
import { Geoshape } from "./Geoshape.ts"
import { PlaceCount } from "./PlaceCount.ts"
import { boxRings } from "./Regions.ts"
import { angleOf, type Line, MAX_SHAPE_LEVELS, type Position, type Rings, type Shape } from "./Shape.ts"

/**
 * The shape of a GeoJSON geometry, which has the longitude first. JanusGraph adds the Circle, with its radius in kilometres.
 * Throws RangeError for other geometries and for coordinates out of range.
 */
export const shapeOfGeometry = (geometry: unknown): Geoshape => Geoshape.of(readGeometry(geometry, 0, new PlaceCount()))

const readGeometry = (geometry: unknown, depth: number, count: PlaceCount): Shape => {
  if (!(geometry instanceof GremlinMap)) throw new RangeError("a geometry is a map with a type and coordinates")
  if (depth > MAX_SHAPE_LEVELS) throw new RangeError(`collections of geometries are at most ${MAX_SHAPE_LEVELS} deep`)
  const coordinates = geometry.get("coordinates")
  switch (geometry.get("type")) {
    case "Point": {
      const [longitude, latitude] = placeOf(coordinates, count)
      return { kind: "point", latitude, longitude }
    }
    case "Circle": {
      const [longitude, latitude] = placeOf(coordinates, count)
      return { kind: "circle", latitude, longitude, radius: angleOf(radiusOf(geometry)) }
    }
    case "LineString":
      return { kind: "line", points: lineOf(coordinates, count) }
    case "Polygon":
      return { kind: "polygon", rings: ringsOf(coordinates, count) }
    case "MultiPoint":
      return { kind: "multipoint", points: lineOf(coordinates, count) }
    case "MultiLineString":
      return { kind: "multiline", lines: ringsOf(coordinates, count) }
    case "MultiPolygon": {
      const polygons = listOf(coordinates, count).map((rings) => ringsOf(rings, count))
      return joinedBox(polygons) ?? { kind: "multipolygon", polygons }
    }
    case "GeometryCollection":
      return {
        kind: "collection",
        shapes: listOf(geometry.get("geometries"), count).map((each) => readGeometry(each, depth + 1, count))
      }
    default:
      throw new RangeError(`a geometry has a type such as Point or Polygon, not ${String(geometry.get("type"))}`)
  }
}

/** The box that {@link geometryOf} writes as two polygons because it crosses the 180th meridian. */
const joinedBox = (polygons: ReadonlyArray<Rings>): Shape | undefined => {
  const [first, second] = polygons.map(([ring = []]) => ring)
  if (first?.length !== 5 || second?.length !== 5 || polygons.length !== 2) return undefined
  const [[west, south], [, north]] = [first[0]!, first[2]!]
  const box: Shape = { kind: "box", south, west, north, east: second[2]![0] }
  return JSON.stringify(boxRings(box)) === JSON.stringify(polygons) ? box : undefined
}

/** The radius in kilometres. `properties.radius_units` may say metres. */
const radiusOf = (geometry: GremlinMap): number => {
  const properties = geometry.get("properties")
  const units = properties instanceof GremlinMap ? properties.get("radius_units") : undefined
  const radius = plain(geometry.get("radius"))
  if (units !== undefined && units !== "km" && units !== "m") {
    throw new RangeError(`the radius of a Circle is in km or m, not ${String(units)}`)
  }
  if (!(radius > 0)) throw new RangeError(`the radius of a circle must be a positive number, not ${radius}`)
  return units === "m" ? radius / 1000 : radius
}

/** The GeoJSON geometry of a shape, as JanusGraph writes it: whole numbers are of the type Int. A box is a Polygon, or two if it
 * crosses the 180th meridian. Throws RangeError for one of kind `other`. */
export const geometryOf = (value: Geoshape): GremlinMap => {
  const { shape } = value
  switch (shape.kind) {
    case "circle":
      return new GremlinMap([
        ["type", "Circle"],
        ["coordinates", [shape.longitude, shape.latitude]],
        ["radius", value.kilometres],
        ["properties", new GremlinMap([["radius_units", "km"]])]
      ])
    case "box": {
      const [first, second] = boxRings(shape)
      // As one Polygon, a box that crosses the 180th meridian would be the box between the same meridians on the other side.
      return second === undefined ? geometry("Polygon", first ?? []) : geometry("MultiPolygon", boxRings(shape))
    }
    case "collection":
      return new GremlinMap([
        ["type", "GeometryCollection"],
        ["geometries", shape.shapes.map((each) => geometryOf(new Geoshape(each)))]
      ])
    default: {
      const plainShape = plainGeometry(shape)
      if (plainShape === undefined) throw new RangeError("a shape of an unknown form has no geometry")
      return geometry(plainShape.type, plainShape.coordinates)
    }
  }
}

/** True for a shape that GeoJSON and well-known text have; false for one of an unknown form. */
export const hasGeometry = (shape: Shape): boolean =>
  shape.kind === "collection" ? shape.shapes.every(hasGeometry) : shape.kind !== "other"

const geometry = (type: string, coordinates: readonly unknown[]): GremlinMap =>
  new GremlinMap([
    ["type", type],
    ["coordinates", coordinates]
  ])

const listOf = (value: unknown, count: PlaceCount): readonly unknown[] => {
  if (!Array.isArray(value)) throw new RangeError("the coordinates of a geometry are lists")
  if (value.length === 0) count.add(1)
  return value
}

const lineOf = (value: unknown, count: PlaceCount): Line => listOf(value, count).map((place) => placeOf(place, count))
const ringsOf = (value: unknown, count: PlaceCount): Rings => listOf(value, count).map((line) => lineOf(line, count))

const placeOf = (value: unknown, count: PlaceCount): Position => {
  count.add(1)
  if (!Array.isArray(value) || value.length < 2) throw new RangeError("a place has a longitude and a latitude")
  return [plain(value[0]), plain(value[1])]
}

const plain = (value: unknown): number => {
  if (!isNumber(value)) throw new RangeError("a coordinate is a number")
  const number: GremlinNumber = value
  return typeof number === "object" && "value" in number ? Number(number.value) : Number(String(number))
}
