import { randomUUID } from "node:crypto"
import { request } from "node:http"
import { describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { binaryMessage } from "../support/SocketClient.ts"
import { distinctNumbers, LONGEST_TURN_MS, MEMBERS, measuredServer } from "../support/Turns.ts"

const GRAPHSON = "application/vnd.gremlin-v3.0+json"
const GRAPHBINARY = "application/vnd.graphbinary-v1.0"

const measured = measuredServer("--max-old-space-size=512")
const turnOf = (ask: () => Promise<unknown>): Promise<number> => measured.turnOf(ask)

interface Received {
  readonly status: number
  readonly bytes: number
}

/** Counts the bytes of an answer over HTTP without keeping them. */
const overHttp = (accept: string, gremlin: string): Promise<Received> =>
  new Promise((resolve, reject) => {
    const [host, port] = measured.authority.split(":") as [string, string]
    const sent = request({ host, port, method: "POST", headers: { accept } }, (response) => {
      let bytes = 0
      response.on("data", (data: Buffer) => {
        bytes += data.length
      })
      response.on("end", () => resolve({ status: response.statusCode!, bytes }))
      response.on("error", reject)
    })
    sent.on("error", reject)
    sent.end(JSON.stringify({ gremlin, bindings: { x: distinctNumbers } }))
  })

/** An answer over a WebSocket. The request is JSON, so the prefix of the frame alone names the format. */
const overSocket = async (mime: string, gremlin: string): Promise<Received> => {
  const ws = new WebSocket(`ws://${measured.authority}/gremlin`, { maxPayload: 2 ** 30 })
  await new Promise((resolve, reject) => ws.once("open", resolve).once("error", reject))
  let bytes = 0
  const status = await new Promise<number>((resolve, reject) => {
    ws.once("close", () => reject(new Error("closed before the answer")))
    ws.on("message", (data: Buffer) => {
      bytes += data.length
      const code =
        mime === GRAPHBINARY ? data.readInt32BE(18) : Number(/"code":(\d+)/.exec(data.toString("latin1"))![1])
      if (code !== 206) resolve(code)
    })
    ws.send(mime === GRAPHBINARY ? binaryRequest(gremlin) : jsonRequest(mime, gremlin))
  })
  ws.terminate()
  return { status, bytes }
}

const jsonRequest = (mime: string, gremlin: string): Buffer => {
  const pairs = [
    "gremlin",
    gremlin,
    "bindings",
    { "@type": "g:Map", "@value": ["x", { "@type": "g:List", "@value": distinctNumbers }] }
  ]
  const args = { "@type": "g:Map", "@value": pairs }
  const requestId = { "@type": "g:UUID", "@value": randomUUID() }
  return binaryMessage(mime, JSON.stringify({ requestId, op: "eval", processor: "", args }))
}

const binaryRequest = (gremlin: string): Buffer => {
  const int = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  const text = (value: string): Buffer => Buffer.concat([int(Buffer.byteLength(value)), Buffer.from(value)])
  const typed = (value: string): Buffer => Buffer.concat([Buffer.from([3, 0]), text(value)])
  const numbers = Buffer.alloc(MEMBERS * 6)
  distinctNumbers.forEach((value, i) => {
    numbers[i * 6] = 1
    numbers.writeInt32BE(value, i * 6 + 2)
  })
  const list = Buffer.concat([Buffer.from([9, 0]), int(MEMBERS), numbers])
  const bindings = Buffer.concat([Buffer.from([10, 0]), int(1), typed("x"), list])
  const id = Buffer.from(randomUUID().replaceAll("-", ""), "hex")
  const args = [int(2), typed("gremlin"), typed(gremlin), typed("bindings"), bindings]
  const mime = Buffer.concat([Buffer.from([GRAPHBINARY.length]), Buffer.from(GRAPHBINARY)])
  return Buffer.concat([mime, Buffer.from([0x81]), id, text("eval"), text(""), ...args])
}

const ways: ReadonlyArray<readonly [string, (gremlin: string) => Promise<Received>]> = [
  ["GraphSON over HTTP", (gremlin) => overHttp(GRAPHSON, gremlin)],
  ["GraphBinary over HTTP", (gremlin) => overHttp(GRAPHBINARY, gremlin)],
  ["GraphSON over a WebSocket", (gremlin) => overSocket(GRAPHSON, gremlin)],
  ["GraphBinary over a WebSocket", (gremlin) => overSocket(GRAPHBINARY, gremlin)]
]

const fine = { status: 200 }

describe.each(ways)("An answer in %s", (_, ask) => {
  it("does not block the event loop by a single result with many members", async () => {
    const turn = await turnOf(async () => {
      const answer = await ask("g.inject([x, x, x])")
      expect(answer).toMatchObject(fine)
      expect(answer.bytes).toBeGreaterThan(3 * MEMBERS * 6)
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })

  it("does not block it by a batch of large results, and keeps memory bounded", async () => {
    const doubling = "g.inject(1).repeat(__.union(__.identity(), __.identity())).times(3)"
    const turn = await turnOf(async () => {
      const answer = await ask(`${doubling}.constant(x)`)
      expect(answer).toMatchObject(fine)
      expect(answer.bytes).toBeGreaterThan(8 * MEMBERS * 6)
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
  })

  it("does not block it by a single result of many megabytes", async () => {
    const texts = Array.from({ length: 40 }, () => "t")
    const turn = await turnOf(async () => {
      const answer = await ask(`def t = 'a' * 1000000; g.inject([${texts}])`)
      expect(answer).toMatchObject(fine)
      expect(answer.bytes).toBeGreaterThan(40_000_000)
    })
    expect(turn).toBeLessThan(LONGEST_TURN_MS)
    expect(measured.process.child.exitCode).toBe(null)
  })
})
