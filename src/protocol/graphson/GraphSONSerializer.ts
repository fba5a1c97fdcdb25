import { ChunkedMessage } from "../ChunkedMessage.ts"
import {
  everything,
  type RequestMessage,
  type ResponseMessage,
  type ResultData,
  type WriteOptions
} from "../Messages.ts"
import { asSerializationError } from "../ProtocolError.ts"
import { type ResumableRead, textOfMessage } from "../ResumableRead.ts"
import type { ResumableWrite } from "../ResumableWrite.ts"
import { type ResponseStream, resultCount, type Serializer } from "../Serializer.ts"
import { StatusCode } from "../StatusCode.ts"
import type { WriteProgress } from "../WriteProgress.ts"
import type { GraphSONWriter } from "./GraphSONWriter.ts"
import { GraphSONWriterV1 } from "./GraphSONWriterV1.ts"
import { readRequest } from "./RequestReader.ts"
import { TypedGraphSONWriter } from "./TypedGraphSONWriter.ts"

/** GraphSON of one version, with or without types. */
export class GraphSONSerializer implements Serializer {
  readonly mime: string
  readonly binary = false
  readonly traversers = true
  /** True for GraphSON 1 with types, whose requests have names of Java classes. */
  readonly #classes: boolean
  readonly #full: GraphSONWriter
  readonly #bare: GraphSONWriter
  /** The writers for drivers that have no OffsetDateTime. */
  readonly #fullWithDates: GraphSONWriter
  readonly #bareWithDates: GraphSONWriter

  /** @param janusGraph ids of edges and properties, and shapes, have JanusGraph's types, in formats with types */
  constructor(version: 1 | 2 | 3, typed: boolean, janusGraph = false) {
    this.mime = `application/vnd.gremlin-v${version}.0+json${typed ? "" : ";types=false"}`
    this.#classes = version === 1 && typed
    const writer = (properties: boolean, datesOnly: boolean): GraphSONWriter => {
      const options = { properties, datesOnly, janusGraph }
      return version === 1
        ? new GraphSONWriterV1(typed, options)
        : new TypedGraphSONWriter(typed, version === 3, options)
    }
    this.#full = writer(true, false)
    this.#bare = writer(false, false)
    this.#fullWithDates = writer(true, true)
    this.#bareWithDates = writer(false, true)
  }

  #writer({ datesOnly, properties }: WriteOptions): GraphSONWriter {
    if (datesOnly === true) return properties ? this.#fullWithDates : this.#bareWithDates
    return properties ? this.#full : this.#bare
  }

  readMessage(message: Buffer | string, maximumDepth?: number, long?: ResumableRead): RequestMessage {
    return readRequest(textOfMessage(message, long), this.#classes, maximumDepth, long)
  }

  writeResponse(response: ResponseMessage, options: WriteOptions = everything, progress?: WriteProgress): string {
    const writer = this.#writer(options)
    const { requestId, message, data } = response
    try {
      const results = data === null ? "null" : writer.listOpen + writer.results(data, progress) + writer.listClose
      const isPart = data !== null && progress !== undefined && progress.row < data.length
      const code = isPart ? StatusCode.PARTIAL_CONTENT : response.code
      const attributes = isPart ? null : response.attributes
      return writer.responseHead(requestId, code, message, attributes) + results + writer.responseTail
    } catch (error) {
      throw asSerializationError(error)
    }
  }

  writeLong(
    data: ResultData,
    row: number,
    long: ResumableWrite,
    isOver: () => boolean,
    options: WriteOptions
  ): boolean {
    const writer = this.#writer(options)
    try {
      return writer.mode.writeLong(long, isOver, () => long.finish(writer.row(data, row)))
    } catch (error) {
      throw asSerializationError(error)
    }
  }

  writeLongResponse(
    response: Omit<ResponseMessage, "data">,
    long: ResumableWrite,
    options: WriteOptions
  ): ChunkedMessage {
    const writer = this.#writer(options)
    const { requestId, code, message, attributes } = response
    const head = writer.responseHead(requestId, code, message, attributes) + writer.listOpen
    return new ChunkedMessage([Buffer.from(head), ...long.buffers, Buffer.from(writer.listClose + writer.responseTail)])
  }

  /** The JSON of a single value, as in the results. */
  writeValue(value: unknown, options: WriteOptions = everything): string {
    return this.#writer(options).value(value)
  }

  responseHead({ requestId, code, message, attributes }: Omit<ResponseMessage, "data">): string {
    return this.#full.responseHead(requestId, code, message, attributes)
  }

  stream(requestId: string | null, options: WriteOptions = everything): ResponseStream {
    return new GraphSONStream(this.#writer(options), requestId)
  }
}

class GraphSONStream implements ResponseStream {
  readonly countsFirst = false
  readonly #writer: GraphSONWriter
  readonly #requestId: string | null
  count = 0
  constructor(writer: GraphSONWriter, requestId: string | null) {
    this.#writer = writer
    this.#requestId = requestId
  }
  head(_count: number, attributes: ReadonlyMap<string, unknown> | null): string {
    return this.#writer.responseHead(this.#requestId, StatusCode.SUCCESS, "", attributes) + this.#writer.listOpen
  }
  items(data: ResultData, progress?: WriteProgress): string {
    const before = progress === undefined ? 0 : progress.row
    const json = this.#results(data, progress)
    const first = this.count === 0
    this.count += progress === undefined ? resultCount(data) : progress.row - before
    return first || json === "" ? json : `,${json}`
  }
  longItem(long: ResumableWrite): ReadonlyArray<Buffer> {
    return this.count++ === 0 ? long.buffers : [Buffer.from(","), ...long.buffers]
  }
  #results(data: ResultData, progress: WriteProgress | undefined): string {
    try {
      return this.#writer.results(data, progress)
    } catch (error) {
      throw asSerializationError(error)
    }
  }
  tail(): string {
    return this.#writer.listClose + this.#writer.responseTail
  }
}
