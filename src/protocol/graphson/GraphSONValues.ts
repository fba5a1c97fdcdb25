import type { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import type { Detached } from "../../structure/Element.ts"
import type { Double, Float } from "../../structure/Numbers.ts"
import type { JsonReader } from "../json/JsonReader.ts"

/** A reader of JSON that reads whole values of GraphSON too, as the readers of single types need it. */
export interface GraphSONValues extends JsonReader {
  /** Where the vertices and edges of the text live. */
  readonly elements: Detached
  value(): unknown
  list(): Array<unknown>
  set(): GremlinSet
  map(): GremlinMap
  /** Calls `read` for each member of an object whose first name is read; `items` goes from slice to slice. */
  eachMember<A>(items: A, read: (items: A, name: string) => void): A
  smallInteger(minimum: number, maximum: number): number
  bigInteger(): bigint
  long(): bigint
  double(): number | Double
  float(): Float
  decimalText(): string
}
