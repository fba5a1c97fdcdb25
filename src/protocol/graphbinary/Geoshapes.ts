import { Geoshape } from "../../structure/geoshapes/Geoshape.ts"
import { PlaceCount } from "../../structure/geoshapes/PlaceCount.ts"
import {
  angleOf,
  kilometresOf,
  type Line,
  MAX_SHAPE_LEVELS,
  type Position,
  type Shape
} from "../../structure/geoshapes/Shape.ts"
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"

/**
 * JanusGraph's shapes in GraphBinary: the version, the kind, and doubles with the latitude first. The form has no holes of polygons:
 * JanusGraph joins a hole with the border, which is another polygon.
 */

const SHAPE_VERSION = 2
const kinds: ReadonlyArray<Shape["kind"]> = [
  "point",
  "circle",
  "box",
  "line",
  "polygon",
  "multipoint",
  "multiline",
  "multipolygon",
  "collection"
]

/** True for a shape that this form can express: one without holes and without unknown forms. */
export const isExpressible = (shape: Shape): boolean => {
  switch (shape.kind) {
    case "polygon":
      return shape.rings.length === 1
    case "multipolygon":
      return shape.polygons.every(({ length }) => length === 1)
    case "collection":
      return shape.shapes.every(isExpressible)
    default:
      return shape.kind !== "other"
  }
}

/** Writes the version, the kind and the numbers of a shape that {@link isExpressible}. */
export const writeShape = (writer: ByteWriter, shape: Shape): void => {
  writer.byte(SHAPE_VERSION)
  writer.int(kinds.indexOf(shape.kind))
  switch (shape.kind) {
    case "point":
      return writeNumbers(writer, [shape.latitude, shape.longitude])
    case "circle":
      return writeNumbers(writer, [shape.latitude, shape.longitude, kilometresOf(shape.radius)])
    case "box":
      return writeNumbers(writer, [shape.south, shape.west, shape.north, shape.east])
    case "line":
    case "multipoint":
      return writeLine(writer, shape.points)
    case "polygon":
      return writeLine(writer, shape.rings[0] ?? [])
    case "multiline":
      return writeLines(writer, shape.lines)
    case "multipolygon":
      return writeLines(
        writer,
        shape.polygons.map(([border = []]) => border)
      )
    case "collection":
      writer.int(shape.shapes.length)
      for (const each of shape.shapes) {
        writer.byte(0)
        writeShape(writer, each)
      }
      return
    default:
      throw new Error("A shape of an unknown form has no numbers")
  }
}

const writeNumbers = (writer: ByteWriter, numbers: ReadonlyArray<number>): void => {
  for (const number of numbers) writer.double(number)
}

const writeLine = (writer: ByteWriter, line: Line): void => {
  writer.int(line.length)
  for (const [longitude, latitude] of line) writeNumbers(writer, [latitude, longitude])
}

const writeLines = (writer: ByteWriter, lines: ReadonlyArray<Line>): void => {
  writer.int(lines.length)
  for (const line of lines) writeLine(writer, line)
}

/** Reads a shape from its version on. */
export const readGeoshape = (reader: ByteReader): Geoshape => {
  try {
    return Geoshape.of(readShape(new ShapeParts(reader), 0))
  } catch (error) {
    if (error instanceof RangeError) return reader.fail(`A shape cannot be read: ${error.message}`)
    throw error
  }
}

/** Estimated memory of a place or of an empty line, in bytes. */
const PLACE_HELD_BYTES = 80

/** Reads the parts of one shape. */
class ShapeParts {
  readonly input: ByteReader
  readonly #count = new PlaceCount()

  constructor(input: ByteReader) {
    this.input = input
  }

  /** Counts places before they are read. */
  count(places: number): void {
    this.#count.add(places)
    this.input.heldBytes += places * PLACE_HELD_BYTES
  }

  line(): Line {
    const { input } = this
    const count = input.length(PLACE_BYTES, "a line")
    this.count(Math.max(1, count))
    const places: Array<Position> = []
    for (let left = count; left > 0; left--) {
      const latitude = input.double()
      places.push([input.double(), latitude])
    }
    return places
  }

  lines(): ReadonlyArray<Line> {
    const lines: Array<Line> = []
    for (let left = this.input.length(4, "a shape"); left > 0; left--) lines.push(this.line())
    return lines
  }

  members(depth: number): ReadonlyArray<Shape> {
    const { input } = this
    if (depth >= MAX_SHAPE_LEVELS) return input.fail(`Shapes nest deeper than ${MAX_SHAPE_LEVELS} levels`)
    const shapes: Array<Shape> = []
    for (let left = input.length(1, "a shape"); left > 0; left--) {
      if (input.unsignedByte() !== 0) return input.fail("A collection of shapes has a null")
      shapes.push(readShape(this, depth + 1))
    }
    return shapes
  }
}

const PLACE_BYTES = 16

const readShape = (parts: ShapeParts, depth: number): Shape => {
  const { input } = parts
  if (input.unsignedByte() !== SHAPE_VERSION) return input.fail("A shape has an unknown form")
  const kind = kinds[input.int()]
  const number = (): number => input.double()
  switch (kind) {
    case "point":
      parts.count(1)
      return { kind, latitude: number(), longitude: number() }
    case "circle": {
      parts.count(1)
      const [latitude, longitude, kilometres] = [number(), number(), number()]
      if (!(kilometres > 0)) throw new RangeError(`the radius of a circle is positive, not ${kilometres}`)
      return { kind, latitude, longitude, radius: angleOf(kilometres) }
    }
    case "box":
      parts.count(2)
      return { kind, south: number(), west: number(), north: number(), east: number() }
    case "line":
    case "multipoint":
      return { kind, points: parts.line() }
    case "polygon":
      return { kind, rings: [parts.line()] }
    case "multiline":
      return { kind, lines: parts.lines() }
    case "multipolygon":
      return { kind, polygons: parts.lines().map((line) => [line]) }
    case "collection":
      parts.count(1)
      return { kind, shapes: parts.members(depth) }
    default:
      return input.fail("A shape has an unknown kind")
  }
}
