import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { Channelizer, defaultSettings, EngineServer } from "../../src/index.ts"
import { patience } from "../Limits.ts"
import { http, openSocket, post, raw } from "./support/HttpClient.ts"
import { SocketClient } from "./support/SocketClient.ts"
import { endless, eventually, startInside, startServer } from "./support/TestServers.ts"
import { asking } from "./support/Users.ts"

const running = (authority: string, count: number) => async () =>
  (await http(authority, { path: "/gremlin/status" })).json.acceptedQueryCount === count

/** A server that waits for such a client does not stop in this time, ms. */
const LONGEST_STOP_MS = 10_000 * patience

/** Twenty megabytes of results, which no socket holds in the buffers of the system. */
const rows = `g.inject('${"x".repeat(1_000)}').repeat(__.identity()).emit().times(20000)`

/** Whether a request over a WebSocket was answered. */
const isAnswered = (authority: string) => async () =>
  /^engine_server_answers_total\{.*transport="websocket".*status="200".*1$/m.test(
    (await http(authority, { path: "/metrics" })).text
  )

describe("Stopping a server", () => {
  it("answers accepted requests, refuses later ones, and closes WebSockets with 1001", async () => {
    const server = await startServer({ shutdownTimeout: 10_000 * patience })
    const client = await SocketClient.connect(server.authority)
    const idle = await SocketClient.connect(server.authority)
    // They run until all questions below are answered.
    const evaluationTimeout = 2_000 * patience
    const accepted = client.send("eval", "", { gremlin: endless, evaluationTimeout })
    const overHttp = post(server.authority, endless, { evaluationTimeout })
    await eventually(running(server.authority, 2))
    const keptAlive = openSocket(server.authority)
    await new Promise((resolve) => keptAlive.once("connect", resolve))
    const ended = server.end()
    await eventually(async () => (await http(server.authority, { path: "/health/ready" })).status === 503)
    expect((await http(server.authority, { path: "/health/live" })).status).toBe(200)
    const late = await client.eval("1")
    expect([late.status.code, late.status.message]).toEqual([
      500,
      expect.stringContaining("shutting down and takes no new requests")
    ])
    const lateHttp = await post(server.authority, "1")
    expect([lateHttp.status, lateHttp.headers.connection]).toEqual([503, "close"])
    await expect(SocketClient.connect(server.authority)).rejects.toThrow("status 503")
    expect((await client.answer(accepted)).status.code).toBe(598)
    expect((await overHttp).status).toBe(500)
    await ended
    expect(await client.closed).toEqual({ code: 1001, reason: "server is shutting down" })
    expect(await idle.closed).toMatchObject({ code: 1001 })
    await expect(post(server.authority, "1")).rejects.toThrow()
  })

  it("closes idle WebSockets at once, and others after their last answer, while requests of others run", async () => {
    const server = await startServer({ shutdownTimeout: 10_000 * patience })
    const long = await SocketClient.connect(server.authority)
    const short = await SocketClient.connect(server.authority)
    const idle = await SocketClient.connect(server.authority)
    const last = long.send("eval", "", { gremlin: endless, evaluationTimeout: 3_000 * patience })
    const first = short.send("eval", "", { gremlin: endless, evaluationTimeout: 1_000 * patience })
    await eventually(running(server.authority, 2))
    let isOver = false
    const ended = server.end().then(() => {
      isOver = true
    })
    expect(await idle.closed).toMatchObject({ code: 1001 })
    expect((await short.answer(first)).status.code).toBe(598)
    expect(await short.closed).toMatchObject({ code: 1001 })
    expect(isOver).toBe(false)
    expect((await long.answer(last)).status.code).toBe(598)
    await ended
  })

  it("answers the close of a session that waits for a lane", async () => {
    const server = await startServer({
      channelizer: "UnifiedChannelizer",
      enginePool: 1,
      shutdownTimeout: 10_000 * patience
    })
    const [client, other] = [await SocketClient.connect(server.authority), await SocketClient.connect(server.authority)]
    await client.eval("n = 1", { session: "s" })
    const held = other.send("eval", "", { gremlin: endless, evaluationTimeout: 1_000 * patience })
    await eventually(running(server.authority, 1))
    const close = client.send("close", "session", { session: "s" })
    // The server has read the message when it answers a ping after it.
    client.ws.ping()
    await new Promise((resolve) => client.ws.once("pong", resolve))
    const ended = server.end()
    expect((await client.answer(close)).status.code).toBe(204)
    expect(await client.closed).toMatchObject({ code: 1001 })
    expect((await other.answer(held)).status.code).toBe(598)
    await ended
  })

  it.each([
    ["while another request runs", true],
    ["when all requests are answered", false]
  ])("sends the rest of an answer to a WebSocket that reads slowly, %s", async (_, hasOther) => {
    const server = await startServer({ shutdownTimeout: 10_000 * patience, writeBufferHighWaterMark: 100_000_000 })
    const [client, other] = [await SocketClient.connect(server.authority), await SocketClient.connect(server.authority)]
    if (hasOther) other.send("eval", "", { gremlin: endless, evaluationTimeout: 5_000 * patience })
    client.ws.pause()
    const asked = client.send("eval", "", { gremlin: rows })
    // Its last result is written to the socket.
    await eventually(isAnswered(server.authority))
    const ended = server.end()
    // Longer than a client has to answer a close.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    client.ws.resume()
    expect((await client.answers(asked)).at(-1)?.status.code).toBe(200)
    expect(await client.closed).toMatchObject({ code: 1001 })
    await ended
  })

  it("ends requests that run longer than shutdownTimeout, with an answer", async () => {
    const server = await startServer({ shutdownTimeout: 100 })
    const client = await SocketClient.connect(server.authority)
    const endlessly = client.send("eval", "", { gremlin: endless })
    const inSession = client.send("eval", "session", { session: "s", gremlin: endless })
    const overHttp = post(server.authority, endless)
    await eventually(running(server.authority, 3))
    await server.end()
    const ended = "shutting down and ended this request; what it did not commit is rolled back"
    for (const id of [endlessly, inSession]) expect((await client.answer(id)).status.message).toContain(ended)
    expect((await overHttp).status).toBe(503)
    expect(await client.closed).toMatchObject({ code: 1001 })
  })

  it("does not wait for clients that do not read or do not close", async () => {
    const server = await startInside({ shutdownTimeout: 100 })
    const mute = openSocket(server.authority)
    mute.write(
      "GET /gremlin HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    await new Promise((resolve) => mute.once("data", resolve))
    mute.pause()
    const half = openSocket(server.authority)
    half.write("POST / HTTP/1.1\r\n")
    await eventually(() => Context.get(server.services, Channelizer).connections() >= 2)
    const begin = performance.now()
    await server.end()
    expect(performance.now() - begin).toBeLessThan(LONGEST_STOP_MS)
  })

  it("by its own stop is the same as by its scope", async () => {
    const stopped = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const server = yield* EngineServer.start(defaultSettings({ port: 0, channelizer: "HttpChannelizer" }))
          const authority = `127.0.0.1:${server.port}`
          const before = yield* Effect.promise(() => post(authority, "1"))
          yield* server.stop
          const after = yield* Effect.promise(() => post(authority, "1").then(String, String))
          return [before.status, after]
        })
      )
    )
    // Refused, or closed when the client still had a connection.
    expect(stopped).toEqual([200, expect.stringMatching(/ECONNREFUSED|ECONNRESET|socket hang up/)])
  })
})

describe("Starting a server", () => {
  it("fails with the port when it is taken, and closes what it had opened", async () => {
    const { port } = await startServer()
    await expect(startServer({ port })).rejects.toThrow(`Could not bind to 127.0.0.1 and ${port}`)
  })

  it("fails with the address when this machine does not have it", async () => {
    await expect(startServer({ host: "203.0.113.7" })).rejects.toThrow("change 'host'")
  })

  it("fails for what cannot be enforced", async () => {
    const settings = defaultSettings()
    await expect(startInside({ ssl: { ...settings.ssl, enabled: true } })).rejects.toThrow(
      "'ssl.keyStore' cannot be honoured"
    )
    await expect(startInside({ authorization: { authorizer: "RoleAuthorizer", config: {} } })).rejects.toThrow(
      "'authorization' cannot be honoured"
    )
  })

  it("is fast enough for every test: many servers, in sequence and concurrently", async () => {
    for (let i = 0; i < 20; i++) {
      const server = await startServer()
      expect((await raw(server.authority, "GET /health/live HTTP/1.0\r\n\r\n")).slice(9, 12)).toBe("200")
      await server.end()
    }
    const servers = await Promise.all(Array.from({ length: 8 }, () => startServer()))
    expect(new Set(servers.map(({ port }) => port)).size).toBe(8)
  })

  it("can use a transport of a module", async () => {
    const module = new URL("../../docs/examples/line-channelizer.js", import.meta.url).pathname
    const server = await startServer({ channelizer: { module } })
    expect(await raw(server.authority, "g.inject(1, 2)\n", (text) => text.endsWith("2\n"))).toBe("1\n2\n")
    expect(await raw(server.authority, "nonsense(\n", (text) => text.endsWith("\n"))).toMatch(/^! Line 1/)
    await expect(startInside({ channelizer: { module: "/no/such/module.js" } })).rejects.toThrow("cannot be used")
    const noLayer = new URL("./support/denying-authorizer.mjs", import.meta.url).pathname
    await expect(startInside({ channelizer: { module: noLayer } })).rejects.toThrow(
      "not a Layer that provides Channelizer"
    )
  })

  it("fails with the example's transport when authentication is on, or when the port is taken", async () => {
    const module = new URL("../../docs/examples/line-channelizer.js", import.meta.url).pathname
    const channelizer = { module }
    await expect(startServer({ ...asking(), channelizer })).rejects.toThrow("have authentication")
    const { port } = await startServer()
    await expect(startServer({ channelizer, port })).rejects.toThrow("another program listens there")
  })
})
