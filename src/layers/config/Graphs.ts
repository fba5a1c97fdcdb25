import { readFileSync } from "node:fs"
import { errorOf } from "../../scheduling/Pending.ts"
import type { DatasetSettings, GraphSettings, TraversalSourceSettings } from "../../services/Config.ts"
import { simpleName } from "./ClassNames.ts"
import type { FileSettings } from "./Fields.ts"
import { decodeGraphFile, type OptionOverride } from "./GraphFile.ts"
import { readInitScript } from "./InitScript.ts"
import { SCRIPT_FILES } from "./Legacy.ts"
import { locate, type Places } from "./Places.ts"
import type { Report } from "./Report.ts"
import { suggestion } from "./Suggestions.ts"
import type { Path } from "./Tree.ts"

/** The context in which graph files and scripts are read. */
export interface GraphContext {
  /** The configuration file. */
  readonly file: string
  readonly places: Places
  /** Options of the environment for the default graph. */
  readonly optionOverrides: ReadonlyArray<OptionOverride>
  readonly report: Report
}

const read = (path: string, at: Path, report: Report): string | undefined => {
  try {
    return readFileSync(path, "utf8")
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
  { file, places, report }: GraphContext
): GraphSettings | undefined => {
  const located = locate(places, file, configuration)
  if ("reason" in located) return report.fail(at, located.reason)
  const text = read(located.found, at, report)
  if (text === undefined) return undefined
  const result = decodeGraphFile(name, located.found, text, overrides, places)
  report.problems.push(...result.problems)
  report.notes.push(...result.notes)
  return result.graph
}

/** Reads the files of `graphs`. All of them are read, so that all problems are reported together. */
export const loadGraphs = (
  graphs: NonNullable<FileSettings["graphs"]>,
  context: GraphContext
): ReadonlyMap<string, GraphSettings> => {
  const loaded = new Map<string, GraphSettings>()
  const names = Object.keys(graphs)
  for (const [name, { configuration }] of Object.entries(graphs)) {
    const isDefault = name === "graph" || names.length === 1
    const overrides = isDefault ? context.optionOverrides : []
    const settings = loadGraph(name, configuration, ["graphs", name], overrides, context)
    if (settings !== undefined) loaded.set(name, settings)
  }
  return loaded
}

/** The sources and data sets of initialisation scripts. Statements of other forms are reported and not run. */
const readInitScripts = (
  engines: NonNullable<FileSettings["scriptEngines"]>,
  names: ReadonlySet<string>,
  { file, places, report }: GraphContext
) => {
  const sources: Array<TraversalSourceSettings> = []
  const datasets: Array<Pick<DatasetSettings, "graph" | "dataset">> = []
  for (const [engine, { scripts = [], plugins = {} }] of Object.entries(engines)) {
    const at = ["scriptEngines", engine]
    const files = [...scripts]
    for (const [plugin, config] of Object.entries(plugins)) {
      if (simpleName(plugin) !== SCRIPT_FILES) continue
      if (typeof config !== "object" || config === null || !("files" in config)) continue
      files.push(...[config.files].flat().map(String))
    }
    for (const script of files) {
      const located = locate(places, file, script)
      if ("reason" in located) {
        report.fail(at, `the initialisation script is missing: ${located.reason}`)
        continue
      }
      const text = read(located.found, at, report)
      if (text === undefined) continue
      const found = readInitScript(text, names)
      sources.push(...found.sources)
      datasets.push(...found.datasets)
      if (found.functions.length > 0) {
        const text = `${located.found}: clients cannot call ${found.functions.join(", ")}; this server runs no Groovy`
        report.notes.push({ level: "info", text })
      }
      if (found.notRun.length > 0) {
        const lines = found.notRun.slice(0, 3).map(({ line, text }) => `line ${line} '${text}'`)
        if (found.notRun.length > 3) lines.push(`and ${found.notRun.length - 3} more statements`)
        const text = `${located.found}: not run, as this server runs no Groovy: ${lines.join(", ")}`
        report.notes.push({ level: "warn", text })
      }
    }
  }
  return { sources, datasets }
}

const datasetNames = ["modern", "classic", "crew", "sink", "grateful"] as const

/** Reads `lifecycleHooks`. Only TinkerFactoryDataLoader is supported. */
const readHooks = (
  hooks: NonNullable<FileSettings["lifecycleHooks"]>,
  names: ReadonlySet<string>,
  { file, places, report }: GraphContext
): ReadonlyArray<DatasetSettings> =>
  hooks.flatMap(({ className, config }, index): ReadonlyArray<DatasetSettings> => {
    const at = ["lifecycleHooks", index]
    if (simpleName(className) !== "TinkerFactoryDataLoader") {
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
    const located = values.file === undefined ? undefined : locate(places, file, String(values.file))
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
 * The traversal sources: those of the file, those of initialisation scripts, and for every other graph a default, as in
 * TinkerPop 4: `g` for the graph `graph` and `g_<name>` for others.
 */
export const decodeSources = (
  decoded: FileSettings,
  context: GraphContext
): {
  readonly traversalSources: ReadonlyArray<TraversalSourceSettings>
  readonly datasets: ReadonlyArray<DatasetSettings>
} => {
  const { report } = context
  const graphs = decoded.graphs ?? {}
  const names = new Set(Object.keys(graphs))
  const scripts = readInitScripts(decoded.scriptEngines ?? {}, names, context)
  const sources = new Map<string, TraversalSourceSettings>()
  for (const source of scripts.sources) sources.set(source.name, source)

  for (const [graph, { traversalSources = [] }] of Object.entries(graphs)) {
    for (const [index, { name, gremlinExpression }] of traversalSources.entries()) {
      const before = sources.get(name)
      if (before !== undefined && before.graph !== graph) {
        const reason = `'${name}' is bound to the graph '${before.graph}' already`
        report.fail(["graphs", graph, "traversalSources", index, "name"], reason)
      }
      sources.set(name, { name, graph, expression: gremlinExpression })
    }
  }
  for (const graph of names) {
    const name = graph === "graph" ? "g" : `g_${graph}`
    const isBound = [...sources.values()].some((source) => source.graph === graph)
    if (!isBound && !sources.has(name) && !names.has(name)) sources.set(name, { name, graph, expression: undefined })
  }

  const fromScripts = scripts.datasets.flatMap(({ graph, dataset }): ReadonlyArray<DatasetSettings> => {
    if (dataset !== "grateful") return [{ graph, dataset, file: undefined }]
    const text = `The graph '${graph}' stays empty: name the file of the grateful data set in lifecycleHooks`
    report.notes.push({ level: "warn", text })
    return []
  })
  const datasets = [...fromScripts, ...readHooks(decoded.lifecycleHooks ?? [], names, context)]
  return { traversalSources: [...sources.values()], datasets }
}
