import { closest } from "../../../structure/characters/Spelling.ts"
import { BigDecimal, BigInteger, Byte, Float, LONG_MAX, LONG_MIN, Short } from "../../../structure/numbers/Numbers.ts"
import { ClassName } from "../../../structure/scalars/ClassNames.ts"
import { Duration, Temporal } from "../../../structure/times/Temporal.ts"
import { calendarConstants } from "../dates/Calendars.ts"
import { daysOfWeek, months } from "../dates/DateConstants.ts"
import { DateTimeFormatter } from "../dates/DateFormats.ts"
import { isoFormats } from "../dates/IsoFormats.ts"
import { UTC } from "../dates/Zones.ts"
import { roundingNumbers } from "../numbers/RoundingConstants.ts"
import { base64Parts } from "../texts/Base64Text.ts"
import { enumConstants, roundingConstants } from "../types/EnumConstants.ts"
import { standardCharsets } from "../values/Charsets.ts"
import { OperandError } from "../values/OperandErrors.ts"

type Constants = { readonly [name: string]: unknown }

const infinities = {
  POSITIVE_INFINITY: Number.POSITIVE_INFINITY,
  NEGATIVE_INFINITY: Number.NEGATIVE_INFINITY,
  NaN: Number.NaN
}

/** Constants of Java's classes that scripts may read, by class. */
const constants: { readonly [className: string]: Constants } = {
  Byte: { MIN_VALUE: new Byte(-128), MAX_VALUE: new Byte(127) },
  Short: { MIN_VALUE: new Short(-32768), MAX_VALUE: new Short(32767) },
  Integer: { MIN_VALUE: -2147483648, MAX_VALUE: 2147483647 },
  Long: { MIN_VALUE: LONG_MIN, MAX_VALUE: LONG_MAX },
  Float: {
    MIN_VALUE: new Float(1.401298464324817e-45),
    MAX_VALUE: new Float(3.4028234663852886e38),
    POSITIVE_INFINITY: new Float(Number.POSITIVE_INFINITY),
    NEGATIVE_INFINITY: new Float(Number.NEGATIVE_INFINITY),
    NaN: new Float(Number.NaN)
  },
  Double: { MIN_VALUE: Number.MIN_VALUE, MAX_VALUE: Number.MAX_VALUE, ...infinities },
  Base64: base64Parts,
  StandardCharsets: standardCharsets,
  Boolean: { TRUE: true, FALSE: false },
  BigDecimal: {
    ...{ ZERO: new BigDecimal(0n, 0), ONE: new BigDecimal(1n, 0), TEN: new BigDecimal(10n, 0) },
    ...roundingNumbers
  },
  BigInteger: { ZERO: new BigInteger(0n), ONE: new BigInteger(1n), TWO: new BigInteger(2n), TEN: new BigInteger(10n) },
  RoundingMode: Object.fromEntries(roundingConstants.map((mode) => [mode.name, mode])),
  Math: { PI: Math.PI, E: Math.E },
  Duration: { ZERO: new Duration(0n, 0) },
  PageRankVertexProgram: { PAGE_RANK: "gremlin.pageRankVertexProgram.pageRank" },
  PeerPressureVertexProgram: { CLUSTER: "gremlin.peerPressureVertexProgram.cluster" },
  ConnectedComponentVertexProgram: { COMPONENT: "gremlin.connectedComponentVertexProgram.component" },
  ShortestPathVertexProgram: { SHORTEST_PATHS: "gremlin.shortestPathVertexProgram.shortestPaths" },
  GraphComputer: { Persist: new ClassName("Persist"), ResultGraph: new ClassName("ResultGraph") },
  ScanMetrics: { Metric: new ClassName("Metric") },
  ScriptContext: { ENGINE_SCOPE: 100, GLOBAL_SCOPE: 200 },
  Instant: { EPOCH: new Temporal("Instant", "1970-01-01T00:00:00Z") },
  Calendar: calendarConstants,
  GregorianCalendar: calendarConstants,
  LocalDate: { EPOCH: new Temporal("LocalDate", "1970-01-01") },
  ZoneOffset: { UTC },
  DayOfWeek: Object.fromEntries(daysOfWeek.map((day) => [day.name, day])),
  Month: Object.fromEntries(months.map((month) => [month.name, month])),
  DateTimeFormatter: Object.fromEntries(isoFormats.map((name) => [name, new DateTimeFormatter(name)]))
}

/** Constants of units and of the enumerations whose values scripts compare: a comparison with an unknown constant would always be false. */
const checked: { readonly [className: string]: readonly string[] } = Object.fromEntries(
  ["TimeUnit", "ChronoUnit", "SchemaStatus", "ConsistencyModifier", "Text", "Geo"].map((name) => [
    name,
    enumConstants[name]!
  ])
)

/** Classes of enumerations of the server, whose constants the server itself checks. */
const enumerations: ReadonlySet<string> = new Set([
  ...["Multiplicity", "SchemaAction", "SchemaStatus", "ConsistencyModifier", "Mapping", "TokenField"],
  ...["Cmp", "Contain", "Metric", "RelationType", "Parameter", "ManagementSystem"],
  ...["ParameterType", "Persist", "ResultGraph"]
])

/** The constant `className.name`; undefined for one of an enumeration. Fails with OperandError for an unknown one. */
export const classConstant = (className: string, name: string): unknown => {
  const known = Object.hasOwn(constants, className) ? constants[className]! : {}
  if (Object.hasOwn(known, name)) return known[name]
  const names = Object.hasOwn(checked, className) ? checked[className]! : []
  if (names.includes(name) || (enumerations.has(className) && names.length === 0)) return undefined
  const near = closest(name, [...Object.keys(known), ...names])
  throw new OperandError(
    `${className} has no constant ${name} in scripts${near === undefined ? "" : `. Did you mean ${className}.${near}?`}`
  )
}
