import type { ColumnTable } from "../ColumnStore.ts"

/** Tables with lockable cells, and the tables of their claims. */
export const lockTables = {
  edgestore: "edgestore_lock_",
  graphindex: "graphindex_lock_",
  system_properties: "system_properties_lock_"
} as const satisfies Partial<Record<ColumnTable, ColumnTable>>

/** A table whose cells can be locked. */
export type LockableTable = keyof typeof lockTables

/** A cell to lock, and the value that it must still have under the lock. */
export interface LockTarget {
  readonly table: LockableTable
  readonly key: Uint8Array
  readonly column: Uint8Array
  /** The value that was read; undefined when the cell does not exist. */
  readonly expected: Uint8Array | undefined
}

/** The name of a cell within this process. */
export const nameOf = ({ column, key, table }: LockTarget): string =>
  `${table} ${Buffer.from(key).toString("latin1")} ${key.length} ${Buffer.from(column).toString("latin1")}`

/** The row key of the claims of a cell: the length of the cell's key (4 bytes), the key and the column. */
export const lockRow = ({ column, key }: Pick<LockTarget, "key" | "column">): Buffer => {
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(key.length)
  return Buffer.concat([length, key, column])
}
