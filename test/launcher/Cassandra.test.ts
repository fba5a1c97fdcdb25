import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { installationPerTest } from "./Installation.ts"

/** The default environment with SERVICE_BACKEND=cql. Its installation of Cassandra is the simulated cluster of the benchmarks. */
const home = installationPerTest()

/** A folder without spaces. */
let folder = ""
let port = 0

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

const program = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
}

/** A Java installation that only says its version. */
const javaOf = (version: string): string => {
  program(join(folder, version, "bin", "java"), `echo 'openjdk version "${version}" 2025-01-01' >&2`)
  return join(folder, version)
}

/** An installation of Cassandra. Its program listens on the port of the configuration that it is given. */
const cassandraHome = (start: string): string => {
  const root = join(folder, "cassandra home")
  program(join(root, "bin", "cassandra"), start)
  mkdirSync(join(root, "conf"))
  writeFileSync(join(root, "conf", "jvm17-server.options"), "")
  writeFileSync(
    join(root, "cluster.mjs"),
    `import { readFileSync } from "node:fs"
const yaml = readFileSync(process.env.CASSANDRA_CONF + "/cassandra.yaml", "utf8")
const port = /^native_transport_port: (\\d+)$/m.exec(yaml)[1]
process.argv = [...process.argv.slice(0, 2), "cluster", "--port", port]
await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, "..", "..", "bench", "bench.js")).href)})
`
  )
  return root
}

// The arguments of the JVM are separate words.
const RUNS = `exec '${process.execPath}' "$CASSANDRA_HOME/cluster.mjs" $JVM_EXTRA_OPTS`

const service = (...words: ReadonlyArray<string>) => home.run("bin/service.sh", words)

const pidOfCassandra = (): number => Number(readFileSync(home.path("run", "cassandra.pid"), "utf8"))

/** False for a process that has ended, also before its parent has noticed. */
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "engine-server-cassandra-"))
  port = await freePort()
  Object.assign(home.environment, {
    SERVICE_BACKEND: "cql",
    CASSANDRA_PORT: String(port),
    CASSANDRA_DATA: join(folder, "data"),
    CASSANDRA_JAVA_HOME: javaOf("17.0.15")
  })
})

afterEach(() => {
  service("stop")
  rmSync(folder, { recursive: true, force: true })
})

describe("service.sh with SERVICE_BACKEND=cql", () => {
  it("starts Cassandra and a server over it, reports both, and stops both", async () => {
    home.environment.CASSANDRA_HOME = cassandraHome(RUNS)
    const started = service("start")
    assert.strictEqual(started.status, 0, started.stderr)
    assert.match(started.stdout, /^Cassandra started \d+ on 127\.0\.0\.1:\d+\.\nServer started \d+\.\n$/)
    await home.count()
    assert.include(home.log(), `configured by ${home.path("conf", "engine-server", "engine-server-cql.yaml")}`)
    const pid = pidOfCassandra()

    const status = service("status")
    assert.strictEqual(status.status, 0)
    assert.include(status.stdout, `Server running with PID ${home.pid()}`)
    assert.include(status.stdout, `Cassandra running with PID ${pid}\n`)
    assert.include(service("start").stderr, "Server already running with PID")
    assert.isTrue(isAlive(pid), "a refused start must not stop Cassandra")

    const stopped = service("stop")
    assert.strictEqual(stopped.status, 0)
    assert.match(stopped.stdout, /^Server stopped \[\d+\]\nCassandra stopped \[\d+\]\n$/)
    assert.isFalse(isAlive(pid))
    assert.isFalse(existsSync(home.path("run", "cassandra.pid")))
    assert.deepInclude(service("status"), { status: 3, stdout: "Server not running\nCassandra not running\n" })
    assert.deepInclude(service("stop"), { status: 0, stdout: "Server not running\nCassandra not running\n" })
  })

  it("stops and reports a Cassandra of an earlier start without the variable, too", () => {
    home.environment.CASSANDRA_HOME = cassandraHome(RUNS)
    assert.strictEqual(service("start").status, 0)
    home.environment.SERVICE_BACKEND = ""
    assert.include(service("status").stdout, `Cassandra running with PID ${pidOfCassandra()}`)
    assert.match(service("stop").stdout, /Server stopped .*\nCassandra stopped /)
    assert.strictEqual(service("status").stdout, "Server not running\n")
  })

  it("listens only on the loopback address, and keeps the configuration of the installation otherwise", () => {
    home.environment.CASSANDRA_HOME = cassandraHome(RUNS)
    home.environment.CASSANDRA_STORAGE_PORT = "17999"
    assert.strictEqual(home.run("bin/service-cassandra.sh", ["start"]).status, 0)
    const yaml = readFileSync(join(folder, "data", "conf", "cassandra.yaml"), "utf8")
    for (const line of ["listen_address: 127.0.0.1", "rpc_address: 127.0.0.1", "storage_port: 17999"]) {
      assert.include(yaml, `\n${line}\n`)
    }
    assert.notInclude(yaml, "@")
    assert.isTrue(existsSync(join(folder, "data", "conf", "jvm17-server.options")))
  })

  it("stops Cassandra again when the server does not start", () => {
    home.environment.CASSANDRA_HOME = cassandraHome(RUNS)
    home.environment.ENGINESERVER__ENGINEPOOL = "many"
    const failed = service("start")
    assert.strictEqual(failed.status, 1)
    assert.include(failed.stderr, "enginePool")
    assert.match(failed.stdout, /Cassandra stopped \[\d+\]/)
    assert.isFalse(existsSync(home.path("run", "cassandra.pid")))
  })

  it("stops Cassandra again when it cannot see whether a server runs, and leaves that of a server that starts", () => {
    home.environment.CASSANDRA_HOME = cassandraHome(RUNS)
    // The launcher of the server, replaced by one that has no answer in time.
    const launcher = (status: string) =>
      program(
        home.path("bin", "service-server.sh"),
        `if [ "$1" = status ]; then ${status}; fi\n[ "$1" = stop ] || exit 4`
      )
    launcher("echo 'ERROR: this user may not read the PID file' >&2; exit 4")
    const unknown = service("start")
    assert.strictEqual(unknown.status, 1)
    assert.match(unknown.stdout, /Cassandra stopped \[\d+\]/)
    launcher("echo 'Server running with PID 1. It is still starting'; exit 4")
    assert.strictEqual(service("start").status, 4)
    assert.isTrue(isAlive(pidOfCassandra()))
  })

  it("stops nothing for a restart with a configuration that the server would not start with", () => {
    home.environment.CASSANDRA_HOME = cassandraHome(RUNS)
    assert.strictEqual(service("start").status, 0)
    const pids = [home.pid(), pidOfCassandra()]
    home.environment.ENGINESERVER__ENGINEPOOL = "many"
    const refused = service("restart")
    assert.strictEqual(refused.status, 1)
    assert.include(refused.stderr, "so it was not stopped")
    assert.deepEqual([home.pid(), pidOfCassandra()], pids)
    assert.isTrue(pids.every(isAlive))
    delete home.environment.ENGINESERVER__ENGINEPOOL
    assert.strictEqual(service("restart").status, 0)
    assert.notDeepEqual([home.pid(), pidOfCassandra()], pids)
  })

  it("leaves a Cassandra running that has not answered in time, and does not start the server", () => {
    home.environment.CASSANDRA_HOME = cassandraHome(
      `exec '${process.execPath}' -e 'setInterval(() => {}, 1000)' -- $JVM_EXTRA_OPTS`
    )
    home.environment.CASSANDRA_START_TIMEOUT = "1"
    const started = service("start")
    assert.strictEqual(started.status, 4, started.stderr)
    const pid = pidOfCassandra()
    assert.include(started.stderr, `Cassandra [${pid}] has not answered within 1 seconds, and is still starting.`)
    assert.isTrue(isAlive(pid))
    const again = service("start")
    assert.strictEqual(again.status, 4, "the next start waits for it, too")
    assert.include(again.stderr, `Cassandra [${pid}] has not answered within 1 seconds, and is still starting.`)
    assert.isFalse(existsSync(home.path("run", "service.pid")))
    assert.include(service("stop").stdout, `Cassandra stopped [${pid}]`)
  })

  it("shows the end of the log when Cassandra does not start", () => {
    home.environment.CASSANDRA_HOME = cassandraHome("echo 'the disk is full'; exit 3")
    const failed = service("start")
    assert.strictEqual(failed.status, 1)
    assert.include(failed.stderr, "Cassandra failed to start. Its log is ")
    assert.include(failed.stderr, "the disk is full")
    assert.isFalse(existsSync(home.path("run", "service.pid")), "the server must not start without its storage")
  })
})

describe("service.sh with SERVICE_BACKEND=cql says what is missing:", () => {
  it("an installation of Cassandra, and how to get one", () => {
    const refused = service("start")
    assert.strictEqual(refused.status, 1)
    assert.match(
      refused.stderr,
      /needs Cassandra 4\.1 or later: set CASSANDRA_HOME .* start --download', .* Cassandra 5\.0\.\d+ .* Maven/
    )
    home.environment.CASSANDRA_HOME = folder
    assert.include(service("start").stderr, `CASSANDRA_HOME is ${folder}, where there is no bin/cassandra`)
  })

  it("Maven for --download, which only this backend has", () => {
    // A path with the usual programs, but without Maven.
    const tools = join(folder, "tools")
    mkdirSync(tools)
    for (const name of ["sh", "sed", "dirname", "readlink", "head", "mkdir", "rm", "tr", "grep", "cat"]) {
      const found = ["/usr/bin", "/bin"].map((place) => join(place, name)).find(existsSync)
      symlinkSync(found ?? name, join(tools, name))
    }
    home.environment.PATH = tools
    home.environment.NODE_HOME = dirname(dirname(process.execPath))
    assert.include(service("start", "--download").stderr, "--download needs Maven (mvn), which is not on the path")
    home.environment.SERVICE_BACKEND = "lmdb"
    const refused = service("start", "--download")
    assert.strictEqual(refused.status, 2)
    assert.include(refused.stderr, "was given --download")
  })

  it("a version of Java that Cassandra runs on", () => {
    home.environment.CASSANDRA_HOME = cassandraHome(RUNS)
    const newer = javaOf("25.0.1")
    Object.assign(home.environment, { CASSANDRA_JAVA_HOME: newer, PATH: `${newer}/bin:/usr/bin:/bin` })
    const refused = service("start")
    assert.strictEqual(refused.status, 1)
    assert.include(refused.stderr, "Cassandra needs Java 11 or 17: set CASSANDRA_JAVA_HOME")
    assert.include(refused.stderr, `${newer} has Java 25`)
  })

  it("Java 11 for an installation without options for Java 17", () => {
    home.environment.CASSANDRA_HOME = cassandraHome(RUNS)
    rmSync(join(folder, "cassandra home", "conf", "jvm17-server.options"))
    assert.match(service("start").stderr, /needs Java 11, not 17: set CASSANDRA_JAVA_HOME/)
  })

  it("a newer Cassandra", () => {
    home.environment.CASSANDRA_HOME = cassandraHome(RUNS)
    program(join(folder, "cassandra home", "lib", "apache-cassandra-4.0.6.jar"), "")
    assert.match(service("start").stderr, /is too old \(apache-cassandra-4\.0\.6\.jar\): 4\.1 or later/)
  })

  it("a free port", async () => {
    home.environment.CASSANDRA_HOME = cassandraHome(RUNS)
    assert.strictEqual(home.run("bin/service-cassandra.sh", ["start"]).status, 0)
    const pid = readFileSync(home.path("run", "cassandra.pid"), "utf8")
    rmSync(home.path("run", "cassandra.pid"))
    const refused = service("start")
    assert.include(refused.stderr, `another process listens on 127.0.0.1:${port}. Set CASSANDRA_PORT`)
    writeFileSync(home.path("run", "cassandra.pid"), pid)
  })

  it("a path without spaces for the data", () => {
    home.environment.CASSANDRA_HOME = cassandraHome(RUNS)
    home.environment.CASSANDRA_DATA = ""
    assert.include(service("start").stderr, "must have no spaces: set CASSANDRA_DATA")
  })

  it("a backend that exists", () => {
    home.environment.SERVICE_BACKEND = "hbase"
    for (const script of ["bin/service.sh", "bin/service-server.sh"]) {
      const refused = home.run(script, ["start"])
      assert.strictEqual(refused.status, 1)
      assert.strictEqual(refused.stderr, "ERROR: SERVICE_BACKEND is hbase; it can be lmdb (the default) or cql.\n")
    }
  })
})
