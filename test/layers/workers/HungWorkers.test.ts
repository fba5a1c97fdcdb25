import type { ChildProcess } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { watchHungWorkers } from "../../../src/layers/workers/HungWorkers.ts"
import { WorkerLink } from "../../../src/layers/workers/WorkerLink.ts"
import { holdsWriteMutex } from "../../../src/storage/lmdb/MutexOwner.ts"
import { newFolder } from "../../Folders.ts"
import { CONDITION_MS, PROCESSES_MS } from "../../Limits.ts"
import { otherProcess } from "../../storage/lmdb/OtherProcess.ts"
import { FakeProcess } from "../support/FakeProcess.ts"
import { post } from "../support/HttpClient.ts"
import { sourcesOnly } from "../support/Packed.ts"
import { bundled, stop } from "../support/ServerProcess.ts"
import { clientOfEach, startWorkers, until } from "../support/WorkerServer.ts"

sourcesOnly("it inspects the primary process")

const LOOK_MS = 50

/** A worker that serves and gives no answer. */
const silent = (pid: number) => {
  const child = new FakeProcess(pid)
  const link = new WorkerLink(1, child as unknown as ChildProcess)
  child.ready()
  return { child, link }
}

describe("The primary process", () => {
  it("ends a worker that does not run and holds LMDB's write lock, and no other one", {
    timeout: PROCESSES_MS
  }, async () => {
    const directory = newFolder()
    const holder = await otherProcess(directory, "holder")
    const idle = await otherProcess(directory, "idle")
    await holder.begin("hang")
    for (const { child } of [holder, idle]) child.kill("SIGSTOP")
    const [held, free] = [silent(holder.child.pid!), silent(idle.child.pid!)]
    const log: Array<string> = []
    onTestFinished(
      watchHungWorkers({ workers: () => [held.link, free.link], log: (text) => log.push(text), lookMs: LOOK_MS })
    )
    await vi.waitFor(() => expect(held.child.signals).toContain("SIGKILL"), { timeout: CONDITION_MS })
    expect(log[0]).toContain(`(process ${holder.child.pid}) has not run`)
    await sleep(5 * LOOK_MS)
    expect(free.child.signals).toEqual([])
  })

  it("does not end a worker that has opened a debugger since its start", { timeout: PROCESSES_MS }, async () => {
    const holder = await otherProcess(newFolder(), "holder")
    await holder.begin("hang")
    const { child, link } = silent(holder.child.pid!)
    const questions = () => child.sent.filter(({ name }) => name === "alive").length
    onTestFinished(watchHungWorkers({ workers: () => [link], log: () => undefined, lookMs: LOOK_MS }))
    await vi.waitFor(() => expect(questions()).toBe(1), { timeout: CONDITION_MS, interval: 1 })
    child.answers("debugger")
    await vi.waitFor(() => expect(questions()).toBeGreaterThan(8), { timeout: CONDITION_MS })
    expect(child.signals).toEqual([])
    child.answers(null)
    await vi.waitFor(() => expect(child.signals).toContain("SIGKILL"), { timeout: CONDITION_MS })
  })
})

describe("A server with two workers on disk", () => {
  it("commits again, and has all answered commits, when a worker was stopped that held the write lock", {
    timeout: PROCESSES_MS
  }, async () => {
    const server = await startWorkers(await bundled({ main: "src/main.ts" }), 2)
    const clients = await clientOfEach(server, 2)
    const [stopped = 0] = await server.pids()
    onTestFinished(() => {
      try {
        process.kill(stopped, "SIGKILL")
      } catch {
        // The server has ended it.
      }
    })
    let answered = 0
    let isOver = false
    const write = async (client: (typeof clients)[number]): Promise<void> => {
      while (!isOver) {
        const answer = await client.eval("g.addV('written').iterate()").catch(() => undefined)
        if (answer?.status.code !== 204) return
        answered++
      }
    }
    const writes = clients.flatMap((client) => [write(client), write(client)])
    await vi.waitFor(() => expect(answered).toBeGreaterThan(10), { timeout: CONDITION_MS })
    for (;;) {
      process.kill(stopped, "SIGSTOP")
      await sleep(5)
      if (holdsWriteMutex(stopped)) break
      process.kill(stopped, "SIGCONT")
      await sleep(Math.random() * 5)
    }
    await until(server.pids, (pids) => pids.length === 2 && !pids.includes(stopped))
    const before = answered
    await vi.waitFor(() => expect(answered).toBeGreaterThan(before), { timeout: CONDITION_MS })
    isOver = true
    await Promise.all(writes)
    expect(server.log.join("\n")).toContain(
      "holds LMDB's write lock, for which all commits to a graph wait: it is ended"
    )
    const count = (await post(server.authority, "g.V().hasLabel('written').count()")).json.result.data[0]
    // A commit without an answer may be applied.
    expect(count).toBeGreaterThanOrEqual(answered)
    expect(count).toBeLessThanOrEqual(answered + writes.length)
    await stop(server)
  })
})
