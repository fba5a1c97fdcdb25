import { describe, expect, it } from "vitest"
import { http, post, raw, UNTYPED } from "./support/HttpClient.ts"
import { binaryMessage, codes, SocketClient } from "./support/SocketClient.ts"
import { modern, startServer } from "./support/TestServers.ts"

/*
 * What goes wrong on Gremlin Server 3.8.1 or JanusGraph Server 1.1.0, and must not here. The rest of the list is tested
 * where it belongs: unanswered messages, answers in another request's format, batch sizes of 0, requests in fragments
 * (WebSocket.test.ts); upgrades and plain HTTP on the wrong path (WebSocket.test.ts); a running request that is never
 * answered while the queue is full (RequestPool.test.ts); `close` that does nothing (Sessions.test.ts); qualities in Accept,
 * preflight, header limits, time limits in a plain body (Http.test.ts); authentication that is asked once a connection, two
 * answers after its time limit (trust/Authenticators.test.ts); starting without a graph, exit status 0 on failure
 * (ConfigFile.test.ts, CommandLine.test.ts, launcher/).
 */

const bytecode = (...step: ReadonlyArray<ReadonlyArray<unknown>>) => ({
  gremlin: { "@type": "g:Bytecode", "@value": { step } },
  aliases: { g: "g" }
})

describe("An error after some results", () => {
  it("follows them, every time", async () => {
    const { authority } = await startServer()
    const client = await SocketClient.connect(authority)
    // More values than the traversal processes together: an error takes those of its own batch with it.
    const gremlin = "g.inject(1..20000).unfold().map(__.choose(__.is(20000), __.fail('late'), __.identity()))"
    for (let round = 0; round < 10; round++) {
      const frames = await client.answers(client.send("eval", "", { gremlin, batchSize: 1000 }))
      const seen = codes(frames)
      expect(seen.length).toBeGreaterThan(1)
      expect(seen).toEqual([...Array.from(seen.slice(1), () => 206), 595])
      // No frame of this request follows its error.
      await client.eval("1")
      expect(codes(client.frames.filter(({ requestId }) => requestId === frames[0]?.requestId))).toEqual(seen)
    }
  })
})

describe("An error without a message in Gremlin Server", () => {
  it("is answered with a message over every transport", async () => {
    const { authority } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    const none = "g.V(99).next()"
    const answers = [
      await client.eval(none),
      await client.eval(none, { session: "s" }),
      await client.eval("throw new RuntimeException()"),
      await client.answer(client.send("bytecode", "session", bytecode(["V"])))
    ]
    for (const { status } of answers) {
      expect(status.code).toBeGreaterThanOrEqual(499)
      expect(status.message).not.toBe("")
    }
    expect((await post(authority, none)).json.message).not.toBe("")
  })
})

describe("An unknown alias over HTTP", () => {
  it("has one answer, and the next request on the connection has its own", async () => {
    const { authority } = await startServer(modern)
    const wrong = JSON.stringify({ gremlin: "g.V()", aliases: { g: "nope" } })
    const right = JSON.stringify({ gremlin: "g.V().count()" })
    const request = (body: string, more = "") =>
      `POST / HTTP/1.1\r\nHost: x\r\nAccept: ${UNTYPED}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
    const received = await raw(authority, request(wrong) + request(right, "Connection: close\r\n"))
    expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 200"])
    expect(received).toMatch(/"data":\[6\]/)
  })
})

describe("Numbers of a plain HTTP body", () => {
  it("keep their value, however many digits they have", async () => {
    const { authority } = await startServer()
    const digits = "123456789012345678901234567890"
    const body = `{"gremlin":"[x, y, z]","bindings":{"x":${digits},"y":9223372036854775807,"z":1.5}}`
    const { text } = await http(authority, { headers: { accept: UNTYPED } }, body)
    expect(text).toContain(`[${digits},9223372036854775807,1.5]`)
  })
})

describe("evaluationTimeout and batchSize of a message", () => {
  it("may be whole numbers of any type", async () => {
    const { authority } = await startServer()
    const client = await SocketClient.connect(authority)
    for (const [type, value] of [
      ["g:Int32", 5],
      ["g:Int64", 5],
      ["gx:BigInteger", 5],
      ["g:Double", 5]
    ]) {
      const number = { "@type": type, "@value": value }
      const requestId = "41d2e28a-20a4-4ab0-b379-d810dede3786"
      const args = {
        gremlin: "g.inject(1,2,3,4,5,6)",
        evaluationTimeout: { "@type": "g:Int64", "@value": 5000 },
        batchSize: number
      }
      client.frames.length = 0
      client.ws.send(
        binaryMessage(
          "application/vnd.gremlin-v3.0+json",
          JSON.stringify({ requestId, op: "eval", processor: "", args })
        )
      )
      await client.count(2)
      expect(codes(client.frames)).toEqual([206, 200])
    }
  })
})
