import { createHash } from "node:crypto"
import { basename } from "node:path"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { isEmptyGraph } from "../graphs/Emptiness.ts"
import { digestsOf, type FileDigests } from "./FileDigests.ts"
import { elementsIn } from "./ImportCounts.ts"
import type { ImportOptions } from "./ImportOptions.ts"
import { passesOf } from "./ImportPasses.ts"
import { type ImportedFile, type ImportRecord, type ImportRecords, recordsOf } from "./ImportRecords.ts"
import { DEFAULT_EDGE_LABEL } from "./ImportTarget.ts"
import type { InputFile } from "./InputFiles.ts"
import { type ToolContext, ToolFailure } from "./Report.ts"

/** A planned import, compared with the imports that the graph has recorded. */
export interface ImportPlan {
  /** Identifies the import in the graph: the same for equal paths, formats and options. */
  readonly job: string
  /** The files with records. */
  readonly files: ReadonlyArray<ImportedFile>
  readonly records: ImportRecords
  /** The interrupted import that this one resumes. An import with `again` starts from the beginning. */
  readonly begun: ImportRecord | undefined
  /** The graph had no vertices. */
  readonly wasEmpty: boolean
  /** Folder for a file of ids; undefined for a graph that ends with the process. */
  readonly directory: string | undefined
  /** The key under which vertices store the ids of files. */
  readonly idProperty: string | undefined
  /** Vertices that the graph has under that key are changed. */
  readonly upsert: boolean
  /** At least one file has vertices. */
  readonly hasVertices: boolean
  /** The label for edges without one that the options name; null if they name none, or the default. */
  readonly edgeLabel: string | null
}

const hasVertices = (files: ReadonlyArray<InputFile>): boolean => files.some(({ holds }) => holds.includes("vertices"))

/** The name leaves out the label of edges: an import that fails for the lack of one resumes when it is given. */
const jobOf = (files: ReadonlyArray<InputFile>, options: ImportOptions): string => {
  const { columns, delimiter, idProperty, upsert, vertexLabel } = options
  const names = files.map(({ path, format }) => [path, format])
  const label = hasVertices(files) && vertexLabel === undefined ? options.label : undefined
  const given = [label ?? null, idProperty ?? null]
  const more = [delimiter, vertexLabel, upsert === true ? "upsert" : undefined, columns && [...columns]]
  // Without the newer options, the name is that of earlier versions.
  const isPlain = more.every((option) => option === undefined)
  return createHash("sha256")
    .update(JSON.stringify(isPlain ? [names, ...given] : [names, ...given, ...more.map((option) => option ?? null)]))
    .digest("hex")
    .slice(0, 16)
}

/** The end of messages about repeated imports. */
const AGAIN = "give --again to import anyway"

/** Time and size of an import: `of 2026-01-31 10:00:00 UTC, 1,000 vertices and 0 edges`. */
const extent = ({ began, ended, position }: ImportRecord): string =>
  `of ${(ended ?? began).slice(0, 19).replace("T", " ")} UTC, ${elementsIn(position)}`

/** What an interrupted import has added. */
const addedBy = (record: ImportRecord): string => {
  const { unsure } = record
  const more = unsure === undefined ? "" : `; none, a part or all of ${elementsIn(unsure)} more may be`
  return `(${extent(record)}, are in the graph${more})`
}

/** A file with the digests of its contents. */
interface CheckedFile {
  readonly input: InputFile
  readonly digests: FileDigests
}

/**
 * Compares an import with the recorded ones, so that nothing is imported twice unnoticed. Throws ToolFailure for files that
 * were imported before, unless `again` is set.
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
  const checked: Array<CheckedFile> = []
  for (const input of inputs) checked.push({ input, digests: await digestsOf(input, lengths, context) })
  const filled = checked.filter(({ input }) => input.hasRecords)
  const own = known.get(job)
  const begun = own?.state === "begun" ? own : undefined
  const restarts = changesVertices(inputs, options)
  const problem = begun === undefined || restarts ? undefined : problemOfResuming(begun, inputs, checked, options)
  if (options.again !== true) {
    if (problem !== undefined) throw new ToolFailure(problem)
    if (begun === undefined) refuseTwice(filled)
    for (const [name, record] of known) if (!isAccepted(name, record, job, begun)) refuseKnown(record, filled)
  }
  if (options.again === true && begun?.resume !== undefined) await records.write(new Map([[job, withoutResume(begun)]]))
  const files = filled.map(({ digests: { bytes, digest }, input: { path } }) => ({ path, bytes, digest }))
  return {
    job,
    files,
    records,
    // Its user has removed what the interrupted import has added, or wants it twice.
    begun: options.again === true || restarts ? undefined : begun,
    wasEmpty,
    directory,
    idProperty,
    upsert: options.upsert === true,
    hasVertices: hasVertices(inputs),
    edgeLabel: edgeLabelOf(options)
  }
}

const edgeLabelOf = ({ edgeLabel, label }: ImportOptions): string | null => {
  const named = edgeLabel ?? label
  return named === undefined || named === DEFAULT_EDGE_LABEL ? null : named
}

/**
 * The record of an interrupted import that starts from the beginning. It is written before the file of ids is removed: if the new
 * import ends before its first commit, a later one must not resume at the old position. What was added may still be in the graph.
 */
const withoutResume = ({ resume: _, ...rest }: ImportRecord): ImportRecord => rest

/** True for a record that does not keep an import from going on: its own, and those that the graph had when it began. */
const isAccepted = (name: string, record: ImportRecord, job: string, begun: ImportRecord | undefined): boolean =>
  begun !== undefined && (name === job || (record.ended ?? record.began) <= begun.began)

/** The records of a graph. Those of an empty graph are removed, because what was imported is gone. */
const knownRecords = async (records: ImportRecords, wasEmpty: boolean): Promise<ReadonlyMap<string, ImportRecord>> => {
  const known = await records.read()
  if (!wasEmpty || known.size === 0) return known
  await records.write(new Map([...known.keys()].map((name) => [name, null])))
  return new Map()
}

/** True for an import that may begin anew after an interruption: it finds the vertices that it has added, and changes nothing twice. */
const changesVertices = (inputs: ReadonlyArray<InputFile>, { upsert }: ImportOptions): boolean =>
  upsert === true && !inputs.some(({ holds }) => holds.includes("edges"))

/** Why an interrupted import cannot resume; undefined when it can. */
const problemOfResuming = (
  begun: ImportRecord,
  inputs: ReadonlyArray<InputFile>,
  checked: ReadonlyArray<CheckedFile>,
  options: ImportOptions
): string | undefined => {
  const { upsert } = options
  if (begun.resume === undefined && upsert === true) {
    return `An import of these files with --upsert was interrupted ${addedBy(begun)}, and cannot resume. With --again the import changes the vertices once more, and adds all edges again: remove those that it has added, or restore a backup.`
  }
  if (begun.resume === undefined) {
    return `An import of these files was interrupted ${addedBy(begun)}, and cannot resume in this graph: remove the imported elements, and ${AGAIN}.`
  }
  const { bytes, digest, edges, step } = begun.position
  const { edgeLabel = null } = begun
  // Without a label of the options, the edges that it has added have their own.
  if (edges > 0 && edgeLabel !== null && edgeLabel !== edgeLabelOf(options)) {
    return `An import of these files was interrupted ${addedBy(begun)}. Its edges without a label have got the label '${edgeLabel}': give that label with --edge-label to resume it.`
  }
  const passes = passesOf(inputs)
  for (const [at, { file }] of passes.slice(0, step + 1).entries()) {
    const { digests } = checked.find(({ input }) => input === file)!
    const before = begun.files.find(({ path }) => path === file.path)
    const same = at < step ? before?.digest === digests.digest : digests.prefixes.get(bytes) === digest
    if (file.hasRecords && !same) {
      return `${file.path} was changed since its import was interrupted ${addedBy(begun)}, in the part that is already in the graph: remove the imported elements, or restore a backup, and ${AGAIN}.`
    }
  }
  return undefined
}

/** Throws for two files with the same contents: their edges would be created twice. */
const refuseTwice = (checked: ReadonlyArray<CheckedFile>): void => {
  const seen = new Map<string, string>()
  for (const { digests, input } of checked) {
    const first = seen.get(digests.digest)
    if (first !== undefined) {
      throw new ToolFailure(`${first} and ${input.path} have the same contents: leave one out, or ${AGAIN}.`)
    }
    seen.set(digests.digest, input.path)
  }
}

const refuseKnown = (record: ImportRecord, checked: ReadonlyArray<CheckedFile>): void => {
  for (const { digests, input } of checked) {
    for (const file of record.files) {
      // Every file begins with an empty one.
      if (file.bytes === 0) continue
      const isSame = file.digest === digests.digest
      const begins = digests.prefixes.get(file.bytes) === file.digest
      const name = basename(file.path)
      if (record.state === "begun") {
        if (!isSame && !begins && file.path !== input.path) continue
        throw new ToolFailure(
          `An import of ${record.files.map(({ path }) => path).join(", ")} was interrupted ${addedBy(record)}: run that command again, with the same options but without --again, to resume it. To import ${input.path} by itself, ${AGAIN}.`
        )
      }
      if (isSame) {
        throw new ToolFailure(
          `${input.path} is already in the graph, by the import ${extent(record)} (${name}). Nothing was imported: leave the file out, or ${AGAIN}.`
        )
      }
      if (begins) {
        throw new ToolFailure(
          `The first ${file.bytes} bytes of ${input.path} are already in the graph, by the import ${extent(record)} (${name}). Nothing was imported: put the new records into another file, or ${AGAIN}.`
        )
      }
    }
  }
}
