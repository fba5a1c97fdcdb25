import type { ChildProcess } from "node:child_process"
import { beforeAll, describe, expect, it } from "vitest"
import { ServerMetrics } from "../../../src/layers/workers/ServerMetrics.ts"
import { dumpOf, statusOf } from "../../../src/layers/workers/ServerReports.ts"
import { WorkerLink } from "../../../src/layers/workers/WorkerLink.ts"
import { FakeProcess } from "../support/FakeProcess.ts"
import { bundled, stop } from "../support/ServerProcess.ts"
import { endless } from "../support/TestServers.ts"
import { clientOfEach, startWorkers, until } from "../support/WorkerServer.ts"

let bundle = ""
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

describe.each([2, 4])("The control socket of a server with %i workers", (count) => {
  it("answers status with the sums of all workers, then each worker", async () => {
    const server = await startWorkers(bundle, count, ["enginePool: 16"])
    const clients = await clientOfEach(server, count)
    for (const client of clients) client.send("eval", "", { gremlin: endless })
    const status = await until(
      () => server.control("status"),
      (text) => text.includes(`request pool: ${count} of 16 running`)
    )
    const pids = await server.pids()
    expect(status).toMatch(new RegExp(`^address: 127.0.0.1:${server.port}$`, "m"))
    expect(status).toContain(`primary: process ${server.child.pid}\nworkers: ${count} serve\n`)
    expect(status).toContain(`\nconnections: ${count}\n`)
    for (const [i, pid] of pids.entries()) {
      expect(status).toMatch(
        new RegExp(
          `^worker ${i + 1}: process ${pid}, serving, 1 connections\n {2}up [\\d.]+ s, 1 running, 0 queued, 0 sessions, \\d+ MB resident, \\d+ MB heap$`,
          "m"
        )
      )
    }
    for (const client of clients) client.ws.terminate()
    await stop(server)
  })

  it("answers dump with what each worker evaluates", async () => {
    const server = await startWorkers(bundle, count, ["enginePool: 16"])
    const clients = await clientOfEach(server, count)
    for (const client of clients) client.send("eval", "", { gremlin: endless })
    const dump = await until(
      () => server.control("dump text"),
      (text) => text.split(endless).length === count + 1
    )
    const pids = await server.pids()
    expect(dump).toContain(`engine-server ${server.child.pid}, primary process of ${count} workers\n`)
    const json = JSON.parse(await server.control("dump json"))
    expect(json.workers.map(({ pid }: { pid: number }) => pid)).toEqual(pids)
    for (const { fibers } of json.workers) expect(JSON.stringify(fibers)).toContain(endless)
    for (const client of clients) client.ws.terminate()
    await stop(server)
  })
})

describe("The control socket", () => {
  it("does not wait for a worker that starts, and does not miss it in the sums", async () => {
    const process_ = new FakeProcess(4711)
    const link = new WorkerLink(2, process_ as unknown as ChildProcess)
    const workers = { all: [link] }
    const address = { address: "127.0.0.1", family: "IPv4", port: 8182 }
    const status = await statusOf({ workers, address, replaced: 0, blocked: [] })
    expect(status).toMatch(/\nworker 2: process 4711, starting, 0 connections\n$/)
    expect(status).not.toContain("WARNING")
    // The exit status of the command `status` depends on this line.
    expect(status).toContain("\nworkers: 0 serve\n")
    expect(await dumpOf(workers, "text")).toMatch(/\nworker 2: process 4711, starting, 0 connections\n$/)
    expect(JSON.parse(await dumpOf(workers, "json")).workers).toEqual([
      { worker: 2, pid: 4711, state: "starting", connections: 0 }
    ])
    expect(process_.sent).toEqual([])
  })

  it("counts a worker that has served as dead and replaced, and one whose start fails as that", async () => {
    const metrics = new ServerMetrics(
      () => [],
      () => 0
    )
    const [served, failed] = [1, 2].map((number) => {
      const process_ = new FakeProcess(number)
      const link = new WorkerLink(number, process_ as unknown as ChildProcess)
      metrics.attend(link)
      return { link, process_ }
    })
    const died = async () => {
      const all = await metrics.families()
      return all.find(({ name }) => name === "engine_server_workers_died_total")?.values
    }
    // Before the first death, too: a counter that begins at 1 has not increased.
    expect(await died()).toEqual([{ labels: {}, value: 0 }])
    served!.process_.ready()
    served!.process_.end(134)
    failed!.process_.end(1)
    await Promise.all([served!.link.ended, failed!.link.ended])
    expect(metrics.replaced).toBe(1)
    expect(await died()).toEqual([{ labels: {}, value: 1 }])
    const families = (await metrics.families()).filter(({ name }) => /_(deaths|failed_starts)_total$/.test(name))
    expect(families.map(({ name, values }) => [name, values])).toEqual([
      ["engine_server_worker_failed_starts_total", [{ labels: {}, value: 1 }]],
      ["engine_server_worker_deaths_total", [{ labels: { exit: "exit status 134" }, value: 1 }]]
    ])
  })

  it("names a worker that does not answer", async () => {
    const server = await startWorkers(bundle, 2)
    const [first = 0] = await server.pids()
    process.kill(first, "SIGSTOP")
    try {
      const [status, dump] = await Promise.all([server.control("status"), server.control("dump text")])
      expect(status).toContain("WARNING: the sums lack the workers that did not answer: 1\n")
      expect(status).toContain(
        `worker 1: process ${first}, serving, 0 connections\n  no answer: the process did not answer`
      )
      expect(dump).toContain(
        `worker 1: process ${first}, serving, 0 connections\nno answer: the process did not answer`
      )
    } finally {
      process.kill(first, "SIGCONT")
    }
    await stop(server)
  })
})
