import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs"
import { basename } from "node:path"
import { createGunzip } from "node:zlib"
import { CsvDecoder } from "../../protocol/csv/CsvDecoder.ts"
import { readHeader } from "../../protocol/csv/CsvHeader.ts"
import { CsvRecords } from "../../protocol/csv/CsvRecords.ts"
import { FileText } from "../../protocol/FileText.ts"
import { GraphMLDecoder } from "../../protocol/graphml/GraphMLDecoder.ts"
import type { GraphDecoder, GraphReceiver } from "../../structure/GraphStream.ts"
import { TaggedError } from "../../structure/StoreErrors.ts"
import { fileFormats } from "../graphs/FileFormats.ts"
import { ToolFailure } from "./Report.ts"

export type FileFormat = "csv" | "graphson" | "graphml"

export const formats: ReadonlyArray<FileFormat> = ["csv", "graphson", "graphml"]

/** The format that a file's name tells; undefined when it tells none. */
export const formatOf = (path: string): FileFormat | undefined => {
  const name = basename(path).toLowerCase().replace(/\.gz$/, "")
  if (name.endsWith(".csv")) return "csv"
  if (/\.(graphson|json|jsonl|ndjson)$/.test(name)) return "graphson"
  return /\.(graphml|xml)$/.test(name) ? "graphml" : undefined
}

/** A file that is imported. */
export interface InputFile {
  readonly path: string
  readonly format: FileFormat
  /** Compressed, if it is. */
  readonly bytes: number
  /** What the file has; GraphSON and GraphML have both. */
  readonly holds: ReadonlyArray<"vertices" | "edges">
  /** False for a file of CSV that has only a header. */
  readonly hasRecords: boolean
}

const GZIP = Buffer.from([0x1f, 0x8b])

const isGzip = (path: string): boolean => {
  const descriptor = openSync(path, "r")
  try {
    const begin = Buffer.alloc(2)
    return readSync(descriptor, begin) === 2 && begin.equals(GZIP)
  } finally {
    closeSync(descriptor)
  }
}

/** The bytes of a file, decompressed where it is compressed; `read` is told how many bytes of the file were read. */
export async function* bytesOf(path: string, read: (bytes: number) => void): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  if (!isGzip(path)) {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      yield chunk
      read(file.bytesRead)
    }
    return
  }
  const plain = createGunzip({ chunkSize: 256 * 1024 })
  file.on("error", (error) => plain.destroy(error))
  try {
    for await (const chunk of file.pipe(plain) as AsyncIterable<Buffer>) {
      yield chunk
      read(file.bytesRead)
    }
  } finally {
    file.destroy()
  }
}

/** Looks at a file: what it is and what it has. Throws ToolFailure. */
export const inspect = async (path: string, given: FileFormat | undefined): Promise<InputFile> => {
  const format = given ?? formatOf(path)
  if (format === undefined) {
    throw new ToolFailure(`${path}: the name tells no format; give --format ${formats.join(", ")}.`)
  }
  let found: ReturnType<typeof statSync>
  try {
    found = statSync(path)!
  } catch (error) {
    throw new ToolFailure(`${path} cannot be read: ${(error as Error).message}`)
  }
  if (!found.isFile()) throw new ToolFailure(`${path} is no file.`)
  const known = { path, format, bytes: found.size }
  if (format !== "csv") return { ...known, holds: ["vertices", "edges"], hasRecords: true }
  const { hasRecords, kind } = await beginOfCsv(path)
  return { ...known, holds: [kind], hasRecords }
}

/** What a file of CSV has, by its header. What is wrong behind the header is told when the file is read. */
const beginOfCsv = async (
  path: string
): Promise<{ readonly kind: "vertices" | "edges"; readonly hasRecords: boolean }> => {
  let kind: "vertices" | "edges" | undefined
  let hasRecords = false
  const records = new CsvRecords((fields) => {
    if (kind === undefined) kind = readHeader(fields).kind
    else hasRecords = true
  })
  const text = new FileText()
  await guarded(path, async () => {
    try {
      for await (const chunk of bytesOf(path, () => undefined)) {
        records.push(text.decode(chunk))
        if (hasRecords) break
      }
      records.end()
    } catch (error) {
      if (kind === undefined) throw error
      hasRecords = true
    }
  })
  if (kind === undefined) throw new ToolFailure(`${path}: line 1: the file has no header`)
  return { kind, hasRecords }
}

/** Errors of the contents of a file name the file. */
export const guarded = async <A>(path: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ToolFailure) throw error
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof TaggedError || typeof code === "string") {
      throw new ToolFailure(`${path}: ${(error as Error).message}`)
    }
    throw error
  }
}

/** What reads a file. `label`: of elements of CSV and GraphML that have none. */
export const decoderOf = ({ format }: InputFile, receiver: GraphReceiver, label: string | undefined): GraphDecoder => {
  switch (format) {
    case "csv":
      return new CsvDecoder(receiver, { label })
    case "graphml":
      return new GraphMLDecoder(receiver, { label })
    case "graphson":
      return fileFormats.decoder(format, receiver)!
  }
}
