import type { DocumentField, DocumentStore } from "../schema/Schema.ts"
import { parseExact } from "./ExactJson.ts"

/** The fields of a document as the engine returns them. Long numbers are bigints. */
export type StoredFields = Readonly<Record<string, unknown>>

/** How a document differs from its element. */
export type Difference = "missing" | "outdated" | "extra"

/**
 * Compares a document with what it should be, which is JSON, or undefined for none. `stored`: undefined if the engine has no
 * document. A document without a value of a known field counts as none: JanusGraph leaves such documents.
 */
export const differenceOf = (
  { fields }: DocumentStore,
  wanted: string | undefined,
  stored: StoredFields | undefined
): Difference | undefined => {
  const should = wanted === undefined ? {} : (parseExact(wanted) as StoredFields)
  const isThere = fields.some((field) => namesOf(field).some((name) => valuesOf(field, stored?.[name]).length > 0))
  if (!isThere) return wanted === undefined ? undefined : "missing"
  if (wanted === undefined) return "extra"
  const isSame = fields.every((field) =>
    namesOf(field).every((name) => sameValues(field, should[name], stored?.[name]))
  )
  return isSame ? undefined : "outdated"
}

const namesOf = ({ name, wholeName }: DocumentField): ReadonlyArray<string> =>
  wholeName === undefined ? [name] : [name, wholeName]

const sameValues = (field: DocumentField, one: unknown, other: unknown): boolean => {
  const [a, b] = [valuesOf(field, one), valuesOf(field, other)]
  return a.length === b.length && a.every((each, at) => each === b[at])
}

/** The values of a field as comparable texts, sorted: the order of a list has no meaning for a search. */
const valuesOf = ({ key }: DocumentField, value: unknown): ReadonlyArray<string> => {
  if (value === undefined || value === null) return []
  // The place of a point is a list of two numbers.
  const isPlace = key.dataType.name === "Geoshape" && Array.isArray(value) && typeof value[0] === "number"
  const values = Array.isArray(value) && !isPlace ? value : [value]
  return values.map((each) => comparable(key.dataType.name, each)).sort()
}

/** The JSON of a shape with its members in alphabetical order. */
const sorted = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(sorted).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${name}:${sorted(each)}`)
    .join(",")}}`
}

const comparable = (type: string, value: unknown): string => {
  switch (type) {
    case "Float":
      return String(Math.fround(Number(value)))
    case "Double":
      return String(Number(value))
    case "Date":
    case "Instant":
      return String(typeof value === "string" ? Date.parse(value) : value)
    case "Geoshape":
      return sorted(value)
    default:
      // JSON of a whole number may have a fraction of zero.
      return `${typeof value === "bigint" ? "number" : typeof value} ${value}`
  }
}
