import { join } from "node:path"
import {
  type IdManager,
  type StorageOptions,
  type TinkerGraphOptions,
  tinkerGraphDefaults
} from "../../services/Config.ts"
import { type ConfigFolders, inHome, locate } from "./ConfigFolders.ts"
import { cqlSettings } from "./CqlGraphOptions.ts"
import { list } from "./Lists.ts"
import type { OptionReader } from "./OptionReader.ts"
import { backends } from "./StorageBackends.ts"
import { suggestion } from "./Suggestions.ts"

/** Reads `engine.tinkergraph.*`. `file` is the properties file. */
export const tinkerGraphOptions = (reader: OptionReader, file: string, folders: ConfigFolders): TinkerGraphOptions => {
  const key = (option: string) => `engine.tinkergraph.${option}`
  const managers: ReadonlyArray<IdManager> = ["ANY", "LONG", "INTEGER", "UUID", "STRING"]
  const location = reader.get(key("graphLocation"))
  const format = reader.oneOf(key("graphFormat"), ["graphml", "graphson", "gryo"], undefined)
  if (location !== undefined && format === undefined) {
    reader.fail(key("graphLocation"), `needs ${key("graphFormat")}: graphml, graphson or gryo`)
  }
  if (location === undefined && format !== undefined) reader.fail(key("graphFormat"), `needs ${key("graphLocation")}`)
  const found = location === undefined ? undefined : locate(folders, file, location)
  return {
    vertexIdManager: reader.oneOf(key("vertexIdManager"), managers, tinkerGraphDefaults.vertexIdManager),
    edgeIdManager: reader.oneOf(key("edgeIdManager"), managers, tinkerGraphDefaults.edgeIdManager),
    vertexPropertyIdManager: reader.oneOf(
      key("vertexPropertyIdManager"),
      managers,
      tinkerGraphDefaults.vertexPropertyIdManager
    ),
    defaultVertexPropertyCardinality: reader.oneOf(
      key("defaultVertexPropertyCardinality"),
      ["single", "list", "set"],
      tinkerGraphDefaults.defaultVertexPropertyCardinality
    ),
    allowNullPropertyValues: reader.flag(key("allowNullPropertyValues"), tinkerGraphDefaults.allowNullPropertyValues),
    vertexIndices: list(reader.get(key("vertexIndices"))),
    edgeIndices: list(reader.get(key("edgeIndices"))),
    graphLocation:
      location === undefined ? undefined : found && "found" in found ? found.found : inHome(folders, location),
    graphFormat: format
  }
}

/** JanusGraph's folder of a graph with a name: below `storage.root`. */
const namedFolder = (root: string | undefined, name: string | undefined): string | undefined =>
  root === undefined || name === undefined ? undefined : join(root, name)

/** Reads `storage.*` of a JanusGraphFactory; undefined when the backend is missing or unknown. */
export const storageOptions = (
  reader: OptionReader,
  file: string,
  folders: ConfigFolders
): StorageOptions | undefined => {
  const given = reader.get("storage.backend")
  if (given === undefined)
    return reader.fail("storage.backend", `is missing; one of ${[...backends.keys()].join(", ")}`)
  const backend = backends.get(given.toLowerCase())
  if (backend === undefined) {
    const reason = `'${given}' is not a backend of this server${suggestion(given, [...backends.keys()])}`
    return reader.fail("storage.backend", reason)
  }
  const graphName = reader.get("graph.graphname")
  const root = backend === "lmdb" ? reader.get("storage.root") : undefined
  const directory = reader.get("storage.directory") ?? namedFolder(root, graphName)
  const hostname = list(reader.get("storage.hostname"))
  // As in JanusGraph, a graph with a name and without a keyspace has the keyspace of its name.
  const keyspace = reader.get("storage.cql.keyspace") ?? graphName
  const port = reader.get("storage.port")
  if (backend === "inmemory" && directory !== undefined) {
    const reason = "a graph in memory stores nothing on disk; remove this line, or set storage.backend=lmdb"
    reader.fail("storage.directory", reason)
  }
  const readOnly = reader.flag("storage.read-only", false)
  if (backend === "inmemory" && readOnly) {
    const reason =
      "a read-only graph in memory would stay empty; remove this line, or add the strategy to the source: " +
      "gremlinExpression: g.withStrategies(ReadOnlyStrategy)"
    reader.fail("storage.read-only", reason)
  }
  if (backend === "lmdb" && directory === undefined) {
    reader.fail("storage.directory", `is missing; ${given} keeps the graph there`)
  }
  if (backend === "cql" && hostname.length === 0) reader.fail("storage.hostname", `is missing; ${given} connects there`)
  if (backend === "cql" && keyspace === undefined) {
    reader.fail(
      "storage.cql.keyspace",
      `is missing; ${given} keeps the graph in that keyspace. JanusGraph's default is janusgraph`
    )
  }
  if (port !== undefined && !(/^\d+$/.test(port) && Number(port) > 0 && Number(port) < 65_536)) {
    reader.fail("storage.port", `must be a port between 1 and 65535, not '${port}'`)
  }
  const schema = backend === "inmemory" && reader.flag("storage.memory.schema", true)
  if (schema && reader.get("storage.memory.max-bytes") !== undefined) {
    const reason = "limits a graph without a schema; add storage.memory.schema=false, or remove this line"
    reader.fail("storage.memory.max-bytes", reason)
  }
  return {
    backend,
    directory: directory === undefined ? undefined : inHome(folders, directory),
    hostname,
    port: port === undefined ? undefined : Number(port),
    keyspace,
    username: reader.get("storage.username"),
    password: reader.get("storage.password"),
    readOnly,
    ...(backend === "inmemory" ? { schema } : {}),
    ...(backend === "cql" ? { cql: cqlSettings(reader, file, folders) } : {})
  }
}
