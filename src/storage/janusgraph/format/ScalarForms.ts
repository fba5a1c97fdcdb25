import { Byte, type Double, double, Float, Short } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { Uuid } from "../../../structure/scalars/Uuid.ts"
import { Timestamp } from "../../../structure/times/Temporal.ts"
import type { Form } from "./Attribute.ts"
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import { readString, writeString } from "./Strings.ts"

/** A form whose writer takes values of one type. The caller checks the type before it writes. */
export const form = <A>(read: (reader: ByteReader) => A, write: (writer: ByteWriter, value: A) => void): Form => ({
  read,
  write: (writer, value) => write(writer, value as A)
})

const scratch = new DataView(new ArrayBuffer(8))

/** Reads 8 bytes, big-endian, with the sign bit inverted: the bytes sort as the numbers do. */
const readInt64 = (reader: ByteReader): bigint => {
  const bytes = reader.take(8)
  for (let i = 0; i < 8; i++) scratch.setUint8(i, bytes[i]!)
  scratch.setUint8(0, bytes[0]! ^ 128)
  return scratch.getBigInt64(0)
}

/** Writes what {@link readInt64} reads. */
const writeInt64 = (writer: ByteWriter, value: bigint): void => {
  const at = writer.room(8)
  writer.bytes.writeBigInt64BE(value, at)
  writer.bytes[at]! ^= 128
}

/**
 * Four bytes, big-endian, with the sign bit inverted: the bytes sort as the numbers do. Enumerations use it for their
 * ordinals.
 */
export const orderedInt32 = form(
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

/**
 * Java's bits of NaN. A calculation may give NaN other bits, such as a sign, with which it would sort before all numbers, and equal values
 * would have different rows in an index.
 */
const NAN_32 = 0x7fc00000
const NAN_64 = 0x7ff8000000000000n

/** Writes 4 bytes, IEEE 754, big-endian. */
export const writeFloat = (buffer: Buffer, value: number, at: number): void => {
  if (Number.isNaN(value)) buffer.writeInt32BE(NAN_32, at)
  else buffer.writeFloatBE(value, at)
}

/** Writes 8 bytes, IEEE 754, big-endian. */
export const writeDouble = (buffer: Buffer, value: number, at: number): void => {
  if (Number.isNaN(value)) buffer.writeBigInt64BE(NAN_64, at)
  else buffer.writeDoubleBE(value, at)
}

/** IEEE 754, 4 bytes, big-endian. */
export const floatForm = form(
  (reader) => {
    const bytes = reader.take(4)
    for (let i = 0; i < 4; i++) scratch.setUint8(i, bytes[i]!)
    return new Float(scratch.getFloat32(0))
  },
  (writer, value: Float) => {
    const at = writer.room(4)
    writeFloat(writer.bytes, value.value, at)
  }
)

/** The bits as a signed integer, with negative ones inverted: the bytes sort as the numbers do. */
export const orderedFloatForm = form(
  (reader) => {
    const bits = orderedInt32.read(reader) as number
    scratch.setInt32(0, bits < 0 ? bits ^ 0x7fffffff : bits)
    return new Float(scratch.getFloat32(0))
  },
  (writer, value: Float) => {
    scratch.setFloat32(0, value.value)
    const bits = Number.isNaN(value.value) ? NAN_32 : scratch.getInt32(0)
    orderedInt32.write(writer, bits < 0 ? bits ^ 0x7fffffff : bits)
  }
)

const plainDouble = (value: number | Double): number => (typeof value === "number" ? value : value.value)

/** IEEE 754, 8 bytes, big-endian. */
export const doubleForm = form(
  (reader) => {
    const bytes = reader.take(8)
    for (let i = 0; i < 8; i++) scratch.setUint8(i, bytes[i]!)
    return double(scratch.getFloat64(0))
  },
  (writer, value: number | Double) => {
    const at = writer.room(8)
    writeDouble(writer.bytes, plainDouble(value), at)
  }
)

/** As {@link orderedFloatForm}, in 8 bytes. */
export const orderedDoubleForm = form(
  (reader) => {
    const bits = readInt64(reader)
    scratch.setBigInt64(0, bits < 0n ? bits ^ 0x7fffffffffffffffn : bits)
    return double(scratch.getFloat64(0))
  },
  (writer, value: number | Double) => {
    const number = plainDouble(value)
    scratch.setFloat64(0, number)
    const bits = Number.isNaN(number) ? NAN_64 : scratch.getBigInt64(0)
    writeInt64(writer, bits < 0n ? bits ^ 0x7fffffffffffffffn : bits)
  }
)

/** Milliseconds since the epoch as {@link readInt64} reads them. */
export const dateForm = form(
  (reader) => new Timestamp(readInt64(reader)),
  (writer, value: Timestamp) => writeInt64(writer, value.millis)
)

/** The 16 bytes of a UUID, most significant first. */
export const uuidForm = form(
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

/** Reads seconds (8 bytes) and nanoseconds (a signed variable-length number). */
export const readSeconds = (reader: ByteReader): { seconds: bigint; nanos: number } => ({
  seconds: readInt64(reader),
  nanos: Number(reader.signed())
})

/** Writes what {@link readSeconds} reads. */
export const writeSeconds = (writer: ByteWriter, whole: bigint, nanos: number): void => {
  writeInt64(writer, whole)
  writer.signed(nanos)
}

/** A string or null; see Strings.ts. */
export const textForm = form(readString, (writer, value: string | null) => writeString(writer, value))

/** One byte, offset by 128: it sorts as the numbers do. */
export const byteForm = form(
  (reader) => new Byte(reader.byte() - 128),
  (writer, value: Byte) => writer.byte(value.value + 128)
)

/** Two bytes, big-endian, offset by 32,768: they sort as the numbers do. */
export const shortForm = form(
  (reader) => new Short(((reader.byte() << 8) | reader.byte()) - 32_768),
  (writer, value: Short) => {
    const at = writer.room(2)
    writer.bytes.writeUInt16BE(value.value + 32_768, at)
  }
)

/** A Java long in 8 bytes; see {@link readInt64}. */
export const longForm = form(readInt64, writeInt64)

/** A UTF-16 code unit in 2 bytes, big-endian. */
export const charForm = form(
  (reader) => new Char(String.fromCharCode((reader.byte() << 8) | reader.byte())),
  (writer, value: Char) => {
    const at = writer.room(2)
    writer.bytes.writeUInt16BE(value.text.charCodeAt(0), at)
  }
)

/** One byte: 0 or 1. */
export const booleanForm = form(
  (reader) => reader.byte() !== 0,
  (writer, value: boolean) => writer.byte(value ? 1 : 0)
)

/** A Java int as a signed variable-length number. */
export const integerForm = form(
  (reader) => Number(reader.signed()),
  (writer, value: number) => writer.signed(value)
)
