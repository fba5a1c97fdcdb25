import { runWhole } from "../../../scheduling/Task.ts"
import { BigMap, BigSet } from "../../../structure/containers/BigMap.ts"
import { TransactionConflict } from "../../../structure/errors/StoreErrors.ts"
import type { CellBatch, Page, SliceQuery } from "../cells/CellStore.ts"
import { CellCursor, sameBytes } from "../cells/Cells.ts"
import { sliceOf } from "../cells/Slices.ts"
import { ByteReader } from "../format/ByteReader.ts"
import { readEdgeEntry } from "../format/IndexCells.ts"
import { ElementEntries } from "../indexes/ElementEntries.ts"
import type { IndexEntry } from "../indexes/IndexEntries.ts"
import type { GraphIndex, Schema } from "../schema/Schema.ts"
import { after } from "../schema/SchemaRead.ts"
import type { RowChanges } from "./RowChanges.ts"

const nameOf = ({ table, key, column }: IndexEntry): string =>
  `${table} ${key.toString("latin1")} ${column.toString("latin1")}`

/** Returns true when the element of a stored entry has expired. `value` is the stored value of the entry. */
type HasExpired = (entry: IndexEntry, value: Uint8Array) => boolean

/** A test for entries of expired elements; undefined in a graph without times to live. */
export const hasExpired = (
  slice: (query: SliceQuery) => Page,
  schema: Schema,
  partitionBits: number,
  now: number
): HasExpired | undefined => {
  if (schema.expires === undefined) return undefined
  const living = new ElementEntries(slice, schema, partitionBits, now)
  return (entry, value) => {
    const name = nameOf(entry)
    const owner = ownerOf(entry.index, value)
    for (const other of living.ofOwner(entry.index, value))
      if (other !== undefined && nameOf(other) === name && ownerOf(entry.index, other.value) === owner) return false
    return true
  }
}

/** Identifies the element of an entry. */
const ownerOf = (index: GraphIndex, value: Uint8Array): unknown => {
  const reader = new ByteReader(value)
  return index.element === "edge" ? readEdgeEntry(reader).relation : reader.vertexId()
}

/** The value of the stored entry with the name of another one; undefined if there is none. */
const storedValue = (
  slice: (query: SliceQuery) => Page,
  { table, key, column }: IndexEntry
): Uint8Array | undefined => {
  const cursor = new CellCursor().over(slice(sliceOf(table, key, column, after(column), 1)).cells)
  return cursor.next() ? cursor.value() : undefined
}

/**
 * The index entries that a commit removes and adds. An entry that is both removed and added with the same value stays.
 */
export class IndexChanges {
  readonly #removed = new BigMap<string, IndexEntry>()
  /** Further removed entries with the same key and column in a unique index: all but one are of expired elements. */
  readonly #alsoRemoved = new BigMap<string, ReadonlyArray<IndexEntry>>()
  readonly #added = new BigMap<string, IndexEntry>()
  /** The names of the entries of unique indexes that elements of the transaction had before. */
  readonly #had = new BigSet<string>()
  /** An entry of a unique index that two elements of the transaction add, or one element with a value that it has twice. */
  clash: IndexEntry | undefined

  /** Replaces entries of one element. */
  replace(before: ReadonlyArray<IndexEntry>, now: ReadonlyArray<IndexEntry>): void {
    for (const entry of before) {
      const name = nameOf(entry)
      const other = this.#removed.get(name)
      if (entry.index.unique) this.#had.add(name)
      if (other !== undefined && entry.index.unique) {
        this.#alsoRemoved.set(name, [...(this.#alsoRemoved.get(name) ?? []), other])
      }
      this.#removed.set(name, entry)
    }
    const own = new Set<string>()
    for (const entry of now) {
      const name = nameOf(entry)
      const other = this.#added.get(name)
      const isTaken = other !== undefined && !sameBytes(other.value, entry.value)
      if (entry.index.unique && (isTaken || own.has(name))) this.clash = entry
      if (entry.index.unique) own.add(name)
      this.#added.set(name, entry)
    }
  }

  /**
   * The first added entry of a unique index that another element has; undefined when there is none. With `hasExpired`, the entries of
   * expired elements are free: the new element takes the entry over. Yields after each entry.
   */
  *taking(
    slice: (query: SliceQuery) => Page,
    hasExpired: HasExpired | undefined
  ): Generator<void, IndexEntry | undefined> {
    for (const [name, entry] of this.#added) {
      yield
      if (!entry.index.unique) continue
      if (hasExpired === undefined && this.#stays(name, entry)) continue
      const there = storedValue(slice, entry)
      if (there !== undefined && this.#frees(name, there)) continue
      if (there !== undefined && !hasExpired?.(entry, there)) return entry
      this.#removed.delete(name)
    }
    return undefined
  }

  /** True when an element has an added entry already. */
  #stays(name: string, { value }: IndexEntry): boolean {
    const before = this.#removed.get(name)
    return before !== undefined && sameBytes(before.value, value) && !this.#alsoRemoved.has(name)
  }

  /** True when the element that has a stored entry of a unique index is one from which the transaction removes it. */
  #frees(name: string, there: Uint8Array): boolean {
    const [last, others] = [this.#removed.get(name), this.#alsoRemoved.get(name)]
    if (last === undefined) return false
    return [last, ...(others ?? [])].some(({ index, value }) => ownerOf(index, value) === ownerOf(index, there))
  }

  /**
   * Throws TransactionConflict, or the error of `refuse`, when another element has an added entry of a unique index. Yields after each
   * entry.
   */
  *checking(batch: CellBatch, hasExpired?: HasExpired, refuse?: (index: GraphIndex) => Error): Generator<void, void> {
    const slice = (query: SliceQuery): Page => batch.slice(query)
    const taken = yield* this.taking(slice, hasExpired)
    if (taken === undefined) {
      yield* this.#keepOthers(slice, hasExpired !== undefined || refuse === undefined)
      return
    }
    if (refuse !== undefined) throw refuse(taken.index)
    const names = taken.index.fields.map(({ name }) => name).join(", ")
    throw new TransactionConflict(`the value of the unique index on ${names}`)
  }

  /**
   * Does not remove the entries that other elements have: an index that is being built may not have met the removed element yet, and has
   * the other one. `all`: also in indexes that are built, where two elements have one value only by mistake. A store that answers later
   * would read each entry for it.
   */
  *#keepOthers(slice: (query: SliceQuery) => Page, all: boolean): Generator<void, void> {
    for (const [name, entry] of this.#removed) {
      yield
      if (!entry.index.unique || this.#added.has(name) || !(all || entry.index.status !== "ENABLED")) continue
      const there = storedValue(slice, entry)
      if (there !== undefined && !this.#frees(name, there)) this.#removed.delete(name)
    }
  }

  /** Adds the changes of the entries to those of the commit. */
  put(changes: RowChanges): void {
    runWhole(this.putting(changes))
  }

  /** As {@link put}, with a yield after each entry. */
  *putting(changes: RowChanges): Generator<void, void> {
    for (const [name, { table, key, column }] of this.#removed) {
      yield
      if (!this.#added.has(name)) changes.remove(table, key, column)
    }
    for (const [name, { table, key, column, ttl, value }] of this.#added) {
      yield
      const before = this.#removed.get(name)
      // The TTL of an entry begins again with that of its element, or ends with it.
      if (before === undefined || ttl !== undefined || !sameBytes(before.value, value)) {
        if (this.#had.has(name)) changes.replace(table, key, column, value, ttl)
        else changes.put(table, key, column, value, ttl)
      }
    }
  }
}
