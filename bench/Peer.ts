import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { measured, type ServerProcess } from "./ServerProcess.ts"

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
  const goal = ["dependency:copy-dependencies", `-DoutputDirectory=${join(folder, "lib")}`]
  const made = spawnSync("mvn", ["-B", "-q", "-f", join(root, "bench", "peer", "pom.xml"), ...goal], {
    stdio: "inherit"
  })
  if (made.status !== 0) throw new Error("Gremlin Server cannot be fetched: mvn failed")
}

const accepts = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(PORT, "127.0.0.1")
    socket.on("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.on("error", () => resolve(false))
  })

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
  if (await accepts()) throw new Error(`port ${PORT} is taken`)
  const begin = performance.now()
  const program = ["-cp", "lib/*", "org.apache.tinkerpop.gremlin.server.GremlinServer", "server.yaml"]
  const child = spawn("java", ["-Xms512m", "-Xmx512m", ...program], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"]
  })
  while (!(await accepts())) {
    if (child.exitCode !== null) throw new Error(`Gremlin Server ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return measured(child, PORT, performance.now() - begin)
}
