import { wordsOf } from "../../../structure/characters/FullText.ts"
import { keyOf } from "../../../structure/collections/Equivalence.ts"
import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import type { IndexChoice, IndexCondition, IndexQuery } from "../../../structure/graph/GraphReads.ts"
import type { SliceQuery } from "../cells/CellStore.ts"
import { successor } from "../cells/Cells.ts"
import { reversed, sliceOf } from "../cells/Slices.ts"
import type { FieldForm, GraphIndex, PropertyKey } from "../schema/Schema.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import { shapeRanges } from "./GeoCells.ts"
import { fieldRow, indexRow, indexRowPrefix, wholeWord, wordOfColumn } from "./IndexEntries.ts"
import { equalValues } from "./IndexValues.ts"
import { ABSENT, textOfColumn } from "./OrderedValues.ts"
import { type ColumnRange, narrowed, rangesOf, withPrefix } from "./Ranges.ts"

/** The maximum number of rows of a composite index, or of ranges of an ordered one, that a search reads. */
const MAX_SLICES = 4096

/** How an index of a graph over cells answers a query. */
export class CellIndexChoice implements IndexChoice {
  readonly name: string
  readonly covered: readonly number[]
  readonly coversLabels: boolean
  /** The key by whose values the entries are sorted. */
  readonly sortedBy: PropertyKey | undefined
  /** The position in a column at which the value of `sortedBy` begins, if there is only one slice. */
  readonly sortedAt: number
  readonly ordered: boolean
  /** True when the slices are read from their ends. */
  readonly descending: boolean
  /** Estimated selectivity; see {@link Found.rank}. */
  readonly rank: number
  readonly index: GraphIndex
  /** The slices that contain all entries of the answer. */
  readonly slices: ReadonlyArray<SliceQuery>
  /** Returns false for the column of an entry that is not in the answer. */
  readonly filter: ((column: Uint8Array) => boolean) | undefined

  constructor(
    index: GraphIndex,
    found: Found,
    query: IndexQuery,
    coversLabels: boolean,
    isUnchanged: (index: GraphIndex) => boolean
  ) {
    this.name = index.name
    this.index = index
    this.covered = found.covered
    this.coversLabels = coversLabels
    this.filter = found.filter
    this.sortedBy = found.sortedBy
    this.sortedAt = found.sortedAt ?? 0
    this.ordered =
      query.order !== undefined &&
      found.slices.length === 1 &&
      found.sortedBy?.name === query.order.key &&
      found.sortedBy.cardinality === "SINGLE" &&
      isUnchanged(index)
    this.descending = this.ordered && query.order!.descending
    this.rank = found.rank + (this.ordered ? 3 : 0) + (index.onlyLabel === undefined ? 0 : 1)
    this.slices = this.descending ? found.slices.map(reversed) : found.slices
  }
}

/** One way to search an index. */
interface Found {
  readonly covered: ReadonlyArray<number>
  readonly slices: ReadonlyArray<SliceQuery>
  readonly filter?: ((column: Uint8Array) => boolean) | undefined
  /** The key by whose values the entries are sorted. */
  readonly sortedBy?: PropertyKey | undefined
  /** See {@link CellIndexChoice.sortedAt}. Absent: 0. */
  readonly sortedAt?: number
  /** Estimated selectivity; a higher rank is expected to find fewer entries. */
  readonly rank: number
}

/**
 * Chooses the index that is expected to find the fewest elements; undefined when none can answer the query.
 * `isUnchanged` returns true when the transaction has changed no element of an index.
 */
export const chooseIndex = (
  reading: TransactionView,
  query: IndexQuery,
  answersLater: boolean,
  isUnchanged: (index: GraphIndex) => boolean
): CellIndexChoice | undefined => {
  let best: CellIndexChoice | undefined
  let bestRank = Number.NEGATIVE_INFINITY
  for (const index of reading.schema.indexes) {
    if (index.element !== query.element || index.status !== "ENABLED" || index.fields.length === 0) continue
    if (index.onlyLabel !== undefined && !isOnly(reading, query, index.onlyLabel)) continue
    const coversLabels = query.labels === null || index.onlyLabel !== undefined || !answersLater
    for (const found of waysThrough(index, query)) {
      const choice = new CellIndexChoice(index, found, query, coversLabels, isUnchanged)
      if (found.rank === UNCONDITIONAL && !choice.ordered) continue
      if (choice.rank <= bestRank) continue
      best = choice
      bestRank = choice.rank
    }
  }
  return best
}

/** True when the query is for elements with this label only. */
export const isOnly = (reading: TransactionView, { labels, element }: IndexQuery, label: number): boolean => {
  if (labels?.length !== 1) return false
  const types = element === "vertex" ? reading.schema.vertexLabels : reading.schema.labels
  return types.get(labels[0]!)?.id === label
}

const waysThrough = (index: GraphIndex, query: IndexQuery): ReadonlyArray<Found> => {
  switch (index.kind) {
    case "equality":
      return byEquality(index, query)
    case "ordered":
      return byOrder(index, query)
    default:
      return index.fields.flatMap((key, at) => index.forms[at]!.flatMap((form) => byField(index, key, form, query)))
  }
}

/** The rank of a search without a condition, which is useful only for the order of its entries. */
const UNCONDITIONAL = 0

const byEquality = (index: GraphIndex, { conditions }: IndexQuery): ReadonlyArray<Found> => {
  const covered: Array<number> = []
  let combinations: Array<ReadonlyArray<unknown>> = [[]]
  for (const key of index.fields) {
    let values: ReadonlyArray<unknown> | undefined
    let at = -1
    while (values === undefined && ++at < conditions.length) values = valuesOf(key, conditions[at]!)
    if (values === undefined || combinations.length * values.length > MAX_SLICES) return []
    covered.push(at)
    const longer: typeof combinations = []
    for (const before of combinations) for (const value of values) longer.push([...before, value])
    combinations = longer
  }
  const slices = combinations.map((values) => sliceOf("graphindex", indexRow(index, values)))
  return [{ covered, slices, rank: (index.unique ? 1000 : 100) + covered.length }]
}

/** The stored values of a key that meet a condition; undefined when a composite index cannot answer it. */
const valuesOf = (key: PropertyKey, condition: IndexCondition): ReadonlyArray<unknown> | undefined => {
  const { operator, value } = condition
  if (condition.key !== key.name) return undefined
  if (operator === "eq") return equalValues(key, value)
  if (operator !== "within" || !Array.isArray(value)) return undefined
  const found = new Map<unknown, unknown>()
  for (const each of value) {
    const equal = equalValues(key, each)
    if (equal === undefined) return undefined
    for (const stored of equal) found.set(keyOf(stored), stored)
  }
  return [...found.values()]
}

/** The ranges of the values of a key that meet the conditions of a query. */
interface KeyRanges {
  readonly covered: ReadonlyArray<number>
  readonly ranges: ReadonlyArray<ColumnRange>
  /** True when each range has only one value. */
  readonly exact: boolean
  readonly rank: number
}

/** The selectivity of conditions, by operator; see {@link Found.rank}. */
const ranks: Readonly<Partial<Record<IndexCondition["operator"], number>>> = {
  eq: 90,
  within: 80,
  startingWith: 40,
  between: 30,
  inside: 30
}

/** The selectivity of the other operators. */
const OPEN_RANGE_RANK = 20

/** The ranges of a key; undefined when the query has no condition on it that an index can answer. */
const rangesOfKey = (key: PropertyKey, query: IndexQuery): KeyRanges | undefined => {
  let covered: Array<number> = []
  let ranges: ReadonlyArray<ColumnRange> | undefined
  let exact = false
  let rank = 0
  query.conditions.forEach((condition, at) => {
    if (condition.key !== key.name) return
    const found = rangesOf(key, condition)
    if (found === undefined) return
    const isExact = condition.operator === "eq" || condition.operator === "within"
    if (ranges === undefined || (isExact && !exact)) {
      covered = [at]
      ranges = found
      exact = isExact
    } else if (ranges.length === 1 && found.length === 1 && key.cardinality === "SINGLE") {
      // A key of another cardinality is left out: a different value may meet each condition.
      covered = [...covered, at]
      ranges = [narrowed(ranges[0]!, found[0]!)]
    }
    rank = Math.max(rank, ranks[condition.operator] ?? OPEN_RANGE_RANK)
  })
  return ranges === undefined ? undefined : { covered, ranges, exact, rank: rank + covered.length }
}

/** The columns of all elements with a value of a field. */
const PRESENT: ColumnRange = { start: undefined, end: ABSENT }

/** Searches an ordered index: by exact values of the first fields, and by a range of the next one. */
const byOrder = (index: GraphIndex, query: IndexQuery): ReadonlyArray<Found> => {
  const key = indexRowPrefix(index)
  let covered: ReadonlyArray<number> = []
  let ranges: ReadonlyArray<ColumnRange> = [{ start: undefined, end: undefined }]
  let prefixes: ReadonlyArray<Uint8Array> = [new Uint8Array(0)]
  let rank = UNCONDITIONAL
  let sortedBy: PropertyKey | undefined
  let sortedAt = 0
  for (const field of index.fields) {
    sortedBy = field
    sortedAt = prefixes[0]?.length ?? 0
    const found = rangesOfKey(field, query)
    if (found === undefined || prefixes.length * found.ranges.length > MAX_SLICES) {
      // Elements without the field sort last; order().by() on the field drops them.
      if (query.order?.key === field.name) ranges = prefixes.map((prefix) => withPrefix(prefix, PRESENT))
      break
    }
    covered = [...covered, ...found.covered]
    rank = rank === UNCONDITIONAL ? found.rank : rank + (found.exact ? 5 : 1)
    ranges = prefixes.flatMap((prefix) => found.ranges.map((range) => withPrefix(prefix, narrowed(range, PRESENT))))
    if (!found.exact || found.ranges.some(({ end }) => end === undefined)) break
    // The next field can be used only if each range has a single value.
    const exact = found.ranges.map(prefixOf)
    if (!exact.every((each) => each !== undefined)) break
    prefixes = prefixes.flatMap((prefix) => exact.map((each) => Buffer.concat([prefix, each])))
    ranges = prefixes.map((prefix) => withPrefix(prefix, { start: undefined, end: undefined }))
  }
  const slices = ranges.map(({ end, start }) => sliceOf("engine_ranges", key, start, end))
  return [{ covered, slices, sortedBy, sortedAt, rank }]
}

/** The bytes of the only value in a range; undefined when it may have several, such as 0 and -0. */
const prefixOf = ({ start, end }: ColumnRange): Uint8Array | undefined => {
  if (start === undefined || end === undefined) return undefined
  const next = successor(start)
  return next !== undefined && Buffer.compare(next, end) === 0 ? start : undefined
}

/** Searches one field of a mixed index, in one form of the field. */
const byField = (index: GraphIndex, key: PropertyKey, form: FieldForm, query: IndexQuery): ReadonlyArray<Found> => {
  const row = fieldRow(index, key, form)
  const slicesOf = (ranges: ReadonlyArray<ColumnRange>): ReadonlyArray<SliceQuery> =>
    ranges.map(({ end, start }) => sliceOf("engine_ranges", row, start, end))
  if (form === "ordered") return byOrderedField(key, slicesOf, query)
  const ways: Array<Found> = []
  for (const { key: name, operator, value } of query.conditions) {
    if (name !== key.name) continue
    if (form === "geo" && operator === "shape" && value instanceof Geoshape) {
      ways.push({ covered: [], slices: slicesOf(shapeRanges(value.shape)), rank: 60 })
    }
    if (form === "text") ways.push(...byWords(operator, value, slicesOf))
  }
  return ways
}

const byOrderedField = (
  key: PropertyKey,
  slicesOf: (ranges: ReadonlyArray<ColumnRange>) => ReadonlyArray<SliceQuery>,
  query: IndexQuery
): ReadonlyArray<Found> => {
  const found = rangesOfKey(key, query)
  if (found !== undefined && found.ranges.length <= MAX_SLICES) {
    return [{ covered: found.covered, slices: slicesOf(found.ranges), sortedBy: key, rank: found.rank }]
  }
  const all = slicesOf([{ start: undefined, end: undefined }])
  for (const { key: name, operator, value } of query.conditions) {
    if (name !== key.name || operator !== "textMatch" || key.dataType.name !== "String") continue
    const matches = value as (text: string) => boolean
    return [{ covered: [], slices: all, filter: (column) => matches(textOfColumn(column)), sortedBy: key, rank: 5 }]
  }
  return [{ covered: [], slices: all, sortedBy: key, rank: UNCONDITIONAL }]
}

const byWords = (
  operator: IndexCondition["operator"],
  value: unknown,
  slicesOf: (ranges: ReadonlyArray<ColumnRange>) => ReadonlyArray<SliceQuery>
): ReadonlyArray<Found> => {
  if (operator === "wordMatch") {
    const matches = value as (text: string) => boolean
    const slices = slicesOf([{ start: undefined, end: undefined }])
    return [{ covered: [], slices, filter: (column) => matches(wordOfColumn(column)), rank: 4 }]
  }
  if ((operator !== "words" && operator !== "wordPrefix") || typeof value !== "string") return []
  // Search for the longest word only: long words are rare.
  const [word] = [...wordsOf(value)].sort((a, b) => b.length - a.length)
  if (word === undefined) return []
  const start = operator === "words" ? wholeWord(word) : Buffer.from(word)
  return [{ covered: [], slices: slicesOf([{ start, end: successor(start) }]), rank: operator === "words" ? 50 : 15 }]
}
