import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { eventually } from "../Eventually.ts"
import { certify } from "../layers/support/Certificates.ts"
import { Installation, installationPerTest, writeSystem } from "./Installation.ts"

const home = installationPerTest()

describe("The folder of the data", () => {
  it("is reported if npm removes it with the next version of the package", () => {
    const folder = home.path("app", "node_modules", "engine-server")
    mkdirSync(folder, { recursive: true })
    const environment = { SERVICE_HOME: folder, SERVICE_CONF: home.path("conf") }
    const started = home.run("bin/service-server.sh", ["start"], { environment })
    assert.strictEqual(started.status, 0, started.stderr)
    const warning = `WARNING: the server stores its data below ${folder}, which npm removes`
    assert.include(started.stderr, warning)
    assert.strictEqual(home.run("bin/service-server.sh", ["stop"], { environment }).status, 0)

    const outside = home.server("start")
    assert.notInclude(outside.stderr, "npm removes")
  })
})

describe("The configuration of start", () => {
  it("is the argument, relative to the caller's folder, or SERVICE_YAML", () => {
    mkdirSync(home.path("mine"))
    writeFileSync(home.path("mine", "own.yaml"), "graphs: {graph: conf/engine-server/graph-inmemory.properties}\n")
    const cwd = home.path("mine")
    assert.strictEqual(home.run("bin/service-server.sh", ["start", "own.yaml"], { cwd }).status, 0)
    assert.include(home.log(), `configured by ${home.path("mine", "own.yaml")}`)
    assert.strictEqual(home.server("stop").status, 0)

    const environment = { SERVICE_YAML: home.path("mine", "own.yaml") }
    assert.strictEqual(home.run("bin/service-server.sh", ["restart"], { environment }).status, 0)
    assert.strictEqual(home.log().split(`configured by ${home.path("mine", "own.yaml")}`).length, 3)
  })

  const own = (): string => home.path("conf", "engine-server", "engine-server.yaml")

  /** Creates `mine/prod.yaml`, and returns its folder. */
  const withProd = (): string => {
    mkdirSync(home.path("mine"))
    writeFileSync(home.path("mine", "prod.yaml"), "graphs: {graph: conf/engine-server/graph-inmemory.properties}\n")
    return home.path("mine")
  }

  it("falls back to the default, and reports it last, on standard error, in the log and in the status", () => {
    const cwd = withProd()
    const started = home.run("bin/service-server.sh", ["start", "prdo.yaml"], { cwd })
    assert.strictEqual(started.status, 0)
    const text =
      `the configuration prdo.yaml is not a readable file, and ${own()} is used instead: ` +
      `${join(cwd, "prdo.yaml")}: there is no such file; did you mean ${join(cwd, "prod.yaml")}?`
    assert.strictEqual(started.stderr.trimEnd().split("\n").at(-1), `WARNING: ${text}`)
    const log = home.log()
    assert.include(log, `configured by ${own()}`)
    assert.isTrue(log.endsWith(`ERROR ${text}\n`), log)
    const { stdout } = home.server("status")
    assert.include(stdout, `configuration: ${own()}\nWARNING: ${text}\n`)
  })

  it("falls back with the same reports in the foreground", async () => {
    const environment = { ...home.environment, SERVICE_YAML: "nowhere.yaml" }
    const script = home.path("bin", "service-server.sh")
    const child = spawn("sh", [script, "console"], { env: environment, stdio: ["ignore", "pipe", "pipe"] })
    let log = ""
    let complaints = ""
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      complaints += chunk
    })
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      log += chunk
    })
    await eventually(() => home.server("status").stdout.split("\n").length >= 3)
    child.kill("SIGTERM")
    await once(child, "close")
    const said = /^WARNING: the configuration nowhere\.yaml is not a readable file, and .* is used instead: .*\n/
    assert.match(complaints, said)
    assert.strictEqual(complaints.split("\n").length, 3, complaints)
    assert.match(log, /Try: curl.*\n.*ERROR the configuration nowhere\.yaml is not a readable file/)
    assert.isFalse(existsSync(home.path("run", "service.pid")))
  })

  it("must exist with SERVICE_YAML_REQUIRED, also for a restart, which then stops nothing", () => {
    const cwd = withProd()
    assert.strictEqual(home.server("start").status, 0)
    const pid = home.pid()
    const environment = { SERVICE_YAML_REQUIRED: "true" }
    for (const words of [
      ["restart", "prdo.yaml"],
      ["console", "prdo.yaml"]
    ]) {
      const refused = home.run("bin/service-server.sh", words, { cwd, environment })
      assert.strictEqual(refused.status, 1)
      assert.match(
        refused.stderr,
        /^ERROR: the configuration prdo\.yaml is not a readable file: .*mean .*prod\.yaml\?\n$/
      )
    }
    assert.strictEqual(home.pid(), pid)
    assert.strictEqual(home.server("status").status, 0)
    assert.strictEqual(home.run("bin/service-server.sh", ["restart", "prod.yaml"], { cwd, environment }).status, 0)
    const shown = home.server("status").stdout
    assert.include(shown, `configuration: ${join(cwd, "prod.yaml")}\n`)
    assert.notInclude(shown, "WARNING")
  })

  it("must exist for commands that change data, which do not fall back", () => {
    const environment = { SERVICE_YAML: "nowhere.yaml" }
    for (const words of [
      ["import", "people.csv"],
      ["credentials", "list"]
    ]) {
      const refused = home.run("bin/service-server.sh", words, { environment })
      assert.strictEqual(refused.status, 1)
      assert.match(refused.stderr, /^ERROR: the configuration nowhere\.yaml is not a readable file: /)
    }
  })

  it("fails the start with the last lines of the log when it is wrong", () => {
    writeFileSync(
      home.path("bad.yaml"),
      "enginPool: 3\ngraphs: {graph: conf/engine-server/graph-inmemory.properties}\n"
    )
    const started = home.server("start", "bad.yaml")
    assert.strictEqual(started.status, 1)
    assert.include(started.stderr, "Server failed to start")
    assert.include(started.stderr, "bad.yaml:1: enginPool: there is no such setting; did you mean 'enginePool'?")
    assert.isFalse(existsSync(home.path("run", "service.pid")))
    assert.strictEqual(home.server("status").status, 3)
  })
})

describe("A start", () => {
  it("on a taken port fails and reports it", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    const address = other.address()
    home.environment.ENGINESERVER__PORT = String(typeof address === "object" && address?.port)
    const started = home.server("start")
    other.close()
    assert.strictEqual(started.status, 1)
    assert.include(started.stderr, home.environment.ENGINESERVER__PORT)
    assert.isFalse(existsSync(home.path("run", "service.pid")))
  })

  it("that takes longer than SERVICE_START_TIMEOUT is left running, and can be stopped", () => {
    // The server loads the module of the graph, which waits until the test lets it go on.
    const wait = `import { existsSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { openGraph, tinkerGraphDefaults } from "engine-server"
export default async (settings) => {
  while (!existsSync(${JSON.stringify(home.path("go"))})) await setTimeout(50)
  return Effect.runPromise(openGraph({ ...settings, factory: { kind: "TinkerGraph", tinkergraph: tinkerGraphDefaults } }))
}
`
    writeFileSync(home.path("conf", "slow.mjs"), wait)
    writeFileSync(home.path("conf", "slow.properties"), `engine.graph=${home.path("conf", "slow.mjs")}\n`)
    writeFileSync(home.path("conf", "slow.yaml"), "graphs: {graph: slow.properties}\n")
    home.environment.SERVICE_START_TIMEOUT = "1"
    const started = home.server("start", "slow.yaml")
    assert.strictEqual(started.status, 4, started.stderr)
    assert.include(started.stderr, `Server [${home.pid()}] has not started within 1 seconds, and is still starting.`)
    const asked = home.server("status")
    assert.strictEqual(asked.status, 4)
    assert.include(asked.stdout, `Server running with PID ${home.pid()}. It is still starting, or ending`)
    assert.include(home.server("start", "slow.yaml").stderr, `Server already running with PID ${home.pid()}`)
    assert.match(home.server("stop").stdout, /^Server stopped/)
    home.server("start", "slow.yaml")
    writeFileSync(home.path("go"), "")
    let status: number | null = 4
    while (status === 4) status = home.server("status").status
    assert.strictEqual(status, 0)
  })

  it("after a kill replaces a stale PID file", () => {
    assert.strictEqual(home.server("start").status, 0)
    const before = home.pid()
    process.kill(before, "SIGKILL")
    while (spawnSync("sh", ["-c", `kill -0 ${before} && ! grep -q ') Z ' /proc/${before}/stat`]).status === 0);
    assert.deepInclude(home.server("status"), {
      status: 1,
      stdout: `Server not running, but the PID file ${home.path("run", "service.pid")} exists\n`
    })
    assert.strictEqual(home.server("start").status, 0)
    assert.notStrictEqual(home.pid(), before)
  })

  it("ends with the reason when the disk has no room for its lock", () => {
    // A mkdir that has no room for one of the two folders of the lock.
    for (const pattern of ["*.lock", "*.lock/*"]) {
      const tools = home.path("tools")
      mkdirSync(tools, { recursive: true })
      const text = `for word; do case $word in ${pattern}) echo "mkdir: $word: No space left on device" >&2; exit 1;; esac; done`
      writeFileSync(join(tools, "mkdir"), `#!/bin/sh\n${text}\nPATH='${process.env.PATH}'\nexec mkdir "$@"\n`, {
        mode: 0o755
      })
      const { status, stderr } = home.run("bin/service-server.sh", ["start"], {
        environment: { PATH: `${tools}:${process.env.PATH}` }
      })
      assert.match(stderr, /^ERROR: the lock of the start cannot be made: mkdir: .*: No space left on device\n$/)
      assert.strictEqual(status, 1)
      assert.isFalse(existsSync(home.path("run", "service.pid.lock")))
    }
  })

  it("is the only one of several concurrent ones, also with a stale lock", async () => {
    for (const left of [[], ["run/service.pid.lock"], ["run/service.pid.lock", "run/service.pid.lock/4194305"]]) {
      for (const folder of left) {
        mkdirSync(home.path(folder), { recursive: true })
        utimesSync(home.path(folder), 0, 0)
      }
      if (left.length > 0) utimesSync(home.path("run/service.pid.lock"), 0, 0)
      const starts = Array.from({ length: 4 }, () => {
        const child = spawn("sh", [home.path("bin", "service-server.sh"), "start"], {
          env: {
            ...home.environment,
            ENGINESERVER__GRAPHS: '{"graph":"conf/engine-server/graph-inmemory.properties"}'
          },
          stdio: ["ignore", "pipe", "pipe"]
        })
        let output = ""
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding("utf8").on("data", (chunk: string) => {
            output += chunk
          })
        }
        return once(child, "close").then(() => output)
      })
      const outputs = await Promise.all(starts)
      assert.strictEqual(outputs.filter((output) => /^Server started \d+\.$/m.test(output)).length, 1, outputs.join(""))
      for (const output of outputs) {
        assert.match(
          output,
          /^(Server started \d+\.|Another start is under way.*|Server already running with PID \d+\.)\n$/
        )
      }
      assert.strictEqual(home.log().split("Channel started at port").length, 2)
      assert.isFalse(existsSync(home.path("run", "service.pid.lock")))
      assert.isFalse(existsSync(home.path("run", "service.pid.lock.takeover")))
      assert.strictEqual(home.server("stop").status, 0)
      rmSync(home.path("logs"), { recursive: true })
    }
  })

  it("ignores the lock of a killed start, and fails during another start", async () => {
    mkdirSync(home.path("run", "service.pid.lock", "4194305"), { recursive: true })
    assert.strictEqual(home.server("start").status, 0)
    assert.strictEqual(home.server("stop").status, 0)
    // Older than any start, and still running.
    const busy = spawn("sh", ["-c", "sleep 100; :", "start"], { stdio: "ignore" })
    mkdirSync(home.path("run", "service.pid.lock", String(busy.pid)), { recursive: true })
    utimesSync(home.path("run", "service.pid.lock"), 0, 0)
    const refused = home.server("start")
    busy.kill("SIGKILL")
    assert.strictEqual(refused.status, 1)
    assert.match(refused.stderr, /^Another start is under way; if not, remove .*service\.pid\.lock/)
  })

  it("ignores the lock of an earlier process with its own PID, as in a container, or with that of another start", () => {
    const lock = home.path("run", "service.pid.lock")
    const again = 'mkdir -p "$2/$$" && exec sh "$1" start'
    const started = spawnSync("sh", ["-c", again, "sh", home.path("bin", "service-server.sh"), lock], {
      encoding: "utf8",
      env: home.environment
    })
    assert.strictEqual(started.status, 0, started.stderr)
    assert.strictEqual(home.server("stop").status, 0)
    const busy = spawn("sh", ["-c", "sleep 100; :", "start"], { stdio: "ignore" })
    // Its start is not the first clock tick after the boot.
    mkdirSync(home.path("run", "service.pid.lock", `${busy.pid}.1`), { recursive: true })
    const other = home.server("start")
    busy.kill("SIGKILL")
    assert.strictEqual(other.status, 0, other.stderr)
  })

  it("keeps a file that PID_FILE names by mistake", () => {
    const file = home.path("notes.txt")
    writeFileSync(file, "1 of my notes\n")
    for (const command of ["start", "stop", "console"]) {
      const { status, stderr, stdout } = home.run("bin/service-server.sh", [command], {
        environment: { PID_FILE: file }
      })
      assert.strictEqual(status, 1)
      assert.include(stderr + stdout, `ERROR: PID_FILE ${file} exists and holds something else than a process id`)
    }
    assert.strictEqual(readFileSync(file, "utf8"), "1 of my notes\n")
    assert.isFalse(existsSync(`${file}.lock`))
  })

  it("recognises another process with the PID of the PID file", () => {
    mkdirSync(home.path("run"))
    writeFileSync(home.path("run", "service.pid"), `${process.pid}\n`)
    assert.strictEqual(home.server("status").status, 1)
    assert.strictEqual(home.server("stop").stdout, "Server not running\n")
    assert.strictEqual(home.server("start").status, 0)
  })

  it("distinguishes the server of another installation, and recognises its own by another path", () => {
    const other = new Installation().install()
    try {
      assert.strictEqual(other.server("start").status, 0)
      mkdirSync(home.path("run"))
      writeFileSync(home.path("run", "service.pid"), `${other.pid()}\n`)
      assert.strictEqual(home.server("status").status, 1)
      assert.strictEqual(home.server("stop").stdout, "Server not running\n")
      const status = other.server("status")
      assert.strictEqual(status.status, 0)
      symlinkSync(other.path("run"), home.path("link"))
      const environment = { PID_DIR: home.path("link") }
      const linked = home.run("bin/service-server.sh", ["status"], { environment })
      assert.include(linked.stdout, `Server running with PID ${other.pid()}`)
    } finally {
      other.remove()
    }
  })

  it("translates JVM options for Node.js, and lists the others once", () => {
    home.environment.JAVA_OPTIONS = "-Xmx300m -Dsome.property=*"
    assert.strictEqual(home.server("start").status, 0)
    const command = readFileSync(`/proc/${home.pid()}/cmdline`, "utf8").split("\0")
    const limits = command.filter((word) => word.startsWith("--max-old-space-size"))
    assert.deepStrictEqual(limits, ["--max-old-space-size=4096", "--max-old-space-size=300"])
    assert.include(command, "--heapsnapshot-near-heap-limit=1")
    const lines = home
      .log()
      .split("\n")
      .filter((line) => line.includes("JVM options without effect"))
    assert.strictEqual(lines.length, 1)
    assert.include(lines[0], "-Xms4096m, -XX:+UseThreadPriorities")
    assert.include(lines[0], "-Dsome.property=*")
  })

  it("limits the heap in a container also if the options file names no limit", () => {
    writeSystem(home.path("system"), {
      "proc/self/cgroup": "0::/\n",
      "sys/fs/cgroup/memory.max": `${2_000 * 1_048_576}\n`
    })
    const words = wordsOfServer()
    const limits = (options: string, environment: Readonly<Record<string, string>> = {}): ReadonlyArray<string> => {
      writeFileSync(home.path("own.options"), options)
      const own = { JAVA_OPTIONS_FILE: home.path("own.options"), SERVICE_SYSTEM_ROOT: home.path("system") }
      return words("bin/service-server.sh", { ...own, ...environment }).match(/--max-old-space-size=\d+/g) ?? []
    }
    assert.deepStrictEqual(limits("-Xss256k\n"), ["--max-old-space-size=1404"])
    assert.deepStrictEqual(limits("-Xmx100m\n"), ["--max-old-space-size=100"])
    assert.deepStrictEqual(limits("-Xss256k\n", { JAVA_OPTIONS: "-Xmx3g" }), ["--max-old-space-size=3072"])
    assert.deepStrictEqual(limits("-Xss256k\n", { NODE_OPTIONS: "--max-old-space-size=3072" }), [])
  })

  it("listens on IPv4 only with an option of the JVM", () => {
    home.environment.JAVA_OPTIONS = "-Djava.net.preferIPv4Stack=true"
    home.environment["engineserver.host"] = "0.0.0.0"
    assert.strictEqual(home.server("start").status, 0)
    assert.match(home.log(), /Channel started.*0\.0\.0\.0 \(IPv4\)/)
    assert.notInclude(home.log(), "preferIPv4Stack")
  })

  it("wants no heap snapshot while there is one, and none in a container unless JAVA_OPTIONS wants it", () => {
    const words = wordsOfServer()
    const wanted = "--heapsnapshot-near-heap-limit=1\n"
    const server = "bin/service-server.sh"
    const option = "-XX:+HeapDumpOnOutOfMemoryError"
    assert.include(words(server), wanted)
    assert.notInclude(words(server, { JAVA_OPTIONS: option.replace("+", "-") }), wanted)
    assert.notInclude(words(server, { SERVICE_HEAP_SNAPSHOTS: "false" }), wanted)
    assert.include(words(server, { SERVICE_HEAP_SNAPSHOTS: "false", JAVA_OPTIONS: option }), wanted)
    writeFileSync(home.path("logs", "Heap.1.heapsnapshot"), "")
    const again = words(server)
    assert.notInclude(again, wanted)
    assert.include(again, `writes no heap snapshot, because ${home.path("logs", "Heap.1.heapsnapshot")} exists`)
    const elsewhere = { JAVA_OPTIONS: `${option} -XX:HeapDumpPath=/nonexistent` }
    assert.include(words(server, elsewhere), wanted)
  })

  it("gives the server a young generation that holds the requests in flight", () => {
    const sizes = (): ReadonlyArray<string> =>
      readFileSync(`/proc/${home.pid()}/cmdline`, "utf8")
        .split("\0")
        .filter((word) => word.startsWith("--max-semi-space-size"))
    assert.strictEqual(home.server("start").status, 0)
    assert.deepStrictEqual(sizes(), ["--max-semi-space-size=32"])
    assert.strictEqual(home.server("stop").status, 0)
    home.environment.NODE_OPTIONS = "--max-semi-space-size=8"
    assert.strictEqual(home.server("start").status, 0)
    assert.deepStrictEqual(sizes(), [])
  })

  it("writes its files where the variables say", () => {
    const environment = {
      LOG_FILE: home.path("l", "l.log"),
      PID_DIR: home.path("p"),
      PID_FILE: home.path("p", "x.pid")
    }
    const run = (...args: ReadonlyArray<string>) => home.run("bin/service-server.sh", args, { environment })
    assert.strictEqual(run("start").status, 0)
    assert.isTrue(existsSync(home.path("p", "x.sock")))
    assert.include(readFileSync(home.path("l", "l.log"), "utf8"), "Channel started")
    assert.strictEqual(run("stop").status, 0)
  })
})

describe("A running server", () => {
  it("dumps its work as text and as JSON", () => {
    assert.strictEqual(home.server("start").status, 0)
    assert.include(home.server("dump").stdout, "engine-server-exec-1")
    const written = home.server("dump", "-format=json", home.path("dump.json"))
    assert.strictEqual(written.stdout, `Written to ${home.path("dump.json")}\n`)
    assert.include(readFileSync(home.path("dump.json"), "utf8"), "engine-server-exec-1")
    JSON.parse(readFileSync(home.path("dump.json"), "utf8"))
    assert.strictEqual(statSync(home.path("dump.json")).mode & 0o077, 0)
  })

  it("reopens its log on SIGHUP", async () => {
    assert.strictEqual(home.server("start").status, 0)
    renameSync(home.path("logs", "service.log"), home.path("logs", "old.log"))
    process.kill(home.pid(), "SIGHUP")
    await eventually(() => existsSync(home.path("logs", "service.log")))
    assert.strictEqual(home.server("stop").status, 0)
    assert.include(home.log(), "Server stopped")
  })

  it("in the foreground logs to standard output and ends with 0 on SIGTERM", async () => {
    const child = spawn(
      "sh",
      [home.path("bin", "service-server.sh"), home.path("conf", "engine-server", "engine-server.yaml")],
      {
        env: home.environment,
        stdio: ["ignore", "pipe", "inherit"]
      }
    )
    let log = ""
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      log += chunk
      if (!log.includes("Channel started") || log.includes("SIGTERM")) continue
      while (home.server("status").stdout.split("\n").length < 3)
        await new Promise((resolve) => setTimeout(resolve, 50))
      await home.count(home.port(log))
      child.kill("SIGTERM")
      break
    }
    child.stdout.resume()
    const [status] = await once(child, "exit")
    assert.strictEqual(status, 0)
    assert.isFalse(existsSync(home.path("run", "service.pid")))
  })
})

describe("SIGTERM", () => {
  /** A script that does not end. */
  const endless = "g.inject(1).repeat(identity()).until(is(2))"

  const ready = async (port: number) => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status

  /** Starts a server, sends a request, and sends the signal as soon as the request runs. */
  const signalDuring = async (evaluationTimeout: number) => {
    assert.strictEqual(home.server("start").status, 0)
    const port = home.port()
    const body = JSON.stringify({ engine: endless, evaluationTimeout })
    const answer = fetch(`http://127.0.0.1:${port}/`, { method: "POST", body }).then(
      async (response) => `${response.status} ${await response.text()}`,
      () => "cut"
    )
    await eventually(() => home.server("dump").stdout.includes("until(is(2))"))
    process.kill(home.pid(), "SIGTERM")
    return { answer, port }
  }

  it("lets a running request end, while the server reports that it is not ready", async () => {
    const { answer, port } = await signalDuring(6_000)
    await eventually(async () => (await ready(port)) !== 200)
    assert.strictEqual(await ready(port), 503)
    // It ends with a timeout error: it was not cut off.
    assert.match(await answer, /^500 .*evaluationTimeout of 6000 ms/)
    assert.match(home.server("stop").stdout, /Server (stopped|not running)/)
  })

  it("sent twice ends it at once, and leaves its PID file, which stop removes", async () => {
    const { answer } = await signalDuring(60_000)
    // Two signals that arrive together count as one.
    await eventually(() => home.log().includes("SIGTERM: no new requests"))
    process.kill(home.pid(), "SIGTERM")
    assert.strictEqual(await answer, "cut")
    await eventually(() => home.server("status").status !== 0)
    assert.strictEqual(home.server("status").status, 1)
    assert.strictEqual(home.server("stop").stdout, "Server not running\n")
    assert.strictEqual(home.server("status").status, 3)
  })
})

describe("Commands on graphs", () => {
  it("use the running server, or its files when none runs", () => {
    const file = home.path("people.csv")
    writeFileSync(file, "~id,~label,name\na,person,Ann\nb,person,Bob\n")
    assert.strictEqual(home.server("start").status, 0)
    const running = home.server("import", file)
    assert.match(running.stdout, /^Imported 2 vertices and 0 edges/)
    assert.match(home.server("verify").stdout, /^Verified 2 vertices[\s\S]*Nothing is wrong\.\n$/)
    assert.strictEqual(home.server("stop").status, 0)
    const alone = home.server("stats")
    assert.match(alone.stdout, /^Graph graph\nVertices: 2\n {2}person {2}2\n/)
    assert.strictEqual(home.server("backup").status, 1)
  })
})

describe("The usage", () => {
  it("is printed on demand, with any arguments, and for a word that is neither command nor file", () => {
    const asked = home.server("usage", "group", "artifact", "version")
    assert.strictEqual(asked.status, 0)
    assert.include(asked.stdout, "{start [conf file]|stop|restart [conf file]|status|console")
    const wrong = home.server("begin")
    assert.strictEqual(wrong.status, 2)
    assert.include(wrong.stderr, "there is no command and no configuration file 'begin'")
    assert.include(wrong.stderr, "Usage: ")
    const close = home.server("strat")
    assert.strictEqual(close.status, 2)
    assert.include(close.stderr, "'strat'; did you mean 'start'?")
    assert.strictEqual(home.server().status, 2)
  })

  it("is printed for words that another program would start a server with, or check a configuration", () => {
    writeFileSync(home.path("my.yaml"), "graphs: {graph: conf/engine-server/graph-inmemory.properties}\n")
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["serve", "my.yaml"], "'serve' is a command of "],
      [["check-config", "my.yaml"], "'check-config' is a command of "],
      [["show-config"], "'show-config' is a command of "],
      [["--host=0.0.0.0"], "There is no option '--host=0.0.0.0'."],
      [["--set=workers=2", "my.yaml"], "There is no option '--set=workers=2'."],
      [["/dev/stdin"], "'/dev/stdin' is not a readable file."],
      [["mi.yaml"], "There is no configuration file 'mi.yaml': "],
      [
        ["my.yaml", "--port", "9000"],
        "There are words after the configuration file 'my.yaml', which have no effect: '--port 9000'."
      ],
      [["start", "my.yaml", "--port", "9000"], "start takes no further words: '--port 9000'."],
      [["restart", "my.yaml", "other.yaml"], "restart takes no further words: 'other.yaml'."],
      [["console", "my.yaml", "now"], "console takes no further words: 'now'."],
      [["stop", "now"], "stop takes no further words: 'now'."],
      [["status", "all"], "status takes no further words: 'all'."],
      [["dump", "-format=json", "a", "b"], "dump takes no further words: 'b'."]
    ]
    for (const [words, reason] of cases) {
      const { status, stderr, stdout } = home.run("bin/service-server.sh", words, { cwd: home.folder })
      assert.strictEqual(status, 2, words.join(" "))
      assert.include(stderr, reason)
      assert.include(stderr, "\n\nUsage: ")
      assert.strictEqual(stdout, "")
    }
    assert.isFalse(existsSync(home.path("run")))
  })

  it("is printed instead of a start or a stop for options that the commands do not have", () => {
    assert.strictEqual(home.server("start").status, 0)
    for (const command of ["start", "stop", "restart", "status", "console", "reload", "unblock", "dump"]) {
      for (const option of ["--help", "-h"]) {
        const asked = home.server(command, option)
        assert.strictEqual(asked.status, 0, command)
        assert.match(asked.stdout, /^Usage: /)
      }
    }
    for (const command of ["start", "stop", "restart", "console"]) {
      const wrong = home.server(command, "--port")
      assert.strictEqual(wrong.status, 2, command)
      assert.match(wrong.stderr, new RegExp(`^${command} has no option '--port'\\.\n\nUsage: `))
    }
    assert.strictEqual(home.server("status").status, 0)
    assert.strictEqual(home.server("stop").status, 0)
    assert.strictEqual(home.server("status").status, 3)
  })
})

describe("Words of a wrapper that gives each command the configuration", () => {
  it("do not matter to stop, status, reload and unblock, and are no file for a dump", () => {
    const conf = home.path("my.conf")
    writeFileSync(conf, "graphs: {graph: conf/engine-server/graph-inmemory.properties}\n")
    const link = home.path("link.conf")
    symlinkSync(conf, link)
    assert.strictEqual(home.server("start", conf).status, 0)
    for (const command of ["reload", "unblock"]) {
      const alone = home.server(command)
      for (const name of [conf, link]) {
        const named = home.server(command, name)
        assert.deepStrictEqual([named.status, named.stderr], [alone.status, alone.stderr])
      }
      const other = home.server(command, "gone.yaml")
      const warning = "WARNING: the server reads the configuration that it was started with, and not gone.yaml.\n"
      assert.strictEqual(other.stderr, command === "reload" ? warning + alone.stderr : alone.stderr)
    }
    for (const words of [[conf], [link], ["gone.yaml"], ["-format=json", "graph.properties"], ["a.yml"]]) {
      const { status, stderr } = home.server("dump", ...words)
      assert.strictEqual(status, 2, words.join())
      assert.match(
        stderr,
        /^dump writes to a file, and '.*' is the (name of a configuration|configuration of the server)\.\n\nUsage: /
      )
    }
    assert.match(readFileSync(conf, "utf8"), /^graphs: /)
    for (const words of [["gone.yaml"], ["gone.yml", ""], [home.path("my.conf")], ["", ""]]) {
      assert.strictEqual(home.server("status", ...words).status, 0, words.join())
    }
    assert.strictEqual(home.server("status", "gone.yaml", "all").status, 2)
    assert.strictEqual(home.server("stop", "gone.yaml", "").status, 0)
    assert.strictEqual(home.server("status", "gone.yaml").status, 3)
  })
})

describe("The launcher of the default environment", () => {
  it("starts the default and refuses anything else, naming the right launcher", async () => {
    const refused = home.run("bin/service.sh", ["start", "own.yaml"])
    assert.strictEqual(refused.status, 2)
    assert.include(refused.stderr, `${home.path("bin", "service-server.sh")} start own.yaml`)
    const environment = { SERVICE_YAML: "own.yaml" }
    assert.strictEqual(home.run("bin/service.sh", ["start"], { environment }).status, 2)
    assert.strictEqual(home.run("bin/service.sh", ["start"]).status, 0)
    await home.count()
    assert.strictEqual(home.run("bin/service.sh", ["status"]).status, 0)
    assert.strictEqual(home.run("bin/service.sh", ["stop"]).status, 0)
  })
})

/**
 * Puts a program that prints its words and the notes of the launcher in the place of Node.js. Returns what a script prints that starts the
 * server.
 */
const wordsOfServer = (): ((script: string, environment?: Readonly<Record<string, string>>) => string) => {
  mkdirSync(home.path("node-home", "bin"), { recursive: true })
  const program = '#!/bin/sh\nprintf "%s\\n" "$@" "$SERVICE_LAUNCHER_NOTES"\n'
  writeFileSync(home.path("node-home", "bin", "node"), program, { mode: 0o755 })
  return (script, environment = {}) =>
    home.run(script, ["console"], { environment: { NODE_HOME: home.path("node-home"), ...environment } }).stdout
}

/** The settings of TLS with a new certificate, which those of clients must be signed by. */
const clientCertificates = (): string => {
  const { certificate, key } = certify("localhost")
  const [keyCertChainFile, keyFile] = [home.path("server.crt"), home.path("server.key")]
  writeFileSync(keyCertChainFile, certificate)
  writeFileSync(keyFile, key)
  const trusted = { needClientAuth: "REQUIRE", trustCertChainFile: keyCertChainFile }
  return JSON.stringify({ enabled: true, keyCertChainFile, keyFile, ...trusted })
}

describe("The entry point of the container image", () => {
  it("runs the server in the foreground with the image's configuration, and has a health check", async () => {
    writeSystem(home.path("system"), {
      "proc/self/cgroup": "0::/\n",
      "sys/fs/cgroup/memory.max": `${400 * 1_048_576}\n`
    })
    const environment = {
      ...home.environment,
      "engineserver.host": "127.0.0.1",
      SERVICE_SYSTEM_ROOT: home.path("system"),
      JANUS_INITDB_DIR: home.path("scripts-of-data")
    }
    mkdirSync(home.path("scripts-of-data"))
    const script = ":remote connect tinkerpop.server conf/remote.yaml\n:> g.addV('demigod').iterate()\n"
    writeFileSync(home.path("scripts-of-data", "load.groovy"), script)
    const entry = home.path("bin", "docker-entrypoint.sh")
    const child = spawn("sh", [entry], { env: environment, stdio: ["ignore", "pipe", "inherit"] })
    let log = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      log += chunk
    })
    const isHealthy = () => home.run(entry, ["healthcheck"]).status === 0
    await eventually(() => log.includes("Channel started") && isHealthy())
    await home.count(home.port(log))
    assert.include(readFileSync(`/proc/${home.pid()}/cmdline`, "utf8"), "--max-old-space-size=252")
    assert.include(readFileSync(`/proc/${home.pid()}/environ`, "utf8"), "SERVICE_HEAP_MEGABYTES=300")
    assert.match(log, /-Xmx4096m of \S.* is more than the memory allows: the heap has at most 252 MB/)
    assert.notInclude(readFileSync(`/proc/${home.pid()}/cmdline`, "utf8"), "--heapsnapshot")
    assert.include(log, "engine-server-container.yaml")
    assert.include(log, "load.groovy of dataScripts is done")
    child.kill("SIGTERM")
    const [status] = await once(child, "exit")
    assert.strictEqual(status, 0)
    assert.strictEqual(home.run(entry, ["healthcheck"]).status, 1)
    assert.strictEqual(home.run(entry, ["echo", "hello"]).stdout, "hello\n")
  })

  it("reads the variables of JanusGraph's image, and refuses wrong values", () => {
    mkdirSync(home.path("initdb"))
    writeFileSync(home.path("initdb", "load.groovy"), "g.addV().iterate()")
    const show = (environment: Readonly<Record<string, string>>) =>
      home.run("bin/docker-entrypoint.sh", ["show-config"], { environment })
    const template = show({ JANUS_PROPS_TEMPLATE: "cql-es", JANUSGRAPH__STORAGE__HOSTNAME: "cassandra" })
    assert.include(template.stdout, "janusgraph-cql-es.properties")
    assert.include(template.stdout, "cassandra")
    const withEngine = readFileSync(home.path("conf", "engine-server", "janusgraph-cql-es.properties"), "utf8")
    assert.include(withEngine, "index.search.backend=elasticsearch")
    assert.notInclude(template.stderr, "own store")
    const onDisk = show({ JANUS_PROPS_TEMPLATE: "berkeleyje-es" })
    assert.include(onDisk.stdout, "janusgraph-berkeleyje.properties")
    assert.include(onDisk.stderr, "JANUS_PROPS_TEMPLATE=berkeleyje-es: mixed indexes are kept in the graph's own store")
    assert.include(show({ JANUS_STORAGE_TIMEOUT: "soon" }).stderr, "it is a number of seconds")
    writeFileSync(home.path("initdb", "notes.txt"), "")
    const scripts = show({ JANUS_INITDB_DIR: home.path("initdb") })
    assert.include(scripts.stdout, "load.groovy")
    assert.include(scripts.stderr, "notes.txt is not run")
    assert.include(show({ JANUS_INITDB_DIR: home.path("none") }).stderr, "which is not a folder")
    // The image names its configuration by its plain path.
    const shipped = home.path("conf", "engine-server", "engine-server-container.yaml")
    const inImage = show({ JANUS_PROPS_TEMPLATE: "inmemory", SERVICE_YAML: shipped })
    assert.include(inImage.stdout, "janusgraph-inmemory.properties")
    const unknown = show({ JANUS_PROPS_TEMPLATE: "hbase" })
    assert.strictEqual(unknown.status, 1)
    assert.include(unknown.stderr, "JANUS_PROPS_TEMPLATE is hbase")
  })

  it("prefers a mounted configuration", () => {
    mkdirSync(home.path("mounted"))
    writeFileSync(
      home.path("mounted", "janusgraph-server.yaml"),
      "gremlinPool: 5\ngraphs: {graph: conf/engine-server/graph-inmemory.properties}\n"
    )
    const environment = { SERVICE_CONFIG_DIR: home.path("mounted") }
    const shown = home.run("bin/docker-entrypoint.sh", ["show-config"], { environment })
    assert.match(shown.stdout, /^enginePool: 5 +#.*mounted\/janusgraph-server\.yaml:1$/m)
    assert.match(home.run("bin/docker-entrypoint.sh", ["show-config"]).stdout, /^enginePool: 8 /m)
  })

  it("finds the configuration in the folder of JanusGraph's image, and warns of variables without effect", () => {
    mkdirSync(home.path("janus"))
    const graphFile = "gremlin.graph=org.janusgraph.core.JanusGraphFactory\nstorage.backend=inmemory\n"
    writeFileSync(home.path("janus", "janusgraph.properties"), graphFile)
    const show = (more: Readonly<Record<string, string>> = {}) =>
      home.run("bin/docker-entrypoint.sh", ["show-config"], {
        environment: { SERVICE_CONFIG_DIR: home.path("none"), JANUS_CONFIG_DIR: home.path("janus"), ...more }
      })
    const onlyGraph = show()
    assert.match(onlyGraph.stdout, /^enginePool: 8 /m)
    assert.include(onlyGraph.stdout, home.path("janus", "janusgraph.properties"))
    assert.strictEqual(onlyGraph.stderr, "")
    writeFileSync(
      home.path("janus", "janusgraph-server.yaml"),
      "gremlinPool: 6\ngraphs: {graph: conf/engine-server/graph-inmemory.properties}\n"
    )
    const whole = show()
    assert.match(whole.stdout, /^enginePool: 6 +#.*janus\/janusgraph-server\.yaml:1$/m)
    assert.notInclude(whole.stdout, home.path("janus", "janusgraph.properties"))
    const ofImage = `${home.path("janus", "janusgraph.properties")} has no effect`
    assert.include(whole.stderr, `${ofImage}: ${home.path("janus", "janusgraph-server.yaml")} names the graphs.`)
    writeFileSync(
      home.path("janus", "janusgraph-server.yaml"),
      `graphs: {graph: ${JSON.stringify(home.path("janus", "janusgraph.properties"))}}
`
    )
    assert.strictEqual(show().stderr, "")
    const empty = show({ JANUS_CONFIG_DIR: home.path("none"), JANUS_DATA_DIR: "/var/lib/janusgraph" })
    assert.include(empty.stderr, "JANUS_CONFIG_DIR has no effect")
    assert.include(empty.stderr, "JANUS_DATA_DIR has no effect")
  })

  it("passes the words after check-config and show-config on", () => {
    const entry = (...words: ReadonlyArray<string>) => home.run("bin/docker-entrypoint.sh", words)
    writeFileSync(home.path("wrong.yaml"), "graphs: {graph: none.properties}\n")
    for (const before of [[], ["engine-server"]]) {
      const checked = entry(...before, "check-config", home.path("wrong.yaml"))
      assert.strictEqual(checked.status, 1)
      assert.include(checked.stdout + checked.stderr, "none.properties")
      const shown = JSON.parse(entry(...before, "show-config", "--format", "json").stdout)
      assert.include(JSON.stringify(shown), "engine-server-container.yaml")
    }
    assert.strictEqual(entry("check-config").status, 0)
    assert.notStrictEqual(entry("check-config", "missing").status, 0)
  })

  it.each([
    ["that PID_FILE names", () => ({ PID_FILE: home.path("run", "other.pid") })],
    ["that requires certificates of clients", () => ({ ENGINESERVER__SSL: clientCertificates() })]
  ])("has a health check of the server %s", async (_, changes) => {
    const environment = { ...home.environment, "engineserver.host": "127.0.0.1", ...changes() }
    const entry = home.path("bin", "docker-entrypoint.sh")
    const child = spawn("sh", [entry], { env: environment, stdio: ["ignore", "pipe", "inherit"] })
    let log = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      log += chunk
    })
    const isHealthy = () => home.run(entry, ["healthcheck"], { environment }).status === 0
    await eventually(() => log.includes("Channel started") && isHealthy())
    child.kill("SIGTERM")
    await once(child, "exit")
  })
})
