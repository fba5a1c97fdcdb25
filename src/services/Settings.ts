import type { DynamicGraphSettings } from "./DynamicGraphs.ts"
import type { GraphSettings, TraversalSourceSettings } from "./GraphSettings.ts"
import type { AuthenticationSettings, AuthorizationSettings, SslSettings } from "./TrustSettings.ts"

/** A transport shipped with the server, or the path of an ES module whose default export is a Channelizer layer. */
export type ChannelizerName =
  | "WebSocketChannelizer"
  | "HttpChannelizer"
  | "WsAndHttpChannelizer"
  | "UnifiedChannelizer"
  | { readonly module: string }

/** An entry of `serializers`. The server supports all formats, also those that are not listed. The order determines the defaults. */
export interface SerializerSettings {
  readonly format: "graphson-v1" | "graphson-v2" | "graphson-v3" | "graphbinary-v1"
  /** GraphSON without type information. */
  readonly untyped: boolean
  /** Each result is sent as its text (`-stringd`). */
  readonly serializeResultToString: boolean
  /** Answers have JanusGraph's types for ids of edges and properties, and for shapes, instead of texts. Default false. */
  readonly janusGraphTypes?: boolean
}

/** The settings of the log. */
export interface LoggingSettings {
  /** `text`: one line for people; `json`: one object a line. Default text. */
  readonly format: "text" | "json"
  /** The least severe level that is logged. Default info. */
  readonly level: "trace" | "debug" | "info" | "warn" | "error" | "off"
  /** Absolute path of a log file, which is reopened on SIGHUP. Undefined: standard output. */
  readonly file: string | undefined
}

/** An initialisation script, which runs once before the server listens. */
export interface InitScriptSettings {
  /** Absolute path. */
  readonly file: string
  readonly text: string
  /** True for a script of `dataScripts`. It may have commands of a console, and what it defines ends with it. */
  readonly isData?: boolean
}

/** The initialisation scripts of a configuration. */
export interface InitializationSettings {
  readonly scripts: ReadonlyArray<InitScriptSettings>
  /** Names of the traversal sources that no configuration file names. The sources of the scripts replace them. */
  readonly defaultSources: ReadonlySet<string>
}

/** A toy graph that is loaded at the start, by a TinkerFactoryDataLoader hook. */
export interface DatasetSettings {
  readonly graph: string
  readonly dataset: "modern" | "classic" | "crew" | "sink" | "grateful"
  /** Absolute path of the data file. Only `grateful` needs one. */
  readonly file: string | undefined
}

/**
 * All settings of the server, decoded and resolved: relative paths are absolute, and counts that mean "as many as
 * processors" are numbers. Durations are milliseconds, sizes bytes; a limit of 0 is off unless stated otherwise.
 */
export interface ServerSettings {
  // Transport

  /** Address to bind. Default 127.0.0.1; `localhost` binds 127.0.0.1 too. */
  readonly host: string
  /** TCP port, 0 for any free one. Default 8182. */
  readonly port: number
  /** Transport. Default WebSocketChannelizer (the shipped file sets WsAndHttpChannelizer). */
  readonly channelizer: ChannelizerName
  /**
   * Accepted origins of browsers: exact (`https://example.org`), `*`, or `loopback` for http and https pages of localhost,
   * 127.0.0.1 and [::1] on any port. Requests without `Origin` are accepted unless the browser marks them as cross-site;
   * see Origins.ts. Default [loopback].
   */
  readonly allowedOrigins: ReadonlyArray<string>
  /** Open connections; further ones are closed at once. Default 16,384. */
  readonly maxConnections: number
  /** Largest HTTP body or WebSocket message. Default 10,485,760. */
  readonly maxContentLength: number
  /** Longest HTTP request line, which bounds GET queries. Default 4,096. */
  readonly maxInitialLineLength: number
  /** Size of all header lines of a request together, without the request line. Default 8,192. */
  readonly maxHeaderSize: number
  /** Time in which the header of a request must arrive. Default 10,000. */
  readonly headersTimeout: number
  /** Time in which a whole request must arrive. Default 60,000. */
  readonly requestTimeout: number
  /** Time without a request after which a connection is closed. Default 0, off. */
  readonly idleConnectionTimeout: number
  /** Time without a write after which the server sends a WebSocket ping. An unanswered ping closes it. Default 30,000; 0 off. */
  readonly keepAliveInterval: number
  /** If a connection has more unsent bytes, its requests pause until all bytes are sent. Default 65,536. */
  readonly writeBufferHighWaterMark: number
  /** If a client reads nothing for this time, the server cancels its requests and closes its connection. Default 15,000; 0 off. */
  readonly writeStallTimeout: number
  /**
   * The web console at `/console`. Undefined: true, and false without authentication on an address that is not loopback.
   */
  readonly console: boolean | undefined
  /** permessage-deflate on WebSockets. Default false. */
  readonly perMessageDeflate: boolean
  /** Time in which requests in flight may end after SIGTERM, before connections are closed. Default 10,000. */
  readonly shutdownTimeout: number
  /**
   * The first serializer of a MIME type wins, as in Gremlin Server: `application/json` is the first GraphSON. Default
   * GraphSON 3.
   */
  readonly serializers: ReadonlyArray<SerializerSettings>
  /** HTTP status when pool and queue are full; 429 and 503 have a Retry-After header. Default 500. */
  readonly poolFullStatus: 500 | 429 | 503

  // Request pool

  /** Requests that are evaluated concurrently, at least 1. Default: number of processors. */
  readonly enginePool: number
  /** Requests that wait for the pool, in order. Default 8,192; 0: none. */
  readonly maxWorkQueueSize: number
  /** Lanes are created on demand; needs Node 24 or later. Default false. */
  readonly enginePoolVirtualThreads: boolean

  /**
   * Processes that serve requests. `auto`: one for each processor, at most 8, each with 512 MB of free memory; one with a graph
   * in memory. Default 1: everything is in this process.
   */
  readonly workers: number | "auto"

  // Evaluation

  /** Default time limit of a request. Default 30,000; 0 off. */
  readonly evaluationTimeout: number
  /** Results in one response frame. Default 64. */
  readonly resultIterationBatchSize: number
  /** Bindings of a request. Default 256 (Gremlin Server: 16). */
  readonly maxParameters: number
  /** Characters of a script. Default 1,048,576. */
  readonly maxScriptLength: number
  /** Nesting of scripts, of JSON and of GraphBinary values. Default 256. */
  readonly maxNestingDepth: number
  /**
   * Whether steps take closures, such as `filter{it.get().value('age') > 30}`. Undefined: true, and false with authentication but
   * without authorization.
   */
  readonly closures: boolean | undefined
  /**
   * Static methods that scripts can call without their class, such as `java.lang.Math#*` or `java.lang.Integer#parseInt`, as the
   * setting of the same name of ImportGremlinPlugin. Default none.
   */
  readonly methodImports: ReadonlyArray<string>
  /** Maximum number of results of one request. A request with more results fails. Default 0, off: results are streamed. */
  readonly maxResults: number
  /**
   * Bytes that one request may hold (traversers, barriers, side effects, overlay, unsent answers). Default: half of
   * memoryBudget.
   */
  readonly requestMemoryLimit: number
  /**
   * Maximum total size of HTTP answers in temporary files. These are the answers of requests that write, and answers in
   * GraphBinary, which begin with the number of results. All workers have the limit together, and a client has at most what it leaves
   * to others. Default 4,294,967,296; 0 off.
   */
  readonly answerFileLimit: number
  /** Bytes that all requests together may hold. If they hold more, the largest request fails. Default: 60 % of the heap limit; 0 off. */
  readonly memoryBudget: number
  /** Retries of a request outside a session after a conflict, if nothing was sent. Default 5. */
  readonly conflictRetries: number
  /** Every request must set `aliases`, and commits only the graphs of these aliases. Default false. */
  readonly strictTransactionManagement: boolean
  /** Absolute path of the only folder that io() can use. Default `data`. */
  readonly ioDirectory: string
  /**
   * Absolute paths of files that the server reads at its start and that no other setting names, which io() must not use. A last part
   * such as `*.groovy` stands for all files of the folder with this ending. Default none.
   */
  readonly configurationFiles?: ReadonlyArray<string>
  /** Absolute paths of ES modules whose default export is a service of call(), or an array of them. Default none. */
  readonly callServices: ReadonlyArray<string>

  // Sessions and transactions

  /** Open sessions. Default 1,024; 0 off. */
  readonly maxSessions: number
  /** Open sessions of one connection. Default 64; 0 off. */
  readonly maxSessionsPerConnection: number
  /** Requests waiting in one session. Default 4,096. */
  readonly maxSessionTaskQueueSize: number
  /** Time without a request after which a session rolls back and ends. Default 28,800,000; 0 off. */
  readonly sessionTimeout: number
  /** A session ends after its commit or rollback, so that its connection can be shared. Default false. */
  readonly closeSessionPostGraphOp: boolean
  /** Time that a transaction may be open without a running request. Default 60,000; 0 off. */
  readonly idleTransactionTimeout: number
  /** Time that a transaction may be open. Default 600,000; 0 off. */
  readonly maxTransactionLifetime: number

  // Trust

  readonly authentication: AuthenticationSettings
  readonly authorization: AuthorizationSettings
  readonly ssl: SslSettings
  /** `/metrics` is served without credentials even with authentication. Default false. */
  readonly openMetrics: boolean
  /**
   * `GET /gremlin/status`, which lists running requests, is served without credentials even with authentication. Default
   * false.
   */
  readonly openStatus: boolean
  /** Logs each request of a user. Default false. */
  readonly enableAuditLog: boolean

  // Operation

  readonly logging: LoggingSettings
  /** Requests that take longer are logged with the times of their phases. Default 1,000; 0 off. */
  readonly slowQueryThreshold: number
  /** Characters of a script in logs and listings. Default 1,024; 0: none. */
  readonly scriptLogLength: number
  /** Absolute path of the Unix socket for commands (mode 0600). Undefined: none. */
  readonly controlSocket: string | undefined

  // Graphs

  /** Hosted graphs by name. */
  readonly graphs: ReadonlyMap<string, GraphSettings>
  /**
   * The graph `ConfigurationManagementGraph` under `graphs`, which has the configurations of graphs that are created while the
   * server runs. Clients cannot query it. Undefined: no such graphs.
   */
  readonly configurationGraph?: GraphSettings | undefined
  readonly dynamicGraphs: DynamicGraphSettings
  /** Traversal sources, each bound to a graph. */
  readonly traversalSources: ReadonlyArray<TraversalSourceSettings>
  /** Toy graphs that are loaded before the server listens. */
  readonly datasets: ReadonlyArray<DatasetSettings>
  /** Undefined without initialisation scripts. */
  readonly initialization: InitializationSettings | undefined
}
