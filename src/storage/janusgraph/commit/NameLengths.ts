import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { IndexEntry } from "../indexes/IndexEntries.ts"

// Stores limit the bytes of the key of a row and of a column (CellStore.longestName). Values of properties are outside of both, but
// entries of indexes, values of SET keys and sort keys of edge labels are in them.

/** The bytes that a lock of a unique entry has besides its key and column. */
const LOCK_BYTES = 4

/** The bytes of the longest name that an entry needs: its key, its column, or the key of its lock. */
const lengthOf = ({ column, index, key }: Pick<IndexEntry, "column" | "index" | "key">): number =>
  index.unique ? key.length + column.length + LOCK_BYTES : Math.max(key.length, column.length)

/** True if the store can have an index entry. */
export const entryFits = (entry: Pick<IndexEntry, "column" | "index" | "key">, longest: number | undefined): boolean =>
  longest === undefined || lengthOf(entry) <= longest

/** Throws UnsupportedValue for an index entry whose key, column or lock is too long for the store. */
export const assertEntryFits = (entry: IndexEntry, longest: number | undefined): void => {
  if (entryFits(entry, longest)) return
  const { field, index } = entry
  const names = (field === undefined ? index.fields : [field]).map(({ name }) => name).join(", ")
  throw new UnsupportedValue(
    `The value of ${names} is too long for the index ${index.name}: the entry takes ${lengthOf(entry)} bytes, and the store allows ${longest}. ` +
      "Shorten the value, or index a shorter key."
  )
}

/** Throws UnsupportedValue for a cell of a relation whose column is too long for the store. `name`: that of its type. */
export const assertColumnFits = (length: number, longest: number | undefined, name: () => string): void => {
  if (longest === undefined || length <= longest) return
  throw new UnsupportedValue(
    `A value is too long for the column of ${name()}: the column takes ${length} bytes, and the store allows ${longest}. It has the values ` +
      "of keys with the cardinality SET, and the sort keys of edge labels and vertex-centric indexes. Shorten the value."
  )
}
