import type { Ref } from "../../../structure/elements/Element.ts"
import type { IndexQuery } from "../../../structure/graph/GraphReads.ts"
import type { CellSnapshot, Page, SliceQuery } from "../cells/CellStore.ts"
import { CellCursor } from "../cells/Cells.ts"
import { withLimit } from "../cells/Slices.ts"
import { ByteReader } from "../format/ByteReader.ts"
import type { VertexId } from "../format/Ids.ts"
import { readEdgeEntry } from "../format/IndexCells.ts"
import type { RelationIdentifier } from "../format/RelationIds.ts"
import type { GraphCore } from "../GraphCore.ts"
import type { PropertyKey } from "../schema/Schema.ts"
import { after, lastColumn } from "../schema/SchemaRead.ts"
import { fetchEdges } from "../transaction/EdgeFetch.ts"
import { fetchProperties } from "../transaction/PropertyFetch.ts"
import { append, type CellScan, type Found } from "../transaction/Scans.ts"
import { Seen } from "../transaction/Seen.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import { ChangedElements } from "./ChangedElements.ts"
import type { CellIndexChoice } from "./IndexChoice.ts"
import { isStillUsed, wasRemoved } from "./RemovedIndexes.ts"
import { MAX_PAGES_OF_SEARCH } from "./Searches.ts"
import { SortedPlaces } from "./SortedPlaces.ts"

/** Maximum number of slices of one fetch from a store that answers later. */
const SLICES_PER_FETCH = 32

/** A page of a slice has at least so many entries, however few are wanted. */
const MIN_PAGE_ENTRIES = 64

/** The approximate maximum number of entries that one call of next() reads, even if a filter rejects most of them. */
const ENTRIES_PER_CALL = 8192

/** The maximum number of steps of one call of next() in the changed elements: a step may encode the entries of one. */
const STEPS_PER_CALL = 1024

/**
 * Iterates over the elements that an index finds, then over the matching elements that the transaction has changed. Returns each
 * element once.
 */
export class IndexScan implements CellScan {
  readonly #reading: TransactionView
  readonly #core: GraphCore
  readonly #snapshot: CellSnapshot
  readonly #choice: CellIndexChoice
  readonly #partitionBits: number
  readonly #labels: ReadonlySet<string> | null
  /** Set if the index sorts vertices by values that can expire. */
  readonly #places: SortedPlaces | undefined
  /** True if the store answers later, so that pages come from fetch(). */
  readonly #later: boolean
  /** Slices that remain to be read; the next one is the last of the array. */
  #left: Array<SliceQuery>
  /** Elements that were read and not returned yet; the next one is the last of the array. */
  #buffered: Array<Ref> = []
  /** The columns of the buffered elements, if {@link #places} is set. */
  #columns: Array<Uint8Array> = []
  /** Elements that were returned. Null if an element has only one entry in the index. */
  readonly #seen: Seen<Ref> | null
  /** Null when the transaction has changed nothing, and at the end. */
  #changed: ChangedElements | null
  /** The pages fetched so far, which are cached for later scans of the same slices. Null if they are too many to cache. */
  #pages: ReadonlyArray<Page> | null = []
  #isClosed = false

  constructor(
    core: GraphCore,
    reading: TransactionView,
    snapshot: CellSnapshot,
    query: IndexQuery,
    choice: CellIndexChoice
  ) {
    reading.assertOpen()
    const { answersLater } = core.cells
    this.#core = core
    this.#partitionBits = core.options.partitionBits
    this.#reading = reading
    this.#snapshot = snapshot
    this.#choice = choice
    this.#later = answersLater
    this.#labels = query.labels === null || !choice.coversLabels ? null : new Set(query.labels)
    const { expires } = reading.schema
    const isSorted = choice.ordered && choice.index.element === "vertex"
    const mayEnd = isSorted && (expires !== undefined || reading.schema.mayExpire(choice.sortedBy!.id))
    this.#places = mayEnd ? new SortedPlaces(reading, choice, choice.sortedBy!) : undefined
    this.#left = [...choice.slices].reverse()
    const hasOutdated = answersLater || expires !== undefined
    this.#seen = mayRepeat(choice, hasOutdated) ? new Seen(reading.searches) : null
    const { own } = reading
    this.#changed = own === null ? null : new ChangedElements(reading, own, choice, this.#partitionBits)
    // The pages of an earlier search come without the properties of their vertices.
    const isKnown = answersLater && this.#places === undefined
    const known = isKnown ? (reading.searches.find(choice.slices) ?? this.#cached()) : undefined
    if (known === undefined) return
    this.#left = []
    for (const page of known) this.#take(page)
  }

  /** The pages of all slices, if the store has them in memory, and no further cells are needed. */
  #cached(): ReadonlyArray<Page> | undefined {
    const { index, slices } = this.#choice
    // The cache may have the pages of an index whose entries were removed.
    if (index.element === "edge" || this.#needsEnds() || !isStillUsed(index, this.#reading.schema, this.#core.schema)) {
      return undefined
    }
    const pages: Array<Page> = []
    for (const query of slices) {
      const page = this.#snapshot.cached?.(query)
      if (page === undefined || page.more) return undefined
      pages.push(page)
    }
    return pages
  }

  /** True if the properties of the found vertices are needed, because they contain the expiry times. */
  #needsEnds(): boolean {
    return this.#reading.schema.hasExpiringVertices || this.#places !== undefined
  }

  next(max: number, out: Found): boolean {
    const full = out.length + max
    for (let answered = 0, examined = 0; out.length < full; ) {
      if (this.#hasRead()) {
        if (answered++ >= ENTRIES_PER_CALL) break
        const held = this.#places?.next(this.#columns.at(-1))
        const ref = held ?? this.#buffered.pop()!
        if (this.#isAnswer(ref, held === undefined ? this.#columns.pop() : undefined)) append(out, ref)
      } else if (this.#left.length === 0 || this.#later || examined >= ENTRIES_PER_CALL) break
      else {
        const query = withLimit(this.#left.pop()!, Math.max(MIN_PAGE_ENTRIES, max))
        const page = this.#snapshot.slice(query)
        const read = this.#take(page)
        examined += 1 + read
        if (page.more) this.#left.push(restOf(query, page))
      }
    }
    if (this.#hasRead() || this.#left.length > 0) return true
    return this.#nextChanged(full, out)
  }

  /** True if the next element was read, or none is left but those whose place came later than their entry. */
  #hasRead(): boolean {
    return this.#buffered.length > 0 || (this.#left.length === 0 && this.#places?.isEmpty === false)
  }

  #nextChanged(full: number, out: Found): boolean {
    for (let steps = 0; this.#changed !== null && out.length < full; steps++) {
      if (steps >= STEPS_PER_CALL) return true
      const ref = this.#changed.next()
      if (ref === undefined) this.#changed = null
      else if (ref !== -1 && this.#hasLabel(ref) && this.#seen?.add(ref) !== false) append(out, ref)
    }
    if (this.#changed !== null) return true
    this.#seen?.clear()
    return false
  }

  /** Adds the elements of a page; returns the number of its entries. */
  #take({ cells }: Page): number {
    const cursor = new CellCursor().over(cells)
    const { filter, index } = this.#choice
    const found: Array<Ref> = []
    const columns: Array<Uint8Array> = []
    let read = 0
    while (cursor.next()) {
      read++
      if (filter !== undefined && !filter(cursor.column())) continue
      const reader = new ByteReader(cursor.bytes, cursor.columnEnd, cursor.valueEnd)
      if (this.#places !== undefined) columns.push(Uint8Array.from(cursor.column()))
      if (index.element === "vertex") found.push(this.#reading.vertexRefs.of(reader.vertexId()))
      else {
        const ref = this.#reading.edgeOf(readEdgeEntry(reader))
        if (ref !== -1) found.push(ref)
      }
    }
    if (!this.#choice.descending) {
      found.reverse()
      columns.reverse()
    }
    this.#buffered = this.#buffered.length === 0 ? found : [...found, ...this.#buffered]
    this.#columns = this.#columns.length === 0 ? columns : [...columns, ...this.#columns]
    return read
  }

  /** `column`: that of an entry, if {@link #places} is set. */
  #isAnswer(ref: Ref, column: Uint8Array | undefined): boolean {
    if (this.#changed?.has(ref)) return false
    if (column !== undefined && this.#places?.of(ref, column) !== "here") return false
    if (this.#seen?.add(ref) === false) return false
    const there = this.#choice.index.element === "vertex" ? this.#isThere(ref) : this.#reading.hasEdge(ref)
    return there && (this.#choice.index.onlyLabel !== undefined || this.#hasLabel(ref))
  }

  /**
   * True unless the vertex was removed or has expired: an index keeps entries of expired elements. A new vertex may have the id of a
   * removed one, whose entries the snapshot has.
   */
  #isThere(ref: Ref): boolean {
    const { own, schema } = this.#reading
    if (!this.#reading.hasVertex(ref) || own?.vertices.get(ref)?.isNew) return false
    return !schema.hasExpiringVertices || !this.#reading.hasExpired(this.#reading.row(ref))
  }

  #hasLabel(ref: Ref): boolean {
    if (this.#labels === null) return true
    const { index } = this.#choice
    return this.#labels.has(
      index.element === "vertex" ? this.#reading.vertexLabel(ref) : this.#reading.edges.type(ref).name
    )
  }

  isFetched(): boolean {
    return this.#buffered.length > 0 || this.#left.length === 0
  }

  async fetch(max: number): Promise<void> {
    const wanted = this.#left.splice(-SLICES_PER_FETCH).reverse()
    const queries = wanted.map((query) => withLimit(query, Math.max(MIN_PAGE_ENTRIES, max)))
    const pages = await this.#snapshot.fetch(queries)
    if (this.#isClosed) return
    const { index } = this.#choice
    if (!isStillUsed(index, this.#reading.schema, this.#core.schema)) throw wasRemoved(index.name)
    for (let at = pages.length - 1; at >= 0; at--) {
      if (pages[at]!.more) this.#left.push(restOf(queries[at]!, pages[at]!))
    }
    if (this.#choice.index.element === "edge") await this.#fetchEdges(pages)
    else if (this.#needsEnds()) await this.#fetchEnds(pages)
    // A closed search has none of its other slices, so its pages are not the whole answer.
    if (!this.#isClosed) this.#keep(pages)
  }

  #keep(pages: ReadonlyArray<Page>): void {
    for (const page of pages) this.#take(page)
    if (this.#pages === null || this.#pages.length + pages.length > MAX_PAGES_OF_SEARCH) this.#pages = null
    else this.#pages = this.#pages.length === 0 ? pages : [...this.#pages, ...pages]
    if (this.#left.length === 0 && this.#pages !== null) this.#reading.searches.keep(this.#choice.slices, this.#pages)
  }

  /** Fetches the properties of the found vertices, because they contain the expiry times. */
  #fetchEnds(pages: ReadonlyArray<Page>): Promise<void> {
    const ids: Array<VertexId> = []
    for (const { cells } of pages) {
      const cursor = new CellCursor().over(cells)
      while (cursor.next()) ids.push(new ByteReader(cursor.bytes, cursor.columnEnd, cursor.valueEnd).vertexId())
    }
    return fetchProperties(this.#reading, this.#snapshot, this.#partitionBits, ids)
  }

  /** Fetches the cells of the found edges, because an index entry contains only the ids of an edge. */
  #fetchEdges(pages: ReadonlyArray<Page>): Promise<void> {
    const ids: Array<RelationIdentifier> = []
    for (const { cells } of pages) {
      const cursor = new CellCursor().over(cells)
      while (cursor.next()) ids.push(readEdgeEntry(new ByteReader(cursor.bytes, cursor.columnEnd, cursor.valueEnd)))
    }
    return fetchEdges(this.#reading, this.#snapshot, this.#partitionBits, ids)
  }

  close(): void {
    this.#isClosed = true
    this.#buffered = []
    this.#columns = []
    this.#places?.clear()
    this.#left = []
    this.#changed = null
    this.#seen?.clear()
  }
}

/**
 * True if the slices may contain several entries of one element. `hasOutdated`: an ordered or mixed index may have entries for former
 * values of an element.
 */
const mayRepeat = ({ index, slices, sortedBy }: CellIndexChoice, hasOutdated: boolean): boolean => {
  if (index.cardinality === "LIST") return true
  const hasOneValue = ({ cardinality }: PropertyKey): boolean => index.element === "edge" || cardinality === "SINGLE"
  // A unique index has one entry in a row, and an element has a row for each of its values.
  if (index.kind === "equality") return slices.length > 1 && !index.fields.every(hasOneValue)
  if (hasOutdated || slices.length > 1 || sortedBy === undefined) return true
  return index.kind === "mixed" ? !hasOneValue(sortedBy) : !index.fields.every(hasOneValue)
}

/** The part of a slice that remains after a page was read. */
const restOf = (query: SliceQuery, { cells }: Page): SliceQuery => {
  if (!query.reverse) return { ...query, start: after(lastColumn(cells)) }
  const cursor = new CellCursor().over(cells)
  cursor.next()
  return { ...query, end: Uint8Array.from(cursor.column()) }
}
