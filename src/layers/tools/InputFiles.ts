import { closeSync, createReadStream, openSync, readSync, type Stats, statSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { basename } from "node:path"
import { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { CsvDecoder } from "../../protocol/csv/CsvDecoder.ts"
import { type CsvColumn, type CsvHeader, mappedNames, readHeader } from "../../protocol/csv/CsvHeader.ts"
import { CsvRecords } from "../../protocol/csv/CsvRecords.ts"
import { FileText } from "../../protocol/FileText.ts"
import { GraphMLDecoder } from "../../protocol/graphml/GraphMLDecoder.ts"
import { TaggedError } from "../../structure/errors/TaggedError.ts"
import type { GraphDecoder, GraphReceiver } from "../../structure/graph/GraphStream.ts"
import { fileFormats } from "../graphs/FileFormats.ts"
import type { CsvReading, DefaultLabels } from "./ImportOptions.ts"
import { isDecompression, ToolFailure } from "./Report.ts"

/** A format of files that import and export support. */
export type FileFormat = "csv" | "graphson" | "graphml"

/** All formats. */
export const formats: ReadonlyArray<FileFormat> = ["csv", "graphson", "graphml"]

/** The format that the extension of a file implies; undefined when there is none. */
export const formatOf = (path: string): FileFormat | undefined => {
  const name = basename(path).toLowerCase().replace(/\.gz$/, "")
  if (name.endsWith(".csv")) return "csv"
  if (/\.(graphson|json|jsonl|ndjson)$/.test(name)) return "graphson"
  return /\.(graphml|xml)$/.test(name) ? "graphml" : undefined
}

/** A file to import. */
export interface InputFile {
  readonly path: string
  /** The open file, if the path may be that of another file by now. It is read instead, as often as needed. */
  readonly handle?: FileHandle | undefined
  readonly format: FileFormat
  /** Size of the file itself, compressed or not. */
  readonly bytes: number
  /** What the file contains. GraphSON and GraphML contain both. */
  readonly holds: ReadonlyArray<"vertices" | "edges">
  /** False for a CSV file with only a header, and for a file that is empty once it is decompressed. */
  readonly hasRecords: boolean
  /** The columns of a CSV file. */
  readonly columns?: ReadonlyArray<CsvColumn>
  /** The columns of the mapping that a CSV file has. */
  readonly mapped?: ReadonlyArray<string>
}

const GZIP = Buffer.from([0x1f, 0x8b])

/** A file by its path, or an open one. */
type Source = Pick<InputFile, "path" | "handle">

const isGzip = ({ handle, path }: Source): boolean => {
  const descriptor = handle?.fd ?? openSync(path, "r")
  try {
    const begin = Buffer.alloc(2)
    return readSync(descriptor, begin, 0, 2, 0) === 2 && begin.equals(GZIP)
  } finally {
    if (handle === undefined) closeSync(descriptor)
  }
}

/** Bytes that are read at a time. */
const CHUNK_BYTES = 256 * 1024

/** A stream of a file, with the number of bytes that it has read. */
interface FileStream {
  readonly stream: Readable
  readonly bytesRead: () => number
}

const streamOf = ({ handle, path }: Source): FileStream => {
  if (handle === undefined) {
    const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES })
    return { stream, bytesRead: () => stream.bytesRead }
  }
  let position = 0
  // A stream of Node.js over the handle would close it when its reader stops early.
  const read = async function* (): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield chunk.subarray(0, bytesRead)
    }
  }
  return { stream: Readable.from(read(), { objectMode: false }), bytesRead: () => position }
}

/** Reads a file and decompresses it when it is compressed. `read` receives the number of bytes read from the file. */
export async function* bytesOf(source: Source, read: (bytes: number) => void): AsyncGenerator<Buffer> {
  const { bytesRead, stream } = streamOf(source)
  if (!isGzip(source)) {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      yield chunk
      read(bytesRead())
    }
    return
  }
  const plain = createGunzip({ chunkSize: CHUNK_BYTES })
  stream.on("error", (error) => plain.destroy(error))
  try {
    for await (const chunk of stream.pipe(plain) as AsyncIterable<Buffer>) {
      yield chunk
      read(bytesRead())
    }
  } finally {
    stream.destroy()
  }
}

/** Inspects a file: its format and contents. `handle`: see {@link InputFile}. Throws ToolFailure. */
export const inspect = async (
  path: string,
  given: FileFormat | undefined,
  reading: CsvReading = {},
  handle?: FileHandle
): Promise<InputFile> => {
  const format = given ?? formatOf(path)
  if (format === undefined) {
    throw new ToolFailure(`${path}: the name does not imply a format; give --format ${formats.join(", ")}.`)
  }
  let found: Stats
  try {
    found = handle === undefined ? statSync(path) : await handle.stat()
  } catch (error) {
    throw new ToolFailure(`${path} cannot be read: ${(error as Error).message}`)
  }
  if (!found.isFile()) throw new ToolFailure(`${path} is not a file.`)
  const known = { path, handle, format, bytes: found.size }
  if (format !== "csv") {
    return { ...known, holds: ["vertices", "edges"], hasRecords: await hasContents({ path, handle }) }
  }
  const { hasRecords, header, mapped } = await inspectCsv({ path, handle }, reading)
  return { ...known, holds: [header.kind], hasRecords, columns: header.columns, mapped }
}

/** True for a file with contents. Errors are reported when the file is imported. */
const hasContents = async (source: Source): Promise<boolean> => {
  try {
    for await (const { length } of bytesOf(source, () => undefined)) if (length > 0) return true
    return false
  } catch {
    return true
  }
}

/** The header of a CSV file. Errors after the header are reported when the file is imported. */
const inspectCsv = async (
  source: Source,
  { columns, delimiter }: CsvReading
): Promise<{
  readonly header: CsvHeader
  readonly hasRecords: boolean
  readonly mapped: ReadonlyArray<string>
}> => {
  let mapped: ReadonlyArray<string> = []
  let header: CsvHeader | undefined
  let hasRecords = false
  const records = new CsvRecords((fields) => {
    if (header === undefined) {
      header = readHeader(fields, columns)
      if (columns !== undefined) mapped = mappedNames(fields, columns)
    } else hasRecords = true
  }, delimiter)
  const text = new FileText()
  await guarded(source.path, async () => {
    try {
      for await (const chunk of bytesOf(source, () => undefined)) {
        records.push(text.decode(chunk))
        if (hasRecords) break
      }
      records.end()
    } catch (error) {
      if (header === undefined) throw error
      hasRecords = true
    }
  })
  if (header === undefined) throw new ToolFailure(`${source.path}: line 1: the file has no header`)
  return { header, hasRecords, mapped }
}

/** Adds the path of a file to errors about its contents, as ToolFailure. */
export const guarded = async <A>(path: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ToolFailure) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (typeof code === "string" && isDecompression(code)) {
      throw new ToolFailure(`${path}: cannot be decompressed (${message}): it is damaged or incomplete. Copy it again.`)
    }
    if (error instanceof TaggedError || typeof code === "string") throw new ToolFailure(`${path}: ${message}`)
    throw error
  }
}

/** The decoder of a file. */
export const decoderOf = (
  { format }: InputFile,
  receiver: GraphReceiver,
  options: CsvReading & DefaultLabels
): GraphDecoder => {
  switch (format) {
    case "csv":
      return new CsvDecoder(receiver, options)
    case "graphml":
      return new GraphMLDecoder(receiver, options)
    case "graphson":
      return fileFormats.decoder(format, receiver)!
  }
}
