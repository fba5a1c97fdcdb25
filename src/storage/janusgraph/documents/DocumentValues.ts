import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import { Byte, Double, Float, Short } from "../../../structure/numbers/Numbers.ts"
import { Uuid } from "../../../structure/scalars/Uuid.ts"
import { Temporal, Timestamp } from "../../../structure/times/Temporal.ts"
import { hasShapes } from "../schema/DocumentFields.ts"
import type { DocumentField, DocumentStore } from "../schema/Schema.ts"
import { shapeJson } from "./ShapeJson.ts"

/** Documents of elements in JanusGraph's form, as JSON. Longs have all digits, which JSON.stringify() would round. */

/** The longest text that a field for whole texts takes, in bytes. */
const MAX_WHOLE_TEXT_BYTES = 32_766
/** Years outside of four digits are not dates for the engine. */
const FIRST_DATE = Date.parse("0000-01-01T00:00:00Z")
const LAST_DATE = Date.parse("9999-12-31T23:59:59.999Z")

/** True for a text without half of a surrogate pair, which engines refuse. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

/** A date as JanusGraph writes it: `2023-11-14T22:13:20.123+00:00`. `millis` are since the epoch. */
export const dateText = (millis: number): string => new Date(millis).toISOString().replace("Z", "+00:00")

/** Milliseconds since the epoch of a Date or an Instant, rounded down; undefined for another value or a year without four digits. */
export const millisOf = (value: unknown): number | undefined => {
  const millis =
    value instanceof Timestamp
      ? value.epochMillis
      : value instanceof Temporal && value.name === "Instant"
        ? Date.parse(value.text.replace(/(\.\d{3})\d+/, "$1"))
        : Number.NaN
  return millis >= FIRST_DATE && millis <= LAST_DATE ? millis : undefined
}

const plainNumber = (value: unknown): number | bigint | undefined => {
  if (typeof value === "number" || typeof value === "bigint") return value
  const isNumber = value instanceof Byte || value instanceof Short || value instanceof Float || value instanceof Double
  return isNumber ? value.value : undefined
}

/** A value as JSON; undefined if a document cannot have it. */
export const valueJson = (field: DocumentField, value: unknown): string | undefined => {
  const { hasWords, key, wholeName } = field
  if (typeof value === "boolean") return String(value)
  if (typeof value === "string") {
    const isWhole = !hasWords || wholeName !== undefined
    const isTooLong = isWhole && Buffer.byteLength(value) > MAX_WHOLE_TEXT_BYTES
    return isTooLong || !isWellFormed(value) ? undefined : JSON.stringify(value)
  }
  if (value instanceof Uuid) return JSON.stringify(value.text)
  if (value instanceof Geoshape) {
    if (hasShapes(field)) return shapeJson(value.shape, field.mapping === "PREFIX_TREE")
    return value.shape.kind === "point" ? `[${value.shape.longitude},${value.shape.latitude}]` : undefined
  }
  const number = plainNumber(value)
  if (typeof number === "bigint") return String(number)
  if (number !== undefined) return Number.isFinite(number) ? decimal(number, key.dataType.name) : undefined
  const millis = millisOf(value)
  return millis === undefined ? undefined : JSON.stringify(dateText(millis))
}

/** A number as JSON: a Double always has a point, so that the engine never takes its field for one of whole numbers. */
const decimal = (number: number, type: string): string => {
  const text = Object.is(number, -0) ? "-0" : String(number)
  return (type === "Double" || type === "Float") && /^-?\d+$/.test(text) ? `${text}.0` : text
}

/** The values of an element, by the name of the key. */
type ValuesOf = (key: string) => ReadonlyArray<unknown>

/**
 * The document of an element as JSON; undefined for an element without values in the index. Throws UnsupportedValue for a value
 * that documents cannot have, which JanusGraph or a time before the index has stored: without it, the document would be wrong.
 */
export const documentJson = ({ fields }: DocumentStore, values: ValuesOf): string | undefined => {
  const parts: Array<string> = []
  for (const field of fields) {
    const found = values(field.key.name).map((value) => {
      const json = valueJson(field, value)
      if (json === undefined)
        throw new UnsupportedValue(`it has a value of the key ${field.key.name} that no document can have`)
      return json
    })
    if (found.length === 0) continue
    const json = field.key.cardinality === "SINGLE" ? found[0]! : `[${found.join(",")}]`
    parts.push(`${JSON.stringify(field.name)}:${json}`)
    if (field.wholeName !== undefined) parts.push(`${JSON.stringify(field.wholeName)}:${json}`)
  }
  return parts.length === 0 ? undefined : `{${parts.join(",")}}`
}

/** Throws UnsupportedValue for a value that documents of an index cannot have: the index would not find its element. */
export const assertInDocuments = (index: string, field: DocumentField, value: unknown): void => {
  if (valueJson(field, value) !== undefined) return
  throw new UnsupportedValue(
    `The search engine that keeps the mixed index ${index} takes no such value of the key ${field.key.name}: numbers must ` +
      `be finite, dates from the year 0 to 9999, shapes points (with the mapping PREFIX_TREE others too, and with BKD others except ` +
      `circles and boxes over the 180th meridian), and whole texts at most ${MAX_WHOLE_TEXT_BYTES} bytes of valid Unicode.`
  )
}
