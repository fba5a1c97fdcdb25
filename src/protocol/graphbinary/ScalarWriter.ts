import { dateFields } from "../../structure/Dates.ts"
import type { EnumValue } from "../../structure/Enums.ts"
import { Geoshape } from "../../structure/Geoshape.ts"
import { BigDecimal, BigInteger, Byte, Float, Short } from "../../structure/Numbers.ts"
import {
  Char,
  ClassName,
  Duration,
  InetAddress,
  OffsetDateTime,
  Temporal,
  Timestamp,
  Uuid
} from "../../structure/Temporal.ts"
import { byteParts, textParts } from "../LongParts.ts"
import { WriteMode } from "../LongWrites.ts"
import { temporalFields } from "../TemporalFields.ts"
import { writeUuid } from "../Uuid.ts"
import { bigIntegerBytes } from "./BigIntegers.ts"
import { ByteWriter } from "./ByteWriter.ts"
import { writeGeoshape } from "./CustomWriting.ts"
import { DataType, enumCodes, temporalCodes } from "./DataType.ts"

/** Writes values of GraphBinary 1.0 that hold no other values. */
export abstract class ScalarWriter extends ByteWriter {
  /** Ids of edges and properties, and shapes, are written as JanusGraph's custom types. */
  janusGraph = false
  readonly mode = new WriteMode()

  /** A string that may be one of megabytes: its bytes are counted part by part before they are written. */
  protected longString(text: string): void {
    const long = this.mode.longOfParts(text.length)
    if (long === null) {
      this.string(text)
      return
    }
    this.int(long.sum(textParts(text), Buffer.byteLength, this.resumed))
    long.parts(textParts(text), this.#text, this.resumed)
  }

  readonly #text = (part: string): undefined => this.text(part) as undefined

  readonly #bytes = (part: Uint8Array): undefined => this.bytes(part) as undefined

  /** What a slice writes before it comes to where the last one ended is there already. */
  protected readonly resumed = (): void => {
    this.position = 0
  }

  /** A Double with its type code. */
  protected typedDouble(value: number): void {
    this.type(DataType.Double)
    this.double(value)
  }

  /** Writes a number that is an object; false when it is something else. */
  protected writesNumber(value: object): boolean {
    if (value instanceof Float) {
      this.type(DataType.Float)
      this.float(value.value)
    } else if (value instanceof Byte) {
      this.type(DataType.Byte)
      this.byte(value.value)
    } else if (value instanceof Short) {
      this.type(DataType.Short)
      this.short(value.value)
    } else if (value instanceof BigInteger) {
      this.type(DataType.BigInteger)
      this.#bigInteger(value.value)
    } else if (value instanceof BigDecimal) {
      this.type(DataType.BigDecimal)
      this.int(value.scale)
      this.#bigInteger(value.unscaled)
    } else return false
    return true
  }

  /** Writes any other value that holds none; false when it is something else. */
  protected writesScalar(value: object): boolean {
    if (value instanceof Uuid) {
      this.type(DataType.Uuid)
      this.uuid(value.text)
    } else if (value instanceof OffsetDateTime) this.#offsetDateTime(value)
    else if (value instanceof Timestamp) {
      this.type(value.sql ? DataType.Timestamp : DataType.Date)
      this.longOfNumber(value.epochMillis)
    } else if (value instanceof Duration) {
      this.type(DataType.Duration)
      this.long(value.seconds)
      this.int(value.nanos)
    } else if (value instanceof Char) {
      this.type(DataType.Char)
      this.text(value.text)
    } else if (value instanceof Uint8Array) this.#buffer(DataType.ByteBuffer, value)
    else if (value instanceof InetAddress) this.#buffer(DataType.InetAddress, value.bytes)
    else if (value instanceof Temporal) this.#temporal(value)
    else if (value instanceof ClassName) {
      this.type(DataType.Class)
      this.string(value.name)
    } else if (value instanceof Geoshape) {
      if (this.janusGraph && value.shape.kind !== "other") writeGeoshape(this, value)
      else {
        this.type(DataType.String)
        this.string(String(value))
      }
    } else return false
    return true
  }

  /** The 16 bytes of a canonical UUID text. */
  uuid(text: string): void {
    const at = this.position
    writeUuid(text, this.room(16), at)
  }

  #bigInteger(value: bigint): void {
    const bytes = bigIntegerBytes(value)
    this.int(bytes.length)
    this.bytes(bytes)
  }

  #buffer(code: number, bytes: Uint8Array): void {
    this.type(code)
    this.int(bytes.length)
    const long = this.mode.longOfParts(bytes.length)
    if (long === null) this.bytes(bytes)
    else long.parts(byteParts(bytes), this.#bytes, this.resumed)
  }

  protected enumConstant(value: EnumValue): void {
    this.type(enumCodes[value.enumName])
    this.type(DataType.String)
    this.string(value.name)
  }

  #offsetDateTime(value: OffsetDateTime): void {
    const fields = dateFields(value)
    this.type(DataType.OffsetDateTime)
    this.#date(fields)
    this.long(fields.nanoOfDay)
    this.int(value.offsetSeconds)
  }

  #date(fields: { readonly year: number; readonly month: number; readonly day: number }): void {
    this.int(fields.year)
    this.byte(fields.month)
    this.byte(fields.day)
  }

  #temporal(value: Temporal): void {
    const fields = temporalFields(value.name, value.text)
    this.type(temporalCodes[value.name])
    switch (value.name) {
      case "Instant":
        this.long(fields.epochSeconds)
        this.int(fields.nanos)
        return
      case "MonthDay":
        this.byte(fields.month)
        this.byte(fields.day)
        return
      case "Period":
        this.int(fields.year)
        this.int(fields.month)
        this.int(fields.day)
        return
      case "Year":
        this.int(fields.year)
        return
      case "YearMonth":
        this.int(fields.year)
        this.byte(fields.month)
        return
    }
    if (value.name === "LocalDate" || value.name.endsWith("DateTime")) this.#date(fields)
    if (value.name.endsWith("Time")) this.long(fields.nanoOfDay)
    if (!value.name.startsWith("Local")) this.int(fields.offsetSeconds)
  }
}
