import { createHash } from "node:crypto"
import { basename } from "node:path"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { isEmptyGraph } from "../graphs/Emptiness.ts"
import { digestsOf, type FileDigests } from "./FileDigests.ts"
import type { ImportOptions } from "./ImportOptions.ts"
import { type ImportedFile, type ImportRecord, type ImportRecords, recordsOf } from "./ImportRecords.ts"
import { stepsOf } from "./ImportSteps.ts"
import type { InputFile } from "./InputFiles.ts"
import { counted, type ToolContext, ToolFailure } from "./Report.ts"

/** What an import is about to do, after it was compared with those that the graph knows of. */
export interface ImportPlan {
  /** Names the import among those of the graph: the same for the same paths, formats and options. */
  readonly job: string
  /** The files that have records. */
  readonly files: ReadonlyArray<ImportedFile>
  readonly records: ImportRecords
  /** The import that this one goes on with. */
  readonly begun: ImportRecord | undefined
  /** There was no vertex in the graph. */
  readonly wasEmpty: boolean
  /** Where a file of ids can be kept; undefined for a graph that does not outlive the process. */
  readonly directory: string | undefined
  /** The key under which vertices have the ids of files. */
  readonly idProperty: string | undefined
  /** Some of the files have vertices. */
  readonly hasVertices: boolean
}

const jobOf = (files: ReadonlyArray<InputFile>, { idProperty, label }: ImportOptions): string =>
  createHash("sha256")
    .update(JSON.stringify([files.map(({ path, format }) => [path, format]), label ?? null, idProperty ?? null]))
    .digest("hex")
    .slice(0, 16)

const AGAIN = "give --again to import all the same"

/** What was imported, and when: `of 2026-01-31 10:00:00 UTC, 1,000 vertices and 0 edges`. */
const extent = ({ began, ended, position: { edges, vertices } }: ImportRecord): string =>
  `of ${(ended ?? began).slice(0, 19).replace("T", " ")} UTC, ${counted(vertices, "vertex")} and ${counted(edges, "edge")}`

/** A file with what its contents are. */
interface Looked {
  readonly input: InputFile
  readonly digests: FileDigests
}

/**
 * Compares an import with those that the graph knows of, so that nothing is imported twice without a word. Throws
 * ToolFailure for files that were imported already, unless `again` says so.
 */
export const planImport = async (
  graph: GraphStore,
  inputs: ReadonlyArray<InputFile>,
  options: ImportOptions,
  directory: string | undefined,
  context: ToolContext
): Promise<ImportPlan> => {
  const records = recordsOf(graph)
  const { idProperty } = options
  const job = jobOf(inputs, options)
  const wasEmpty = await isEmptyGraph(graph)
  const known = await knownRecords(records, wasEmpty)
  const lengths = [...known.values()].flatMap(({ files, position }) => [
    position.bytes,
    ...files.map(({ bytes }) => bytes)
  ])
  const looked: Array<Looked> = []
  for (const input of inputs) looked.push({ input, digests: await digestsOf(input, lengths, context) })
  const filled = looked.filter(({ input }) => input.hasRecords)
  const own = known.get(job)
  const begun = own?.state === "begun" ? own : undefined
  const problem = begun === undefined ? undefined : problemOfResuming(begun, inputs, looked)
  if (options.again !== true) {
    refuseTwice(filled)
    if (problem !== undefined) throw new ToolFailure(problem)
    for (const [name, record] of known) if (name !== job || begun === undefined) refuseKnown(record, filled)
  }
  const files = filled.map(({ digests: { bytes, digest }, input: { path } }) => ({ path, bytes, digest }))
  const hasVertices = inputs.some(({ holds }) => holds.includes("vertices"))
  const goesOn = problem === undefined ? begun : undefined
  return { job, files, records, begun: goesOn, wasEmpty, directory, idProperty, hasVertices }
}

/** The records of a graph; what was imported into one that is empty is gone, and so is what was known of it. */
const knownRecords = async (records: ImportRecords, wasEmpty: boolean): Promise<ReadonlyMap<string, ImportRecord>> => {
  const known = await records.read()
  if (!wasEmpty || known.size === 0) return known
  await records.write(new Map([...known.keys()].map((name) => [name, null])))
  return new Map()
}

/** Why an import that was interrupted cannot go on; undefined where it can. */
const problemOfResuming = (
  begun: ImportRecord,
  inputs: ReadonlyArray<InputFile>,
  looked: ReadonlyArray<Looked>
): string | undefined => {
  if (begun.resume === undefined) {
    return `An import of these files was interrupted (${extent(begun)}, are in the graph), and cannot go on in this graph: remove what it imported, and ${AGAIN}.`
  }
  const { bytes, digest, step } = begun.position
  const steps = stepsOf(inputs)
  for (const [at, { file }] of steps.slice(0, step + 1).entries()) {
    const { digests } = looked.find(({ input }) => input === file)!
    const before = begun.files.find(({ path }) => path === file.path)
    const same = at < step ? before?.digest === digests.digest : digests.beginnings.get(bytes) === digest
    if (file.hasRecords && !same) {
      return `${file.path} was changed since its import was interrupted (${extent(begun)}, are in the graph), in the part that is in the graph already: remove what was imported, or restore a backup, and ${AGAIN}.`
    }
  }
  return undefined
}

/** An edge would be made twice. */
const refuseTwice = (looked: ReadonlyArray<Looked>): void => {
  const seen = new Map<string, string>()
  for (const { digests, input } of looked) {
    const first = seen.get(digests.digest)
    if (first !== undefined) {
      throw new ToolFailure(`${first} and ${input.path} have the same contents: leave one out, or ${AGAIN}.`)
    }
    seen.set(digests.digest, input.path)
  }
}

const refuseKnown = (record: ImportRecord, looked: ReadonlyArray<Looked>): void => {
  for (const { digests, input } of looked) {
    for (const file of record.files) {
      const isSame = file.digest === digests.digest
      const begins = digests.beginnings.get(file.bytes) === file.digest
      const name = basename(file.path)
      if (record.state === "begun") {
        if (!isSame && !begins && file.path !== input.path) continue
        throw new ToolFailure(
          `An import of ${record.files.map(({ path }) => path).join(", ")} was interrupted (${extent(record)}, are in the graph): give that command again, with the same options, to go on. To import ${input.path} by itself, ${AGAIN}.`
        )
      }
      if (isSame) {
        throw new ToolFailure(
          `${input.path} is in the graph already, by the import ${extent(record)} (${name}). Nothing was imported: leave the file out, or ${AGAIN}.`
        )
      }
      if (begins) {
        throw new ToolFailure(
          `The first ${file.bytes} bytes of ${input.path} are in the graph already, by the import ${extent(record)} (${name}). Nothing was imported: put what is new into a file of its own, or ${AGAIN}.`
        )
      }
    }
  }
}
