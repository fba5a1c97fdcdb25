import { simpleName } from "../../structure/scalars/ClassNames.ts"
import { enums } from "../../structure/scalars/Enums.ts"
import { readTemporal } from "./TypeReaders.ts"

const className = /^(?:\[L)?(?:java|org|com|scala)\.[\w.$]+;?$/

const types: ReadonlyMap<string, string> = new Map([
  ["Integer", "g:Int32"],
  ["Long", "g:Int64"],
  ["Double", "g:Double"],
  ["Float", "g:Float"],
  ["Short", "gx:Int16"],
  ["Byte", "gx:Byte"],
  ["Character", "gx:Char"],
  ["BigInteger", "gx:BigInteger"],
  ["BigDecimal", "gx:BigDecimal"],
  ["UUID", "g:UUID"],
  ["Date", "g:Date"],
  ["Timestamp", "g:Timestamp"],
  ["Class", "g:Class"],
  ["HeapByteBuffer", "gx:ByteBuffer"],
  ["DirectByteBuffer", "gx:ByteBuffer"],
  ["InetAddress", "gx:InetAddress"],
  ["Inet4Address", "gx:InetAddress"],
  ["Inet6Address", "gx:InetAddress"],
  ["OffsetDateTime", "gx:OffsetDateTime"],
  ["Duration", "gx:Duration"],
  ["RelationIdentifier", "janusgraph:RelationIdentifier"],
  ["Geoshape", "janusgraph:Geoshape"],
  ...["Instant", "LocalDate", "LocalDateTime", "LocalTime", "MonthDay", "OffsetTime"].map(same),
  ...["Period", "Year", "YearMonth", "ZonedDateTime", "ZoneOffset"].map(same),
  ...Object.keys(enums).map((name): [string, string] => [name, `g:${name}`])
])

/** Types of the elements of Java's arrays, by the names of their classes. Elements of other arrays have types of their own. */
const elementTypes: ReadonlyMap<string, string> = new Map([
  ["[D", "g:Double"],
  ["[F", "g:Float"],
  ["[I", "g:Int32"],
  ["[J", "g:Int64"],
  ["[S", "gx:Int16"]
])

function same(name: string): [string, string] {
  return [name, `gx:${name}`]
}

/** Converts the Java class names of GraphSON 1 to the type names of later versions. */
export const ClassTypes = {
  /** The type of a Java class in GraphSON 2 and 3; undefined when the text is not the name of a known class. */
  typeOf(name: string): string | undefined {
    if (!className.test(name)) return undefined
    const simple = simpleName(name.replace(";", ""))
    const type = types.get(simple)
    if (type !== undefined) return type
    if (simple.endsWith("Set")) return "g:Set"
    return /List(?:N|12)?$|Collection$|^Object$/.test(simple) ? "g:List" : undefined
  },

  /** The type of the elements of an array of numbers of Java; undefined when the text is not the name of such an array. */
  elementOf: (name: string): string | undefined => elementTypes.get(name),

  /** Whether the text is the name of a class of JanusGraph. */
  isJanusGraph: (name: string): boolean => name.startsWith("org.janusgraph.") && className.test(name),

  /** The date or time of a type with this text. */
  temporal: (type: string, text: string): unknown => readTemporal(type.slice("gx:".length), text)
}
