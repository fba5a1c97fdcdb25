import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { errorOf } from "../../scheduling/Pending.ts"
import type { DatasetSettings, GraphSettings, TraversalSourceSettings } from "../../services/Config.ts"
import type { InitializationSettings, InitScriptSettings } from "../../services/Settings.ts"
import { jvmName } from "./ClassNames.ts"
import { type ConfigFolders, inHome, locate } from "./ConfigFolders.ts"
import { propertiesText, unicodeText } from "./ConfigText.ts"
import type { FileSettings } from "./Fields.ts"
import { decodeGraphFile, type OptionOverride } from "./GraphFile.ts"
import type { Environment } from "./Interpolation.ts"
import { SCRIPT_FILES } from "./Legacy.ts"
import { type Report, sourceOf } from "./Report.ts"
import { suggestion } from "./Suggestions.ts"
import type { Path } from "./Tree.ts"

/** The context in which graph files and scripts are read. */
export interface GraphContext {
  /** The configuration file. */
  readonly file: string
  readonly folders: ConfigFolders
  /** The variables to which properties files may refer. */
  readonly environment: Environment
  /** Options of the environment for the default graph, or for that of the configurations if no graph is the default one. */
  readonly optionOverrides: ReadonlyArray<OptionOverride>
  readonly report: Report
}

const read = (path: string, at: Path, report: Report, textOf = unicodeText): string | undefined => {
  try {
    return textOf(readFileSync(path))
  } catch (cause) {
    return report.fail(at, `${path} cannot be read: ${errorOf(cause).message}`)
  }
}

/** Reads and decodes one properties file. */
export const loadGraph = (
  name: string,
  configuration: string,
  at: Path,
  overrides: ReadonlyArray<OptionOverride>,
  { environment, file, folders, report }: GraphContext
): GraphSettings | undefined => {
  const located = locate(folders, file, configuration)
  if ("reason" in located) return report.fail(at, located.reason)
  const text = read(located.found, at, report, propertiesText)
  if (text === undefined) return undefined
  const result = decodeGraphFile(name, { file: located.found, text, overrides, environment }, folders)
  report.problems.push(...result.problems)
  report.notes.push(...result.notes)
  return result.graph
}

/** JanusGraph's name of the graph with the configurations of other graphs. JanusGraph ignores its case, too. */
const CONFIGURATION_GRAPH = "configurationmanagementgraph"

const isConfigurationGraph = (name: string): boolean => name.toLowerCase() === CONFIGURATION_GRAPH

/** The names of the graphs that clients can query. */
const servedNames = (graphs: NonNullable<FileSettings["graphs"]>): ReadonlyArray<string> =>
  Object.keys(graphs).filter((name) => !isConfigurationGraph(name))

/** Reads the file of the graph `ConfigurationManagementGraph`. Undefined without one. */
export const loadConfigurationGraph = (
  graphs: NonNullable<FileSettings["graphs"]>,
  context: GraphContext
): GraphSettings | undefined => {
  const name = Object.keys(graphs).find(isConfigurationGraph)
  if (name === undefined) return undefined
  const overrides = defaultName(graphs) === undefined ? context.optionOverrides : []
  return loadGraph(name, graphs[name]!.configuration, ["graphs", name], overrides, context)
}

/** The graph that clients can query and to which the options of the environment belong; undefined for none. */
const defaultName = (graphs: NonNullable<FileSettings["graphs"]>): string | undefined => {
  const names = servedNames(graphs)
  return names.length === 1 ? names[0] : names.find((name) => name === "graph")
}

/** Warns of options of the environment that no graph takes. */
const warnOfUnused = (graphs: NonNullable<FileSettings["graphs"]>, { optionOverrides, report }: GraphContext): void => {
  if (defaultName(graphs) !== undefined || Object.keys(graphs).some(isConfigurationGraph)) return
  for (const { key, origin } of optionOverrides) {
    const { source } = sourceOf(origin, "")
    const reason = "has no effect: it is an option of the graph named 'graph' or of the only graph, and there is none"
    report.notes.push({ level: "warn", text: `${source}: ${key} ${reason}` })
  }
}

/** Reads the files of `graphs`. All of them are read, so that all problems are reported together. */
export const loadGraphs = (
  graphs: NonNullable<FileSettings["graphs"]>,
  context: GraphContext
): ReadonlyMap<string, GraphSettings> => {
  const loaded = new Map<string, GraphSettings>()
  warnOfUnused(graphs, context)
  for (const name of servedNames(graphs)) {
    const { configuration } = graphs[name]!
    const overrides = name === defaultName(graphs) ? context.optionOverrides : []
    const settings = loadGraph(name, configuration, ["graphs", name], overrides, context)
    if (settings !== undefined) loaded.set(name, settings)
  }
  return loaded
}

/** Reads the initialisation scripts. The start of the server parses and runs them. */
const readInitScripts = (
  engines: NonNullable<FileSettings["scriptEngines"]>,
  { file, folders, report }: GraphContext
): ReadonlyArray<InitScriptSettings> => {
  const found: Array<InitScriptSettings> = []
  for (const [engine, { scripts = [], plugins = {} }] of Object.entries(engines)) {
    const at = ["scriptEngines", engine]
    const files = [...scripts]
    for (const [plugin, config] of Object.entries(plugins)) {
      if (jvmName(plugin) !== SCRIPT_FILES) continue
      if (typeof config !== "object" || config === null || !("files" in config)) continue
      files.push(...[config.files].flat().map(String))
    }
    for (const script of files) {
      const located = locate(folders, file, script)
      if ("reason" in located) {
        report.fail(at, `the initialisation script is missing: ${located.reason}`)
        continue
      }
      const text = read(located.found, at, report)
      if (text !== undefined) found.push({ file: located.found, text })
    }
  }
  return found
}

const DATA_SCRIPT_ENDING = ".groovy"

/** The path that stands for all scripts in the folder `dataScripts`, also for those of the next start; none without the setting. */
export const dataScriptsOf = (
  { dataScripts }: Pick<FileSettings, "dataScripts">,
  folders: ConfigFolders
): ReadonlyArray<string> =>
  dataScripts === undefined ? [] : [join(inHome(folders, dataScripts), `*${DATA_SCRIPT_ENDING}`)]

/** Reads the Groovy scripts of the folder `dataScripts`, in the order of their names. */
const readDataScripts = (
  { dataScripts }: Pick<FileSettings, "dataScripts">,
  { folders, report }: GraphContext
): ReadonlyArray<InitScriptSettings> => {
  if (dataScripts === undefined) return []
  const folder = inHome(folders, dataScripts)
  let names: ReadonlyArray<string> = []
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(DATA_SCRIPT_ENDING))
  } catch (cause) {
    report.fail(["dataScripts"], `the folder ${folder} cannot be read: ${errorOf(cause).message}`)
  }
  return [...names].sort().flatMap((name) => {
    const file = join(folder, name)
    const text = read(file, ["dataScripts"], report)
    return text === undefined ? [] : [{ file, text, isData: true }]
  })
}

const datasetNames = ["modern", "classic", "crew", "sink", "grateful"] as const

/** Reads `lifecycleHooks`. Only TinkerFactoryDataLoader is supported. */
const readHooks = (
  hooks: NonNullable<FileSettings["lifecycleHooks"]>,
  names: ReadonlySet<string>,
  { file, folders, report }: GraphContext
): ReadonlyArray<DatasetSettings> =>
  hooks.flatMap(({ className, config }, index): ReadonlyArray<DatasetSettings> => {
    const at = ["lifecycleHooks", index]
    if (jvmName(className) !== "TinkerFactoryDataLoader") {
      report.fail([...at, "className"], `'${className}' is not known here; TinkerFactoryDataLoader is`)
      return []
    }
    const values: Readonly<Record<string, unknown>> = typeof config === "object" && config !== null ? { ...config } : {}
    const graph = String(values.graph ?? "graph")
    const dataset = datasetNames.find((name) => name === values.dataset)
    const problems = report.problems.length
    for (const key of Object.keys(values).filter((key) => !["graph", "dataset", "file"].includes(key))) {
      report.fail([...at, "config", key], `there is no such setting${suggestion(key, ["graph", "dataset", "file"])}`)
    }
    if (!names.has(graph)) report.fail([...at, "config", "graph"], `there is no graph '${graph}' in graphs`)
    if (dataset === undefined) {
      report.fail([...at, "config", "dataset"], `must be one of ${datasetNames.join(", ")}, not '${values.dataset}'`)
      return []
    }
    const located = values.file === undefined ? undefined : locate(folders, file, String(values.file))
    if (located !== undefined && "reason" in located) report.fail([...at, "config", "file"], located.reason)
    if (dataset === "grateful" && located === undefined) {
      report.fail(
        [...at, "config", "file"],
        "is missing; grateful is read from a file you name (GraphSON, GraphML or Gryo)"
      )
    }
    if (report.problems.length > problems) return []
    return [{ graph, dataset, file: located !== undefined && "found" in located ? located.found : undefined }]
  })

/**
 * The traversal sources: those of the file, and for every other graph a default, as in TinkerPop 4: `g` for the graph `graph`
 * and `g_<name>` for others. Every graph also has the source `<name>_traversal`. Initialisation scripts replace the defaults.
 */
export const decodeSources = (
  decoded: FileSettings,
  context: GraphContext
): {
  readonly traversalSources: ReadonlyArray<TraversalSourceSettings>
  readonly datasets: ReadonlyArray<DatasetSettings>
  readonly initialization: InitializationSettings | undefined
} => {
  const { report } = context
  const graphs = decoded.graphs ?? {}
  const names = new Set(servedNames(graphs))
  const scripts = [...readInitScripts(decoded.scriptEngines ?? {}, context), ...readDataScripts(decoded, context)]
  const sources = new Map<string, TraversalSourceSettings>()
  for (const [graph, { traversalSources = [] }] of Object.entries(graphs)) {
    if (!names.has(graph) && traversalSources.length > 0) {
      report.fail(
        ["graphs", graph, "traversalSources"],
        "clients cannot query the graph with the configurations of graphs"
      )
    }
    for (const [index, { name, gremlinExpression }] of traversalSources.entries()) {
      const before = sources.get(name)
      if (before !== undefined && before.graph !== graph) {
        const reason = `'${name}' is bound to the graph '${before.graph}' already`
        report.fail(["graphs", graph, "traversalSources", index, "name"], reason)
      }
      sources.set(name, { name, graph, expression: gremlinExpression })
    }
  }
  const notCounted = scripts.length === 0 ? "" : " (a source that a script binds does not count)"
  const named = new Set(sources.keys())
  for (const graph of names) {
    const name = graph === "graph" ? "g" : `g_${graph}`
    const isBound = [...sources.values()].some((source) => source.graph === graph)
    if (isBound || sources.has(name)) continue
    if (names.has(name)) {
      const reason = `has the name of the traversal source of the graph '${graph}', whose traversals it would get${notCounted}`
      report.fail(["graphs", name], `${reason}; rename it, or name a source in graphs.${graph}.traversalSources`)
    }
    sources.set(name, { name, graph, expression: undefined })
  }
  for (const graph of names) {
    // As JanusGraph's graph manager names it. It has the strategies of the first source, which may forbid writes.
    const name = `${graph}_traversal`
    const first = [...sources.values()].find((source) => source.graph === graph)
    if (!sources.has(name) && !names.has(name)) sources.set(name, { name, graph, expression: first?.expression })
  }
  const datasets = readHooks(decoded.lifecycleHooks ?? [], names, context)
  const defaultSources = new Set([...sources.keys()].filter((name) => !named.has(name)))
  const initialization = scripts.length === 0 ? undefined : { scripts, defaultSources }
  return { traversalSources: [...sources.values()], datasets, initialization }
}
