import type { StorageBackend } from "../../services/Config.ts"
import { cqlGraphOptions } from "./CqlGraphOptions.ts"

/** Options of TinkerGraph and TinkerTransactionGraph. All of them have an effect. */
export const tinkerGraphKeys: ReadonlyArray<string> = [
  "engine.graph",
  "engine.tinkergraph.vertexIdManager",
  "engine.tinkergraph.edgeIdManager",
  "engine.tinkergraph.vertexPropertyIdManager",
  "engine.tinkergraph.defaultVertexPropertyCardinality",
  "engine.tinkergraph.allowNullPropertyValues",
  "engine.tinkergraph.graphLocation",
  "engine.tinkergraph.graphFormat",
  "engine.tinkergraph.service",
  "engine.tinkergraph.vertexIndices",
  "engine.tinkergraph.edgeIndices",
  "storage.memory.max-bytes"
]

/** Options that affect graphs over cells, for every backend. */
const cellGraphKeys: ReadonlyArray<string> = [
  "graph.set-vertex-id",
  "graph.allow-custom-vid-types",
  "cluster.max-partitions",
  "ids.block-size",
  "cache.db-cache",
  "cache.db-cache-size",
  "query.force-index",
  "schema.allow-stale-mixed-indexes",
  "schema.constraints",
  "schema.default",
  "schema.logging",
  "schema.init.strategy",
  "schema.init.json.file",
  "schema.init.json.string",
  "schema.init.json.skip-elements",
  "schema.init.json.skip-indices"
]

/** Options that affect a graph in memory with a schema. */
export const memorySchemaKeys: ReadonlyArray<string> = [
  "engine.graph",
  "storage.backend",
  "storage.memory.schema",
  ...cellGraphKeys
]

/** JanusGraph options that have an effect here, by backend. */
export const janusGraphKeys: Readonly<Record<StorageBackend, ReadonlyArray<string>>> = {
  inmemory: ["engine.graph", "storage.backend", "storage.memory.max-bytes", "storage.memory.schema"],
  lmdb: [
    "engine.graph",
    "storage.backend",
    "graph.graphname",
    "storage.directory",
    "storage.root",
    "storage.read-only",
    "storage.lmdb.sync",
    ...cellGraphKeys
  ],
  cql: [
    "engine.graph",
    "graph.graphname",
    "storage.backend",
    "storage.hostname",
    "storage.port",
    "storage.username",
    "storage.password",
    "storage.read-only",
    "storage.cql.keyspace",
    "tx.log-tx",
    ...cqlGraphOptions.map(({ key }) => key),
    ...cellGraphKeys
  ]
}
