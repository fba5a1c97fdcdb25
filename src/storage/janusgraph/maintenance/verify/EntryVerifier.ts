import type { Page, RowPage, SliceQuery, Table } from "../../cells/CellStore.ts"
import { CellCursor } from "../../cells/Cells.ts"
import { entryFits } from "../../commit/NameLengths.ts"
import { isLogRow } from "../../documents/LogEntry.ts"
import { ByteReader } from "../../format/ByteReader.ts"
import { canonicalId, type VertexId } from "../../format/Ids.ts"
import { readEdgeEntry } from "../../format/IndexCells.ts"
import { schemaCategory, schemaName, systemType } from "../../format/RelationTypes.ts"
import { ElementEntries } from "../../indexes/ElementEntries.ts"
import type { IndexEntry } from "../../indexes/IndexEntries.ts"
import { type GraphIndex, isWritten } from "../../schema/Schema.ts"
import { type CellState, copyOf, sameValue, valueAt } from "./Findings.ts"
import { hex, type Verification } from "./Verification.ts"

/**
 * Entries by {@link nameOf}. In a unique index several edges of a vertex may have the same entry: all but one have
 * expired.
 */
type EntriesByName = ReadonlyMap<string, ReadonlyArray<IndexEntry>>

/** The number of vertices whose entries are cached, those that were used last: entries that are close often belong to the same vertex. */
const CACHED_VERTICES = 256

/** Verifies the entries of indexes: those that elements should have, and those that are stored. */
export class EntryVerifier {
  readonly #shared: Verification
  readonly #entries: ElementEntries
  readonly #kept = new Map<string, EntriesByName>()
  /** The number of stored entries. */
  found = 0

  constructor(shared: Verification) {
    this.#shared = shared
    this.#entries = new ElementEntries((query) => shared.snapshot.slice(query), shared.schema, shared.bits)
  }

  /** Verifies that every entry is stored that a vertex, or its out-edges, should have. Yields where others must run. */
  *verifyElement(index: GraphIndex, id: VertexId): Generator<void> {
    for (const entry of readable(this.#entries.each(index, id))) {
      if (this.#shared.isDue()) yield
      if (entry === undefined) continue
      const there = valueAt(this.#shared.snapshot, entry)
      if (sameValue(there, entry.value)) continue
      // An expired element may have lost its entry to another element, or may have expired before the index was built.
      if (this.#hasExpired(entry)) continue
      const where = `index ${index.name}, v[${id}]`
      const seen = { ...entry, value: there }
      if (there !== null && index.unique && (yield* this.#isRight(index, entry, there))) {
        this.#shared.tell("a value that two elements have under a unique index", where, [], [])
      } else if (!entryFits(entry, this.#shared.core.cells.longestName)) {
        // Nothing can write this entry. The operator shortens the value, or disables the index.
        this.#shared.tell("a missing entry of an index", `${where}, whose value is too long for the index`, [seen], [])
      } else {
        const entryOf = { index, vertex: id }
        this.#shared.find({ kind: "a missing entry of an index", where, seen: [seen], repair: [entry], entryOf })
      }
    }
  }

  #hasExpired(entry: IndexEntry): boolean {
    if (this.#shared.schema.expires === undefined) return false
    const read = (query: SliceQuery): Page => this.#shared.snapshot.slice(query)
    const living = new ElementEntries(read, this.#shared.schema, this.#shared.bits, this.#shared.core.options.clock())
    const name = nameOf(entry)
    for (const other of living.ofOwner(entry.index, entry.value))
      if (other !== undefined && nameOf(other) === name && sameValue(other.value, entry.value)) return false
    return true
  }

  /** The entries that a vertex, or its out-edges, should have; those before the first cell that cannot be decoded. */
  *#entriesOf(index: GraphIndex, id: VertexId): Generator<void, EntriesByName> {
    const name = `${index.id} ${typeof id} ${id}`
    const known = this.#kept.get(name)
    if (known !== undefined) {
      this.#kept.delete(name)
      this.#kept.set(name, known)
      return known
    }
    const entries = new Map<string, Array<IndexEntry>>()
    for (const entry of readable(this.#entries.each(index, id))) {
      if (this.#shared.isDue()) yield
      if (entry === undefined) continue
      const known = entries.get(nameOf(entry))
      if (known === undefined) entries.set(nameOf(entry), [entry])
      else known.push(entry)
    }
    // The least recently used one: a vertex with very many edges is used often.
    if (this.#kept.size >= CACHED_VERTICES) this.#kept.delete(this.#kept.keys().next().value!)
    this.#kept.set(name, entries)
    return entries
  }

  /** Verifies a row of an index. Yields where others must run. */
  *verifyRow(table: Table, row: RowPage): Generator<void> {
    const key = copyOf(row.key)
    const id = Number(new ByteReader(key).varint())
    if (id === schemaName.id || id === schemaCategory.id || systemType(id) !== undefined) return
    if (isLogRow(key)) return
    const index = this.#shared.schema.indexTable.index(id)
    for (const cells of this.#shared.pages(table, { ...row, key })) {
      const cursor = new CellCursor().over(cells)
      while (cursor.next()) {
        this.#shared.cells++
        this.found++
        const [column, value] = [copyOf(cursor.column()), copyOf(cursor.value())]
        if (this.#shared.isDue()) yield
        yield* this.#entry(index, { table, key, column, value })
      }
    }
  }

  /** Verifies that an entry belongs to an existing element with that value. */
  *#entry(index: GraphIndex | undefined, cell: CellState & { readonly value: Uint8Array }): Generator<void> {
    const repair = [{ ...cell, value: null }]
    if (index === undefined) {
      this.#shared.tell("an entry of an index that does not exist", hex(cell.key), [cell], repair)
      return
    }
    // An index that commits do not write has stale entries.
    if (!isWritten(index.status) || index.element === "property") return
    if (yield* this.#isRight(index, cell, cell.value)) return
    this.#shared.tell(
      "a stale entry of an index",
      `index ${index.name}, ${hex(cell.key)} ${hex(cell.column)}`,
      [cell],
      repair
    )
  }

  /** Whether an entry belongs to an existing element with that value. */
  *#isRight(index: GraphIndex, cell: CellName, value: Uint8Array): Generator<void, boolean> {
    const name = nameOf(cell)
    try {
      const reader = new ByteReader(value)
      let id: VertexId
      if (index.element === "vertex") id = reader.vertexId()
      else {
        const edge = readEdgeEntry(reader)
        // The one edge: its vertex may have very many others.
        const own = this.#entries.ofEdge(index, edge)
        if (own !== undefined) return own.some((entry) => nameOf(entry) === name && sameValue(entry.value, value))
        id = edge.out
      }
      const expected = (yield* this.#entriesOf(index, canonicalId(id, this.#shared.bits))).get(name) ?? []
      return expected.some((entry) => sameValue(entry.value, value))
    } catch {
      return false
    }
  }
}

/** The entries before the first cell that cannot be decoded, which is a separate finding. */
function* readable(entries: Generator<IndexEntry | undefined>): Generator<IndexEntry | undefined> {
  for (;;) {
    let next: IteratorResult<IndexEntry | undefined>
    try {
      next = entries.next()
    } catch {
      return
    }
    if (next.done) return
    yield next.value
  }
}

type CellName = Pick<CellState, "table" | "key" | "column">

const nameOf = ({ column, key, table }: CellName): string =>
  `${table} ${Buffer.from(key).toString("latin1")} ${Buffer.from(column).toString("latin1")}`
