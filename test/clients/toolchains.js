/**
 * npm run test:clients: the drivers of Java and Go against the built server, where their toolchains are present. They are
 * not part of npm test, because Maven and Go fetch some hundred packages the first time. The last line has the counts.
 */
import { spawn, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const home = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(home))
const work = join(root, ".cache", "clients")

const configuration = () => {
  mkdirSync(work, { recursive: true })
  writeFileSync(join(work, "graph.properties"), "engine.graph=TinkerGraph\n")
  writeFileSync(join(work, "tx.properties"), "engine.graph=TinkerTransactionGraph\n")
  const file = join(work, "server.yaml")
  writeFileSync(
    file,
    `host: 127.0.0.1
port: 0
channelizer: WsAndHttpChannelizer
graphs:
  graph: {configuration: graph.properties, traversalSources: [{name: g}]}
  tx: {configuration: tx.properties, traversalSources: [{name: gtx}]}
lifecycleHooks:
  - {className: TinkerFactoryDataLoader, config: {graph: graph, dataset: modern}}
`
  )
  return file
}

const startServer = () =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "bin", "engine-server.js"), configuration()], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let log = ""
    child.stdout.on("data", (data) => {
      log += data
      const port = /Channel started at port (\d+)/.exec(log)?.[1]
      if (port !== undefined) resolve({ child, port })
    })
    child.on("exit", (status) => reject(new Error(`the server ended with ${status}:\n${log}`)))
  })

const has = (command, ...args) => spawnSync(command, args, { stdio: "ignore" }).status === 0

const run = (name, command, args, cwd) => {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 600_000 })
  if (status === 0) {
    console.log(`${name}: passed`)
    return "passed"
  }
  console.log(`${name}: failed\n${stdout}\n${stderr}`)
  return "failed"
}

const java = (port) => {
  if (!has("mvn", "--version") || !has("javac", "-version")) {
    console.log("Java: skipped, there is no mvn with a JDK")
    return "skipped"
  }
  const folder = join(work, "java")
  cpSync(join(home, "java"), folder, { recursive: true })
  const args = ["-q", "-B", "compile", "exec:java", `-Dexec.args=127.0.0.1 ${port}`]
  return run("Java, gremlin-driver 3.8.1", "mvn", args, folder)
}

const go = (port) => {
  if (!has("go", "version")) {
    console.log("Go: skipped, there is no go")
    return "skipped"
  }
  const folder = join(work, "go")
  cpSync(join(home, "go"), folder, { recursive: true })
  return run("Go, gremlin-go 3.8.0", "go", ["run", ".", `ws://127.0.0.1:${port}/gremlin`], folder)
}

const counts = { passed: 0, failed: 0, skipped: 0 }
for (const client of [java, go]) {
  const { child, port } = await startServer()
  counts[client(port)]++
  child.removeAllListeners("exit")
  child.kill("SIGTERM")
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed > 0 ? 1 : 0)
