import {
  Binding,
  Bytecode,
  Instruction,
  Lambda,
  type StrategySpec,
  Traverser
} from "../../process/language/Bytecode.ts"
import { BulkSet, GremlinMap } from "../../structure/Collections.ts"
import { parseDate } from "../../structure/Dates.ts"
import { parseDecimal } from "../../structure/Decimal.ts"
import { parseDuration } from "../../structure/Durations.ts"
import { type EnumName, enums } from "../../structure/Enums.ts"
import type { Geoshape } from "../../structure/Geoshape.ts"
import { BigInteger, Byte, isInt, Short } from "../../structure/Numbers.ts"
import { beginning } from "../../structure/StoreErrors.ts"
import { Char, ClassName, type TemporalName, Timestamp, Uuid } from "../../structure/Temporal.ts"
import { readEnum } from "../EnumNames.ts"
import { shapeOfGeometry } from "../Geometries.ts"
import { inetOfText } from "../Inet.ts"
import { predicateOfValue } from "../Predicates.ts"
import { strategyOf } from "../Strategies.ts"
import { temporalOfText } from "../TemporalFields.ts"
import { canonicalUuid } from "../Uuid.ts"
import { elementReaders } from "./ElementReaders.ts"
import type { GraphSONValues } from "./GraphSONValues.ts"

/** Reads the "@value" of one type. */
type TypeReader = (json: GraphSONValues) => unknown

/** Members of an object of a type that has a few: they are read at once. */
const mostMembers = 1_000

/** Reads the members of an object: each is handed to `member`, which must read its value. */
const readMembers = (json: GraphSONValues, member: (name: string) => void): void => {
  if (!json.openObject()) return
  let count = 0
  do {
    if (++count > mostMembers) json.fail(`The object of a type has more than ${mostMembers} members`)
    member(json.memberName())
  } while (json.moreMembers())
}

const uuid: TypeReader = (json) => {
  const text = json.string()
  const canonical = canonicalUuid(text)
  if (canonical === undefined) return json.fail(`'${beginning(text, 60)}' is no UUID`)
  return new Uuid(canonical)
}

const millis = (json: GraphSONValues): number => {
  const value = Number(json.long())
  if (!Number.isSafeInteger(value)) json.fail("The date is too far from 1970")
  return value
}

const bulkSet: TypeReader = (json) => {
  const set = new BulkSet()
  if (!json.openArray()) return set
  const loop = json.slices?.enter(json.position, set, json.position, 0)
  const found = (loop?.items ?? set) as BulkSet
  if (loop !== undefined) json.position = loop.position
  let read = (loop?.state ?? 0) as number
  if (read === 0 || json.moreElements()) {
    do {
      const value = json.value()
      if (!json.moreElements()) json.fail("A g:BulkSet has a value without its count")
      found.add(value, count(json, json.value()))
      json.slices?.step(json.position, ++read)
    } while (json.moreElements())
  }
  json.slices?.leave(read)
  return found
}

const count = (json: GraphSONValues, value: unknown): number => {
  const number = typeof value === "bigint" ? Number(value) : value
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number
  json.fail("A count is no whole number from 0 on")
}

/** An object of predicate name and value; what a value means depends on the name. */
const predicate: TypeReader = (json) => {
  let name: unknown
  let value: unknown = null
  readMembers(json, (member) => {
    if (member === "predicate") name = json.value()
    else if (member === "value") value = json.value()
    else json.skip()
  })
  if (typeof name !== "string") return json.fail("A predicate has no name")
  return predicateOfValue(name, value)
}

const lambda: TypeReader = (json) => {
  let script: unknown
  let language: unknown = "gremlin-groovy"
  let argumentCount: unknown = -1
  readMembers(json, (member) => {
    if (member === "script") script = json.value()
    else if (member === "language") language = json.value()
    else if (member === "arguments") argumentCount = json.value()
    else json.skip()
  })
  if (typeof script !== "string") return json.fail("A g:Lambda has no script")
  if (typeof language !== "string") return json.fail("The language of a g:Lambda is no text")
  if (typeof argumentCount !== "number" || !isInt(argumentCount))
    return json.fail("The number of arguments of a g:Lambda is no Int32")
  return new Lambda(script, language, argumentCount)
}

const binding: TypeReader = (json) => {
  let key: unknown
  let value: unknown = null
  readMembers(json, (member) => {
    if (member === "key") key = json.value()
    else if (member === "value") value = json.value()
    else json.skip()
  })
  if (typeof key !== "string") return json.fail("A g:Binding has no key")
  return new Binding(key, value)
}

const traverser: TypeReader = (json) => {
  let bulk = 1
  let value: unknown = null
  readMembers(json, (member) => {
    if (member === "bulk") bulk = count(json, json.value())
    else if (member === "value") value = json.value()
    else json.skip()
  })
  return new Traverser(value, bulk)
}

const noInstructions: readonly Instruction[] = []

const instructions = (json: GraphSONValues): readonly Instruction[] => {
  json.peek()
  const key = json.position
  if (!json.openArray()) return noInstructions
  const loop = json.slices?.enter(key, [], json.position, null)
  const found = (loop?.items ?? []) as Array<Instruction>
  if (loop !== undefined) json.position = loop.position
  if (found.length === 0 || json.moreElements()) {
    do {
      found.push(instruction(json))
      json.slices?.step(json.position, null)
    } while (json.moreElements())
  }
  json.slices?.leave(found.length)
  return found
}

const instruction = (json: GraphSONValues): Instruction => {
  if (!json.openArray()) json.fail("An instruction has no name")
  const name = json.string()
  const loop = json.slices?.enter(json.position, [], json.position, null)
  const args = (loop?.items ?? []) as Array<unknown>
  if (loop !== undefined) json.position = loop.position
  while (json.moreElements()) {
    args.push(json.value())
    json.slices?.step(json.position, null)
  }
  json.slices?.leave(args.length)
  return new Instruction(name, args)
}

const bytecode: TypeReader = (json) => {
  let source = noInstructions
  let step = noInstructions
  if (!json.openObject()) return new Bytecode(source, step)
  do {
    const member = json.memberName()
    if (member === "step") step = instructions(json)
    else if (member === "source") source = instructions(json)
    else json.skip()
  } while (json.moreMembers())
  return new Bytecode(source, step)
}

/** A strategy in the form of 3.8, {fqcn, conf}, or in the older one, which is the configuration itself. */
export const strategyReader = (json: GraphSONValues, name: string): StrategySpec => {
  const map = json.peek() === 123 ? json.map() : json.value()
  if (!(map instanceof GremlinMap)) return json.fail(`The configuration of ${name} is no map`)
  const configuration = map.get("conf")
  const className = map.get("fqcn")
  if (typeof className !== "string" || map.size > 2) return strategyOf(name, map)
  return strategyOf(
    name === "TraversalStrategy" ? className : name,
    configuration instanceof GremlinMap ? configuration : new GremlinMap()
  )
}

/** The date or time of this type with a text. */
export const readTemporal = (name: string, text: string): unknown => {
  if (name === "OffsetDateTime") return parseDate(text)
  return name === "Duration" ? parseDuration(text) : temporalOfText(name as TemporalName, text)
}

const temporals = ["OffsetDateTime", "Duration", "Instant", "LocalDate", "LocalDateTime", "LocalTime", "MonthDay"]
  .concat(["OffsetTime", "Period", "Year", "YearMonth", "ZonedDateTime", "ZoneOffset"])
  .map((name): [string, TypeReader] => [`gx:${name}`, (json) => readTemporal(name, json.string())])

const enumReaders = Object.keys(enums).map((name): [string, TypeReader] => [
  `g:${name}`,
  (json) => readEnum(name as EnumName, json.string())
])

const char: TypeReader = (json) => {
  const text = json.string()
  if (text.length === 0 || text.length > 2 || text.length !== String.fromCodePoint(text.codePointAt(0)!).length) {
    json.fail("A gx:Char is not one character")
  }
  return new Char(text)
}

const byteBuffer: TypeReader = (json) => {
  const text = json.string()
  const bytes = Buffer.alloc(Math.floor((text.length / 4) * 3))
  let read = { bytes, length: 0 }
  const loop = text.length > BASE64_AT_ONCE ? json.slices?.enter(json.position + BEHIND, read, 0, 0) : undefined
  if (loop !== undefined) read = loop.items as typeof read
  for (let from = (loop?.state ?? 0) as number; from < text.length; ) {
    const part = text.slice(from, from + BASE64_AT_ONCE)
    from += part.length
    if (!(from < text.length ? base64 : base64AtEnd).test(part)) json.fail("A gx:ByteBuffer is not in base64")
    read.length += read.bytes.write(part, read.length, "base64")
    if (loop !== undefined) json.slices!.part(json.position + from / text.length, from)
  }
  if (loop !== undefined) json.slices!.done(text.length)
  return new Uint8Array(read.bytes.buffer, read.bytes.byteOffset, read.length)
}

/** Characters of base64, which are groups of four, that are read in one piece. */
const BASE64_AT_ONCE = 65_536
/** What tells the work on a text, of which all is read, from what else begins at the same place. */
const BEHIND = 0.25
const base64 = /^[A-Za-z0-9+/]*$/
const base64AtEnd = /^[A-Za-z0-9+/]*={0,2}$/

/** JanusGraph's id of an edge or property: carried as its text. */
const relationIdentifier: TypeReader = (json) => {
  let id: unknown
  readMembers(json, (member) => {
    if (member === "relationId") id = json.value()
    else json.skip()
  })
  if (typeof id !== "string") return json.fail("A relation identifier has no text")
  return id
}

/** JanusGraph's shape: the coordinates of a point, or a geometry of GeoJSON. */
const geoshape: TypeReader = (json) => {
  let shape: Geoshape | undefined
  try {
    readMembers(json, (member) => {
      const value = json.value()
      if (member === "coordinates") shape = shapeOfGeometry("Point", value, undefined)
      else if (value instanceof GremlinMap) {
        shape = shapeOfGeometry(value.get("type"), value.get("coordinates"), value.get("radius"))
      }
    })
  } catch (error) {
    if (error instanceof RangeError) json.fail(`A janusgraph:Geoshape cannot be read: ${error.message}`)
    throw error
  }
  return shape ?? json.fail("A janusgraph:Geoshape has neither coordinates nor a geometry")
}

/** What each type name of GraphSON 2 and 3 reads. Strategies are read by the ending of their name instead. */
export const typeReaders: ReadonlyMap<string, TypeReader> = new Map<string, TypeReader>([
  ["g:Int32", (json) => json.smallInteger(-2_147_483_648, 2_147_483_647)],
  ["g:Int64", (json) => json.long()],
  ["g:Double", (json) => json.double()],
  ["g:Float", (json) => json.float()],
  ["gx:Byte", (json) => new Byte(json.smallInteger(-128, 255))],
  ["gx:Int16", (json) => new Short(json.smallInteger(-32_768, 32_767))],
  ["gx:BigInteger", (json) => new BigInteger(json.bigInteger())],
  ["gx:BigDecimal", (json) => parseDecimal(json.decimalText())],
  ["g:List", (json) => json.list()],
  ["g:Set", (json) => json.set()],
  ["g:Map", (json) => json.map()],
  ["g:BulkSet", bulkSet],
  ["g:UUID", uuid],
  ["g:Date", (json) => new Timestamp(millis(json))],
  ["g:Timestamp", (json) => new Timestamp(millis(json), true)],
  ["g:Class", (json) => new ClassName(json.string())],
  ["gx:Char", char],
  ["gx:ByteBuffer", byteBuffer],
  ["gx:InetAddress", (json) => inetOfText(json.string())],
  ["g:P", predicate],
  ["g:TextP", predicate],
  ["g:Lambda", lambda],
  ["g:Binding", binding],
  ["g:Bytecode", bytecode],
  ["g:Traverser", traverser],
  ["janusgraph:Geoshape", geoshape],
  ["janusgraph:JanusGraphP", predicate],
  ["janusgraph:RelationIdentifier", relationIdentifier],
  ...temporals,
  ...enumReaders,
  ...elementReaders
])
