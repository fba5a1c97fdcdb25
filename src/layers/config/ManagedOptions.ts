import { optionOf } from "./JanusGraphOptions.ts"

/**
 * The options of JanusGraph 1.1 that all instances of a keyspace share (its types GLOBAL, GLOBAL_OFFLINE and FIXED): the value that is
 * stored in the keyspace applies, and a file cannot change it.
 */
const managed: ReadonlySet<string> = new Set([
  "attributes.custom.*.attribute-class",
  "attributes.custom.*.serializer-class",
  "cluster.max-partitions",
  "graph.allow-custom-vid-types",
  "graph.set-vertex-id",
  "graph.timestamps",
  "ids.authority.conflict-avoidance-mode",
  "ids.authority.conflict-avoidance-tag-bits",
  "ids.authority.wait-time",
  "ids.block-size",
  "ids.store-name",
  "index.*.backend",
  "index.*.elasticsearch.client-keep-alive",
  "index.*.elasticsearch.scroll-keep-alive",
  "index.*.elasticsearch.use-all-field",
  "index.*.index-name",
  "index.*.map-name",
  "log.*.backend",
  "log.*.fixed-partition",
  "log.*.max-partitions",
  "log.*.num-buckets",
  "log.*.ttl",
  "schema.constraints",
  "storage.cql.compaction-strategy-class",
  "storage.cql.compaction-strategy-options",
  "storage.cql.compression",
  "storage.cql.compression-block-size",
  "storage.cql.gc-grace-seconds",
  "storage.cql.replication-factor",
  "storage.cql.replication-strategy-class",
  "storage.cql.replication-strategy-options",
  "storage.cql.speculative-retry",
  "storage.lock.backend",
  "storage.lock.expiry-time",
  "storage.meta.*.timestamps",
  "storage.meta.*.ttl",
  "storage.meta.*.visibility",
  "tx.log-tx",
  "tx.max-commit-time"
])

/** True for an option whose value in the keyspace applies to all instances. */
export const isManaged = (key: string): boolean => managed.has(optionOf(key))
