import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { copyJars, startJava } from "./JavaServers.ts"
import type { ServerProcess } from "./ServerProcess.ts"

/** JanusGraph Server 1.1 on BerkeleyJE or Cassandra, from its Maven coordinates. Needs Java 11 or 17, and Maven for the first run. */
const root = process.cwd()
const folder = join(root, ".cache", "bench", "janusgraph")
const PORT = 18_184

/** The folder of its graph. */
export const janusGraphDirectory = join(folder, "db")

const yaml = (pool: number): string => `host: 127.0.0.1
gremlinPool: ${pool}
port: ${PORT}
evaluationTimeout: 3600000
channelizer: org.apache.tinkerpop.gremlin.server.channel.WsAndHttpChannelizer
graphManager: org.janusgraph.graphdb.management.JanusGraphManager
graphs: {graph: graph.properties}
scriptEngines: {
  gremlin-groovy: {
    plugins: { org.janusgraph.graphdb.tinkerpop.plugin.JanusGraphGremlinPlugin: {},
               org.apache.tinkerpop.gremlin.server.jsr223.GremlinServerGremlinPlugin: {},
               org.apache.tinkerpop.gremlin.jsr223.ScriptFileGremlinPlugin: {files: [init.groovy]}}}}
serializers:
  - { className: org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3, config: { ioRegistries: [org.janusgraph.graphdb.tinkerpop.JanusGraphIoRegistry] }}
`

const logging = `<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="warn">
  <Appenders><Console name="OUT" target="SYSTEM_OUT"><PatternLayout pattern="%d %-5level %c{1} - %msg%n"/></Console></Appenders>
  <Loggers><Root level="warn"><AppenderRef ref="OUT"/></Root></Loggers>
</Configuration>
`

/** Downloads it unless it is already here. False when Java or Maven is missing. */
export const installJanusGraph = (): boolean => {
  if (spawnSync("java", ["-version"]).status !== 0) return false
  // An earlier version did not install janusgraph-cql.
  if (existsSync(join(folder, "lib", "janusgraph-cql-1.1.0.jar"))) return true
  return copyJars("janusgraph", join(folder, "lib"))
}

/** What JanusGraph Server starts with. */
export interface JanusGraphOptions {
  /** Heap of the JVM, MB. */
  readonly heap: number
  /** Workers (`gremlinPool`). */
  readonly pool: number
  /** Lines of the properties file of the graph, which say where it is stored. */
  readonly properties: string
}

/** The graph on BerkeleyJE. `empty` deletes it and has large id blocks for loading. BerkeleyJE rejects `storage.batch-loading`. */
export const berkeleyProperties = (empty: boolean): string => {
  if (empty) rmSync(janusGraphDirectory, { recursive: true, force: true })
  const blocks = empty ? "ids.block-size=1000000\n" : ""
  return `storage.backend=berkeleyje\nstorage.directory=${janusGraphDirectory}\n${blocks}`
}

/** Starts it, and waits until its port accepts connections. */
export const startJanusGraph = async ({ heap, pool, properties }: JanusGraphOptions): Promise<ServerProcess> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "server.yaml"), yaml(pool))
  writeFileSync(join(folder, "log4j2.xml"), logging)
  writeFileSync(join(folder, "graph.properties"), `gremlin.graph=org.janusgraph.core.JanusGraphFactory\n${properties}`)
  writeFileSync(join(folder, "init.groovy"), "def globals = [:]\nglobals << [g : traversal().withEmbedded(graph)]\n")
  const options = [
    `-Xms${heap}m`,
    `-Xmx${heap}m`,
    "-Dlog4j2.configurationFile=log4j2.xml",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
  ]
  const main = "org.janusgraph.graphdb.server.JanusGraphServer"
  return startJava({ name: "JanusGraph Server", folder, port: PORT, options, main })
}
