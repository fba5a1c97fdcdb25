import type { Shape } from "./Shape.ts"

/** A geometry of GeoJSON that consists of positions only. Positions have the longitude first. */
interface PlainGeometry {
  readonly type: string
  readonly coordinates: readonly unknown[]
}

/** The geometry of a shape that GeoJSON has as such; undefined for circles, boxes, collections, and shapes of an unknown form. */
export const plainGeometry = (shape: Shape): PlainGeometry | undefined => {
  switch (shape.kind) {
    case "point":
      return { type: "Point", coordinates: [shape.longitude, shape.latitude] }
    case "line":
      return { type: "LineString", coordinates: shape.points }
    case "polygon":
      return { type: "Polygon", coordinates: shape.rings }
    case "multipoint":
      return { type: "MultiPoint", coordinates: shape.points }
    case "multiline":
      return { type: "MultiLineString", coordinates: shape.lines }
    case "multipolygon":
      return { type: "MultiPolygon", coordinates: shape.polygons }
    default:
      return undefined
  }
}
