import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { Dispatcher } from "../../../src/services/Dispatcher.ts"
import { openSocket, raw } from "../support/HttpClient.ts"
import { endless, eventually, startServer } from "../support/TestServers.ts"

const get = (gremlin: string, more = ""): string =>
  `GET /?gremlin=${encodeURIComponent(gremlin)} HTTP/1.1\r\nHost: x\r\n${more}\r\n`

describe("requests that a client sends without waiting for answers", () => {
  it("are all answered, in order, however many they are", async () => {
    const { authority } = await startServer()
    const count = 1_000
    const requests = Array.from({ length: count }, (_, i) => get(`${i}`)).join("")
    const answers = await raw(authority, `${requests}${get("'end'", "Connection: close\r\n")}`)
    const values = Array.from(answers.matchAll(/"@value":(\d+)\}/g), ([, value]) => Number(value))
    expect(values).toEqual(Array.from({ length: count }, (_, i) => i))
    expect(answers).toContain('"end"')
  })

  it("are all answered when they have bodies too", async () => {
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

  it("are not read without end behind one that is not answered yet", async () => {
    const server = await startServer({ enginePool: 2, evaluationTimeout: 0 })
    const socket = openSocket(server.authority)
    socket.write(get(endless))
    const dispatcher = Context.get(server.services, Dispatcher)
    await eventually(() => dispatcher.active() === 1)
    const many = get(endless).repeat(2_000)
    for (let i = 0; i < 20; i++) socket.write(many)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const read = dispatcher.active()
    // What one read of the socket brings is taken whole.
    expect(read).toBeGreaterThan(10)
    expect(read).toBeLessThan(3_000)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(dispatcher.active()).toBe(read)
    for (const evaluation of [...dispatcher.running()]) evaluation.abandon()
    socket.destroy()
  })
})
