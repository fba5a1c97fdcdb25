import { isUtf8 } from "node:buffer"
import { BigDecimal, BigInteger, Byte, Float, LONG_MAX, LONG_MIN, Short } from "../../structure/numbers/Numbers.ts"
import { Char } from "../../structure/scalars/Char.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import { InetAddress } from "../../structure/scalars/InetAddress.ts"
import { Uuid } from "../../structure/scalars/Uuid.ts"
import { dateOfFields, daysOfMonth } from "../../structure/times/Dates.ts"
import { durationOfNanos } from "../../structure/times/Durations.ts"
import { type Duration, type OffsetDateTime, Timestamp } from "../../structure/times/Temporal.ts"
import { readEnum } from "../EnumNames.ts"
import { uuidOfBytes } from "../Uuid.ts"
import { bigIntegerOfBytes } from "./BigIntegers.ts"
import type { ByteReader } from "./ByteReader.ts"
import { DataType, enumsByCode, temporalsByCode } from "./DataType.ts"
import { readTemporal } from "./TemporalReader.ts"
import type { ValueReader } from "./ValueReader.ts"

// Values that contain no other values.

/** Bytes of one BigInteger. The time of arithmetic grows with the square of its length. */
const LONGEST_INTEGER_BYTES = 8192

const UUID_BYTES = 16
const NANOSECONDS_PER_SECOND = 1_000_000_000n
const NANOSECONDS_PER_DAY = 86_400_000_000_000n

/** The largest offset from UTC: 18 hours. */
const MAX_OFFSET_SECONDS = 64_800

/** Throws the ProtocolError of a type code that does not exist. */
export const unknownType = ({ input }: ValueReader, code: number): never =>
  input.fail(`The type code 0x${code.toString(16)} is not known`)

/** Reads the scalar of this type code, which comes without the code. */
export const readScalar = (reader: ValueReader, code: number): unknown => {
  const { input } = reader
  switch (code) {
    case DataType.Uuid:
      return new Uuid(uuidOfBytes(input.bytes, input.skip(UUID_BYTES)))
    case DataType.Date:
      return new Timestamp(input.long())
    case DataType.Timestamp:
      return new Timestamp(input.long(), true)
    case DataType.Class:
      return new ClassName(input.string())
    case DataType.Float:
      return new Float(input.float())
    case DataType.Byte:
      return new Byte(input.byte())
    case DataType.Short:
      return new Short(input.short())
    case DataType.BigInteger:
      return new BigInteger(readBigInteger(input))
    case DataType.BigDecimal:
      return readBigDecimal(input)
    case DataType.ByteBuffer:
      return input.buffer("a ByteBuffer")
    case DataType.Char:
      return readChar(input)
    case DataType.Duration:
      return readDuration(input)
    case DataType.InetAddress:
      return readInetAddress(input)
    case DataType.OffsetDateTime:
      return readOffsetDateTime(input)
  }
  const enumName = enumsByCode.get(code)
  if (enumName !== undefined) {
    const name = reader.value()
    return readEnum(enumName, typeof name === "string" ? name : input.fail("The constant of an enum is no string"))
  }
  const temporal = temporalsByCode.get(code)
  return temporal === undefined ? unknownType(reader, code) : readTemporal(input, temporal)
}

const readBigInteger = (input: ByteReader): bigint => {
  const length = input.length(1, "a BigInteger")
  if (length > LONGEST_INTEGER_BYTES) input.fail(`A BigInteger has more than ${LONGEST_INTEGER_BYTES} bytes`)
  const at = input.skip(length)
  return bigIntegerOfBytes(input.bytes, at, at + length)
}

const readBigDecimal = (input: ByteReader): BigDecimal => {
  const scale = input.int()
  return new BigDecimal(readBigInteger(input), scale)
}

/** Reads a character in UTF-8, whose first byte tells its length. Other bytes would become several characters. */
const readChar = (input: ByteReader): Char => {
  const first = input.bytes[input.position] ?? 0
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const at = input.skip(length)
  if (!isUtf8(input.bytes.subarray(at, at + length))) input.fail("A Char is not one character in UTF-8")
  return new Char(input.bytes.toString("utf8", at, at + length))
}

/** Reads a duration. Drivers of Go and .NET give a negative one negative nanoseconds; java.time.Duration.ofSeconds takes them, too. */
const readDuration = (input: ByteReader): Duration => {
  const duration = durationOfNanos(input.long() * NANOSECONDS_PER_SECOND + BigInt(input.int()))
  if (duration.seconds < LONG_MIN || duration.seconds > LONG_MAX) input.fail("A Duration is out of range")
  return duration
}

const readInetAddress = (input: ByteReader): InetAddress => {
  const bytes = input.buffer("an InetAddress")
  if (bytes.length !== 4 && bytes.length !== 16) input.fail("An InetAddress has neither 4 nor 16 bytes")
  return new InetAddress(bytes)
}

const readOffsetDateTime = (input: ByteReader): OffsetDateTime => {
  const year = input.int()
  const month = input.unsignedByte()
  const day = input.unsignedByte()
  const nanoOfDay = input.long()
  const offset = input.int()
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month)
  const isTime = nanoOfDay >= 0n && nanoOfDay < NANOSECONDS_PER_DAY && Math.abs(offset) <= MAX_OFFSET_SECONDS
  if (!isDate || !isTime) input.fail("An OffsetDateTime has a field out of range")
  return dateOfFields({ year, month, day, nanoOfDay }, offset)
}
