import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { Channelizer } from "../../../src/services/Channelizer.ts"
import { Dispatcher } from "../../../src/services/Dispatcher.ts"
import { openSocket, raw } from "../support/HttpClient.ts"
import { endless, eventually, startInside, startServer } from "../support/TestServers.ts"

const get = (gremlin: string, more = ""): string =>
  `GET /?gremlin=${encodeURIComponent(gremlin)} HTTP/1.1\r\nHost: x\r\n${more}\r\n`

describe("Requests that a client sends without waiting for answers", () => {
  it("are all answered in order, however many there are", async () => {
    const { authority } = await startServer()
    const count = 1_000
    const requests = Array.from({ length: count }, (_, i) => get(`${i}`)).join("")
    const answers = await raw(authority, `${requests}${get("'end'", "Connection: close\r\n")}`)
    const values = Array.from(answers.matchAll(/"@value":(\d+)\}/g), ([, value]) => Number(value))
    expect(values).toEqual(Array.from({ length: count }, (_, i) => i))
    expect(answers).toContain('"end"')
  })

  it("are all answered when they have bodies", async () => {
    const { authority } = await startServer()
    const post = (i: number, more = ""): string => {
      const body = `{"gremlin":"x + 0","bindings":{"x":${i}}}`
      return `POST / HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
    }
    const requests = Array.from({ length: 500 }, (_, i) => post(i)).join("")
    const answers = await raw(authority, requests + post(500, "Connection: close\r\n"))
    const values = Array.from(answers.matchAll(/"@value":(\d+)\}/g), ([, value]) => Number(value))
    expect(values).toEqual(Array.from({ length: 501 }, (_, i) => i))
  })

  it("are not read without limit while the first is not answered", async () => {
    const server = await startInside({ enginePool: 2, evaluationTimeout: 0 })
    const socket = openSocket(server.authority)
    socket.write(get(endless))
    const dispatcher = Context.get(server.services, Dispatcher)
    await eventually(() => dispatcher.active() === 1)
    const many = get(endless).repeat(2_000)
    for (let i = 0; i < 20; i++) socket.write(many)
    let read = 0
    // No more are taken for half a second.
    await eventually(async () => {
      read = dispatcher.active()
      await new Promise((resolve) => setTimeout(resolve, 500))
      return read > 1 && dispatcher.active() === read
    })
    // All requests of one read of the socket are taken.
    expect(read).toBeGreaterThan(10)
    expect(read).toBeLessThan(3_000)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(dispatcher.active()).toBe(read)
    for (const evaluation of [...dispatcher.running()]) evaluation.abandon()
    socket.destroy()
  })

  it("end when the client closes the connection, even while it is not read", async () => {
    const server = await startInside({ enginePool: 2, evaluationTimeout: 0 })
    const dispatcher = Context.get(server.services, Dispatcher)
    const long = get("g.inject('some text that fills the buffers').repeat(__.identity()).emit().times(2000)")
    for (const many of [get(endless).repeat(100), get(endless) + long.repeat(3)]) {
      for (const leave of ["destroy", "resetAndDestroy"] as const) {
        const socket = openSocket(server.authority)
        socket.on("error", () => {})
        socket.write(many)
        await eventually(() => dispatcher.active() >= 1)
        await new Promise((resolve) => setTimeout(resolve, 200))
        socket.write(get("1"))
        await new Promise((resolve) => setTimeout(resolve, 100))
        socket[leave]()
        await eventually(() => dispatcher.active() === 0)
      }
    }
  })

  it("end in time when the body of the last does not arrive", async () => {
    const { authority } = await startServer({ headersTimeout: 300, requestTimeout: 300 })
    const body = '{"gremlin":"1"}'
    const post = (more = ""): string => `POST / HTTP/1.1\r\nContent-Length: ${body.length + more.length}\r\n\r\n${body}`
    for (const before of [post(), post() + post(), get("1")]) {
      const answers = await raw(authority, before + post("more"))
      expect(answers.match(/ 200 OK/g)).toHaveLength(before === post() + post() ? 2 : 1)
      expect(answers).toMatch(/HTTP\/1\.1 408 [\s\S]*requestTimeout 300 ms/)
    }
  })

  it("have one answer each, even when the body breaks or is missing after the answer", async () => {
    const { authority } = await startServer({ headersTimeout: 300, requestTimeout: 300 })
    const early = ["PUT / HTTP/1.1", "GET /?gremlin=1 HTTP/1.1", "GET /health/live HTTP/1.1", "OPTIONS / HTTP/1.1"]
    for (const line of early) {
      for (const rest of ["Content-Length: 10\r\n\r\nxx", "Transfer-Encoding: chunked\r\n\r\nzz\r\n"]) {
        const answers = await raw(authority, `${line}\r\nHost: x\r\n${rest}`)
        expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([expect.stringMatching(/ (?:200|204|405)$/)])
      }
    }
  })

  it("leave nothing behind when the client closes the connection among very many", async () => {
    const server = await startInside({ enginePool: 2 })
    const dispatcher = Context.get(server.services, Dispatcher)
    for (const unit of ["GET /health/live HTTP/1.1\r\n\r\n", get("1"), get("g.V()")]) {
      const socket = openSocket(server.authority)
      socket.on("error", () => {})
      socket.write(unit.repeat(20_000))
      await new Promise((resolve) => socket.once("data", resolve))
      socket.resetAndDestroy()
      await eventually(() => Context.get(server.services, Channelizer).connections() === 0 && dispatcher.active() === 0)
    }
    expect(await raw(server.authority, get("7", "Connection: close\r\n"))).toContain('"@value":7')
  })
})
