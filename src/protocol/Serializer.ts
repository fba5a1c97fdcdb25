import type { LongRead } from "./LongReads.ts"
import type { LongWrite, WriteProgress } from "./LongWrites.ts"
import type { MessagePieces } from "./MessagePieces.ts"
import type { RequestMessage, ResponseMessage, ResultData, WriteOptions } from "./Messages.ts"

/** One format in both directions. Stateless: one object serves all connections. */
export interface Serializer {
  /** The MIME type that names the format in frames, Content-Type and Accept. */
  readonly mime: string
  /** True when messages are bytes; false when they are text, sent as UTF-8. */
  readonly binary: boolean
  /** Whether a traverser has a form of its own, with its bulk. Where it has none, a result is sent as often as it occurred. */
  readonly traversers: boolean
  /**
   * Reads a request message, without the prefix that names the format. Fails with ProtocolError.
   *
   * @param maximumDepth levels that values may nest: a server's maxNestingDepth
   * @param long the read of a long message in slices
   */
  readMessage(message: Buffer | string, maximumDepth?: number, long?: LongRead): RequestMessage
  /**
   * The whole response: a Buffer of its own when `binary`, else its text. With `progress` it may hold some of the results
   * only, from `progress.row` on, which is not long: those that make a piece of about 64 kB. It is then a response of
   * partial content without attributes, and `progress.row` the next row. Fails with SerializationError.
   */
  writeResponse(response: ResponseMessage, options?: WriteOptions, progress?: WriteProgress): Buffer | string
  /**
   * Writes a row that is long until it is written (true) or `isOver`, which is asked every few members (false: go on later).
   * Fails with SerializationError.
   */
  writeLong(data: ResultData, row: number, long: LongWrite, isOver: () => boolean, options: WriteOptions): boolean
  /** The response whose one result is a row that was written. */
  writeLongResponse(response: Omit<ResponseMessage, "data">, long: LongWrite, options: WriteOptions): MessagePieces
  /**
   * What the response begins with, up to its results: every response with the same id, code, message and attributes begins
   * with the same bytes or characters.
   */
  responseHead(response: Omit<ResponseMessage, "data">): Buffer | string
  /** The response of a successful request (200, no message) piece by piece, for HTTP. */
  stream(requestId: string | null, options?: WriteOptions): ResponseStream
}

/** A response being written: `head` once, `items` for each batch, `tail` once. */
export interface ResponseStream {
  /**
   * True when the number of results stands before them (GraphBinary): the sender keeps the pieces of `items`, and
   * makes the head last, with the count.
   */
  readonly countsFirst: boolean
  /**
   * What comes before the results, with status attributes where there are any; `count` (the number of results, repetitions
   * included) matters when `countsFirst`.
   */
  head(count: number, attributes: ReadonlyMap<string, unknown> | null): Buffer | string
  /** A batch, or with `progress` a part of it as of a response. Without bulks then, or as traversers. Pieces are joined as they are. */
  items(data: ResultData, progress?: WriteProgress): Buffer | string
  /** A row that was written. */
  longItem(long: LongWrite): ReadonlyArray<Buffer>
  /** How many results there are so far, repetitions included. */
  readonly count: number
  /** What comes after the results. */
  tail(): Buffer | string
}

/** How many results a batch has on the wire. */
export const resultCount = (data: ResultData): number => {
  if (data.bulks === null || data.asTraversers) return data.length
  let count = 0
  for (let i = 0; i < data.length; i++) count += data.bulks[i]!
  return count
}
