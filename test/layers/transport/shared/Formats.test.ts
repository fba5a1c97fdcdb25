import { createRequire } from "node:module"
import { describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { http } from "../../support/HttpClient.ts"
import { binaryMessage, SocketClient } from "../../support/SocketClient.ts"
import { modern, startServer } from "../../support/TestServers.ts"

const require = createRequire(import.meta.url)
const { graphBinaryReader, graphBinaryWriter } = require("gremlin/lib/structure/io/binary/GraphBinary.js") as {
  readonly graphBinaryReader: { readResponse(bytes: Buffer): { readonly result: { readonly data: unknown } } }
  readonly graphBinaryWriter: { writeRequest(request: Record<string, unknown>): Buffer }
}

const requestId = "41d2e28a-20a4-4ab0-b379-d810dede3786"
const gremlin = "g.V(1).values('age')"

const plain = JSON.stringify({ requestId, op: "eval", processor: "", args: { gremlin } })
const typed = JSON.stringify({
  requestId: { "@type": "g:UUID", "@value": requestId },
  op: "eval",
  processor: "",
  args: { "@type": "g:Map", "@value": ["gremlin", gremlin] }
})
const first = JSON.stringify({
  "@class": "org.apache.tinkerpop.gremlin.driver.message.RequestMessage",
  requestId: ["java.util.UUID", requestId],
  op: "eval",
  processor: "",
  args: { "@class": "java.util.HashMap", gremlin }
})

/** A request in each format, and the data of its answer. */
const cases: ReadonlyArray<readonly [mime: string, request: string, data: unknown]> = [
  ["application/json", plain, { "@type": "g:List", "@value": [{ "@type": "g:Int32", "@value": 29 }] }],
  ["application/vnd.gremlin-v3.0+json", typed, { "@type": "g:List", "@value": [{ "@type": "g:Int32", "@value": 29 }] }],
  ["application/vnd.gremlin-v3.0+json;types=false", plain, [29]],
  ["application/vnd.gremlin-v2.0+json", plain, [{ "@type": "g:Int32", "@value": 29 }]],
  ["application/vnd.gremlin-v2.0+json;types=false", plain, [29]],
  ["application/vnd.gremlin-v1.0+json", first, ["java.util.ArrayList", [29]]],
  ["application/vnd.gremlin-v1.0+json;types=false", plain, [29]]
]

const exchange = async (authority: string, message: Buffer | string): Promise<{ data: Buffer; isBinary: boolean }> => {
  const ws = new WebSocket(`ws://${authority}/gremlin`)
  await new Promise((resolve) => ws.once("open", resolve))
  const answered = new Promise<{ data: Buffer; isBinary: boolean }>((resolve) =>
    ws.once("message", (data: Buffer, isBinary: boolean) => resolve({ data, isBinary }))
  )
  ws.send(message)
  try {
    return await answered
  } finally {
    ws.terminate()
  }
}

describe("A request over a WebSocket is answered in its own format:", () => {
  for (const [mime, request, data] of cases) {
    it(mime, async () => {
      const { authority } = await startServer(modern)
      const answer = await exchange(authority, binaryMessage(mime, request))
      const { result, status } = JSON.parse(answer.data.toString())
      expect([answer.isBinary, status.code, result.data]).toEqual([true, 200, data])
    })
  }

  it("text, in the format of application/json", async () => {
    const { authority } = await startServer(modern)
    const answer = await exchange(authority, plain)
    expect([answer.isBinary, JSON.parse(answer.data.toString()).result.data]).toEqual([false, cases[0]![2]])
  })

  for (const [mime, data] of [
    ["application/vnd.graphbinary-v1.0", [29]],
    ["application/vnd.graphbinary-v1.0-stringd", ["29"]]
  ] as const) {
    it(mime, async () => {
      const { authority } = await startServer(modern)
      const request = graphBinaryWriter.writeRequest({ requestId, op: "eval", processor: "", args: { gremlin } })
      const answer = await exchange(authority, binaryMessage(mime, request))
      expect(graphBinaryReader.readResponse(answer.data).result.data).toEqual(data)
    })
  }
})

describe("A request in a format of drivers that is not served", () => {
  const GRYO = "application/vnd.gremlin-v3.0+gryo"
  /** A message of Gryo begins with the id of the request. */
  const gryo = Buffer.concat([Buffer.from("81d2e28a20a44ab0b379d810dede3786", "hex"), Buffer.from("\x81eval")])

  it.each([
    [GRYO, gryo],
    ["application/vnd.graphson-v4.0+json", Buffer.from("{}")],
    ["application/vnd.graphbinary-v4.0", Buffer.of(0x84, 0)]
  ])("is answered with what to set, and the connection is closed with 1003: %s", async (mime, message) => {
    const { authority } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    client.ws.send(binaryMessage(mime, message))
    const { status } = await client.answer(null)
    expect([status.code, status.message]).toEqual([498, expect.stringContaining(`in the format ${mime} are not read`)])
    expect(status.message).toContain("GraphBinaryMessageSerializerV1")
    expect(await client.closed).toMatchObject({ code: 1003, reason: expect.stringContaining("set GraphBinary 1.0") })
  })

  it("is answered with what to set over HTTP, too, where a body in JSON is read whatever its type", async () => {
    const { authority } = await startServer(modern)
    const headers = { "content-type": GRYO }
    const refused = await http(authority, { headers }, gryo.toString("latin1"))
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining(`${GRYO} are not read here`)])
    expect((await http(authority, { headers }, '{"gremlin":"1"}')).status).toBe(200)
    const broken = await http(authority, { headers }, '{"gremlin":"1"')
    expect([broken.status, broken.json.message]).toEqual([400, expect.not.stringContaining("gryo")])
  })
})
