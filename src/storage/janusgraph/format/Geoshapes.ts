import { Geoshape, type Shape } from "../../../structure/Geoshape.ts"
import type { ByteWriter } from "./ByteWriter.ts"

/**
 * Shapes in JanusGraph's binary form: the byte 1, the kind, and doubles, the longitude before the latitude. Other
 * shapes (the byte 0 and a geometry in well-known binary) are kept as bytes.
 */

/** The first byte of a shape in Spatial4j's binary form. */
const BINARY = 1
const POINT = 1
const BOX = 2
const CIRCLE = 3

/** Decodes a shape. */
export const readShape = (bytes: Uint8Array): Geoshape => new Geoshape(shapeOf(bytes))

const shapeOf = (bytes: Uint8Array): Shape => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const number = (place: number): number => view.getFloat64(2 + 8 * place)
  const is = (kind: number, numbers: number): boolean =>
    bytes[0] === BINARY && bytes[1] === kind && bytes.length === 2 + 8 * numbers
  if (is(POINT, 2)) return { kind: "point", longitude: number(0), latitude: number(1) }
  if (is(BOX, 4)) return { kind: "box", west: number(0), east: number(1), south: number(2), north: number(3) }
  if (is(CIRCLE, 3)) return { kind: "circle", longitude: number(0), latitude: number(1), radius: number(2) }
  return { kind: "other", bytes: Uint8Array.from(bytes) }
}

/** Writes the length of a shape and the shape. */
export const writeShape = (writer: ByteWriter, { shape }: Geoshape): void => {
  const bytes = shape.kind === "other" ? shape.bytes : doubles(shape)
  writer.varint(bytes.length)
  writer.raw(bytes)
}

const doubles = (shape: Exclude<Shape, { kind: "other" }>): Uint8Array => {
  switch (shape.kind) {
    case "point":
      return packed(POINT, [shape.longitude, shape.latitude])
    case "box":
      return packed(BOX, [shape.west, shape.east, shape.south, shape.north])
    default:
      return packed(CIRCLE, [shape.longitude, shape.latitude, shape.radius])
  }
}

const packed = (kind: number, numbers: ReadonlyArray<number>): Uint8Array => {
  const bytes = Buffer.alloc(2 + 8 * numbers.length)
  bytes[0] = BINARY
  bytes[1] = kind
  numbers.forEach((number, at) => {
    bytes.writeDoubleBE(number, 2 + 8 * at)
  })
  return bytes
}
