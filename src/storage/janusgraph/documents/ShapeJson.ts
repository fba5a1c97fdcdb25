import { plainGeometry } from "../../../structure/geoshapes/GeoJson.ts"
import { kilometresOf, type Shape } from "../../../structure/geoshapes/Shape.ts"

/**
 * A shape as JSON for a field of shapes, in JanusGraph's form: GeoJSON, an envelope for a box, and a circle with a radius. Undefined for
 * a shape that the field cannot have. `takesCircles`: false for the mapping BKD, for which JanusGraph makes polygons of circles.
 */
export const shapeJson = (shape: Shape, takesCircles: boolean): string | undefined => {
  switch (shape.kind) {
    case "box":
      return shape.west > shape.east
        ? undefined
        : `{"type":"envelope","coordinates":[[${shape.west},${shape.north}],[${shape.east},${shape.south}]]}`
    case "circle": {
      const place = `[${shape.longitude},${shape.latitude}]`
      const radius = `${kilometresOf(shape.radius)}km`
      return takesCircles ? `{"type":"Circle","coordinates":${place},"radius":"${radius}"}` : undefined
    }
    case "collection": {
      const all = shape.shapes.map((each) => shapeJson(each, takesCircles))
      return all.includes(undefined) ? undefined : `{"type":"GeometryCollection","geometries":[${all.join(",")}]}`
    }
    default: {
      const geometry = plainGeometry(shape)
      return geometry === undefined ? undefined : JSON.stringify(geometry)
    }
  }
}
