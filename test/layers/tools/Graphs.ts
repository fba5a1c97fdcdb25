import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "effect/FastCheck"
import { importFiles } from "../../../src/layers/tools/Import.ts"
import type { ImportOptions } from "../../../src/layers/tools/ImportOptions.ts"
import { type FileFormat, inspect } from "../../../src/layers/tools/InputFiles.ts"
import type { ProgressState, ToolContext } from "../../../src/layers/tools/Report.ts"
import { adjacencyPieces } from "../../../src/layers/tools/Walk.ts"
import { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { LmdbStore } from "../../../src/storage/lmdb/LmdbStore.ts"
import { keyOf } from "../../../src/structure/collections/Equivalence.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { typeName } from "../../../src/structure/texts/TypeNames.ts"
import { newFolder } from "../../Folders.ts"
import { settled } from "../../storage/Completion.ts"

/** Writes files into a new folder. Returns their paths. */
export const written = (files: Readonly<Record<string, string | Uint8Array>>): ReadonlyArray<string> => {
  const folder = newFolder()
  return Object.entries(files).map(([name, content]) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  })
}

/** A tool context that records the reported progress. */
export const context = (
  shared = false,
  signal: ToolContext["signal"] = new AbortController().signal
): ToolContext & { readonly states: ReadonlyArray<ProgressState> } => {
  const states: Array<ProgressState> = []
  return { report: (state) => void states.push(state), signal, shared, states }
}

const noOptions: ImportOptions = { label: undefined, idProperty: undefined }

/** Imports files as the command does. */
export const imported = async (
  graph: GraphStore,
  paths: ReadonlyArray<string>,
  options: Partial<ImportOptions> & {
    readonly format?: FileFormat
    readonly shared?: boolean
    readonly signal?: AbortSignal
  } = {}
): Promise<string> => {
  const { format, shared = false, signal, ...others } = options
  const files = await Promise.all(paths.map((path) => inspect(path, format)))
  const directory = graph instanceof CellGraph ? directoryOf(graph) : undefined
  return importFiles(graph, directory, files, { ...noOptions, ...others }, context(shared, signal))
}

const directoryOf = ({ core }: CellGraph): string | undefined =>
  core.cells instanceof LmdbStore ? core.cells.location.slice("lmdb:".length) : undefined

/** The contents of a graph without ids: vertices by their property `code`, edges by the codes of their ends. */
export const contents = async (graph: GraphStore): Promise<ReadonlyArray<string>> => {
  const transaction = graph.begin({ readOnly: true })
  const found: Array<string> = []
  const shown = (value: unknown): string => `${typeName(value)} ${String(keyOf(value))}`
  const nameOf = (vertex: { properties(keys: readonly string[]): ReadonlyArray<{ readonly value: unknown }> }) =>
    String(vertex.properties(["code"])[0]?.value)
  for await (const piece of adjacencyPieces(transaction, new AbortController().signal)) {
    for (const { vertex, out, in: into } of piece) {
      const properties = vertex
        .properties()
        .map(
          ({ key, value, meta }) =>
            `${key}=${shown(value)}${[...(meta ?? [])].map(([k, v]) => `[${k}=${shown(v)}]`).sort()}`
        )
      found.push(`${nameOf(vertex)} ${vertex.label} ${properties.sort().join(", ")} in:${into.length}`)
      for (const edge of out) {
        const values = edge.properties().map(({ key, value }) => `${key}=${shown(value)}`)
        found.push(`${nameOf(edge.outVertex)}-${edge.label}->${nameOf(edge.inVertex)} ${values.sort().join(", ")}`)
      }
    }
  }
  transaction.rollback()
  return found.sort()
}

interface RandomElement {
  readonly label: string
  readonly properties: ReadonlyArray<readonly [string, unknown]>
}

export interface RandomGraph {
  readonly vertices: ReadonlyArray<RandomElement & { readonly tags: ReadonlyArray<string> }>
  readonly edges: ReadonlyArray<RandomElement & { readonly out: number; readonly into: number }>
}

/** Random graphs with values of the given types, each under its own key. */
export const randomGraph = (kinds: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<RandomGraph> => {
  const properties = fc
    .record(kinds as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] })
    .map((found) => Object.entries(found))
  const label = fc.constantFrom("person", "city", "a;b", "x\\y", "née, quoted")
  const texts = fc.constantFrom("a", "b", "", "x;y", "\\", "line\nbreak", "née", "\\e", ',"')
  return fc
    .array(fc.record({ label, properties, tags: fc.uniqueArray(texts, { maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 8
    })
    .chain((vertices) =>
      fc.record({
        vertices: fc.constant(vertices),
        edges: fc.array(
          fc.record({ label, properties, out: fc.nat(vertices.length - 1), into: fc.nat(vertices.length - 1) }),
          { maxLength: 12 }
        )
      })
    )
}

/** Writes a random graph into an empty one. */
export const fill = async (graph: GraphStore, { edges, vertices }: RandomGraph): Promise<void> => {
  const transaction = graph.begin()
  const refs = vertices.map(({ label, properties, tags }, at) => {
    const ref = transaction.addVertex(label, undefined)
    for (const [key, value] of [["code", `v${at}`] as const, ...properties]) {
      transaction.setVertexProperty(ref, Cardinality.single, key, value)
    }
    for (const tag of tags) transaction.setVertexProperty(ref, Cardinality.set, "tags", tag)
    return ref
  })
  for (const { label, properties, out, into } of edges) {
    const ref = transaction.addEdge(refs[out]!, `to ${label}`, refs[into]!, undefined)
    for (const [key, value] of properties) transaction.setEdgeProperty(ref, key, value)
  }
  await settled(transaction.commit())
}
