import { runWhole } from "../../../scheduling/Task.ts"
import { BigMap } from "../../../structure/BigMap.ts"
import { TransactionConflict } from "../../../structure/StoreErrors.ts"
import type { CellBatch, Page, SliceQuery } from "../cells/CellStore.ts"
import { CellCursor, sameBytes } from "../cells/Cells.ts"
import { ByteReader } from "../format/ByteReader.ts"
import type { VertexId } from "../format/Ids.ts"
import { readEdgeEntry } from "../format/IndexCells.ts"
import { ElementEntries } from "../indexes/ElementEntries.ts"
import type { IndexEntry } from "../indexes/IndexEntries.ts"
import type { GraphIndex, Schema } from "../schema/Schema.ts"
import { after } from "../schema/SchemaRead.ts"
import type { RowChanges } from "./RowChanges.ts"

const nameOf = ({ table, key, column }: IndexEntry): string =>
  `${table} ${key.toString("latin1")} ${column.toString("latin1")}`

/** Whether the time is over of the element that an entry of a unique index is of, by the entry's value. */
type HasEnded = (entry: IndexEntry, value: Uint8Array) => boolean

/** Tells of entries that are no more those of an element that lives; undefined where everything lives for ever. */
export const hasEnded = (
  slice: (query: SliceQuery) => Page,
  schema: Schema,
  partitionBits: number,
  now: number
): HasEnded | undefined => {
  if (schema.expires === undefined) return undefined
  const living = new ElementEntries(slice, schema, partitionBits, now)
  return (entry, value) => {
    const name = nameOf(entry)
    const owner = ownerOf(entry.index, value)
    return living
      .of(entry.index, vertexOf(entry.index, value))
      .every((other) => nameOf(other) !== name || ownerOf(entry.index, other.value) !== owner)
  }
}

/** The vertex of an entry, or the out-vertex of its edge. */
const vertexOf = (index: GraphIndex, value: Uint8Array): VertexId => {
  const reader = new ByteReader(value)
  return index.element === "edge" ? readEdgeEntry(reader).out : reader.vertexId()
}

/** What tells the element of an entry from others. */
const ownerOf = (index: GraphIndex, value: Uint8Array): unknown => {
  const reader = new ByteReader(value)
  return index.element === "edge" ? readEdgeEntry(reader).relation : reader.vertexId()
}

/** Entries that a commit takes away and adds; those of one element that stay are not touched. */
export class IndexChanges {
  readonly #removed = new BigMap<string, IndexEntry>()
  /** Of a unique index, where the time of all elements with the entry but one is over. */
  readonly #alsoRemoved = new BigMap<string, ReadonlyArray<IndexEntry>>()
  readonly #added = new BigMap<string, IndexEntry>()
  /** Where two elements of the transaction want the same entry of a unique index. */
  clash: IndexEntry | undefined

  replace(before: ReadonlyArray<IndexEntry>, now: ReadonlyArray<IndexEntry>): void {
    for (const entry of before) {
      const name = nameOf(entry)
      const other = this.#removed.get(name)
      if (other !== undefined && entry.index.unique) {
        this.#alsoRemoved.set(name, [...(this.#alsoRemoved.get(name) ?? []), other])
      }
      this.#removed.set(name, entry)
    }
    for (const entry of now) {
      const name = nameOf(entry)
      const other = this.#added.get(name)
      if (other !== undefined && entry.index.unique && !sameBytes(other.value, entry.value)) this.clash = entry
      this.#added.set(name, entry)
    }
  }

  /**
   * The first new entry of a unique index that another element has, undefined when there is none. `hasEnded`, where
   * something has a time to live, tells whether that element's time is over: then its entry goes to the new one, and it
   * is no more its own that it would take away later.
   */
  taken(slice: (query: SliceQuery) => Page, hasEnded: HasEnded | undefined): IndexEntry | undefined {
    return runWhole(this.taking(slice, hasEnded))
  }

  /** The same, with a yield for each entry. */
  *taking(slice: (query: SliceQuery) => Page, hasEnded: HasEnded | undefined): Generator<void, IndexEntry | undefined> {
    const stored = ({ table, key, column }: IndexEntry): Uint8Array | undefined => {
      const cursor = new CellCursor().over(slice({ table, key, start: column, end: after(column), limit: 1 }).cells)
      return cursor.next() ? cursor.value() : undefined
    }
    for (const [name, entry] of this.#added) {
      yield
      if (!entry.index.unique) continue
      if (hasEnded === undefined && this.#removed.has(name)) continue
      const there = stored(entry)
      if (there !== undefined && this.#frees(name, there)) continue
      if (there !== undefined && !hasEnded?.(entry, there)) return entry
      this.#removed.delete(name)
    }
    if (hasEnded === undefined) return undefined
    for (const [name, entry] of this.#removed) {
      yield
      if (!entry.index.unique || this.#added.has(name)) continue
      const there = stored(entry)
      if (there !== undefined && !this.#frees(name, there)) this.#removed.delete(name)
    }
    return undefined
  }

  /** Whether the element that has an entry of a unique index is one of those that the transaction takes it from. */
  #frees(name: string, there: Uint8Array): boolean {
    const [last, others] = [this.#removed.get(name), this.#alsoRemoved.get(name)]
    if (last === undefined) return false
    return [last, ...(others ?? [])].some(({ index, value }) => ownerOf(index, value) === ownerOf(index, there))
  }

  /** Throws TransactionConflict when another has an entry of a unique index; `refuse` makes another error of it. */
  check(batch: CellBatch, hasEnded?: HasEnded, refuse?: (index: GraphIndex) => Error): void {
    runWhole(this.checking(batch, hasEnded, refuse))
  }

  /** The same, with a yield for each entry. */
  *checking(batch: CellBatch, hasEnded?: HasEnded, refuse?: (index: GraphIndex) => Error): Generator<void, void> {
    const taken = yield* this.taking((query) => batch.slice(query), hasEnded)
    if (taken === undefined) return
    if (refuse !== undefined) throw refuse(taken.index)
    const names = taken.index.fields.map(({ name }) => name).join(", ")
    throw new TransactionConflict(`the value of the unique index on ${names}`)
  }

  put(changes: RowChanges): void {
    runWhole(this.putting(changes))
  }

  /** The same, with a yield for each entry. */
  *putting(changes: RowChanges): Generator<void, void> {
    for (const [name, { table, key, column }] of this.#removed) {
      yield
      if (!this.#added.has(name)) changes.remove(table, key, column)
    }
    for (const [name, { table, key, column, value }] of this.#added) {
      yield
      const before = this.#removed.get(name)
      if (before === undefined || !sameBytes(before.value, value)) changes.put(table, key, column, value)
    }
  }
}
