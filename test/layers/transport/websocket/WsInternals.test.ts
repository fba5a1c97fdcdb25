import { randomBytes, randomUUID } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import type { Socket } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { WebSocket } from "ws"
import { requireTestedWs, TESTED_WS_VERSION } from "../../../../src/layers/transport/websocket/WsInternals.ts"
import { patience } from "../../../Limits.ts"
import { binaryMessage, SocketClient } from "../../support/SocketClient.ts"
import { modern, startServer } from "../../support/TestServers.ts"

const MAX_CONTENT_BYTES = 16_777_216
const connected = async () => {
  const server = await startServer({ ...modern, maxContentLength: MAX_CONTENT_BYTES, perMessageDeflate: true })
  return SocketClient.connect(server.authority, "/gremlin", { perMessageDeflate: false })
}

/** Sends a message in frames of these sizes in turn, with a ping after each frame. */
const sendInFrames = (ws: WebSocket, message: Buffer, sizes: ReadonlyArray<number>, binary: boolean): void => {
  let at = 0
  for (let i = 0; at < message.length; i++) {
    const end = Math.min(message.length, at + sizes[i % sizes.length]!)
    ws.send(message.subarray(at, end), { binary, fin: end === message.length })
    ws.ping()
    at = end
  }
}

/** Random, so that a lost or repeated part changes the text. */
const text = randomBytes(3_000_000).toString("base64")
const TYPE = "application/vnd.gremlin-v3.0+json;types=false"

describe("A WebSocket message of megabytes", () => {
  const ways: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
    ["in one frame", [MAX_CONTENT_BYTES]],
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
    expect((await client.eval("1 + 1")).result.data).toEqual([2])
  })

  it("is refused when its text is not UTF-8", async () => {
    const client = await connected()
    const broken = Buffer.alloc(2_000_000, " ")
    broken[1_500_000] = 0xff
    client.ws.send(broken, { binary: false })
    const { status } = await client.answer(null)
    expect(status.message).toContain("no UTF-8")
  })

  it("is refused when it is larger than maxContentLength, in one frame or in many", async () => {
    for (const size of [MAX_CONTENT_BYTES + 1, 1_000_000]) {
      const client = await connected()
      sendInFrames(client.ws, Buffer.alloc(MAX_CONTENT_BYTES + 1, " "), [size], true)
      expect(await client.closed).toMatchObject({ code: 1009 })
    }
  })

  it("is refused with the id of its request when it is larger than maxContentLength", async () => {
    const server = await startServer({ ...modern, maxContentLength: 100_000, requestTimeout: 1_000 * patience })
    const json = (requestId: string, letters = "x") => {
      const gremlin = `'${letters}${[...letters].at(-1)!.repeat(200_000)}'`
      return JSON.stringify({ requestId, op: "eval", processor: "", args: { gremlin } })
    }
    for (const { binary, size, letters } of [
      { binary: true, size: 1_000_000 },
      { binary: false, size: 1_000_000 },
      { binary: true, size: 30_000 },
      { binary: false, size: 101_000 },
      // What has arrived, or is read of it, ends inside of a character.
      ...["ä", "xä", "€", "x€", "xx€", "😀", "x😀", "xx😀", "xxx😀"].map((text) => ({
        binary: text.length < 3,
        size: 1_000_000,
        letters: text
      }))
    ]) {
      const client = await SocketClient.connect(server.authority, "/gremlin", { perMessageDeflate: false })
      const requestId = randomUUID()
      const message = json(requestId, letters)
      sendInFrames(client.ws, binary ? binaryMessage(TYPE, message) : Buffer.from(message), [size], binary)
      const { status } = await client.answer(requestId)
      expect([status.code, status.message]).toEqual([498, expect.stringContaining("maxContentLength")])
      expect(await client.closed).toMatchObject({ code: 1009 })
    }
    // GraphBinary: its version, the id, and an operation that does not end.
    const client = await SocketClient.connect(server.authority, "/gremlin", { perMessageDeflate: false })
    client.ws.removeAllListeners("message")
    const answers: Array<Buffer> = []
    client.ws.on("message", (data: Buffer) => answers.push(data))
    const id = randomBytes(16)
    const request = Buffer.concat([Buffer.from([0x81]), id, Buffer.from([0x7f, 0, 0, 0]), Buffer.alloc(200_000, "x")])
    client.ws.send(binaryMessage("application/vnd.graphbinary-v1.0", request))
    expect(await client.closed).toMatchObject({ code: 1009 })
    // The version, a byte that says that there is an id, and the id.
    expect(answers.map((answer) => answer.subarray(2, 18))).toEqual([id])
  })

  it("is refused with the id of its request when its end does not arrive within requestTimeout", async () => {
    const server = await startServer({ ...modern, requestTimeout: 300 })
    for (const fin of [true, false]) {
      const { ws, ...client } = await SocketClient.connect(server.authority, "/gremlin", { perMessageDeflate: false })
      const requestId = randomUUID()
      const start = Buffer.from(`{"requestId":"${requestId}","op":"eval","processor":"","args":{"gremlin":"`)
      const socket = (ws as unknown as { readonly _socket: Socket })._socket
      // A frame of a text with a mask of zeros, of which only the start is sent; or a first fragment.
      const header = Buffer.from([fin ? 0x81 : 0x01, 0x80 | (fin ? 126 : start.length)])
      const length = fin ? Buffer.from([0x40, 0]) : Buffer.alloc(0)
      socket.write(Buffer.concat([header, length, Buffer.alloc(4), start]))
      expect(await client.closed).toMatchObject({ code: 1008 })
      expect(client.frames.map((frame) => [frame.requestId, frame.status.message])).toEqual([
        [requestId, expect.stringContaining("requestTimeout")]
      ])
    }
  })

  it("is read when it is compressed", async () => {
    const server = await startServer({ ...modern, maxContentLength: MAX_CONTENT_BYTES, perMessageDeflate: true })
    const client = await SocketClient.connect(server.authority)
    const answer = await client.eval("x.length()", { bindings: { x: text } })
    expect(answer.result.data).toEqual([text.length])
  })
})

describe("The private fields of ws", () => {
  const root = join(import.meta.dirname, "../../../..")

  it("belong to the version that package.json pins and that is loaded", () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>
    }
    expect(dependencies.ws).toBe(TESTED_WS_VERSION)
    expect(() => requireTestedWs()).not.toThrow()
  })

  it("are refused in every other version, with the version that is needed and what to do", () => {
    expect(() => requireTestedWs("8.23.1")).toThrow(
      `The library ws has version 8.23.1, but this server uses private fields of ws ${TESTED_WS_VERSION}`
    )
    expect(() => requireTestedWs("8.23.1")).toThrow("run npm ci")
  })

  it("are named in one file only", () => {
    const source = join(root, "src")
    const naming = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
      (file) =>
        file.endsWith(".ts") &&
        /\b_(?:receiver|extensions|fragments|fragmented|bufferedBytes|messageLength|payloadLength|sender)\b/.test(
          readFileSync(join(source, file), "utf8")
        )
    )
    expect(naming).toEqual([join("layers", "transport", "websocket", "WsInternals.ts")])
  })
})
