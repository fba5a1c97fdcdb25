import { randomBytes } from "node:crypto"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { WebSocket, WebSocketServer } from "ws"
import { Outflow } from "../../../../src/layers/transport/shared/Outflow.ts"
import { ServerWebSocket } from "../../../../src/layers/transport/websocket/ServerWebSocket.ts"
import { WebSocketOutput } from "../../../../src/layers/transport/websocket/WebSocketOutput.ts"
import { ChunkedMessage } from "../../../../src/protocol/ChunkedMessage.ts"
import type { MemoryBudget } from "../../../../src/services/MemoryBudget.ts"
import { eventually } from "../../support/TestServers.ts"

const servers: Array<Server> = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** The server's end of a WebSocket, and the memory that it counts. */
interface ServerEnd {
  readonly ws: ServerWebSocket
  readonly socket: Socket
  readonly output: WebSocketOutput
  readonly held: Array<number | "closed">
}

/** @param budget bytes that the output may hold */
const listen = async (
  perMessageDeflate: boolean,
  budget: number
): Promise<{ port: number; end: Promise<ServerEnd> }> => {
  const server = createServer()
  servers.push(server)
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate, WebSocket: ServerWebSocket })
  const end = new Promise<ServerEnd>((resolve) => {
    server.on("upgrade", (request, duplex, head) => {
      const socket = duplex as Socket
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        const ws = webSocket as ServerWebSocket
        const held: Array<number | "closed"> = []
        const set = (bytes: number): void => {
          held.push(bytes)
          if (bytes > budget) throw new Error("too much")
        }
        const memory: typeof MemoryBudget.Service = {
          open: () => ({ set, mayHold: () => {}, close: () => held.push("closed") }),
          used: () => 0,
          relieve: () => false
        }
        const output = new WebSocketOutput(ws, socket, new Outflow(socket, 65_536, setImmediate), memory)
        ws.on("close", () => output.end())
        ws.on("error", () => {})
        resolve({ ws, socket, output, held })
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { port: (server.address() as AddressInfo).port, end }
}

/** A client that gets the raw bytes, and does not read before resume(). */
const rawClient = async (budget = Number.POSITIVE_INFINITY, perMessageDeflate = false) => {
  const { end, port } = await listen(perMessageDeflate, budget)
  const socket = connect(port, "127.0.0.1")
  socket.write(
    "GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n" +
      "sec-websocket-version: 13\r\nsec-websocket-key: MTIzNDU2Nzg5MDEyMzQ1Ng==\r\n" +
      (perMessageDeflate ? "sec-websocket-extensions: permessage-deflate\r\n\r\n" : "\r\n")
  )
  const chunks: Array<Buffer> = []
  socket.pause()
  socket.on("data", (chunk) => chunks.push(chunk))
  socket.on("error", () => {})
  return { server: await end, socket, bytes: () => Buffer.concat(chunks) }
}

interface Frame {
  readonly isWhole: boolean
  readonly opcode: number
  readonly payload: Buffer
}

/** The frames after the answer to the handshake. */
const framesOf = (bytes: Buffer): ReadonlyArray<Frame> => {
  const frames: Array<Frame> = []
  for (let at = bytes.indexOf("\r\n\r\n") + 4; at < bytes.length; ) {
    const first = bytes[at]!
    const short = bytes[at + 1]!
    const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10)
    const length =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
    frames.push({
      isWhole: (first & 0xf0) === 0x80,
      opcode: first & 0x0f,
      payload: bytes.subarray(start, start + length)
    })
    at = start + length
  }
  return frames
}

const PIECE_BYTES = 100_000
/** A message of `count` different buffers. */
const long = (count: number): ChunkedMessage =>
  new ChunkedMessage(Array.from({ length: count }, (_, i) => Buffer.alloc(PIECE_BYTES, `${i},`)))

const wholeOf = ({ buffers }: ChunkedMessage): Buffer => Buffer.concat(buffers)

describe("A long message", () => {
  it("is one frame, which is written as the client reads; later messages follow it, and a close is last", async () => {
    const { bytes, server, socket } = await rawClient()
    const { held, output, ws } = server
    const first = long(300)
    const second = long(100)
    output.send(first, true)
    output.send("short", false)
    output.send(second, false)
    output.send(Buffer.from("bytes"), true)
    ws.close(1000, "enough")
    expect(ws.readyState).toBe(ws.OPEN)
    expect(output.isInside).toBe(true)
    expect(output.hasRoom).toBe(false)
    let hasRoom = false
    output.onRoom(() => {
      hasRoom = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    // Buffers that the socket does not take are held by the output.
    expect(server.socket.writableLength).toBeLessThan(1_000_000)
    expect(held.at(-1)).toBeGreaterThan(10_000_000)
    expect(hasRoom).toBe(false)
    socket.resume()
    await eventually(() => !output.isInside && server.socket.writableLength === 0)
    await eventually(() => socket.bytesRead === server.socket.bytesWritten)
    const frames = framesOf(bytes())
    expect(frames.map(({ isWhole, opcode }) => [isWhole, opcode])).toEqual([
      [true, 2],
      [true, 1],
      [true, 1],
      [true, 2],
      [true, 8]
    ])
    expect(frames[0]!.payload.equals(wholeOf(first))).toBe(true)
    expect(frames[1]!.payload.toString()).toBe("short")
    expect(frames[2]!.payload.equals(wholeOf(second))).toBe(true)
    expect(frames[3]!.payload.toString()).toBe("bytes")
    expect(frames[4]!.payload.subarray(2).toString()).toBe("enough")
    expect(hasRoom).toBe(true)
    // Both messages were counted while they were held.
    expect(held[0]).toBe(first.length)
    expect(Math.max(...held.filter((bytes) => bytes !== "closed"))).toBeGreaterThan(first.length + 5_000_000)
    expect(held.at(-1)).toBe("closed")
  })

  it("is dropped when the client closes the connection", async () => {
    const { server, socket } = await rawClient()
    const { held, output } = server
    output.send(long(300), true)
    output.send("behind", false)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(output.isInside).toBe(true)
    socket.destroy()
    await eventually(() => held.at(-1) === "closed")
    expect(output.isInside).toBe(false)
  })

  it("ends the connection when there is no memory for it", async () => {
    const { server } = await rawClient(1_000_000)
    server.output.send(long(300), true)
    await eventually(() => server.held.at(-1) === "closed")
    expect(server.socket.destroyed).toBe(true)
  })

  it("is written at once when it is only slightly longer than a short one", async () => {
    const { bytes, server, socket } = await rawClient()
    const message = long(3)
    server.output.send(message, true)
    expect(server.output.isInside).toBe(false)
    expect(server.held).toEqual([])
    socket.resume()
    await eventually(() => framesOf(bytes())[0]?.payload.length === message.length)
    expect(framesOf(bytes())).toEqual([{ isWhole: true, opcode: 2, payload: wholeOf(message) }])
  })

  it("is compressed when the connection is, after earlier messages", async () => {
    const { end, port } = await listen(true, Number.POSITIVE_INFINITY)
    const client = new WebSocket(`ws://127.0.0.1:${port}/`)
    const received: Array<Buffer> = []
    client.on("message", (data: Buffer) => received.push(data))
    const { output, socket } = await end
    const messages = [Buffer.alloc(40_000, "ab"), long(80), Buffer.alloc(40_000, "cd"), long(4), long(90)]
    for (const message of messages) output.send(message, true)
    await eventually(() => received.length === messages.length)
    messages.forEach((message, i) => {
      const whole = message instanceof ChunkedMessage ? wholeOf(message) : message
      expect(received[i]!.equals(whole)).toBe(true)
    })
    expect(socket.bytesWritten).toBeLessThan(1_000_000)
    client.terminate()
  })
})

describe("Short messages that are compressed", () => {
  it("leave no room while many bytes wait to be compressed, and room again after that", async () => {
    const { end, port } = await listen(true, Number.POSITIVE_INFINITY)
    const client = new WebSocket(`ws://127.0.0.1:${port}/`)
    let received = 0
    client.on("message", () => received++)
    const { output } = await end
    let sent = 0
    for (; output.hasRoom && sent < 1_000; sent++) output.send(Buffer.alloc(10_000, `${sent},`), true)
    expect(sent).toBeLessThan(100)
    await new Promise<void>((resolve) => output.onRoom(resolve))
    expect(output.hasRoom).toBe(true)
    await eventually(() => received === sent)
    client.terminate()
  })
})

describe("Short messages that a client does not read", () => {
  // Random bytes stay as long when they are compressed.
  const message = randomBytes(100_000)

  it.each([
    ["as they are", false],
    ["compressed", true]
  ])("are counted when they are many, until it has read them, %s", async (_, perMessageDeflate) => {
    const { bytes, server, socket } = await rawClient(Number.POSITIVE_INFINITY, perMessageDeflate)
    // The system takes some megabytes.
    for (let i = 0; i < 200; i++) server.output.send(message, true)
    await eventually(() => server.held.some((held) => held !== "closed" && held > 10 * message.length))
    expect(server.held.at(-1)).not.toBe("closed")
    socket.resume()
    await eventually(() => bytes().length > 200 * message.length)
    await eventually(() => server.held.at(-1) === "closed")
  })

  it("end the connection when there is no memory for them", async () => {
    const { server, socket } = await rawClient(10_000_000)
    const closed = new Promise((resolve) => server.ws.once("close", resolve))
    for (let i = 0; i < 200 && server.ws.readyState === server.ws.OPEN; i++) server.output.send(message, true)
    await closed
    expect(server.held.at(-1)).toBe("closed")
    socket.destroy()
  })
})
