import { createWriteStream } from "node:fs"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { CsvEncoder } from "../../protocol/csv/CsvEncoder.ts"
import { DATA_FILE_MODE, makeFolders } from "../../storage/shared/Folders.ts"
import { TaggedError } from "../../structure/errors/TaggedError.ts"
import type { GraphStore, GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { GraphEncoder } from "../../structure/graph/GraphStream.ts"
import { fileFormats } from "../graphs/FileFormats.ts"
import type { ExportTarget } from "./ExportTarget.ts"
import { counted, grouped, pause, type ToolContext, ToolFailure } from "./Report.ts"
import { adjacencyPieces, edgePieces, vertexPieces } from "./Walk.ts"
import { refuseExisting, writeTogether, writeWhole } from "./WholeFile.ts"

/** Characters of a chunk that is written. */
const CHUNK_CHARACTERS = 64 * 1024

/** Numbers of exported elements. */
interface Tally {
  vertices: number
  edges: number
}

/** Exports a snapshot of a graph: CSV into a folder, other formats into a file. Returns a summary. Throws ToolFailure. */
export const exportGraph = async (graph: GraphStore, target: ExportTarget, context: ToolContext): Promise<string> => {
  const transaction = graph.begin({ readOnly: true })
  const begin = performance.now()
  try {
    const tally: Tally = { vertices: 0, edges: 0 }
    const files =
      target.format === "csv"
        ? await exportCsv(transaction, graph.features.userSuppliedVertexIds, target, tally, context)
        : await exportFile(transaction, target, tally, context)
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    return `Exported ${counted(tally.vertices, "vertex")} and ${counted(tally.edges, "edge")} to ${files.join(" and ")} (${seconds} s).`
  } catch (error) {
    if (error instanceof TaggedError) throw new ToolFailure(error.message)
    throw error
  } finally {
    transaction.rollback()
  }
}

const exportCsv = async (
  transaction: GraphTransaction,
  typedIds: boolean,
  { path: folder, zipped }: ExportTarget,
  tally: Tally,
  context: ToolContext
): Promise<ReadonlyArray<string>> => {
  const encoder = new CsvEncoder(typedIds)
  makeFolder(folder)
  const end = zipped ? ".csv.gz" : ".csv"
  const files = [join(folder, `vertices${end}`), join(folder, `edges${end}`)] as const
  for (const file of files) refuseExisting(file)
  const report = reporter(transaction, context)
  let surveyed = 0
  for await (const piece of vertexPieces(transaction, context.signal)) {
    for (const vertex of piece) encoder.survey(vertex)
    report("surveying vertices", (surveyed += piece.length), "vertex")
  }
  surveyed = 0
  for await (const piece of edgePieces(transaction, context.signal)) {
    for (const edge of piece) encoder.survey(edge)
    report("surveying edges", (surveyed += piece.length), "edge")
  }
  async function* vertices(): AsyncGenerator<string> {
    yield encoder.vertexHeader()
    for await (const piece of vertexPieces(transaction, context.signal)) {
      yield piece.map((vertex) => encoder.vertex(vertex)).join("")
      report("vertices", (tally.vertices += piece.length), "vertex")
    }
  }
  async function* edges(): AsyncGenerator<string> {
    yield encoder.edgeHeader()
    for await (const piece of edgePieces(transaction, context.signal)) {
      yield piece.map((edge) => encoder.edge(edge)).join("")
      report("edges", (tally.edges += piece.length), "edge")
    }
  }
  await writeTogether([
    { file: files[0], write: writing(zipped, vertices) },
    { file: files[1], write: writing(zipped, edges) }
  ])
  return files
}

const exportFile = async (
  transaction: GraphTransaction,
  { format, path: file, zipped }: ExportTarget,
  tally: Tally,
  context: ToolContext
): Promise<ReadonlyArray<string>> => {
  refuseExisting(file)
  const encoder = fileFormats.encoder(format)!
  const report = reporter(transaction, context)
  makeFolder(dirname(file))
  await writeWhole(
    file,
    writing(zipped, () => texts(encoder, transaction, tally, report, context.signal))
  )
  return [file]
}

async function* texts(
  encoder: GraphEncoder,
  transaction: GraphTransaction,
  tally: Tally,
  report: ReturnType<typeof reporter>,
  signal: AbortSignal
): AsyncGenerator<string> {
  if (encoder.survey !== null) {
    for await (const piece of vertexPieces(transaction, signal)) piece.forEach(encoder.survey)
    for await (const piece of edgePieces(transaction, signal)) piece.forEach(encoder.survey)
  }
  yield encoder.begin()
  if (encoder.withEdges) {
    for await (const piece of adjacencyPieces(transaction, signal)) {
      for (const { vertex, out, in: into } of piece) {
        for (const part of encoder.vertexParts?.(vertex, out, into) ?? [encoder.vertex(vertex, out, into)]) {
          yield part
          if (part === "") await pause(signal)
        }
        tally.edges += out.length
      }
      report("vertices with edges", (tally.vertices += piece.length), "vertex")
    }
  } else {
    for await (const piece of vertexPieces(transaction, signal)) {
      for (const vertex of piece) yield encoder.vertex(vertex, [], [])
      report("vertices", (tally.vertices += piece.length), "vertex")
    }
    for await (const piece of edgePieces(transaction, signal)) {
      for (const edge of piece) yield encoder.edge(edge)
      report("edges", (tally.edges += piece.length), "edge")
    }
  }
  yield encoder.end()
}

const reporter =
  (transaction: GraphTransaction, { report }: ToolContext) =>
  (stage: string, done: number, kind: "vertex" | "edge"): void => {
    const total = kind === "vertex" ? transaction.counts.vertices(null) : transaction.counts.edges(null)
    report({ stage, done, total, unit: kind, note: grouped(done) })
  }

const makeFolder = (folder: string): void => {
  try {
    makeFolders(folder)
  } catch (error) {
    throw new ToolFailure(`The folder ${folder} cannot be created: ${(error as Error).message}`)
  }
}

/** A function that writes texts into a new file. */
const writing =
  (zipped: boolean, texts: () => AsyncGenerator<string>) =>
  (temporary: string): Promise<void> => {
    const output = createWriteStream(temporary, { flags: "wx", flush: true, mode: DATA_FILE_MODE })
    return zipped ? pipeline(joined(texts()), createGzip(), output) : pipeline(joined(texts()), output)
  }

/** Joins small texts into chunks of bytes. */
async function* joined(texts: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  let held = ""
  for await (const text of texts) {
    held += text
    if (held.length < CHUNK_CHARACTERS) continue
    yield Buffer.from(held)
    held = ""
  }
  if (held !== "") yield Buffer.from(held)
}
