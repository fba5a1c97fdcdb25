import * as Schema from "effect/Schema"
import { defaultSettings } from "../../services/Config.ts"
import {
  bytesOrShare,
  className,
  classNameOrModule,
  flag,
  millis,
  oneOf,
  origins,
  secret,
  text,
  texts,
  timeLimit,
  whole,
  workers
} from "./Scalars.ts"

const defaults = defaultSettings()
const heap = defaults.memoryBudget / 0.6

/** An optional setting. Missing settings stay missing; defaults are added later. */
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const anything = optional(Schema.Unknown)

const authentication = Schema.Struct({
  authenticator: optional(
    className("AllowAllAuthenticator", "SimpleAuthenticator", "HMACAuthenticator", "SaslAndHMACAuthenticator")
  ),
  authenticationHandler: optional(
    className(
      "SaslAuthenticationHandler",
      "HttpBasicAuthenticationHandler",
      "SaslAndHttpBasicAuthenticationHandler",
      "HttpHMACAuthenticationHandler",
      "SaslAndHMACAuthenticationHandler"
    )
  ),
  config: optional(
    Schema.Struct({
      defaultUsername: optional(text),
      defaultPassword: optional(secret),
      credentialsDb: optional(text),
      hmacSecret: optional(secret),
      hmacAlgo: optional(oneOf("HmacSHA256", "HmacSHA384", "HmacSHA512")),
      tokenTimeout: optional(whole(1)),
      defaultRole: optional(oneOf("reader", "editor", "admin")),
      maxFailures: optional(whole(0)),
      maxUserFailures: optional(whole(0)),
      authenticationTimeout: optional(millis(1))
    })
  )
})

const store = oneOf("PKCS12", "PEM", "JKS")

const ssl = Schema.Struct({
  enabled: optional(flag),
  keyStore: optional(text),
  keyStorePassword: optional(secret),
  keyStoreType: optional(store),
  keyCertChainFile: optional(text),
  keyFile: optional(text),
  keyPassword: optional(secret),
  trustStore: optional(text),
  trustStorePassword: optional(secret),
  trustStoreType: optional(store),
  trustCertChainFile: optional(text),
  sslEnabledProtocols: optional(texts),
  sslCipherSuites: optional(texts),
  needClientAuth: optional(oneOf("NONE", "OPTIONAL", "REQUIRE")),
  refreshInterval: optional(millis())
})

const named = Schema.Struct({ className: text, config: anything })

/** A graph. Its short form, a path, is expanded before decoding. */
const graph = Schema.Struct({
  configuration: text,
  traversalSources: optional(
    Schema.Array(Schema.Struct({ name: text, gremlinExpression: optional(text), language: optional(text) }))
  )
})

const dynamicGraphs = Schema.Struct({
  allowed: optional(flag),
  directory: optional(text),
  hosts: optional(texts),
  maxGraphs: optional(whole(1)),
  maxOpenGraphs: optional(whole(1, 10_000)),
  cacheBytes: optional(bytesOrShare(heap, "the heap limit")),
  idleTimeout: optional(millis()),
  refreshInterval: optional(millis(100))
})

/** The schema of a configuration file, with this server's names. */
export const FileSchema = Schema.Struct({
  host: optional(text),
  port: optional(whole(0, 65_535)),
  channelizer: optional(
    classNameOrModule("WebSocketChannelizer", "HttpChannelizer", "WsAndHttpChannelizer", "UnifiedChannelizer")
  ),
  allowedOrigins: optional(origins),
  maxConnections: optional(whole(1)),
  maxContentLength: optional(whole(1, 2_147_483_647)),
  maxInitialLineLength: optional(whole(64)),
  maxHeaderSize: optional(whole(256)),
  headersTimeout: optional(millis(1)),
  requestTimeout: optional(millis(1)),
  idleConnectionTimeout: optional(millis()),
  keepAliveInterval: optional(millis()),
  writeBufferHighWaterMark: optional(whole(1)),
  writeStallTimeout: optional(millis()),
  console: optional(flag),
  perMessageDeflate: optional(flag),
  shutdownTimeout: optional(millis()),
  serializers: optional(Schema.Array(named)),
  poolFullStatus: optional(oneOf(500, 429, 503)),
  enginePool: optional(whole(0)),
  maxWorkQueueSize: optional(whole(0)),
  enginePoolVirtualThreads: optional(flag),
  workers: optional(workers),
  evaluationTimeout: optional(timeLimit),
  resultIterationBatchSize: optional(whole(1)),
  maxParameters: optional(whole(0)),
  maxScriptLength: optional(whole(1)),
  maxNestingDepth: optional(whole(1, 10_000)),
  closures: optional(flag),
  maxResults: optional(whole(0)),
  requestMemoryLimit: optional(bytesOrShare(heap, "the heap limit")),
  answerFileLimit: optional(whole(0)),
  memoryBudget: optional(bytesOrShare(heap, "the heap limit")),
  conflictRetries: optional(whole(0, 1_000)),
  strictTransactionManagement: optional(flag),
  ioDirectory: optional(text),
  dataScripts: optional(text),
  callServices: optional(Schema.Array(text)),
  maxSessions: optional(whole(0)),
  maxSessionsPerConnection: optional(whole(0)),
  maxSessionTaskQueueSize: optional(whole(1)),
  sessionTimeout: optional(millis()),
  closeSessionPostGraphOp: optional(flag),
  idleTransactionTimeout: optional(millis()),
  maxTransactionLifetime: optional(millis()),
  authentication: optional(authentication),
  authorization: optional(
    Schema.Struct({
      authorizer: optional(classNameOrModule("RoleAuthorizer")),
      config: optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
    })
  ),
  ssl: optional(ssl),
  openMetrics: optional(flag),
  openStatus: optional(flag),
  enableAuditLog: optional(flag),
  logging: optional(
    Schema.Struct({
      format: optional(oneOf("text", "json")),
      level: optional(oneOf("trace", "debug", "info", "warn", "error", "off")),
      file: optional(text)
    })
  ),
  slowQueryThreshold: optional(millis()),
  scriptLogLength: optional(whole(0)),
  controlSocket: optional(text),
  graphs: optional(Schema.Record({ key: Schema.String, value: graph })),
  dynamicGraphs: optional(dynamicGraphs),
  lifecycleHooks: optional(Schema.Array(named)),
  processors: optional(Schema.Array(named)),
  scriptEngines: optional(
    Schema.Record({
      key: Schema.String,
      value: Schema.Struct({
        imports: anything,
        staticImports: anything,
        scripts: optional(texts),
        config: anything,
        plugins: optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
      })
    })
  ),
  // Settings of Gremlin Server or JanusGraph Server without effect here; see Legacy.ts.
  graphManager: anything,
  threadPoolWorker: anything,
  threadPoolBoss: anything,
  useEpollEventLoop: anything,
  maxChunkSize: anything,
  maxAccumulationBufferComponents: anything,
  metrics: anything,
  sessionLifetimeTimeout: anything,
  useGlobalFunctionCacheForSessions: anything,
  useCommonEngineForSessions: anything,
  grpcServer: anything,
  threadPoolMaxQueueSize: anything,
  writeBufferLowWaterMark: anything,
  perGraphCloseTimeout: anything
})

/** A decoded file, without defaults. */
export type FileSettings = typeof FileSchema.Type
