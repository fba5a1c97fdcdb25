import { PlaceCount } from "./PlaceCount.ts"
import { type Line, MAX_SHAPE_LEVELS, type Position, type Rings, type Shape } from "./Shape.ts"

/**
 * Shapes as well-known text, which has the longitude first, with the additions of JanusGraph: `ENVELOPE (west, east, north, south)`
 * is a box, and `BUFFER (POINT (longitude latitude), degrees)` a circle.
 */

/** The text of a shape. */
export const shapeText = (shape: Shape): string => {
  switch (shape.kind) {
    case "point":
      return `POINT (${shape.longitude} ${shape.latitude})`
    case "box":
      return `ENVELOPE (${shape.west}, ${shape.east}, ${shape.north}, ${shape.south})`
    case "circle":
      return `BUFFER (POINT (${shape.longitude} ${shape.latitude}), ${shape.radius})`
    case "line":
      return `LINESTRING ${lineText(shape.points)}`
    case "polygon":
      return `POLYGON ${ringsText(shape.rings)}`
    case "multipoint":
      return `MULTIPOINT ${listText(shape.points.map((place) => `(${placeText(place)})`))}`
    case "multiline":
      return `MULTILINESTRING ${listText(shape.lines.map(lineText))}`
    case "multipolygon":
      return `MULTIPOLYGON ${listText(shape.polygons.map(ringsText))}`
    case "collection":
      return `GEOMETRYCOLLECTION ${shape.shapes.length === 0 ? "EMPTY" : `(${shape.shapes.map(shapeText).join(",")})`}`
    default:
      return `SHAPE (${Buffer.from(shape.bytes).toString("hex")})`
  }
}

const placeText = ([longitude, latitude]: Position): string => `${longitude} ${latitude}`
const listText = (parts: ReadonlyArray<string>): string => (parts.length === 0 ? "EMPTY" : `(${parts.join(", ")})`)
const lineText = (line: Line): string => listText(line.map(placeText))
const ringsText = (rings: Rings): string => listText(rings.filter(({ length }) => length > 0).map(lineText))

/** The shape of a text, before its check. Throws RangeError that names the position of what cannot be read. */
export const shapeOfText = (text: string): Shape => {
  const source = new Source(text)
  const shape = readShape(source, 0)
  source.end()
  return shape
}

const readShape = (source: Source, depth: number): Shape => {
  if (depth > MAX_SHAPE_LEVELS) source.fail(`at most ${MAX_SHAPE_LEVELS} collections in each other`)
  const name = source.name()
  switch (name) {
    case "POINT":
      return pointOf(source)
    case "LINESTRING":
      return { kind: "line", points: lineOf(source) }
    case "POLYGON":
      return { kind: "polygon", rings: source.list(() => lineOf(source)) }
    case "MULTIPOINT":
      return {
        kind: "multipoint",
        points: source.list(() => (source.sees("(") ? inBrackets(source) : placeOf(source)))
      }
    case "MULTILINESTRING":
      return { kind: "multiline", lines: source.list(() => lineOf(source)) }
    case "MULTIPOLYGON":
      return { kind: "multipolygon", polygons: source.list(() => source.list(() => lineOf(source))) }
    case "GEOMETRYCOLLECTION":
      return { kind: "collection", shapes: source.list(() => readShape(source, depth + 1)) }
    case "ENVELOPE":
      return boxOf(source)
    case "BUFFER":
      return circleOf(source, depth)
    default:
      return source.fail(`a shape such as POINT (7.45 46.95), not '${name.slice(0, 30)}'`)
  }
}

const pointOf = (source: Source): Shape => {
  if (source.isEmpty) return source.fail("a longitude and a latitude, which POINT EMPTY does not have,")
  const [longitude, latitude] = inBrackets(source)
  return { kind: "point", latitude, longitude }
}

const boxOf = (source: Source): Shape => {
  const [west, east, north, south, ...more] = source.list(() => source.halfPlace())
  if (west === undefined || east === undefined || north === undefined || south === undefined || more.length > 0) {
    return source.fail("the four numbers west, east, north and south of an ENVELOPE")
  }
  return { kind: "box", south, west, north, east }
}

const circleOf = (source: Source, depth: number): Shape => {
  source.take("(")
  const inner = readShape(source, depth + 1)
  if (inner.kind !== "point") return source.fail("a POINT in BUFFER: buffers around other shapes are not computed")
  source.take(",")
  const radius = source.number()
  source.take(")")
  if (!(radius >= 0 && radius <= 180)) return source.fail("the radius of a BUFFER in degrees, from 0 to 180")
  return { kind: "circle", latitude: inner.latitude, longitude: inner.longitude, radius }
}

const inBrackets = (source: Source): Position => {
  source.take("(")
  const place = placeOf(source)
  source.take(")")
  return place
}

const lineOf = (source: Source): Line => source.list(() => placeOf(source))

/** A longitude and a latitude. A height and a measure after them are left out, as JanusGraph does. */
const placeOf = (source: Source): Position => {
  const place: Position = [source.halfPlace(), source.halfPlace()]
  for (let more = 0; more < 2 && source.seesNumber(); more++) source.number()
  return place
}

/** A text and the position up to which it is read. */
class Source {
  readonly #text: string
  readonly #places = new PlaceCount()
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#skip(/\s*/y)
  }

  /** The name of a kind of shape, without the dimensions after it. */
  name(): string {
    const name = this.#skip(/[A-Za-z]+/y).toUpperCase()
    this.#skip(/\s*/y)
    this.#skip(/(?:ZM|Z|M)\b\s*/iy)
    return name
  }

  number(): number {
    const text = this.#skip(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy)
    if (text === "") this.fail("a number")
    this.#skip(/\s*/y)
    return Number(text)
  }

  /** A number that is a longitude or a latitude. */
  halfPlace(): number {
    this.#places.add(0.5)
    return this.number()
  }

  seesNumber(): boolean {
    return /[\d.+-]/.test(this.#text.charAt(this.#at))
  }

  sees(symbol: string): boolean {
    return this.#text.charAt(this.#at) === symbol
  }

  take(symbol: string): void {
    if (!this.sees(symbol)) this.fail(`'${symbol}'`)
    this.#at++
    this.#skip(/\s*/y)
  }

  /** True at EMPTY. */
  get isEmpty(): boolean {
    return /^EMPTY\b/i.test(this.#text.slice(this.#at, this.#at + 6))
  }

  /** A list in brackets, or EMPTY. */
  list<A>(read: () => A): ReadonlyArray<A> {
    if (this.#skip(/EMPTY\b\s*/iy) !== "") {
      this.#places.add(1)
      return []
    }
    this.take("(")
    const found = [read()]
    while (this.sees(",")) {
      this.take(",")
      found.push(read())
    }
    this.take(")")
    return found
  }

  end(): void {
    if (this.#at < this.#text.length) this.fail("the end of the text")
  }

  fail(expected: string): never {
    throw new RangeError(`well-known text needs ${expected} at character ${this.#at + 1}`)
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [found = ""] = pattern.exec(this.#text) ?? []
    this.#at += found.length
    return found
  }
}
