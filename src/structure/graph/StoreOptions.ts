/**
 * Options of stores that have the same form in the configuration of the server and in the store that takes them.
 */

/** How the keyspace and the tables are created. Existing ones are not changed. */
export interface CqlSchemaOptions {
  /** `storage.cql.replication-strategy-class`. Default SimpleStrategy. */
  readonly replicationStrategy: string
  /**
   * `storage.cql.replication-strategy-options`: names and values, one after the other, such as a datacenter and its number
   * of replicas.
   */
  readonly replicationOptions: ReadonlyArray<string>
  /** `storage.cql.replication-factor`, of SimpleStrategy. Default 1. */
  readonly replicationFactor: number
  /** `storage.cql.compaction-strategy-class` and `-options` (names and values). Default: Cassandra's. */
  readonly compactionStrategy: string | undefined
  readonly compactionOptions: ReadonlyArray<string>
  /** `storage.cql.compression`, `-type`, `-block-size`. Default true, LZ4Compressor, 16. */
  readonly compression: boolean
  readonly compressionType: string
  readonly compressionBlockKib: number
  /** `storage.cql.gc-grace-seconds`. Default: Cassandra's. */
  readonly gcGraceSeconds: number | undefined
  /** `storage.cql.speculative-retry`. Default: Cassandra's. */
  readonly speculativeRetry: string | undefined
}

/** How a search engine that keeps mixed indexes is reached: JanusGraph's options `index.<name>.*`. Times without a unit are in ms. */
export interface SearchEngineOptions {
  /** The name of the index backend: `search` of `index.search.backend`. */
  readonly backend: string
  /** Names or addresses, with a port or without. */
  readonly hosts: ReadonlyArray<string>
  readonly port: number
  /** The prefix of the names of the engine's indexes. */
  readonly indexName: string
  /** The number of results that a search fetches at once. */
  readonly pageSize: number
  /** The parameter `refresh` of writes. */
  readonly refresh: string
  readonly connectTimeout: number
  readonly socketTimeout: number
  /** How long the engine keeps a search open between two pages. */
  readonly keepAliveSeconds: number
  /** Maximum bytes of one write. */
  readonly chunkBytes: number
  /** Settings of the indexes that the server makes, and the pause after it has made one. */
  readonly createSettings: Readonly<Record<string, string>>
  readonly createPause: number
  /** Every field is also copied to one that has all of them. */
  readonly usesAllField: boolean
  /** Retries of a request that was answered with one of the codes, and the pauses before them. */
  readonly retries: {
    readonly limit: number
    readonly codes: ReadonlyArray<number>
    readonly first: number
    readonly longest: number
  }
  readonly login: { readonly username: string; readonly password: string } | undefined
}
