import { Agent } from "node:http"
import hooks from "node:perf_hooks"
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { readingOf, readMetrics, total } from "../../../console/live/Metrics.ts"
import { ServerMetrics } from "../../../src/layers/workers/ServerMetrics.ts"
import { http } from "../support/HttpClient.ts"
import { bundled, stop } from "../support/ServerProcess.ts"
import { clientOfEach, startWorkers, until, type WorkerServer } from "../support/WorkerServer.ts"

let bundle = ""
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

/** The metrics as a new connection gets them, from whichever worker it reaches. A worker that does not answer in time is left out. */
const scrapeOnce = async ({ authority }: WorkerServer) => {
  const { headers, status, text } = await http(authority, { agent: new Agent(), path: "/metrics" })
  expect([status, headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"])
  return readMetrics(text)
}

/** The metrics with those of all workers. */
const scrape = (server: WorkerServer) =>
  until(
    () => scrapeOnce(server),
    (samples) => {
      const answers = samples.filter(({ name }) => name === "engine_server_worker_answers")
      return answers.length > 0 && answers.every(({ value }) => value === 1)
    }
  )

const evaluations = async (server: WorkerServer): Promise<number> =>
  (await scrape(server))
    .filter(({ labels, name }) => name === "engine_server_answers_total" && labels.op === "eval")
    .reduce((sum, { value }) => sum + value, 0)

describe("The primary process", () => {
  it("measures the delay of its event loop, which wakes it, only from the first question for metrics", async () => {
    const measure = vi.spyOn(hooks, "monitorEventLoopDelay")
    onTestFinished(() => measure.mockRestore())
    const metrics = new ServerMetrics(
      () => [],
      () => 0
    )
    await metrics.load()
    expect(measure).not.toHaveBeenCalled()
    await metrics.families()
    expect(measure).toHaveBeenCalledOnce()
  })
})

describe.each([2, 4])("GET /metrics of a server with %i workers", (count) => {
  it("has the sums of all workers, whichever worker answers", async () => {
    const server = await startWorkers(bundle, count, ["enginePool: 16"])
    const clients = await clientOfEach(server, count)
    for (const client of clients) await client.eval("g.inject(1)")
    for (let i = 0; i < 2 * count; i++) {
      const samples = await scrape(server)
      expect(total(samples, "engine_server_request_seconds_count")).toBe(count)
      expect(
        total(
          samples.filter(({ labels }) => labels.transport === "websocket"),
          "engine_server_connections"
        )
      ).toBe(count)
      expect(total(samples, "engine_server_workers")).toBe(count)
      expect(samples.filter(({ name }) => name === "engine_server_pool_size")).toEqual([
        { name: "engine_server_pool_size", labels: {}, value: 16 }
      ])
      const processes = samples.filter(({ name }) => name === "process_resident_memory_bytes")
      const numbers = Array.from({ length: count }, (_, i) => String(i + 1))
      expect(processes.map(({ labels }) => labels.worker).sort()).toEqual([...numbers, "primary"])
    }
    await stop(server)
  })

  it("keeps the counts of a worker that was killed, and counts its death and its replacement", async () => {
    const server = await startWorkers(bundle, count)
    const clients = await clientOfEach(server, count)
    for (const client of clients) for (let i = 0; i < 5; i++) await client.eval("g.inject(1)")
    expect(await evaluations(server)).toBe(5 * count)
    const pids = await server.pids()
    for (const client of clients) client.ws.close()
    process.kill(pids[0]!, "SIGKILL")
    await until(server.pids, (now) => now.length === count && !now.includes(pids[0]!))
    expect(await evaluations(server)).toBe(5 * count)
    const after = await clientOfEach(server, count)
    for (const client of after) await client.eval("g.inject(1)")
    expect(await evaluations(server)).toBe(6 * count)
    const samples = await scrape(server)
    expect(total(samples, "engine_server_worker_starts_total")).toBe(count + 1)
    expect(samples.filter(({ name }) => name === "engine_server_worker_deaths_total")).toEqual([
      { name: "engine_server_worker_deaths_total", labels: { exit: "signal SIGKILL" }, value: 1 }
    ])
    await stop(server)
  })

  it("keeps the counts of workers that a reload has replaced", async () => {
    const server = await startWorkers(bundle, count)
    const clients = await clientOfEach(server, count)
    for (const client of clients) await client.eval("g.inject(1)")
    const pids = await server.pids()
    await server.reload()
    await until(server.pids, (now) => now.length === count && !now.some((pid) => pids.includes(pid)))
    for (const client of clients) await client.closed
    // The last report of a worker comes at its end.
    await until(
      async () => evaluations(server),
      (found) => found === count
    )
    await stop(server)
  })
})

describe("The live page of the console", () => {
  it("shows the delay of the worker that is delayed most, and the sum of the heaps", () => {
    const lines = [1, 2].flatMap((worker) => [
      `nodejs_eventloop_lag_mean_seconds{worker="${worker}"} 0.0${worker}`,
      `nodejs_heap_size_used_bytes{worker="${worker}"} 1048576`
    ])
    expect(readingOf(lines.join("\n"), 0).values).toMatchObject({ lag: 20, heap: 2 })
  })
})

describe("GET /metrics", () => {
  it("answers without a worker that does not, names it, and keeps its counts", async () => {
    const server = await startWorkers(bundle, 2)
    const [first, second] = await clientOfEach(server, 2)
    for (const client of [first!, second!]) await client.eval("g.inject(1)")
    expect(await evaluations(server)).toBe(2)
    const [stopped] = await server.pids()
    process.kill(stopped!, "SIGSTOP")
    try {
      // Of two new connections, one reaches the other worker.
      const [text] = await Promise.any([0, 1].map(() => Promise.all([scrapeOnce(server)])))
      const answers = text.filter(({ name }) => name === "engine_server_worker_answers")
      expect(answers.map(({ labels, value }) => [labels.worker, value])).toEqual([
        ["1", 0],
        ["2", 1]
      ])
      expect(total(text, "engine_server_request_seconds_count")).toBe(2)
    } finally {
      process.kill(stopped!, "SIGCONT")
    }
    await stop(server)
  })
})
