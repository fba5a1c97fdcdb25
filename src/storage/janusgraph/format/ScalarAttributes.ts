import { Geoshape } from "../../../structure/Geoshape.ts"
import { BigDecimal, BigInteger, Byte, Double, double, Float, isInt, Short } from "../../../structure/Numbers.ts"
import { Char, Duration, OffsetDateTime, Temporal, Timestamp, Uuid } from "../../../structure/Temporal.ts"
import { type Attribute, type Form, plainAttribute } from "./Attribute.ts"
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import { readShape, writeShape } from "./Geoshapes.ts"
import { instantOf, partsOfInstant } from "./Instants.ts"
import { JsonText } from "./JavaValues.ts"
import { readOrderedString, readString, writeOrderedString, writeString } from "./Strings.ts"

const form = <A>(read: (reader: ByteReader) => A, write: (writer: ByteWriter, value: A) => void): Form => ({
  read,
  write: (writer, value) => write(writer, value as A)
})

const scratch = new DataView(new ArrayBuffer(8))

/** Eight bytes with the top bit flipped: sorts as the numbers do. */
const int64 = (reader: ByteReader): bigint => {
  const bytes = reader.take(8)
  for (let i = 0; i < 8; i++) scratch.setUint8(i, bytes[i]!)
  scratch.setUint8(0, bytes[0]! ^ 128)
  return scratch.getBigInt64(0)
}

const writeInt64 = (writer: ByteWriter, value: bigint): void => {
  const at = writer.room(8)
  writer.bytes.writeBigInt64BE(value, at)
  writer.bytes[at]! ^= 128
}

const int32 = form(
  (reader) => {
    const bytes = reader.take(4)
    return ((bytes[0]! ^ 128) << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!
  },
  (writer, value: number) => {
    const at = writer.room(4)
    writer.bytes.writeInt32BE(value, at)
    writer.bytes[at]! ^= 128
  }
)

/** Four bytes that sort as the numbers do; what enumerations sort by too. */
export const orderedInt32: Form = int32

const float32 = form(
  (reader) => {
    const bytes = reader.take(4)
    for (let i = 0; i < 4; i++) scratch.setUint8(i, bytes[i]!)
    return new Float(scratch.getFloat32(0))
  },
  (writer, value: Float) => {
    const at = writer.room(4)
    writer.bytes.writeFloatBE(value.value, at)
  }
)

const orderedFloat32 = form(
  (reader) => {
    const bits = int32.read(reader) as number
    scratch.setInt32(0, bits < 0 ? bits ^ 0x7fffffff : bits)
    return new Float(scratch.getFloat32(0))
  },
  (writer, value: Float) => {
    scratch.setFloat32(0, value.value)
    const bits = scratch.getInt32(0)
    int32.write(writer, bits < 0 ? bits ^ 0x7fffffff : bits)
  }
)

const plainDouble = (value: number | Double): number => (typeof value === "number" ? value : value.value)

const float64 = form(
  (reader) => {
    const bytes = reader.take(8)
    for (let i = 0; i < 8; i++) scratch.setUint8(i, bytes[i]!)
    return double(scratch.getFloat64(0))
  },
  (writer, value: number | Double) => {
    const at = writer.room(8)
    writer.bytes.writeDoubleBE(plainDouble(value), at)
  }
)

/** Sorts as the bits of the number, read as a signed integer, do after the negative ones were inverted. */
const orderedFloat64 = form(
  (reader) => {
    const bits = int64(reader)
    scratch.setBigInt64(0, bits < 0n ? bits ^ 0x7fffffffffffffffn : bits)
    return double(scratch.getFloat64(0))
  },
  (writer, value: number | Double) => {
    scratch.setFloat64(0, plainDouble(value))
    const bits = scratch.getBigInt64(0)
    writeInt64(writer, bits < 0n ? bits ^ 0x7fffffffffffffffn : bits)
  }
)

const milliseconds = form(
  (reader) => new Timestamp(Number(int64(reader))),
  (writer, value: Timestamp) => writeInt64(writer, BigInt(value.epochMillis))
)

const sixteenBytes = form(
  (reader) => {
    const hex = Buffer.from(reader.take(16)).toString("hex")
    const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
    return new Uuid(parts.join("-"))
  },
  (writer, value: Uuid) => {
    const at = writer.room(16)
    writer.bytes.write(value.text.replaceAll("-", ""), at, "hex")
  }
)

const seconds = (reader: ByteReader): { seconds: bigint; nanos: number } => ({
  seconds: int64(reader),
  nanos: Number(reader.signed())
})

const writeSeconds = (writer: ByteWriter, whole: bigint, nanos: number): void => {
  writeInt64(writer, whole)
  writer.signed(nanos)
}

const text = form(readString, (writer, value: string | null) => writeString(writer, value))

/** Any number without its kind; undefined for other values. Fractions of a BigDecimal stay. */
const numeric = (value: unknown): number | bigint | undefined => {
  if (typeof value === "number" || typeof value === "bigint") return value
  if (value instanceof Byte || value instanceof Short || value instanceof Float || value instanceof Double) {
    return value.value
  }
  if (value instanceof BigInteger) return value.value
  if (value instanceof BigDecimal) return Number(`${value.unscaled}e${-value.scale}`)
  if (typeof value !== "string" || value.trim() === "" || !/^[+-]?[\d.]+([eE][+-]?\d+)?$/.test(value)) return undefined
  return /^[+-]?\d+$/.test(value) ? BigInt(value.replace("+", "")) : Number(value)
}

/** A whole number of so many bits, by JanusGraph's rule: another kind of number, or its text, when nothing is lost. */
const integer = (value: unknown, bits: number): bigint | undefined => {
  const number = numeric(value)
  if (number === undefined || (typeof number === "number" && !Number.isInteger(number))) return undefined
  const whole = BigInt(number)
  return BigInt.asIntN(bits, whole) === whole ? whole : undefined
}

const mapped = <A, B>(value: A | undefined, make: (value: A) => B): B | undefined =>
  value === undefined ? undefined : make(value)

const asTimestamp = (value: unknown): Timestamp | undefined => {
  if (value instanceof OffsetDateTime) return new Timestamp(value.epochMillis)
  if (value instanceof Timestamp) return new Timestamp(value.epochMillis)
  return typeof value === "string" ? undefined : mapped(integer(value, 54), (millis) => new Timestamp(Number(millis)))
}

const asBoolean = (value: unknown): boolean | undefined => {
  if (value === "true" || value === "false") return value === "true"
  const number = typeof value === "string" ? undefined : numeric(value)
  return number === undefined ? undefined : Number(number) === 1 ? true : Number(number) === 0 ? false : undefined
}

const asText = (value: unknown): string | undefined => {
  if (typeof value === "boolean" || typeof value === "bigint") return String(value)
  if (typeof value === "number" && isInt(value)) return String(value)
  if (value instanceof Uuid || value instanceof Char) return value.text
  return undefined
}

const uuidText = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const json = (number: number, name: string, kind: "object" | "array"): Attribute =>
  plainAttribute(
    number,
    name,
    form(
      (reader) => mapped(readString(reader) ?? undefined, (found) => new JsonText(kind, found)) ?? null,
      (writer, value: JsonText | null) => writeString(writer, value?.text ?? null)
    ),
    (value) => value instanceof JsonText && value.kind === kind,
    { ownsNull: true, convert: (value) => (typeof value === "string" ? new JsonText(kind, value) : undefined) }
  )

const byteForm = form(
  (reader) => new Byte(reader.byte() - 128),
  (writer, value: Byte) => writer.byte(value.value + 128)
)
const shortForm = form(
  (reader) => new Short(((reader.byte() << 8) | reader.byte()) - 32_768),
  (writer, value: Short) => {
    const at = writer.room(2)
    writer.bytes.writeUInt16BE(value.value + 32_768, at)
  }
)
const longForm = form(int64, writeInt64)
const charForm = form(
  (reader) => new Char(String.fromCharCode((reader.byte() << 8) | reader.byte())),
  (writer, value: Char) => {
    const at = writer.room(2)
    writer.bytes.writeUInt16BE(value.text.charCodeAt(0), at)
  }
)
const booleanForm = form(
  (reader) => reader.byte() !== 0,
  (writer, value: boolean) => writer.byte(value ? 1 : 0)
)
const integerForm = form(
  (reader) => Number(reader.signed()),
  (writer, value: number) => writer.signed(value)
)

export const byteType = plainAttribute(10, "Byte", byteForm, (value) => value instanceof Byte, {
  ordered: byteForm,
  convert: (value) => mapped(integer(value, 8), (whole) => new Byte(Number(whole)))
})
export const shortType = plainAttribute(11, "Short", shortForm, (value) => value instanceof Short, {
  ordered: shortForm,
  convert: (value) => mapped(integer(value, 16), (whole) => new Short(Number(whole)))
})
export const integerType = plainAttribute(
  12,
  "Integer",
  integerForm,
  (value) => typeof value === "number" && isInt(value),
  { ordered: int32, convert: (value) => mapped(integer(value, 32), Number) }
)
export const longType = plainAttribute(13, "Long", longForm, (value) => typeof value === "bigint", {
  ordered: longForm,
  convert: (value) => integer(value, 64)
})
export const characterType = plainAttribute(
  14,
  "Character",
  charForm,
  (value) => value instanceof Char && value.text.length === 1,
  {
    ordered: charForm,
    convert: (value) => (typeof value === "string" && value.length === 1 ? new Char(value) : undefined)
  }
)
export const booleanType = plainAttribute(15, "Boolean", booleanForm, (value) => typeof value === "boolean", {
  ordered: booleanForm,
  convert: asBoolean
})
export const dateType = plainAttribute(16, "Date", milliseconds, (value) => value instanceof Timestamp && !value.sql, {
  ordered: milliseconds,
  convert: asTimestamp
})
export const geoshapeType = plainAttribute(
  17,
  "Geoshape",
  form(
    (reader) => readShape(reader.take(reader.count())),
    (writer, value: Geoshape) => writeShape(writer, value)
  ),
  (value) => value instanceof Geoshape
)
export const stringType = plainAttribute(18, "String", text, (value) => typeof value === "string", {
  ownsNull: true,
  ordered: form(readOrderedString, (writer, value: string | null) => writeOrderedString(writer, value)),
  convert: asText
})
export const floatType = plainAttribute(19, "Float", float32, (value) => value instanceof Float, {
  ordered: orderedFloat32,
  convert: (value) => mapped(numeric(value), (number) => new Float(Number(number)))
})
export const doubleType = plainAttribute(
  20,
  "Double",
  float64,
  (value) => value instanceof Double || (typeof value === "number" && !isInt(value)),
  { ordered: orderedFloat64, convert: (value) => mapped(numeric(value), (number) => double(Number(number))) }
)
export const uuidType = plainAttribute(21, "UUID", sixteenBytes, (value) => value instanceof Uuid, {
  ordered: sixteenBytes,
  convert: (value) => (typeof value === "string" && uuidText.test(value) ? new Uuid(value) : undefined)
})
export const durationType = plainAttribute(
  64,
  "Duration",
  form(
    (reader) => {
      const parts = seconds(reader)
      return new Duration(parts.seconds, parts.nanos)
    },
    (writer, value: Duration) => writeSeconds(writer, value.seconds, value.nanos)
  ),
  (value) => value instanceof Duration
)
export const instantType = plainAttribute(
  65,
  "Instant",
  form(
    (reader) => {
      const parts = seconds(reader)
      return instantOf(Number(parts.seconds), parts.nanos)
    },
    (writer, value: Temporal) => {
      const parts = partsOfInstant(value)
      if (parts === undefined) throw new Error(`'${value.text}' is not an instant`)
      writeSeconds(writer, BigInt(parts.seconds), parts.nanos)
    }
  ),
  (value) => value instanceof Temporal && value.name === "Instant" && partsOfInstant(value) !== undefined,
  {
    convert: (value) => {
      if (!(value instanceof OffsetDateTime)) return undefined
      const whole = Math.floor(value.epochMillis / 1000)
      return instantOf(whole, (value.epochMillis - whole * 1000) * 1_000_000 + value.nanos)
    }
  }
)
export const jsonObjectType = json(70, "ObjectNode", "object")
export const jsonArrayType = json(71, "ArrayNode", "array")
