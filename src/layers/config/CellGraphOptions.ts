import { getHeapStatistics } from "node:v8"
import {
  type CellGraphSettings,
  cellGraphDefaults as defaults,
  type SchemaInitSettings
} from "../../services/Config.ts"
import { type ConfigFolders, locate } from "./ConfigFolders.ts"
import type { OptionReader } from "./OptionReader.ts"
import { searchEngines } from "./SearchEngineOptions.ts"

/** Largest share of the heap for the cache, so that requests keep enough memory. */
const MAX_HEAP_SHARE = 0.5

const partitions = (reader: OptionReader): number => {
  const value = reader.whole("cluster.max-partitions", defaults.partitions)
  // As in JanusGraph, ids of a new graph have at least one bit of a partition. A graph on disk may be older than this rule.
  const least = reader.get("storage.backend")?.toLowerCase() === "inmemory" ? 2 : 1
  if (Number.isInteger(Math.log2(value)) && value >= least && value <= 65_536) return value
  reader.fail("cluster.max-partitions", `must be a power of two from 2 to 65536, not '${value}'`)
  return defaults.partitions
}

/** Bytes of the cache of rows. As in JanusGraph, a value up to 1 is a share of the heap, a larger one is bytes. */
export const cacheBytes = (reader: OptionReader, isOn: boolean, otherwise = defaults.cacheBytes): number => {
  if (!reader.flag("cache.db-cache", isOn)) return 0
  const text = reader.get("cache.db-cache-size")
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!(Number.isFinite(value) && value >= 0 && text.trim() !== "")) {
    reader.fail("cache.db-cache-size", `must be a number of bytes, or a share of the heap up to 1, not '${text}'`)
    return otherwise
  }
  return Math.floor(value > 1 ? value : Math.min(value, MAX_HEAP_SHARE) * getHeapStatistics().heap_size_limit)
}

const schemaInit = (reader: OptionReader, file: string, folders: ConfigFolders): SchemaInitSettings | undefined => {
  if (reader.oneOf("schema.init.strategy", ["none", "json"], "none") === "none") return undefined
  const given = reader.get("schema.init.json.file")
  const text = reader.get("schema.init.json.string")
  if ((given === undefined) === (text === undefined)) {
    return reader.fail("schema.init.json.file", "or schema.init.json.string must be set, but not both")
  }
  const located = given === undefined ? undefined : locate(folders, file, given)
  if (located !== undefined && "reason" in located) return reader.fail("schema.init.json.file", located.reason)
  return {
    file: located?.found,
    text,
    skipElements: reader.flag("schema.init.json.skip-elements", false),
    skipIndices: reader.flag("schema.init.json.skip-indices", false)
  }
}

/** Reads the options of a graph over cells, for every backend. `file` is their properties file. */
export const cellGraphOptions = (reader: OptionReader, file: string, folders: ConfigFolders): CellGraphSettings => {
  const maker = reader.oneOf(
    "schema.default",
    ["default", "tp3", "none", "ignore-prop", "logging"],
    defaults.schemaMaker
  )
  return {
    schemaMaker: maker === "logging" ? "default" : maker,
    logsTypes: maker === "logging" || reader.flag("schema.logging", false),
    schemaConstraints: reader.flag("schema.constraints", defaults.schemaConstraints),
    schemaInit: schemaInit(reader, file, folders),
    userVertexIds: reader.flag("graph.set-vertex-id", defaults.userVertexIds),
    textVertexIds: reader.flag("graph.allow-custom-vid-types", defaults.textVertexIds),
    partitions: partitions(reader),
    idBlockSize: reader.whole("ids.block-size", defaults.idBlockSize),
    cacheBytes: cacheBytes(reader, true),
    forceIndex: reader.flag("query.force-index", defaults.forceIndex),
    searchEngines: searchEngines(reader, file, folders),
    staleMixedIndexes: reader.flag("schema.allow-stale-mixed-indexes", defaults.staleMixedIndexes),
    lmdbSync: reader.oneOf("storage.lmdb.sync", ["durable", "none"], defaults.lmdbSync)
  }
}
