import type { CellGraphSettings, GraphSettings, SearchEngineSettings } from "../../services/GraphSettings.ts"
import type { GlobalOptions } from "../../storage/cassandra/coordination/GlobalConfiguration.ts"
import { JavaEnum } from "../../storage/janusgraph/format/JavaValues.ts"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import { Duration } from "../../structure/times/Temporal.ts"
import { cellGraphOptions } from "../config/CellGraphOptions.ts"
import { cqlGraphOptions } from "../config/CqlGraphOptions.ts"
import { isOption } from "../config/JanusGraphOptions.ts"
import { isManaged } from "../config/ManagedOptions.ts"
import { optionReader } from "../config/OptionReader.ts"

/**
 * The options that JanusGraph stores in a keyspace. As there, a stored value applies to every instance whose file does not set the
 * option; that of a managed option applies in any case.
 */

/** The values of managed options that a keyspace does not have. */
const defaults: ReadonlyMap<string, string> = new Map([
  ["cluster.max-partitions", "32"],
  ["graph.allow-custom-vid-types", "false"],
  ["graph.set-vertex-id", "false"],
  ["ids.block-size", "10000"],
  ["schema.constraints", "false"],
  ["tx.log-tx", "false"]
])

/** The text of a stored value in a properties file; undefined for a value that no file can have. */
const textOf = (value: unknown): string | undefined => {
  if (value instanceof JavaEnum) return value.name
  if (value instanceof Duration) return `${Number(value.seconds) * 1000 + value.nanos / 1_000_000} ms`
  if (Array.isArray(value)) return value.join(",")
  return ["bigint", "boolean", "number", "string"].includes(typeof value) ? String(value) : undefined
}

/** Returns a form of a text that is equal for two texts of the same value. */
const normal = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s*ms$/, "")
    .replace(/\s*,\s*/g, ",")

/** Options of files, which are located relative to the properties file when it is read. */
const isOfFiles = (key: string): boolean => key.startsWith("schema.init.") || key.includes(".ssl.")

/** The options of a graph, as they are given and as they are decoded. */
interface GivenSettings extends Pick<GraphSettings, "file" | "fromOptions" | "options"> {
  readonly cells: CellGraphSettings
}

/** The settings that apply, and warnings about options that do not apply. */
interface AppliedSettings {
  readonly cells: CellGraphSettings
  readonly notices: ReadonlyArray<string>
}

/** The options of a file that a new keyspace stores, besides those that change the format. JanusGraph stores these, too. */
export const newOptions = (given: ReadonlyMap<string, string>): GlobalOptions => {
  const found = new Map<string, unknown>()
  for (const [key, value] of given) {
    const isFlag = key === "schema.constraints" || key === "tx.log-tx"
    if (isFlag && normal(value) === "true") found.set(key, true)
    if (/^index\.[^.]+\.(backend|index-name)$/.test(key)) found.set(key, value.trim())
  }
  return found
}

/**
 * Applies the options that a keyspace has. `location`: where it is, for messages. Throws StorageFailure for an option that cannot be
 * applied, and for conflicting ones with `graph.allow-stale-config=false`. A graph that a program configures keeps its settings. One that
 * clients configure has no file. It keeps its index backends: `dynamicGraphs.hosts` and the names of their indexes are checked before the
 * keyspace is read, and clients may have written what the keyspace stores.
 */
export const withStoredOptions = (
  { cells, file, fromOptions, options: given }: GivenSettings,
  stored: GlobalOptions,
  location: string
): AppliedSettings => {
  if (fromOptions === undefined) return { cells, notices: [] }
  const applied = new Map(given)
  const conflicts: Array<string> = []
  const ignored: Array<string> = []
  for (const [key, value] of stored) {
    const text = textOf(value)
    if (text === undefined || !isOption(key)) continue
    const own = given.get(key)
    if (file === undefined && key.startsWith("index.")) {
      if (own === undefined || normal(own) !== normal(text)) ignored.push(`${key}=${text}`)
    } else if (own === undefined) {
      applied.set(key, text)
      if (isIgnored(key, text)) ignored.push(`${key}=${text}`)
    } else if (isManaged(key) && normal(own) !== normal(text)) {
      applied.set(key, text)
      conflicts.push(`${key}=${text}, not ${own.trim()}`)
    }
  }
  for (const [key, otherwise] of defaults) {
    const own = given.get(key)
    if (own === undefined || stored.has(key) || normal(own) === otherwise) continue
    applied.set(key, otherwise)
    conflicts.push(`${key}=${otherwise}, not ${own.trim()}`)
  }
  const place = file ?? "the configuration of the graph"
  const notices = noticesOf(applied, {
    conflicts,
    ignored,
    location,
    place: file === undefined ? "configuration" : "file"
  })
  return { cells: decoded(cells, place, applied, location), notices }
}

/** True for a stored option that this server reads from the file only, because it is needed to reach the keyspace. */
const isIgnored = (key: string, text: string): boolean => {
  if (key === "cache.db-cache") return normal(text) === "true"
  const option = isManaged(key) ? undefined : cqlGraphOptions.find((each) => each.key === key)
  return option?.otherwise !== undefined && normal(String(option.otherwise)) !== normal(text)
}

interface Found {
  readonly conflicts: ReadonlyArray<string>
  readonly ignored: ReadonlyArray<string>
  /** The keyspace. */
  readonly location: string
  /** What has the options of the graph. */
  readonly place: "configuration" | "file"
}

const noticesOf = (
  applied: ReadonlyMap<string, string>,
  { conflicts, ignored, location, place }: Found
): ReadonlyArray<string> => {
  const notices: Array<string> = []
  if (conflicts.length > 0) {
    const text = `${location} has ${conflicts.join("; ")}. These options are stored there, and apply to all servers`
    if (normal(applied.get("graph.allow-stale-config") ?? "true") === "false") {
      throw new StorageFailure(`${text}. Take them out of the ${place}, which graph.allow-stale-config=false demands.`)
    }
    notices.push(`${text}; the values of the ${place} have no effect`)
  }
  if (ignored.length > 0) {
    notices.push(
      `${location} has ${ignored.join(", ")}, which JanusGraph applies. This server reads it from its ${place} only`
    )
  }
  return notices
}

/** Decodes the applied options, except those of files, which `place` gives: the properties file, or the configuration of a client. */
const decoded = (
  cells: CellGraphSettings,
  place: string,
  applied: ReadonlyMap<string, string>,
  location: string
): CellGraphSettings => {
  const fail = (key: string, reason: string): never => {
    throw new StorageFailure(`The option ${key} of ${location} cannot be applied: it ${reason}`)
  }
  const others = new Map([...applied].filter(([key]) => !isOfFiles(key)))
  const nowhere = { home: "", cwd: "", library: undefined, installation: "" }
  const found = cellGraphOptions(optionReader(others, fail), place, nowhere)
  const withTls = (engine: SearchEngineSettings): SearchEngineSettings => {
    const own = cells.searchEngines.find(({ backend }) => backend === engine.backend)
    const key = `index.${engine.backend}.elasticsearch.ssl.enabled`
    if (own === undefined && normal(applied.get(key) ?? "false") === "true") {
      fail(`index.${engine.backend}.backend`, `needs the line in ${place}, too, because ${key}=true names files there`)
    }
    return { ...engine, tls: own?.tls }
  }
  return { ...found, schemaInit: cells.schemaInit, searchEngines: found.searchEngines.map(withTls) }
}
