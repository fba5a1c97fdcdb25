import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { installationPerTest } from "./Installation.ts"

const home = installationPerTest()

const start = (...args: ReadonlyArray<string>) => {
  const started = home.server("start", ...args)
  assert.strictEqual(started.status, 0, started.stderr)
}

/** The command line of the running server. */
const words = (): ReadonlyArray<string> => readFileSync(`/proc/${home.pid()}/cmdline`, "utf8").split("\0")

/** A Node.js installation whose program reports its use. */
const nodeAt = (folder: string): void => {
  mkdirSync(home.path(folder, "bin"), { recursive: true })
  const program = home.path(folder, "bin", "node")
  writeFileSync(program, `#!/bin/sh\necho used >> '${home.path(folder, "used")}'\nexec '${process.execPath}' "$@"\n`)
  chmodSync(program, 0o755)
}

/** A Node.js installation whose program prints its words. */
const printingNode = (): string => {
  mkdirSync(home.path("printing", "bin"), { recursive: true })
  writeFileSync(home.path("printing", "bin", "node"), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
  return home.path("printing")
}

describe("An environment variable of the launcher", () => {
  it("SERVICE_HOME is the root of relative paths", () => {
    const other = home.path("another home")
    mkdirSync(other)
    cpSync(home.path("conf"), `${other}/conf`, { recursive: true })
    mkdirSync(`${other}/scripts`)
    cpSync(home.path("scripts", "empty-sample.groovy"), `${other}/scripts/empty-sample.groovy`)
    home.environment.SERVICE_HOME = other
    start()
    for (const file of ["logs/service.log", "run/service.pid", "run/service.sock"]) {
      assert.isTrue(existsSync(`${other}/${file}`), file)
    }
    assert.include(readFileSync(`${other}/logs/service.log`, "utf8"), `configured by ${other}/conf`)
    assert.strictEqual(home.server("stop").status, 0)
  })

  it("SERVICE_CONF is the folder of the default configuration and of the JVM options", async () => {
    cpSync(home.path("conf"), home.path("etc"), { recursive: true })
    const [graph = "", ...more] = readdirSync(home.path("etc", "engine-server")).filter((name) =>
      name.startsWith("graph-")
    )
    for (const name of [graph, ...more]) {
      writeFileSync(
        home.path("etc", "engine-server", name),
        "engine.graph=TinkerGraph\nengine.tinkergraph.vertexIdManager=UUID\n"
      )
    }
    writeFileSync(home.path("etc", "jvm.options"), "-Xmx222m\n")
    home.environment.SERVICE_CONF = home.path("etc")
    start()
    assert.include(home.log(), `configured by ${home.path("etc", "engine-server", "engine-server.yaml")}`)
    assert.include(words(), "--max-old-space-size=222")
    // Its files refer to each other with `conf/`, which means this folder, not the shipped one.
    const body = '{"gremlin":"g.addV().id()"}'
    const answer = await fetch(`http://127.0.0.1:${home.port()}/`, { method: "POST", body })
    assert.match(await answer.text(), /g:UUID/)
  })

  it.each(["SERVICE_HOME", "SERVICE_CONF"])("%s without JVM options leaves those of the installation", (variable) => {
    const other = home.path("another home")
    mkdirSync(other)
    writeFileSync(home.path("conf", "jvm.options"), "-Xmx222m\n")
    home.environment[variable] = other
    home.environment.NODE_HOME = printingNode()
    assert.match(home.server("console").stdout, /^--max-old-space-size=222$/m)
  })

  it("SERVICE_YAML with a missing file is reported, with the default that is used instead", () => {
    home.environment.SERVICE_YAML = "/nowhere/at-all.yaml"
    const started = home.server("start")
    assert.strictEqual(started.status, 0)
    assert.include(started.stderr, "WARNING: the configuration /nowhere/at-all.yaml is not a readable file")
    assert.include(started.stderr, home.path("conf", "engine-server", "engine-server.yaml"))
  })

  it("that the scripts use themselves have no effect", () => {
    const others = [
      "conf",
      "wanted",
      "program",
      "node",
      "socket",
      "format",
      "lock",
      "option",
      "translated",
      "log_target"
    ]
    for (const name of others) home.environment[name] = "/nowhere/at-all"
    start()
    assert.include(home.log(), `configured by ${home.path("conf", "engine-server", "engine-server.yaml")}`)
  })

  it("LOG_DIR is the folder of the log", () => {
    home.environment.LOG_DIR = home.path("var log")
    start()
    assert.include(readFileSync(home.path("var log", "service.log"), "utf8"), "Channel started at port")
    assert.isFalse(existsSync(home.path("logs")))
  })

  it("LOG_DIR is the folder of heap snapshots in the foreground, too, and the folder of the PID file never is", async () => {
    const optionOf = async (folder: string): Promise<string | undefined> => {
      const environment = { ...home.environment, LOG_DIR: folder }
      const server = spawn("sh", [home.path("bin", "service-server.sh"), "console"], {
        env: environment,
        stdio: "ignore"
      })
      while (home.server("status").stdout.split("\n").length < 3)
        await new Promise((resolve) => setTimeout(resolve, 50))
      const option = words().find((word) => word.startsWith("--diagnostic-dir"))
      server.kill("SIGTERM")
      await once(server, "exit")
      return option
    }
    assert.strictEqual(await optionOf(home.path("var log")), `--diagnostic-dir=${home.path("var log")}`)
    assert.isTrue(existsSync(home.path("var log")))
    writeFileSync(home.path("a file"), "")
    assert.isUndefined(await optionOf(home.path("a file", "logs")))
  })

  it("LOG_FILE that cannot be written is named, and nothing starts", () => {
    mkdirSync(home.path("taken"))
    home.environment.LOG_FILE = home.path("taken")
    const { status, stderr } = home.server("start")
    assert.strictEqual(status, 1)
    assert.strictEqual(stderr.trim(), `ERROR: LOG_FILE ${home.path("taken")} cannot be written; name another file.`)
  })

  it("SERVICE_LIB is the folder of the user's modules", () => {
    const authorizer = fileURLToPath(new URL("../layers/support/denying-authorizer.mjs", import.meta.url))
    mkdirSync(home.path("modules"))
    cpSync(authorizer, home.path("modules", "denying.mjs"))
    const graphs = "graphs: {graph: conf/engine-server/graph-inmemory.properties}"
    writeFileSync(
      home.path("own.yaml"),
      `${graphs}\nauthorization: {authorizer: ./denying.mjs, config: {word: drop}}\n`
    )
    assert.strictEqual(home.server("start", home.path("own.yaml")).status, 1)
    home.environment.SERVICE_LIB = home.path("modules")
    start(home.path("own.yaml"))
  })

  it("NODE_HOME names the Node.js to run, and so does JAVA_HOME if it contains one", () => {
    nodeAt("node")
    nodeAt("jvm")
    mkdirSync(home.path("a real jvm"))
    home.environment.JAVA_HOME = home.path("a real jvm")
    start()
    assert.strictEqual(home.server("stop").status, 0)
    home.environment.JAVA_HOME = home.path("jvm")
    start()
    assert.isTrue(existsSync(home.path("jvm", "used")))
    assert.strictEqual(home.server("stop").status, 0)
    home.environment.NODE_HOME = home.path("node")
    start()
    assert.isTrue(existsSync(home.path("node", "used")))
    home.environment.NODE_HOME = home.path("a real jvm")
    const failed = home.server("restart")
    assert.strictEqual(failed.status, 1)
    assert.include(failed.stderr, "set NODE_HOME to the folder of a Node.js installation")
  })

  it("JAVA_OPTIONS_FILE and conf/jvm.options have a warning if they are no files that can be read", () => {
    const status = () => home.server("status").stderr
    assert.strictEqual(status(), "")
    const shipped = home.path("conf", "jvm.options")
    // Docker makes a folder of a file to mount that does not exist.
    mkdirSync(home.path("etc", "jvm.options"), { recursive: true })
    home.environment.SERVICE_CONF = home.path("etc")
    assert.strictEqual(status(), `WARNING: the options file ${home.path("etc", "jvm.options")} cannot be read.\n`)
    rmSync(home.path("etc", "jvm.options"), { recursive: true })
    assert.strictEqual(status(), "")
    rmSync(shipped)
    assert.strictEqual(status(), "")
    home.environment.JAVA_OPTIONS_FILE = home.path("etc")
    assert.strictEqual(status(), `WARNING: the options file ${home.path("etc")} cannot be read.\n`)
    home.environment.JAVA_OPTIONS_FILE = "/dev/null"
    assert.strictEqual(status(), "")
  })

  it("JAVA_OPTIONS_FILE replaces conf/jvm.options", () => {
    writeFileSync(home.path("small.options"), "# small\n-Xmx256m\n-Xss256k\n")
    home.environment.JAVA_OPTIONS_FILE = home.path("small.options")
    start()
    const limits = words().filter((word) => word.startsWith("--max-old-space-size"))
    assert.deepStrictEqual(limits, ["--max-old-space-size=256"])
    assert.include(home.log(), "JVM options without effect on Node.js: -Xss256k")
  })

  it("JAVA_OPTIONS_FILE may have the line ends of Windows, and blanks before an option", () => {
    writeFileSync(home.path("windows.options"), "# small\r\n  -Xmx256m\r\n-Xss256k\r\n")
    home.environment.JAVA_OPTIONS_FILE = home.path("windows.options")
    start()
    assert.include(words(), "--max-old-space-size=256")
    assert.match(home.log(), /JVM options without effect on Node.js: -Xss256k$/m)
  })

  it.each(["-Xmx256m", "-XX:MaxHeapSize=256m", "--max-old-space-size=256", "--max_old_space_size=256"])(
    "NODE_OPTIONS wins with its heap limit over %s of the file",
    (option) => {
      writeFileSync(home.path("small.options"), `${option}\n`)
      home.environment.JAVA_OPTIONS_FILE = home.path("small.options")
      home.environment.NODE_OPTIONS = "--max-old-space-size=333"
      home.environment.NODE_HOME = printingNode()
      const { stdout } = home.server("console")
      assert.include(stdout, "serve")
      assert.notMatch(stdout, /max.old.space.size/)
      delete home.environment.NODE_OPTIONS
      assert.match(home.server("console").stdout, /^--max.old.space.size=256$/m)
    }
  )

  it("CP names another program", () => {
    const other = home.path("another installation")
    mkdirSync(other)
    for (const part of ["bin", "dist", "package.json"]) cpSync(home.path(part), `${other}/${part}`, { recursive: true })
    spawnSync("ln", ["-s", home.path("node_modules"), `${other}/node_modules`])
    home.environment.CP = other
    start()
    assert.isTrue(words().some((word) => dirname(word) === `${other}/bin`))
    assert.strictEqual(home.server("stop").status, 0)
    home.environment.CP = "/nowhere"
    const failed = home.server("start")
    assert.deepStrictEqual(
      [failed.status, failed.stderr.trim()],
      [1, "CP is /nowhere, where there is no server program."]
    )
  })

  it("DEBUG makes the shell print what it does", () => {
    assert.strictEqual(home.server("status").stderr, "")
    home.environment.DEBUG = "1"
    assert.include(home.server("status").stderr, "+ ")
  })

  it("of JanusGraph's launcher is used when the server's own is not set", () => {
    renameSync(home.path("conf"), home.path("janus"))
    Object.assign(home.environment, { JANUSGRAPH_CONF: home.path("janus") })
    start()
    assert.include(home.log(), `configured by ${home.path("janus", "engine-server", "engine-server.yaml")}`)
  })

  it("is documented in docs/reference/command-line.md", () => {
    const text = readFileSync(new URL("../../docs/reference/command-line.md", import.meta.url), "utf8")
    const script = readFileSync(home.path("bin", "service-server.sh"), "utf8")
    const named = new Set(
      [...script.matchAll(/\$\{((?:SERVICE|JANUSGRAPH|LOG|PID|JAVA|NODE|CP|DEBUG)\w*):-/g)].map(([, name]) => name)
    )
    // Variables from the launcher to the server.
    const toServer = ["SERVICE_DOTTED_ENVIRONMENT", "SERVICE_CONFIGURATION_FALLBACK", "SERVICE_LAUNCHER_NOTES"]
    for (const internal of toServer) named.delete(internal)
    assert.isAbove(named.size, 12)
    assert.deepStrictEqual(
      [...named].filter((name) => !text.includes(`\`${name}\``)),
      []
    )
  })
})

describe("The commands status and dump", () => {
  it("work in every transport mode, and with authentication on", () => {
    const graphs = "graphs: {graph: conf/engine-server/graph-inmemory.properties}\n"
    const authentication =
      "authentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: " +
      "conf/engine-server/credentials-inmemory.properties, defaultUsername: ada, defaultPassword: secret}}\n"
    for (const channelizer of ["WebSocketChannelizer", "HttpChannelizer"]) {
      writeFileSync(home.path("own.yaml"), `${graphs}channelizer: ${channelizer}\n${authentication}`)
      start(home.path("own.yaml"))
      const status = home.server("status")
      assert.strictEqual(status.status, 0)
      assert.include(status.stdout, `Server running with PID ${home.pid()}`)
      assert.include(home.server("dump").stdout, "engine-server-exec-1")
      assert.strictEqual(home.server("stop").status, 0)
    }
  })
})

describe("The command restart", () => {
  it("does not stop a running server if the new configuration is refused", () => {
    start()
    const before = home.pid()
    writeFileSync(home.path("wrong.yaml"), "graphs: {graph: conf/engine-server/graph-inmemory.properties}\nprot: 1\n")
    const refused = home.server("restart", home.path("wrong.yaml"))
    assert.strictEqual(refused.status, 1)
    assert.match(refused.stderr, /wrong\.yaml:2: prot: there is no such setting[\s\S]*so it was not stopped\.\n$/)
    appendFileSync(home.path("conf", "engine-server", "engine-server.yaml"), "prot: 1\n")
    const ofEnvironment = home.run("bin/service.sh", ["restart"])
    assert.strictEqual(ofEnvironment.status, 1)
    assert.include(ofEnvironment.stderr, "so it was not stopped.")
    assert.strictEqual(home.pid(), before)
    assert.strictEqual(home.server("status").status, 0)
  })

  it("uses the default configuration when no file is given", () => {
    writeFileSync(home.path("own.yaml"), "graphs: {graph: conf/engine-server/graph-inmemory.properties}\n")
    start(home.path("own.yaml"))
    const before = home.pid()
    const restarted = home.server("restart")
    assert.strictEqual(restarted.status, 0, restarted.stderr)
    assert.notStrictEqual(home.pid(), before)
    const configured = home
      .log()
      .split("\n")
      .filter((line) => line.includes("configured by"))
    assert.include(configured.at(-2), "own.yaml")
    assert.include(configured.at(-1), home.path("conf", "engine-server", "engine-server.yaml"))
  })
})

describe("The Dockerfile", () => {
  it("takes its base as an argument, runs without root, and has a health check", () => {
    const lines = readFileSync(new URL("../../Dockerfile", import.meta.url), "utf8").split("\n")
    const has = (pattern: RegExp) =>
      assert.isTrue(
        lines.some((line) => pattern.test(line)),
        String(pattern)
      )
    has(/^ARG BASE_IMAGE=/)
    has(/^FROM \$\{BASE_IMAGE\}$/)
    // The number that the folder of the data has, which the group of root can write, as on OpenShift.
    has(/^USER 999$/)
    has(/--uid 999 /)
    has(/chown service:root \/var\/lib\/engine-server/)
    has(/chmod g=u \/var\/lib\/engine-server/)
    has(/^HEALTHCHECK .*healthcheck/)
    has(/^ENTRYPOINT \["docker-entrypoint.sh"\]$/)
    // The copied files exist.
    const copied = lines.flatMap((line) => /^COPY (?!--from)(.+) \.\/?$/.exec(line)?.[1]?.split(" ") ?? [])
    assert.include(copied, "package-lock.json")
    for (const name of copied) assert.isTrue(existsSync(new URL(`../../${name}`, import.meta.url)), name)
    const container = readFileSync(home.path("conf", "engine-server", "engine-server-container.yaml"), "utf8")
    assert.match(container, /^enginePool: 8$/m)
    assert.match(container, /^host: 0\.0\.0\.0$/m)
    assert.match(container, /^workers: auto$/m)
  })
})

describe("The file conf/jvm.options", () => {
  it("has the options of JanusGraph's jvm-8.options, and docs/reference/jvm-counterparts.md says what becomes of each", () => {
    const options = readFileSync(home.path("conf", "jvm.options"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("-"))
    const collector = [
      "-XX:+UseParNewGC",
      "-XX:+UseConcMarkSweepGC",
      "-XX:+CMSParallelRemarkEnabled",
      "-XX:SurvivorRatio=8",
      "-XX:MaxTenuringThreshold=1",
      "-XX:CMSInitiatingOccupancyFraction=75",
      "-XX:+UseCMSInitiatingOccupancyOnly",
      "-XX:CMSWaitDuration=10000",
      "-XX:+CMSParallelInitialMarkEnabled",
      "-XX:+CMSEdenChunksRecordAlways",
      "-XX:+CMSClassUnloadingEnabled"
    ]
    const others = [
      "-Xms4096m",
      "-Xmx4096m",
      "-XX:+UseThreadPriorities",
      "-XX:ThreadPriorityPolicy=42",
      "-XX:+HeapDumpOnOutOfMemoryError",
      "-Xss256k",
      "-XX:+AlwaysPreTouch",
      "-XX:+UseTLAB",
      "-XX:+ResizeTLAB",
      "-XX:+UseNUMA"
    ]
    assert.includeMembers(options, [...others, ...collector])
    assert.isTrue(options.some((option) => option.startsWith("-Dengine.io.kryoShimService=")))
    const text = readFileSync(new URL("../../docs/reference/jvm-counterparts.md", import.meta.url), "utf8")
    assert.deepStrictEqual(
      others.filter((option) => !text.includes(option)),
      []
    )
    // One row covers all options of a collector that V8 does not have.
    assert.include(text, "`-XX:+UseConcMarkSweepGC` and the other CMS options")
  })
})

describe("The systemd unit", () => {
  it("starts the launcher in the foreground and reloads with SIGHUP", () => {
    const unit = readFileSync(home.path("conf", "engine-server.service"), "utf8")
    assert.match(unit, /^ExecStart=\S+\/bin\/service-server\.sh console$/m)
    assert.match(unit, /^ExecReload=\/bin\/kill -HUP \$MAINPID$/m)
    assert.notMatch(unit, /^Type=forking/m)
    // The commands of the launcher find the server in its default folders.
    assert.notMatch(unit, /^Environment=(?!SERVICE_HOME=|NODE_COMPILE_CACHE=)/m)
    // A worker that the kernel ends is replaced, and the others go on.
    assert.match(unit, /^OOMPolicy=continue$/m)
    // systemd's own check, where it is installed.
    const { error, status, stderr } = spawnSync(
      "systemd-analyze",
      ["verify", home.path("conf", "engine-server.service")],
      {
        encoding: "utf8"
      }
    )
    if (error === undefined && status !== 0) assert.notMatch(stderr, /Unknown key|Failed to parse/)
  })
})
