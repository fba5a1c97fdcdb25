import type { GremlinMap } from "../../structure/collections/Collections.ts"
import { geometryOf } from "../../structure/geoshapes/Geometries.ts"
import type { Geoshape } from "../../structure/geoshapes/Geoshape.ts"
import { doubleJson } from "./GraphSONWriter.ts"

// JanusGraph's own types in GraphSON.

/** The JSON of a map in a version of GraphSON. The map is made when it is written. */
type WriteMap = (make: () => GremlinMap) => string

/** The coordinates of a point without types, or a GeoJSON geometry, whose whole numbers are of the type Int. */
const contentOf = (value: Geoshape, writeMap: WriteMap, arrayOf: (json: string) => string): string => {
  const { shape } = value
  if (shape.kind !== "point") return `"geometry":${writeMap(() => geometryOf(value))}`
  return `"coordinates":${arrayOf(`[${doubleJson(shape.longitude)},${doubleJson(shape.latitude)}]`)}`
}

/** The JSON of a shape in GraphSON 2 and 3. */
export const geoshapeJson = (writeMap: WriteMap, value: Geoshape): string =>
  `{"@type":"janusgraph:Geoshape","@value":{${contentOf(value, writeMap, (json) => json)}}}`

/** The JSON of a shape in GraphSON 1. */
export const geoshapeJsonV1 = (writeMap: WriteMap, value: Geoshape): string =>
  `{"@class":"org.janusgraph.core.attribute.Geoshape",${contentOf(value, writeMap, (json) => `["[D",${json}]`)}}`

/** The JSON of the id of an edge or a property in GraphSON 2 and 3. `id` is the text of the id as a JSON string. */
export const relationIdJson = (id: string): string =>
  `{"@type":"janusgraph:RelationIdentifier","@value":{"relationId":${id}}}`

/** The JSON of the id of an edge or a property in GraphSON 1. `id` is the text of the id as a JSON string. */
export const relationIdJsonV1 = (id: string): string =>
  `["org.janusgraph.graphdb.relations.RelationIdentifier",{"value":${id},"@class":"java.util.HashMap"}]`
