import { readdirSync, readlinkSync } from "node:fs"
import { request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { createRequire } from "node:module"
import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { Dispatcher } from "../../../src/services/Dispatcher.ts"
import { patience } from "../../Limits.ts"
import { http, openSocket, post, UNTYPED } from "../support/HttpClient.ts"
import { liveBytes } from "../support/LiveMemory.ts"
import { endless, eventually, startInside } from "../support/TestServers.ts"

const GRAPHBINARY = "application/vnd.graphbinary-v1.0"

/** The reader of the driver. */
const {
  graphBinaryReader
}: { readonly graphBinaryReader: { readResponse(bytes: Buffer): { readonly result: { readonly data: unknown } } } } =
  createRequire(import.meta.url)("gremlin/lib/structure/io/binary/GraphBinary.js")

/** Received bytes between two measurements of the memory. */
const BYTES_PER_MEASUREMENT = 20_000_000

/** The length of an answer, and by how much the live memory of the process grew meanwhile at most. */
const flow = (authority: string, gremlin: string, accept: string) =>
  new Promise<{ bytes: number; held: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const [host, port] = authority.split(":") as [string, string]
    const before = liveBytes()
    let bytes = 0
    let most = 0
    const sent = httpRequest({ host, port, method: "POST", headers: { accept } }, (response) => {
      most = liveBytes()
      let measured = 0
      response.on("data", (data: Buffer) => {
        bytes += data.length
        if (bytes - measured < BYTES_PER_MEASUREMENT) return
        measured = bytes
        most = Math.max(most, liveBytes())
      })
      response.on("end", () => {
        if (response.complete) resolve({ bytes, held: most - before, headers: response.headers })
        else reject(new Error("the answer was cut"))
      })
    })
    sent.on("error", reject)
    sent.end(JSON.stringify({ gremlin }))
  })

/** Open files of answers. */
const answerFiles = (): number =>
  readdirSync("/proc/self/fd").filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).includes("engine-server-answer")
    } catch {
      return false
    }
  }).length

describe("A million results over HTTP", () => {
  // An answer in memory would take 200 MB.
  const million = `g.inject('${"x".repeat(200)}').repeat(__.identity()).emit().times(1000000)`

  it("are streamed: memory stays flat", async () => {
    const { authority } = await startInside()
    const { bytes, headers, held } = await flow(authority, million, UNTYPED)
    expect(headers["transfer-encoding"]).toBe("chunked")
    expect(bytes).toBeGreaterThan(200_000_000)
    expect(held).toBeLessThan(40_000_000)
  })

  it("wait in a file in GraphBinary, which begins with their number: memory stays flat", async () => {
    const { authority } = await startInside({ requestMemoryLimit: 30_000_000 })
    const { bytes, headers, held } = await flow(authority, million, GRAPHBINARY)
    expect(headers["content-length"]).toBe(String(bytes))
    expect(bytes).toBeGreaterThan(200_000_000)
    expect(held).toBeLessThan(40_000_000)
  })
})

describe("An answer that waits in a file", () => {
  const counting = "g.inject(0).repeat(__.math('_ + 1')).emit().times(300000)"
  const long = `g.inject('${"x".repeat(200)}').repeat(__.identity()).emit().times(30000)`

  /** A connection whose client asks for a long answer behind a request without an end. */
  const askBehindEndless = (authority: string) => {
    const socket = openSocket(authority)
    const body = JSON.stringify({ gremlin: long })
    socket.write(
      `GET /?gremlin=${encodeURIComponent(endless)} HTTP/1.1\r\nHost: x\r\n\r\n` +
        `POST / HTTP/1.1\r\nHost: x\r\nAccept: ${GRAPHBINARY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
    return socket
  }

  it("equals an answer in memory", async () => {
    const { authority } = await startInside()
    const answer = await http(authority, { headers: { accept: GRAPHBINARY } }, JSON.stringify({ gremlin: counting }))
    expect(answer.bytes.length).toBe(Number(answer.headers["content-length"]))
    const { result } = graphBinaryReader.readResponse(answer.bytes)
    expect(result.data).toEqual(Array.from({ length: 300_000 }, (_, i) => i + 1))
    // The answer of a request that writes waits for its commit, in every format.
    const written = await post(
      authority,
      `g.addV('a').as('v').V().hasLabel('a').repeat(__.identity()).emit().times(100000).id()`
    )
    expect(written.headers["content-length"]).toBe(String(written.bytes.length))
    expect(new Set(written.json.result.data).size).toBe(1)
    expect(written.json.result.data.length).toBe(100_000)
  })

  it("is sent to its end when the server shuts down meanwhile", async () => {
    const server = await startInside({ shutdownTimeout: 10_000 })
    const body = JSON.stringify({ gremlin: long })
    const socket = openSocket(server.authority)
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nAccept: ${GRAPHBINARY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
    let received = ""
    const ended = new Promise((resolve) => socket.once("close", resolve))
    await new Promise((resolve) => socket.once("data", (data) => resolve((received += data.toString("latin1")))))
    socket.pause()
    const stopped = server.end()
    // Longer than clients have for reading the end of an answer in memory.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    socket.on("data", (data) => {
      received += data.toString("latin1")
    })
    socket.resume()
    await Promise.all([ended, stopped])
    const [head = ""] = received.split("\r\n\r\n", 1)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    expect(length).toBeGreaterThan(6_000_000)
    expect(received.length - head.length - 4).toBe(length)
  })

  it("leaves no file when it is sent, fails, is too long, or its client closes the connection", async () => {
    const { authority } = await startInside({ answerFileLimit: 16_000_000 })
    const accept = { headers: { accept: GRAPHBINARY } }
    expect((await http(authority, accept, JSON.stringify({ gremlin: long }))).status).toBe(200)
    const late = `${counting}.map(__.choose(__.is(299999.0), __.fail('late'), __.identity()))`
    const failed = await http(authority, accept, JSON.stringify({ gremlin: late }))
    expect([failed.status, failed.json.message]).toEqual([500, expect.stringContaining("late")])
    const longer = await http(authority, accept, JSON.stringify({ gremlin: long.replace("30000", "300000") }))
    expect([longer.status, longer.json.message]).toEqual([500, expect.stringContaining("answerFileLimit")])
    const socket = openSocket(authority)
    socket.pause()
    const body = JSON.stringify({ gremlin: long })
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nAccept: ${GRAPHBINARY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
    await eventually(() => answerFiles() > 0)
    socket.destroy()
    await eventually(() => answerFiles() === 0)
  })

  it("leaves no file when the client goes while an earlier request of the connection is not answered", async () => {
    const server = await startInside({ evaluationTimeout: 0 })
    const socket = askBehindEndless(server.authority)
    const dispatcher = Context.get(server.services, Dispatcher)
    await eventually(() => answerFiles() === 1 && dispatcher.active() === 1)
    socket.resetAndDestroy()
    await eventually(() => answerFiles() === 0 && dispatcher.active() === 0)
  })

  it("leaves no file when it waits too long for an earlier answer of its connection", async () => {
    const server = await startInside({ evaluationTimeout: 0, writeStallTimeout: 50 * patience })
    const socket = askBehindEndless(server.authority)
    const dispatcher = Context.get(server.services, Dispatcher)
    await eventually(() => answerFiles() === 1 && dispatcher.active() === 1)
    await eventually(() => answerFiles() === 0)
    expect(dispatcher.active()).toBe(1)
    socket.resetAndDestroy()
    await eventually(() => dispatcher.active() === 0)
  })

  it("counts against the limit of all files until it is sent or its client closes the connection", async () => {
    const { authority } = await startInside({ answerFileLimit: 100_000_000 })
    const body = JSON.stringify({ gremlin: long.replace("30000", "150000") })
    const ask = async () => (await http(authority, { headers: { accept: GRAPHBINARY } }, body)).status
    const socket = openSocket(authority)
    // The client reads nothing: far more than sockets buffer stays in the file.
    socket.pause()
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nAccept: ${GRAPHBINARY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
    await eventually(() => answerFiles() === 1)
    const running = async () => (await http(authority, { path: "/gremlin/status" })).json.acceptedQueryCount as number
    await eventually(async () => (await running()) === 0)
    expect(await ask()).toBe(500)
    socket.destroy()
    await eventually(() => answerFiles() === 0)
    expect(await ask()).toBe(200)
  })
})
