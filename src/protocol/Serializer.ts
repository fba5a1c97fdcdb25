import type { ChunkedMessage } from "./ChunkedMessage.ts"
import type { RequestMessage, ResponseMessage, ResultData, WriteOptions } from "./Messages.ts"
import type { ResumableRead } from "./ResumableRead.ts"
import type { ResumableWrite } from "./ResumableWrite.ts"
import type { WriteProgress } from "./WriteProgress.ts"

/** Reads requests and writes responses in one format. It has no state: one object serves all connections. */
export interface Serializer {
  /** The MIME type of the format in frames, Content-Type and Accept. */
  readonly mime: string
  /** True when messages are bytes, false when they are text in UTF-8. */
  readonly binary: boolean
  /** True when the format has traversers with a bulk. Otherwise a result is sent as often as it occurred. */
  readonly traversers: boolean
  /**
   * Reads a request message, without the prefix that names the format. Fails with ProtocolError.
   *
   * @param maximumDepth levels that values may nest: the server's maxNestingDepth
   * @param long the read in slices that the message belongs to
   */
  readMessage(message: Buffer | string, maximumDepth?: number, long?: ResumableRead): RequestMessage
  /**
   * Writes a response: a new Buffer when `binary`, otherwise its text. With `progress` it has the results from `progress.row` on
   * that fit into a chunk of about 64 kB; the first of them must not be a long row. When results are left, the response is
   * partial content without attributes. `progress.row` is set to the next row. Fails with SerializationError.
   */
  writeResponse(response: ResponseMessage, options?: WriteOptions, progress?: WriteProgress): Buffer | string
  /**
   * Writes a part of a long row, until `isOver`, which is asked every few members. True when the row is complete; false = call
   * again. Fails with SerializationError.
   */
  writeLong(data: ResultData, row: number, long: ResumableWrite, isOver: () => boolean, options: WriteOptions): boolean
  /** The response whose only result is a complete long row. */
  writeLongResponse(
    response: Omit<ResponseMessage, "data">,
    long: ResumableWrite,
    options: WriteOptions
  ): ChunkedMessage
  /**
   * The start of a response, up to its results. All responses with the same id, code, message and attributes start with the same
   * bytes or characters.
   */
  responseHead(response: Omit<ResponseMessage, "data">): Buffer | string
  /** The response of a successful request (200, no message) in chunks, for HTTP. */
  stream(requestId: string | null, options?: WriteOptions): ResponseStream
}

/** A response being written: `head` once, `items` for each batch, `tail` once. */
export interface ResponseStream {
  /**
   * True when the number of results comes before them (GraphBinary): the sender keeps the chunks of `items`, and writes the
   * head last, with the count.
   */
  readonly countsFirst: boolean
  /**
   * The part before the results, with the status attributes.
   *
   * @param count number of results, repetitions included; used when `countsFirst`
   */
  head(count: number, attributes: ReadonlyMap<string, unknown> | null): Buffer | string
  /**
   * A batch, or with `progress` a chunk of it as in {@link Serializer.writeResponse}. With `progress` the batch has no bulks or is sent as
   * traversers. Chunks are concatenated.
   */
  items(data: ResultData, progress?: WriteProgress): Buffer | string
  /** A complete long row. */
  longItem(long: ResumableWrite): ReadonlyArray<Buffer>
  /** Number of results so far, repetitions included. */
  readonly count: number
  /** The part after the results. */
  tail(): Buffer | string
}

/** The number of results of a batch on the wire. */
export const resultCount = (data: ResultData): number => {
  if (data.bulks === null || data.asTraversers) return data.length
  let count = 0
  for (let i = 0; i < data.length; i++) count += data.bulks[i]!
  return count
}
