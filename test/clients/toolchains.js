/**
 * npm run test:clients: the drivers of Java and Go against the built server, where their toolchains are present, and the
 * examples that README.md and docs/how-to/connect.md have for them. Also the example with pandas, the examples of tests with an embedded
 * graph in an empty folder, and kustomize, which Go makes and which merges the overlays for Kubernetes. With arguments, only those
 * whose names contain one of them.
 * They are not part of npm test, because Maven and Go fetch some hundred packages the first time. The last line has the counts.
 */
import { spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
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

const run = (name, command, args, cwd, prints = undefined, env = process.env) => {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, env, encoding: "utf8", timeout: 600_000 })
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
const withoutPython = () => (has("python3", "-c", "import venv, ensurepip") ? "" : "there is no python3 with venv")
const withoutGo = () => (has("go", "version") ? "" : "there is no go")

/** The user of a server that asks who it is, as --set has it. */
const asking = [
  "authentication.authenticator=SimpleAuthenticator",
  "authentication.config.credentialsDb=conf/engine-server/credentials-inmemory.properties",
  "authentication.config.defaultUsername=stephen",
  "authentication.config.defaultPassword=a:b"
]

const certificate = join(work, "server.crt")
const key = join(work, "server.key")

/** Makes a certificate of localhost, which is its own authority. Returns why it cannot. */
const withoutCertificate = () => {
  mkdirSync(work, { recursive: true })
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
  const files = ["-keyout", key, "-out", certificate]
  const isMade = has("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names, ...files)
  return isMade ? "" : "there is no openssl"
}

/** Settings of a server with TLS. */
const encrypting = ["ssl.enabled=true", `ssl.keyCertChainFile=${certificate}`, `ssl.keyFile=${key}`]

/** Makes kustomize with Go, and tests the manifests with it: `npm test` uses a kustomize or kubectl that is installed. */
const runKustomize = (name) => {
  const bin = join(work, "bin")
  const env = { ...process.env, GOBIN: bin, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const made = spawnSync("go", ["install", "sigs.k8s.io/kustomize/kustomize/v5@v5.8.1"], { env, encoding: "utf8" })
  if (made.status !== 0) {
    console.log(`${name}: failed\n${made.stderr}`)
    return "failed"
  }
  return run(name, "npx", ["vitest", "run", "test/project/Deployment.test.ts"], root, undefined, env)
}

/** What a user installs to test a program with an embedded graph. */
const testTools = [
  "gremlin@3.8.2",
  "jest@30.5.2",
  "vitest@3.2.7",
  "typescript@5.9.3",
  "@types/jest@30.0.0",
  "@types/node@20.19.41"
]

/** Runs commands one after another in a folder. Returns the output of the first that fails. */
const failureOf = (commands, cwd) => {
  for (const [command, ...args] of commands) {
    const { status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 600_000 })
    if (status !== 0) return `${command} ${args.join(" ")}\n${stdout}\n${stderr}`
  }
  return undefined
}

/** Installs the packed program in an empty folder, compiles the examples of the page as they are, and runs them. */
const runEmbedded = (name) => {
  // Outside of this repository, whose settings Vitest and TypeScript would find.
  const folder = mkdtempSync(join(tmpdir(), "engine-server-embedded-"))
  const examples = blocksOf(join(root, "docs", "how-to", "embedded-graph-in-tests.md")).filter(
    ({ language }) => language === "ts"
  )
  for (const [index, file] of ["person.ts", "vitest.test.ts", "jest.test.ts", "settings.ts"].entries())
    writeFileSync(join(folder, file), examples[index].code)
  writeFileSync(join(folder, "package.json"), '{"type":"module","private":true}')
  const compilerOptions = { strict: true, module: "nodenext", target: "es2022", outDir: "out" }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const jest = join("node_modules", "jest", "bin", "jest.js")
  const failure =
    failureOf([["npm", "pack", "--silent", "--pack-destination", folder]], root) ??
    failureOf(
      [
        ["npm", "install", "--no-audit", "--no-fund", `./engine-server-${version}.tgz`, ...testTools],
        ["npx", "tsc"],
        ["npx", "vitest", "run", "vitest.test.ts"],
        [process.execPath, "--experimental-vm-modules", jest, "out/jest.test.js"],
        [process.execPath, "out/settings.js"]
      ],
      folder
    )
  rmSync(folder, { recursive: true, force: true })
  console.log(`${name}: ${failure === undefined ? "passed" : `failed\n${failure}`}`)
  return failure === undefined ? "passed" : "failed"
}

/** Runs the example with pandas in an environment of its own. */
const runPandas = (name, port) => {
  const folder = join(work, "pandas")
  const python = join(folder, "bin", "python")
  const ready = join(folder, "ready")
  const packages = ["gremlinpython==3.8.2", "pandas==2.3.3"]
  if (!existsSync(ready)) {
    for (const [command, args] of [
      ["python3", ["-m", "venv", folder]],
      [python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages]]
    ]) {
      const { status, stderr } = spawnSync(command, args, { encoding: "utf8" })
      if (status === 0) continue
      console.log(`${name}: failed\n${stderr}`)
      return "failed"
    }
    writeFileSync(ready, "")
  }
  const { code, prints } = exampleOf("docs/how-to/notebook.md", "python", port)
  writeFileSync(join(folder, "example.py"), code)
  return run(name, python, ["example.py"], folder, prints)
}

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
    name: "Go, gremlin-go 3.8.0 through TLS, with user name and password",
    without: () => withoutGo() || withoutCertificate(),
    settings: [...asking, ...encrypting],
    run: (name, port) => {
      const args = ["run", ".", `wss://localhost:${port}/gremlin`, "stephen", "a:b", certificate]
      return run(name, "go", args, copied("go", "go-tls"))
    }
  },
  {
    name: "Go, the example of docs/how-to/connect.md",
    without: withoutGo,
    run: (name, port) => {
      const folder = copied("go", "go-example")
      rmSync(join(folder, "authentication.go"))
      const { code, prints } = exampleOf("docs/how-to/connect.md", "go", port)
      writeFileSync(join(folder, "main.go"), code)
      return run(name, "go", ["run", "."], folder, prints)
    }
  },
  { name: "Python, the example of docs/how-to/notebook.md with pandas 2.3.3", without: withoutPython, run: runPandas },
  { name: "Kubernetes, kustomize 5.8.1", without: withoutGo, run: runKustomize },
  { name: "TypeScript, the examples of docs/how-to/embedded-graph-in-tests.md", without: () => "", run: runEmbedded }
]

const counts = { passed: 0, failed: 0, skipped: 0 }
const wanted = process.argv.slice(2)
const chosen = clients.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
for (const { name, without, run: runClient, settings } of chosen) {
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
