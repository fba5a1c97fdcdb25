import type { CqlSchemaOptions, SearchEngineOptions } from "../structure/graph/StoreOptions.ts"
import type { WorkerIdentityShape } from "./WorkerIdentity.ts"

/** The origin of a value, for `show-config` and for error messages. */
export type Origin =
  | { readonly kind: "default" }
  | { readonly kind: "file"; readonly file: string; readonly line: number }
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "argument"; readonly argument: string }

/** How TinkerGraph handles ids. ANY keeps given ids and counts new ones. The others convert every id to one type. */
export type IdManager = "ANY" | "LONG" | "INTEGER" | "UUID" | "STRING"

/** TinkerGraph's own options, keys `engine.tinkergraph.*` (or `gremlin.tinkergraph.*`). */
export interface TinkerGraphOptions {
  /** Default ANY, for each of the three. */
  readonly vertexIdManager: IdManager
  readonly edgeIdManager: IdManager
  readonly vertexPropertyIdManager: IdManager
  /** Default single. */
  readonly defaultVertexPropertyCardinality: "single" | "list" | "set"
  /** A property may hold null; otherwise setting null removes it. Default false. */
  readonly allowNullPropertyValues: boolean
  /** Property keys with an index from the start (`vertexIndices`, `edgeIndices`, comma separated). */
  readonly vertexIndices: ReadonlyArray<string>
  readonly edgeIndices: ReadonlyArray<string>
  /** Absolute path of a file the graph is loaded from, and its format. Both or none. */
  readonly graphLocation: string | undefined
  readonly graphFormat: "graphml" | "graphson" | "gryo" | undefined
}

/** Backends a JanusGraphFactory can name: in memory, an embedded LMDB file, or a Cassandra-compatible cluster. */
export type StorageBackend = "inmemory" | "lmdb" | "cql"

/** The options `storage.*` that all backends of a JanusGraphFactory share. {@link GraphSettings.options} has all options. */
export interface StorageOptions {
  readonly backend: StorageBackend
  /** Absolute path; present with lmdb, absent with inmemory. */
  readonly directory: string | undefined
  /** Present with cql. */
  readonly hostname: ReadonlyArray<string>
  readonly port: number | undefined
  /** Present with cql. */
  readonly keyspace: string | undefined
  readonly username: string | undefined
  readonly password: string | undefined
  /** Default false. */
  readonly readOnly: boolean
  /** Opening fails where there is no graph yet, and creates none. Default false. */
  readonly mustExist?: boolean
  /** A graph in memory has JanusGraph's schema and indexes (`storage.memory.schema`). Default true. */
  readonly schema?: boolean
  /** Present with cql. */
  readonly cql?: CqlSettings
}

/** TLS to a Cassandra cluster: files of certificates and keys, PEM or PKCS#12, absolute paths. */
export interface CqlTlsSettings {
  readonly trustStore: string | undefined
  readonly trustStorePassword: string | undefined
  readonly keyStore: string | undefined
  readonly keyStorePassword: string | undefined
  /** Password of the key, if it differs from the password of the key store. */
  readonly keyPassword: string | undefined
  /** The names of the nodes must be in their certificates. Default false, as JanusGraph's. */
  readonly hostnameValidation: boolean
}

/** JanusGraph's options of an instance that shares a keyspace with others. Times are in ms. */
export interface InstanceSettings {
  /** `graph.unique-instance-id`; undefined: the server creates a unique name. */
  readonly instance: string | undefined
  /** `graph.replace-instance-if-exists`. Default false. */
  readonly replaceInstance: boolean
  /** `ids.authority.conflict-avoidance-tag`. Default 0. */
  readonly idTag: number
  /** `ids.renew-timeout`. Default 120,000. */
  readonly idTimeout: number
  /** `storage.lock.wait-time`, `storage.lock.retries`; undefined: the values stored in the keyspace. */
  readonly lockWait: number | undefined
  readonly lockRetries: number | undefined
  /** `log.janusgraph.read-interval`. Default 1,000. */
  readonly newsInterval: number
}

/** Options of the connection to a Cassandra cluster: `storage.cql.*` and `storage.connection-timeout`. Times are in ms. */
export interface CqlSettings {
  readonly instance: InstanceSettings
  readonly localDatacenter: string
  /** Names of Cassandra's consistency levels. */
  readonly readConsistency: string
  readonly writeConsistency: string
  readonly localSystemOperations: boolean
  readonly requestTimeout: number
  /** How long the start waits for a cluster that no node answers for; 0: it fails at once. */
  readonly setupWait: number
  readonly connectionTimeout: number
  /** Maximum number of requests in flight to one node. */
  readonly backPressureLimit: number
  /** Maximum number of changed cells in one request. */
  readonly batchSize: number
  readonly loggedBatches: boolean
  /** `storage.cql.grouping.keys-allowed`, `-limit` and `-min`: rows that are read with one statement. */
  readonly grouping: { readonly allowed: boolean; readonly limit: number; readonly least: number }
  /** `cache.db-cache-size` (0 without `cache.db-cache=true`), `cache.db-cache-time` and `cache.db-cache-clean-wait`. */
  readonly cache: { readonly bytes: number; readonly time: number; readonly cleanWait: number }
  /** How a missing keyspace and missing tables are created. */
  readonly schema: CqlSchemaOptions
  /** Undefined without TLS. */
  readonly tls: CqlTlsSettings | undefined
}

/** How a search engine that keeps mixed indexes is reached, with files of keys. */
export interface SearchEngineSettings extends SearchEngineOptions {
  /** Undefined without TLS. */
  readonly tls: (CqlTlsSettings & { readonly selfSigned: boolean }) | undefined
}

/** A schema in JanusGraph's JSON: an absolute path or the text itself. */
export interface SchemaInitSettings {
  readonly file: string | undefined
  readonly text: string | undefined
  /** Whether the types, or the indexes, of the document are skipped. */
  readonly skipElements: boolean
  readonly skipIndices: boolean
}

/** The options of a graph in JanusGraph's cell format that all backends share. */
export interface CellGraphSettings {
  /** `schema.default`: what happens to a type that the schema does not have. Default `default`: it is created. */
  readonly schemaMaker: "default" | "tp3" | "none" | "ignore-prop"
  /** `schema.default=logging`: created types are logged. */
  readonly logsTypes: boolean
  /** `schema.constraints`: with `schema.default=none`, refuses properties and connections that the schema does not allow. */
  readonly schemaConstraints: boolean
  /** `schema.init.strategy=json`: a schema that is created when the graph is opened; undefined for none. */
  readonly schemaInit: SchemaInitSettings | undefined
  /** `graph.set-vertex-id`: clients give the ids of vertices. Default false. */
  readonly userVertexIds: boolean
  /** `graph.allow-custom-vid-types`: ids of vertices may be texts. Default false. */
  readonly textVertexIds: boolean
  /** `cluster.max-partitions` of a new graph: a power of two, default 32. */
  readonly partitions: number
  /** `ids.block-size`: ids of vertices claimed at a time. Default 10,000. */
  readonly idBlockSize: number
  /** Bytes of cached rows: `cache.db-cache-size`, 0 with `cache.db-cache=false`. Default 64 MiB. */
  readonly cacheBytes: number
  /** `query.force-index`: traversals that need a full scan are refused. Default false. */
  readonly forceIndex: boolean
  /** `schema.allow-stale-mixed-indexes`: keys of JanusGraph's mixed indexes in other systems can be written. Default false. */
  readonly staleMixedIndexes: boolean
  /** The search engines that keep mixed indexes of JanusGraph. Only with cql. */
  readonly searchEngines: ReadonlyArray<SearchEngineSettings>
  /** `storage.lmdb.sync`: whether an answered commit is on the disk. Default durable. */
  readonly lmdbSync: "durable" | "none"
}

/** The implementation that opens the graph, and its settings. */
export type GraphFactory =
  | { readonly kind: "TinkerGraph"; readonly tinkergraph: TinkerGraphOptions }
  /** TinkerGraph with explicit commit. */
  | { readonly kind: "TinkerTransactionGraph"; readonly tinkergraph: TinkerGraphOptions }
  | { readonly kind: "JanusGraphFactory"; readonly storage: StorageOptions; readonly cells?: CellGraphSettings }
  /** Absolute path of an ES module whose default export opens a graph from these settings. */
  | { readonly kind: "module"; readonly module: string }

/** A properties file, decoded. */
export interface GraphSettings {
  /** Name under `graphs`, or `credentialsDb`. */
  readonly name: string
  /** Absolute path of the properties file; undefined for a graph that a program or a client configures. */
  readonly file: string | undefined
  /**
   * `factory` is what `options` mean, so the options that a keyspace stores complete them. Absent for a graph that a program
   * configures, or a script opens: its factory stays as it is.
   */
  readonly fromOptions?: true
  readonly factory: GraphFactory
  /**
   * Every key of the file as written, except that a leading `gremlin.` is `engine.`; values of a repeated key are joined
   * by commas.
   */
  readonly options: ReadonlyMap<string, string>
  /** Origin of each option. */
  readonly origins: ReadonlyMap<string, Origin>
  /**
   * Set in the settings that a module gets in a worker process. `openGraph` of settings that are made from these shares the graph
   * with the other workers.
   */
  readonly worker?: WorkerIdentityShape
}

/** A traversal source: a name by which requests use a graph. */
export interface TraversalSourceSettings {
  readonly name: string
  /** Key in `graphs`. */
  readonly graph: string
  /**
   * Gremlin that makes the source from the plain source `g`, such as `g.withStrategies(ReadOnlyStrategy)`; undefined for the
   * plain source.
   */
  readonly expression: string | undefined
}

/** The defaults of a graph in JanusGraph's cell format. */
export const cellGraphDefaults: CellGraphSettings = {
  schemaMaker: "default",
  logsTypes: false,
  schemaConstraints: false,
  schemaInit: undefined,
  userVertexIds: false,
  textVertexIds: false,
  partitions: 32,
  idBlockSize: 10_000,
  cacheBytes: 64 * 1024 * 1024,
  forceIndex: false,
  staleMixedIndexes: false,
  searchEngines: [],
  lmdbSync: "durable"
}

/** TinkerGraph's defaults. */
export const tinkerGraphDefaults: TinkerGraphOptions = {
  vertexIdManager: "ANY",
  edgeIdManager: "ANY",
  vertexPropertyIdManager: "ANY",
  defaultVertexPropertyCardinality: "single",
  allowNullPropertyValues: false,
  vertexIndices: [],
  edgeIndices: [],
  graphLocation: undefined,
  graphFormat: undefined
}

/** An empty TinkerGraph without a file; add a name. */
export const emptyTinkerGraph: Omit<GraphSettings, "name"> = {
  file: undefined,
  factory: { kind: "TinkerGraph", tinkergraph: tinkerGraphDefaults },
  options: new Map(),
  origins: new Map()
}
