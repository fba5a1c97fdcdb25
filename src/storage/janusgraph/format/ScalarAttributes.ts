import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import { Byte, Double, double, Float, isInt, Short } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { Uuid, uuidOfText } from "../../../structure/scalars/Uuid.ts"
import { instantOf, partsOfInstant } from "../../../structure/times/Instants.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../../../structure/times/Temporal.ts"
import { type Attribute, plainAttribute } from "./Attribute.ts"
import { asBoolean, asShape, asText, asTimestamp, decimal, integer, mapped, single } from "./Conversions.ts"
import { readStoredShape, writeShape } from "./Geoshapes.ts"
import { JsonText } from "./JavaValues.ts"
import {
  booleanForm,
  byteForm,
  charForm,
  dateForm,
  doubleForm,
  floatForm,
  form,
  integerForm,
  longForm,
  orderedDoubleForm,
  orderedFloatForm,
  orderedInt32,
  readSeconds,
  shortForm,
  textForm,
  uuidForm,
  writeSeconds
} from "./ScalarForms.ts"
import { readOrderedString, readString, writeOrderedString, writeString } from "./Strings.ts"

/** The data types of single values, with the type numbers that JanusGraph gives them. */

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

/** java.lang.Byte. */
export const byteType = plainAttribute(10, "Byte", byteForm, (value) => value instanceof Byte, {
  ordered: byteForm,
  convert: (value) => mapped(integer(value, 8), (whole) => new Byte(Number(whole)))
})
/** java.lang.Short. */
export const shortType = plainAttribute(11, "Short", shortForm, (value) => value instanceof Short, {
  ordered: shortForm,
  convert: (value) => mapped(integer(value, 16), (whole) => new Short(Number(whole)))
})
/** java.lang.Integer: a whole JavaScript number of 32 bits. */
export const integerType = plainAttribute(
  12,
  "Integer",
  integerForm,
  (value) => typeof value === "number" && isInt(value),
  { ordered: orderedInt32, convert: (value) => mapped(integer(value, 32), Number) }
)
/** java.lang.Long: a bigint. */
export const longType = plainAttribute(13, "Long", longForm, (value) => typeof value === "bigint", {
  ordered: longForm,
  convert: (value) => integer(value, 64)
})
/** java.lang.Character: a UTF-16 unit. */
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
/** java.lang.Boolean. */
export const booleanType = plainAttribute(15, "Boolean", booleanForm, (value) => typeof value === "boolean", {
  ordered: booleanForm,
  convert: asBoolean
})
/** java.util.Date. */
export const dateType = plainAttribute(16, "Date", dateForm, (value) => value instanceof Timestamp && !value.sql, {
  ordered: dateForm,
  convert: asTimestamp
})
/** JanusGraph's Geoshape. */
export const geoshapeType = plainAttribute(
  17,
  "Geoshape",
  form(readStoredShape, (writer, value: Geoshape) => writeShape(writer, value)),
  (value) => value instanceof Geoshape,
  { convert: asShape }
)
/** java.lang.String. */
export const stringType = plainAttribute(18, "String", textForm, (value) => typeof value === "string", {
  ownsNull: true,
  ordered: form(readOrderedString, (writer, value: string | null) => writeOrderedString(writer, value)),
  convert: asText
})
/** java.lang.Float. */
export const floatType = plainAttribute(19, "Float", floatForm, (value) => value instanceof Float, {
  ordered: orderedFloatForm,
  convert: (value) => mapped(single(value), (number) => new Float(number))
})
/** java.lang.Double: a Double, or a JavaScript number that is not an int. */
export const doubleType = plainAttribute(
  20,
  "Double",
  doubleForm,
  (value) => value instanceof Double || (typeof value === "number" && !isInt(value)),
  { ordered: orderedDoubleForm, convert: (value) => mapped(decimal(value), double) }
)
/** java.util.UUID. */
export const uuidType = plainAttribute(21, "UUID", uuidForm, (value) => value instanceof Uuid, {
  ordered: uuidForm,
  convert: (value) => (typeof value === "string" ? uuidOfText(value) : undefined)
})
/** java.time.Duration. */
export const durationType = plainAttribute(
  64,
  "Duration",
  form(
    (reader) => {
      const parts = readSeconds(reader)
      return new Duration(parts.seconds, parts.nanos)
    },
    (writer, value: Duration) => writeSeconds(writer, value.seconds, value.nanos)
  ),
  (value) => value instanceof Duration
)
/** java.time.Instant. */
export const instantType = plainAttribute(
  65,
  "Instant",
  form(
    (reader) => {
      const parts = readSeconds(reader)
      return instantOf(parts.seconds, parts.nanos)
    },
    (writer, value: Temporal) => {
      const parts = partsOfInstant(value)
      if (parts === undefined) throw new Error(`'${value.text}' is not an instant`)
      writeSeconds(writer, parts.seconds, parts.nanos)
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
/** Jackson's ObjectNode. */
export const jsonObjectType = json(70, "ObjectNode", "object")
/** Jackson's ArrayNode. */
export const jsonArrayType = json(71, "ArrayNode", "array")
