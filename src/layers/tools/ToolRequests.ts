import type { FileHandle } from "node:fs/promises"
import * as Schema from "effect/Schema"
import type { GraphSettings } from "../../services/GraphSettings.ts"
import { TaggedError } from "../../structure/errors/TaggedError.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { backupGraph } from "./Backup.ts"
import { exportGraph } from "./Export.ts"
import { exportTarget } from "./ExportTarget.ts"
import { importFiles } from "./Import.ts"
import type { ImportOptions } from "./ImportOptions.ts"
import { type InputFile, inspect } from "./InputFiles.ts"
import { type ToolContext, ToolFailure } from "./Report.ts"
import { takeFiles } from "./RunningImports.ts"
import { graphStats, statsText } from "./Stats.ts"
import { verifyGraph } from "./Verification.ts"

const optional = <A>(schema: Schema.Schema<A>) => Schema.optionalWith(schema, { exact: true })
const graph = optional(Schema.String)
const format = optional(Schema.Literal("csv", "graphson", "graphml"))

const requests = Schema.Union(
  Schema.Struct({
    tool: Schema.Literal("import"),
    graph,
    /** Absolute paths. */
    files: Schema.Array(Schema.String),
    format,
    label: optional(Schema.String),
    vertexLabel: optional(Schema.String),
    edgeLabel: optional(Schema.String),
    delimiter: optional(Schema.String),
    /** New columns of CSV by the names of the files. */
    columns: optional(Schema.Record({ key: Schema.String, value: Schema.String })),
    /** Change vertices that the graph has under `idProperty`. */
    upsert: optional(Schema.Boolean),
    idProperty: optional(Schema.String),
    /** Import files again that were imported before. */
    again: optional(Schema.Boolean)
  }),
  Schema.Struct({
    tool: Schema.Literal("export"),
    graph,
    target: Schema.String,
    format,
    /** Compress CSV; the names of other files decide it. */
    gzip: optional(Schema.Boolean)
  }),
  Schema.Struct({ tool: Schema.Literal("backup"), graph, target: Schema.String }),
  /** Only while no server has the graph open. */
  Schema.Struct({ tool: Schema.Literal("restore"), graph, source: Schema.String }),
  Schema.Struct({ tool: Schema.Literal("stats"), graph, json: Schema.Boolean }),
  Schema.Struct({
    tool: Schema.Literal("verify"),
    graph,
    repair: Schema.Boolean,
    /** Remove what has expired. */
    removeExpired: optional(Schema.Boolean)
  })
)

/** A command on a graph, run in its own process or over the control socket. */
export type ToolRequest = typeof requests.Type

/** Decodes a line of JSON. */
export const decodeRequest = Schema.decodeUnknown(Schema.parseJson(requests))

/** The graph of a command. */
export interface ToolGraph {
  readonly store: GraphStore
  readonly settings: GraphSettings
  /** Files to import that are open already, by their paths. */
  readonly opened?: ReadonlyMap<string, FileHandle>
}

/** The graph of a command: the named one, otherwise the only one or `graph`. Throws ToolFailure. */
export const chosenGraph = (named: string | undefined, names: ReadonlyArray<string>): string => {
  const name = named ?? (names.length === 1 ? names[0]! : "graph")
  if (names.includes(name)) return name
  const known = names.length === 0 ? "none" : names.join(", ")
  throw new ToolFailure(
    named === undefined
      ? `Name a graph with --graph; the graphs are ${known}.`
      : `There is no graph '${named}'; the graphs are ${known}.`
  )
}

/** Runs a command and returns its output. Throws ToolFailure. */
export const perform = async (request: ToolRequest, on: ToolGraph, context: ToolContext): Promise<string> => {
  try {
    switch (request.tool) {
      case "import":
        return await runImport(request, on, context)
      case "export":
        return await exportGraph(on.store, exportTarget(request.target, request.format, request.gzip ?? false), context)
      case "backup":
        return await backupGraph(on.store, request.target, context)
      case "restore":
        throw new ToolFailure("restore creates a graph, which no server may have open: stop the server first.")
      case "stats": {
        const stats = await graphStats(on.store, directoryOf(on.settings), context)
        return request.json ? JSON.stringify(stats, null, 2) : statsText(stats)
      }
      case "verify":
        return await verifyGraph(on.store, request.repair, context, request.removeExpired)
    }
  } catch (error) {
    // Messages of the store are fit for users.
    if (error instanceof TaggedError) throw new ToolFailure(error.message)
    throw error
  }
}

const importOptions = (request: Extract<ToolRequest, { readonly tool: "import" }>): ImportOptions => {
  const { columns, delimiter, idProperty, upsert } = request
  if (upsert === true && idProperty === undefined) {
    throw new ToolFailure("--upsert finds vertices by a property: name its key with --id-property.")
  }
  if (delimiter !== undefined && (delimiter.length !== 1 || /["\r\n]/.test(delimiter))) {
    throw new ToolFailure("--delimiter is one character, such as ';' or a tab, and neither a quote nor a line break.")
  }
  const named = columns === undefined ? undefined : new Map(Object.entries(columns))
  return { ...request, label: request.label, idProperty, columns: named }
}

/** Throws for a column of the mapping that no file has. */
const refuseUnmapped = ({ columns }: ImportOptions, inputs: ReadonlyArray<InputFile>): void => {
  const found = new Set(inputs.flatMap(({ mapped = [] }) => mapped))
  const missing = [...(columns?.keys() ?? [])].find((name) => !found.has(name))
  if (missing !== undefined) throw new ToolFailure(`--map ${missing}=...: no CSV file has the column '${missing}'.`)
}

const runImport = async (
  request: Extract<ToolRequest, { readonly tool: "import" }>,
  { opened, settings, store }: ToolGraph,
  context: ToolContext
): Promise<string> => {
  const { files, format } = request
  if (files.length === 0) throw new ToolFailure("import takes the files to import.")
  const giveBack = takeFiles(store, files, context.imports)
  try {
    const inputs: Array<InputFile> = []
    const options = importOptions(request)
    for (const path of files) inputs.push(await inspect(path, format, options, opened?.get(path)))
    refuseUnmapped(options, inputs)
    return await importFiles(store, directoryOf(settings), inputs, options, context)
  } finally {
    giveBack()
  }
}

/** The folder of the graph's files; undefined when it has none. */
export const directoryOf = ({ factory }: GraphSettings): string | undefined =>
  factory.kind === "JanusGraphFactory" ? factory.storage.directory : undefined
