import { createRequire } from "node:module"
import { describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { binaryMessage } from "../../support/SocketClient.ts"
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
