import type { StorageBackend, StorageOptions } from "../../services/Config.ts"
import { optionOf } from "./JanusGraphOptions.ts"

/** An option of JanusGraph whose behaviour this server does not have. */
interface Difference {
  /** With `*` for the user's part of the name. A name that ends with a point is a namespace whose names the user chooses. */
  readonly options: ReadonlyArray<string>
  /** Values that request what this server does anyway. Every other value has a warning. */
  readonly same: RegExp
  /** What this server does instead. */
  readonly instead: string
  /** The backend for which this holds. Default: all. */
  readonly of?: StorageBackend
}

const off = /^false$/i
const none = /^none$/i

const differences: ReadonlyArray<Difference> = [
  {
    options: ["schema.init.drop-before-startup"],
    same: off,
    instead: "nothing is dropped; the graph keeps its data"
  },
  {
    options: ["schema.init.json.indices-activation"],
    same: /^reindex_and_enable_non_enabled$/i,
    instead: "new indexes are built and enabled"
  },
  { options: ["schema.init.json.force-close-other-instances"], same: off, instead: "other instances stay open" },
  { options: ["query.hard-max-limit"], same: /^2147483647$/, instead: "a traversal without limit() gives all results" },
  {
    options: ["storage.batch-loading"],
    same: off,
    instead: "all checks stay on, and types are made as schema.default says; 'engine-server import' loads in bulk"
  },
  { options: ["storage.transactions"], same: /^true$/i, instead: "every request is a transaction" },
  {
    options: ["storage.meta.*.timestamps", "storage.meta.*.ttl", "storage.meta.*.visibility"],
    same: off,
    instead: "elements have no implicit properties of their cells, such as ~timestamp"
  },
  {
    options: ["attributes.custom.*.attribute-class", "attributes.custom.*.serializer-class"],
    same: /^$/,
    instead: "values of Java classes of the user cannot be read; a request that reads one fails"
  },
  {
    options: ["index.*.backend"],
    same: /^$/,
    instead: "mixed indexes are kept in the graph's own store; the index backend is neither read nor written"
  },
  {
    options: ["index.*.elasticsearch.ingest-pipeline."],
    same: /^$/,
    instead: "documents are written without a pipeline of the engine"
  },
  {
    of: "cql",
    options: ["index.*.elasticsearch.create.use-external-mappings"],
    same: off,
    instead: "a new mixed index is made in the engine with JanusGraph's mapping, unless the engine has it already"
  },
  {
    options: ["metrics.enabled", "metrics.jmx.enabled"],
    same: off,
    instead: "Prometheus reads the measurements of this server"
  },
  {
    options: [
      "metrics.console.interval",
      "metrics.csv.interval",
      "metrics.slf4j.interval",
      "metrics.graphite.hostname"
    ],
    same: /^$/,
    instead: "no reporter runs; Prometheus reads the measurements of this server"
  },
  { options: ["log.*.backend"], same: /^default$/i, instead: "logs are in the graph's own store" },
  {
    options: ["storage.conf-file", "index.*.conf-file"],
    same: /^$/,
    instead: "the file is not read; give its options here"
  },
  { options: ["graph.allow-upgrade"], same: off, instead: "a graph of another storage version is refused" },
  { options: ["graph.assign-timestamp"], same: /^true$/i, instead: "this server gives every write its time" },
  { options: ["computer.result-mode"], same: none, instead: "graph computations write nothing to the graph" },
  { of: "cql", options: ["graph.timestamps"], same: /^MICRO$/i, instead: "cells have microseconds" },
  { of: "cql", options: ["ids.store-name"], same: /^janusgraph_ids$/, instead: "ids are claimed in janusgraph_ids" },
  {
    of: "cql",
    options: [
      "ids.authority.conflict-avoidance-mode",
      "ids.authority.conflict-avoidance-tag-bits",
      "ids.authority.wait-time",
      "storage.lock.backend",
      "storage.lock.expiry-time",
      "log.*.num-buckets",
      "log.*.ttl"
    ],
    same: /^$/,
    instead: "a keyspace that exists keeps its own value, and a new one is made with JanusGraph's default"
  },
  { of: "cql", options: ["storage.cql.ttl-enabled"], same: /^true$/i, instead: "times to live are written" },
  { of: "cql", options: ["storage.cql.use-external-locking"], same: off, instead: "the locks are JanusGraph's own" },
  {
    of: "cql",
    options: ["storage.cql.protocol-version"],
    same: /^[04]$/,
    instead: "version 4 of the protocol is used"
  },
  {
    of: "cql",
    options: [
      "storage.cql.internal.file-configuration",
      "storage.cql.internal.resource-configuration",
      "storage.cql.internal.string-configuration",
      "storage.cql.internal.url-configuration"
    ],
    same: /^$/,
    instead: "no configuration of the Java driver is read; the options storage.cql.* say how the cluster is reached"
  }
]

/** Differences of a graph in memory without a schema. */
const withoutSchema: ReadonlyArray<Difference> = [
  { options: ["schema.default"], same: /^default$/i },
  { options: ["schema.constraints", "query.force-index", "graph.set-vertex-id"], same: off },
  { options: ["schema.init.strategy"], same: none }
].map((difference) => ({
  ...difference,
  instead: "a graph in memory with storage.memory.schema=false has no schema and no such options"
}))

/** What this server does instead of the behaviour of an option; undefined when it is the same. */
export const differenceOf = (key: string, value: string, storage: StorageOptions): string | undefined => {
  const option = optionOf(key)
  const hasSchema = storage.backend !== "inmemory" || storage.schema !== false
  return [...differences, ...(hasSchema ? [] : withoutSchema)].find(
    ({ of, options, same }) =>
      options.some((each) => each === option || (each.endsWith(".") && option.startsWith(each))) &&
      (of === undefined || of === storage.backend) &&
      !same.test(value.trim())
  )?.instead
}
