import { existsSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { installationPerTest } from "./Installation.ts"

const home = installationPerTest()

/** The process ids of the workers that serve. */
const workers = (status: string): ReadonlyArray<number> =>
  Array.from(status.matchAll(/^worker \d+: process (\d+), serving/gm), ([, pid]) => Number(pid))

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1])

describe.each([2, 4])("The launcher of a server with %i workers", (count) => {
  it("starts, shows, reloads and stops it as one server", async () => {
    home.environment.ENGINESERVER__WORKERS = String(count)
    home.environment.SERVICE_HEAP_MEGABYTES = "1000"
    const started = home.server("start")
    assert.strictEqual(started.status, 0, started.stderr)
    await home.count()

    const status = home.server("status")
    assert.include(status.stdout, `Server running with PID ${home.pid()}`)
    const before = workers(status.stdout)
    assert.deepStrictEqual(before.map(parentOf), Array(count).fill(home.pid()))
    // The young generation has three semi-spaces: of 32 MB, or of 16 in a share of less than 384 MB.
    const limit = 1000 / count - (count === 2 ? 96 : 48)
    const isShare = (pid: number) =>
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`--max-old-space-size=${limit}\0`)
    assert.deepStrictEqual([home.pid(), ...before].map(isShare), [false, ...before.map(() => true)])

    const reloaded = home.server("reload")
    assert.deepInclude(reloaded, {
      status: 0,
      stdout: `${count} workers started with the present program and configuration.\n`
    })
    const after = workers(home.server("status").stdout)
    assert.strictEqual(after.length, count)
    assert.isFalse(after.some((pid) => before.includes(pid)))
    await home.count()

    assert.strictEqual(home.log().split("Channel started at port").length, 2)
    assert.strictEqual(home.server("stop").status, 0)
    for (const pid of after) assert.isFalse(existsSync(`/proc/${pid}`))
    assert.isFalse(existsSync(home.path("run", "service.pid")))
    assert.isFalse(existsSync(home.path("run", "service.sock")))
  })
})
