import { readdirSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { Channelizer } from "../../../src/services/Channelizer.ts"
import { RequestPool } from "../../../src/services/RequestPool.ts"
import { Sessions } from "../../../src/services/Sessions.ts"
import { fragmented, frame } from "../../fuzz/Frames.ts"
import { Random } from "../../fuzz/Random.ts"
import { isFinal } from "../../fuzz/Responses.ts"
import { seedOf, withSeed } from "../../fuzz/Seeds.ts"
import { SocketWire, textMessage } from "../../fuzz/Wire.ts"
import { every } from "../../Intervals.ts"
import { patience } from "../../Limits.ts"
import { testedWorkers } from "../support/Packed.ts"
import { endless, eventually, startInside, startServer, type TestedServer } from "../support/TestServers.ts"

/** Why a test does not run with worker processes. */
const INSIDE = "it inspects the process of the server"

const ID = "41d2e28a-20a4-4ab0-b379-d810dede3786"
const OTHER = "51d2e28a-20a4-4ab0-b379-d810dede3786"

const open = (server: TestedServer): Promise<SocketWire> =>
  SocketWire.open({ port: server.port, secure: false, credentials: undefined })

const message = textMessage(ID, "1")
const text = (length: number): Buffer => Buffer.from(message.subarray(6, 6 + length))
const payload = JSON.stringify({ requestId: ID, op: "eval", processor: "", args: { gremlin: "'ä€😀'" } })

/** The codes of the answers, and the close code; null while the connection is open. */
const outcome = async (server: TestedServer, parts: ReadonlyArray<Buffer>, messages: number) => {
  const socket = await open(server)
  for (const part of parts) socket.wire.send(part)
  await socket.until(() => socket.answers.length >= messages || !socket.open, "the answers")
  if (socket.open) {
    socket.wire.send(textMessage(OTHER, "1"))
    await socket.until(
      () => socket.answers.some(({ requestId }) => requestId === OTHER),
      "the answer to the next request"
    )
  }
  const codes = socket.answers.filter(({ requestId }) => requestId !== OTHER).map(({ code }) => code)
  socket.wire.end()
  return { codes, close: socket.closeCode }
}

describe("Hostile frames", () => {
  it("close the connection with the code of RFC 6455", async () => {
    const server = await startServer()
    const cases: Readonly<Record<string, readonly [ReadonlyArray<Buffer>, number]>> = {
      "without a mask": [[frame(1, payload, { masked: false })], 1002],
      "with a reserved bit": [[frame(1, payload, { reserved: 4 })], 1002],
      "with an opcode that is reserved": [[frame(3, payload)], 1002],
      "with a control opcode that is reserved": [[frame(11, "")], 1002],
      "a ping in fragments": [[frame(9, "x", { fin: false })], 1002],
      "a ping that is too long": [[frame(9, "x".repeat(126))], 1002],
      "a continuation of nothing": [[frame(0, payload)], 1002],
      "a message inside another": [[frame(1, "{", { fin: false }), frame(1, payload)], 1002],
      "text that is no UTF-8": [[frame(1, Buffer.from([0x7b, 0xff, 0xfe]))], 1007],
      "a close with half a code": [[frame(8, "x")], 1002],
      "a close with a code that is none": [[frame(8, Buffer.from([0, 1]))], 1002],
      "a close with a reason that is no UTF-8": [[frame(8, Buffer.from([3, 232, 255]))], 1007],
      "a close": [[frame(8, Buffer.from([3, 232])), frame(1, payload)], 1000]
    }
    for (const [name, [parts, code]] of Object.entries(cases)) {
      expect([name, await outcome(server, parts, 1)]).toEqual([name, { codes: [], close: code }])
    }
    for (const claimed of [20_000_000n, 2n ** 63n - 1n, 2n ** 64n - 1n]) {
      expect(await outcome(server, [frame(2, "", { claimed })], 2)).toEqual({ codes: [498], close: 1009 })
    }
  })

  it("of an unusual but valid form are one message: single bytes, fragments, pings between them, a long length", async () => {
    const server = await startServer()
    const good = { codes: [200], close: null }
    const whole = frame(1, payload)
    expect(
      await outcome(
        server,
        Array.from(whole, (byte) => Buffer.from([byte])),
        1
      )
    ).toEqual(good)
    const letters = Array.from(Buffer.from(payload), (byte, i) =>
      frame(i === 0 ? 1 : 0, Buffer.from([byte]), { fin: i === Buffer.byteLength(payload) - 1 })
    )
    expect(await outcome(server, letters, 1)).toEqual(good)
    const seed = seedOf("SEED")
    const parts = fragmented(1, Buffer.from(payload), new Random(seed, 1))
    await withSeed("SEED", seed, async () => expect(await outcome(server, parts, 1)).toEqual(good))
    expect(await outcome(server, [frame(1, payload, { long: true })], 1)).toEqual(good)
    expect(await outcome(server, [frame(10, "unasked"), whole], 1)).toEqual(good)
  })
})

describe("A message without an end", () => {
  it("is answered, and its connection closes, after requestTimeout, also with pings between its fragments", async () => {
    const server = await startServer({ requestTimeout: 300, headersTimeout: 300, keepAliveInterval: 0 })
    for (const start of [frame(1, text(10), { fin: false }), frame(1, payload).subarray(0, 9)]) {
      const socket = await open(server)
      socket.wire.send(start)
      const endPings = start.length > 10 ? every(30, () => socket.wire.send(frame(9, "x"))) : undefined
      await socket.until(() => false, "the close")
      endPings?.()
      expect(socket.closeCode).toBe(1008)
      expect(socket.answers.map(({ code }) => code)).toEqual([498])
    }
    // A client that has sent its whole message may wait without a limit.
    const quiet = await open(server)
    await new Promise((resolve) => setTimeout(resolve, 700))
    quiet.wire.send(message)
    await quiet.until(() => quiet.answers.length === 1, "the answer")
    quiet.wire.end()
  })

  it("may have a bounded number of fragments", async () => {
    const server = await startServer()
    const socket = await open(server)
    socket.wire.send(frame(1, "", { fin: false }))
    const fragments = Buffer.concat(Array.from({ length: 1_000 }, () => frame(0, "x", { fin: false })))
    for (let i = 0; i < 20; i++) socket.wire.send(fragments)
    await socket.until(() => false, "the close")
    expect(socket.closeCode).toBe(1008)
  })
})

describe("A compressed message", () => {
  it("counts with its decompressed length", async () => {
    const { authority } = await startServer({ perMessageDeflate: true, maxContentLength: 100_000 })
    const ws = new WebSocket(`ws://${authority}/gremlin`, { perMessageDeflate: { threshold: 0 } })
    await new Promise((resolve) => ws.once("open", resolve))
    const answers: Array<string> = []
    ws.on("message", (data) => answers.push(String(data)))
    const code = new Promise<number>((resolve) => ws.once("close", resolve))
    ws.send(" ".repeat(50_000_000))
    expect(await code).toBe(1009)
    expect(answers).toHaveLength(1)
    expect(answers[0]).toContain("maxContentLength")
  })
})

describe("A client that sends and does not read", () => {
  it("costs bounded memory with pings, garbage and requests", async () => {
    const server = await startServer({ writeStallTimeout: 0 })
    const bytes: Readonly<Record<string, Buffer>> = {
      pings: Buffer.concat(Array.from({ length: 500 }, () => frame(9, "x".repeat(125)))),
      garbage: Buffer.concat(Array.from({ length: 500 }, () => frame(1, "{"))),
      requests: Buffer.concat(Array.from({ length: 500 }, () => message))
    }
    for (const [kind, unit] of Object.entries(bytes)) {
      const socket = await open(server)
      socket.wire.socket.pause()
      const before = server.resident()
      let sent = 0
      const until = performance.now() + 700 * patience
      while (performance.now() < until) {
        if (socket.wire.socket.writableLength < 1_000_000) {
          for (let i = 0; i < 10; i++) socket.wire.send(unit)
          sent += unit.length * 10
        }
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      expect(sent, kind).toBeGreaterThan(1_000_000)
      expect(server.resident() - before, kind).toBeLessThan(80_000_000)
      socket.wire.end()
    }
  })
})

describe("An endless loop", () => {
  it("does not fill the memory", async ({ skip }) => {
    skip(testedWorkers > 1, INSIDE)
    const server = await startInside({ evaluationTimeout: 0 })
    setFlagsFromString("--expose-gc")
    const gc = runInNewContext("gc") as () => void
    const held = (): number => {
      gc()
      return process.memoryUsage().heapUsed
    }
    const socket = await open(server)
    socket.wire.send(textMessage(ID, endless))
    await new Promise((resolve) => setTimeout(resolve, 500))
    const before = held()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(held() - before).toBeLessThan(4_000_000)
    socket.wire.end()
    await eventually(() => Context.get(server.services, RequestPool).status().running === 0)
  })
})

const inSession = (session: string): Buffer =>
  frame(1, JSON.stringify({ requestId: ID, op: "eval", processor: "session", args: { gremlin: "x = 1", session } }))

/** Open files and sockets of this process. */
const openDescriptors = (): number => readdirSync("/proc/self/fd").length

describe("20,000 requests and 500 connections", () => {
  it("are all answered, and leave no connection, descriptor, session or memory", async ({ skip }) => {
    skip(testedWorkers > 1, INSIDE)
    const server = await startInside({ enginePool: 4, maxWorkQueueSize: 8_192 })
    setFlagsFromString("--expose-gc")
    const gc = runInNewContext("gc") as () => void
    const scripts = ["1", "g.V().count()", "g.addV('a').drop()", "nope(", "g.inject(1,2,3).fold()"]
    const round = async (connections: number): Promise<void> => {
      const sockets = await Promise.all(Array.from({ length: connections }, () => open(server)))
      for (const [i, socket] of sockets.entries()) {
        socket.wire.send(
          Buffer.concat([
            ...Array.from({ length: 39 }, (_, n) => textMessage(ID, scripts[(i + n) % scripts.length]!)),
            inSession(`session ${i}`)
          ])
        )
      }
      for (const socket of sockets) {
        const finals = (): number => socket.answers.filter(({ code }) => isFinal(code)).length
        await socket.until(() => finals() === 40, "40 answers")
        expect(finals()).toBe(40)
        socket.wire.end()
      }
      await eventually(() => Context.get(server.services, Channelizer).connections() === 0)
      gc()
    }
    await round(100)
    const before = process.memoryUsage().heapUsed
    const descriptors = openDescriptors()
    for (let i = 0; i < 5; i++) await round(100)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(8_000_000)
    await eventually(() => openDescriptors() <= descriptors)
    expect(Context.get(server.services, Sessions).count()).toBe(0)
    expect(Context.get(server.services, RequestPool).status()).toMatchObject({ running: 0, queued: 0 })
  })

  it("cost less than 30 kB of heap and buffers each while they are idle", async ({ skip }) => {
    skip(testedWorkers > 1, INSIDE)
    const server = await startInside()
    setFlagsFromString("--expose-gc")
    const gc = runInNewContext("gc") as () => void
    const used = (): number => {
      gc()
      const { arrayBuffers, external, heapUsed } = process.memoryUsage()
      return heapUsed + external + arrayBuffers
    }
    const connect = (count: number): Promise<Array<SocketWire>> =>
      Promise.all(Array.from({ length: count }, () => open(server)))
    const first = await connect(50)
    const before = used()
    const sockets = await connect(500)
    // The clients of this test are in the same process, and count, too.
    expect((used() - before) / 500).toBeLessThan(30_000)
    for (const socket of [...first, ...sockets]) socket.wire.end()
  })
})

describe("Twice the capacity", () => {
  it("is answered up to the capacity, and refused at once beyond", async ({ skip }) => {
    skip(testedWorkers > 1, INSIDE)
    const server = await startInside({ enginePool: 2, maxWorkQueueSize: 8 })
    const blocker = await open(server)
    blocker.wire.send(Buffer.concat(Array.from({ length: 10 }, () => textMessage(OTHER, endless))))
    await eventually(() => Context.get(server.services, RequestPool).status().queued === 8)
    const socket = await open(server)
    for (let i = 0; i < 50; i++) {
      socket.wire.send(message)
      await socket.until(() => socket.answers.length > i, "a refusal")
      expect(socket.answers[i]!.code).toBe(429)
      // At once: no earlier request has ended.
      expect(Context.get(server.services, RequestPool).status()).toMatchObject({ running: 2, queued: 8 })
    }
    blocker.wire.end()
    socket.answers.length = 0
    await eventually(() => Context.get(server.services, RequestPool).status().running === 0)
    socket.wire.send(message)
    await socket.until(() => socket.answers.length === 1, "an answer")
    expect(socket.answers[0]!.code).toBe(200)
    socket.wire.end()
  })
})
