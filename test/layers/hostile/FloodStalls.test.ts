import { describe, expect, it } from "vitest"
import { frame } from "../../fuzz/Frames.ts"
import { SocketWire, textMessage } from "../../fuzz/Wire.ts"
import { openSocket } from "../support/HttpClient.ts"
import { LONGEST_TURN_MS, measuredServer } from "../support/Turns.ts"

const server = measuredServer()

const ID = "41d2e28a-20a4-4ab0-b379-d810dede3786"
const times = (count: number, unit: Buffer): Buffer => Buffer.concat(Array.from({ length: count }, () => unit))

/** Sends all messages at once on a WebSocket, and waits until each is answered. */
const overWebSocket = async (bytes: Buffer, answers: number): Promise<void> => {
  const socket = await SocketWire.open({ port: server.process.port, secure: false, credentials: undefined })
  socket.wire.send(bytes)
  await socket.until(() => socket.answers.length >= answers || !socket.open, "the answers")
  expect(socket.answers).toHaveLength(answers)
  socket.wire.end()
}

/** Sends all requests at once over HTTP. Returns the statuses of the answers, in order. */
const overHttp = (bytes: Buffer, answers: number): Promise<ReadonlyArray<string>> =>
  new Promise((resolve) => {
    const socket = openSocket(server.authority)
    const statuses: Array<string> = []
    let rest = ""
    socket.on("data", (data) => {
      const text = rest + data.toString("latin1")
      statuses.push(...(text.match(/HTTP\/1\.1 \d+/g) ?? []))
      rest = text.slice(-11).replace(/HTTP\/1\.1 \d+/, "")
      if (statuses.length >= answers) socket.destroy()
    })
    socket.on("close", () => resolve(statuses))
    socket.write(bytes)
  })

/** Node.js parses up to 64 kB of HTTP in one call: two thousand of the shortest requests. */
const MAX_PARSE_MS = 2 * LONGEST_TURN_MS

describe("A client that sends many requests without waiting for answers", () => {
  it("does not delay others over WebSocket, with requests, garbage or control frames", async () => {
    const requests = times(10_000, textMessage(ID, "1"))
    expect(await server.turnOf(() => overWebSocket(requests, 10_000))).toBeLessThan(LONGEST_TURN_MS)
    const garbage = times(10_000, frame(1, "{".padEnd(40)))
    expect(await server.turnOf(() => overWebSocket(garbage, 10_000))).toBeLessThan(LONGEST_TURN_MS)
    const pongs = Buffer.concat([times(300_000, frame(10, "x".repeat(20))), textMessage(ID, "1")])
    expect(await server.turnOf(() => overWebSocket(pongs, 1))).toBeLessThan(LONGEST_TURN_MS)
  })

  it("does not delay others over HTTP, and gets its answers in order", async () => {
    const health = times(10_000, Buffer.from("GET /health/live HTTP/1.1\r\n\r\n"))
    expect(await server.turnOf(() => overHttp(health, 10_000))).toBeLessThan(MAX_PARSE_MS)
    const kinds = ["GET /health/live", "GET /", "PUT /", "GET /favicon.ico"] as const
    const mixed = Array.from({ length: 8_000 }, (_, i) => Buffer.from(`${kinds[i % 4]} HTTP/1.1\r\n\r\n`))
    const statuses = await overHttp(Buffer.concat(mixed), 8_000)
    const expected = ["200", "400", "405", "404"].map((status) => `HTTP/1.1 ${status}`)
    expect(statuses).toEqual(Array.from({ length: 8_000 }, (_, i) => expected[i % 4]))
  })
})
