import { ChunkedMessage } from "../ChunkedMessage.ts"
import {
  everything,
  RequestArgs,
  RequestMessage,
  type ResponseMessage,
  type ResultData,
  type WriteOptions
} from "../Messages.ts"
import { asProtocolError, asSerializationError, ProtocolError } from "../ProtocolError.ts"
import { resultTexts, writeLongText } from "../ResultTexts.ts"
import { passSliceOver, type ResumableRead } from "../ResumableRead.ts"
import type { ResumableWrite } from "../ResumableWrite.ts"
import { type ResponseStream, resultCount, type Serializer } from "../Serializer.ts"
import { StatusCode } from "../StatusCode.ts"
import { uuidOfBytes } from "../Uuid.ts"
import type { WriteProgress } from "../WriteProgress.ts"
import { DataType, VERSION } from "./DataType.ts"
import { writeNamedValues } from "./ElementWriters.ts"
import { GraphBinaryReader } from "./GraphBinaryReader.ts"
import { GraphBinaryWriter } from "./GraphBinaryWriter.ts"
import { readItems } from "./ValueReader.ts"

/** One writer serves all messages, because nothing interrupts the writing of one. */
const writer = new GraphBinaryWriter()
const { output } = writer

/** GraphBinary 1.0. The variant `-stringd` sends every result as text. */
export class GraphBinarySerializer implements Serializer {
  readonly mime: string
  readonly binary = true
  readonly traversers: boolean
  readonly #asText: boolean
  readonly #janusGraph: boolean

  /** @param janusGraph ids of edges and properties, and shapes, are written as JanusGraph's custom types */
  constructor(asText: boolean, janusGraph = false) {
    this.#janusGraph = janusGraph
    this.mime = `application/vnd.graphbinary-v1.0${asText ? "-stringd" : ""}`
    this.#asText = asText
    this.traversers = !asText
  }

  readMessage(message: Buffer | string, maximumDepth?: number, long?: ResumableRead): RequestMessage {
    const bytes = typeof message === "string" ? Buffer.from(message, "base64") : message
    const hasId = bytes.length >= 17 && bytes[0]! >= 0x80
    try {
      return readRequest(bytes, hasId, maximumDepth, long)
    } catch (error) {
      passSliceOver(error)
      throw asProtocolError(error, hasId ? uuidOfBytes(bytes, 1) : null)
    }
  }

  writeResponse(response: ResponseMessage, options: WriteOptions = everything, progress?: WriteProgress): Buffer {
    return written(this.#with(options), () => {
      const { data } = response
      writeHead(response)
      if (progress === undefined || data === null) this.#writeData(data)
      else this.#writePart(response, data, progress)
    })
  }

  /** Writes the results that fit into a chunk. Their number, and whether it is the last chunk, is known after them. */
  #writePart({ requestId }: ResponseMessage, data: ResultData, progress: WriteProgress): void {
    const first = progress.row
    output.type(DataType.List)
    const at = output.position
    output.int(0)
    if (this.#asText) writeTexts(resultTexts(data, progress))
    else writer.results(data, progress)
    if (progress.row === data.length) {
      output.intAt(at, progress.row - first)
      return
    }
    const results = output.since(at + 4)
    output.reset()
    writeHead({ requestId, code: StatusCode.PARTIAL_CONTENT, message: "", attributes: null })
    output.type(DataType.List)
    output.int(progress.row - first)
    output.bytes(results)
  }

  writeLong(
    data: ResultData,
    row: number,
    long: ResumableWrite,
    isOver: () => boolean,
    options: WriteOptions
  ): boolean {
    if (this.#asText) {
      if (!writeLongText(data, row, long, isOver)) return false
      long.buffers.unshift(writtenHead(long.length))
      return true
    }
    let isDone = false
    const piece = written(this.#with(options), () => {
      isDone = writer.mode.writeLong(long, isOver, () => writer.row(data, row))
    })
    long.add(piece)
    return isDone
  }

  writeLongResponse(
    response: Omit<ResponseMessage, "data">,
    long: ResumableWrite,
    options: WriteOptions
  ): ChunkedMessage {
    const head = written(this.#with(options), () => {
      writeHead(response)
      output.type(DataType.List)
      output.int(1)
    })
    return new ChunkedMessage([head, ...long.buffers])
  }

  #writeData(data: ResultData | null): void {
    if (data === null) {
      if (this.#asText) writer.value("null")
      else output.null()
      return
    }
    output.type(DataType.List)
    if (this.#asText) {
      const texts = resultTexts(data)
      output.int(texts.length)
      writeTexts(texts)
    } else {
      output.int(resultCount(data))
      writer.results(data)
    }
  }

  /** A single value with its type code. */
  writeValue(value: unknown, options: WriteOptions = everything): Buffer {
    return written(this.#with(options), () => writer.value(value))
  }

  #with(options: WriteOptions): WriteOptions {
    return this.#janusGraph ? { ...options, janusGraph: true } : options
  }

  responseHead(response: Omit<ResponseMessage, "data">): Buffer {
    return written(this.#with(everything), () => writeHead(response))
  }

  stream(requestId: string | null, options: WriteOptions = everything): ResponseStream {
    return new GraphBinaryStream(requestId, this.#with(options), this.#asText)
  }
}

/** The bytes that `write` produces. */
const written = (options: WriteOptions, write: () => void): Buffer => {
  output.reset()
  writer.properties = options.properties
  writer.datesOnly = options.datesOnly ?? false
  writer.janusGraph = options.janusGraph ?? false
  try {
    write()
    return output.finish()
  } catch (error) {
    throw asSerializationError(error)
  }
}

const readRequest = (
  bytes: Buffer,
  hasId: boolean,
  maximumDepth: number | undefined,
  long: ResumableRead | undefined
): RequestMessage => {
  if (bytes.length === 0) throw new ProtocolError("The GraphBinary message is empty.")
  if (bytes[0] !== VERSION) throw new ProtocolError("The message is not of version 1 of GraphBinary.")
  if (!hasId) throw new ProtocolError("The GraphBinary message ends inside its request id.")
  const requestId = uuidOfBytes(bytes, 1)
  const reader = new GraphBinaryReader(bytes, 17, maximumDepth, long)
  const { input } = reader
  const op = input.string()
  const processor = input.string()
  const args = readItems(reader, input.length(4, "the args"), new RequestArgs(), setArg)
  if (input.left > 0) input.fail("The message has further bytes after its end")
  return new RequestMessage(requestId, op, processor, args, input.heldBytes)
}

const setArg = (reader: GraphBinaryReader, args: RequestArgs): void => {
  const name = reader.value()
  if (typeof name !== "string") return reader.input.fail("The name of an argument is no string")
  args.set(name, reader.value())
}

/** Writes the part before the results, without the type code of their list. */
const writeHead = ({ requestId, code, message, attributes }: Omit<ResponseMessage, "data">): void => {
  output.byte(VERSION)
  if (requestId === null) output.byte(1)
  else {
    output.byte(0)
    output.uuid(requestId)
  }
  output.int(code)
  output.byte(0)
  output.string(message)
  if (attributes === null) output.int(0)
  else writeNamedValues(writer, attributes)
  output.int(0)
}

/** The part before the bytes of a text. */
const writtenHead = (bytes: number): Buffer =>
  written(everything, () => {
    output.type(DataType.String)
    output.int(bytes)
  })

const writeTexts = (texts: ReadonlyArray<string>): void => {
  writer.results({ values: texts, length: texts.length, bulks: null, asTraversers: false })
}

class GraphBinaryStream implements ResponseStream {
  readonly countsFirst = true
  readonly #requestId: string | null
  readonly #options: WriteOptions
  readonly #asText: boolean
  count = 0

  constructor(requestId: string | null, options: WriteOptions, asText: boolean) {
    this.#requestId = requestId
    this.#options = options
    this.#asText = asText
  }
  head(count: number, attributes: ReadonlyMap<string, unknown> | null): Buffer {
    return written(this.#options, () => {
      writeHead({ requestId: this.#requestId, code: StatusCode.SUCCESS, message: "", attributes })
      output.type(DataType.List)
      output.int(count)
    })
  }
  items(data: ResultData, progress?: WriteProgress): Buffer {
    const before = progress === undefined ? 0 : progress.row
    return written(this.#options, () => {
      if (this.#asText) {
        const texts = resultTexts(data, progress)
        this.count += texts.length
        writeTexts(texts)
        return
      }
      writer.results(data, progress)
      this.count += progress === undefined ? resultCount(data) : progress.row - before
    })
  }
  longItem(long: ResumableWrite): ReadonlyArray<Buffer> {
    this.count++
    return long.buffers
  }
  tail(): Buffer {
    return Buffer.alloc(0)
  }
}
