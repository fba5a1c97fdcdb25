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
  /** Called once the documents of a commit that has succeeded are written. */
  whenWritten?: () => void
}

/** The number 0 in JanusGraph's format of numbers. No index has the id 0. */
const NO_INDEX = 0x80

/** The first bytes of the keys of the rows of the log. */
export const logPrefix = (): Buffer => Buffer.of(NO_INDEX)

/** True for a row of `engine_ranges` that belongs to the log. */
export const isLogRow = (key: Uint8Array): boolean => key[0] === NO_INDEX
