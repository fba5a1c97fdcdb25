import { stringify } from "yaml"
import type { GraphSettings, Origin, ServerSettings } from "../../services/Config.ts"
import type { LoadedConfig } from "./ConfigFile.ts"
import { maskedOptions, maskedValue } from "./MaskedSecrets.ts"
import { originAt, type Path, pathKey } from "./Tree.ts"

/** One setting as `show-config` prints it. */
interface ShownSetting {
  readonly setting: string
  readonly value: unknown
  readonly origin: string
}

const describe = (origin: Origin | undefined): string => {
  switch (origin?.kind) {
    case "file":
      return `${origin.file}:${origin.line}`
    case "environment":
      return `environment variable ${origin.variable}`
    case "argument":
      return `argument ${origin.argument}`
    default:
      return "default"
  }
}

const shownGraph = (graph: GraphSettings): ReadonlyArray<ShownSetting> =>
  [...maskedOptions(graph.options)].map(([key, value]) => ({
    setting: pathKey(["graphs", graph.name, key]),
    value,
    origin: describe(graph.origins.get(key))
  }))

/** True for values that are shown as a whole. Blocks are shown setting by setting. */
const isLeaf = (value: unknown): boolean => typeof value !== "object" || value === null || Array.isArray(value)

const shown = (value: unknown, path: Path, loaded: LoadedConfig): ReadonlyArray<ShownSetting> => {
  if (value === undefined) return []
  const masked = maskedValue(String(path.at(-1)), value)
  if (isLeaf(masked)) {
    // Origins exist only for settings that differ from the default. The line of a block is not the origin of settings that
    // it leaves out.
    const origin =
      loaded.origins.get(pathKey(path)) ??
      (Array.isArray(masked) ? listOrigin(path, loaded) : undefined) ??
      processorOrigin(path, loaded)
    return [{ setting: pathKey(path), value: masked, origin: describe(origin) }]
  }
  return Object.entries(masked as Readonly<Record<string, unknown>>).flatMap(([key, child]) =>
    shown(child, [...path, key], loaded)
  )
}

const listOrigin = (path: Path, loaded: LoadedConfig): Origin | undefined =>
  [...loaded.origins].find(([key]) => key.startsWith(`${pathKey(path)}[`))?.[1]

/** In files of Gremlin Server, some settings of the server are settings of a processor. */
const processorOrigin = (path: Path, loaded: LoadedConfig): Origin | undefined =>
  [...loaded.origins].find(([key]) => /^processors\[\d+\]\.config\.(\w+)$/.exec(key)?.[1] === path[0])?.[1]

/** The path of a setting in the file: `authentication.config.*`, and graphs by name. */
const filePath = (setting: string): Path => {
  const path = setting.split(".")
  const inConfig = path[0] === "authentication" && path[1] !== "authenticator" && path[1] !== "authenticationHandler"
  return inConfig ? ["authentication", "config", ...path.slice(1)] : path
}

/** Every setting with its value and origin. Secrets are masked. */
export const showConfig = (loaded: LoadedConfig): ReadonlyArray<ShownSetting> => {
  const {
    authentication,
    graphs,
    traversalSources,
    datasets,
    channelizer,
    initialization,
    methodImports,
    configurationGraph,
    configurationFiles: _files,
    ...rest
  }: ServerSettings = loaded.settings
  const { credentialsDb, ...users } = authentication
  const scalars = Object.entries({ channelizer, ...rest }).flatMap(([key, value]) => shown(value, [key], loaded))
  const trust = Object.entries(users).flatMap(([key, value]) => shown(value, filePath(`authentication.${key}`), loaded))
  const others = [configurationGraph, credentialsDb].filter((graph) => graph !== undefined)
  const files = [...graphs.values(), ...others].flatMap((graph) => {
    const path = graph === credentialsDb ? filePath("authentication.credentialsDb") : ["graphs", graph.name]
    const origin = describe(originAt(loaded.origins, path))
    return [{ setting: pathKey(path), value: graph.file ?? null, origin }, ...shownGraph(graph)]
  })
  const names = traversalSources.map(({ name, graph, expression }) => ({
    setting: pathKey(["traversalSources", name]),
    value: expression === undefined ? graph : `${graph}: ${expression}`,
    origin: describe(originAt(loaded.origins, ["graphs", graph]))
  }))
  const data = datasets.map(({ graph, dataset }) => ({
    setting: pathKey(["datasets", graph]),
    value: dataset,
    origin: describe(originAt(loaded.origins, ["lifecycleHooks"]))
  }))
  const scripts = (initialization?.scripts ?? []).map(({ file, isData }, index) => ({
    setting: pathKey(["initScripts", index]),
    value: file,
    origin: describe(originAt(loaded.origins, [isData === true ? "dataScripts" : "scriptEngines"]))
  }))
  const imports = {
    setting: "methodImports",
    value: methodImports,
    origin: describe(methodImports.length === 0 ? undefined : originAt(loaded.origins, ["scriptEngines"]))
  }
  return [...scalars, ...trust, ...files, ...names, ...data, imports, ...scripts]
}

/** The settings as text. Each line is `setting: value  # origin`. */
export const formatShown = (settings: ReadonlyArray<ShownSetting>): string => {
  const lines = settings.map(({ setting, value, origin }) => {
    const text = stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim()
    return { text: `${setting}: ${text}`, origin }
  })
  const width = Math.min(60, Math.max(...lines.map(({ text }) => text.length)))
  return lines.map(({ text, origin }) => `${text.padEnd(width)}  # ${origin}`).join("\n")
}
