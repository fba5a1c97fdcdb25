import { TransactionConflict } from "../../../structure/StoreErrors.ts"
import type { CellBatch } from "../CellStore.ts"
import { sameBytes } from "../Cells.ts"
import type { IndexEntry } from "../indexes/IndexEntries.ts"
import { after } from "../schema/SchemaReading.ts"
import type { RowChanges } from "./RowChanges.ts"

const nameOf = ({ table, key, column }: IndexEntry): string =>
  `${table} ${key.toString("latin1")} ${column.toString("latin1")}`

/** Entries that a commit takes away and adds; those of one element that stay are not touched. */
export class IndexChanges {
  readonly #removed = new Map<string, IndexEntry>()
  readonly #added = new Map<string, IndexEntry>()
  /** Where two elements of the transaction want the same entry of a unique index. */
  clash: IndexEntry | undefined

  replace(before: ReadonlyArray<IndexEntry>, now: ReadonlyArray<IndexEntry>): void {
    for (const entry of before) this.#removed.set(nameOf(entry), entry)
    for (const entry of now) {
      const name = nameOf(entry)
      const other = this.#added.get(name)
      if (other !== undefined && entry.index.unique && !sameBytes(other.value, entry.value)) this.clash = entry
      this.#added.set(name, entry)
    }
  }

  /** New entries of unique indexes that are not freed by the transaction itself. */
  get unique(): ReadonlyArray<IndexEntry> {
    const found: Array<IndexEntry> = []
    for (const [name, entry] of this.#added) if (entry.index.unique && !this.#removed.has(name)) found.push(entry)
    return found
  }

  /** Throws TransactionConflict when another has an entry of a unique index. */
  check(batch: CellBatch): void {
    for (const { table, key, column, index } of this.unique) {
      if (!batch.slice({ table, key, start: column, end: after(column), limit: 1 }).cells.isEmpty) {
        throw new TransactionConflict(
          `the value of the unique index on ${index.fields.map(({ name }) => name).join(", ")}`
        )
      }
    }
  }

  put(changes: RowChanges): void {
    for (const [name, { table, key, column }] of this.#removed) {
      if (!this.#added.has(name)) changes.remove(table, key, column)
    }
    for (const [name, { table, key, column, value }] of this.#added) {
      const before = this.#removed.get(name)
      if (before === undefined || !sameBytes(before.value, value)) changes.put(table, key, column, value)
    }
  }
}
