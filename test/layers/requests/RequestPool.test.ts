import { readdirSync } from "node:fs"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { describe, expect, it, vi } from "vitest"
import * as LaneRequestPool from "../../../src/layers/requests/LaneRequestPool.ts"
import { makeRunQueue } from "../../../src/layers/requests/RunQueue.ts"
import { SessionRequest } from "../../../src/layers/requests/SessionRequest.ts"
import { Config, defaultSettings } from "../../../src/services/Config.ts"
import { type PoolTask, RequestPool } from "../../../src/services/RequestPool.ts"
import { RunQueue } from "../../../src/services/RunQueue.ts"
import { newFolder } from "../../Folders.ts"
import { patience } from "../../Limits.ts"
import { type HeldTask, heldTask } from "../support/HeldTask.ts"
import { http, post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { codes, SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, startInside, startServer } from "../support/TestServers.ts"

const pool = async (options: Partial<Parameters<typeof LaneRequestPool.makePool>[0]> = {}) => {
  const made = LaneRequestPool.makePool(
    { size: 2, queue: 2, lanesOnDemand: false, idleLane: 60_000, ...options },
    makeRunQueue()
  )
  const lanes = () =>
    made
      .dump()
      .filter(({ requestId }) => requestId !== "")
      .map(({ name, requestId }) => `${name} ${requestId}`)
  return { made, lanes }
}

describe("A request pool", () => {
  it("evaluates one task for each lane, queues as many as its queue holds, and refuses the next at once", async () => {
    const { made } = await pool()
    const tasks = Array.from({ length: 5 }, (_, i) => heldTask(String(i)))
    expect(tasks.map((task) => made.submit(task))).toEqual([true, true, true, true, false])
    expect(made.status()).toEqual({ size: 2, running: 2, queued: 2, lanes: 2, refused: 1 })
    expect([made.refuses(), made.status().refused]).toEqual([true, 2])
    expect(tasks.map(({ events }) => events.length)).toEqual([1, 1, 0, 0, 0])
    tasks[1]!.end()
    await eventually(() => tasks[2]!.events.length === 1)
    expect(tasks[3]!.events).toEqual([])
    expect([made.refuses(), made.status().refused]).toEqual([false, 2])
    expect(made.submit(tasks[4]!)).toBe(true)
    for (const task of tasks) {
      await eventually(() => task.events.length === 1)
      task.end()
    }
    await eventually(() => made.status().running === 0)
  })

  it("gives a task the lowest free lane, and the task keeps it while it waits", async () => {
    const { made, lanes } = await pool({ size: 3 })
    const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => heldTask(name)) as [HeldTask, HeldTask, HeldTask, HeldTask]
    for (const task of [a, b, c]) made.submit(task)
    expect(lanes()).toEqual(["engine-server-exec-1 a", "engine-server-exec-2 b", "engine-server-exec-3 c"])
    b.end()
    await eventually(() => made.status().running === 2)
    made.submit(d)
    expect(lanes()).toEqual(["engine-server-exec-1 a", "engine-server-exec-2 d", "engine-server-exec-3 c"])
    for (const task of [a, c, d]) task.end()
  })

  it("makes lanes beyond the first 1,024 when they are needed, and keeps them", async () => {
    const { made } = await pool({ size: 1_000_000_000 })
    expect(made.status().lanes).toBe(1_024)
    const tasks = Array.from({ length: 1_030 }, (_, i) => heldTask(String(i)))
    for (const task of tasks) expect(made.submit(task)).toBe(true)
    expect(made.status()).toMatchObject({ size: 1_000_000_000, running: 1_030, queued: 0, lanes: 1_030 })
    for (const task of tasks) task.end()
    await eventually(() => made.status().running === 0)
    expect(made.status().lanes).toBe(1_030)
  })

  it("lists idle lanes in its dump, by name", async () => {
    const { made } = await pool()
    expect(made.dump().map(({ name, state }) => [name, state])).toEqual([
      ["engine-server-exec-1", "idle"],
      ["engine-server-exec-2", "idle"]
    ])
  })

  it("frees the place of a waiting task whose client closed the connection, and does not run it", async () => {
    const { made } = await pool({ size: 1, queue: 1 })
    const [running, gone, next] = [heldTask("1"), heldTask("2"), heldTask("3")]
    made.submit(running)
    made.submit(gone)
    expect(made.submit(next)).toBe(false)
    gone.waitsIn!.forget()
    expect(made.submit(next)).toBe(true)
    running.end()
    await eventually(() => next.events.length === 1)
    expect(gone.events).toEqual([])
    next.end()
  })

  it("stays bounded when waiting clients come and go without end", async () => {
    const { made } = await pool({ size: 1, queue: 4 })
    const running = heldTask("running")
    made.submit(running)
    for (let i = 0; i < 10_000; i++) {
      const task = heldTask(String(i))
      expect(made.submit(task)).toBe(true)
      task.waitsIn!.forget()
    }
    expect(made.status().queued).toBe(0)
    running.end()
  })

  it("answers a task whose deadline passes while it waits, without running it", async () => {
    const { made } = await pool({ size: 1 })
    const running = heldTask("running")
    made.submit(running)
    const late = heldTask("late", { deadline: performance.now() + 20 })
    const patient = heldTask("patient", { deadline: performance.now() + 60_000 })
    made.submit(late)
    made.submit(patient)
    await eventually(() => late.events.length > 0)
    expect(late.events).toEqual(["expired"])
    expect(patient.events).toEqual([])
    running.end()
    await eventually(() => patient.events.length === 1)
    patient.end()
  })

  it("makes lanes on demand up to its size, and removes idle ones", async () => {
    const { made } = await pool({ size: 3, lanesOnDemand: true, idleLane: 40 })
    expect(made.status().lanes).toBe(0)
    const [a, b] = [heldTask("a"), heldTask("b")]
    made.submit(a)
    made.submit(b)
    expect(made.status().lanes).toBe(2)
    a.end()
    await eventually(() => made.status().lanes === 1)
    expect(made.dump().map(({ name }) => name)).toEqual(["engine-server-exec-2"])
    const c = heldTask("c")
    made.submit(c)
    expect(made.dump().map(({ name }) => name)).toEqual(["engine-server-exec-1", "engine-server-exec-2"])
    b.end()
    c.end()
    await eventually(() => made.status().lanes === 0)
  })

  it("of a server removes a lane made on demand after one idle minute, and not before", async () => {
    // Lanes on demand need a newer Node.js than the tests.
    const versions = Object.getOwnPropertyDescriptor(process, "versions")!
    Object.defineProperty(process, "versions", { ...versions, value: { ...process.versions, node: "24.0.0" } })
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    const scope = await Effect.runPromise(Scope.make())
    try {
      const settings = defaultSettings({ enginePool: 3, enginePoolVirtualThreads: true })
      const services = await Effect.runPromise(
        LaneRequestPool.layer.pipe(
          Layer.provide(Layer.succeed(RunQueue, makeRunQueue())),
          Layer.provide(Layer.succeed(Config, settings)),
          Layer.buildWithScope(scope)
        )
      )
      const made = Context.get(services, RequestPool)
      made.submit({ ...heldTask("short"), begin: () => true })
      expect(made.status().lanes).toBe(1)
      vi.advanceTimersByTime(59_000)
      expect(made.status().lanes).toBe(1)
      vi.advanceTimersByTime(31_000)
      expect(made.status().lanes).toBe(0)
    } finally {
      vi.useRealTimers()
      Object.defineProperty(process, "versions", versions)
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  })

  it("cancels running tasks and waiting ones when it is cut", async () => {
    const { made } = await pool({ size: 1 })
    const [running, waiting] = [heldTask("1"), heldTask("2")]
    made.submit(running)
    made.submit(waiting)
    made.cut()
    expect(waiting.events).toEqual(["cancelled"])
    expect(running.events).toEqual(["started", "cancelled"])
  })

  it("tells a session of each end once when it is cut", async () => {
    const { made } = await pool({ size: 1 })
    const ends: Array<string> = []
    const [running, waiting] = [heldTask("1"), heldTask("2")]
    const turnOf = (task: PoolTask) =>
      new SessionRequest(task, (isRefused) => ends.push(`${task.requestId} ${isRefused ? "refused" : "ended"}`))
    made.submit(turnOf(running))
    made.submit(turnOf(waiting))
    made.cut()
    // The running request may be in its commit: the session goes on after it.
    expect(ends).toEqual(["2 refused"])
    running.end()
    expect(ends).toEqual(["2 refused", "1 ended"])
    expect(made.status()).toMatchObject({ running: 0, queued: 0 })
  })
})

describe("A full request pool", () => {
  const full = { enginePool: 1, maxWorkQueueSize: 1 }
  /** The pool must be full until the refusals, also on a slow machine. */
  const slow = { evaluationTimeout: 400 * patience }

  it("refuses requests of WebSockets at once with 429, and answers every accepted one", async () => {
    const server = await startServer(full)
    const client = await SocketClient.connect(server.authority)
    const accepted = [1, 2].map(() => client.send("eval", "", { gremlin: endless, ...slow }))
    const refused = await client.eval("1")
    expect(refused.status.code).toBe(429)
    expect(refused.status.message).toContain("maxWorkQueueSize")
    expect(client.frames.length).toBe(1)
    for (const requestId of accepted) expect((await client.answer(requestId)).status.code).toBe(598)
    expect(codes(client.frames)).toEqual([429, 598, 598])
    expect((await client.eval("1")).status.code).toBe(200)
  })

  it("refuses bytecode the same way", async () => {
    const server = await startServer(full)
    const client = await SocketClient.connect(server.authority)
    for (let i = 0; i < 2; i++) client.send("eval", "", { gremlin: endless, ...slow })
    client.ws.send(
      JSON.stringify({
        requestId: "41d2e28a-20a4-4ab0-b379-d810dede3786",
        op: "bytecode",
        processor: "traversal",
        args: { gremlin: { "@type": "g:Bytecode", "@value": { step: [["V"]] } }, aliases: { g: "g" } }
      })
    )
    expect((await client.answer("41d2e28a-20a4-4ab0-b379-d810dede3786")).status.code).toBe(429)
  })

  it("makes no evaluation of a refused request, counts it once, and does not audit it", async () => {
    const server = await startServer({ ...full, enableAuditLog: true })
    const client = await SocketClient.connect(server.authority)
    const accepted = [1, 2].map(() => client.send("eval", "", { gremlin: endless, ...slow }))
    // Its arguments are not read, and nothing is evaluated.
    for (const args of [{ gremlin: "g.V(4711)" }, { gremlin: 7 }]) {
      expect((await client.answer(client.send("eval", "", args))).status.code).toBe(429)
    }
    const { text } = await http(server.authority, { path: "/metrics" })
    expect(text).toContain('engine_server_refusals_total{reason="pool"} 2')
    expect(text).toContain('engine_server_answers_total{transport="websocket",op="eval",status="429"} 2')
    for (const requestId of accepted) await client.answer(requestId)
    expect(server.log.filter((line) => line.includes("Audit")).length).toBe(2)
    expect(server.log.join()).not.toContain("4711")
  })

  it("refuses requests over HTTP with 500, and answers every accepted one", async () => {
    const { authority } = await startServer(full)
    const accepted = [1, 2].map(() => post(authority, endless, slow))
    await eventually(async () => (await http(authority, { path: "/gremlin/status" })).json.acceptedQueryCount === 2)
    const refused = await post(authority, "1")
    expect([refused.status, refused.json.exceptions]).toEqual([500, ["TooManyRequests"]])
    for (const answer of await Promise.all(accepted)) expect(answer.json.exceptions).toEqual(["EvaluationTimeout"])
    expect((await post(authority, "1")).status).toBe(200)
  })

  it("refuses requests over HTTP with 429 or 503 and Retry-After when poolFullStatus says so", async () => {
    for (const poolFullStatus of [429, 503] as const) {
      const { authority } = await startServer({ ...full, poolFullStatus })
      const accepted = [1, 2].map(() => post(authority, endless, slow))
      await eventually(async () => (await http(authority, { path: "/gremlin/status" })).json.acceptedQueryCount === 2)
      const refused = await post(authority, "1")
      expect([refused.status, refused.headers["retry-after"]]).toEqual([poolFullStatus, "1"])
      await Promise.all(accepted)
    }
  })

  it("queues nothing with maxWorkQueueSize 0", async () => {
    const { authority } = await startServer({ enginePool: 1, maxWorkQueueSize: 0 })
    const accepted = post(authority, endless, slow)
    await eventually(async () => (await http(authority, { path: "/gremlin/status" })).json.acceptedQueryCount === 1)
    expect((await post(authority, "1")).status).toBe(500)
    await accepted
  })

  it("answers thousands of simultaneous requests, each with a result or a refusal", async () => {
    const server = await startServer({ enginePool: 2, maxWorkQueueSize: 100 })
    const client = await SocketClient.connect(server.authority)
    const ids = Array.from({ length: 3_000 }, () => client.send("eval", "", { gremlin: "g.inject(1)" }))
    await client.count(ids.length)
    expect(new Set(client.frames.map(({ requestId }) => requestId)).size).toBe(ids.length)
    expect(codes(client.frames).every((code) => code === 200 || code === 429)).toBe(true)
  })
})

describe("enginePoolVirtualThreads", () => {
  const node = Number.parseInt(process.versions.node, 10)

  it.skipIf(node >= 24)(
    "stops the start on an older Node.js with an IllegalStateException that names the version, before anything is written",
    async () => {
      const folder = newFolder()
      const failure = await startInside({ ...onLmdb(folder), enginePoolVirtualThreads: true }).then(
        () => undefined,
        (error: Error) => error
      )
      expect(failure?.name).toContain("IllegalStateException")
      expect(failure?.message).toContain(`Node ${process.versions.node}`)
      expect(readdirSync(folder)).toEqual([])
    }
  )

  it.skipIf(node < 24)("makes lanes on demand on Node 24", async () => {
    const server = await startInside({ enginePoolVirtualThreads: true, enginePool: 4 })
    const status = () => Context.get(server.services, RequestPool).status()
    expect(status().lanes).toBe(0)
    await post(server.authority, "1")
    expect(status().lanes).toBe(1)
  })
})
