import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import { serverMemory } from "../../../src/layers/workers/ServerMemory.ts"
import { attachRegion } from "../../../src/layers/workers/SharedRegion.ts"
import { WriteTable } from "../../../src/layers/workers/WriteTable.ts"
import { newFolder } from "../../Folders.ts"
import { http, post } from "../support/HttpClient.ts"
import { bundled, type ServerProcess, startProcess } from "../support/ServerProcess.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { endless, eventually } from "../support/TestServers.ts"

/** How long writes may arrive after the death of their worker, ms. */
const HELD_MS = 100

let bundle = ""
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

const start = (settings: ReadonlyArray<string>): Promise<ServerProcess> =>
  startProcess(bundle, newFolder(), {
    properties: ["storage.backend=lmdb", "storage.directory=data"],
    settings: ["workers: 2", ...settings]
  })

/** Connections take turns between the workers. */
const connected = async ({ port }: ServerProcess, count: number): Promise<ReadonlyArray<SocketClient>> => {
  const clients: Array<SocketClient> = []
  for (let i = 0; i < count; i++) clients.push(await SocketClient.connect(`127.0.0.1:${port}`))
  return clients
}

/** The processes of the workers, by their numbers. */
const workersOf = async ({ log }: ServerProcess): Promise<ReadonlyArray<number>> => {
  await eventually(() => log.some((text) => text.includes("workers serve")))
  const [line] = log.filter((text) => text.includes("workers serve"))
  return [...(line ?? "").matchAll(/is process (\d+)/g)].map(([, pid]) => Number(pid))
}

describe("The processes of a server", () => {
  it("share their lanes, and those of a worker that is killed are free again", async () => {
    const server = await start(["enginePool: 2", "maxWorkQueueSize: 1", "logging: {format: text}"])
    const [a, b] = (await connected(server, 2)) as [SocketClient, SocketClient]
    const [first] = await workersOf(server)
    for (let i = 0; i < 2; i++) a.send("eval", "", { gremlin: endless, evaluationTimeout: 60_000 })
    // A connection of its own reaches the workers in turn.
    const accepted = async () =>
      (await http(`127.0.0.1:${server.port}`, { path: "/gremlin/status", agent: false })).json.acceptedQueryCount
    await eventually(async () => (await accepted()) === 2)
    const waiting = b.send("eval", "", { gremlin: "40 + 2", evaluationTimeout: 60_000 })
    await eventually(async () => (await b.eval("1")).status.code === 429)
    expect(b.frames.some(({ requestId }) => requestId === waiting)).toBe(false)
    process.kill(first!, "SIGKILL")
    expect((await b.answer(waiting)).result.data).toEqual([42])
    // The log names the requests of the worker that died.
    const death = () => server.log.find((text) => text.includes("ended with signal SIGKILL"))
    await eventually(() => death() !== undefined)
    const line = death()
    expect(line).toMatch(/ended with signal SIGKILL while (it ran the request|these requests waited)/)
    expect(line).toContain(endless)
    await eventually(async () => (await post(`127.0.0.1:${server.port}`, "1")).status === 200)
    expect((await http(`127.0.0.1:${server.port}`, { path: "/health/live" })).status).toBe(200)
  })

  it("share the names of sessions, and those of a worker that is killed are free again", async () => {
    const server = await start(["maxSessions: 2", "logging: {format: text}"])
    const [a, b] = (await connected(server, 2)) as [SocketClient, SocketClient]
    const [first] = await workersOf(server)
    for (const session of ["one", "two"]) expect((await a.eval("1", { session })).status.code).toBe(200)
    expect((await b.eval("1", { session: "one" })).status.message).toContain("is not bound to the connecting client")
    expect((await b.eval("1", { session: "three" })).status.message).toContain("maxSessions")
    process.kill(first!, "SIGKILL")
    await eventually(async () => (await b.eval("1", { session: "one" })).status.code === 200)
  })
})

describe("The memory of a server", () => {
  it("holds the writes of a worker that has died as long as they may arrive", async () => {
    const withMemory = Effect.gen(function* () {
      const memory = yield* serverMemory(2)
      const region = yield* Effect.promise(() => attachRegion(memory.stdio(1)[4] as number))
      const [dead, other] = [new WriteTable(region, 0), new WriteTable(region, 1)]
      memory.began(1, process.pid)
      dead.lasting(HELD_MS)
      dead.begin([7])
      memory.ended(1, false)
      const began = performance.now()
      expect(other.otherWriter(7)).toBe("goes on")
      yield* Effect.promise(() => eventually(() => other.otherWriter(7) === "none"))
      expect(performance.now() - began).toBeGreaterThan(HELD_MS - 2)
      expect(other.changesByOthers(7)).toBe(1)
      region.close()
    })
    await Effect.runPromise(Effect.scoped(withMemory))
  })

  it("count what a dead worker could not announce as changed, also if it announced nothing", async () => {
    const withMemory = Effect.gen(function* () {
      const memory = yield* serverMemory(2)
      const region = yield* Effect.promise(() => attachRegion(memory.stdio(1)[4] as number))
      const [dead, other] = [new WriteTable(region, 0), new WriteTable(region, 1)]
      memory.began(1, process.pid)
      dead.lasting(HELD_MS)
      memory.ended(1, false)
      expect(other.wholeChangesByOthers(7)).toBe(0)
      yield* Effect.promise(() => eventually(() => other.wholeChangesByOthers(7) === 1))
      // One that has closed its graphs has told all.
      memory.began(1, process.pid)
      new WriteTable(region, 0).lasting(HELD_MS)
      memory.ended(1, true)
      yield* Effect.promise(() => new Promise((done) => setTimeout(done, 2 * HELD_MS)))
      expect(other.wholeChangesByOthers(7)).toBe(1)
      region.close()
    })
    await Effect.runPromise(Effect.scoped(withMemory))
  })
})
