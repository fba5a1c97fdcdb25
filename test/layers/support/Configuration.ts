import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Redacted from "effect/Redacted"
import { emptyTinkerGraph, type GraphSettings, tinkerGraphDefaults } from "../../../src/services/GraphSettings.ts"
import type { SerializerSettings, ServerSettings } from "../../../src/services/Settings.ts"
import { openAuthentication } from "../../../src/services/TrustSettings.ts"

type Written = Readonly<Record<string, unknown>>

/** Settings as a file stores them: secrets in plain text, undefined values omitted. */
const plain = (settings: object): Written =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, Redacted.isRedacted(value) ? Redacted.value(value) : value])
  )

/** Lines of the properties file of a graph. Throws for a graph that only a program can create. */
const linesOf = ({ factory, name, options }: GraphSettings): ReadonlyArray<string> => {
  if (options.size > 0) return Array.from(options, ([key, value]) => `${key}=${value}`)
  if (factory.kind === "TinkerGraph" || factory.kind === "TinkerTransactionGraph") {
    const own = Object.entries(factory.tinkergraph).filter(
      ([key, value]) => value !== undefined && value !== tinkerGraphDefaults[key as keyof typeof tinkerGraphDefaults]
    )
    return [`engine.graph=${factory.kind}`, ...own.map(([key, value]) => `engine.tinkergraph.${key}=${value}`)]
  }
  throw new Error(`The settings of the graph '${name}' cannot be written to a file: start this server inside.`)
}

const serializer = ({ format, untyped, ...config }: SerializerSettings): Written => {
  const version = format.at(-1)
  const kind = format.startsWith("graphbinary") ? "GraphBinary" : `GraphSON${untyped ? "Untyped" : ""}`
  return { className: `${kind}MessageSerializerV${version}`, config }
}

const authenticationOf = (folder: string, settings: ServerSettings["authentication"], hasRoles: boolean): Written => {
  const { authenticator, authenticationHandler, credentialsDb, defaultRole, ...others } = settings
  if (authenticator === openAuthentication.authenticator) return {}
  // A file with a role that no authorizer knows is refused.
  const config = plain(hasRoles ? { ...others, defaultRole } : others)
  return {
    authenticator,
    authenticationHandler,
    config: { ...config, credentialsDb: graphFile(folder, credentialsDb!) }
  }
}

const graphFile = (folder: string, graph: GraphSettings): string => {
  const file = join(folder, `${graph.name}.properties`)
  writeFileSync(file, `${linesOf(graph).join("\n")}\n`)
  return file
}

const moduleOf = (setting: unknown): unknown =>
  typeof setting === "object" && setting !== null && "module" in setting ? setting.module : setting

/**
 * Writes settings as a configuration file with the files of its graphs, so that a separate process can serve them. Throws
 * for settings that only a program can set.
 *
 * @returns the path of the file
 */
export const writeConfiguration = (folder: string, settings: Partial<ServerSettings>): string => {
  mkdirSync(folder, { recursive: true })
  const {
    authentication,
    authorization,
    channelizer,
    // The process knows its own files.
    configurationFiles: _files,
    datasets,
    graphs,
    initialization,
    methodImports,
    serializers,
    ssl,
    traversalSources,
    ...scalars
  } = settings
  const served = graphs ?? new Map([["graph", { name: "graph", ...emptyTinkerGraph }]])
  const sourcesOf = (graph: string) =>
    (traversalSources ?? [])
      .filter(({ name, graph: of }) => of === graph && initialization?.defaultSources.has(name) !== true)
      .map(({ expression, name }) => ({ name, gremlinExpression: expression }))
  const files = initialization?.scripts.map(({ text }, index) => {
    const file = join(folder, `init${index}.groovy`)
    writeFileSync(file, text)
    return file
  })
  const written: Written = {
    ...scalars,
    scriptEngines: (files || methodImports) && {
      "gremlin-groovy": {
        plugins: {
          ...(files && { ScriptFileGremlinPlugin: { files } }),
          ...(methodImports && { ImportGremlinPlugin: { methodImports } })
        }
      }
    },
    channelizer: moduleOf(channelizer),
    authentication:
      authentication && authenticationOf(folder, authentication, authorization?.authorizer === "RoleAuthorizer"),
    authorization: authorization && plain({ ...authorization, authorizer: moduleOf(authorization.authorizer) }),
    ssl: ssl && plain(ssl),
    serializers: serializers?.map(serializer),
    lifecycleHooks: datasets?.map((config) => ({ className: "TinkerFactoryDataLoader", config })),
    graphs: Object.fromEntries(
      Array.from(served, ([name, graph]) => {
        const sources = sourcesOf(name)
        const configuration = graphFile(folder, graph)
        return [name, sources.length === 0 ? configuration : { configuration, traversalSources: sources }]
      })
    ),
    logging: { format: "json" }
  }
  const file = join(folder, "server.yaml")
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify(written, null, 2))
  return file
}
