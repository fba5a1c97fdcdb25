import { nodeErrors } from "../NodeErrors.ts"
import type { RowBlock } from "../RowBlock.ts"
import type { Parameter } from "../Statements.ts"
import type { FrameSpace } from "./FrameSpace.ts"

/**
 * Frames of the native protocol, version 4 (native_protocol_v4.spec of Apache Cassandra): the requests EXECUTE and BATCH, the
 * RESULT of rows, and the outcome of a write.
 */

/** Bytes of the header of a frame. */
export const HEADER_BYTES = 9
/** Where the header has the stream id, the opcode and the length of the body. */
const STREAM_AT = 2
const OPCODE_AT = 4
const LENGTH_AT = 5

const REQUEST_VERSION = 4
const OPCODE_EXECUTE = 0x0a
const OPCODE_BATCH = 0x0d
const OPCODE_RESULT = 0x08
const OPCODE_ERROR = 0x00
const RESULT_ROWS = 2
/** The flag of a header: the body begins with warnings, a list of strings. */
const FLAG_WARNING = 0x08

const FLAG_VALUES = 0x01
const FLAG_SKIP_METADATA = 0x02
const FLAG_PAGE_SIZE = 0x04
const FLAG_PAGING_STATE = 0x08

const ROWS_GLOBAL_TABLE = 0x01
const ROWS_MORE_PAGES = 0x02
const ROWS_NO_METADATA = 0x04

const BATCH_LOGGED = 0
const BATCH_UNLOGGED = 1
/** The kind of a prepared statement in a batch. */
const KIND_PREPARED = 1

/** Errors of a node that has not begun to execute a statement. */
const REFUSALS: ReadonlySet<number> = new Set([
  nodeErrors.unavailable,
  nodeErrors.unauthorized,
  nodeErrors.invalid,
  nodeErrors.unprepared
])

/** The type of all columns that direct reads select. */
const TYPE_BLOB = 0x0003

/** A prepared statement with its values. */
interface Prepared {
  readonly id: Buffer
  readonly parameters: ReadonlyArray<Parameter>
}

/** A request that executes a prepared statement. */
export interface Execution extends Prepared {
  /** The code of the consistency level. */
  readonly consistency: number
  /** Rows of a page; 0 for an answer without pages. */
  readonly pageSize: number
  readonly pageState: Buffer | undefined
}

/** A request that executes several prepared statements that write. */
export interface BatchExecution {
  readonly batch: ReadonlyArray<Prepared>
  readonly isLogged: boolean
  /** The code of the consistency level. */
  readonly consistency: number
}

const sizeOf = (parameter: Parameter): number => {
  if (typeof parameter === "number") return 4
  if (typeof parameter === "bigint") return 8
  if (!Array.isArray(parameter)) return (parameter as Buffer).length
  let bytes = 4
  for (const item of parameter) bytes += 4 + item.length
  return bytes
}

/** Writes a value with its length; returns where it ends. */
const write = (frame: Buffer, parameter: Parameter, from: number): number => {
  let at = frame.writeInt32BE(sizeOf(parameter), from)
  if (typeof parameter === "number") return frame.writeInt32BE(parameter, at)
  if (typeof parameter === "bigint") return frame.writeBigInt64BE(parameter, at)
  if (!Array.isArray(parameter)) return at + (parameter as Buffer).copy(frame, at)
  at = frame.writeInt32BE(parameter.length, at)
  for (const item of parameter) {
    at = frame.writeInt32BE(item.length, at)
    at += item.copy(frame, at)
  }
  return at
}

/** Writes the header of a frame, and makes room for its body. Returns where the body begins. */
const beginFrame = (space: FrameSpace, stream: number, opcode: number, length: number): number => {
  const at = space.room(HEADER_BYTES + length)
  const { bytes } = space
  bytes[at] = REQUEST_VERSION
  bytes[at + 1] = 0
  bytes.writeInt16BE(stream, at + STREAM_AT)
  bytes[at + OPCODE_AT] = opcode
  return bytes.writeInt32BE(length, at + LENGTH_AT)
}

/** Writes the frame of a request. */
export const writeRequest = (space: FrameSpace, stream: number, request: Execution | BatchExecution): void => {
  if ("batch" in request) writeBatch(space, stream, request)
  else writeExecution(space, stream, request)
}

const writeBatch = (space: FrameSpace, stream: number, { batch, consistency, isLogged }: BatchExecution): void => {
  let length = 1 + 2 + 2 + 1
  for (const { id, parameters } of batch) {
    length += 1 + 2 + id.length + 2
    for (const parameter of parameters) length += 4 + sizeOf(parameter)
  }
  let at = beginFrame(space, stream, OPCODE_BATCH, length)
  const frame = space.bytes
  at = frame.writeUInt8(isLogged ? BATCH_LOGGED : BATCH_UNLOGGED, at)
  at = frame.writeUInt16BE(batch.length, at)
  for (const { id, parameters } of batch) {
    at = frame.writeUInt8(KIND_PREPARED, at)
    at = frame.writeUInt16BE(id.length, at)
    at += id.copy(frame, at)
    at = frame.writeUInt16BE(parameters.length, at)
    for (const parameter of parameters) at = write(frame, parameter, at)
  }
  at = frame.writeUInt16BE(consistency, at)
  // No flags: each statement has its time stamp.
  frame.writeUInt8(0, at)
}

const writeExecution = (space: FrameSpace, stream: number, execution: Execution): void => {
  const { consistency, id, pageSize, pageState, parameters } = execution
  const hasPages = pageSize > 0
  let length = 2 + id.length + 2 + 1 + 2 + (hasPages ? 4 : 0)
  for (const parameter of parameters) length += 4 + sizeOf(parameter)
  if (pageState !== undefined) length += 4 + pageState.length
  let at = beginFrame(space, stream, OPCODE_EXECUTE, length)
  const frame = space.bytes
  at = frame.writeUInt16BE(id.length, at)
  at += id.copy(frame, at)
  at = frame.writeUInt16BE(consistency, at)
  const paging = (hasPages ? FLAG_PAGE_SIZE : 0) | (pageState === undefined ? 0 : FLAG_PAGING_STATE)
  at = frame.writeUInt8(FLAG_VALUES | FLAG_SKIP_METADATA | paging, at)
  at = frame.writeUInt16BE(parameters.length, at)
  for (const parameter of parameters) at = write(frame, parameter, at)
  if (hasPages) at = frame.writeInt32BE(pageSize, at)
  if (pageState !== undefined) write(frame, pageState, at)
}

/** The stream id of the frame that begins at `at`. */
export const streamOf = (bytes: Buffer, at: number): number => bytes.readInt16BE(at + STREAM_AT)

/** Where the frame that begins at `at` ends. */
export const endOfFrame = (bytes: Buffer, at: number): number => at + HEADER_BYTES + bytes.readUInt32BE(at + LENGTH_AT)

/**
 * Where the body of a frame begins after its warnings; undefined if it has a trace or more. A node warns of many tombstones, for
 * example: it would do so again if the statement were repeated.
 */
const bodyOf = (bytes: Buffer, at: number): number | undefined => {
  const flags = bytes[at + 1]
  const body = at + HEADER_BYTES
  if (flags === 0) return body
  if (flags !== FLAG_WARNING) return undefined
  let from = body + 2
  for (let left = bytes.readUInt16BE(body); left > 0; left--) from += 2 + bytes.readUInt16BE(from)
  return from
}

/** The warnings in the frame that begins at `at`. */
export const warningsOf = (bytes: Buffer, at: number): ReadonlyArray<string> => {
  if (bytes[at + 1] !== FLAG_WARNING) return []
  const warnings: Array<string> = []
  let from = at + HEADER_BYTES + 2
  for (let left = bytes.readUInt16BE(from - 2); left > 0; left--) {
    const end = from + 2 + bytes.readUInt16BE(from)
    warnings.push(bytes.toString("utf8", from + 2, end))
    from = end
  }
  return warnings
}

/**
 * The rows of the frame that begins at `at`; undefined for another answer: an error, or rows with traces or columns that are not
 * blobs.
 */
export const rowsOf = (bytes: Buffer, at: number): RowBlock | undefined => {
  const body = bytes[at + OPCODE_AT] === OPCODE_RESULT ? bodyOf(bytes, at) : undefined
  if (body === undefined || bytes.readInt32BE(body) !== RESULT_ROWS) return undefined
  let from = body + 4
  const flags = bytes.readInt32BE(from)
  const columns = bytes.readInt32BE(from + 4)
  from += 8
  let next: Buffer | undefined
  if ((flags & ROWS_MORE_PAGES) !== 0) {
    const length = bytes.readInt32BE(from)
    next = Buffer.from(bytes.subarray(from + 4, from + 4 + length))
    from += 4 + length
  }
  if ((flags & ROWS_NO_METADATA) === 0) {
    const after = afterMetadata(bytes, from, columns, (flags & ROWS_GLOBAL_TABLE) !== 0)
    if (after === undefined) return undefined
    from = after
  }
  return { bytes, start: from + 4, count: bytes.readInt32BE(from), next }
}

/** What a node has done with a request. "refused": it has not begun to execute it. "perhaps": it failed, and may have applied it. */
export type Outcome = "done" | "refused" | "perhaps"

/** The outcome of a write in the frame that begins at `at`. */
export const outcomeOf = (bytes: Buffer, at: number): Outcome => {
  // A write that succeeds may have warnings. They precede the result.
  if (bytes[at + OPCODE_AT] === OPCODE_RESULT) return "done"
  const body = bytes[at + OPCODE_AT] === OPCODE_ERROR ? bodyOf(bytes, at) : undefined
  return body !== undefined && REFUSALS.has(bytes.readInt32BE(body)) ? "refused" : "perhaps"
}

/** Skips the descriptions of columns. Undefined if a column is not a blob. */
const afterMetadata = (bytes: Buffer, from: number, columns: number, isGlobal: boolean): number | undefined => {
  let at = from
  const skip = (strings: number): void => {
    for (let i = 0; i < strings; i++) at += 2 + bytes.readUInt16BE(at)
  }
  if (isGlobal) skip(2)
  for (let column = 0; column < columns; column++) {
    skip(isGlobal ? 1 : 3)
    if (bytes.readUInt16BE(at) !== TYPE_BLOB) return undefined
    at += 2
  }
  return at
}
