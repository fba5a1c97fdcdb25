import type { ConfigProblem } from "../../services/Config.ts"
import { jvmName } from "./ClassNames.ts"
import { isMap, type Path, pathKey, type Sourced, type Tree, valueAt, withoutValue, withValue } from "./Tree.ts"

/**
 * Other names of settings, with the same meaning: those of the JVM servers, of their older versions, and of TinkerPop 4.
 * Paths are dotted.
 */
export const aliases: ReadonlyMap<string, string> = new Map([
  ["gremlinPool", "enginePool"],
  ["gremlinPoolVirtualThreads", "enginePoolVirtualThreads"],
  ["scriptEvaluationTimeout", "evaluationTimeout"],
  ["timeoutMillis", "evaluationTimeout"],
  ["maxRequestContentLength", "maxContentLength"],
  ["idleTransactionTimeoutMillis", "idleTransactionTimeout"],
  ["maxTransactionLifetimeMillis", "maxTransactionLifetime"],
  ["maxConcurrentTransactions", "maxSessions"],
  ["perGraphCloseTimeoutMillis", "perGraphCloseTimeout"],
  ["cors.allowedOrigins", "allowedOrigins"],
  ["idleConnectionTimeoutMillis", "idleConnectionTimeout"],
  ["keepAliveIntervalMillis", "keepAliveInterval"],
  ["ssl.refreshIntervalMillis", "ssl.refreshInterval"]
])

/** Settings that are accepted without effect, and why. */
export const withoutEffect: ReadonlyMap<string, string> = new Map([
  ["graphManager", "the graph ConfigurationManagementGraph turns graphs at run time on"],
  ["threadPoolWorker", "one event loop serves the network"],
  ["threadPoolBoss", "one event loop serves the network"],
  ["useEpollEventLoop", "libuv chooses the event loop"],
  ["maxChunkSize", "bodies are read as they arrive"],
  ["maxAccumulationBufferComponents", "bodies are read as they arrive"],
  ["metrics", "GET /metrics serves them"],
  ["sessionLifetimeTimeout", "see maxTransactionLifetime and sessionTimeout"],
  ["useGlobalFunctionCacheForSessions", "the server has no Groovy engine"],
  ["useCommonEngineForSessions", "the server has no Groovy engine"],
  ["grpcServer", "there is no gRPC service"],
  ["threadPoolMaxQueueSize", "one event loop serves the network"],
  ["writeBufferLowWaterMark", "requests resume when all written data is sent"],
  ["perGraphCloseTimeout", "a rollback never waits"]
])

/** As {@link withoutEffect}, for `processors[].config`. */
const processorsWithoutEffect: ReadonlyMap<string, string> = new Map([
  ["cacheExpirationTime", "side effects are not cached"],
  ["cacheMaxSize", "side effects are not cached"],
  ["globalFunctionCacheEnabled", "the server has no Groovy engine"],
  ["perGraphCloseTimeout", "a rollback never waits"]
])

/** As {@link withoutEffect}, for `serializers[].config` of all formats and of older versions. */
export const serializersWithoutEffect: ReadonlyMap<string, string> = new Map([
  ["ioRegistries", "the types of every graph are built in"],
  ["custom", "no classes are loaded"],
  ["builder", "no classes are loaded"],
  ["useMapperFromGraph", "the types of every graph are built in"]
])

/**
 * True for the `config` of a serializer whose `ioRegistries` name JanusGraphIoRegistry. It turns JanusGraph's types of
 * messages on.
 */
export const namesJanusGraph = (config: unknown): boolean => {
  const registries: unknown = typeof config === "object" && config !== null ? Reflect.get(config, "ioRegistries") : []
  return [registries].flat().some((name) => jvmName(String(name)).startsWith("JanusGraphIoRegistry"))
}

/**
 * As {@link withoutEffect}, for `scriptEngines.<name>`. Of the `plugins`, {@link SCRIPT_FILES} and {@link IMPORTS} have an effect.
 */
const enginesWithoutEffect: ReadonlyMap<string, string> = new Map([
  ["imports", "the server has no Groovy engine"],
  ["staticImports", "the server has no Groovy engine"],
  ["config", "the server has no Groovy engine"]
])

/** The plugin whose `files` are initialisation scripts. */
export const SCRIPT_FILES = "ScriptFileGremlinPlugin"

/** The plugin whose `methodImports` are methods that scripts call without their class. */
export const IMPORTS = "ImportGremlinPlugin"

/** A path with this server's names. */
export const canonicalPath = (path: Path): Path => {
  for (let length = path.length; length > 0; length--) {
    const name = aliases.get(pathKey(path.slice(0, length)))
    if (name !== undefined) return [...name.split("."), ...path.slice(length)]
  }
  return path
}

/** Replaces other names of settings by this server's names. Reports a setting that is set under two names. */
export const withCanonicalNames = (
  sourced: Sourced,
  source: string
): Sourced & { readonly problems: ReadonlyArray<ConfigProblem> } => {
  let tree = sourced.tree
  const origins = new Map(sourced.origins)
  const problems: Array<ConfigProblem> = []
  for (const [alias, name] of aliases) {
    const from = alias.split(".")
    const value = valueAt(tree, from)
    if (value === undefined) continue
    const origin = origins.get(alias)
    const to = name.split(".")
    if (valueAt(tree, to) !== undefined) {
      const line = origin?.kind === "file" ? origin.line : undefined
      problems.push({
        source,
        line,
        setting: alias,
        reason: `this is another name of '${name}', which is set too; keep one`
      })
    } else {
      tree = withValue(tree, to, value)
      for (const [key, keyOrigin] of sourced.origins) {
        if (key === alias || key.startsWith(`${alias}.`) || key.startsWith(`${alias}[`)) {
          origins.delete(key)
          origins.set(name + key.slice(alias.length), keyOrigin)
        }
      }
    }
    tree = withoutValue(tree, from)
    const parent = valueAt(tree, from.slice(0, -1))
    if (from.length > 1 && isMap(parent) && Object.keys(parent).length === 0)
      tree = withoutValue(tree, from.slice(0, -1))
  }
  return { tree, origins, problems }
}

/** A note that lists the settings without effect; undefined when there are none. */
export const withoutEffectNote = (tree: Tree): string | undefined => {
  if (!isMap(tree)) return undefined
  const found = Object.keys(tree).flatMap((key) => reasonOf(key, withoutEffect))
  const inProcessors = configsOf(tree.processors).flatMap((config) =>
    Object.keys(config).flatMap((key) => reasonOf(key, processorsWithoutEffect))
  )
  const inSerializers = configsOf(tree.serializers).flatMap((config) =>
    Object.keys(config).flatMap((key) =>
      key === "ioRegistries" && namesJanusGraph(config) ? [] : reasonOf(key, serializersWithoutEffect)
    )
  )
  const inEngines = enginesOf(tree.scriptEngines).flatMap((engine) => [
    ...Object.keys(engine).flatMap((key) => reasonOf(key, enginesWithoutEffect)),
    ...pluginsWithoutEffect(engine.plugins)
  ])
  const all = [...new Set([...found, ...inProcessors, ...inSerializers, ...inEngines])]
  return all.length === 0 ? undefined : `Settings without effect here: ${all.join(", ")}`
}

const reasonOf = (key: string, reasons: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const reason = reasons.get(key)
  return reason === undefined ? [] : [`${key} (${reason})`]
}

const configsOf = (list: Tree | undefined) =>
  Array.isArray(list) ? list.flatMap((entry: Tree) => (isMap(entry) && isMap(entry.config) ? [entry.config] : [])) : []

const enginesOf = (engines: Tree | undefined) =>
  isMap(engines) ? Object.values(engines).flatMap((engine) => (isMap(engine) ? [engine] : [])) : []

const pluginsWithoutEffect = (plugins: Tree | undefined): ReadonlyArray<string> =>
  isMap(plugins)
    ? Object.keys(plugins)
        .map(jvmName)
        .filter((plugin) => plugin !== SCRIPT_FILES && plugin !== IMPORTS)
        .map((plugin) => `${plugin} (the server has no Groovy engine)`)
    : []
