import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import type { Shape } from "../../../structure/geoshapes/Shape.ts"
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import { Cursor, doubles, geometryBytes, listBytes, readGeometry } from "./WellKnownBinary.ts"

/**
 * Shapes in JanusGraph's binary form. After the byte 1 follow Spatial4j's kind and numbers, the longitude before the latitude; after
 * the byte 0 a geometry in well-known binary. Other bytes are kept as they are.
 */

/** The first byte of a shape in Spatial4j's binary form, and of a geometry. */
const BINARY = 1
const GEOMETRY = 0

/** Spatial4j's kinds of shapes. A collection has a kind that all of its members have, or 0, and its members. */
const POINT = 1
const BOX = 2
const CIRCLE = 3
const COLLECTION = 4
const MEMBER_GEOMETRY = 5

/**
 * Reads the length of a shape and the shape. Titan and JanusGraph 0.1 wrote the number of places, which is 1 for a point, and then the
 * latitude and the longitude as floats. As in JanusGraph, points in this form are still read.
 */
export const readStoredShape = (reader: ByteReader): Geoshape => {
  const length = reader.count()
  // No shape has one byte.
  const isOld = length === 1 && reader.end - reader.at >= OLD_POINT_BYTES
  if (!isOld) return readShape(reader.take(length))
  const place = new DataView(reader.bytes.buffer, reader.bytes.byteOffset + reader.at, OLD_POINT_BYTES)
  const [latitude, longitude] = [place.getFloat32(0), place.getFloat32(4)]
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return readShape(reader.take(length))
  reader.take(OLD_POINT_BYTES)
  return Geoshape.point(latitude, longitude)
}

/** The bytes of a point in the old form, after its count. */
const OLD_POINT_BYTES = 8

/** Decodes a shape. */
export const readShape = (bytes: Uint8Array): Geoshape => new Geoshape(shapeOf(bytes))

const shapeOf = (bytes: Uint8Array): Shape => {
  try {
    const cursor = new Cursor(bytes)
    const form = cursor.byte()
    const shape =
      form === GEOMETRY ? readGeometry(cursor) : form === BINARY ? readKind(cursor, cursor.byte()) : undefined
    if (shape !== undefined && cursor.isAtEnd) return shape
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return { kind: "other", bytes: Uint8Array.from(bytes) }
}

const readKind = (cursor: Cursor, kind: number): Shape | undefined => {
  switch (kind) {
    case POINT: {
      const [longitude, latitude] = [cursor.double(), cursor.double()]
      // The coordinates of an empty point are no numbers.
      return Number.isNaN(longitude) ? undefined : { kind: "point", longitude, latitude }
    }
    case BOX: {
      const [west, east, south, north] = [cursor.double(), cursor.double(), cursor.double(), cursor.double()]
      return { kind: "box", west, east, south, north }
    }
    case CIRCLE: {
      const [longitude, latitude, radius] = [cursor.double(), cursor.double(), cursor.double()]
      return { kind: "circle", longitude, latitude, radius }
    }
    case COLLECTION: {
      const common = cursor.byte()
      const shapes = cursor.list(() => readKind(cursor, common === 0 ? cursor.byte() : common))
      const known = shapes.filter((each) => each !== undefined)
      return known.length === shapes.length ? { kind: "collection", shapes: known } : undefined
    }
    case MEMBER_GEOMETRY:
      return readGeometry(cursor)
    default:
      return undefined
  }
}

/** Writes the length of a shape and the shape. */
export const writeShape = (writer: ByteWriter, { shape }: Geoshape): void => {
  const bytes = bytesOf(shape)
  writer.varint(bytes.length)
  writer.raw(bytes)
}

const bytesOf = (shape: Shape): Uint8Array => {
  if (shape.kind === "other") return shape.bytes
  const member = memberBytes(shape)
  return member[0] === MEMBER_GEOMETRY
    ? Buffer.concat([Buffer.of(GEOMETRY), member.subarray(1)])
    : Buffer.concat([Buffer.of(BINARY), member])
}

/** The bytes of a shape after its kind. Throws for a shape of an unknown form, which only a whole value may have. */
const memberBytes = (shape: Shape): Buffer => {
  switch (shape.kind) {
    case "point":
      return kindBytes(POINT, doubles([shape.longitude, shape.latitude]))
    case "box":
      return kindBytes(BOX, doubles([shape.west, shape.east, shape.south, shape.north]))
    case "circle":
      return kindBytes(CIRCLE, doubles([shape.longitude, shape.latitude, shape.radius]))
    case "collection":
      return kindBytes(COLLECTION, Buffer.concat([Buffer.of(0), listBytes(shape.shapes.map(memberBytes))]))
    case "other":
      throw new Error("A collection has a shape of an unknown form")
    default:
      return kindBytes(MEMBER_GEOMETRY, geometryBytes(shape))
  }
}

const kindBytes = (kind: number, body: Buffer): Buffer => Buffer.concat([Buffer.of(kind), body])
