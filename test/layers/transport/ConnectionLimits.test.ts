import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { Channelizer } from "../../../src/services/Channelizer.ts"
import { RequestPool } from "../../../src/services/RequestPool.ts"
import { every } from "../../Intervals.ts"
import { patience } from "../../Limits.ts"
import { http, openSocket, post } from "../support/HttpClient.ts"
import { liveBytes } from "../support/LiveMemory.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, type InsideServer, startInside, startServer } from "../support/TestServers.ts"

/** Endless results, each a long text: a client that does not read them stops the run. */
const flood = `g.inject('${"x".repeat(1000)}').repeat(__.identity()).emit()`
const finite = (count: number) => `g.inject('${"x".repeat(500)}').repeat(__.identity()).emit().times(${count})`

const states = (server: InsideServer) =>
  Context.get(server.services, RequestPool)
    .dump()
    .map(({ state }) => state)

const handshake =
  "GET /gremlin HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

describe("A client that does not read its answers", () => {
  it("suspends its own run over WebSocket and HTTP, while other clients are served", async () => {
    const server = await startInside({ enginePool: 4, evaluationTimeout: 0 })
    const client = await SocketClient.connect(server.authority)
    // The first script that is no traversal loads the interpreter.
    expect((await post(server.authority, "1")).status).toBe(200)
    client.ws.pause()
    client.send("eval", "", { gremlin: flood })
    const socket = openSocket(server.authority)
    socket.pause()
    const body = JSON.stringify({ gremlin: flood })
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    await eventually(() => states(server).filter((state) => state === "client").length === 2)
    const held = liveBytes()
    expect((await post(server.authority, "1")).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(states(server).filter((state) => state === "client").length).toBe(2)
    expect(liveBytes() - held).toBeLessThan(10_000_000)
    client.ws.terminate()
    socket.destroy()
    await eventually(() => states(server).every((state) => state === "idle"))
  })

  it("gets every result once when it reads again", async () => {
    const server = await startServer({ evaluationTimeout: 0, maxResults: 0 })
    const client = await SocketClient.connect(server.authority)
    // Thirty megabytes, which no socket holds in the buffers of the system.
    const [count, text] = [30_000, "x".repeat(1_000)]
    client.ws.pause()
    const numbered = `g.inject(0).repeat(__.math('_ + 1')).emit().times(${count}).map(__.project('n', 'text')`
    const id = client.send("eval", "", { gremlin: `${numbered}.by().by(__.constant('${text}')))`, batchSize: 100 })
    const state = async () => (await http(server.authority, { path: "/gremlin/status" })).json.queries[0]?.state
    await eventually(async () => (await state()) === "client")
    client.ws.resume()
    const results = (await client.answers(id)).flatMap(({ result }) => result.data) as ReadonlyArray<
      Readonly<Record<string, unknown>>
    >
    expect(results.map(({ n }) => n)).toEqual(Array.from({ length: count }, (_, i) => i + 1))
    expect(results.every((result) => result.text === text)).toBe(true)
  })

  it("loses its run and its connection after writeStallTimeout, even with evaluationTimeout 0", async () => {
    const server = await startInside({ enginePool: 2, evaluationTimeout: 0, writeStallTimeout: 200 })
    const stalled = Array.from({ length: 4 }, () => {
      const socket = openSocket(server.authority)
      socket.pause()
      const body = JSON.stringify({ gremlin: flood })
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      return socket
    })
    const overWebSocket = openSocket(server.authority)
    overWebSocket.write(handshake)
    await new Promise((resolve) => overWebSocket.once("data", resolve))
    overWebSocket.pause()
    const message = Buffer.from(
      JSON.stringify({ requestId: "41d2e28a-20a4-4ab0-b379-d810dede3786", op: "eval", args: { gremlin: flood } })
    )
    overWebSocket.write(
      Buffer.concat([Buffer.from([0x81, 0xfe, message.length >> 8, message.length & 255, 0, 0, 0, 0]), message])
    )
    await eventually(() => states(server).every((state) => state === "client"))
    // Twice as many clients as lanes: a point read is still answered, and no lane stays taken.
    expect((await post(server.authority, "1")).status).toBe(200)
    await eventually(() => states(server).every((state) => state === "idle"))
    await eventually(() => Context.get(server.services, Channelizer).connections() <= 1)
    for (const socket of [...stalled, overWebSocket]) expect(socket.destroyed).toBe(false)
  })

  it("is distinguished from a client that reads slowly", async () => {
    // A machine that stops the client for a while is not a client that does not read.
    const server = await startServer({ writeStallTimeout: 400 * patience })
    const socket = openSocket(server.authority)
    const gremlin = finite(10_000)
    const body = JSON.stringify({ gremlin })
    let bytes = 0
    const done = new Promise<string>((resolve) => {
      socket.on("close", () => resolve("closed"))
      socket.on("data", (data: Buffer) => {
        bytes += data.length
        if (data.subarray(-5).toString() === "0\r\n\r\n") resolve("complete")
        socket.pause()
        setTimeout(() => socket.resume(), 10 * patience)
      })
    })
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    expect(await done).toBe("complete")
    expect(bytes).toBeGreaterThan(5_000_000)
  })
})

describe("A quiet WebSocket", () => {
  it("is pinged, and stays open while it answers", async () => {
    // A client that does not answer within this time is closed, also on a slow machine.
    const server = await startServer({ keepAliveInterval: 60 * patience })
    const client = await SocketClient.connect(server.authority)
    let pings = 0
    client.ws.on("ping", () => pings++)
    await eventually(() => pings >= 3)
    expect((await client.eval("1")).status.code).toBe(200)
  })

  // A Python driver reads, and so answers, only while it waits for a result.
  it("stays open when it answers no ping", async () => {
    const server = await startServer({ keepAliveInterval: 60 })
    const client = await SocketClient.connect(server.authority, "/gremlin", { autoPong: false })
    let pings = 0
    client.ws.on("ping", () => pings++)
    await eventually(() => pings >= 5)
    expect((await client.eval("1")).status.code).toBe(200)
  })

  it("is closed after idleConnectionTimeout when it answers no ping", async () => {
    const server = await startServer({ idleConnectionTimeout: 300 * patience, keepAliveInterval: 60 })
    const client = await SocketClient.connect(server.authority, "/gremlin", { autoPong: false })
    expect(await client.closed).toMatchObject({ code: 1000 })
  })

  it("stays open while the client sends pings of its own", async () => {
    const idle = 300 * patience
    const server = await startServer({ idleConnectionTimeout: idle, keepAliveInterval: 60 })
    const client = await SocketClient.connect(server.authority, "/gremlin", { autoPong: false })
    const endPings = every(20, () => client.ws.ping())
    expect(await Promise.race([client.closed, new Promise((resolve) => setTimeout(resolve, 4 * idle, "open"))])).toBe(
      "open"
    )
    endPings()
    expect(await client.closed).toMatchObject({ code: 1000 })
  })

  it("is closed with 1000 after idleConnectionTimeout, but not while a request is running", async () => {
    const server = await startServer({ idleConnectionTimeout: 150 * patience, keepAliveInterval: 0 })
    const client = await SocketClient.connect(server.authority)
    const answer = await client.eval(endless, { evaluationTimeout: 400 * patience })
    expect(answer.status.code).toBe(598)
    expect(await client.closed).toMatchObject({ code: 1000 })
  })
})

describe("A client that closes its connection", () => {
  it("ends its running and its waiting requests", async () => {
    const server = await startInside({ enginePool: 1 })
    const client = await SocketClient.connect(server.authority)
    for (let i = 0; i < 5; i++) client.send("eval", "", { gremlin: endless })
    await eventually(() => Context.get(server.services, RequestPool).status().queued === 4)
    client.ws.terminate()
    await eventually(() => {
      const { queued, running } = Context.get(server.services, RequestPool).status()
      return queued === 0 && running === 0
    })
    await eventually(
      async () => (await http(server.authority, { path: "/gremlin/status" })).json.acceptedQueryCount === 0
    )
  })
})
