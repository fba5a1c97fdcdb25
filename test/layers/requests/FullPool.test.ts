import * as Context from "effect/Context"
import { expect, it, vi } from "vitest"
import { FiberSession } from "../../../src/layers/requests/FiberSession.ts"
import { makePool } from "../../../src/layers/requests/LaneRequestPool.ts"
import { lostTransactions } from "../../../src/layers/requests/LostTransactions.ts"
import { poolFull } from "../../../src/layers/requests/PoolFull.ts"
import { makeRunQueue } from "../../../src/layers/requests/RunQueue.ts"
import { defaultSettings, type ServerSettings } from "../../../src/services/Config.ts"
import { Sessions } from "../../../src/services/Sessions.ts"
import { heldTask } from "../support/HeldTask.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, startInside } from "../support/TestServers.ts"

/** A server whose sessions run their requests in a pool of one lane. */
const pooled = async (overrides: Partial<ServerSettings> = {}) => {
  const server = await startInside({
    channelizer: "UnifiedChannelizer",
    enginePool: 1,
    maxWorkQueueSize: 0,
    evaluationTimeout: 0,
    ...overrides
  })
  const client = await SocketClient.connect(server.authority)
  const send = (gremlin: string, session?: string) =>
    client.send("eval", session === undefined ? "" : "session", { gremlin, session })
  const close = (session: string) => client.send("close", "session", { session })
  const codeOf = async (id: string) => (await client.answer(id)).status.code
  const cancel = async (id: string) => {
    await fetch(`http://${server.authority}/gremlin/status/${id}`, { method: "DELETE" })
    await client.answer(id)
  }
  return { send, close, codeOf, cancel, sessions: Context.get(server.services, Sessions) }
}

it("A full pool refuses all waiting requests of a session, however many, without weighing what the session holds", async () => {
  const pool = makePool({ size: 1, queue: 0, lanesOnDemand: false, idleLane: 60_000 }, makeRunQueue())
  const settings = defaultSettings()
  let refusals = 0
  const record = lostTransactions()("user", "s")
  const session = new FiberSession({ id: "s", owner: {}, user: { name: "user" } }, record, {
    settings,
    fork: () => {
      throw new Error("the session has no fiber")
    },
    pool,
    poolFull: poolFull(settings),
    memory: {
      open: () => ({ set: () => {}, mayHold: () => {}, close: () => {} }),
      used: () => 0,
      relieve: () => false
    },
    metrics: { refused: () => refusals++ },
    ended: () => {}
  })
  const weighed = vi.spyOn(session.variables, "values")
  const running = heldTask("running")
  session.submit(running)
  const waiting = Array.from({ length: 4_096 }, (_, i) => heldTask(String(i)))
  for (const task of waiting) expect(session.submit(task)).toBe(true)
  running.end()
  // Another request is faster than the next one of the session.
  expect(pool.submit(heldTask("other"))).toBe(true)
  await eventually(() => refusals === waiting.length)
  expect(waiting.every(({ events }) => events.join() === "cancelled")).toBe(true)
  // After the request that has run.
  expect(weighed).toHaveBeenCalledTimes(1)
  session.end(null)
  pool.close()
})

it("A session whose first requests a full pool refuses does not stay open", async () => {
  const { cancel, codeOf, send, sessions } = await pooled()
  const held = send(endless)
  for (const session of ["a", "b"]) expect(await codeOf(send("1", session))).toBe(429)
  expect(sessions.count()).toBe(0)
  await cancel(held)
  expect(await codeOf(send("1", "a"))).toBe(200)
  expect(sessions.count()).toBe(1)
})

it("A close succeeds and ends its session when the pool is full", async () => {
  const { cancel, close, codeOf, send, sessions } = await pooled()
  expect(await codeOf(send("1", "s"))).toBe(200)
  const held = send(endless)
  expect(await codeOf(send("1", "s"))).toBe(429)
  expect(await codeOf(close("s"))).toBe(204)
  expect(sessions.count()).toBe(0)
  await cancel(held)
})

it.each(["WsAndHttpChannelizer", "UnifiedChannelizer"] as const)(
  "A close has a place in the full queue of its session; a second close is refused, and ends nothing, with %s",
  async (channelizer) => {
    const { cancel, close, codeOf, send, sessions } = await pooled({ channelizer, maxSessionTaskQueueSize: 1 })
    expect(await codeOf(send("1", "s"))).toBe(200)
    const running = send(endless, "s")
    const waiting = send("2", "s")
    const refused = send("3", "s")
    const closed = close("s")
    expect(await codeOf(refused)).toBe(429)
    expect(await codeOf(close("s"))).toBe(429)
    expect(sessions.count()).toBe(1)
    await cancel(running)
    await codeOf(waiting)
    expect(await codeOf(closed)).toBe(204)
    expect(sessions.count()).toBe(0)
  }
)
