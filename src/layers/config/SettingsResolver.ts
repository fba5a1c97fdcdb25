import * as Redacted from "effect/Redacted"
import {
  type AuthorizationSettings,
  defaultSettings,
  type GraphSettings,
  type ServerSettings
} from "../../services/Config.ts"
import { isLoopback } from "../../services/Console.ts"
import { availableProcessors } from "../../services/Processors.ts"
import { canonical } from "../../storage/shared/CanonicalPath.ts"
import { decodeAuthentication } from "./Authentication.ts"
import { inHome, locate } from "./ConfigFolders.ts"
import type { FileSettings } from "./Fields.ts"
import {
  dataScriptsOf,
  decodeSources,
  type GraphContext,
  loadConfigurationGraph,
  loadGraph,
  loadGraphs
} from "./Graphs.ts"
import { readMethodImports } from "./Imports.ts"
import { failIfMissing, type Report } from "./Report.ts"
import { mayShareData, sharedText } from "./SameStorage.ts"
import { decodeProcessors, decodeSerializers } from "./Serializers.ts"
import { decodeSsl } from "./Ssl.ts"

/** How a graph in Cassandra becomes a separate one. */
const otherKeyspace = ({ factory }: GraphSettings): string =>
  factory.kind === "JanusGraphFactory" && factory.storage.backend === "cql"
    ? ", with another storage.cql.keyspace in its properties file"
    : ""

/** The graph of the configurations of other graphs. It must not be one that clients can query, or that of the users. */
const configurationGraphOf = (
  { graphs = {} }: FileSettings,
  others: ReadonlyArray<GraphSettings>,
  context: GraphContext
): GraphSettings | undefined => {
  const graph = loadConfigurationGraph(graphs, context)
  if (graph === undefined) return undefined
  const same = others.find((other) => mayShareData(graph, other))
  if (same === undefined) return graph
  const reason = `${sharedText(graph, same, `'${same.name}'`)}; give the configurations of graphs a separate graph`
  return context.report.fail(["graphs", graph.name], `${reason}${otherKeyspace(graph)}`)
}

/**
 * The graph of the users. It must not be one that clients can query. Beside AllowAllAuthenticator its file may be missing. One that is
 * there is read all the same: its users come back with the next authenticator, and no client may read or replace them until then.
 */
const credentialsOf = (
  { authenticator, config = {} }: FileSettings["authentication"] = {},
  graphs: ReadonlyMap<string, GraphSettings>,
  context: GraphContext
): GraphSettings | undefined => {
  const at = ["authentication", "config", "credentialsDb"]
  const path = config.credentialsDb
  if (path !== undefined && graphs.has(path)) {
    return context.report.fail(at, "names a served graph; name the properties file of a separate graph for users")
  }
  const isMissing = path === undefined || "reason" in locate(context.folders, context.file, path)
  if (path === undefined || (isMissing && authenticator === "AllowAllAuthenticator")) return undefined
  const graph = loadGraph("credentialsDb", path, at, [], context)
  if (graph === undefined) return undefined
  const served = [...graphs.values()].find((other) => mayShareData(graph, other))
  if (served !== undefined) {
    const reason = `${sharedText(graph, served, `the served graph '${served.name}'`)}, where clients could read and change the users`
    return context.report.fail(at, `${reason}; give the users a separate graph${otherKeyspace(graph)}`)
  }
  return graph
}

/** Reports a configuration that no authorizer gets: requests would have rights that it seems to deny. */
const checkAuthorizerConfig = (
  authorizer: AuthorizationSettings["authorizer"],
  config: AuthorizationSettings["config"],
  report: Report
): void => {
  const [given] = Object.keys(config)
  if (given === undefined || typeof authorizer === "object") return
  if (authorizer === undefined) {
    const remedy = "name the authorizer, or remove authorization.config"
    failIfMissing(report, ["authorization", "authorizer"], [`config.${given}`], remedy)
  } else {
    const reason = `has no effect: ${authorizer} takes no config. authentication.config.defaultRole is the role of users without one`
    report.fail(["authorization", "config", given], reason)
  }
}

const authorizationOf = (decoded: FileSettings["authorization"], context: GraphContext): AuthorizationSettings => {
  const { authorizer, config = {} } = decoded ?? {}
  checkAuthorizerConfig(authorizer, config, context.report)
  if (typeof authorizer !== "object") return { authorizer, config }
  const located = locate(context.folders, context.file, authorizer.module)
  if ("found" in located) return { authorizer: { module: located.found }, config }
  context.report.fail(["authorization", "authorizer"], located.reason)
  return { authorizer, config }
}

const channelizerOf = (decoded: FileSettings["channelizer"], context: GraphContext): ServerSettings["channelizer"] => {
  if (typeof decoded !== "object") return decoded ?? defaultSettings().channelizer
  const located = locate(context.folders, context.file, decoded.module)
  if ("found" in located) return { module: located.found }
  context.report.fail(["channelizer"], located.reason)
  return decoded
}

const callServicesOf = (decoded: FileSettings["callServices"], context: GraphContext): ReadonlyArray<string> =>
  (decoded ?? []).flatMap((path, at) => {
    const located = locate(context.folders, context.file, path)
    if ("found" in located) return [located.found]
    context.report.fail(["callServices", String(at)], located.reason)
    return []
  })

/**
 * Settings of the file that the running server has under the same name. The others describe graphs and processors, which are
 * read separately, or have no effect here.
 */
const ownSettings = ({
  graphs: _graphs,
  lifecycleHooks: _hooks,
  processors: _processors,
  scriptEngines: _engines,
  dataScripts: _dataScripts,
  graphManager: _graphManager,
  threadPoolWorker: _worker,
  threadPoolBoss: _boss,
  useEpollEventLoop: _epoll,
  maxChunkSize: _chunk,
  maxAccumulationBufferComponents: _components,
  metrics: _metrics,
  sessionLifetimeTimeout: _lifetime,
  useGlobalFunctionCacheForSessions: _cache,
  useCommonEngineForSessions: _engine,
  grpcServer: _grpc,
  threadPoolMaxQueueSize: _queue,
  writeBufferLowWaterMark: _lowWaterMark,
  perGraphCloseTimeout: _closeTimeout,
  ...own
}: FileSettings) => own

/** The folder to which a graph writes; undefined for other graphs. */
const writtenFolder = ({ factory }: GraphSettings): string | undefined => {
  if (factory.kind !== "JanusGraphFactory" || factory.storage.backend !== "lmdb" || factory.storage.readOnly) return
  return factory.storage.directory === undefined ? undefined : canonical(factory.storage.directory)
}

/** Reports graphs with the same folder: a process that closes one of them releases the locks of both. */
const checkFolders = (graphs: Iterable<GraphSettings>, report: Report): void => {
  const writers = new Map<string, string>()
  for (const graph of graphs) {
    const folder = writtenFolder(graph)
    if (folder === undefined) continue
    const same = writers.get(folder)
    writers.set(folder, same ?? graph.name)
    if (same === undefined) continue
    const names = `this has the same storage.directory as '${same}'`
    report.fail(["graphs", graph.name], `${names}; give each graph a folder, or one graph two traversal sources`)
  }
}

/** Reports a role that no user gets. Without RoleAuthorizer every user may do everything, or what a module allows. */
const checkDefaultRole = (
  { authentication: { authenticator, config } = {} }: FileSettings,
  { authorization: { authorizer } }: ServerSettings,
  report: Report
): void => {
  const isOpen = authenticator === undefined || authenticator === "AllowAllAuthenticator"
  if (isOpen || config?.defaultRole === undefined || authorizer === "RoleAuthorizer") return
  const reason =
    "has no effect: only RoleAuthorizer knows roles. Set authorization.authorizer to it, or remove this line"
  report.fail(["authentication", "config", "defaultRole"], reason)
}

/** Reports settings that contradict each other. */
const checkTogether = (decoded: FileSettings, settings: ServerSettings, report: Report): void => {
  const { graphs = {} } = decoded
  checkFolders(settings.graphs.values(), report)
  checkDefaultRole(decoded, settings, report)
  if (settings.memoryBudget > 0 && settings.requestMemoryLimit > settings.memoryBudget) {
    report.fail(["requestMemoryLimit"], `must not be more than memoryBudget, which is ${settings.memoryBudget}`)
  }
  if (Object.keys(graphs).length === 0) {
    report.fail(["graphs"], "names no graph; add one, such as 'graphs: {graph: conf/engine-server/graph.properties}'")
  }
}

/** Fills in the defaults, reads the files that the configuration names, and checks the settings against each other. */
export const resolveSettings = (decoded: FileSettings, context: GraphContext): ServerSettings => {
  const { report, folders, file } = context
  const defaults = defaultSettings(decoded.memoryBudget === undefined ? {} : { memoryBudget: decoded.memoryBudget })
  const channelizer = channelizerOf(decoded.channelizer, context)
  const graphs = loadGraphs(decoded.graphs ?? {}, context)
  const credentialsDb = credentialsOf(decoded.authentication, graphs, context)
  const others = [...graphs.values(), ...(credentialsDb === undefined ? [] : [credentialsDb])]
  const configurationGraph = configurationGraphOf(decoded, others, context)
  const authentication = decoded.authentication ?? {}
  const logFile = decoded.logging?.file
  const settings: ServerSettings = {
    ...defaults,
    ...decodeProcessors(decoded.processors, report),
    ...ownSettings(decoded),
    ...decodeSources(decoded, context),
    methodImports: readMethodImports(decoded.scriptEngines ?? {}, report),
    channelizer,
    enginePool: decoded.enginePool || availableProcessors(),
    serializers: decodeSerializers(decoded.serializers, report) ?? defaults.serializers,
    ioDirectory: inHome(folders, decoded.ioDirectory ?? "data"),
    configurationFiles: [file, ...dataScriptsOf(decoded, folders)],
    callServices: callServicesOf(decoded.callServices, context),
    authentication: decodeAuthentication(authentication, channelizer, defaults.authentication, credentialsDb, report),
    authorization: authorizationOf(decoded.authorization, context),
    ssl: decodeSsl(decoded.ssl ?? {}, defaults.ssl, file, folders, report),
    logging: {
      ...defaults.logging,
      ...decoded.logging,
      file: logFile === undefined ? undefined : inHome(folders, logFile)
    },
    controlSocket: decoded.controlSocket === undefined ? undefined : inHome(folders, decoded.controlSocket),
    graphs,
    ...(configurationGraph === undefined ? {} : { configurationGraph }),
    dynamicGraphs: {
      ...defaults.dynamicGraphs,
      ...decoded.dynamicGraphs,
      directory: inHome(folders, decoded.dynamicGraphs?.directory ?? "graphs")
    }
  }
  checkTogether(decoded, settings, report)
  warnOfExposure(settings, report)
  return settings
}

/** Warns of settings that leave the server open to others. */
const warnOfExposure = ({ authentication, host, port, ssl }: ServerSettings, { notes }: Report): void => {
  const { authenticator, hmacSecret } = authentication
  const isOpen = authenticator === "AllowAllAuthenticator"
  if (isOpen && !isLoopback(host)) {
    const text = `Authentication is off: whoever reaches ${host}:${port} can read and change the graphs`
    notes.push({ level: "warn", text })
  }
  if (!isOpen && !ssl.enabled && !isLoopback(host)) {
    const text = `TLS is off: passwords and tokens for ${host}:${port} can be read in transit, unless a proxy encrypts them`
    notes.push({ level: "warn", text })
  }
  if (!isOpen && hmacSecret !== undefined && Redacted.value(hmacSecret).length < MIN_SECRET_CHARACTERS) {
    const text = `hmacSecret has fewer than ${MIN_SECRET_CHARACTERS} characters: whoever guesses it can make tokens for every user`
    notes.push({ level: "warn", text })
  }
}

/** Secrets with fewer characters can be found by brute force from a single token. */
const MIN_SECRET_CHARACTERS = 16
