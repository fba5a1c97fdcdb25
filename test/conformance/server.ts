import { randomBytes } from "node:crypto"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { build } from "esbuild"
import type { Artifacts } from "./Artifacts.ts"
import { startChild } from "./ChildServer.ts"
import type { Backend } from "./Options.ts"

/** The options of the tested server and its graphs. */
export interface ServerRequest {
  /** root folder of the project */
  readonly root: string
  /** folder for the configuration that is written, and for the server's own files */
  readonly directory: string
  readonly artifacts: Artifacts
  /** whether the graph that scenarios change stores null as a property value */
  readonly allowNull: boolean
  /** whether the graphs are on the test store that answers each storage call later */
  readonly asyncStore: boolean
  readonly backend: Backend
  /** worker processes of the server */
  readonly workers: number
  /** toy graphs that stay empty */
  readonly without: ReadonlyArray<string>
}

/** The tested server. It runs until `stop`. */
export interface TestServer {
  /** address of its WebSocket; HTTP is on the same port and path */
  readonly url: string
  /** Rejected, with the end of its log, when the server ends before `stop`. */
  readonly ended: Promise<never>
  readonly stop: () => Promise<void>
}

const toyGraphs = ["modern", "classic", "crew", "grateful", "sink"]

const services = "org.apache.tinkerpop.gremlin.tinkergraph.services"

/** The properties of a graph: the id types of the toy graphs, and the services that scenarios call. */
const properties = (factory: string, allowNull: boolean): string =>
  [
    `gremlin.graph=${factory}`,
    "gremlin.tinkergraph.vertexIdManager=INTEGER",
    "gremlin.tinkergraph.edgeIdManager=INTEGER",
    "gremlin.tinkergraph.vertexPropertyIdManager=LONG",
    `gremlin.tinkergraph.allowNullPropertyValues=${allowNull}`,
    `gremlin.tinkergraph.service=${services}.TinkerTextSearchFactory,${services}.TinkerDegreeCentralityFactory`
  ].join("\n")

/** The properties of a graph on lmdb, in a separate folder. */
const lmdbProperties = (folder: string): string =>
  ["gremlin.graph=org.janusgraph.core.JanusGraphFactory", "storage.backend=lmdb", `storage.directory=${folder}`].join(
    "\n"
  )

/** The properties of a graph in Cassandra, in a separate keyspace. */
const cqlProperties = (keyspace: string): string =>
  [
    "gremlin.graph=org.janusgraph.core.JanusGraphFactory",
    "storage.backend=cql",
    "storage.hostname=127.0.0.1",
    `storage.port=${process.env.CASSANDRA_PORT ?? 9042}`,
    `storage.cql.keyspace=${keyspace}`
  ].join("\n")

/** The program to start, and the class that opens its graphs. */
interface Program {
  readonly launcher: string
  /** value of `gremlin.graph` */
  readonly factory: string
}

const shipped = (root: string): Program => ({
  launcher: join(root, "bin", "engine-server.js"),
  factory: "org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph"
})

/** The test store is TypeScript: it is bundled together with the server, so that both have the same classes. */
const withTestStore = async (root: string, directory: string): Promise<Program> => {
  const outdir = join(directory, "bundle")
  await build({
    absWorkingDir: root,
    entryPoints: [join(root, "src", "main.ts"), join(root, "test", "conformance", "LaterGraphFactory.ts")],
    outdir,
    outbase: root,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "warning"
  })
  return {
    launcher: join(outdir, "src", "main.mjs"),
    factory: join(outdir, "test", "conformance", "LaterGraphFactory.mjs")
  }
}

/** Writes the configuration: a YAML file (JSON is YAML) and one properties file for each kind of graph. */
const configure = (
  { directory, artifacts, allowNull, backend, without, workers }: ServerRequest,
  factory: string
): string => {
  rmSync(join(directory, "db"), { recursive: true, force: true })
  const run = randomBytes(4).toString("hex")
  const graph = (graphName: string, ...names: ReadonlyArray<string>) => {
    const configuration = join(directory, `${graphName}.properties`)
    const written = {
      memory: () => properties(factory, allowNull && graphName === "graph"),
      lmdb: () => lmdbProperties(join(directory, "db", graphName)),
      cql: () => cqlProperties(`conformance_${run}_${graphName}`)
    }
    writeFileSync(configuration, written[backend]())
    return { configuration, traversalSources: names.map((name) => ({ name })) }
  }
  const settings = {
    host: "127.0.0.1",
    port: 0,
    workers,
    channelizer: "org.apache.tinkerpop.gremlin.server.channel.WsAndHttpChannelizer",
    graphs: {
      graph: graph("graph", "g", "ggraph"),
      ...Object.fromEntries(toyGraphs.map((name) => [name, graph(name, `g${name}`)]))
    },
    lifecycleHooks: toyGraphs
      .filter((name) => !without.includes(name))
      .map((name) => ({
        className: "org.apache.tinkerpop.gremlin.server.util.TinkerFactoryDataLoader",
        config: { graph: name, dataset: name, ...(name === "grateful" && { file: artifacts.grateful }) }
      })),
    serializers: ["GraphSONMessageSerializerV3", "GraphBinaryMessageSerializerV1"].map((name) => ({
      className: `org.apache.tinkerpop.gremlin.util.ser.${name}`
    })),
    ioDirectory: artifacts.ioDirectory
  }
  const file = join(directory, "server.yaml")
  writeFileSync(file, JSON.stringify(settings, null, 2))
  return file
}

/**
 * Starts the server as users do: a separate process with a configuration file. It listens on a free loopback port. Fails with
 * the output of the server if it does not listen in time.
 */
export const startServer = async (request: ServerRequest): Promise<TestServer> => {
  const { root, directory, asyncStore } = request
  mkdirSync(directory, { recursive: true })
  const { launcher, factory } = asyncStore ? await withTestStore(root, directory) : shipped(root)
  const configuration = configure(request, factory)
  const { port, ended, stop } = await startChild(process.execPath, [launcher, configuration], dirname(configuration))
  return { url: `ws://127.0.0.1:${port}/gremlin`, ended, stop }
}
