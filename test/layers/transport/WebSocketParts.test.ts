import { randomBytes, randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import type { WebSocket } from "ws"
import { ArrivedParts } from "../../../src/layers/transport/websocket/ArrivedParts.ts"
import { binaryMessage, SocketClient } from "../support/SocketClient.ts"
import { modern, startServer } from "../support/TestServers.ts"

const LIMIT = 16_777_216
const connected = async () => {
  const server = await startServer({ ...modern, maxContentLength: LIMIT, perMessageDeflate: true })
  return SocketClient.connect(server.authority, "/gremlin", { perMessageDeflate: false })
}

/** Sends a message in frames that end where they happen to, with pings in between. */
const sendInFrames = (ws: WebSocket, message: Buffer, sizes: ReadonlyArray<number>, binary: boolean): void => {
  let at = 0
  for (let i = 0; at < message.length; i++) {
    const end = Math.min(message.length, at + sizes[i % sizes.length]!)
    ws.send(message.subarray(at, end), { binary, fin: end === message.length })
    ws.ping()
    at = end
  }
}

/** Every character of it differs from its neighbours, so that nothing can be taken for something else. */
const text = randomBytes(3_000_000).toString("base64")
const TYPE = "application/vnd.gremlin-v3.0+json;types=false"

describe("a message of megabytes", () => {
  const ways: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
    ["in one frame", [LIMIT]],
    ["in large frames", [1_500_001, 70_000, 65_536]],
    ["in many frames", [1, 65_535, 2, 9_999, 0, 131_075]]
  ]

  it.each(ways)("is read as it was sent %s, as text and as bytes", async (_, sizes) => {
    const client = await connected()
    for (const binary of [true, false]) {
      const requestId = randomUUID()
      const args = { gremlin: "g.inject(x)", bindings: { x: text } }
      const json = JSON.stringify({ requestId, op: "eval", processor: "", args })
      sendInFrames(client.ws, binary ? binaryMessage(TYPE, json) : Buffer.from(json), sizes, binary)
      const { result, status } = await client.answer(requestId)
      expect(status.code).toBe(200)
      const [answer] = (binary ? result.data : (result.data as { "@value": unknown })["@value"]) as [string]
      expect(answer === text).toBe(true)
    }
    // What follows is read as ever.
    expect((await client.eval("1 + 1")).result.data).toEqual([2])
  })

  it("is refused when it is text and no UTF-8", async () => {
    const client = await connected()
    const broken = Buffer.alloc(2_000_000, " ")
    broken[1_500_000] = 0xff
    client.ws.send(broken, { binary: false })
    const { status } = await client.answer(null)
    expect(status.message).toContain("no UTF-8")
  })

  it("is refused when it is larger than maxContentLength, in one frame or in many", async () => {
    for (const size of [LIMIT + 1, 1_000_000]) {
      const client = await connected()
      sendInFrames(client.ws, Buffer.alloc(LIMIT + 1, " "), [size], true)
      expect(await client.closed).toMatchObject({ code: 1009 })
    }
  })

  it("is read when it was compressed", async () => {
    const server = await startServer({ ...modern, maxContentLength: LIMIT, perMessageDeflate: true })
    const client = await SocketClient.connect(server.authority)
    const answer = await client.eval("x.length()", { bindings: { x: text } })
    expect(answer.result.data).toEqual([text.length])
  })
})

describe("what arrived in parts", () => {
  it("is put together in slices, and is the same in the end", () => {
    for (const sizes of [[], [5], [0, 3, 0], [700_000, 1, 262_144, 262_145, 40, 1_000_000]]) {
      const parts = sizes.map((size) => randomBytes(size))
      const whole = Buffer.concat(parts)
      const arrived = new ArrivedParts([...parts], whole.length)
      let slices = 0
      let joined: Buffer | null = null
      for (; joined === null; slices++) joined = arrived.join(() => true)
      expect(joined.equals(whole)).toBe(true)
      expect(arrived.join(() => true)).toBe(joined)
      if (whole.length > 1_000_000) expect(slices).toBeGreaterThan(5)
    }
  })
})
