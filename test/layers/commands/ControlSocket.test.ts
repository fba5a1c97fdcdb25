import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { listen, request } from "../../../src/layers/commands/ControlSocket.ts"

const diagnostics = { status: () => "all is well\n", dump: (format: string) => `${format} ${"x".repeat(200_000)}\n` }

const temporary = (prefix: string) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), prefix))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

describe("the control socket", () => {
  it.scopedLive("answers status and dump, to its owner alone", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      yield* listen(path, diagnostics)
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.strictEqual(yield* request(path, "status"), "all is well\n")
      assert.strictEqual((yield* request(path, "dump json")).length, "json ".length + 200_001)
    })
  )

  it.scopedLive("goes away with the server, and says that nobody is there", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      yield* Effect.scoped(listen(path, diagnostics))
      const error = yield* Effect.flip(request(path, "status"))
      assert.strictEqual(error._tag, "ControlUnreachable")
      assert.include(error.message, path)
    })
  )

  it.scopedLive("does not take the place of a running server's", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      yield* listen(path, diagnostics)
      const refused = yield* Effect.flip(Effect.scoped(listen(path, diagnostics)))
      assert.include(refused.message, "a running server has it")
      assert.strictEqual(yield* request(path, "status"), "all is well\n")
    })
  )

  it.scopedLive("replaces what a killed process left behind", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary("engine-server-"), "s.sock")
      const kill = `require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`
      spawnSync(process.execPath, ["-e", kill, path])
      assert.isTrue(statSync(path).isSocket())
      yield* listen(path, diagnostics)
      assert.strictEqual(yield* request(path, "status"), "all is well\n")
    })
  )

  it.scopedLive("works below a path that is longer than a socket's name may be", () =>
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
