import type { GremlinMap } from "../../structure/Collections.ts"
import type { Geoshape } from "../../structure/Geoshape.ts"
import { double } from "../../structure/Numbers.ts"
import { geometryOf } from "../Geometries.ts"

// JanusGraph's own types in GraphSON 2 and 3.

/** A writer of GraphSON 2 or 3, as these types need it. */
interface ShapeForms {
  list(values: readonly unknown[]): string
  map(map: GremlinMap): string
}

/** The JSON of a shape: the coordinates of a point, or a GeoJSON geometry. */
export const geoshapeJson = (forms: ShapeForms, value: Geoshape): string => {
  const { shape } = value
  if (shape.kind === "point") {
    const coordinates = forms.list([double(shape.longitude), double(shape.latitude)])
    return `{"@type":"janusgraph:Geoshape","@value":{"coordinates":${coordinates}}}`
  }
  return `{"@type":"janusgraph:Geoshape","@value":{"geometry":${forms.map(geometryOf(value))}}}`
}

/** The JSON of the id of an edge or a property. `id` is the text of the id as a JSON string. */
export const relationIdJson = (id: string): string =>
  `{"@type":"janusgraph:RelationIdentifier","@value":{"relationId":${id}}}`
