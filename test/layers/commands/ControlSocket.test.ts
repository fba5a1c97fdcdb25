import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer, Server, Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { converse, request } from "../../../src/layers/commands/ControlClient.ts"
import { listen } from "../../../src/layers/commands/ControlSocket.ts"
import { reload } from "../../../src/layers/commands/ReloadCommand.ts"

const diagnostics = {
  status: Effect.succeed("all is well\n"),
  dump: (format: string) => Effect.succeed(`${format} ${"x".repeat(200_000)}\n`)
}

const temporary = (prefix: string) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), prefix))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

describe("The control socket", () => {
  it.scopedLive("answers status and dump, only to its owner", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      yield* listen(path, diagnostics)
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.strictEqual(yield* request(path, "status"), "all is well\n")
      assert.strictEqual((yield* request(path, "dump json")).length, "json ".length + 200_001)
    })
  )

  it.scopedLive("takes a command that names thousands of files", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      yield* listen(path, { ...diagnostics, tools: (command) => Effect.succeed(`${command.length}\n`) })
      const lines: Array<string> = []
      yield* converse(path, `tool ${"/data/vertices/part.csv ".repeat(40_000).trim()}`, (line) => lines.push(line))
      assert.deepStrictEqual(lines, [`${24 * 40_000 - 1}`])
    })
  )

  it.scopedLive("answers a failed command with an error, and logs the cause", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      const broken = (): never => {
        throw new TypeError("out of order")
      }
      const log: Array<string> = []
      const logger = Logger.make<unknown, void>(({ cause, logLevel, message }) => {
        log.push(`${logLevel.label} ${[message].flat().join(" ")} ${Cause.pretty(cause)}`)
      })
      const listening = listen(path, {
        status: Effect.sync(broken),
        dump: broken,
        credentials: () => Effect.die("no users"),
        tools: broken
      })
      yield* Effect.provide(listening, Logger.replace(Logger.defaultLogger, logger))
      const failed = "error: the command failed; the log of the server says why\n"
      assert.strictEqual(yield* request(path, "status"), failed)
      assert.strictEqual(yield* request(path, "dump text"), failed)
      assert.strictEqual(yield* request(path, "credentials {}"), failed)
      const lines: Array<string> = []
      yield* converse(path, "tool {}", (line) => lines.push(line))
      assert.deepStrictEqual(lines, ['{"failure":"The command failed; the log of the server says why."}'])
      const commands = ["status", "dump", "credentials", "tool"]
      assert.deepStrictEqual(
        log.map(
          (line) =>
            /^ERROR The command '(\w+)' of the control socket failed .*(?:out of order|no users)/.exec(line)?.[1]
        ),
        commands
      )
    })
  )

  it.scopedLive("has no time limit for a command that it has read", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      const limits = new Map<Socket, number>()
      const { setTimeout: original } = Socket.prototype
      Socket.prototype.setTimeout = function (this: Socket, ms: number, ...more: ReadonlyArray<() => void>): Socket {
        limits.set(this, ms)
        return Reflect.apply(original, this, [ms, ...more])
      }
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          Socket.prototype.setTimeout = original
        })
      )
      // One socket is the client's, which waits ten seconds for an answer.
      const held = Effect.sync(() => `${[...limits.values()].sort().join(" ")}\n`)
      yield* listen(path, { ...diagnostics, status: held, credentials: () => held })
      for (const command of ["status", "credentials {}"] as const) {
        limits.clear()
        assert.strictEqual(yield* request(path, command), "0 10000\n")
      }
    })
  )

  it.scopedLive("fails a command whose connection ends without an answer: its outcome is unknown", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      const server = createServer((socket) => socket.once("data", () => socket.end()))
      yield* Effect.promise(() => new Promise<void>((done) => server.listen(path, done)))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      for (const command of ["status", "dump text", "credentials {}"] as const) {
        const error = yield* Effect.flip(request(path, command))
        const name = command.split(" ")[0]
        assert.include(error.message, `The outcome of the command ${name} is unknown`)
      }
      assert.include((yield* Effect.flip(reload(path))).message, "closed the connection without an answer")
      const refused = yield* Effect.flip(Effect.scoped(listen(path, diagnostics)))
      assert.include(refused.message, "a running server uses it")
    })
  )

  it.scopedLive("appears only when it accepts connections", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      const { listen: original } = Server.prototype
      let early: boolean | undefined
      // The name of a socket exists from bind() on, but connections are refused until listen().
      Server.prototype.listen = function (this: Server, ...given: ReadonlyArray<unknown>): Server {
        const server: Server = Reflect.apply(original, this, given)
        early = existsSync(path)
        return server
      }
      const restore = Effect.sync(() => {
        Server.prototype.listen = original
      })
      yield* listen(path, diagnostics).pipe(Effect.ensuring(restore))
      assert.isFalse(early)
      assert.strictEqual(yield* request(path, "status"), "all is well\n")
    })
  )

  it.scopedLive("disappears with the server, after which requests fail", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      yield* Effect.scoped(listen(path, diagnostics))
      const error = yield* Effect.flip(request(path, "status"))
      assert.strictEqual(error._tag, "ControlUnreachable")
      assert.include(error.message, `there is no such socket. Start the server with --control-socket ${path}`)
    })
  )

  it.scopedLive("is refused by name in a folder that does not exist", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporary("engine-server-"), "run")
      const refused = yield* Effect.flip(Effect.scoped(listen(join(folder, "s.sock"), diagnostics)))
      assert.include(refused.message, `there is no folder ${folder}; create it`)
    })
  )

  it.scopedLive("does not replace the socket of a running server", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      yield* listen(path, diagnostics)
      const refused = yield* Effect.flip(Effect.scoped(listen(path, diagnostics)))
      assert.include(refused.message, "a running server uses it")
      assert.strictEqual(yield* request(path, "status"), "all is well\n")
    })
  )

  it.scopedLive("replaces the socket of a killed process", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      const kill = `require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`
      spawnSync(process.execPath, ["-e", kill, path])
      assert.isTrue(statSync(path).isSocket())
      yield* listen(path, diagnostics)
      assert.strictEqual(yield* request(path, "status"), "all is well\n")
    })
  )

  it.scopedLive("does not replace a file of another kind", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "notes.txt")
      writeFileSync(path, "notes")
      const refused = yield* Effect.flip(Effect.scoped(listen(path, diagnostics)))
      assert.include(refused.message, "it exists and is no socket; remove it, or name another path")
      assert.strictEqual(readFileSync(path, "utf8"), "notes")
    })
  )

  it.scopedLive("works at a path that is longer than a socket address", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary(`engine-server-${"long-".repeat(30)}`), "s.sock")
      if (process.platform !== "linux") {
        assert.strictEqual((yield* Effect.flip(listen(path, diagnostics)))._tag, "ControlSocketUnusable")
        return
      }
      yield* listen(path, diagnostics)
      assert.strictEqual(yield* request(path, "status"), "all is well\n")
    })
  )
})
