import type { ConfigProblem, GraphFactory, GraphSettings, Origin, StorageOptions } from "../../services/Config.ts"
import { cellGraphOptions } from "./CellGraphOptions.ts"
import { canonicalName, isModulePath } from "./ClassNames.ts"
import { type ConfigFolders, locate } from "./ConfigFolders.ts"
import { cqlGraphOptions } from "./CqlGraphOptions.ts"
import { janusGraphKeys, memorySchemaKeys, tinkerGraphKeys } from "./GraphKeys.ts"
import { storageOptions, tinkerGraphOptions } from "./GraphOptions.ts"
import { type Environment, interpolated } from "./Interpolation.ts"
import { isOption, meantOption } from "./JanusGraphOptions.ts"
import { isSecret } from "./MaskedSecrets.ts"
import { lackingOptions } from "./NeededOptions.ts"
import { differenceOf } from "./OptionDifferences.ts"
import { type OptionReader, optionReader } from "./OptionReader.ts"
import { parseProperties } from "./PropertiesFile.ts"
import { type Note, sourceOf } from "./Report.ts"
import { isSearchEngineOption } from "./SearchEngineOptions.ts"
import { isCassandra } from "./StorageBackends.ts"
import { suggestion } from "./Suggestions.ts"

/** A decoded properties file, or its problems. */
interface GraphFileResult {
  readonly graph: GraphSettings | undefined
  readonly problems: ReadonlyArray<ConfigProblem>
  /** Notes: one lists the keys without effect; each key whose absence changes the behaviour of the graph has a warning. */
  readonly notes: ReadonlyArray<Note>
}

/** An option of the environment, which takes precedence over the file. */
export interface OptionOverride {
  readonly key: string
  readonly value: string
  readonly origin: Origin
  /** The option applies only to a graph in Cassandra. */
  readonly isForCassandra?: true
}

const factories = ["TinkerGraph", "TinkerTransactionGraph", "JanusGraphFactory"]

/** The name of a key in this server. */
const canonicalKey = (key: string): string => (key.startsWith("gremlin.") ? `engine.${key.slice(8)}` : key)

const factoryOf = (reader: OptionReader, file: string, folders: ConfigFolders): GraphFactory | undefined => {
  const name = reader.get("engine.graph")?.trim() ?? ""
  if (name === "") {
    const reason = `is missing; set it to a graph factory: ${factories.join(", ")}, or the path of an ES module`
    return reader.fail("engine.graph", reason)
  }
  if (isModulePath(name)) {
    const located = locate(folders, file, name)
    if ("reason" in located) return reader.fail("engine.graph", located.reason)
    return { kind: "module", module: located.found }
  }
  const kind = canonicalName(name)
  if (kind === "TinkerGraph" || kind === "TinkerTransactionGraph") {
    return { kind, tinkergraph: tinkerGraphOptions(reader, file, folders) }
  }
  if (kind === "JanusGraphFactory") {
    const storage = storageOptions(reader, file, folders)
    return storage === undefined ? undefined : { kind, storage, cells: cellGraphOptions(reader, file, folders) }
  }
  return reader.fail("engine.graph", `'${name}' is not a graph factory of this server${suggestion(kind, factories)}`)
}

/** Why a key is not an option of TinkerGraph; undefined when it is one. */
const notOfTinkerGraph = (key: string, kind: string): string | undefined => {
  if (tinkerGraphKeys.includes(key)) return undefined
  if (key.startsWith("storage.")) {
    return `a ${kind} has no storage; remove this line, or set engine.graph=JanusGraphFactory`
  }
  return `is not an option of ${kind}${suggestion(key, tinkerGraphKeys)}`
}

/** Why JanusGraphFactory does not have a key or its value; undefined when it has them, even without effect here. */
const notOfJanusGraph = (key: string, value: string, isCql: boolean): string | undefined => {
  if (key === "tx.log-tx" && !isCql && !/^\s*false\s*$/i.test(value)) {
    return (
      "JanusGraph's transaction recovery reads this log from a keyspace of Cassandra; here a commit is written as a whole or not at " +
      "all, so remove the line, or set storage.backend=cql"
    )
  }
  if (isOption(key)) return undefined
  const meant = meantOption(key)
  return `is not an option of a graph${meant === undefined ? "" : `; did you mean '${meant}'?`}`
}

const hasEffect = (key: string, { backend, schema }: StorageOptions): boolean =>
  (schema ? memorySchemaKeys : janusGraphKeys[backend]).includes(key)

/** Options with list values: several lines of a key add to the list. */
const lists: ReadonlySet<string> = new Set([
  "engine.tinkergraph.edgeIndices",
  "engine.tinkergraph.service",
  "engine.tinkergraph.vertexIndices",
  "storage.hostname",
  ...cqlGraphOptions.filter(({ isList }) => isList).map(({ key }) => key)
])

/** Options for which an empty value would be read as another value, such as the working directory. */
const needValue: ReadonlyArray<string> = [
  "engine.tinkergraph.graphLocation",
  "storage.cql.keyspace",
  "storage.directory"
]

/** The options of a properties file and of the environment. */
interface GraphOptions {
  readonly values: ReadonlyMap<string, string>
  readonly origins: ReadonlyMap<string, Origin>
  /** Keys without list values that occur twice, with the line of the first. */
  readonly repeated: ReadonlyMap<string, number>
  /** Values that refer to something that is not there, by key. */
  readonly unresolved: ReadonlyMap<string, string>
  /** Options of the environment that do not apply to the graph. */
  readonly unused: ReadonlyArray<OptionOverride>
}

/** A properties file, and what takes precedence over it. */
interface GraphFileSource {
  readonly file: string
  readonly text: string
  readonly overrides: ReadonlyArray<OptionOverride>
  /** The variables to which the file may refer; undefined for a file of a client. */
  readonly environment: Environment | undefined
}

const readOptions = ({ environment, file, overrides, text }: GraphFileSource): GraphOptions => {
  const values = new Map<string, string>()
  const origins = new Map<string, Origin>()
  const repeated = new Map<string, number>()
  for (const { key, value, line } of parseProperties(text)) {
    const canonical = canonicalKey(key)
    const before = values.get(canonical)
    const origin = origins.get(canonical)
    if (origin?.kind === "file" && !lists.has(canonical)) repeated.set(canonical, origin.line)
    values.set(canonical, before === undefined ? value : `${before},${value}`)
    origins.set(canonical, { kind: "file", file, line })
  }
  const written = new Map(values)
  const option = (key: string): string | undefined => written.get(canonicalKey(key))
  const apply = ({ key, origin, value }: OptionOverride): void => {
    const canonical = canonicalKey(key)
    written.set(canonical, value)
    origins.set(canonical, origin)
    repeated.delete(canonical)
  }
  const general = overrides.filter(({ isForCassandra }) => isForCassandra !== true)
  for (const override of general) apply(override)
  const backend = interpolated(option("storage.backend") ?? "", { environment, option })
  const forCassandra = overrides.filter((override) => !general.includes(override))
  const isUsed = "text" in backend && isCassandra(backend.text)
  for (const override of isUsed ? forCassandra : []) {
    if (!general.some(({ key }) => canonicalKey(key) === canonicalKey(override.key))) apply(override)
  }
  // The values refer to what is in effect, not to what the file says where the environment overrides it. What a client gives is taken as
  // it is: its references could make a text that fills the memory.
  const literal = new Set(environment === undefined ? overrides.map(({ key }) => canonicalKey(key)) : [])
  const unresolved = new Map<string, string>()
  for (const [key, value] of written) {
    if (literal.has(key)) {
      values.set(key, value)
      continue
    }
    const result = interpolated(value, { environment, option })
    values.set(key, "text" in result ? result.text : value)
    if ("text" in result) continue
    const isOfFile = origins.get(key)?.kind === "file"
    unresolved.set(key, isOfFile ? result.reason : ofVariable(key, result.reason))
  }
  const unused = isUsed ? [] : forCassandra
  return { values, origins, repeated, unresolved, unused }
}

/** The reason of a reference in a variable that leads nowhere. A password may have the form of one: no message shows a part of it. */
const ofVariable = (key: string, reason: string): string =>
  isSecret(key)
    ? "the value of the variable has a reference, in braces after $, that leads nowhere. Write $$ for a $ that begins no reference"
    : `the value of the variable ${reason.replace("of this file", "of the graph")}`

/** Reports keys that a factory does not have, even when the factory could not be made because of one of them. */
const checkKeys = ({ repeated, values }: GraphOptions, kind: string, fail: OptionReader["fail"]): void => {
  const isCql = isCassandra(values.get("storage.backend"))
  for (const [key, value] of values) {
    const reason = kind === "JanusGraphFactory" ? notOfJanusGraph(key, value, isCql) : notOfTinkerGraph(key, kind)
    const first = repeated.get(key)
    if (reason !== undefined) fail(key, reason)
    else if (first !== undefined) fail(key, `is given twice, first on line ${first}; keep one of the two`)
    else if (value === "" && needValue.includes(key)) fail(key, "is empty; give it a value, or remove the line")
  }
}

/** Notes about options of JanusGraph without effect on the backend of the graph. */
const notesOf = (
  file: string,
  { origins, values }: GraphOptions,
  { cells, storage }: Extract<GraphFactory, { kind: "JanusGraphFactory" }>
): ReadonlyArray<Note> => {
  const backends = (cells?.searchEngines ?? []).map(({ backend }) => backend)
  const without: Array<string> = []
  const warnings: Array<Note> = []
  const warn = (key: string, text: string): void => {
    const { line, source } = sourceOf(origins.get(key), file)
    warnings.push({ level: "warn", text: `${line === undefined ? source : `${source}:${line}`}: ${key} ${text}` })
  }
  for (const [key, value] of values) {
    if (hasEffect(key, storage) || isSearchEngineOption(key, backends) || !isOption(key)) continue
    const instead = differenceOf(key, value, storage)
    if (instead === undefined) without.push(key)
    else warn(key, `has no effect here: ${instead}`)
  }
  for (const { key, needed, otherwise } of lackingOptions(values))
    warn(key, `has no effect without ${needed}: ${otherwise}`)
  if (without.length === 0) return warnings
  const list = `${file}: options without effect here: ${without.join(", ")}`
  return [{ level: "info", text: list }, ...warnings]
}

/** Decodes the text of a properties file. `name` is the name of the graph in `graphs`. */
export const decodeGraphFile = (name: string, source: GraphFileSource, folders: ConfigFolders): GraphFileResult => {
  const { file } = source
  const given = readOptions(source)
  const { origins, values: options } = given
  const problems: Array<ConfigProblem> = []
  const fail = (key: string, reason: string): undefined => {
    problems.push({ ...sourceOf(origins.get(key), file), setting: key, reason })
  }
  for (const [key, reason] of given.unresolved) fail(key, reason)
  if (problems.length > 0) return { graph: undefined, problems, notes: [] }
  const factory = factoryOf(optionReader(options, fail), file, folders)
  const kind = factory?.kind ?? canonicalName(options.get("engine.graph")?.trim() ?? "")
  if (factories.includes(kind)) checkKeys(given, kind, fail)
  const unused = given.unused.map(({ origin }): Note => {
    const { source } = sourceOf(origin, file)
    return { level: "warn", text: `${source} has no effect: the graph '${name}' is not in Cassandra` }
  })
  const notes = [...unused, ...(factory?.kind === "JanusGraphFactory" ? notesOf(file, given, factory) : [])]
  const graph =
    factory === undefined || problems.length > 0
      ? undefined
      : { name, file, fromOptions: true as const, factory, options, origins }
  return { graph, problems, notes }
}
