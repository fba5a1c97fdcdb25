import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { exitStatus, run } from "../../../src/layers/commands/CommandLine.ts"
import * as ControlSocket from "../../../src/layers/commands/ControlSocket.ts"
import type { Serve, Surroundings } from "../../../src/layers/commands/Surroundings.ts"
import type { ServerSettings } from "../../../src/services/Config.ts"
import { newFolder } from "../../Folders.ts"
import { tinkerGraph, withFiles } from "../config/Folder.ts"

const files = {
  "server.yaml": "graphs: {graph: graph.properties}\nenginePool: 3\nmaxChunkSize: 1\n",
  "bad.yaml": "graphs: {graph: graph.properties}\nenginPool: 3\n",
  "typo.yaml": "graphs: {graph: grahp.properties}\n",
  "secured.yaml":
    "graphs: {graph: graph.properties}\nauthentication: {authenticator: HMACAuthenticator, config: {credentialsDb: users.properties, hmacSecret: hush}}\nchannelizer: HttpChannelizer\n",
  "graph.properties": tinkerGraph,
  "users.properties": `${tinkerGraph}gremlin.tinkergraph.vertexIdManager=LONG\n`
}

const noPassword: Surroundings["password"] = () => Promise.reject(new Error("no password must be asked for"))

const noServer: Surroundings["serve"] = () => Promise.reject(new Error("the server must not be loaded"))

/** Runs the command line in a folder with these files, and captures standard error. */
const execute = (
  args: ReadonlyArray<string>,
  options: {
    readonly serve?: Surroundings["serve"]
    readonly environment?: Surroundings["environment"]
    readonly files?: Readonly<Record<string, string>>
  } = {}
) =>
  withFiles({ ...files, ...options.files }, (cwd) =>
    Effect.gen(function* () {
      let printed = ""
      let complained = ""
      const write = process.stderr.write
      process.stderr.write = ((text: string) => {
        complained += text
        return true
      }) as typeof write
      const exit = yield* run({
        arguments: args,
        environment: options.environment ?? {},
        cwd,
        print: (text) => {
          printed += text
        },
        serve: options.serve ?? noServer,
        password: noPassword
      }).pipe(
        Effect.exit,
        Effect.ensuring(
          Effect.sync(() => {
            process.stderr.write = write
          })
        )
      )
      return {
        status: exitStatus(exit),
        printed: printed.replaceAll(`${cwd}/`, ""),
        complained: complained.replaceAll(`${cwd}/`, "")
      }
    })
  )

describe("The command line", () => {
  it.effect("prints version and help without loading the server", () =>
    Effect.gen(function* () {
      const version = yield* execute(["--version"])
      assert.match(version.printed, /^engine-server \d+\.\d+\.\d+\n$/)
      assert.include((yield* execute(["--help"])).printed, "check-config")
    })
  )

  it.scopedLive("reports by the exit status of 'status' that no worker serves", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      for (const [name, serving] of [
        ["none", 0],
        ["all", 20]
      ] as const) {
        const path = join(folder, `${name}.sock`)
        const text = Effect.succeed(`primary: process 1\nworkers: ${serving} serve\n`)
        yield* ControlSocket.listen(path, { status: text, dump: () => text })
        const { complained, printed, status } = yield* execute(["status", "--control-socket", path])
        assert.include(printed, `workers: ${serving} serve`)
        assert.deepStrictEqual(
          [status, complained],
          serving === 0 ? [4, "No worker of the server serves: its log says why.\n"] : [0, ""]
        )
      }
    })
  )

  it.effect("exits with 2 when it is wrong", () =>
    Effect.gen(function* () {
      for (const args of [
        ["--colour"],
        ["a.yaml", "b.yaml"],
        ["--set", "x"],
        ["dump", "--format", "xml"],
        ["status"]
      ]) {
        const { complained, status } = yield* execute(args)
        assert.strictEqual(status, 2, args.join(" "))
        assert.include(complained, "Try 'engine-server --help'")
      }
    })
  )

  it.effect("suggests similar commands, options and files", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [ReadonlyArray<string>, number, string]> = [
        [["imprt"], 2, "there is no command and no configuration file 'imprt'; did you mean 'import'?"],
        [["imprt", "people.csv"], 2, "'imprt'; did you mean 'import'?"],
        [["Stats"], 2, "'Stats'; did you mean 'stats'?"],
        [["stop"], 2, "no configuration file 'stop'; one of serve, check-config, "],
        [["--prot", "1"], 2, "there is no option --prot; did you mean '--port'?"],
        [["--colour"], 2, "there is no option --colour\n"],
        [["stats", "--repair"], 2, "--repair is not an option of stats, which takes --control-socket, --config, "],
        [["serve", "--again"], 2, "--again is not an option of serve"],
        [["sevrer.yaml"], 1, "sevrer.yaml: there is no such file; did you mean server.yaml?"],
        [["check-config", "conf/sub/sevrer.yaml"], 1, "there is no such file; did you mean server.yaml?"],
        [["nothing.yaml"], 1, "nothing.yaml: there is no such file\n"],
        [["typo.yaml"], 1, "there is no file grahp.properties; looked for "],
        [["typo.yaml"], 1, "; did you mean graph.properties?"]
      ]
      for (const [args, expected, text] of cases) {
        const { complained, status } = yield* execute(args)
        assert.strictEqual(status, expected, args.join(" "))
        assert.include(complained, text)
      }
      const environment = { SERVICE_LAUNCHER_COMMANDS: "start stop restart console usage" }
      for (const words of [["strt"], ["--", "strt"]]) {
        const { complained, status } = yield* execute(words, { environment })
        assert.strictEqual(status, 2)
        assert.include(complained, "'strt'; did you mean 'start'?")
      }
      for (const word of ["serve", "server.yaml", "--host=0.0.0.0"]) {
        const { complained, status } = yield* execute(["--", word, "server.yaml"], { environment })
        assert.strictEqual(status, 2)
        assert.include(complained, `there is no command and no configuration file '${word}'`)
      }
    })
  )

  it.effect("checks a configuration", () =>
    Effect.gen(function* () {
      const good = yield* execute(["check-config", "server.yaml"])
      assert.strictEqual(good.status, 0)
      assert.strictEqual(
        good.printed,
        "note: Settings without effect here: maxChunkSize (bodies are read as they arrive)\nserver.yaml: no problems\n"
      )
      const bad = yield* execute(["check-config", "bad.yaml"])
      assert.strictEqual(bad.status, 1)
      assert.include(bad.complained, "bad.yaml:2: enginPool: there is no such setting; did you mean 'enginePool'?")
      assert.strictEqual((yield* execute(["check-config", "none.yaml"])).status, 1)
    })
  )

  it.effect("says that the command line replaces a log file of the configuration", () =>
    Effect.gen(function* () {
      const noted = (...words: ReadonlyArray<string>) =>
        Effect.map(
          execute(["check-config", "log.yaml", ...words], {
            files: { "log.yaml": "graphs: {graph: graph.properties}\nlogging: {file: own.log}\n" }
          }),
          ({ printed }) => printed.replace("log.yaml: no problems\n", "")
        )
      assert.strictEqual(yield* noted(), "")
      assert.strictEqual(yield* noted("--log-file", "own.log"), "")
      assert.strictEqual(
        yield* noted("--log-file", "-"),
        "note: logging.file (own.log) has no effect: --log-file - sends the log to standard output\n"
      )
      assert.strictEqual(
        yield* noted("--log-file", "other.log"),
        "note: logging.file (own.log) has no effect: --log-file is other.log\n"
      )
      assert.strictEqual(yield* noted("--set", "logging.file=own.log"), "")
      assert.strictEqual(
        yield* noted("--set", "logging.file=other.log"),
        "note: logging.file (own.log) has no effect: --set logging.file is other.log\n"
      )
      assert.strictEqual(
        yield* noted("--set", "logging.file=first.log", "--set", "logging.file=last.log"),
        "note: logging.file (own.log) has no effect: --set logging.file is last.log\n"
      )
    })
  )

  it.effect("finds a request pool that the server cannot have, when it checks a configuration", () =>
    Effect.gen(function* () {
      const onDisk = `gremlin.graph=org.janusgraph.core.JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=db\n`
      const server = "graphs: {graph: disk.properties}\nworkers: 2\nenginePool: 5000\n"
      const large = yield* execute(["check-config", "large.yaml"], {
        files: { "large.yaml": server, "disk.properties": onDisk }
      })
      assert.strictEqual(large.status, 1)
      assert.include(large.complained, "enginePool is 5000, and worker processes share at most 4096 lanes")
      const alone = yield* execute(["check-config", "large.yaml", "--set", "workers=1"], {
        files: { "large.yaml": server, "disk.properties": onDisk }
      })
      assert.strictEqual(alone.status, 0, alone.complained)
      const onDemand = yield* execute(["check-config", "server.yaml", "--set", "enginePoolVirtualThreads=true"])
      const isOld = Number.parseInt(process.versions.node, 10) < 24
      assert.strictEqual(onDemand.status, isOld ? 1 : 0)
      if (isOld) assert.include(onDemand.complained, "enginePoolVirtualThreads needs Node 24 or later")
    })
  )

  it.effect("shows each setting with its origin, and masks secrets", () =>
    Effect.gen(function* () {
      const environment = { ENGINESERVER__PORT: "9000" }
      const args = ["show-config", "server.yaml", "--set", "evaluationTimeout=5", "--host", "0.0.0.0"]
      const { printed } = yield* execute(args, { environment })
      const line = (setting: string) => printed.split("\n").find((line) => line.startsWith(`${setting}:`)) ?? ""
      assert.match(line("enginePool"), /^enginePool: 3 +# server\.yaml:2$/)
      assert.match(line("port"), /^port: 9000 +# environment variable ENGINESERVER__PORT$/)
      assert.match(line("host"), /^host: 0\.0\.0\.0 +# argument --host 0\.0\.0\.0$/)
      assert.match(line("evaluationTimeout"), /^evaluationTimeout: 5 +# argument --set evaluationTimeout$/)
      assert.match(line("maxWorkQueueSize"), /^maxWorkQueueSize: 8192 +# default$/)
      assert.match(line('graphs.graph["engine.graph"]'), /TinkerGraph +# graph\.properties:1$/)

      const secured = yield* execute(["show-config", "--format", "json", "secured.yaml"])
      assert.notInclude(secured.printed, "hush")
      const settings: ReadonlyArray<{ readonly setting: string; readonly value: unknown; readonly origin: string }> =
        JSON.parse(secured.printed)
      const secret = settings.find(({ setting }) => setting === "authentication.config.hmacSecret")
      assert.deepStrictEqual(secret, {
        setting: "authentication.config.hmacSecret",
        value: "****",
        origin: "secured.yaml:2"
      })
    })
  )
})

describe("show-config masks the secrets", () => {
  it.effect("of the configuration graph, of search engines, and of the configuration of an authorizer", () =>
    Effect.gen(function* () {
      const janusGraph = "gremlin.graph=JanusGraphFactory\nstorage.backend=cql\nstorage.hostname=c1\n"
      const configurations = [
        `${janusGraph}graph.graphname=ConfigurationManagementGraph`,
        "storage.username=ann",
        "storage.password=hush",
        "index.search.backend=elasticsearch",
        "index.search.elasticsearch.http.auth.type=BASIC",
        "index.search.elasticsearch.http.auth.basic.username=bob",
        "index.search.elasticsearch.http.auth.basic.password=hush"
      ]
      const yaml = [
        "graphs:",
        "  graph: graph.properties",
        "  ConfigurationManagementGraph: configurations.properties",
        "authentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: users.properties}}",
        "authorization:",
        "  authorizer: ./authorizer.mjs",
        "  config: {tenants: [{name: a, password: hush}], service: {apiKey: hush, tokenTimeout: 5}, secret: [hush]}"
      ]
      const shown = yield* execute(["show-config", "--format", "json", "shown.yaml"], {
        files: {
          "shown.yaml": yaml.join("\n"),
          "configurations.properties": configurations.join("\n"),
          "users.properties": tinkerGraph,
          "authorizer.mjs": ""
        }
      })
      assert.notInclude(shown.printed, "hush")
      const settings: ReadonlyArray<Readonly<Record<"setting" | "origin", string> & { value: unknown }>> = JSON.parse(
        shown.printed
      )
      const named = (setting: string): object | undefined => settings.find((each) => each.setting === setting)
      const option = (key: string, value: string, line: number) => {
        const setting = `graphs.ConfigurationManagementGraph["${key}"]`
        assert.deepStrictEqual(named(setting), { setting, value, origin: `configurations.properties:${line}` })
      }
      option("storage.username", "ann", 5)
      option("storage.password", "****", 6)
      option("index.search.elasticsearch.http.auth.basic.password", "****", 10)
      const of = (setting: string, value: unknown) => ({ setting, value, origin: "shown.yaml:7" })
      for (const each of [
        of("authorization.config.tenants", [{ name: "a", password: "****" }]),
        of("authorization.config.service.apiKey", "****"),
        of("authorization.config.service.tokenTimeout", 5),
        of("authorization.config.secret", "****")
      ]) {
        assert.deepStrictEqual(named(each.setting), each)
      }
      assert.isFalse(settings.some(({ setting }) => setting.startsWith("configurationGraph")))
    })
  )
})

describe("A command that a signal stops", () => {
  it.live("has failed, and says so", () =>
    withFiles(files, (cwd) =>
      Effect.gen(function* () {
        const asked = yield* Deferred.make<void>()
        let complained = ""
        const write = process.stderr.write
        process.stderr.write = ((text: string) => {
          complained += text
          return true
        }) as typeof write
        const password = (): Promise<string> => {
          Effect.runSync(Deferred.succeed(asked, undefined))
          return new Promise(() => {})
        }
        const args = ["credentials", "add", "ann", "--config", "secured.yaml"]
        const surroundings = { arguments: args, environment: {}, cwd, print: () => {}, serve: noServer, password }
        const exit = yield* Effect.gen(function* () {
          const fiber = yield* Effect.fork(run(surroundings))
          yield* Deferred.await(asked)
          return yield* Fiber.interrupt(fiber)
        }).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              process.stderr.write = write
            })
          )
        )
        assert.strictEqual(exitStatus(exit), 130)
        assert.strictEqual(complained, "The command credentials was stopped by SIGINT before its end.\n")
      })
    )
  )
})

describe("The command serve", () => {
  it.live("runs the server until it is interrupted, and holds a PID file", () =>
    withFiles(files, (cwd) =>
      Effect.gen(function* () {
        const started = yield* Deferred.make<ServerSettings>()
        let closed = false
        let said = ""
        const serve: Serve = (settings, { ready, status }) =>
          Effect.gen(function* () {
            said = status
            yield* ready
            yield* Effect.addFinalizer(() =>
              Effect.sync(() => {
                closed = true
              })
            )
            yield* Deferred.succeed(started, settings)
            return yield* Effect.never
          })
        const pidFile = join(cwd, "service.pid")
        const logFile = join(cwd, "service.log")
        const fiber = yield* Effect.fork(
          run({
            arguments: ["server.yaml", "--port", "0", "--pid-file", pidFile, "--log-file", logFile],
            environment: {
              SERVICE_UNTRANSLATED_OPTIONS: "-Xss256k, -Djavax.net.ssl.keyStorePassword=hush",
              SERVICE_CONFIGURATION_FALLBACK: "the configuration sevrer.yaml is not a readable file"
            },
            cwd,
            print: () => {},
            serve: () => Promise.resolve(serve),
            password: noPassword
          })
        )
        const settings = yield* Deferred.await(started)
        assert.deepStrictEqual([settings.port, settings.enginePool], [0, 3])
        assert.strictEqual(readFileSync(pidFile, "utf8"), `${process.pid}\n`)
        const exit = yield* Fiber.interrupt(fiber)
        assert.isTrue(closed)
        assert.isFalse(existsSync(pidFile))
        assert.strictEqual(exitStatus(exit), 0)
        const log = readFileSync(logFile, "utf8")
        assert.include(log, "configured by ")
        assert.match(log, /ERROR the configuration sevrer\.yaml is not a readable file\n/)
        assert.strictEqual(
          said,
          `configuration: ${join(cwd, "server.yaml")}\nWARNING: the configuration sevrer.yaml is not a readable file\n`
        )
        assert.include(log, "JVM options without effect on Node.js: -Xss256k, -Djavax.net.ssl.keyStorePassword=****")
        assert.include(log, "Settings without effect here: maxChunkSize")
      })
    )
  )

  it.live("does not start over a PID file that holds something else, and keeps it", () =>
    withFiles(files, (cwd) =>
      Effect.gen(function* () {
        const pidFile = join(cwd, "notes.txt")
        const logFile = join(cwd, "service.log")
        writeFileSync(pidFile, "notes")
        const exit = yield* Effect.exit(
          run({
            arguments: ["server.yaml", "--pid-file", pidFile, "--log-file", logFile],
            environment: {},
            cwd,
            print: () => {},
            serve: () => Promise.resolve(() => Effect.never),
            password: noPassword
          })
        )
        assert.strictEqual(exitStatus(exit), 1)
        assert.include(readFileSync(logFile, "utf8"), "it exists and holds something else than a process id")
        assert.strictEqual(readFileSync(pidFile, "utf8"), "notes")
      })
    )
  )

  it.live("logs why the server does not start, and exits with 1", () =>
    withFiles(files, (cwd) =>
      Effect.gen(function* () {
        const logFile = join(cwd, "service.log")
        const failure = { _tag: "IllegalStateException", message: "enginePoolVirtualThreads needs Node.js 24" }
        const exit = yield* Effect.exit(
          run({
            arguments: ["server.yaml", "--log-file", logFile],
            environment: {},
            cwd,
            print: () => {},
            serve: () => Promise.resolve(() => Effect.fail(failure)),
            password: noPassword
          })
        )
        assert.isTrue(Exit.isFailure(exit))
        assert.strictEqual(exitStatus(exit), 1)
        assert.match(readFileSync(logFile, "utf8"), /ERROR enginePoolVirtualThreads needs Node\.js 24\n/)
      })
    )
  )

  it.live("prints why the server does not start if the level of the log hides errors", () =>
    Effect.gen(function* () {
      const failure = { _tag: "ListenFailed", message: "Could not bind to the port." }
      for (const [level, complaint] of [
        ["off", "Could not bind to the port.\n"],
        ["error", ""]
      ]) {
        const { complained, status } = yield* execute(["server.yaml", "--set", `logging.level=${level}`], {
          serve: () => Promise.resolve(() => Effect.fail(failure))
        })
        assert.deepStrictEqual([status, complained], [1, complaint], level)
      }
      const { complained } = yield* execute(["server.yaml", "--set", "logging.level=off"], {
        serve: () => Promise.resolve(() => Effect.die(new TypeError("out of order")))
      })
      assert.match(complained, /^The server ends because of an unexpected error.*TypeError: out of order\n +at /)
    })
  )

  it.live("logs the stack of a defect that ends the server", () =>
    withFiles(files, (cwd) =>
      Effect.gen(function* () {
        const logFile = join(cwd, "service.log")
        const exit = yield* Effect.exit(
          run({
            arguments: ["server.yaml", "--log-file", logFile],
            environment: {},
            cwd,
            print: () => {},
            serve: () => Promise.resolve(() => Effect.die(new TypeError("out of order"))),
            password: noPassword
          })
        )
        assert.strictEqual(exitStatus(exit), 1)
        assert.match(
          readFileSync(logFile, "utf8"),
          /ERROR The server ends because of an unexpected error.*\n.*TypeError: out of order\n +at /
        )
      })
    )
  )
})
