import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, statSync, symlinkSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { installationPerTest } from "./Installation.ts"

const home = installationPerTest()

const shells = ["dash", "bash"].filter((shell) => spawnSync(shell, ["-c", ":"]).status === 0)

describe.each(shells)("The launcher under %s", (shell) => {
  it("starts, answers, reports its status, and stops", async () => {
    const run = (...args: ReadonlyArray<string>) => home.run("bin/service-server.sh", args, { shell })
    const started = run("start")
    assert.strictEqual(started.status, 0, started.stderr)
    assert.match(started.stdout, /^Server started \d+\.\n$/)
    await home.count()

    const status = run("status")
    assert.strictEqual(status.status, 0)
    assert.include(status.stdout, `Server running with PID ${home.pid()}`)
    assert.strictEqual(statSync(home.path("run", "service.sock")).mode & 0o777, 0o600)

    const again = run("start")
    assert.strictEqual(again.status, 1)
    assert.include(again.stderr, "Server already running with PID")

    const stopped = run("stop")
    assert.strictEqual(stopped.status, 0)
    assert.match(stopped.stdout, /^Server stopped \[\d+\]\n$/)
    assert.isFalse(existsSync(home.path("run", "service.pid")))
    assert.isFalse(existsSync(home.path("run", "service.sock")))
    assert.deepInclude(run("status"), { status: 3, stdout: "Server not running\n" })
    assert.deepInclude(run("stop"), { status: 0, stdout: "Server not running\n" })
  })

  it("works through a symbolic link and from any folder", () => {
    mkdirSync(home.path("links"))
    symlinkSync("../bin/service-server.sh", home.path("links", "one"))
    symlinkSync(home.path("links", "one"), home.path("links", "two"))
    const run = (command: string) => home.run(home.path("links", "two"), [command], { shell, cwd: home.path("links") })
    const started = run("start")
    assert.strictEqual(started.status, 0, started.stderr)
    assert.isTrue(existsSync(home.path("run", "service.pid")))
    assert.strictEqual(run("stop").status, 0)
  })

  it("passes on variables with dots in their names", () => {
    const environment = { "engineserver.enginePool": "7", "gremlinserver.logging.level": "debug" }
    assert.strictEqual(home.run("bin/service-server.sh", ["start"], { shell, environment }).status, 0)
    const shown = home.run("bin/docker-entrypoint.sh", ["show-config"], { shell, environment })
    assert.match(shown.stdout, /^enginePool: 7 +# environment variable engineserver\.enginePool$/m)
    assert.match(shown.stdout, /^logging\.level: debug +# environment variable gremlinserver\.logging\.level$/m)
  })
})
