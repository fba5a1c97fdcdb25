import { ByteWriter } from "../format/ByteWriter.ts"

/** A document that has to be written: the id of its index, its name, and the index backend. */
export type Touched = readonly [index: number, name: string, backend: string]

/** A commit in the log: the documents that it has to write. */
export interface LogEntry {
  /** The row of the instance that has committed. */
  readonly row: Uint8Array
  /** Microseconds since the epoch. */
  readonly time: bigint
  readonly touched: Map<string, Touched>
  /** The columns of the entry. They begin with the time, so that columns sort by time. */
  columns: ReadonlyArray<Uint8Array>
}

/** The first bytes of the keys of the rows of the log. No index has the id 0. */
export const logPrefix = (): Buffer => {
  const writer = new ByteWriter(8)
  writer.varint(0)
  return Buffer.from(writer.copy())
}

/** True for a row of `engine_ranges` that belongs to the log. */
export const isLogRow = (key: Uint8Array): boolean => key[0] === logPrefix()[0]
