import type { Ref } from "../../../structure/Element.ts"
import { keyOf } from "../../../structure/Equivalence.ts"
import type { IndexChoice, IndexCondition, IndexQuery, Later } from "../../../structure/GraphStore.ts"
import type { CellSnapshot, Page, SliceQuery } from "../CellStore.ts"
import { CellCursor, compareColumns } from "../Cells.ts"
import { ByteReader } from "../codec/ByteReader.ts"
import { readEdgeEntry } from "../codec/IndexCells.ts"
import type { RelationIdentifier } from "../codec/RelationIds.ts"
import type { TransactionReading } from "../Reading.ts"
import { append, type CellScan, type Found } from "../Scans.ts"
import type { GraphIndex, PropertyKey } from "../schema/Schema.ts"
import { after, lastColumn } from "../schema/SchemaReading.ts"
import { indexRow, rangePrefix, rangeRow } from "./IndexEntries.ts"
import { equalValues, indexedValue } from "./IndexValues.ts"
import { type ColumnRange, rangeOf } from "./Ranges.ts"

/** Rows of an index that one search reads, at most. */
const MOST_ROWS = 4096

/** How an index of this store answers a query. */
export class CellIndexChoice implements IndexChoice {
  readonly name: string
  readonly covered: readonly number[]
  readonly coversLabels: boolean
  readonly index: GraphIndex
  /** Values that fit, for each field of an index by equality. */
  readonly values: ReadonlyArray<ReadonlyArray<unknown>>
  /** Columns of a range index. */
  readonly range: ColumnRange | undefined

  constructor(
    index: GraphIndex,
    covered: readonly number[],
    coversLabels: boolean,
    values: ReadonlyArray<ReadonlyArray<unknown>>,
    range: ColumnRange | undefined
  ) {
    this.name = index.name
    this.index = index
    this.covered = covered
    this.coversLabels = coversLabels
    this.values = values
    this.range = range
  }

  /** Slices that hold all the entries. */
  queries(): ReadonlyArray<SliceQuery> {
    if (this.range !== undefined) return [{ table: "engine_ranges", key: rangeRow(this.index), ...this.range }]
    let combinations: ReadonlyArray<ReadonlyArray<unknown>> = [[]]
    for (const field of this.values) {
      combinations = combinations.flatMap((before) => field.map((value) => [...before, value]))
    }
    return combinations.map((values) => ({ table: "graphindex", key: indexRow(this.index, values) }))
  }
}

/** The index that answers most of a query's conditions. */
export const chooseIndex = (
  reading: TransactionReading,
  query: IndexQuery,
  answersLater: boolean
): CellIndexChoice | undefined => {
  let best: CellIndexChoice | undefined
  for (const index of reading.schema.indexes) {
    if (index.element !== query.element || index.status !== "ENABLED" || index.fields.length === 0) continue
    if (index.onlyLabel !== undefined && !isOnly(reading, query, index.onlyLabel)) continue
    const coversLabels = query.labels === null || index.onlyLabel !== undefined || !answersLater
    const choice = index.kind === "range" ? byRange(index, query, coversLabels) : byEquality(index, query, coversLabels)
    if (choice === undefined) continue
    if (best === undefined || rank(choice) > rank(best)) best = choice
  }
  return best
}

const rank = ({ index, covered }: CellIndexChoice): number =>
  (index.unique ? 1000 : 0) + (index.kind === "equality" ? 100 : 0) + covered.length

/** True when the query asks for elements with this label only. */
const isOnly = (reading: TransactionReading, { labels, element }: IndexQuery, label: number): boolean => {
  if (labels?.length !== 1) return false
  const types = element === "vertex" ? reading.schema.vertexLabels : reading.schema.labels
  return types.get(labels[0]!)?.id === label
}

const byEquality = (index: GraphIndex, query: IndexQuery, coversLabels: boolean): CellIndexChoice | undefined => {
  const covered: Array<number> = []
  const values: Array<ReadonlyArray<unknown>> = []
  let rows = 1
  for (const key of index.fields) {
    const at = query.conditions.findIndex((condition) => condition.key === key.name && valuesOf(key, condition))
    if (at === -1) return undefined
    const found = valuesOf(key, query.conditions[at]!)!
    rows *= found.length
    if (rows > MOST_ROWS) return undefined
    covered.push(at)
    values.push(found)
  }
  return new CellIndexChoice(index, covered, coversLabels, values, undefined)
}

/** The stored values that meet a condition; undefined when an index by equality cannot tell. */
const valuesOf = (key: PropertyKey, { operator, value }: IndexCondition): ReadonlyArray<unknown> | undefined => {
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

const byRange = (index: GraphIndex, query: IndexQuery, coversLabels: boolean): CellIndexChoice | undefined => {
  let covered: Array<number> = []
  let range: ColumnRange | undefined
  for (let at = 0; at < query.conditions.length; at++) {
    const condition = query.conditions[at]!
    if (condition.key !== index.fields[0]!.name) continue
    const found = rangeOf(index, condition)
    if (found === undefined) continue
    covered = [...covered, at]
    range = range === undefined ? found : narrowed(range, found)
  }
  return range === undefined ? undefined : new CellIndexChoice(index, covered, coversLabels, [], range)
}

const narrowed = (a: ColumnRange, b: ColumnRange): ColumnRange => ({
  start: a.start === undefined || (b.start !== undefined && compareColumns(b.start, a.start) > 0) ? b.start : a.start,
  end: a.end === undefined || (b.end !== undefined && compareColumns(b.end, a.end) < 0) ? b.end : a.end
})

/** The elements that an index has under some values, each once; then those that the transaction had changed. */
export class IndexScan implements CellScan {
  readonly #reading: TransactionReading
  readonly #snapshot: CellSnapshot
  readonly #choice: CellIndexChoice
  readonly #partitionBits: number
  readonly #labels: ReadonlySet<string> | null
  readonly #later: boolean
  #queries: ReadonlyArray<SliceQuery>
  #at = 0
  #from: Uint8Array | undefined
  /** Elements that were read and not given yet. */
  #here: Array<Ref> = []
  readonly #seen: Set<Ref> | null
  /** Elements of the transaction's own changes: the index does not know them as they are now. */
  readonly #changed: ReadonlySet<Ref>
  #changedLeft: Array<Ref>
  readonly #wanted: ReadonlyArray<ReadonlySet<unknown>>

  constructor(
    reading: TransactionReading,
    snapshot: CellSnapshot,
    query: IndexQuery,
    choice: CellIndexChoice,
    partitionBits: number,
    answersLater: boolean
  ) {
    reading.assertOpen()
    this.#partitionBits = partitionBits
    this.#reading = reading
    this.#snapshot = snapshot
    this.#choice = choice
    this.#later = answersLater
    this.#labels = query.labels === null || !choice.coversLabels ? null : new Set(query.labels)
    this.#queries = choice.queries()
    this.#seen = choice.index.cardinality === "LIST" || choice.index.kind === "range" ? new Set() : null
    this.#changed = changedElements(reading, choice.index)
    this.#changedLeft = [...this.#changed].reverse()
    this.#wanted = choice.values.map((values) => new Set(values.map((value) => keyOf(indexedValue(value)))))
  }

  next(max: number, out: Found): boolean {
    const full = out.length + max
    while (out.length < full) {
      if (this.#here.length > 0) {
        const ref = this.#here.pop()!
        if (this.#isAnswer(ref)) append(out, ref)
      } else if (this.#at >= this.#queries.length || this.#later) break
      else this.#take(this.#snapshot.slice(this.#query(max)))
    }
    if (this.#here.length > 0 || this.#at < this.#queries.length) return true
    while (this.#changedLeft.length > 0 && out.length < full) {
      const ref = this.#changedLeft.pop()!
      if (this.#fits(ref) && this.#hasLabel(ref)) append(out, ref)
    }
    return this.#changedLeft.length > 0
  }

  #query(limit: number): SliceQuery {
    const query = this.#queries[this.#at]!
    return { ...query, start: this.#from ?? query.start, limit: Math.max(64, limit) }
  }

  /** Keeps the elements of a piece of the index, and goes on to the next. */
  #take({ cells, more }: Page): void {
    const cursor = new CellCursor().over(cells)
    const found: Array<Ref> = []
    while (cursor.next()) {
      const reader = new ByteReader(cursor.bytes, cursor.columnEnd, cursor.valueEnd)
      if (this.#choice.index.element === "vertex") found.push(this.#reading.vertexRefs.of(reader.vertexId()))
      else {
        const ref = this.#reading.edgeOf(readEdgeEntry(reader))
        if (ref !== -1) found.push(ref)
      }
    }
    this.#here = found.reverse()
    this.#goOn(more ? after(lastColumn(cells)) : undefined)
  }

  #goOn(from: Uint8Array | undefined): void {
    this.#from = from
    if (from === undefined) this.#at++
  }

  #isAnswer(ref: Ref): boolean {
    if (this.#changed.has(ref)) return false
    if (this.#seen !== null) {
      if (this.#seen.has(ref)) return false
      this.#seen.add(ref)
    }
    const there = this.#choice.index.element === "vertex" ? this.#reading.hasVertex(ref) : this.#reading.hasEdge(ref)
    return there && this.#hasLabel(ref)
  }

  #hasLabel(ref: Ref): boolean {
    if (this.#labels === null) return true
    const { index } = this.#choice
    return this.#labels.has(
      index.element === "vertex" ? this.#reading.vertexLabel(ref) : this.#reading.edges.type(ref).name
    )
  }

  /** Whether an element that the transaction changed is an answer as it is now. */
  #fits(ref: Ref): boolean {
    const { index, range } = this.#choice
    const reading = this.#reading
    const isVertex = index.element === "vertex"
    if (!(isVertex ? reading.hasVertex(ref) : reading.hasEdge(ref))) return false
    if (index.onlyLabel !== undefined) {
      const label = isVertex ? reading.vertexLabel(ref) : reading.edges.type(ref).name
      const types = isVertex ? reading.schema.vertexLabels : reading.schema.labels
      if (types.get(label)?.id !== index.onlyLabel) return false
    }
    return index.fields.every((key, at) => {
      const values = isVertex
        ? (reading.state(ref, key.name)?.entries ?? []).map(({ value }) => value)
        : [reading.edgeValue(ref, key.name)].filter((value) => value !== undefined)
      if (range !== undefined) return values.some((value) => isInside(range, rangePrefix(index, [value])))
      return values.some((value) => this.#wanted[at]!.has(keyOf(indexedValue(value))))
    })
  }

  isHere(): boolean {
    return this.#here.length > 0 || this.#at >= this.#queries.length
  }

  fetch(max: number): Later {
    return {
      onDone: (resume) => {
        const query = this.#query(max)
        this.#snapshot.fetch([query], (error, pages) => {
          if (error !== undefined) resume(error)
          else if (this.#choice.index.element === "vertex") {
            this.#take(pages[0]!)
            resume(undefined)
          } else this.#fetchEdges(pages[0]!, resume)
        })
      }
    }
  }

  /** The cells of edges are fetched too: an entry says only where they are. */
  #fetchEdges(page: Page, resume: (error: Error | undefined) => void): void {
    const cursor = new CellCursor().over(page.cells)
    const ids: Array<RelationIdentifier> = []
    while (cursor.next()) ids.push(readEdgeEntry(new ByteReader(cursor.bytes, cursor.columnEnd, cursor.valueEnd)))
    this.#reading.fetchEdges(this.#snapshot, this.#partitionBits, ids, (error) => {
      if (error === undefined) this.#take(page)
      resume(error)
    })
  }

  close(): void {
    this.#here = []
    this.#queries = []
    this.#changedLeft = []
  }
}

const isInside = ({ start, end }: ColumnRange, column: Uint8Array): boolean =>
  (start === undefined || compareColumns(column, start) >= 0) && (end === undefined || compareColumns(column, end) < 0)

/** Elements with a changed field of an index, and new ones. */
const changedElements = (reading: TransactionReading, index: GraphIndex): ReadonlySet<Ref> => {
  const changed = new Set<Ref>()
  const { own } = reading
  if (own === null) return changed
  const isField = (name: string): boolean => index.fields.some((key) => key.name === name)
  if (index.element === "vertex") {
    for (const [ref, vertex] of own.vertices) {
      if (vertex.isNew || vertex.removed || [...vertex.changes.keys()].some(isField)) changed.add(ref)
    }
  } else {
    for (const ref of own.newEdges) changed.add(ref)
    for (const [ref, changes] of own.edgeChanges) if ([...changes.keys()].some(isField)) changed.add(ref)
  }
  return changed
}
