import { BulkSet, GremlinMap } from "../../structure/collections/Collections.ts"
import { beginning } from "../../structure/errors/TaggedError.ts"
import { shapeOfGeometry } from "../../structure/geoshapes/Geometries.ts"
import type { Geoshape } from "../../structure/geoshapes/Geoshape.ts"
import { parseDecimal } from "../../structure/numbers/Decimal.ts"
import { BigInteger, Byte, double, Float, Short } from "../../structure/numbers/Numbers.ts"
import { Char } from "../../structure/scalars/Char.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import { type EnumName, enums } from "../../structure/scalars/Enums.ts"
import { Uuid } from "../../structure/scalars/Uuid.ts"
import { parseRealDate } from "../../structure/times/Dates.ts"
import { parseDuration } from "../../structure/times/Durations.ts"
import { type TemporalName, Timestamp } from "../../structure/times/Temporal.ts"
import { readEnum } from "../EnumNames.ts"
import { inetOfText } from "../Inet.ts"
import { readBigInteger, readDecimalText, readFloatingPoint, readLong, readSmallInteger } from "../json/JsonNumbers.ts"
import { skipValue } from "../json/ValueSkip.ts"
import { temporalOfText } from "../TemporalFields.ts"
import { canonicalUuid } from "../Uuid.ts"
import { elementReaders } from "./ElementReaders.ts"
import {
  countOf,
  readBinding,
  readBytecode,
  readFewMembers,
  readLambda,
  readPredicate,
  readTraverser
} from "./LanguageReaders.ts"
import { readElements, type ValueReader } from "./ValueReader.ts"

/** Reads the "@value" of one type. */
type TypeReader = (reader: ValueReader) => unknown

const uuid: TypeReader = (reader) => {
  const text = reader.json.string()
  const canonical = canonicalUuid(text)
  if (canonical === undefined) return reader.json.fail(`'${beginning(text, 60)}' is no UUID`)
  return new Uuid(canonical)
}

const bulkSet: TypeReader = (reader) => {
  const set = new BulkSet()
  return reader.json.openArray() ? readElements(reader, set, addCounted) : set
}

/** Reads a value and its count, which are two elements of an array. */
const addCounted = (reader: ValueReader, set: BulkSet): void => {
  const value = reader.value()
  if (!reader.json.moreElements()) reader.json.fail("A g:BulkSet has a value without its count")
  set.add(value, countOf(reader, reader.value()))
}

/** The date or time of a java.time class with this text. */
export const readTemporal = (name: string, text: string): unknown => {
  if (name === "OffsetDateTime") return parseRealDate(text)
  return name === "Duration" ? parseDuration(text) : temporalOfText(name as TemporalName, text)
}

const temporals = ["OffsetDateTime", "Duration", "Instant", "LocalDate", "LocalDateTime", "LocalTime", "MonthDay"]
  .concat(["OffsetTime", "Period", "Year", "YearMonth", "ZonedDateTime", "ZoneOffset"])
  .map((name): [string, TypeReader] => [`gx:${name}`, (reader) => readTemporal(name, reader.json.string())])

const enumReaders = Object.keys(enums).map((name): [string, TypeReader] => [
  `g:${name}`,
  (reader) => readEnum(name as EnumName, reader.json.string())
])

const char: TypeReader = (reader) => {
  const text = reader.json.string()
  if (text.length === 0 || text.length > 2 || text.length !== String.fromCodePoint(text.codePointAt(0)!).length) {
    reader.json.fail("A gx:Char is not one character")
  }
  return new Char(text)
}

/** Characters of base64 that are three bytes. */
const BASE64_GROUP_CHARS = 4

/** Characters of base64 that are decoded without looking at the clock: a multiple of four, the size of a group. */
const BASE64_CHUNK_CHARS = 65_536

/** Added to a position for the key of the loop that decodes a text, because other loops may begin at the same position. */
const DECODING_KEY_OFFSET = 0.25

const byteBuffer: TypeReader = (reader) => {
  const text = reader.json.string()
  // A text without its last characters would lose bytes. Jackson's reader needs the padding, too.
  if (text.length % BASE64_GROUP_CHARS !== 0) reader.json.fail("A gx:ByteBuffer is not in base64 with its padding")
  const bytes = Buffer.alloc((text.length / BASE64_GROUP_CHARS) * 3)
  let read = { bytes, length: 0 }
  const loop =
    text.length > BASE64_CHUNK_CHARS
      ? reader.json.slices?.enter(reader.json.position + DECODING_KEY_OFFSET, read, 0, 0)
      : undefined
  if (loop !== undefined) read = loop.items as typeof read
  for (let from = (loop?.state ?? 0) as number; from < text.length; ) {
    const part = text.slice(from, from + BASE64_CHUNK_CHARS)
    from += part.length
    if (!(from < text.length ? base64 : base64AtEnd).test(part)) reader.json.fail("A gx:ByteBuffer is not in base64")
    read.length += read.bytes.write(part, read.length, "base64")
    if (loop !== undefined) reader.json.slices!.part(reader.json.position + from / text.length, from)
  }
  if (loop !== undefined) reader.json.slices!.done(text.length)
  return new Uint8Array(read.bytes.buffer, read.bytes.byteOffset, read.length)
}

const base64 = /^[A-Za-z0-9+/]*$/
const base64AtEnd = /^[A-Za-z0-9+/]*={0,2}$/

/** JanusGraph's id of an edge or property. Its value is the text of the id, which is the member "value" in GraphSON 1. */
const relationIdentifier: TypeReader = (reader) => {
  let id: unknown
  readFewMembers(reader, (member) => {
    if (member === "relationId" || member === "value") id = reader.value()
    else skipValue(reader.json)
  })
  if (typeof id !== "string") return reader.json.fail("A relation identifier has no text")
  return id
}

/** JanusGraph's shape: the coordinates of a point, or a GeoJSON geometry. */
const geoshape: TypeReader = (reader) => {
  const members = new GremlinMap()
  readFewMembers(reader, (member) => members.set(member, reader.value()))
  return shapeOfMembers(reader, members)
}

/** The shape of an object with these members. */
export const shapeOfMembers = ({ json }: ValueReader, members: GremlinMap): Geoshape => {
  const coordinates = members.get("coordinates")
  const geometry = members.get("geometry")
  try {
    if (coordinates !== undefined) return shapeOfGeometry(pointAt(coordinates))
    if (geometry instanceof GremlinMap) return shapeOfGeometry(geometry)
  } catch (error) {
    if (error instanceof RangeError) json.fail(`A janusgraph:Geoshape cannot be read: ${error.message}`)
    throw error
  }
  return json.fail("A janusgraph:Geoshape has neither coordinates nor a geometry")
}

const pointAt = (coordinates: unknown): GremlinMap =>
  new GremlinMap([
    ["type", "Point"],
    ["coordinates", coordinates]
  ])

/** The reader of each type of GraphSON 2 and 3. Strategies are not in it: their names only have a common ending. */
export const typeReaders: ReadonlyMap<string, TypeReader> = new Map<string, TypeReader>([
  ["g:Int32", (reader) => readSmallInteger(reader.json, -2_147_483_648, 2_147_483_647)],
  ["g:Int64", (reader) => readLong(reader.json)],
  ["g:Double", (reader) => double(readFloatingPoint(reader.json))],
  ["g:Float", (reader) => new Float(readFloatingPoint(reader.json))],
  ["gx:Byte", (reader) => new Byte(readSmallInteger(reader.json, -128, 255))],
  ["gx:Int16", (reader) => new Short(readSmallInteger(reader.json, -32_768, 32_767))],
  ["gx:BigInteger", (reader) => new BigInteger(readBigInteger(reader.json))],
  ["gx:BigDecimal", (reader) => parseDecimal(readDecimalText(reader.json))],
  ["g:List", (reader) => reader.list()],
  ["g:Set", (reader) => reader.set()],
  ["g:Map", (reader) => reader.map()],
  ["g:BulkSet", bulkSet],
  ["g:UUID", uuid],
  ["g:Date", (reader) => new Timestamp(readLong(reader.json))],
  ["g:Timestamp", (reader) => new Timestamp(readLong(reader.json), true)],
  ["g:Class", (reader) => new ClassName(reader.json.string())],
  ["gx:Char", char],
  ["gx:ByteBuffer", byteBuffer],
  ["gx:InetAddress", (reader) => inetOfText(reader.json.string())],
  ["g:P", readPredicate],
  ["g:TextP", readPredicate],
  ["g:Lambda", readLambda],
  ["g:Binding", readBinding],
  ["g:Bytecode", readBytecode],
  ["g:Traverser", readTraverser],
  ["janusgraph:Geoshape", geoshape],
  ["janusgraph:JanusGraphP", readPredicate],
  ["janusgraph:RelationIdentifier", relationIdentifier],
  ...temporals,
  ...enumReaders,
  ...elementReaders
])
