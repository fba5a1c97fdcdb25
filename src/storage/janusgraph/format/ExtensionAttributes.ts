import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { BigDecimal, BigInteger } from "../../../structure/numbers/Numbers.ts"
import { InetAddress } from "../../../structure/scalars/InetAddress.ts"
import { OffsetDateTime, Temporal, type TemporalName, Timestamp } from "../../../structure/times/Temporal.ts"
import { type Attribute, type Form, plainAttribute } from "./Attribute.ts"
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import { StoredArray } from "./JavaValues.ts"
import { readString, writeString } from "./Strings.ts"

/**
 * Types of the Gremlin language for which JanusGraph has no serializer. Their numbers are in the range that JanusGraph
 * leaves to custom serializers (100 and more), above those that users configure. JanusGraph refuses to read such a
 * value.
 */
const FIRST_NUMBER = 20_000

/**
 * Reads and writes values with their types. Passed in, because the registry of types contains the types of this file.
 */
interface AnyForm {
  read(reader: ByteReader): unknown
  write(writer: ByteWriter, value: unknown): void
  accepts(value: unknown): boolean
}

const writeBigint = (writer: ByteWriter, value: bigint): void => {
  const negative = value < 0n
  const digits = (negative ? -value : value).toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex")
  writer.varint(bytes.length * 2 + (negative ? 1 : 0))
  writer.raw(bytes)
}

const readBigint = (reader: ByteReader): bigint => {
  const head = reader.count()
  const value = BigInt(`0x${Buffer.from(reader.take(Math.floor(head / 2))).toString("hex") || "0"}`)
  return head % 2 === 1 ? -value : value
}

const decimal: Form = {
  read: (reader) => {
    const unscaled = readBigint(reader)
    return new BigDecimal(unscaled, Number(reader.signed()))
  },
  write: (writer, value) => {
    const { unscaled, scale } = value as BigDecimal
    writeBigint(writer, unscaled)
    writer.signed(scale)
  }
}

const offsetDateTime: Form = {
  read: (reader) => {
    const millis = Number(reader.signed())
    const nanos = reader.count()
    return new OffsetDateTime(millis, nanos, Number(reader.signed()))
  },
  write: (writer, value) => {
    const { epochMillis, nanos, offsetSeconds } = value as OffsetDateTime
    writer.signed(epochMillis)
    writer.varint(nanos)
    writer.signed(offsetSeconds)
  }
}

const temporal: Form = {
  read: (reader) => {
    const name = readString(reader) as TemporalName
    return new Temporal(name, readString(reader) ?? "")
  },
  write: (writer, value) => {
    const { name, text } = value as Temporal
    writeString(writer, name)
    writeString(writer, text)
  }
}

const sqlTimestamp: Form = {
  read: (reader) => new Timestamp(reader.signed(), true),
  write: (writer, value) => writer.signed((value as Timestamp).distant ?? (value as Timestamp).epochMillis)
}

const inetAddress: Form = {
  read: (reader) => new InetAddress(Uint8Array.from(reader.take(reader.count()))),
  write: (writer, value) => {
    const { bytes } = value as InetAddress
    writer.varint(bytes.length)
    writer.raw(bytes)
  }
}

const collection = (any: AnyForm, make: (values: Array<unknown>) => Iterable<unknown>): Form => ({
  read: (reader) => {
    const values: Array<unknown> = []
    for (let left = reader.count(); left > 0; left--) values.push(any.read(reader))
    return make(values)
  },
  write: (writer, value) => {
    const values = [...(value as Iterable<unknown>)]
    writer.varint(values.length)
    for (const each of values) any.write(writer, each)
  }
})

const map = (any: AnyForm): Form => ({
  read: (reader) => {
    const found = new GremlinMap()
    for (let left = reader.count(); left > 0; left--) {
      const key = any.read(reader)
      found.set(key, any.read(reader))
    }
    return found
  },
  write: (writer, value) => {
    const entries = value as GremlinMap
    writer.varint(entries.size)
    for (const [key, each] of entries) {
      any.write(writer, key)
      any.write(writer, each)
    }
  }
})

/** The types of this file. */
export const extensionTypes = (any: AnyForm): ReadonlyArray<Attribute> => {
  const all = (values: Iterable<unknown>): boolean => {
    for (const value of values) if (value !== null && !any.accepts(value)) return false
    return true
  }
  const isMap = (value: unknown): boolean => value instanceof GremlinMap && all(value.keys()) && all(value.values())
  return [
    plainAttribute(
      FIRST_NUMBER,
      "BigInteger",
      {
        read: (reader) => new BigInteger(readBigint(reader)),
        write: (writer, value) => writeBigint(writer, (value as BigInteger).value)
      },
      (value) => value instanceof BigInteger
    ),
    plainAttribute(FIRST_NUMBER + 1, "BigDecimal", decimal, (value) => value instanceof BigDecimal),
    plainAttribute(FIRST_NUMBER + 2, "OffsetDateTime", offsetDateTime, (value) => value instanceof OffsetDateTime),
    plainAttribute(
      FIRST_NUMBER + 3,
      "Temporal",
      temporal,
      (value) => value instanceof Temporal && value.name !== "Instant"
    ),
    plainAttribute(FIRST_NUMBER + 4, "Timestamp", sqlTimestamp, (value) => value instanceof Timestamp && value.sql),
    plainAttribute(FIRST_NUMBER + 5, "InetAddress", inetAddress, (value) => value instanceof InetAddress),
    plainAttribute(
      FIRST_NUMBER + 6,
      "List",
      collection(any, (values) => values),
      (value) => Array.isArray(value) && !(value instanceof StoredArray) && all(value)
    ),
    plainAttribute(
      FIRST_NUMBER + 7,
      "Set",
      collection(any, (values) => new GremlinSet(values)),
      (value) => value instanceof GremlinSet && all(value)
    ),
    plainAttribute(FIRST_NUMBER + 8, "Map", map(any), isMap)
  ]
}
