import { availableParallelism } from "node:os"
import { getHeapStatistics } from "node:v8"
import { emptyTinkerGraph, type GraphSettings, type TraversalSourceSettings } from "./GraphSettings.ts"
import {
  type AuthenticationSettings,
  type AuthorizationSettings,
  noSsl,
  openAuthentication,
  type SslSettings
} from "./TrustSettings.ts"

/** A transport shipped with the server, or the path of an ES module whose default export is a Channelizer layer. */
export type ChannelizerName =
  | "WebSocketChannelizer"
  | "HttpChannelizer"
  | "WsAndHttpChannelizer"
  | "UnifiedChannelizer"
  | { readonly module: string }

/** One entry of `serializers`. Every format of the protocol is served whether listed or not; the order decides defaults. */
export interface SerializerSettings {
  readonly format: "graphson-v1" | "graphson-v2" | "graphson-v3" | "graphbinary-v1"
  /** GraphSON without type information. */
  readonly untyped: boolean
  /** Results as their text (`-stringd`). */
  readonly serializeResultToString: boolean
  /** Ids of edges and properties, and shapes, have JanusGraph's types in answers, not texts. Default false. */
  readonly janusGraphTypes?: boolean
}

export interface LoggingSettings {
  /** `text`: one line for people; `json`: one object a line. Default text. */
  readonly format: "text" | "json"
  /** Least severe level that is written. Default info. */
  readonly level: "trace" | "debug" | "info" | "warn" | "error" | "off"
  /** Absolute path of a file that is appended to and opened again on SIGHUP. Undefined: standard output. */
  readonly file: string | undefined
}

/** A toy graph loaded at start, by a TinkerFactoryDataLoader hook or by a recognised init script. */
export interface DatasetSettings {
  readonly graph: string
  readonly dataset: "modern" | "classic" | "crew" | "sink" | "grateful"
  /** Absolute path of the data file; only for grateful, which is not built in code. */
  readonly file: string | undefined
}

/**
 * Everything the server can be told, decoded and resolved: relative paths are absolute, counts that mean "as many as
 * processors" are numbers. Durations are milliseconds, sizes bytes; a limit of 0 is off unless said otherwise.
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
   * Origins a browser's page may come from: exact (`https://example.org`), `*`, or `loopback` for http and https pages of
   * localhost, 127.0.0.1 and [::1] on any port. Without an Origin header, what a browser says comes from elsewhere is
   * refused too; see Origins.ts. Default [loopback].
   */
  readonly allowedOrigins: ReadonlyArray<string>
  /** Open connections at once; one more is closed at once. Default 16,384. */
  readonly maxConnections: number
  /** Largest HTTP body or WebSocket message. Default 10,485,760. */
  readonly maxContentLength: number
  /** Longest HTTP request line, which bounds GET queries. Default 4,096. */
  readonly maxInitialLineLength: number
  /** All header lines of a request together. Default 8,192. */
  readonly maxHeaderSize: number
  /** Time for a request's header lines to arrive. Default 10,000. */
  readonly headersTimeout: number
  /** Time for a whole request to arrive. Default 60,000. */
  readonly requestTimeout: number
  /** Time without a request after which a connection is closed. Default 0, off. */
  readonly idleConnectionTimeout: number
  /** Time without writing after which a WebSocket ping is sent; one unanswered ping closes. Default 30,000; 0 off. */
  readonly keepAliveInterval: number
  /** A connection with more unsent bytes than this suspends its runs until all of them are sent. Default 65,536. */
  readonly writeBufferHighWaterMark: number
  /** Time without any reading progress after which a client loses its run and its connection. Default 15,000; 0 off. */
  readonly writeStallTimeout: number
  /** permessage-deflate on WebSockets. Default false. */
  readonly perMessageDeflate: boolean
  /** Time for in-flight requests to end after SIGTERM, then connections are cut. Default 10,000. */
  readonly shutdownTimeout: number
  /** First claim on a mime type wins, as in Gremlin Server: `application/json` is the first GraphSON. Default GraphSON 3. */
  readonly serializers: ReadonlyArray<SerializerSettings>
  /** HTTP status of a refusal because pool and queue are full; with 429 and 503 a Retry-After is sent. Default 500. */
  readonly poolFullStatus: 500 | 429 | 503

  // Request pool

  /** Requests evaluated at once, at least 1. Default: number of processors. */
  readonly enginePool: number
  /** Requests that wait beyond the pool, in order. Default 8,192; 0: none waits. */
  readonly maxWorkQueueSize: number
  /** Lanes made on demand; needs Node 24 or later. Default false. */
  readonly enginePoolVirtualThreads: boolean

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
  /** Results of one request; one more fails it. Default 0, off: results stream. */
  readonly maxResults: number
  /** What one request may hold (traversers, barriers, side effects, overlay, unsent answers). Default: half of memoryBudget. */
  readonly requestMemoryLimit: number
  /**
   * Bytes of HTTP answers, all together, that may wait for their end in temporary files: of requests that write, or in
   * GraphBinary, which counts first. Default 4,294,967,296; 0 off.
   */
  readonly answerFileLimit: number
  /** What all requests together may hold; beyond it the largest one fails. Default: 60 % of the heap limit. */
  readonly memoryBudget: number
  /** Times a request outside a session is run again after a conflict, if nothing was sent. Default 5. */
  readonly conflictRetries: number
  /** Every request must name its `aliases`, and only those graphs are committed. Default false. */
  readonly strictTransactionManagement: boolean
  /** Absolute path of the only folder io() may read and write. */
  readonly ioDirectory: string
  /** Absolute paths of ES modules whose default export is a service of call(), or an array of them. Default none. */
  readonly callServices: ReadonlyArray<string>

  // Sessions and transactions

  /** Open sessions. Default 1,024. */
  readonly maxSessions: number
  /** Open sessions of one connection. Default 64. */
  readonly maxSessionsPerConnection: number
  /** Requests waiting in one session. Default 4,096. */
  readonly maxSessionTaskQueueSize: number
  /** Time without a request after which a session rolls back and ends. Default 28,800,000; 0 off. */
  readonly sessionTimeout: number
  /** The session ends after its commit or rollback, so that the connection can be shared. Default false. */
  readonly closeSessionPostGraphOp: boolean
  /** Time a transaction may be open without a request running in it. Default 60,000; 0 off. */
  readonly idleTransactionTimeout: number
  /** Time a transaction may be open at all. Default 600,000; 0 off. */
  readonly maxTransactionLifetime: number

  // Trust

  readonly authentication: AuthenticationSettings
  readonly authorization: AuthorizationSettings
  readonly ssl: SslSettings
  /** With authentication on, `/metrics` is served without credentials all the same. Default false. */
  readonly openMetrics: boolean
  /** With authentication on, the requests that run are listed at `GET /gremlin/status` without credentials. Default false. */
  readonly openStatus: boolean
  /** One log line for each request of a user. Default false. */
  readonly enableAuditLog: boolean

  // Operation

  readonly logging: LoggingSettings
  /** Requests that take longer are logged with their times by phase. Default 1,000; 0 off. */
  readonly slowQueryThreshold: number
  /** Characters of a script in logs and listings. Default 1,024. */
  readonly scriptLogLength: number
  /** Unix socket for `status` and `dump` of the launcher (mode 0600). Undefined: none. */
  readonly controlSocket: string | undefined

  // Graphs

  /** Hosted graphs by name. */
  readonly graphs: ReadonlyMap<string, GraphSettings>
  /** Names a request can use: `g` and others, each bound to a graph. */
  readonly traversalSources: ReadonlyArray<TraversalSourceSettings>
  /** Toy graphs to load before the server listens. */
  readonly datasets: ReadonlyArray<DatasetSettings>
}

/**
 * The built-in defaults, overridden. For tests and programs that start a server without a file; blocks such as
 * `authentication` are replaced as a whole. Without `graphs` the server hosts one empty TinkerGraph, `graph`, bound to `g`.
 */
export const defaultSettings = (overrides: Partial<ServerSettings> = {}): ServerSettings => {
  const memoryBudget = overrides.memoryBudget ?? Math.floor(getHeapStatistics().heap_size_limit * 0.6)
  return {
    host: "127.0.0.1",
    port: 8182,
    channelizer: "WebSocketChannelizer",
    allowedOrigins: ["loopback"],
    maxConnections: 16_384,
    maxContentLength: 10_485_760,
    maxInitialLineLength: 4_096,
    maxHeaderSize: 8_192,
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    idleConnectionTimeout: 0,
    keepAliveInterval: 30_000,
    writeBufferHighWaterMark: 65_536,
    writeStallTimeout: 15_000,
    perMessageDeflate: false,
    shutdownTimeout: 10_000,
    serializers: [{ format: "graphson-v3", untyped: false, serializeResultToString: false }],
    poolFullStatus: 500,
    enginePool: availableParallelism(),
    maxWorkQueueSize: 8_192,
    enginePoolVirtualThreads: false,
    evaluationTimeout: 30_000,
    resultIterationBatchSize: 64,
    maxParameters: 256,
    maxScriptLength: 1_048_576,
    maxNestingDepth: 256,
    maxResults: 0,
    requestMemoryLimit: Math.floor(memoryBudget / 2),
    answerFileLimit: 4_294_967_296,
    memoryBudget,
    conflictRetries: 5,
    strictTransactionManagement: false,
    ioDirectory: `${process.cwd()}/data`,
    callServices: [],
    maxSessions: 1_024,
    maxSessionsPerConnection: 64,
    maxSessionTaskQueueSize: 4_096,
    sessionTimeout: 28_800_000,
    closeSessionPostGraphOp: false,
    idleTransactionTimeout: 60_000,
    maxTransactionLifetime: 600_000,
    authentication: openAuthentication,
    authorization: { authorizer: undefined, config: {} },
    ssl: noSsl,
    openMetrics: false,
    openStatus: false,
    enableAuditLog: false,
    logging: { format: "text", level: "info", file: undefined },
    slowQueryThreshold: 1_000,
    scriptLogLength: 1_024,
    controlSocket: undefined,
    graphs: new Map([["graph", { name: "graph", ...emptyTinkerGraph }]]),
    traversalSources: [{ name: "g", graph: "graph", expression: undefined }],
    datasets: [],
    ...overrides
  }
}
