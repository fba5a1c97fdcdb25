import type { ChildProcess } from "node:child_process"
import { Socket } from "node:net"
import { describe, expect, it, vi } from "vitest"
import { giveSettings } from "../../../src/layers/commands/WorkerSettings.ts"
import { WorkerLink } from "../../../src/layers/workers/WorkerLink.ts"
import { Workers } from "../../../src/layers/workers/Workers.ts"
import { CONDITION_MS } from "../../Limits.ts"
import { FakeProcess, heldByFakes } from "../support/FakeProcess.ts"

const workersOf = (failing: Array<Error> = []) => {
  const made: Array<FakeProcess> = []
  const log: Array<string> = []
  const configured: Array<string | undefined> = []
  /** The number of workers that each process was told. */
  const shares: Array<number> = []
  const workers = new Workers({
    count: 2,
    held: heldByFakes,
    shutdownTimeoutMs: 1_000,
    fork: ({ number, workers }) => {
      const error = failing.shift()
      if (error !== undefined) throw error
      const process = new FakeProcess(100 + made.length)
      made.push(process)
      shares.push(workers)
      return new WorkerLink(number, process as unknown as ChildProcess)
    },
    onConfigured: ({ settings }) => configured.push(settings),
    onEnd: () => "",
    log: (level, text) => log.push(`${level}: ${text}`)
  })
  const made_ = (count: number) => vi.waitFor(() => expect(made).toHaveLength(count), LIMIT)
  /** Starts both workers. */
  const started = async (): Promise<void> => {
    const start = workers.start()
    made[0]!.ready()
    await made_(2)
    made[1]!.ready()
    await start
  }
  return { workers, made, log, configured, shares, started, made_ }
}

const LIMIT = { timeout: CONDITION_MS }

/** A server with two workers after a reload to a greater number, whose second start failed. `outcome` is the message of its error. */
const failedReload = async (count: number) => {
  const all = workersOf()
  await all.started()
  const reload = all.workers.reload().catch((error: Error) => error.message)
  await all.made_(3)
  all.made[2]!.ready(count)
  await all.made_(4)
  all.made[3]!.ready(count)
  await all.made_(5)
  all.made[4]!.fails("too many files are open")
  return { ...all, outcome: await reload }
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 20))

describe("The primary process", () => {
  it("starts no further worker when it is stopped while the first one starts", async () => {
    const { made, workers } = workersOf()
    const start = workers.start().catch((error: Error) => error.message)
    const stop = workers.stop()
    expect(made[0]!.has("stop")).toBe(true)
    // The worker looks at the order when it has started.
    made[0]!.ready()
    await turn()
    made[0]!.end(0)
    await stop
    expect(await start).toMatch(/ended with exit status 0/)
    expect(made).toHaveLength(1)
  })

  it("starts no further worker when it is stopped during a reload", async () => {
    const { made, made_, started, workers } = workersOf()
    await started()
    const reload = workers.reload().catch((error: Error) => error.message)
    await made_(3)
    const stop = workers.stop()
    made[2]!.ready()
    await turn()
    for (const process of made) process.end(0)
    await stop
    expect(await reload).toContain("The old workers stay")
    expect(made).toHaveLength(3)
  })

  it("replaces a worker that dies while others start", async () => {
    const { log, made, made_, workers } = workersOf()
    const start = workers.start()
    made[0]!.ready()
    await made_(2)
    made[0]!.end(null, "SIGKILL")
    await made_(3)
    made[2]!.ready()
    made[1]!.ready()
    await start
    expect(log.join("\n")).toContain("error: Worker 1 (process 100) ended with signal SIGKILL; a new one starts")
  })

  it("tries again when the system cannot create a process", async () => {
    const failing: Array<Error> = []
    const { log, made, made_, started } = workersOf(failing)
    await started()
    failing.push(new Error("spawn ENOMEM"))
    made[0]!.end(null, "SIGKILL")
    await made_(3)
    expect(log.join("\n")).toContain("error: A worker cannot start: spawn ENOMEM; a new one starts")
  })

  it("tries again when a replacement reports a failed start before its process ends", async () => {
    const { log, made, made_, started, workers } = workersOf()
    await started()
    made[0]!.end(null, "SIGKILL")
    await made_(3)
    made[2]!.fails("the disk is full")
    await made_(4)
    made[3]!.ready()
    await vi.waitFor(() => expect(workers.all.filter(({ state }) => state === "serving")).toHaveLength(2), LIMIT)
    expect(log.join("\n")).toContain("error: A worker cannot start: the disk is full; a new one starts")
  })

  it("replaces a worker that died during a reload whose new worker cannot start", async () => {
    const { log, made, made_, started, workers } = workersOf()
    await started()
    const reload = workers.reload().catch((error: Error) => error.message)
    await made_(3)
    made[1]!.end(null, "SIGKILL")
    await turn()
    expect(made).toHaveLength(3)
    made[2]!.fails("no such file.")
    expect(await reload).toContain("cannot start: no such file. The old workers stay")
    await made_(4)
    made[3]!.ready()
    await vi.waitFor(() => expect(workers.all.filter(({ state }) => state === "serving")).toHaveLength(2), LIMIT)
    expect(log.join("\n")).toContain("cannot start: no such file; a new one starts")
  })

  it("says that a replacement has another version, which has read the present configuration", async () => {
    const { log, made, made_, started } = workersOf()
    await started()
    made[0]!.end(null, "SIGKILL")
    await made_(3)
    made[2]!.ready(2, { version: "2.0.0", notes: [{ level: "warn", text: "a note" }] })
    await vi.waitFor(() => expect(log.at(-1)).toBe("warn: a note"), LIMIT)
    expect(log.at(-2)).toMatch(/^error: Worker 1 .* has version 2\.0\.0 of the program and the present configuration/)
  })

  it("gives connections to workers that are stopping while the server ends, and closes them when none answers any more", async () => {
    const { made, started, workers } = workersOf()
    await started()
    const stop = workers.stop()
    for (let i = 0; i < 2; i++) workers.accept(new Socket())
    expect(made.map(({ handed }) => handed)).toEqual([1, 1])
    made[0]!.drains()
    // The answer comes after the connections that were given before.
    await vi.waitFor(() => expect(made[0]!.sent.at(-1)).toMatchObject({ kind: "answer" }), LIMIT)
    for (let i = 0; i < 2; i++) workers.accept(new Socket())
    await vi.waitFor(() => expect(made.map(({ handed }) => handed)).toEqual([1, 3]), LIMIT)
    made[1]!.drains()
    const last = new Socket()
    workers.accept(last)
    expect(last.destroyed).toBe(true)
    for (const process of made) process.end(0)
    await stop
  })

  it("repeats the order to stop to a worker that missed it while it waited for its settings", () => {
    const child = new FakeProcess(100)
    const link = new WorkerLink(1, child as unknown as ChildProcess)
    void link.stop(1_000_000)
    giveSettings(child as unknown as ChildProcess, "text", () => link.settled())
    child.emit("message", "settings?")
    expect(child.sent.map((message) => message.name ?? message)).toEqual(["stop", "settings:text", "stop"])
    child.end(0)
  })

  it("says that many have died, and replaces the fifth within a minute after a delay", async () => {
    const { log, made, made_, started } = workersOf()
    await started()
    for (let deaths = 1; deaths <= 5; deaths++) {
      made.at(-1)!.end(null, "SIGKILL")
      if (deaths < 5) {
        await made_(2 + deaths)
        made.at(-1)!.ready()
      }
      await turn()
    }
    expect(made).toHaveLength(6)
    expect(log.at(-1)).toContain("; 5 workers have ended within a minute, so the next one starts after 1000 ms")
    await made_(7)
  })

  it("says which workers a reload has replaced when a later one cannot start", async () => {
    const { made, made_, started, workers } = workersOf()
    await started()
    const reload = workers.reload().catch((error: Error) => error.message)
    await made_(3)
    made[2]!.ready()
    await made_(4)
    made[3]!.end(1)
    expect(await reload).toMatch(
      /cannot start: .*exit status 1; the log says why\. 1 of 2 workers are replaced, and the others stay/
    )
    expect([made[0]!.has("retire"), made[1]!.has("retire")]).toEqual([true, false])
  })

  it("starts all workers of a configuration with more of them although a later one of the reload cannot start", async () => {
    const { made, made_, outcome, workers } = await failedReload(4)
    expect(outcome).toContain("1 of 2 workers are replaced, and the others stay")
    // A new worker and an old one serve.
    await made_(7)
    for (const process of made.slice(5)) process.ready(4)
    await vi.waitFor(() => expect(workers.all.filter(({ state }) => state === "serving")).toHaveLength(4), LIMIT)
    await turn()
    expect(made).toHaveLength(7)
  })

  it("takes the settings of a reload that changes the number of workers from a worker with the heap of the new number", async () => {
    for (const count of [1, 4]) {
      const { configured, made, made_, shares, started, workers } = workersOf()
      await started()
      const reload = workers.reload()
      await made_(3)
      made[2]!.ready(count, { settings: "for a heap of two workers" })
      await made_(4)
      expect(made[2]!.has("retire")).toBe(true)
      for (let next = 3; next < 3 + count; next++) {
        await made_(next + 1)
        made[next]!.ready(count, { settings: "for the new number" })
      }
      expect(await reload).toMatch(new RegExp(`^${count} workers? started`))
      expect(shares.slice(3)).toEqual(Array(count).fill(count))
      expect(configured).toEqual([undefined, "for the new number"])
    }
  })

  it("keeps the workers and their number when the configuration cannot be read once more for another number", async () => {
    const { made, made_, shares, started, workers } = workersOf()
    await started()
    const reload = workers.reload().catch((error: Error) => error.message)
    await made_(3)
    made[2]!.ready(4)
    await made_(4)
    made[3]!.fails("no such file")
    expect(await reload).toContain("cannot start: no such file. The old workers stay")
    expect(made.map((process) => process.has("retire"))).toEqual([false, false, true, false])
    made[0]!.end(null, "SIGKILL")
    await made_(5)
    expect(shares.at(-1)).toBe(2)
  })

  it("starts many missing workers at once after one start that failed, which is no death of each of them", async () => {
    const { log, made, workers } = await failedReload(9)
    await turn()
    expect(made).toHaveLength(12)
    expect(log.join("\n")).not.toContain("have ended within a minute")
    for (const process of made.slice(5)) process.ready(9)
    await vi.waitFor(() => expect(workers.all.filter(({ state }) => state === "serving")).toHaveLength(9), LIMIT)
  })

  it("logs a worker that dies while it is retiring, and does not replace it", async () => {
    const { log, made, made_, started, workers } = workersOf()
    await started()
    const reload = workers.reload()
    for (const next of [2, 3]) {
      await made_(next + 1)
      made[next]!.ready()
    }
    await reload
    made[0]!.end(null, "SIGSEGV")
    made[1]!.end(0)
    await turn()
    expect(log.filter((line) => line.startsWith("error"))).toEqual([
      "error: Worker 1 (process 100) ended with signal SIGSEGV before it had answered all requests"
    ])
    expect(made).toHaveLength(4)
  })

  it("replaces a worker that was started with the old settings while another one read the new ones", async () => {
    const { made, made_, started, workers } = workersOf()
    await started()
    const reload = workers.reload()
    await made_(3)
    for (const old of [made[0]!, made[1]!]) old.end(null, "SIGKILL")
    await made_(4)
    made[3]!.ready()
    await turn()
    made[2]!.ready()
    await made_(5)
    expect(made[3]!.has("retire")).toBe(false)
    made[4]!.ready()
    await reload
    expect(made[3]!.has("retire")).toBe(true)
    expect(workers.all.filter(({ state }) => state === "serving").map(({ pid }) => pid)).toEqual([104, 102])
  })

  it("keeps the number of workers when one dies during a reload", async () => {
    const { made, made_, started, workers } = workersOf()
    await started()
    made[0]!.end(null, "SIGKILL")
    await made_(3)
    const reload = workers.reload()
    await made_(4)
    made[3]!.ready()
    // The replacement of the dead worker is still starting when the reload wants to replace it, too.
    made[2]!.ready()
    await made_(5)
    made[4]!.ready()
    await reload
    expect(workers.all.filter(({ state }) => state === "serving")).toHaveLength(2)
  })

  it("starts no worker too many when one dies during a reload to a greater number", async () => {
    const { made, made_, started, workers } = workersOf()
    await started()
    const reload = workers.reload()
    for (const at of [2, 3]) {
      await made_(at + 1)
      made[at]!.ready(4)
    }
    await made_(5)
    made[1]!.end(null, "SIGKILL")
    // The replacement of the dead worker.
    await made_(6)
    made[5]!.ready(4)
    made[4]!.ready(4)
    await made_(7)
    made[6]!.ready(4)
    await reload
    expect(workers.all.filter(({ state }) => state === "serving")).toHaveLength(4)
  })

  it("gives no connection to a worker that ends by itself, and replaces it once", async () => {
    const { log, made, made_, started, workers } = workersOf()
    await started()
    made[0]!.leaves()
    for (let i = 0; i < 4; i++) workers.accept(new Socket())
    const handed = () => made.slice(0, 2).map((process) => process.handed)
    await vi.waitFor(() => expect(handed()).toEqual([0, 4]), LIMIT)
    await made_(3)
    made[2]!.ready()
    await vi.waitFor(() => expect(workers.all.filter(({ state }) => state === "serving")).toHaveLength(2), LIMIT)
    made[0]!.end(0)
    await turn()
    expect(made).toHaveLength(3)
    expect(log.filter((line) => line.startsWith("error"))).toEqual([
      "error: Worker 1 (process 100) ends without an order of the primary process; a new one starts"
    ])
  })

  it("keeps connections for a new worker when all workers end by themselves", async () => {
    const { made, made_, started, workers } = workersOf()
    await started()
    made[0]!.leaves()
    made[1]!.leaves()
    workers.accept(new Socket())
    await made_(4)
    made[2]!.ready()
    await vi.waitFor(() => expect(made.map((process) => process.handed)).toEqual([0, 0, 1, 0]), LIMIT)
  })

  it("passes SIGHUP to a worker that starts when it serves, and to the others at once", async () => {
    const { made, made_, workers } = workersOf()
    const start = workers.start()
    made[0]!.ready()
    await made_(2)
    workers.reopenLogs()
    workers.reopenLogs()
    expect(made.map(({ signals }) => signals)).toEqual([["SIGHUP", "SIGHUP"], []])
    made[1]!.ready()
    await start
    expect(made[1]!.signals).toEqual(["SIGHUP"])
  })
})
