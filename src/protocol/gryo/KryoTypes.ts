import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { BigDecimal, BigInteger, Byte, double, Float, Short } from "../../structure/numbers/Numbers.ts"
import { Char } from "../../structure/scalars/Char.ts"
import { Uuid } from "../../structure/scalars/Uuid.ts"
import { dateOfFields } from "../../structure/times/Dates.ts"
import { durationOfNanos } from "../../structure/times/Durations.ts"
import { type Temporal, type TemporalName, Timestamp } from "../../structure/times/Temporal.ts"
import { bigIntegerOfBytes } from "../graphbinary/BigIntegers.ts"
import { inetOfText } from "../Inet.ts"
import { ProtocolError } from "../ProtocolError.ts"
import { type TemporalFields, temporalFields, temporalOfFields } from "../TemporalFields.ts"
import { uuidOfBytes } from "../Uuid.ts"
import type { KryoInput } from "./KryoInput.ts"

/** A reader of objects, as the functions that read one type need it. */
export interface KryoObjects {
  readonly input: KryoInput
  /** An object that comes after its class. */
  classAndObject(): unknown
  /** An object of a known type. */
  object(type: number): unknown
}

/** Reads objects of one class. */
export interface KryoType {
  /** True for classes whose objects have numbers: all except primitive types. */
  readonly referenced: boolean
  /** `early` registers the object before its parts are read. */
  readonly read: (reader: KryoObjects, early: (object: unknown) => void) => unknown
}

/** Ids of classes that other code uses. */
export const STRING = 1
export const BOOLEAN = 3
export const INTEGER = 0
export const HASH_MAP = 11
const LOCAL_DATE_TIME = 96
const LOCAL_TIME = 97
const ZONE_OFFSET = 105
const ARRAY_LIST = 10

const primitive = (read: KryoType["read"]): KryoType => ({ referenced: false, read })
const numbered = (read: KryoType["read"]): KryoType => ({ referenced: true, read })

const list = numbered((reader, early) => {
  const items: Array<unknown> = []
  early(items)
  for (let left = reader.input.varInt(); left > 0; left--) items.push(reader.classAndObject())
  return items
})

const set = numbered((reader, early) => {
  const items = new GremlinSet()
  early(items)
  for (let left = reader.input.varInt(); left > 0; left--) items.add(reader.classAndObject())
  return items
})

const map = numbered((reader, early) => {
  const entries = new GremlinMap()
  early(entries)
  for (let left = reader.input.varInt(); left > 0; left--) {
    const key = reader.classAndObject()
    entries.set(key, reader.classAndObject())
  }
  return entries
})

const bigInteger = ({ input }: KryoObjects): bigint => {
  const bytes = Buffer.from(input.bytes(Math.max(0, input.varInt() - 1)))
  return bigIntegerOfBytes(bytes, 0, bytes.length)
}

const timestamp = (sql: boolean): KryoType => numbered(({ input }) => new Timestamp(input.varLong(), sql))

// The types of java.time.

const fields = (some: Partial<TemporalFields>): TemporalFields => ({
  year: 0,
  month: 0,
  day: 0,
  nanoOfDay: 0n,
  offsetSeconds: 0,
  epochSeconds: 0n,
  nanos: 0,
  ...some
})

const temporal = (name: TemporalName, read: (reader: KryoObjects) => Partial<TemporalFields>): KryoType =>
  numbered((reader) => temporalOfFields(name, fields(read(reader))))

const dateOfEpochDay = (day: bigint): Partial<TemporalFields> => {
  const date = new Date(Number(day) * 86_400_000)
  if (Number.isNaN(date.getTime())) throw new ProtocolError(`the day ${day} is out of the range of dates`)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Year, month, day, hour, minute, second, nanosecond, each an Int. */
const dateAndTime = ({ input }: KryoObjects): Partial<TemporalFields> => {
  const [year, month, day, hour, minute, second, nano] = [0, 0, 0, 0, 0, 0, 0].map(() => input.int())
  const seconds = hour! * 3600 + minute! * 60 + second!
  return { year: year!, month: month!, day: day!, nanoOfDay: BigInt(seconds) * 1_000_000_000n + BigInt(nano!) }
}

const offsetOf = (reader: KryoObjects): number =>
  temporalFields("ZoneOffset", (reader.object(ZONE_OFFSET) as Temporal).text).offsetSeconds

const times: ReadonlyArray<readonly [number, KryoType]> = [
  [93, numbered(({ input }) => durationOfNanos(input.long()))],
  [94, temporal("Instant", ({ input }) => ({ epochSeconds: input.long(), nanos: input.int() }))],
  [95, temporal("LocalDate", ({ input }) => dateOfEpochDay(input.long()))],
  [LOCAL_DATE_TIME, temporal("LocalDateTime", dateAndTime)],
  [LOCAL_TIME, temporal("LocalTime", ({ input }) => ({ nanoOfDay: input.long() }))],
  [98, temporal("MonthDay", ({ input }) => ({ month: input.int(), day: input.int() }))],
  [
    99,
    numbered((reader) => {
      const local = temporalFields("LocalDateTime", (reader.object(LOCAL_DATE_TIME) as Temporal).text)
      return dateOfFields(local, offsetOf(reader))
    })
  ],
  [
    100,
    temporal("OffsetTime", (reader) => {
      const { nanoOfDay } = temporalFields("LocalTime", (reader.object(LOCAL_TIME) as Temporal).text)
      return { nanoOfDay, offsetSeconds: offsetOf(reader) }
    })
  ],
  [101, temporal("Period", ({ input }) => ({ year: input.int(), month: input.int(), day: input.int() }))],
  [102, temporal("Year", ({ input }) => ({ year: input.int() }))],
  [103, temporal("YearMonth", ({ input }) => ({ year: input.int(), month: input.int() }))],
  [
    104,
    temporal("ZonedDateTime", (reader) => {
      const local = dateAndTime(reader)
      return { ...local, offsetSeconds: temporalFields("ZoneOffset", reader.input.text()).offsetSeconds }
    })
  ],
  [ZONE_OFFSET, temporal("ZoneOffset", ({ input }) => temporalFields("ZoneOffset", input.text()))]
]

/** Classes of properties and ids by their numbers, which are the same in Gryo 1 and 3. */
export const kryoTypes: ReadonlyMap<number, KryoType> = new Map<number, KryoType>([
  [INTEGER, primitive(({ input }) => input.signedVarInt())],
  [STRING, numbered(({ input }) => input.string())],
  [2, primitive(({ input }) => new Float(input.float()))],
  [BOOLEAN, primitive(({ input }) => input.boolean())],
  [4, primitive(({ input }) => new Byte(input.byte()))],
  [5, primitive(({ input }) => new Char(input.char()))],
  [6, primitive(({ input }) => new Short(input.short()))],
  [7, primitive(({ input }) => input.signedVarLong())],
  [8, primitive(({ input }) => double(input.double()))],
  [ARRAY_LIST, list],
  [HASH_MAP, map],
  [17, numbered(({ input }) => new Uuid(uuidOfBytes(input.bytes(16), 0)))],
  [23, numbered((reader) => new GremlinMap([[reader.classAndObject(), reader.classAndObject()]]))],
  [24, numbered((reader) => [reader.classAndObject()])],
  [25, numbered(({ input }) => input.bytes(Math.max(0, input.varInt() - 1)))],
  [34, numbered((reader) => new BigInteger(bigInteger(reader)))],
  [35, numbered((reader) => new BigDecimal(bigInteger(reader), reader.input.signedVarInt()))],
  [38, timestamp(false)],
  [47, map],
  [51, numbered(() => [])],
  [52, numbered(() => new GremlinMap())],
  [53, numbered(() => new GremlinSet())],
  [54, numbered((reader) => new GremlinSet([reader.classAndObject()]))],
  [62, set],
  [71, set],
  [116, list],
  [134, numbered((reader) => reader.object(ARRAY_LIST))],
  [161, timestamp(true)],
  [162, numbered(({ input }) => inetOfText(input.text()))],
  [163, numbered(({ input }) => input.bytes(input.int()))],
  ...times
])
