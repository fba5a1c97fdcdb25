import { Keyed } from "../collections/Equivalence.ts"
import { angleOf, kilometresOf, type Line, placesOf, type Shape } from "./Shape.ts"
import { checkCircle, checkPlace, checkShape } from "./ShapeRules.ts"
import { shapeText } from "./WellKnownText.ts"

/**
 * A shape on the earth as a value, as JanusGraph's Geoshape. The factories for points, boxes and circles take the latitude before the
 * longitude; positions of lines and polygons have the longitude first.
 */
export class Geoshape extends Keyed {
  readonly shape: Shape
  /** Counted when it is asked for: most shapes are points. */
  #places: number | undefined

  constructor(shape: Shape) {
    super()
    this.shape = shape
  }

  /** Throws RangeError for coordinates out of range; so do the other factories. */
  static point(latitude: number, longitude: number): Geoshape {
    checkPlace(latitude, longitude)
    return new Geoshape({ kind: "point", latitude, longitude })
  }

  static box(south: number, west: number, north: number, east: number): Geoshape {
    return Geoshape.of({ kind: "box", south, west, north, east })
  }

  /** The radius is in kilometres. */
  static circle(latitude: number, longitude: number, kilometres: number): Geoshape {
    checkPlace(latitude, longitude)
    checkCircle(kilometres)
    return new Geoshape({ kind: "circle", latitude, longitude, radius: angleOf(kilometres) })
  }

  static line(points: Line): Geoshape {
    return Geoshape.of({ kind: "line", points })
  }

  /** A polygon without holes. Its last position is its first one. A rectangle along the axes becomes a box, as in JanusGraph. */
  static polygon(ring: Line): Geoshape {
    return Geoshape.of({ kind: "polygon", rings: [ring] })
  }

  /** The shape as a value after its check. A polygon that is a rectangle along the axes becomes a box. */
  static of(shape: Shape): Geoshape {
    return new Geoshape(checkShape(shape))
  }

  /** The radius of a circle in kilometres, 0 for other shapes. */
  get kilometres(): number {
    return this.shape.kind === "circle" ? kilometresOf(this.shape.radius) : 0
  }

  /** The number of places, with one more for each collection. */
  get places(): number {
    this.#places ??= placesOf(this.shape)
    return this.#places
  }

  override equivalenceKey(): string {
    return `\0G${this.toString()}`
  }

  /** As well-known text, which names longitudes first: `POINT (7.45 46.95)`. */
  override toString(): string {
    return shapeText(this.shape)
  }
}
