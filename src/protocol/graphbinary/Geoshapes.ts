import { Geoshape } from "../../structure/geoshapes/Geoshape.ts"
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
    return Geoshape.of(readShape(reader, 0))
  } catch (error) {
    if (error instanceof RangeError) return reader.fail(`A shape cannot be read: ${error.message}`)
    throw error
  }
}

const readShape = (reader: ByteReader, depth: number): Shape => {
  if (reader.unsignedByte() !== SHAPE_VERSION) return reader.fail("A shape has an unknown form")
  const kind = kinds[reader.int()]
  const number = (): number => reader.double()
  switch (kind) {
    case "point":
      return { kind, latitude: number(), longitude: number() }
    case "circle": {
      const [latitude, longitude, kilometres] = [number(), number(), number()]
      if (!(kilometres > 0)) throw new RangeError(`the radius of a circle is positive, not ${kilometres}`)
      return { kind, latitude, longitude, radius: angleOf(kilometres) }
    }
    case "box":
      return { kind, south: number(), west: number(), north: number(), east: number() }
    case "line":
    case "multipoint":
      return { kind, points: readLine(reader) }
    case "polygon":
      return { kind, rings: [readLine(reader)] }
    case "multiline":
      return { kind, lines: readLines(reader) }
    case "multipolygon":
      return { kind, polygons: readLines(reader).map((line) => [line]) }
    case "collection":
      return { kind, shapes: readMembers(reader, depth) }
    default:
      return reader.fail("A shape has an unknown kind")
  }
}

const PLACE_BYTES = 16

const readLine = (reader: ByteReader): Line => {
  const places: Array<Position> = []
  for (let left = reader.length(PLACE_BYTES, "a line"); left > 0; left--) {
    const latitude = reader.double()
    places.push([reader.double(), latitude])
  }
  return places
}

const readLines = (reader: ByteReader): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  for (let left = reader.length(4, "a shape"); left > 0; left--) lines.push(readLine(reader))
  return lines
}

const readMembers = (reader: ByteReader, depth: number): ReadonlyArray<Shape> => {
  if (depth >= MAX_SHAPE_LEVELS) return reader.fail(`Shapes nest deeper than ${MAX_SHAPE_LEVELS} levels`)
  const shapes: Array<Shape> = []
  for (let left = reader.length(1, "a shape"); left > 0; left--) {
    if (reader.unsignedByte() !== 0) return reader.fail("A collection of shapes has a null")
    shapes.push(readShape(reader, depth + 1))
  }
  return shapes
}
