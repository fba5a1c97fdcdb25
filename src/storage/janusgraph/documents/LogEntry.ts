/** A document that has to be written: the id of its index, its name, and the index backend. */
export type Touched = readonly [index: number, name: string, backend: string]

/** A commit in the log: the documents that it has to write. */
export interface LogEntry {
  /** The row of the instance that has committed. */
  readonly row: Uint8Array
  /** Microseconds since the epoch. It changes when the entry moves to new cells. */
  time: bigint
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

/** A time, microseconds since the epoch, as 8 bytes that sort by time. */
export const timeBytes = (time: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(time)
  return bytes
}

/** The column of the cell at a position of an entry. */
export const columnOf = (time: bigint, at: number): Buffer => {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(at)
  return Buffer.concat([timeBytes(time), number])
}

/** A cell of a row of the log. */
export interface LogCell {
  readonly column: Uint8Array
  readonly value: Uint8Array
}

/** The entry of one cell. Throws for a cell of another form. */
export const entryOf = (row: Uint8Array, cell: LogCell): LogEntry => {
  const column = Buffer.from(cell.column)
  const touched: unknown = JSON.parse(Buffer.from(cell.value).toString())
  if (column.length !== 12 || !Array.isArray(touched) || !touched.every(isTouched)) {
    throw new Error("it is no list of [index, document, index backend] under a time")
  }
  const time = column.readBigUInt64BE(0)
  return { row, time, touched: new Map(touched.map((each) => [each.join(" "), each])), columns: [column] }
}

const isTouched = (each: unknown): each is Touched =>
  Array.isArray(each) && typeof each[0] === "number" && typeof each[1] === "string" && typeof each[2] === "string"
