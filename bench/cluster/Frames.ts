/** Frames of the CQL native protocol, version 4: a header of 9 bytes and a body. */
export const HEADER_BYTES = 9
/** The version of every answer. */
const RESPONSE_V4 = 0x84
/** The version of every request that is understood. */
export const REQUEST_V4 = 0x04

/** Codes of messages. */
export const opcodes = {
  error: 0x00,
  startup: 0x01,
  ready: 0x02,
  options: 0x05,
  supported: 0x06,
  query: 0x07,
  result: 0x08,
  prepare: 0x09,
  execute: 0x0a,
  register: 0x0b,
  batch: 0x0d
} as const

/** Codes of errors. */
export const errorCodes = { protocol: 0x000a, syntax: 0x2000, invalid: 0x2200, unprepared: 0x2500 } as const

/** A complete answer. */
export const frameOf = (stream: number, opcode: number, body: Buffer): Buffer => {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + body.length)
  frame[0] = RESPONSE_V4
  frame[1] = 0
  frame.writeInt16BE(stream, 2)
  frame[4] = opcode
  frame.writeInt32BE(body.length, 5)
  body.copy(frame, HEADER_BYTES)
  return frame
}

const shortOf = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** A 32-bit number. */
export const intOf = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** A text with a length of two bytes. */
export const stringOf = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([shortOf(bytes.length), bytes])
}

/** Bytes with a length of four bytes; -1 stands for null. */
export const bytesOf = (bytes: Buffer | null): Buffer =>
  bytes === null ? intOf(-1) : Buffer.concat([intOf(bytes.length), bytes])

/** A type: its code, and for a collection the types of its members. */
export interface Type {
  readonly code: number
  readonly members?: ReadonlyArray<Type>
}

/** The types of columns and markers. */
export const cqlTypes = {
  bigint: { code: 0x02 },
  blob: { code: 0x03 },
  boolean: { code: 0x04 },
  int: { code: 0x09 },
  uuid: { code: 0x0c },
  text: { code: 0x0d },
  inet: { code: 0x10 },
  blobs: { code: 0x20, members: [{ code: 0x03 }] },
  textMap: { code: 0x21, members: [{ code: 0x0d }, { code: 0x0d }] },
  texts: { code: 0x22, members: [{ code: 0x0d }] }
} as const satisfies Record<string, Type>

const typeOf = ({ code, members = [] }: Type): Buffer => Buffer.concat([shortOf(code), ...members.map(typeOf)])

/** A column of an answer, or a marker of a statement. */
export interface ColumnSpec {
  readonly name: string
  readonly type: Type
}

const GLOBAL_TABLE = 0x0001
const MORE_PAGES = 0x0002

const specsOf = (keyspace: string, table: string, columns: ReadonlyArray<ColumnSpec>): Buffer =>
  Buffer.concat([
    stringOf(keyspace),
    stringOf(table),
    ...columns.flatMap(({ name, type }) => [stringOf(name), typeOf(type)])
  ])

/** The description of rows before the rows themselves. `next` is the paging state if there are more pages. */
export class RowsHeader {
  readonly columns: ReadonlyArray<ColumnSpec>
  readonly #specs: Buffer
  readonly #last: Buffer

  constructor(keyspace: string, table: string, columns: ReadonlyArray<ColumnSpec>) {
    this.columns = columns
    this.#specs = specsOf(keyspace, table, columns)
    this.#last = Buffer.concat([intOf(2), this.metadata(undefined)])
  }

  /** The metadata, as RESULT messages have it. */
  metadata(next: Buffer | undefined): Buffer {
    const flags = GLOBAL_TABLE | (next === undefined ? 0 : MORE_PAGES)
    const state = next === undefined ? [] : [bytesOf(next)]
    return Buffer.concat([intOf(flags), intOf(this.columns.length), ...state, this.#specs])
  }

  /** The body of a RESULT with rows, up to their number. */
  start(next: Buffer | undefined): Buffer {
    return next === undefined ? this.#last : Buffer.concat([intOf(2), this.metadata(next)])
  }
}

/** A RESULT without rows. */
export const VOID = intOf(1)

/** A RESULT that says that a keyspace or a table was created. */
export const created = (keyspace: string, table: string | undefined): Buffer =>
  Buffer.concat([
    intOf(5),
    stringOf("CREATED"),
    stringOf(table === undefined ? "KEYSPACE" : "TABLE"),
    stringOf(keyspace),
    ...(table === undefined ? [] : [stringOf(table)])
  ])

/** What a statement expects for its markers. */
export interface Markers {
  readonly keyspace: string
  readonly table: string
  readonly markers: ReadonlyArray<ColumnSpec>
  /** The position of the marker for the partition key, from which drivers compute the nodes of a row. */
  readonly keyAt: number | undefined
}

/** A RESULT that answers PREPARE. Statements that write have no `rows`. */
export const prepared = (id: Buffer, markers: Markers, rows: RowsHeader | undefined): Buffer => {
  const keys = markers.keyAt === undefined ? [intOf(0)] : [intOf(1), shortOf(markers.keyAt)]
  return Buffer.concat([
    intOf(4),
    shortOf(id.length),
    id,
    intOf(GLOBAL_TABLE),
    intOf(markers.markers.length),
    ...keys,
    specsOf(markers.keyspace, markers.table, markers.markers),
    // The flag 4 stands for an answer without metadata, as that of a write.
    rows?.metadata(undefined) ?? Buffer.concat([intOf(4), intOf(0)])
  ])
}

/** Reads the body of a request. */
export class BodyReader {
  readonly #body: Buffer
  #at = 0

  constructor(body: Buffer) {
    this.#body = body
  }

  byte(): number {
    return this.#body[this.#at++]!
  }

  short(): number {
    this.#at += 2
    return this.#body.readUInt16BE(this.#at - 2)
  }

  int(): number {
    this.#at += 4
    return this.#body.readInt32BE(this.#at - 4)
  }

  #take(length: number): Buffer {
    this.#at += length
    return this.#body.subarray(this.#at - length, this.#at)
  }

  longString(): string {
    return this.#take(this.int()).toString()
  }

  shortBytes(): Buffer {
    return this.#take(this.short())
  }

  bytes(): Buffer | null {
    const length = this.int()
    return length < 0 ? null : this.#take(length)
  }

  /** The values of markers. */
  values(): ReadonlyArray<Buffer | null> {
    return Array.from({ length: this.short() }, () => this.bytes())
  }
}

/** The values of a request, and which page it wants. */
export interface Parameters {
  readonly values: ReadonlyArray<Buffer | null>
  readonly pageSize: number
  readonly pageState: Buffer | undefined
}

/** Reads the parameters of QUERY and EXECUTE. */
export const parametersOf = (reader: BodyReader): Parameters => {
  reader.short()
  const flags = reader.byte()
  const values = (flags & 0x01) === 0 ? [] : reader.values()
  const pageSize = (flags & 0x04) === 0 ? Number.POSITIVE_INFINITY : reader.int()
  const pageState = (flags & 0x08) === 0 ? undefined : (reader.bytes() ?? undefined)
  return { values, pageSize, pageState }
}
