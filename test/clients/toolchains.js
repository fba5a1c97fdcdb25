/**
 * npm run test:clients: the drivers of Java and Go against the built server, where their toolchains are present, and the
 * examples that README.md and docs/how-to/connect.md have for them. They are not part of npm test, because Maven and Go fetch some hundred
 * packages the first time. The last line has the counts.
 */
import { spawn, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { blocksOf } from "../documentation/Blocks.js"

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

const startServer = (settings = []) =>
  new Promise((resolve, reject) => {
    const options = settings.flatMap((setting) => ["--set", setting])
    const child = spawn(process.execPath, [join(root, "bin", "engine-server.js"), configuration(), ...options], {
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

/** Maven puts a reset of the terminal's colours around what a program prints. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g")

const run = (name, command, args, cwd, prints = undefined) => {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 600_000 })
  if (status === 0 && (prints === undefined || stdout.replaceAll(colours, "") === prints)) {
    console.log(`${name}: passed`)
    return "passed"
  }
  console.log(`${name}: failed${prints === undefined ? "" : `; it should print\n${prints}`}\n${stdout}\n${stderr}`)
  return "failed"
}

/** The example of a page in a language, with this address in it, and what it prints. */
const exampleOf = (page, language, port) => {
  const found = blocksOf(join(root, page)).find((block) => block.language === language)
  const code = found.code.replaceAll("localhost:8182", `127.0.0.1:${port}`).replace(".port(8182)", `.port(${port})`)
  return { code, prints: found.prints }
}

/** A fresh copy of a client's folder. */
const copied = (client, name = client) => {
  const folder = join(work, name)
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(home, client), folder, { recursive: true })
  return folder
}

/** Compiles and runs a class `Example`. */
const runJava = (name, { code, prints }) => {
  const folder = copied("java", "java-example")
  rmSync(join(folder, "src"), { recursive: true })
  mkdirSync(join(folder, "src", "main", "java"), { recursive: true })
  writeFileSync(join(folder, "src", "main", "java", "Example.java"), code)
  return run(name, "mvn", [...maven, "-Dexec.mainClass=Example"], folder, prints)
}

const maven = ["-q", "-B", "compile", "exec:java"]
const withoutMaven = () => (has("mvn", "--version") && has("javac", "-version") ? "" : "there is no mvn with a JDK")
const withoutGo = () => (has("go", "version") ? "" : "there is no go")

/** The user of a server that asks who it is, as --set has it. */
const asking = [
  "authentication.authenticator=SimpleAuthenticator",
  "authentication.config.credentialsDb=conf/engine-server/credentials-inmemory.properties",
  "authentication.config.defaultUsername=stephen",
  "authentication.config.defaultPassword=a:b"
]

/** What is run: its name, why it cannot be run, and how it is, against the server at a port. */
const clients = [
  {
    name: "Java, gremlin-driver 3.8.1",
    without: withoutMaven,
    run: (name, port) => run(name, "mvn", [...maven, `-Dexec.args=127.0.0.1 ${port}`], copied("java"))
  },
  {
    name: "Java, the example of docs/how-to/connect.md",
    without: withoutMaven,
    run: (name, port) => runJava(name, exampleOf("docs/how-to/connect.md", "java", port))
  },
  {
    name: "Java, the example of README.md",
    without: withoutMaven,
    run: (name, port) =>
      runJava(name, { ...exampleOf("README.md", "java", port), prints: "[marko, vadas, josh, peter]\n" })
  },
  {
    name: "Java, conf/remote.yaml as the Gremlin Console reads it, with user name and password",
    without: withoutMaven,
    settings: asking,
    run: (name, port) => {
      const folder = copied("java", "java-remote")
      const remote = readFileSync(join(root, "conf", "remote.yaml"), "utf8")
      for (const [file, password] of [
        ["right.yaml", "a:b"],
        ["wrong.yaml", "a:c"]
      ]) {
        const filled = remote.replace("port: 8182", `port: ${port}`).replace("<user>", "stephen")
        writeFileSync(join(folder, file), filled.replace("<password>", `'${password}'`))
      }
      const files = `-Dexec.args=${join(folder, "right.yaml")} ${join(folder, "wrong.yaml")}`
      return run(name, "mvn", [...maven, "-Dexec.mainClass=Remote", files], folder)
    }
  },
  {
    name: "Go, gremlin-go 3.8.0",
    without: withoutGo,
    run: (name, port) => run(name, "go", ["run", ".", `ws://127.0.0.1:${port}/gremlin`], copied("go"))
  },
  {
    name: "Go, the example of docs/how-to/connect.md",
    without: withoutGo,
    run: (name, port) => {
      const folder = copied("go", "go-example")
      const { code, prints } = exampleOf("docs/how-to/connect.md", "go", port)
      writeFileSync(join(folder, "main.go"), code)
      return run(name, "go", ["run", "."], folder, prints)
    }
  }
]

const counts = { passed: 0, failed: 0, skipped: 0 }
for (const { name, without, run: runClient, settings } of clients) {
  const missing = without()
  if (missing !== "") {
    console.log(`${name}: skipped, ${missing}`)
    counts.skipped++
    continue
  }
  const { child, port } = await startServer(settings)
  counts[runClient(name, port)]++
  child.removeAllListeners("exit")
  child.kill("SIGTERM")
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed > 0 ? 1 : 0)
