import type { CqlSchemaOptions } from "../../structure/graph/StoreOptions.ts"
import type { SliceCacheOptions } from "./SliceCache.ts"

/** Consistency levels of reads and writes, as Cassandra names them. */
export const consistencyLevels = [
  "ANY",
  "ONE",
  "TWO",
  "THREE",
  "QUORUM",
  "ALL",
  "LOCAL_QUORUM",
  "EACH_QUORUM",
  "LOCAL_ONE"
] as const

/** How many replicas must answer, as Cassandra names it. */
export type ConsistencyLevel = (typeof consistencyLevels)[number]

/** TLS to the cluster; certificates and keys are PEM. */
export interface CqlTlsOptions {
  /** Certificates of the authorities that sign the nodes' certificates. Default: those that Node.js trusts. */
  readonly ca: ReadonlyArray<string> | undefined
  /** Certificate chain and key with which the server authenticates itself to the nodes. */
  readonly certificate: string | undefined
  readonly key: string | undefined
  /** Password of the key. */
  readonly passphrase: string | undefined
  /** The name in a node's certificate must be that of the node. */
  readonly hostnameValidation: boolean
}

/** Rows of one statement, and how rows are divided among statements. */
export interface GroupingOptions {
  /** `storage.cql.grouping.keys-allowed`: several rows are read with one statement. Default true. */
  readonly allowed: boolean
  /** `storage.cql.grouping.keys-limit`: rows of one statement at most. Default 100. */
  readonly limit: number
  /** `storage.cql.grouping.keys-min`: rows from which on they share a statement. Default 2. */
  readonly least: number
}

/** A keyspace of a cluster, and how to connect to it. */
export interface CqlOptions {
  /** `storage.hostname`: contact points. The driver discovers the other nodes from them. */
  readonly hosts: ReadonlyArray<string>
  /** `storage.port`. Default 9042. */
  readonly port: number
  /** `storage.cql.keyspace`, as CQL writes names: case-sensitive only within double quotes. */
  readonly keyspace: string
  readonly username: string | undefined
  readonly password: string | undefined
  /** `storage.cql.local-datacenter`. Default datacenter1. */
  readonly localDatacenter: string
  /** `storage.cql.read-consistency-level`, `storage.cql.write-consistency-level`. Default QUORUM. */
  readonly readConsistency: ConsistencyLevel
  readonly writeConsistency: ConsistencyLevel
  /** `storage.cql.only-use-local-consistency-for-system-operations`. Default false. */
  readonly localSystemOperations: boolean
  /** `storage.cql.request-timeout`, ms: no request takes longer. Default 12,000. */
  readonly requestTimeout: number
  /** `storage.connection-timeout`, ms. Default 10,000. */
  readonly connectionTimeout: number
  /**
   * `storage.cql.back-pressure-limit`: requests in flight for each node that is up; further ones wait. The processes of a server divide
   * it. Default 1,024.
   */
  readonly backPressureLimit: number
  /** The processes of the server that serve, at least 1, also those that do not use the graph. Absent: this is the only one. */
  readonly workers?: () => number
  /** `storage.cql.batch-statement-size`: changes of cells in one request. Default 20. */
  readonly batchSize: number
  /** `storage.cql.atomic-batch-mutate`: batches are logged. Default false. */
  readonly loggedBatches: boolean
  /** `storage.cql.grouping.keys-*`. */
  readonly grouping: GroupingOptions
  /** `cache.db-cache-*`. */
  readonly cache: SliceCacheOptions
  /** `storage.read-only`. */
  readonly readOnly: boolean
  /** Opening fails where there is no graph yet, and creates none. Default false. */
  readonly mustExist?: boolean
  readonly schema: CqlSchemaOptions
  /** `storage.cql.ssl.*`; undefined without TLS. */
  readonly tls: CqlTlsOptions | undefined
}

/** The defaults, which are JanusGraph's. */
export const cqlDefaults: Omit<CqlOptions, "hosts" | "keyspace" | "username" | "password" | "readOnly" | "tls"> = {
  port: 9042,
  localDatacenter: "datacenter1",
  readConsistency: "QUORUM",
  writeConsistency: "QUORUM",
  localSystemOperations: false,
  requestTimeout: 12_000,
  connectionTimeout: 10_000,
  backPressureLimit: 1024,
  batchSize: 20,
  loggedBatches: false,
  grouping: { allowed: true, limit: 100, least: 2 },
  cache: { bytes: 0, time: 10_000, cleanWait: 50 },
  schema: {
    replicationStrategy: "SimpleStrategy",
    replicationOptions: [],
    replicationFactor: 1,
    compactionStrategy: undefined,
    compactionOptions: [],
    compression: true,
    compressionType: "LZ4Compressor",
    // The default of Cassandra since 4.0. A read decompresses a whole chunk: with JanusGraph's 64 KiB, a row costs the node
    // 1.5 times the CPU time.
    compressionBlockKib: 16,
    gcGraceSeconds: undefined,
    speculativeRetry: undefined
  }
}

/** A name as Cassandra stores it: in lower case, unless it is within double quotes. */
export const nameOf = (spelled: string): string => {
  const quoted = /^"(\w+)"$/.exec(spelled)
  return quoted?.[1] ?? spelled.toLowerCase()
}

/** Nodes and keyspace, for messages. */
export const locationOf = ({ hosts, keyspace, port }: Pick<CqlOptions, "hosts" | "keyspace" | "port">): string =>
  `cql:${hosts.map((host) => `${host}:${port}`).join(",")}/${nameOf(keyspace)}`
