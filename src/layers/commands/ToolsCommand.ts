import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import type { ServerSettings } from "../../services/Config.ts"
import type { GraphSettings } from "../../services/GraphSettings.ts"
import { existingGraph } from "../graphs/ExistingGraph.ts"
import { scopedGraph } from "../graphs/GraphStores.ts"
import { restoreGraph } from "../tools/Backup.ts"
import type { GraphsRequest } from "../tools/GraphsTool.ts"
import type { FileFormat } from "../tools/InputFiles.ts"
import { type ProgressOutput, progressView } from "../tools/ProgressView.ts"
import { type Report, ToolFailure } from "../tools/Report.ts"
import { chosenGraph, directoryOf, type ToolRequest } from "../tools/ToolRequests.ts"
import { performing, type ToolLine, waitingForEnd } from "../tools/ToolService.ts"
import { inMemory } from "../tools/Verification.ts"
import type { ToolName } from "./CommandOptions.ts"
import { converse } from "./ControlClient.ts"
import { afterStop } from "./StoppedImport.ts"

/** Why a command failed, for its user. */
export interface ToolProblem {
  readonly _tag: string
  readonly message: string
}

/** The words and options of a command, and its dependencies. */
export interface ToolsCommand {
  readonly tool: ToolName
  /** The words after the command. */
  readonly words: ReadonlyArray<string>
  readonly graph: string | undefined
  readonly format: string | undefined
  readonly label: string | undefined
  readonly vertexLabel: string | undefined
  readonly edgeLabel: string | undefined
  readonly delimiter: string | undefined
  /** `old=new` or `old=new:type`. */
  readonly map: ReadonlyArray<string>
  readonly idProperty: string | undefined
  readonly upsert: boolean
  readonly again: boolean
  readonly gzip: boolean
  readonly repair: boolean
  readonly removeExpired: boolean
  readonly cwd: string
  /** Absolute path of the control socket of a running server. Undefined: this process opens the graph. */
  readonly socket: string | undefined
  readonly progress: ProgressOutput
  /** Called with the text to print as soon as the work in this process is complete, also if a signal has come meanwhile. */
  readonly completed: (text: string) => void
  readonly settings: Effect.Effect<ServerSettings, { readonly _tag: string; readonly message: string }>
}

const formats: ReadonlyArray<string> = ["csv", "graphson", "graphml"] satisfies ReadonlyArray<FileFormat>

/** The options of an import that were given. */
const importOptions = (command: ToolsCommand): Partial<Extract<ToolRequest, { readonly tool: "import" }>> => {
  const { delimiter, edgeLabel, idProperty, label, map, upsert, vertexLabel } = command
  const columns = columnsOf(map)
  return {
    ...(label === undefined ? {} : { label }),
    ...(vertexLabel === undefined ? {} : { vertexLabel }),
    ...(edgeLabel === undefined ? {} : { edgeLabel }),
    ...(delimiter === undefined ? {} : { delimiter: delimiter === "\\t" || delimiter === "tab" ? "\t" : delimiter }),
    ...(columns === undefined ? {} : { columns }),
    ...(idProperty === undefined ? {} : { idProperty }),
    ...(upsert ? { upsert } : {})
  }
}

/** Reads the options `--map old=new:type`. */
const columnsOf = (map: ReadonlyArray<string>): Readonly<Record<string, string>> | undefined => {
  if (map.length === 0) return undefined
  const columns = new Map<string, string>()
  for (const text of map) {
    const at = text.indexOf("=")
    const [old, column] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    if (at < 1 || old === "" || column === "")
      throw new ToolFailure(`--map ${text}: expected <old>=<new> or <old>=<new>:<type>.`)
    if (columns.has(old)) throw new ToolFailure(`--map names the column '${old}' twice.`)
    columns.set(old, column)
  }
  return Object.fromEntries(columns)
}

const requestOf = (command: ToolsCommand): ToolRequest => {
  const { again, cwd, format, graph, gzip, tool, words } = command
  const named = graph === undefined ? {} : { graph }
  const paths = words.map((word) => resolve(cwd, word))
  const one = (what: string): string => {
    if (paths.length === 1) return paths[0]!
    throw new ToolFailure(`${tool} takes ${what}`)
  }
  const none = (): void => {
    if (words.length > 0) throw new ToolFailure(`${tool} takes no files, not '${words.join(" ")}'`)
  }
  if (tool === "stats") {
    none()
    if (format !== undefined && format !== "text" && format !== "json") {
      throw new ToolFailure(`--format of stats must be text or json, not ${format}`)
    }
    return { tool, ...named, json: format === "json" }
  }
  if (format !== undefined && !formats.includes(format)) {
    throw new ToolFailure(`--format of ${tool} must be ${formats.join(", ")}, not ${format}`)
  }
  const given = format === undefined ? {} : { format: format as FileFormat }
  switch (tool) {
    case "import":
      if (paths.length === 0) throw new ToolFailure("import takes the files to import")
      return {
        tool,
        ...named,
        files: paths,
        ...given,
        ...importOptions(command),
        ...(again ? { again } : {})
      }
    case "export":
      return {
        tool,
        ...named,
        target: one("the file, or for CSV the folder, to write"),
        ...given,
        ...(gzip ? { gzip } : {})
      }
    case "backup":
      return { tool, ...named, target: one("the file to write") }
    case "restore":
      return { tool, ...named, source: one("the file that backup wrote") }
    case "verify":
      none()
      return { tool, ...named, repair: command.repair, ...(command.removeExpired ? { removeExpired: true } : {}) }
  }
}

/** Sends the request to a running server, and reports its progress. */
export const remote = (
  socket: string,
  request: ToolRequest | GraphsRequest,
  report: Report
): Effect.Effect<string, ToolFailure> =>
  Effect.gen(function* () {
    let last: ToolLine | undefined
    yield* converse(socket, `tool ${JSON.stringify(request)}`, (text) => {
      const line = JSON.parse(text) as ToolLine
      if ("progress" in line) report(line.progress)
      else last = line
    }).pipe(Effect.mapError(({ message }) => new ToolFailure(message)))
    if (last === undefined || "progress" in last) {
      return yield* Effect.fail(
        new ToolFailure(
          `The server closed the connection before the command ended. The log of the server says why.${afterStop(request.tool)}`
        )
      )
    }
    return "result" in last ? last.result : yield* Effect.fail(new ToolFailure(last.failure))
  })

/** Settings that allow full scans. */
const unlimited = (settings: GraphSettings): GraphSettings => {
  const { factory } = settings
  if (factory.kind !== "JanusGraphFactory" || factory.cells === undefined) return settings
  return { ...settings, factory: { ...factory, cells: { ...factory.cells, forceIndex: false } } }
}

/** What work in this process tells: its progress, and its result. */
interface Told {
  readonly report: Report
  readonly completed: (text: string) => void
}

const local = (settings: ServerSettings, request: ToolRequest, told: Told): Effect.Effect<string, ToolProblem> =>
  Effect.scoped(
    Effect.gen(function* () {
      const name = yield* Effect.try({
        try: () => chosenGraph(request.graph, [...settings.graphs.keys()]),
        catch: (error) => error as ToolFailure
      })
      const graph = unlimited(settings.graphs.get(name)!)
      const { completed, report } = told
      if (request.tool === "restore") return yield* restoring(request.source, graph, told)
      // Of a graph that does not exist, verify would find nothing wrong, and a backup would be empty.
      const store = yield* scopedGraph(request.tool === "import" ? graph : existingGraph(graph))
      if (!store.features.persistent) {
        if (request.tool === "verify") return yield* Effect.fail(inMemory(name))
        return yield* Effect.fail(
          new ToolFailure(
            `The graph '${name}' is in the memory of the running server. Name its socket with --control-socket.`
          )
        )
      }
      return yield* performing(request, { store, settings: graph }, { report, shared: false }, completed)
    })
  )

/** Restores a backup into the folder of a graph, without opening the graph. */
const restoring = (
  source: string,
  settings: GraphSettings,
  { completed, report }: Told
): Effect.Effect<string, ToolProblem> => {
  const directory = directoryOf(settings)
  if (directory === undefined) {
    return Effect.fail(
      new ToolFailure(
        `The graph '${settings.name}' has no storage.directory to restore into: name one in its properties file.`
      )
    )
  }
  return waitingForEnd(
    async (signal) => {
      const { openLmdbStore } = await import("../../storage/lmdb/OpenLmdbStore.ts")
      const open = (folder: string) => openLmdbStore({ directory: folder, sync: "durable", readOnly: false, signal })
      return restoreGraph(source, directory, open, { report, signal, shared: false })
    },
    (error) => Effect.fail(new ToolFailure(String(error))),
    completed
  )
}

/** Runs a command on a graph. Returns the text to print. */
export const runTool = (command: ToolsCommand): Effect.Effect<string, ToolProblem> =>
  Effect.gen(function* () {
    const request = yield* Effect.try({ try: () => requestOf(command), catch: (error) => error as ToolFailure })
    const view = progressView(command.progress)
    const told = { report: view.report, completed: (text: string) => command.completed(asLines(text)) }
    const work =
      command.socket === undefined
        ? Effect.flatMap(command.settings, (settings) => local(settings, request, told))
        : remote(command.socket, request, view.report)
    return yield* Effect.ensuring(work, Effect.sync(view.end))
  }).pipe(Effect.map(asLines))

const asLines = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`)
