import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { Channelizer } from "../../../src/services/Channelizer.ts"
import type { ServerSettings } from "../../../src/services/Settings.ts"
import { PROCESSES_MS } from "../../Limits.ts"
import { http, post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually, modern, startInside } from "../support/TestServers.ts"

/** A server whose transport retires when it is told to. */
const start = async (settings: Partial<ServerSettings> = {}) => {
  const server = await startInside({ ...modern, ...settings })
  const { retire } = Context.get(server.services, Channelizer)
  const idle = await SocketClient.connect(server.authority)
  return {
    authority: server.authority,
    /** Ends when the transport has closed the connections that were idle. */
    retire: async () => {
      Effect.runFork(retire!)
      expect((await idle.closed).code).toBe(1012)
    }
  }
}

describe("A WebSocket of a server that retires", () => {
  it("is closed after the answer to a message that had begun to arrive", async () => {
    const { authority, retire } = await start()
    const client = await SocketClient.connect(authority)
    const requestId = randomUUID()
    const text = JSON.stringify({ requestId, op: "eval", processor: "", args: { gremlin: "g.V().count()" } })
    client.ws.send(text.slice(0, 20), { fin: false })
    // The server has read the fragment when it answers a ping after it.
    client.ws.ping()
    await new Promise((resolve) => client.ws.once("pong", resolve))
    await retire()
    client.ws.send(text.slice(20), { fin: true })
    const [answer] = await client.answers(requestId)
    expect(answer?.status.code).toBe(200)
    expect((await client.closed).code).toBe(1012)
  })

  it("is closed under steady load, and loses no request that has begun", { timeout: PROCESSES_MS }, async () => {
    const { authority, retire } = await start()
    const client = await SocketClient.connect(authority)
    const steady = { isOver: false, sent: 0, answered: 0 }
    const load = async (): Promise<void> => {
      while (!steady.isOver) {
        steady.sent++
        // Each request begins before the one before has ended.
        const gremlin = "g.addV('steady').sideEffect(__.inject(0).repeat(__.identity()).times(20000)).iterate()"
        const [answer] = await client.answers(client.send("eval", "", { gremlin })).catch(() => [])
        if (answer === undefined) return
        expect(answer.status.code).toBe(204)
        steady.answered++
      }
    }
    const loads = Array.from({ length: 4 }, load)
    await retire()
    expect((await client.closed).code).toBe(1012)
    steady.isOver = true
    await Promise.all(loads)
    expect(steady.answered).toBeGreaterThan(4)
    const count = (await post(authority, "g.V().hasLabel('steady').count()")).json.result.data
    expect(count).toEqual([steady.answered])
  })

  it("answers requests beside a long one, also those that it has held meanwhile", {
    timeout: PROCESSES_MS
  }, async () => {
    const { authority, retire } = await start()
    const client = await SocketClient.connect(authority)
    const endless = "g.inject(0).repeat(__.identity()).iterate()"
    const long = client.send("eval", "", { gremlin: endless, evaluationTimeout: 8_000 })
    // The server has the long request when it answers the next one.
    await client.eval("1")
    await retire()
    let isLong = true
    const ended = client.answer(long).then(({ status }) => {
      isLong = false
      return status.code
    })
    while (isLong) {
      const outcome = await client.eval("1").catch(() => undefined)
      if (outcome === undefined) break
      expect(outcome.status.code).toBe(200)
    }
    expect(await ended).toBe(598)
    expect((await client.closed).code).toBe(1012)
  })

  it("answers pings while requests wait", { timeout: PROCESSES_MS }, async () => {
    const { authority, retire } = await start({ evaluationTimeout: 0 })
    const client = await SocketClient.connect(authority)
    client.send("eval", "", { gremlin: "g.inject(0).repeat(__.identity()).iterate()", evaluationTimeout: 30_000 })
    await client.eval("1")
    await retire()
    const order: Array<string> = []
    client.ws.on("pong", () => order.push("pong"))
    while (order.length === 0) {
      const answer = client.eval("1").then(() => order.push("answer"))
      const isHeld = await Promise.race([answer.then(() => false), sleep(300, true)])
      if (isHeld) {
        client.ws.ping()
        await answer
      } else order.length = 0
    }
    expect(order).toEqual(["pong", "answer"])
    client.ws.terminate()
  })

  it("begins no request that arrives after its close frame", async () => {
    const { authority, retire } = await start()
    const client = await SocketClient.connect(authority)
    client.ws.pause()
    await retire()
    client.send("eval", "", { gremlin: "g.addV('late').iterate()" })
    client.ws.resume()
    expect((await client.closed).code).toBe(1012)
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([6])
  })

  it("is kept while a session has an open transaction, and closed after the commit", async () => {
    const { authority, retire } = await start()
    const client = await SocketClient.connect(authority)
    const session = "s"
    await client.eval("g.tx().open(); g.addV('held').iterate()", { session })
    await retire()
    expect((await client.eval("g.addV('held').iterate()", { session })).status.code).toBe(204)
    expect((await client.eval("g.tx().commit()", { session })).status.code).toBeLessThan(300)
    expect((await client.closed).code).toBe(1012)
    expect((await post(authority, "g.V().hasLabel('held').count()")).json.result.data).toEqual([2])
  })

  it("is closed when its client has read its answers", async () => {
    const { authority, retire } = await start({ shutdownTimeout: 100, writeBufferHighWaterMark: 100_000_000 })
    const client = await SocketClient.connect(authority)
    client.ws.pause()
    const asked = client.send("eval", "", {
      gremlin: `g.inject('${"x".repeat(1_000)}').repeat(__.identity()).emit().times(20000)`
    })
    // Its last result is written to the socket.
    await eventually(async () => /status="200".* 1$/m.test((await http(authority, { path: "/metrics" })).text))
    await retire()
    // Longer than a client has to answer a close.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    client.ws.resume()
    expect((await client.answers(asked)).at(-1)?.status.code).toBe(200)
    expect((await client.closed).code).toBe(1012)
  })

  it("is closed after shutdownTimeout when its transaction does not end", async () => {
    const { authority, retire } = await start({ shutdownTimeout: 100 })
    const client = await SocketClient.connect(authority)
    await client.eval("g.tx().open(); g.addV('held').iterate()", { session: "s" })
    await retire()
    expect((await client.closed).code).toBe(1012)
    expect((await post(authority, "g.V().hasLabel('held').count()")).json.result.data).toEqual([0])
  })
})
