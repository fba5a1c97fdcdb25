import type { ConfigProblem, GraphFactory, GraphSettings, Origin, StorageOptions } from "../../services/Config.ts"
import { cellGraphOptions } from "./CellGraphOptions.ts"
import { canonicalName, isModulePath } from "./ClassNames.ts"
import { janusGraphKeys, janusGraphRoots, memorySchemaKeys, tinkerGraphKeys } from "./GraphKeys.ts"
import { type OptionReader, storageOptions, tinkerGraphOptions } from "./GraphOptions.ts"
import { locate, type Places } from "./Places.ts"
import { parseProperties } from "./PropertiesFile.ts"
import { closest, suggestion } from "./Suggest.ts"

/** A decoded properties file, or what is wrong with it. */
export interface GraphFileResult {
  readonly graph: GraphSettings | undefined
  readonly problems: ReadonlyArray<ConfigProblem>
  /** One line about keys that have no effect here, if there are any. */
  readonly notes: ReadonlyArray<string>
}

/** An option that the environment puts over the file. */
export interface OptionOverride {
  readonly key: string
  readonly value: string
  readonly origin: Origin
}

const factories = ["TinkerGraph", "TinkerTransactionGraph", "JanusGraphFactory"]

/** This server's spelling of a key. */
const canonicalKey = (key: string): string => (key.startsWith("gremlin.") ? `engine.${key.slice(8)}` : key)

const factoryOf = (reader: OptionReader, file: string, places: Places): GraphFactory | undefined => {
  const name = reader.get("engine.graph")?.trim() ?? ""
  if (name === "") {
    const reason = `is missing; set it to a graph factory: ${factories.join(", ")}, or the path of an ES module`
    return reader.fail("engine.graph", reason)
  }
  if (isModulePath(name)) {
    const located = locate(places, file, name)
    if ("reason" in located) return reader.fail("engine.graph", located.reason)
    return { kind: "module", module: located.found }
  }
  const kind = canonicalName(name)
  if (kind === "TinkerGraph" || kind === "TinkerTransactionGraph") {
    return { kind, tinkergraph: tinkerGraphOptions(reader, file, places) }
  }
  if (kind === "JanusGraphFactory") {
    const storage = storageOptions(reader, file, places)
    return storage === undefined ? undefined : { kind, storage, cells: cellGraphOptions(reader, file, places) }
  }
  return reader.fail("engine.graph", `'${name}' is not a graph factory of this server${suggestion(kind, factories)}`)
}

/** Why a TinkerGraph does not take a key. */
const notOfTinkerGraph = (key: string, kind: string): string | undefined => {
  if (tinkerGraphKeys.includes(key)) return undefined
  if (key.startsWith("storage.")) {
    return `a ${kind} has no storage; remove this line, or set engine.graph=JanusGraphFactory`
  }
  return `is not an option of ${kind}${suggestion(key, tinkerGraphKeys)}`
}

/** Why a JanusGraphFactory does not take a key; keys that only have no effect are taken. */
const notOfJanusGraph = (key: string): string | undefined => {
  const [root = "", ...rest] = key.split(".")
  if (janusGraphRoots.has(root) && rest.length > 0) return undefined
  const meant = closest(root, janusGraphRoots)
  return `is not an option of a graph${meant === undefined ? "" : `; did you mean '${[meant, ...rest].join(".")}'?`}`
}

const hasEffect = (key: string, { backend, schema }: StorageOptions): boolean =>
  (schema ? memorySchemaKeys : janusGraphKeys[backend]).some(
    (known) => key === known || (known.endsWith(".") && key.startsWith(known))
  )

/** Why keys have none, where one line would change that. */
const adviceFor = (keys: ReadonlyArray<string>, factory: GraphFactory | undefined): string => {
  if (factory?.kind !== "JanusGraphFactory" || factory.storage.backend !== "inmemory" || factory.storage.schema)
    return ""
  const isOfSchema = keys.some((key) => memorySchemaKeys.includes(key))
  return isOfSchema ? "; a graph in memory has a schema and such options with storage.memory.schema=true" : ""
}

/** Decodes the text of a properties file; `name` is the graph's key in `graphs`. */
export const decodeGraphFile = (
  name: string,
  file: string,
  text: string,
  overrides: ReadonlyArray<OptionOverride>,
  places: Places
): GraphFileResult => {
  const options = new Map<string, string>()
  const origins = new Map<string, Origin>()
  const problems: Array<ConfigProblem> = []

  for (const { key, value, line } of parseProperties(text)) {
    const canonical = canonicalKey(key)
    const before = options.get(canonical)
    options.set(canonical, before === undefined ? value : `${before},${value}`)
    origins.set(canonical, { kind: "file", file, line })
  }
  for (const { key, value, origin } of overrides) {
    options.set(canonicalKey(key), value)
    origins.set(canonicalKey(key), origin)
  }

  const fail = (key: string, reason: string): undefined => {
    const origin = origins.get(key)
    const source = origin?.kind === "environment" ? `environment variable ${origin.variable}` : file
    problems.push({ source, line: origin?.kind === "file" ? origin.line : undefined, setting: key, reason })
  }
  const oneOf: OptionReader["oneOf"] = (key, words, otherwise) => {
    const value = options.get(key)
    if (value === undefined) return otherwise
    // TinkerGraph takes the constant's name with its class too.
    const given = value.slice(value.lastIndexOf(".") + 1).toLowerCase()
    const word = words.find((word) => word.toLowerCase() === given)
    if (word === undefined) fail(key, `must be one of ${words.join(", ")}, not '${value}'`)
    return word ?? otherwise
  }
  const reader: OptionReader = {
    get: (key) => options.get(key),
    fail,
    oneOf,
    flag: (key, otherwise) => oneOf(key, ["true", "false"], otherwise ? "true" : "false") === "true"
  }

  const factory = factoryOf(reader, file, places)
  const withoutEffect: Array<string> = []
  for (const key of options.keys()) {
    if (factory === undefined || factory.kind === "module") break
    const storage = factory.kind === "JanusGraphFactory" ? factory.storage : undefined
    const reason = storage === undefined ? notOfTinkerGraph(key, factory.kind) : notOfJanusGraph(key)
    if (reason !== undefined) fail(key, reason)
    else if (storage !== undefined && !hasEffect(key, storage)) withoutEffect.push(key)
  }

  const list = `${file}: options without effect here: ${withoutEffect.join(", ")}${adviceFor(withoutEffect, factory)}`
  const notes = withoutEffect.length === 0 ? [] : [list]
  const graph = factory === undefined || problems.length > 0 ? undefined : { name, file, factory, options, origins }
  return { graph, problems, notes }
}
