import { order as compare } from "../../../structure/comparison/Ordering.ts"
import type { Ref } from "../../../structure/elements/Element.ts"
import type { IndexQuery } from "../../../structure/graph/GraphReads.ts"
import type { CellSnapshot } from "../cells/CellStore.ts"
import { parseRelationId, type RelationIdentifier } from "../format/RelationIds.ts"
import { changedElements } from "../indexes/ChangedElements.ts"
import { isOnly } from "../indexes/IndexChoice.ts"
import type { GraphIndex } from "../schema/Schema.ts"
import { fetchEdges } from "../transaction/EdgeFetch.ts"
import { fetchProperties } from "../transaction/PropertyFetch.ts"
import { append, type CellScan, type Found } from "../transaction/Scans.ts"
import { Seen } from "../transaction/Seen.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import { vertexOfName } from "./DocumentNames.ts"
import { type DocumentSearch, documentOrder, documentSearch } from "./DocumentQuery.ts"
import type { SearchEngine } from "./SearchEngine.ts"
import type { ServedChoice } from "./ServedIndexes.ts"

/** The maximum number of elements that one call of next() reads, even if it returns few of them. */
const ELEMENTS_PER_CALL = 8192

/** How an index in a search engine answers a query. All conditions are tested again after the search. */
export class DocumentChoice implements ServedChoice {
  readonly name: string
  readonly covered: readonly number[] = []
  readonly order: ServedChoice["order"]
  readonly coversLabels: boolean
  readonly rank: number
  readonly index: GraphIndex
  readonly query: string

  constructor(index: GraphIndex, { query, rank }: DocumentSearch, order: ServedChoice["order"], coversLabels: boolean) {
    this.name = index.name
    this.index = index
    this.query = query
    this.rank = rank + (order === undefined ? 0 : 3)
    this.order = order
    this.coversLabels = coversLabels
  }

  get ordered(): boolean {
    return this.order !== undefined
  }
}

/**
 * The index with the most selective query among those that `isServed`; undefined if none has one of the keys of the query. `isSortable`
 * returns true for an index whose documents are those of the graph as the transaction sees it.
 */
export const chooseDocuments = (
  reading: TransactionView,
  query: IndexQuery,
  isServed: (index: GraphIndex) => boolean,
  isSortable: (index: GraphIndex) => boolean
): DocumentChoice | undefined => {
  let best: DocumentChoice | undefined
  for (const index of reading.schema.engineIndexes) {
    if (index.element !== query.element || !isServed(index)) continue
    if (index.onlyLabel !== undefined && !isOnly(reading, query, index.onlyLabel)) continue
    const sorted = query.order === undefined ? undefined : documentOrder(index.documents!, query)
    const order = sorted !== undefined && isSortable(index) ? sorted : undefined
    const search = documentSearch(index.documents!, query, order)
    if (search === undefined) continue
    const choice = new DocumentChoice(index, search, order, query.labels === null)
    if (best === undefined || choice.rank > best.rank) best = choice
  }
  return best
}

/**
 * Iterates over the elements of the documents that a search finds. Then come the elements whose documents may be outdated: those
 * that the transaction has changed, and those that wait to be written to the engine. Returns each element once.
 */
export class DocumentScan implements CellScan {
  readonly #reading: TransactionView
  readonly #snapshot: CellSnapshot
  readonly #partitionBits: number
  readonly #choice: ServedChoice
  readonly #engine: SearchEngine
  /** Names of the documents that wait to be written. */
  readonly #waiting: ReadonlyArray<string>
  /** Elements that were found and not returned yet; the next one is the last of the array. */
  #buffered: Array<Ref>
  readonly #seen: Seen<Ref>
  #cursor: string | undefined
  #state: "new" | "more" | "end" = "new"
  #isClosed = false

  /** `waiting`: the names of the documents of the index that wait to be written. */
  constructor(
    reading: TransactionView,
    snapshot: CellSnapshot,
    partitionBits: number,
    choice: ServedChoice,
    { engine, waiting }: { readonly engine: SearchEngine; readonly waiting: ReadonlyArray<string> }
  ) {
    reading.assertOpen()
    this.#reading = reading
    this.#snapshot = snapshot
    this.#partitionBits = partitionBits
    this.#choice = choice
    this.#engine = engine
    this.#waiting = waiting
    this.#seen = new Seen(reading.searches)
    this.#buffered = []
    const known = reading.searches.documents(this.#search)
    if (known === undefined) return
    this.#state = "end"
    this.#take(known)
    this.#addChanged()
  }

  get #search(): string {
    const { index, order, query } = this.#choice
    return order === undefined ? `${index.id} ${query}` : `${index.id} ${query} ${order.field} ${order.descending}`
  }

  next(max: number, out: Found): boolean {
    const full = out.length + max
    for (let examined = 0; out.length < full && this.#buffered.length > 0 && examined < ELEMENTS_PER_CALL; examined++) {
      const ref = this.#buffered.pop()!
      if (!this.#seen.add(ref)) continue
      const reading = this.#reading
      if (this.#choice.index.element === "vertex" ? reading.hasVertex(ref) : reading.hasEdge(ref)) append(out, ref)
    }
    if (this.#buffered.length > 0 || this.#state !== "end") return true
    this.#seen.clear()
    return false
  }

  isFetched(): boolean {
    return this.#buffered.length > 0 || this.#state === "end"
  }

  async fetch(): Promise<void> {
    const isFirst = this.#state === "new"
    const { index, order, query } = this.#choice
    const { cursor, ids } = isFirst
      ? await this.#engine.search(index.documents!.store, query, order)
      : await this.#engine.more(this.#cursor!)
    // The engine keeps a search open until it is released.
    if (this.#isClosed || this.#reading.isEnded) {
      if (cursor !== undefined) this.#engine.release(cursor)
      return
    }
    this.#cursor = cursor
    this.#state = cursor === undefined ? "end" : "more"
    if (index.element === "edge") await this.#fetchEdges(this.#state === "end" ? [...ids, ...this.#waiting] : ids)
    else if (order !== undefined) await this.#fetchProperties(ids)
    if (this.#isClosed) return
    this.#take(ids)
    if (cursor !== undefined) return
    this.#take(this.#waiting)
    if (isFirst) this.#reading.searches.keepDocuments(this.#search, [...ids, ...this.#waiting])
    this.#addChanged()
  }

  #fetchEdges(names: ReadonlyArray<string>): Promise<void> {
    const ids: Array<RelationIdentifier> = names.flatMap((name) => parseRelationId(name) ?? [])
    return fetchEdges(this.#reading, this.#snapshot, this.#partitionBits, ids)
  }

  #fetchProperties(names: ReadonlyArray<string>): Promise<void> {
    const ids = names.flatMap((name) => vertexOfName(name) ?? [])
    return fetchProperties(this.#reading, this.#snapshot, this.#partitionBits, ids)
  }

  #take(names: ReadonlyArray<string>): void {
    const found = this.#refsOf(names)
    const { order } = this.#choice
    this.#buffered = [...(order === undefined ? found : this.#sorted(found, order)).reverse(), ...this.#buffered]
  }

  /** The elements of a page in the order of their values: a document may be older than its element, or rounded. */
  #sorted(refs: ReadonlyArray<Ref>, { descending, key }: NonNullable<ServedChoice["order"]>): Array<Ref> {
    const found: Array<{ readonly ref: Ref; readonly value: unknown }> = []
    for (const ref of refs) {
      const value =
        this.#choice.index.element === "vertex"
          ? this.#reading.liveState(ref, key)?.entries[0]?.value
          : this.#reading.edgeValue(ref, key)
      if (value !== undefined) found.push({ ref, value })
    }
    const sign = descending ? -1 : 1
    return found.sort((one, other) => sign * compare(one.value, other.value)).map(({ ref }) => ref)
  }

  /** Nothing is added to an ordered search: when it began, no element was changed, and what changes later is not part of it. */
  #addChanged(): void {
    if (this.#choice.order !== undefined) return
    this.#buffered = [...changedElements(this.#reading, this.#choice.index), ...this.#buffered]
  }

  #refsOf(names: ReadonlyArray<string>): Array<Ref> {
    const found: Array<Ref> = []
    for (const name of names) {
      if (this.#choice.index.element === "vertex") {
        const id = vertexOfName(name)
        if (id !== undefined) found.push(this.#reading.vertexRefs.of(id))
        continue
      }
      const id = parseRelationId(name)
      const ref = id === undefined ? -1 : this.#reading.edgeOf(id)
      if (ref !== -1) found.push(ref)
    }
    return found
  }

  close(): void {
    this.#isClosed = true
    this.#buffered = []
    this.#seen.clear()
    this.#state = "end"
    if (this.#cursor !== undefined) this.#engine.release(this.#cursor)
    this.#cursor = undefined
  }
}
