import { wordsOf } from "../../../structure/characters/FullText.ts"
import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import { boundsOf, type Shape } from "../../../structure/geoshapes/Shape.ts"
import type { IndexCondition, IndexQuery } from "../../../structure/graph/GraphReads.ts"
import { isNaNValue, plainValue } from "../../../structure/numbers/NumberOrder.ts"
import { BigDecimal, isNumber } from "../../../structure/numbers/Numbers.ts"
import { equalValues } from "../indexes/IndexValues.ts"
import { hasShapes } from "../schema/DocumentFields.ts"
import type { DocumentField, DocumentStore } from "../schema/Schema.ts"
import { dateText, isWellFormed, millisOf, valueJson } from "./DocumentValues.ts"
import { plainTypes } from "./FieldMapping.ts"
import type { DocumentOrder } from "./SearchEngine.ts"
import type { ServedChoice } from "./ServedIndexes.ts"

/**
 * Queries to a search engine. A query finds at least the documents whose elements meet the conditions. The has() steps
 * after the search test each element again, so a condition that the engine cannot express exactly becomes a wider one.
 */

/** A query for documents. */
export interface DocumentSearch {
  /** As JSON. */
  readonly query: string
  /** Estimated selectivity, as in IndexChoice. */
  readonly rank: number
}

/** The maximum number of values of a `within` condition, and of words, that are sent. */
const MAX_TERMS = 1024

/** The query for the conditions on keys of an index; undefined when there are none. `order`: the documents have its field. */
export const documentSearch = (
  { fields }: DocumentStore,
  query: IndexQuery,
  order: DocumentOrder | undefined
): DocumentSearch | undefined => {
  const parts: Array<string> = []
  let rank = 0
  for (const condition of query.conditions) {
    const field = fields.find(({ key, status }) => status === "ENABLED" && key.name === condition.key)
    const found = field === undefined ? undefined : conditionQuery(field, condition)
    if (found === undefined) continue
    parts.push(found.query)
    rank = rank === 0 ? found.rank : Math.max(rank, found.rank) + 1
  }
  if (parts.length === 0) return undefined
  if (order !== undefined) parts.push(`{"exists":{"field":${JSON.stringify(order.field)}}}`)
  return { query: `{"bool":{"filter":[${parts.join(",")}]}}`, rank }
}

/**
 * How the engine sorts the documents by the key that a query asks for; undefined when it cannot. JanusGraph lets the engine sort by the
 * same fields, and by those with instants and UUIDs, whose order is not that of Gremlin.
 */
export const documentOrder = ({ fields }: DocumentStore, { order }: IndexQuery): ServedChoice["order"] => {
  const field = fields.find(({ key, status }) => status === "ENABLED" && key.name === order?.key)
  if (order === undefined || field === undefined || field.key.cardinality !== "SINGLE") return undefined
  const { descending, key } = order
  const type = field.key.dataType.name
  if (sortedTypes.has(type)) return { key, descending, field: field.name, type: plainTypes[type]! }
  const whole = field.wholeName ?? (field.hasWords ? undefined : field.name)
  if (type !== "String" || field.hasAnalyzer || whole === undefined) return undefined
  return { key, descending, field: whole, type: "keyword" }
}

/** The types of values of one form that the engine sorts as Gremlin does. */
const sortedTypes: ReadonlySet<string> = new Set("Boolean Byte Date Double Float Integer Long Short".split(" "))

const found = (query: string, rank: number): DocumentSearch => ({ query, rank })

/** Elements that have the key. */
const present = (field: DocumentField): DocumentSearch => found(`{"exists":{"field":${JSON.stringify(field.name)}}}`, 2)

const conditionQuery = (field: DocumentField, condition: IndexCondition): DocumentSearch | undefined => {
  const { operator, value } = condition
  const type = field.key.dataType.name
  if (operator === "shape")
    return type === "Geoshape" && value instanceof Geoshape ? near(field, value.shape) : undefined
  if (type === "Geoshape") return undefined
  if (operator === "words" || operator === "wordPrefix") return byWords(field, operator, value)
  if (operator === "wordMatch") return field.hasWords && !field.hasAnalyzer ? present(field) : undefined
  if (operator === "textMatch") return type === "String" && !field.hasAnalyzer ? present(field) : undefined
  const name = field.wholeName ?? (field.hasWords ? undefined : field.name)
  // An index of words only has no whole values; an analyzer may change them.
  if (name === undefined || (type === "String" && field.hasAnalyzer)) return undefined
  if (operator === "eq") return equal(field, name, [value])
  if (operator === "within") return Array.isArray(value) ? equal(field, name, value) : undefined
  if (operator === "startingWith") {
    return typeof value === "string" && type === "String" && isWellFormed(value)
      ? found(`{"prefix":{${JSON.stringify(name)}:${JSON.stringify(value)}}}`, 40)
      : undefined
  }
  return inRange(field, name, condition)
}

const byWords = (
  field: DocumentField,
  operator: "words" | "wordPrefix",
  value: unknown
): DocumentSearch | undefined => {
  if (!field.hasWords || field.hasAnalyzer || typeof value !== "string" || !isWellFormed(value)) return undefined
  const name = JSON.stringify(field.name)
  const words = wordsOf(value)
  if (words.length === 0 || words.length > MAX_TERMS) return undefined
  if (operator === "words") return found(`{"match":{${name}:{"query":${JSON.stringify(value)},"operator":"and"}}}`, 50)
  const prefixes = words.map((word) => `{"prefix":{${name}:${JSON.stringify(word)}}}`)
  return found(`{"bool":{"filter":[${prefixes.join(",")}]}}`, 15)
}

const equal = (field: DocumentField, name: string, values: ReadonlyArray<unknown>): DocumentSearch | undefined => {
  const type = field.key.dataType.name
  const terms: Array<string> = []
  for (const value of values) {
    const stored = equalValues(field.key, value)
    if (stored === undefined) return undefined
    for (const each of stored) {
      const json = valueJson(field, each)
      // No document has such a value.
      if (json === undefined) continue
      if (type === "Date" || type === "Instant")
        return values.length === 1 ? inRange(field, name, asRange(value)) : present(field)
      terms.push(json)
    }
  }
  if (terms.length > MAX_TERMS) return present(field)
  // An empty list of terms finds nothing, as it should.
  return found(`{"terms":{${JSON.stringify(name)}:[${terms.join(",")}]}}`, values.length === 1 ? 90 : 80)
}

const asRange = (value: unknown): Pick<IndexCondition, "operator" | "value"> => ({
  operator: "between",
  value: [value, value]
})

const bounds: Readonly<Partial<Record<IndexCondition["operator"], ReadonlyArray<"gte" | "lte">>>> = {
  gt: ["gte"],
  gte: ["gte"],
  lt: ["lte"],
  lte: ["lte"],
  between: ["gte", "lte"],
  inside: ["gte", "lte"]
}

/** A range that includes its ends, because the engine may round them. An end that it cannot compare is left out. */
const inRange = (
  field: DocumentField,
  name: string,
  { operator, value }: Pick<IndexCondition, "operator" | "value">
): DocumentSearch | undefined => {
  const sides = bounds[operator]
  if (sides === undefined) return undefined
  const ends = sides.length === 1 ? [value] : (value as ReadonlyArray<unknown>)
  const parts = sides.flatMap((side, at) => {
    const end = endOf(field, ends[at], side)
    return end === undefined ? [] : [`"${side}":${end}`]
  })
  return parts.length === 0
    ? present(field)
    : found(`{"range":{${JSON.stringify(name)}:{${parts.join(",")}}}}`, parts.length === 2 ? 30 : 20)
}

/** The largest value of each type of whole numbers. */
const largest: Readonly<Record<string, bigint>> = {
  Byte: 127n,
  Short: 32_767n,
  Integer: 2n ** 31n - 1n,
  Long: 2n ** 63n - 1n
}

const endOf = ({ key }: DocumentField, value: unknown, side: "gte" | "lte"): string | undefined => {
  const type = key.dataType.name
  if (type === "Date" || type === "Instant") {
    const millis = millisOf(value)
    return millis === undefined ? undefined : JSON.stringify(dateText(millis))
  }
  if (type === "String") {
    // The engine compares code points. Below the surrogates this is the order of this server.
    return typeof value === "string" && /^[\0-\ud7ff]*$/.test(value) ? JSON.stringify(value) : undefined
  }
  if (!isNumber(value) || value instanceof BigDecimal || isNaNValue(value)) return undefined
  const plain = plainValue(value)
  const most = largest[type]
  if (most === undefined) {
    // A Float is compared with the end as the engine has rounded it.
    if (type !== "Double" || !Number.isFinite(Number(plain))) return undefined
    // Engines order -0.0 before 0.0, which Gremlin takes for equal.
    if (Number(plain) === 0) return side === "gte" ? "-0.0" : "0.0"
    return String(plain)
  }
  if (typeof plain === "number" && !Number.isInteger(plain)) return undefined
  const whole = BigInt(plain)
  return whole <= most && whole >= -most - 1n ? String(whole) : undefined
}

/** Widens boxes by more than the precision of the engine's places. */
const MARGIN_DEGREES = 1e-5

const near = (field: DocumentField, shape: Shape): DocumentSearch | undefined => {
  const around = boundsOf(shape)
  if (around === undefined) return undefined
  const [south, north] = [around.south - MARGIN_DEGREES, around.north + MARGIN_DEGREES]
  const [west, east] = [around.west - MARGIN_DEGREES, around.east + MARGIN_DEGREES]
  // A box at a pole or over the 180th meridian has several forms.
  if (south < -90 || north > 90 || west < -180 || east > 180 || west > east) return present(field)
  if (hasShapes(field)) {
    const envelope = `{"type":"envelope","coordinates":[[${west},${north}],[${east},${south}]]}`
    const name = JSON.stringify(field.name)
    return found(`{"geo_shape":{${name}:{"shape":${envelope},"relation":"intersects"}}}`, 60)
  }
  const box = `{"top_left":[${west},${north}],"bottom_right":[${east},${south}]}`
  return found(`{"geo_bounding_box":{${JSON.stringify(field.name)}:${box}}}`, 60)
}
