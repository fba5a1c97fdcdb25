import type { ChildProcess } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { BlockedRequests, keyOf } from "../../../src/layers/workers/BlockedRequests.ts"
import { CausesOfDeath } from "../../../src/layers/workers/CausesOfDeath.ts"
import { WorkerLink } from "../../../src/layers/workers/WorkerLink.ts"
import { eventually } from "../../Eventually.ts"
import { FakeProcess } from "../support/FakeProcess.ts"
import { post } from "../support/HttpClient.ts"
import { bundled, stop } from "../support/ServerProcess.ts"
import { endless } from "../support/TestServers.ts"
import { clientOfEach, startWorkers, until } from "../support/WorkerServer.ts"

const request = (text: string) => ({ user: "", kind: "script", text, length: text.length, bindings: "" }) as const

const MINUTE = 60_000

describe("BlockedRequests", () => {
  it("refuses a request for ten minutes after the second death within ten minutes", () => {
    const blocked = new BlockedRequests()
    expect(blocked.died(request("a"), 0)).toBe(false)
    expect(blocked.died(request("b"), 1)).toBe(false)
    expect(blocked.blocked(2)).toEqual([])
    expect(blocked.died(request("a"), 9 * MINUTE)).toBe(true)
    expect(blocked.blocked(18 * MINUTE)).toMatchObject([{ key: keyOf(request("a")), forMs: MINUTE }])
    expect(blocked.lines(18 * MINUTE)[0]).toContain('because 2 workers died of it: script "a"')
    expect(blocked.blocked(19 * MINUTE)).toEqual([])
    expect(blocked.died(request("b"), 11 * MINUTE)).toBe(false)
    expect(blocked.clear(18 * MINUTE)).toBe(1)
    expect(blocked.blocked(18 * MINUTE)).toEqual([])
  })

  it("knows a hundred requests at most, and tells users and bindings apart", () => {
    const blocked = new BlockedRequests()
    for (let i = 0; i < 101; i++) for (let death = 0; death < 2; death++) blocked.died(request(`text ${i}`), i)
    expect(blocked.blocked(200)).toHaveLength(100)
    expect(blocked.lines(200).join()).not.toContain('"text 0"')
    expect(keyOf({ ...request("a"), user: "ada" })).not.toBe(keyOf(request("a")))
    expect(keyOf({ ...request("a"), bindings: "x=1 " })).not.toBe(keyOf(request("a")))
  })
})

describe("CausesOfDeath", () => {
  it("counts faults of the process, and no signal or order of somebody", () => {
    const causes = new CausesOfDeath()
    onTestFinished(() => causes.close())
    const isOwn = (code: number | null, signal: NodeJS.Signals | null, isStopped = false) =>
      causes.isOwn({ code, signal, isStopped })
    expect([isOwn(null, "SIGABRT"), isOwn(null, "SIGSEGV"), isOwn(134, null), isOwn(1, null)]).toEqual(
      Array(4).fill(true)
    )
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const) expect(isOwn(null, signal)).toBe(false)
    expect([isOwn(0, null), isOwn(143, null), isOwn(null, "SIGABRT", true)]).toEqual([false, false, false])
  })
})

describe("The end of a worker", () => {
  const endOf = (told: (link: WorkerLink) => void) => {
    const process = new FakeProcess(100)
    const link = new WorkerLink(1, process as unknown as ChildProcess)
    process.ready()
    told(link)
    process.end(null, "SIGSEGV")
    return link.ended
  }

  it("counts as a death by its request after a reload has replaced the worker, and not when the server ends", async () => {
    const causes = new CausesOfDeath()
    onTestFinished(() => causes.close())
    expect(causes.isOwn(await endOf((link) => link.retire()))).toBe(true)
    expect(causes.isOwn(await endOf((link) => void link.stop(60_000)))).toBe(false)
  })
})

describe.each([2, 4])("A server with %i workers", (count) => {
  let bundle = ""
  beforeAll(async () => {
    bundle = await bundled({ main: "src/main.ts" })
  })

  it("refuses a request of which two workers died in all workers, until an administrator allows it", async () => {
    const server = await startWorkers(bundle, count, ["evaluationTimeout: 60000"])
    const refusal = "; this request is refused for ten minutes, because two workers died of it"
    // A signal may come between two slices of the request: then nothing had the event loop.
    await eventually(async () => {
      const before = await server.pids()
      const client = (await clientOfEach(server, 1))[0]!
      client.send("eval", "", { gremlin: endless })
      const dump = await until(
        async () =>
          JSON.parse(await server.control("dump json")) as { workers: Array<{ pid: number; fibers: unknown }> },
        ({ workers }) => workers.some(({ fibers }) => JSON.stringify(fibers).includes(endless))
      )
      const { pid } = dump.workers.find(({ fibers }) => JSON.stringify(fibers).includes(endless))!
      await sleep(50)
      process.kill(pid, "SIGSEGV")
      await until(server.pids, (now) => now.length === count && !now.includes(pid) && before.includes(pid))
      return server.log.some((line) => line.includes(refusal))
    })
    expect(server.log.find((line) => line.includes(refusal))).toContain(
      "ended with signal SIGSEGV while it ran the request"
    )
    for (const client of await clientOfEach(server, count)) {
      const { status } = await client.eval(endless)
      expect([status.code, status.message]).toEqual([
        500,
        expect.stringContaining("Two worker processes of the server died")
      ])
      expect((await client.eval("g.inject(1)")).result.data).toEqual([1])
      // Other bindings are another request.
      const other = client.send("eval", "", { gremlin: endless, bindings: { x: 1 }, evaluationTimeout: 10 })
      expect((await client.answer(other)).status.code).toBe(598)
      client.ws.close()
    }
    expect((await post(server.authority, endless)).status).toBe(503)
    expect(await server.control("status")).toMatch(/^refused until .*because 2 workers died of it: script "g\.inject/m)
    const metrics = await (await fetch(`http://${server.authority}/metrics`)).text()
    expect(metrics).toContain("\nengine_server_requests_blocked 1\n")
    expect(metrics).toContain(`\nengine_server_refusals_total{reason="blocked"} ${count + 1}\n`)
    expect(await server.control("unblock")).toBe("1 request is allowed again.\n")
    const allowed = await post(server.authority, endless, { evaluationTimeout: 10 })
    expect(allowed.text).toContain("evaluationTimeout")
    expect(await server.control("status")).not.toContain("refused until")
    await stop(server)
  })
})
