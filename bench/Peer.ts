import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { copyJars, startJava } from "./JavaServers.ts"
import type { ServerProcess } from "./ServerProcess.ts"

/** Gremlin Server 3.8.1 as the reference, from its Maven coordinates. Needs Java 11 or 17, and Maven for the first run. */
const root = process.cwd()
const folder = join(root, ".cache", "bench", "peer")
const PORT = 18_183

const yaml = `host: 127.0.0.1
port: ${PORT}
channelizer: org.apache.tinkerpop.gremlin.server.channel.WsAndHttpChannelizer
graphs: {graph: graph.properties}
scriptEngines: {
  gremlin-groovy: {
    plugins: { org.apache.tinkerpop.gremlin.server.jsr223.GremlinServerGremlinPlugin: {},
               org.apache.tinkerpop.gremlin.tinkergraph.jsr223.TinkerGraphGremlinPlugin: {},
               org.apache.tinkerpop.gremlin.jsr223.ScriptFileGremlinPlugin: {files: [init.groovy]}}},
  gremlin-lang: {}}
serializers:
  - { className: org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3 }
  - { className: org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1 }
`

const install = (): void => {
  if (existsSync(join(folder, "lib"))) return
  if (!copyJars("peer", join(folder, "lib"))) throw new Error("Gremlin Server cannot be fetched: mvn failed")
}

/** Starts it with an empty TinkerGraph and both transports, with a heap of 512 MB. */
export const startPeer = async (): Promise<ServerProcess> => {
  install()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "server.yaml"), yaml)
  writeFileSync(
    join(folder, "graph.properties"),
    "gremlin.graph=org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph\n"
  )
  writeFileSync(join(folder, "init.groovy"), "def globals = [:]\nglobals << [g : traversal().withEmbedded(graph)]\n")
  return startJava({
    name: "Gremlin Server",
    folder,
    port: PORT,
    options: ["-Xms512m", "-Xmx512m"],
    main: "org.apache.tinkerpop.gremlin.server.GremlinServer"
  })
}
