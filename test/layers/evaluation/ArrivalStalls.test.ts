import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { http, UNTYPED } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { LONGEST_TURN_MS, measuredServer } from "../support/Turns.ts"

const measured = measuredServer("--max-old-space-size=1024", undefined, ["maxContentLength: 50000000"])

const TEXTS = 400
const bindings = { x: Array.from({ length: TEXTS }, (_, i) => `${i}${"a".repeat(100_000)}`) }
const gremlin = "x.size()"

const overSocket = async (frames: number): Promise<unknown> => {
  const client = await SocketClient.connect(measured.authority)
  const requestId = randomUUID()
  const message = Buffer.from(JSON.stringify({ requestId, op: "eval", processor: "", args: { gremlin, bindings } }))
  const size = Math.ceil(message.length / frames)
  for (let at = 0; at < message.length; at += size) {
    client.ws.send(message.subarray(at, at + size), { binary: false, fin: at + size >= message.length })
  }
  const { result } = await client.answer(requestId)
  client.ws.terminate()
  return (result.data as { "@value": ReadonlyArray<{ "@value": unknown }> })["@value"][0]!["@value"]
}

const overHttp = async (): Promise<unknown> => {
  const answer = await http(measured.authority, { headers: { accept: UNTYPED } }, JSON.stringify({ gremlin, bindings }))
  return answer.json.result.data[0]
}

const ways: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
  ["over a WebSocket in one frame", () => overSocket(1)],
  ["over a WebSocket in a thousand frames", () => overSocket(1_000)],
  ["over HTTP", overHttp]
]

it.each(ways)("A message of forty megabytes does not block the event loop %s", async (_, ask) => {
  const turn = await measured.turnOf(async () => expect(await ask()).toBe(TEXTS))
  expect(turn).toBeLessThan(LONGEST_TURN_MS)
})
