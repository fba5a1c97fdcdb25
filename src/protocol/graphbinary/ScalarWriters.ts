import { Geoshape } from "../../structure/geoshapes/Geoshape.ts"
import { BigDecimal, BigInteger, Byte, Float, Short } from "../../structure/numbers/Numbers.ts"
import { Char } from "../../structure/scalars/Char.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import type { EnumValue } from "../../structure/scalars/Enums.ts"
import { InetAddress } from "../../structure/scalars/InetAddress.ts"
import { Uuid } from "../../structure/scalars/Uuid.ts"
import { dateFields } from "../../structure/times/Dates.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../../structure/times/Temporal.ts"
import { byteParts, textParts } from "../LongParts.ts"
import { temporalFields } from "../TemporalFields.ts"
import { bigIntegerBytes } from "./BigIntegers.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import { writeCustomHead } from "./CustomWriters.ts"
import { DataType, enumCodes, janusGraph, temporalCodes } from "./DataType.ts"
import { isExpressible, writeShape } from "./Geoshapes.ts"
import type { ValueWriter } from "./ValueWriter.ts"

// Values that contain no other values.

/** Writes a string without its type code. A very long one is written in slices: its bytes are counted before. */
export const writeLongString = (writer: ValueWriter, text: string): void => {
  const { output } = writer
  const long = writer.mode.longOfParts(text.length)
  if (long === null) {
    output.string(text)
    return
  }
  output.int(long.sum(textParts(text), Buffer.byteLength, writer.resumed))
  long.parts(
    textParts(text),
    (part): undefined => {
      output.text(part)
    },
    writer.resumed
  )
}

/** Writes a number that is an object. False, without writing, for any other value. */
export const writesNumber = (output: ByteWriter, value: object): boolean => {
  if (value instanceof Float) {
    output.type(DataType.Float)
    output.float(value.value)
  } else if (value instanceof Byte) {
    output.type(DataType.Byte)
    output.byte(value.value)
  } else if (value instanceof Short) {
    output.type(DataType.Short)
    output.short(value.value)
  } else if (value instanceof BigInteger) {
    output.type(DataType.BigInteger)
    writeBigInteger(output, value.value)
  } else if (value instanceof BigDecimal) {
    output.type(DataType.BigDecimal)
    output.int(value.scale)
    writeBigInteger(output, value.unscaled)
  } else return false
  return true
}

/** Writes any other value that contains none. False, without writing, for all other values. */
export const writesScalar = (writer: ValueWriter, value: object): boolean => {
  const { output } = writer
  if (value instanceof Uuid) {
    output.type(DataType.Uuid)
    output.uuid(value.text)
  } else if (value instanceof OffsetDateTime) writeOffsetDateTime(writer, value)
  else if (value instanceof Timestamp) {
    output.type(value.sql ? DataType.Timestamp : DataType.Date)
    if (value.distant === undefined) output.longOfNumber(value.epochMillis)
    else output.long(value.distant)
  } else if (value instanceof Duration) {
    output.type(DataType.Duration)
    output.long(value.seconds)
    output.int(value.nanos)
  } else if (value instanceof Char) {
    output.type(DataType.Char)
    output.text(value.text)
  } else if (value instanceof Uint8Array) writeBuffer(writer, DataType.ByteBuffer, value)
  else if (value instanceof InetAddress) writeBuffer(writer, DataType.InetAddress, value.bytes)
  else if (value instanceof Temporal) writeTemporal(output, value)
  else if (value instanceof ClassName) {
    output.type(DataType.Class)
    output.string(value.name)
  } else if (value instanceof Geoshape) {
    if (writer.janusGraph && isExpressible(value.shape)) {
      writeCustomHead(output, janusGraph.geoshape)
      writeShape(output, value.shape)
    } else {
      output.type(DataType.String)
      output.string(String(value))
    }
  } else return false
  return true
}

const writeBigInteger = (output: ByteWriter, value: bigint): void => {
  const bytes = bigIntegerBytes(value)
  output.int(bytes.length)
  output.bytes(bytes)
}

const writeBuffer = (writer: ValueWriter, code: number, bytes: Uint8Array): void => {
  const { output } = writer
  output.type(code)
  output.int(bytes.length)
  const long = writer.mode.longOfParts(bytes.length)
  if (long === null) {
    output.bytes(bytes)
    return
  }
  long.parts(
    byteParts(bytes),
    (part): undefined => {
      output.bytes(part)
    },
    writer.resumed
  )
}

/** Writes a constant of an enumeration. */
export const writeEnum = (output: ByteWriter, value: EnumValue): void => {
  output.type(enumCodes[value.enumName])
  output.type(DataType.String)
  output.string(value.name)
}

const writeOffsetDateTime = ({ datesOnly, output }: ValueWriter, value: OffsetDateTime): void => {
  if (datesOnly) {
    output.type(DataType.Date)
    output.longOfNumber(value.epochMillis)
    return
  }
  const fields = dateFields(value)
  output.type(DataType.OffsetDateTime)
  writeDate(output, fields)
  output.long(fields.nanoOfDay)
  output.int(value.offsetSeconds)
}

/** Writes the fields of a date. */
const writeDate = (
  output: ByteWriter,
  { day, month, year }: { readonly year: number; readonly month: number; readonly day: number }
): void => {
  output.int(year)
  output.byte(month)
  output.byte(day)
}

const writeTemporal = (output: ByteWriter, value: Temporal): void => {
  const fields = temporalFields(value.name, value.text)
  output.type(temporalCodes[value.name])
  switch (value.name) {
    case "Instant":
      output.long(fields.epochSeconds)
      output.int(fields.nanos)
      return
    case "MonthDay":
      output.byte(fields.month)
      output.byte(fields.day)
      return
    case "Period":
      output.int(fields.year)
      output.int(fields.month)
      output.int(fields.day)
      return
    case "Year":
      output.int(fields.year)
      return
    case "YearMonth":
      output.int(fields.year)
      output.byte(fields.month)
      return
  }
  if (value.name === "LocalDate" || value.name.endsWith("DateTime")) writeDate(output, fields)
  if (value.name.endsWith("Time")) output.long(fields.nanoOfDay)
  if (!value.name.startsWith("Local")) output.int(fields.offsetSeconds)
}
