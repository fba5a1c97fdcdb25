import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import { MAX_PLACES } from "../../../structure/geoshapes/PlaceCount.ts"
import type { Position, Rings, Shape } from "../../../structure/geoshapes/Shape.ts"
import { bytesOfPlaces, Sized } from "../../../structure/memory/HeldBytes.ts"
import type { Budget } from "../budget/Budget.ts"
import type { Methods } from "../methods/MethodTable.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { counted, plainNumber } from "./Geoshapes.ts"

/** What a builder makes. */
type Kind = "lineString" | "polygon" | "multiPoint" | "multiLineString" | "multiPolygon" | "collection"

/** JanusGraph's `Geoshape.getShapeFactory()`. */
export class ShapeFactory {
  toString(): string {
    return "shape factory"
  }
}

/** A shape that a script makes from places, such as `factory.lineString().pointXY(59.0, 60.0)`, or from other shapes. */
export class ShapeBuilder extends Sized {
  readonly kind: Kind
  readonly #places: Array<Position> = []
  readonly #parts: Array<Shape> = []
  /** Number of places, with those of the parts. A part without a place counts as one. */
  #count = 0

  constructor(kind: Kind) {
    super()
    this.kind = kind
  }

  /** Adds a place. */
  place(longitude: number, latitude: number): this {
    this.#take(1)
    this.#places.push([longitude, latitude])
    return this
  }

  /** Adds a shape, or what another builder builds. */
  add(part: unknown, budget: Budget): this {
    budget.created(1)
    if (part instanceof ShapeBuilder && part !== this) {
      this.#assertRoom(part.#count)
      return this.add(part.build(budget), budget)
    }
    if (!(part instanceof Geoshape)) {
      throw new OperandError("add() takes a shape, such as factory.lineString().pointXY(59.0, 60.0)")
    }
    this.#take(Math.max(1, part.places))
    this.#parts.push(part.shape)
    return this
  }

  /** The shape, after its check. */
  build(budget: Budget): Geoshape {
    budget.spend(this.#count, "build()")
    try {
      return counted(Geoshape.of(this.#shape()), budget)
    } catch (error) {
      if (error instanceof RangeError) throw new OperandError(`build(): ${error.message}`)
      throw error
    }
  }

  override toString(): string {
    return `builder of a ${this.kind}`
  }

  override get heldBytes(): number {
    return bytesOfPlaces(this.#count)
  }

  #take(places: number): void {
    this.#assertRoom(places)
    this.#count += places
  }

  #assertRoom(places: number): void {
    if (this.#count + places > MAX_PLACES) {
      throw new OperandError(`a shape has at most ${MAX_PLACES} places, with those of its parts`)
    }
  }

  #shape(): Shape {
    switch (this.kind) {
      case "lineString":
        return { kind: "line", points: [...this.#places] }
      case "polygon":
        return { kind: "polygon", rings: [[...this.#places]] }
      case "multiPoint":
        return { kind: "multipoint", points: [...this.#places, ...this.#parts.map(placeOf)] }
      case "multiLineString":
        return { kind: "multiline", lines: this.#parts.map(pointsOf) }
      case "multiPolygon":
        return { kind: "multipolygon", polygons: this.#parts.map(ringsOf) }
      case "collection":
        return { kind: "collection", shapes: [...this.#parts] }
    }
  }
}

const placeOf = (part: Shape): Position => {
  if (part.kind === "point") return [part.longitude, part.latitude]
  throw new OperandError(`a multiPoint has points, not a ${part.kind}`)
}

const pointsOf = (part: Shape): readonly Position[] => {
  if (part.kind === "line") return part.points
  throw new OperandError(`a multiLineString has lines, not a ${part.kind}`)
}

const ringsOf = (part: Shape): Rings => {
  if (part.kind === "polygon") return part.rings
  if (part.kind !== "box") throw new OperandError(`a multiPolygon has polygons, not a ${part.kind}`)
  const { east, north, south, west } = part
  return [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south]
    ]
  ]
}

const made = (make: () => Geoshape): Geoshape => {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) throw new OperandError(error.message)
    throw error
  }
}

/** Methods of the factory of shapes. The longitude is the first number of a place. */
export const shapeFactoryMethods: Methods = {
  pointXY: [2, 2, (_, [x, y]) => made(() => Geoshape.point(plainNumber(y), plainNumber(x)))],
  rect: [
    4,
    4,
    (_, [west, east, south, north]) =>
      made(() => Geoshape.box(plainNumber(south), plainNumber(west), plainNumber(north), plainNumber(east)))
  ],
  lineString: [0, 0, () => new ShapeBuilder("lineString")],
  polygon: [0, 0, () => new ShapeBuilder("polygon")],
  multiPoint: [0, 0, () => new ShapeBuilder("multiPoint")],
  multiLineString: [0, 0, () => new ShapeBuilder("multiLineString")],
  multiPolygon: [0, 0, () => new ShapeBuilder("multiPolygon")]
}

/** Methods of a builder of a shape. */
export const shapeBuilderMethods: Methods = {
  pointXY: [
    2,
    2,
    (builder: ShapeBuilder, [x, y], budget) => {
      budget.created(1)
      return builder.place(plainNumber(x), plainNumber(y))
    }
  ],
  add: [1, 1, (builder: ShapeBuilder, [part], budget) => builder.add(part, budget)],
  build: [0, 0, (builder: ShapeBuilder, _, budget) => builder.build(budget)]
}
