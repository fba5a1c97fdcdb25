import { getHeapStatistics } from "node:v8"
import { dynamicGraphDefaults } from "./DynamicGraphs.ts"
import { emptyTinkerGraph } from "./GraphSettings.ts"
import { availableProcessors } from "./Processors.ts"
import type { ServerSettings } from "./Settings.ts"
import { noSsl, openAuthentication } from "./TrustSettings.ts"

/** The defaults of the request pool and of workers. */
const poolDefaults = (): Pick<
  ServerSettings,
  "enginePool" | "enginePoolVirtualThreads" | "maxWorkQueueSize" | "workers"
> => ({
  enginePool: availableProcessors(),
  maxWorkQueueSize: 8_192,
  enginePoolVirtualThreads: false,
  workers: 1
})

/** An empty TinkerGraph as `g`. */
const oneGraph = (): Pick<ServerSettings, "graphs" | "traversalSources"> => ({
  graphs: new Map([["graph", { name: "graph", ...emptyTinkerGraph }]]),
  traversalSources: [{ name: "g", graph: "graph", expression: undefined }]
})

/** The default of `memoryBudget`, bytes. */
const shareOfHeap = (): number => Math.floor(getHeapStatistics().heap_size_limit * 0.6)

/**
 * The settings that have a value. A program may pass `host: process.env.HOST`: without the variable this is no host at all, and
 * a server without a host listens on all interfaces.
 */
export const givenSettings = (settings: Partial<ServerSettings>): Partial<ServerSettings> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))

/**
 * The defaults, with overrides. For tests and programs that start a server without a file. Blocks such as `authentication`
 * are replaced as a whole. An override that is undefined keeps the default. Without `graphs` the server has one empty
 * TinkerGraph, `graph`, bound to `g`.
 */
export const defaultSettings = (overrides: Partial<ServerSettings> = {}): ServerSettings => {
  const memoryBudget = overrides.memoryBudget ?? shareOfHeap()
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
    console: undefined,
    perMessageDeflate: false,
    shutdownTimeout: 10_000,
    serializers: [{ format: "graphson-v3", untyped: false, serializeResultToString: false }],
    poolFullStatus: 500,
    ...poolDefaults(),
    evaluationTimeout: 30_000,
    resultIterationBatchSize: 64,
    maxParameters: 256,
    maxScriptLength: 1_048_576,
    maxNestingDepth: 256,
    closures: undefined,
    methodImports: [],
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
    // Without a limit of requests, caches still have one.
    dynamicGraphs: dynamicGraphDefaults(memoryBudget || shareOfHeap()),
    ...oneGraph(),
    datasets: [],
    initialization: undefined,
    ...givenSettings(overrides)
  }
}
