import { plainGeometry } from "../../../structure/geoshapes/GeoJson.ts"
import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import type { Line, Position, Shape } from "../../../structure/geoshapes/Shape.ts"
import { type Comparable, comparable, intersects, isWithin } from "../../../structure/geoshapes/ShapeRelations.ts"
import { double } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex, type Methods } from "../methods/MethodTable.ts"
import { OperandError } from "../values/OperandErrors.ts"

// Methods of JanusGraph's Geoshape on shapes of scripts. A point of a shape is a shape itself.

type Relation = (a: Comparable, b: Comparable) => boolean

/** A comparison with another shape. Borders belong to the shapes, as in has() with a predicate. */
const compared =
  (name: string, relation: Relation) =>
  (value: Geoshape, [other]: ReadonlyArray<unknown>, budget: Budget): boolean => {
    if (!(other instanceof Geoshape)) throw new OperandError(`${name}() takes a shape, not ${typeName(other)}`)
    budget.spend(value.places + other.places, `${name}()`)
    try {
      return relation(comparable(value.shape), comparable(other.shape))
    } catch (error) {
      if (error instanceof RangeError) throw new OperandError(`${name}(): ${error.message}`)
      throw error
    }
  }

/** The places of a shape as JanusGraph counts them: a box has its south-west and its north-east corner. */
const placesOf = (shape: Shape): Line => {
  switch (shape.kind) {
    case "point":
    case "circle":
      return [[shape.longitude, shape.latitude]]
    case "box":
      return [
        [shape.west, shape.south],
        [shape.east, shape.north]
      ]
    case "line":
    case "multipoint":
      return shape.points
    case "polygon":
      return shape.rings.flat()
    case "multiline":
      return shape.lines.flat()
    case "multipolygon":
      return shape.polygons.flat(2)
    default:
      throw new OperandError("the places of this shape cannot be read one by one")
  }
}

const pointOf = ([longitude, latitude]: Position): Geoshape => Geoshape.point(latitude, longitude)

/** The point at an index. Without an index the shape must be a point or a circle. */
const pointAt = ({ shape }: Geoshape, [index]: ReadonlyArray<unknown>, budget: Budget): Geoshape => {
  const places = placesOf(shape)
  budget.spend(places.length, "getPoint()")
  if (index === undefined && shape.kind !== "point" && shape.kind !== "circle") {
    throw new OperandError("Shape does not have a single point: name one, such as getPoint(0)")
  }
  const place = places[index === undefined ? 0 : asIndex(index)]
  if (place === undefined) throw new OperandError(`the shape has ${places.length} points`, "IndexOutOfBoundsException")
  budget.created(1)
  return pointOf(place)
}

const coordinate =
  (name: "latitude" | "longitude") =>
  ({ shape }: Geoshape): unknown => {
    if (shape.kind === "point") return double(shape[name])
    throw new OperandError("only a point has a latitude and a longitude: getPoint(0) reads a point of a shape")
  }

const radiusOf = (value: Geoshape): unknown => {
  if (value.shape.kind !== "circle") throw new OperandError("This shape is not a circle")
  return double(value.kilometres)
}

/** The GeoJSON of the kinds of shapes that GeoJSON has. */
const geoJsonOf = ({ places, shape }: Geoshape, _: ReadonlyArray<unknown>, budget: Budget): string => {
  budget.spend(places, "toGeoJson()")
  const geometry = plainGeometry(shape)
  if (geometry === undefined) throw new OperandError("GeoJSON has no such shape")
  return budget.string(JSON.stringify(geometry))
}

/** Methods of Geoshape. */
export const shapeMethods: Methods = {
  getPoint: [0, 1, pointAt],
  getLatitude: [0, 0, coordinate("latitude")],
  getLongitude: [0, 0, coordinate("longitude")],
  getRadius: [0, 0, radiusOf],
  size: [0, 0, ({ shape }: Geoshape) => placesOf(shape).length],
  toGeoJson: [0, 0, geoJsonOf],
  within: [1, 1, compared("within", isWithin)],
  contains: [1, 1, compared("contains", (a, b) => isWithin(b, a))],
  intersect: [1, 1, compared("intersect", intersects)],
  disjoint: [1, 1, compared("disjoint", (a, b) => !intersects(a, b))]
}
