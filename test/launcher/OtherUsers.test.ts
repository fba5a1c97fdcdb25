import { spawnSync } from "node:child_process"
import { chmodSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "vitest"
import { installationPerTest } from "./Installation.ts"

const home = installationPerTest()

/** The user `nobody`. */
const NOBODY = 65_534

/** Runs the launcher as another user, who may read the installation. */
const asNobody = (...args: ReadonlyArray<string>) => {
  chmodSync(dirname(home.folder), 0o755)
  const { status, stderr, stdout } = spawnSync("sh", [home.path("bin", "service-server.sh"), ...args], {
    cwd: "/",
    encoding: "utf8",
    env: { PATH: process.env.PATH ?? "" },
    uid: NOBODY,
    gid: NOBODY
  })
  return { status, output: stderr + stdout }
}

describe.skipIf(process.getuid?.() !== 0)("The launcher, run by another user than the server", () => {
  it("says that a PID file which the user may not read leaves the state unknown, and removes nothing", () => {
    assert.strictEqual(home.server("start").status, 0)
    chmodSync(home.path("run", "service.pid"), 0o600)
    for (const command of ["status", "stop", "dump"]) {
      const { output, status } = asNobody(command)
      assert.match(output, /^ERROR: this user may not read the PID file .*Run the command as the user of the server/)
      assert.strictEqual(status, 4, command)
    }
    chmodSync(home.path("run"), 0o700)
    assert.strictEqual(asNobody("status").status, 4)
    assert.strictEqual(home.server("status").status, 0)
  })

  it("says whom a stop and the control socket need", () => {
    assert.strictEqual(home.server("start").status, 0)
    const stopped = asNobody("stop")
    assert.match(
      stopped.output,
      /^Unable to stop server \[\d+\]: this user may not end the process\. Run the command as/
    )
    assert.strictEqual(stopped.status, 1)
    assert.strictEqual(statSync(home.path("logs", "service.log")).mode & 0o777, 0o640)
  })
})

describe("The log of the launcher", () => {
  it("is not more readable than the umask allows", () => {
    const before = process.umask(0o077)
    const { status } = home.server("start")
    process.umask(before)
    assert.strictEqual(status, 0)
    assert.strictEqual(statSync(home.path("logs", "service.log")).mode & 0o777, 0o600)
  })
})

describe("SERVICE_START_TIMEOUT", () => {
  it("that is no whole number of seconds is refused before anything is started or stopped", () => {
    assert.strictEqual(home.server("start").status, 0)
    for (const seconds of ["2m", "1.5", "08", "-1"]) {
      home.environment.SERVICE_START_TIMEOUT = seconds
      for (const command of ["start", "restart"]) {
        const { status, stderr } = home.server(command)
        assert.include(stderr, `ERROR: SERVICE_START_TIMEOUT is ${seconds}; it must be a whole number of seconds`)
        assert.strictEqual(status, 1)
      }
    }
    assert.strictEqual(home.server("status").status, 0)
  })
})
