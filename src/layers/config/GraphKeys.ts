import type { StorageBackend } from "../../services/Config.ts"

/** Options of TinkerGraph and TinkerTransactionGraph; all have an effect. */
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

/** Those that have an effect on a graph in cells, whatever keeps the cells. */
const cellGraphKeys: ReadonlyArray<string> = [
  "graph.set-vertex-id",
  "graph.allow-custom-vid-types",
  "cluster.max-partitions",
  "ids.block-size",
  "cache.db-cache",
  "cache.db-cache-size",
  "query.force-index",
  "schema.constraints",
  "schema.default",
  "schema.logging",
  "schema.init.strategy",
  "schema.init.json.file",
  "schema.init.json.string",
  "schema.init.json.skip-elements",
  "schema.init.json.skip-indices"
]

/** Those of a graph in memory that has a schema. */
export const memorySchemaKeys: ReadonlyArray<string> = [
  "engine.graph",
  "storage.backend",
  "storage.memory.schema",
  ...cellGraphKeys
]

const cqlKeys: ReadonlyArray<string> = [
  "keyspace",
  "local-datacenter",
  "read-consistency-level",
  "write-consistency-level",
  "only-use-local-consistency-for-system-operations",
  "request-timeout",
  "back-pressure-limit",
  "batch-statement-size",
  "atomic-batch-mutate",
  "replication-strategy-class",
  "replication-strategy-options",
  "replication-factor",
  "compaction-strategy-class",
  "compaction-strategy-options",
  "compression",
  "compression-type",
  "compression-block-size",
  "gc-grace-seconds",
  "speculative-retry",
  "ssl.enabled",
  "ssl.client-authentication-enabled",
  "ssl.hostname_validation",
  "ssl.keystore.location",
  "ssl.keystore.storepassword",
  "ssl.keystore.keypassword",
  "ssl.truststore.location",
  "ssl.truststore.password"
].map((option) => `storage.cql.${option}`)

/** JanusGraph options that have an effect here, by backend. */
export const janusGraphKeys: Readonly<Record<StorageBackend, ReadonlyArray<string>>> = {
  inmemory: ["engine.graph", "storage.backend", "storage.memory.max-bytes", "storage.memory.schema"],
  lmdb: [
    "engine.graph",
    "storage.backend",
    "storage.directory",
    "storage.read-only",
    "storage.lmdb.sync",
    ...cellGraphKeys
  ],
  cql: [
    "engine.graph",
    "storage.backend",
    "storage.hostname",
    "storage.port",
    "storage.username",
    "storage.password",
    "storage.read-only",
    "storage.connection-timeout",
    "storage.lock.wait-time",
    "storage.lock.retries",
    "graph.unique-instance-id",
    "graph.replace-instance-if-exists",
    "ids.authority.conflict-avoidance-tag",
    "ids.renew-timeout",
    "log.janusgraph.read-interval",
    ...cqlKeys,
    ...cellGraphKeys
  ]
}
