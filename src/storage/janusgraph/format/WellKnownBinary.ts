import type { Line, Position, Rings, Shape } from "../../../structure/geoshapes/Shape.ts"

/**
 * Lines, polygons and multi-shapes in well-known binary, as JanusGraph stores them: big-endian, two doubles for each place, the
 * longitude first. A shape has no byte that names the order of the bytes, but the members of a multi-shape have it.
 */

const BIG_ENDIAN = 0
const POINT = 1
const LINE = 2
const POLYGON = 3
const MULTIPOINT = 4
const MULTILINE = 5
const MULTIPOLYGON = 6

/** The kinds of shapes that are stored in this form. */
type Geometry = Extract<Shape, { kind: "line" | "polygon" | "multipoint" | "multiline" | "multipolygon" }>

/** Bytes that are read one after another. Reads past the end throw RangeError. */
export class Cursor {
  readonly #view: DataView
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at === this.#view.byteLength
  }

  byte(): number {
    return this.#view.getUint8(this.at++)
  }

  int(): number {
    this.at += 4
    return this.#view.getInt32(this.at - 4)
  }

  double(): number {
    this.at += 8
    return this.#view.getFloat64(this.at - 8)
  }

  /** As many values as the number before them says. */
  list<A>(read: () => A): ReadonlyArray<A> {
    const values: Array<A> = []
    for (let left = this.int(); left > 0; left--) values.push(read())
    return values
  }
}

/** Reads a geometry; undefined for one of another form. Throws RangeError when the bytes end too early. */
export const readGeometry = (cursor: Cursor): Geometry | undefined => {
  switch (cursor.int()) {
    case LINE:
      return { kind: "line", points: readLine(cursor) }
    case POLYGON:
      return { kind: "polygon", rings: readRings(cursor) }
    case MULTIPOINT:
      return { kind: "multipoint", points: cursor.list(() => member(cursor, POINT, readPlace)) }
    case MULTILINE:
      return { kind: "multiline", lines: cursor.list(() => member(cursor, LINE, readLine)) }
    case MULTIPOLYGON:
      return { kind: "multipolygon", polygons: cursor.list(() => member(cursor, POLYGON, readRings)) }
    default:
      return undefined
  }
}

const member = <A>(cursor: Cursor, type: number, read: (cursor: Cursor) => A): A => {
  if (cursor.byte() !== BIG_ENDIAN || cursor.int() !== type) throw new RangeError("a geometry has another member")
  return read(cursor)
}

const readPlace = (cursor: Cursor): Position => [cursor.double(), cursor.double()]
const readLine = (cursor: Cursor): Line => cursor.list(() => readPlace(cursor))
const readRings = (cursor: Cursor): Rings => cursor.list(() => readLine(cursor))

/** The bytes of a geometry. */
export const geometryBytes = (shape: Geometry): Buffer => {
  switch (shape.kind) {
    case "line":
      return headed(LINE, lineBytes(shape.points))
    case "polygon":
      return headed(POLYGON, ringsBytes(shape.rings))
    case "multipoint":
      return headed(MULTIPOINT, membersBytes(shape.points.map((place) => headed(POINT, doubles(place)))))
    case "multiline":
      return headed(MULTILINE, membersBytes(shape.lines.map((line) => headed(LINE, lineBytes(line)))))
    default:
      return headed(MULTIPOLYGON, membersBytes(shape.polygons.map((rings) => headed(POLYGON, ringsBytes(rings)))))
  }
}

const headed = (type: number, body: Buffer): Buffer => Buffer.concat([int(type), body])

const membersBytes = (members: ReadonlyArray<Buffer>): Buffer =>
  listBytes(members.map((each) => Buffer.concat([Buffer.of(BIG_ENDIAN), each])))

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** The bytes of doubles. */
export const doubles = (numbers: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(8 * numbers.length)
  numbers.forEach((number, at) => {
    bytes.writeDoubleBE(number, 8 * at)
  })
  return bytes
}

/** The bytes of a list: its length, and its members. */
export const listBytes = (members: ReadonlyArray<Uint8Array>): Buffer =>
  Buffer.concat([int(members.length), ...members])

const lineBytes = (line: Line): Buffer => Buffer.concat([int(line.length), doubles(line.flat())])
const ringsBytes = (rings: Rings): Buffer => listBytes(rings.map(lineBytes))
