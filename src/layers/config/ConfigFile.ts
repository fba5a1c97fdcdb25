import { readFileSync } from "node:fs"
import { join, relative, resolve, sep } from "node:path"
import * as Effect from "effect/Effect"
import { ConfigInvalid, type ConfigProblem, type Origin, type ServerSettings } from "../../services/Config.ts"
import type { ConfigFolders } from "./ConfigFolders.ts"
import { unicodeText } from "./ConfigText.ts"
import { decodeTree, settingsBelow } from "./FileDecoder.ts"
import type { Environment } from "./Interpolation.ts"
import { canonicalPath, withCanonicalNames, withoutEffectNote } from "./Legacy.ts"
import { nearFilesText } from "./NearFiles.ts"
import { applyOverrides, type Override, optionOverridesFromEnvironment, overridesFromEnvironment } from "./Overrides.ts"
import { makeReport, type Note } from "./Report.ts"
import { resolveSettings } from "./SettingsResolver.ts"
import { isMap, type Sourced, type Tree, valueAt } from "./Tree.ts"
import { parseYaml } from "./YamlFile.ts"

/** The sources of a configuration. */
export interface ConfigRequest {
  /** Absolute path of the YAML file. */
  readonly file: string
  readonly folders: ConfigFolders
  /** Usually process.env. */
  readonly environment: Environment
  /** Changes from the command line. They override the file and the environment. */
  readonly overrides: ReadonlyArray<Override>
}

/** A valid configuration, with notes for the log. */
export interface LoadedConfig {
  readonly file: string
  readonly settings: ServerSettings
  /** Origins of the settings that differ from their default, by dotted path. */
  readonly origins: ReadonlyMap<string, Origin>
  readonly notes: ReadonlyArray<Note>
}

/** Expands `graphs: {name: file}` to `graphs: {name: {configuration: file}}`. */
const withLongGraphs = (tree: Tree): Tree => {
  if (!isMap(tree) || !isMap(tree.graphs)) return tree
  const graphs = Object.entries(tree.graphs).map(
    ([name, graph]) => [name, isMap(graph) ? graph : { configuration: graph }] as const
  )
  return { ...tree, graphs: Object.fromEntries(graphs) }
}

/** Says that the command line, which is that of the launcher mostly, replaces the log file of the configuration. */
const logFileNote = (configured: Tree, overrides: ReadonlyArray<Override>, home: string): string | undefined => {
  // The last one holds.
  const override = overrides.findLast(({ path }) => path.join(".") === "logging.file")
  const file = valueAt(configured, ["logging", "file"])
  if (override === undefined || typeof file !== "string") return undefined
  const { origin, value } = override
  const argument = origin.kind === "argument" ? origin.argument : "the command line"
  if (typeof value !== "string")
    return `logging.file (${file}) has no effect: ${argument} sends the log to standard output`
  if (resolve(home, file) === resolve(home, value)) return undefined
  return `logging.file (${file}) has no effect: ${argument.replace(/^(--log-file) .*$/s, "$1")} is ${value}`
}

const byPlace = (a: ConfigProblem, b: ConfigProblem): number =>
  a.source === b.source ? (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER) : 0

/** True for a problem that follows from another one: a part of the block was left out because it is wrong. */
const isConsequence = (problem: ConfigProblem, blocks: ReadonlyArray<string>): boolean => {
  const [block = ""] = problem.setting.split(/[.[]/)
  return blocks.includes(block) && (block !== "graphs" || problem.setting === "graphs")
}

/** Suggests similar files. A relative path of the command line was resolved against the working directory before. */
const nearConfigurations = (file: string, { configurations, cwd, home }: ConfigFolders): string => {
  const own = configurations ?? join(home, "conf")
  const path = file.startsWith(`${cwd}${sep}`) ? relative(cwd, file) : file
  return nearFilesText(path, [cwd, home, own, join(own, "engine-server")])
}

const load = ({ file, folders, environment, overrides }: ConfigRequest): LoadedConfig | ConfigInvalid => {
  const unread = (cause: unknown): string => {
    const { code, message } = cause as NodeJS.ErrnoException
    return code === "ENOENT"
      ? `there is no such file${nearConfigurations(file, folders)}`
      : `cannot be read: ${message}`
  }
  let text: string
  try {
    text = unicodeText(readFileSync(file))
  } catch (cause) {
    return new ConfigInvalid({ problems: [{ source: file, line: undefined, setting: "", reason: unread(cause) }] })
  }
  const yaml = parseYaml(file, text)
  if (yaml.problems.length > 0) return new ConfigInvalid({ problems: yaml.problems })

  const named = withCanonicalNames(yaml, file)
  const fromEnvironment = overridesFromEnvironment(environment)
  // An override may name a part of a graph, or only its file.
  const long = { ...named, tree: withLongGraphs(named.tree) }
  const configured = applyOverrides(long, fromEnvironment.overrides, canonicalPath, settingsBelow)
  const applied: Sourced = applyOverrides(configured, overrides, canonicalPath, settingsBelow)
  const report = makeReport(file, applied)
  report.problems.push(...named.problems, ...fromEnvironment.problems)

  const ignored = withoutEffectNote(applied.tree)
  if (ignored !== undefined) report.notes.push({ level: "info", text: ignored })

  const logFile = logFileNote(configured.tree, overrides, folders.home)
  if (logFile !== undefined) report.notes.push({ level: "info", text: logFile })

  const { settings: decoded, wrong } = decodeTree(withLongGraphs(applied.tree), report)
  const resolving = makeReport(file, applied)
  const optionOverrides = optionOverridesFromEnvironment(environment)
  const context = { file, folders, environment, optionOverrides, report: resolving }
  const settings = resolveSettings(decoded, context)
  const blocks = wrong.map((path) => String(path[0]))
  report.problems.push(...resolving.problems.filter((problem) => !isConsequence(problem, blocks)))
  report.notes.push(...resolving.notes)
  if (report.problems.length > 0) return new ConfigInvalid({ problems: report.problems.toSorted(byPlace) })
  return { file, settings, origins: applied.origins, notes: report.notes }
}

/**
 * Reads a YAML file and the files that it names, applies the environment and the command line, and checks the result. All
 * problems are reported together. The files are small and read once at the start, so they are read synchronously.
 */
export const loadConfig = (request: ConfigRequest): Effect.Effect<LoadedConfig, ConfigInvalid> =>
  Effect.suspend(() => {
    const result = load(request)
    return result instanceof ConfigInvalid ? Effect.fail(result) : Effect.succeed(result)
  })
