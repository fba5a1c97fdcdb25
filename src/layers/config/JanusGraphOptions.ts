import { closest } from "../../structure/characters/Spelling.ts"

/**
 * The options of JanusGraph 1.1.0 by namespace; `*` stands for a name that the user chooses. Source:
 * test/fixtures/janusgraph-options, extracted from the jars of the distribution, and from the reference of the same version
 * for modules that the distribution does not contain.
 */
const namespaces: Readonly<Record<string, string>> = {
  "attributes.custom.*": "attribute-class serializer-class",
  cache: "db-cache db-cache-clean-wait db-cache-size db-cache-time tx-cache-size tx-dirty-size",
  cluster: "max-partitions",
  computer: "result-mode",
  engine: "graph",
  graph:
    "allow-custom-vid-types allow-stale-config allow-upgrade assign-timestamp graphname janusgraph-version " +
    "replace-instance-if-exists set-vertex-id storage-version timestamps titan-version unique-instance-id " +
    "unique-instance-id-suffix use-hostname-for-unique-instance-id",
  "graph.script-eval": "enabled engine",
  ids: "block-size flush num-partitions partition-key placement renew-percentage renew-timeout store-name",
  "ids.authority":
    "conflict-avoidance-mode conflict-avoidance-tag conflict-avoidance-tag-bits randomized-conflict-avoidance-retries " +
    "wait-time",
  "index.*": "backend conf-file directory hostname index-name map-name max-result-set-size port",
  "index.*.bkd-circle-processor": "class",
  "index.*.bkd-circle-processor.dynamic": "bounding-box-fallback error-distance-multiplier",
  "index.*.bkd-circle-processor.fixed": "bounding-box-fallback error-distance",
  "index.*.elasticsearch":
    "bulk-chunk-size-limit-bytes bulk-refresh client-keep-alive connect-timeout enable_index_names_cache " +
    "health-request-timeout interface retry-error-codes retry-initial-wait retry-limit retry-max-wait " +
    "retry_on_conflict scroll-keep-alive setup-max-open-scroll-contexts socket-timeout use-all-field use-mapping-for-es7",
  "index.*.elasticsearch.create": "allow-mapping-update sleep use-external-mappings",
  "index.*.elasticsearch.http.auth": "type",
  "index.*.elasticsearch.http.auth.basic": "password realm username",
  "index.*.elasticsearch.http.auth.custom": "authenticator-args authenticator-class",
  "index.*.elasticsearch.ssl": "allow-self-signed-certificates disable-hostname-verification enabled",
  "index.*.elasticsearch.ssl.keystore": "keypassword location storepassword",
  "index.*.elasticsearch.ssl.truststore": "location password",
  "index.*.solr":
    "configset dyn-fields http-compression http-connection-timeout http-max http-max-per-host http-urls kerberos-enabled " +
    "key-field-names max-shards-per-node mode num-shards replication-factor ttl_field wait-searcher zookeeper-url",
  "log.*":
    "backend fixed-partition key-consistent max-partitions max-read-time max-write-time num-buckets read-batch-size " +
    "read-interval read-lag-time read-threads send-batch-size send-delay ttl",
  metrics: "enabled merge-stores prefix",
  "metrics.console": "interval",
  "metrics.csv": "directory interval",
  "metrics.graphite": "hostname interval port prefix",
  "metrics.jmx": "agentid domain enabled",
  "metrics.slf4j": "interval logger",
  query:
    "fast-property force-index hard-max-limit ignore-unknown-index-key index-select-strategy index-select-threshold " +
    "optimizer-backend-access smart-limit",
  "query.batch":
    "drop-step-mode enabled has-step-mode label-step-mode limited limited-size properties-mode repeat-step-mode",
  schema: "constraints default logging",
  "schema.init": "drop-before-startup strategy",
  "schema.init.json":
    "await-index-status-timeout file force-close-other-instances indices-activation skip-elements skip-indices string",
  storage:
    "backend batch-loading buffer-size conf-file connection-timeout directory drop-on-clear hostname " +
    "num-mutations-parallel-threshold page-size parallel-backend-ops password port read-only read-time root setup-wait " +
    "transactions username write-time",
  "storage.berkeleyje": "cache-mode cache-percentage isolation-level lock-mode shared-cache",
  "storage.cql":
    "atomic-batch-mutate back-pressure-class back-pressure-limit batch-statement-size compaction-strategy-class " +
    "compaction-strategy-options compression compression-block-size compression-type gc-grace-seconds " +
    "heartbeat-interval heartbeat-timeout init-wait-time keyspace local-datacenter local-max-connections-per-host " +
    "max-requests-per-connection metadata-schema-enabled metadata-token-map-enabled " +
    "only-use-local-consistency-for-system-operations partitioner-name protocol-version read-consistency-level " +
    "remote-max-connections-per-host replication-factor replication-strategy-class replication-strategy-options " +
    "request-timeout session-leak-threshold session-name speculative-retry ttl-enabled use-external-locking " +
    "write-consistency-level",
  "storage.cql.executor-service": "class core-pool-size keep-alive-time max-pool-size max-shutdown-wait-time",
  "storage.cql.grouping": "keys-allowed keys-class keys-limit keys-min slice-allowed slice-limit",
  "storage.cql.internal":
    "base-programmatic-configuration-enabled file-configuration resource-configuration string-configuration " +
    "url-configuration",
  "storage.cql.metrics":
    "cql-messages-delay-refresh-interval cql-messages-highest-latency cql-messages-significant-digits " +
    "cql-requests-highest-latency cql-requests-refresh-interval cql-requests-significant-digits node-enabled " +
    "node-expire-after session-enabled throttling-delay-highest-latency throttling-delay-refresh-interval " +
    "throttling-delay-significant-digits",
  "storage.cql.netty": "admin-size io-size timer-tick-duration timer-ticks-per-wheel",
  "storage.cql.request-tracker":
    "class logs-error-enabled logs-max-query-length logs-max-value-length logs-max-values logs-show-stack-traces " +
    "logs-show-values logs-slow-enabled logs-slow-threshold logs-success-enabled",
  "storage.cql.ssl": "client-authentication-enabled enabled hostname_validation",
  "storage.cql.ssl.keystore": "keypassword location storepassword",
  "storage.cql.ssl.truststore": "location password",
  "storage.hbase":
    "compression-algorithm region-count regions-per-server short-cf-names skip-schema-check snapshot-name " +
    "snapshot-restore-dir table",
  "storage.lock": "backend clean-expired expiry-time local-mediator-group retries wait-time",
  "storage.meta.*": "timestamps ttl visibility",
  "storage.parallel-backend-executor-service":
    "class core-pool-size keep-alive-time max-pool-size max-shutdown-wait-time",
  "system-registration.*": "startup-time",
  tx: "log-tx max-commit-time",
  "tx.recovery": "verbose"
}

/** Namespaces in which the user chooses the names, or JanusGraph passes any name on to a library. */
const open: ReadonlyArray<string> = [
  "index.*.elasticsearch.create.ext",
  "index.*.elasticsearch.ingest-pipeline",
  "storage.berkeleyje.ext",
  "storage.hbase.ext"
]

/** Options of JanusGraph 0.1 to 1.0 that 1.1 does not have and ignores. Its manual still names some of them. */
const former: ReadonlySet<string> = new Set([
  "index.*.elasticsearch.client-only",
  "index.*.elasticsearch.local-mode",
  "index.*.elasticsearch.max-retry-timeout",
  "index.*.elasticsearch.use-deprecated-multitype-index",
  "query.batch",
  "query.batch-property-prefetch",
  "query.limit-batch-size",
  "storage.cql.cluster-name",
  "storage.cql.compact-storage",
  "storage.cql.executor-service.enabled",
  "storage.cql.local-core-connections-per-host",
  "storage.cql.local-max-requests-per-connection",
  "storage.cql.remote-core-connections-per-host",
  "storage.cql.remote-max-requests-per-connection",
  "storage.hbase.compat-class"
])

/** Namespaces of modules that JanusGraph 1.1 does not have. */
const formerNamespaces: ReadonlyArray<string> = ["metrics.ganglia", "storage.cassandra"]

/** Options that only this server has. */
const own: ReadonlyArray<string> = [
  "schema.allow-stale-mixed-indexes",
  "storage.lmdb.sync",
  "storage.memory.max-bytes",
  "storage.memory.schema"
]

/** All options of JanusGraphFactory, except those below {@link open}. */
export const janusGraphOptions: ReadonlyArray<string> = [
  ...Object.entries(namespaces).flatMap(([namespace, names]) => names.split(" ").map((name) => `${namespace}.${name}`)),
  ...own
]

/** The first parts of option names. */
export const janusGraphRoots: ReadonlySet<string> = new Set(janusGraphOptions.map((option) => option.split(".")[0]!))

const known: ReadonlySet<string> = new Set(janusGraphOptions)

/** Namespaces in which one part of the name is chosen by the user. */
const umbrellas = /^(attributes\.custom|index|log|storage\.meta|system-registration)\.[^.]+(?=\.)/

/** The option of a key, with `*` for the user's part. */
export const optionOf = (key: string): string => key.replace(umbrellas, "$1.*")

const isBelow = (namespaces: ReadonlyArray<string>, option: string): boolean =>
  namespaces.some((namespace) => option.startsWith(`${namespace}.`))

/** True for an option of this server, of JanusGraph 1.1 or of an earlier JanusGraph. */
export const isOption = (key: string): boolean => {
  const option = optionOf(key)
  return known.has(option) || former.has(option) || isBelow(open, option) || isBelow(formerNamespaces, option)
}

/**
 * The option that an unknown key most likely means: every part exists, or is a few typing errors away from one that does.
 */
export const meantOption = (key: string): string | undefined => {
  const parts = key.split(".")
  let candidates = janusGraphOptions.map((option) => option.split("."))
  const meant: Array<string> = []
  for (const [at, part] of parts.entries()) {
    const here = [...new Set(candidates.flatMap((candidate) => candidate[at] ?? []))]
    const next = here.includes(part) ? part : (closest(part, here) ?? (here.includes("*") ? "*" : undefined))
    if (next === undefined) return closest(key, janusGraphOptions)
    candidates = candidates.filter((candidate) => candidate[at] === next)
    meant.push(next === "*" ? part : next)
  }
  return candidates.some(({ length }) => length === parts.length) ? meant.join(".") : closest(key, janusGraphOptions)
}
