import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { IndexEntry } from "../indexes/IndexEntries.ts"

// Stores limit the bytes of the key of a row and of a column (CellStore.longestName). Values of properties are outside of both, but
// entries of indexes, values of SET keys and sort keys of edge labels are in them.

/** Throws UnsupportedValue for an index entry whose key or column is too long for the store. */
export const assertEntryFits = ({ column, field, index, key }: IndexEntry, longest: number | undefined): void => {
  if (longest === undefined) return
  const length = Math.max(key.length, column.length)
  if (length <= longest) return
  const names = (field === undefined ? index.fields : [field]).map(({ name }) => name).join(", ")
  throw new UnsupportedValue(
    `The value of ${names} is too long for the index ${index.name}: the entry takes ${length} bytes, and the store allows ${longest}. ` +
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
