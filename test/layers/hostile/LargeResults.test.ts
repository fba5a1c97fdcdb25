import { describe, expect, it } from "vitest"
import { http, openSocket, post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { startServer } from "../support/TestServers.ts"

const texts = ["text/plain", "application/vnd.graphbinary-v1.0-stringd"]
const typed = [1, 2, 3].map((version) => `application/vnd.gremlin-v${version}.0+json`)
const formats = [...typed, "application/vnd.gremlin-v3.0+json;types=false", "application/vnd.graphbinary-v1.0"]

describe("A result with a very large bulk", () => {
  const identity = { "@type": "g:Bytecode", "@value": { step: [["identity"]] } }
  const doubled = { "@type": "g:Bytecode", "@value": { step: [["union", identity, identity], ["barrier"]] } }

  /** Bytecode of a driver with one traverser, whose bulk is 2 to the power of `times`. */
  const bytecode = (times: number): string => {
    const step = [
      ["inject", 1],
      ["repeat", doubled],
      ["times", { "@type": "g:Int32", "@value": times }]
    ]
    const args = { aliases: { g: "g" }, gremlin: { "@type": "g:Bytecode", "@value": { step } } }
    const requestId = "41d2e28a-20a4-4ab0-b379-d810dede3786"
    return JSON.stringify({ requestId, op: "bytecode", processor: "traversal", args })
  }
  const driver = "application/vnd.gremlin-v3.0+json"

  it("is repeated in a text format, piece by piece, until its client or its time limit ends it", async () => {
    const { authority } = await startServer({ evaluationTimeout: 2_000 })
    const headers = { "content-type": driver, accept: "text/plain" }
    const whole = await http(authority, { method: "POST", headers }, bytecode(10))
    expect([whole.status, whole.text]).toEqual([200, Array(1_024).fill("==>1").join("\n")])
    const body = bytecode(40)
    // A client that does not read does not get unlimited bytes.
    const deaf = openSocket(authority)
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${driver}\r\nAccept: text/plain\r\nContent-Length: ${body.length}\r\n\r\n`
    deaf.write(head + body)
    deaf.pause()
    expect((await post(authority, "1")).status).toBe(200)
    // This format begins with the number of results: nothing is sent when the time limit passes.
    const counted = await http(authority, { method: "POST", headers: { ...headers, accept: texts[1] } }, body)
    expect([counted.status, counted.json.exceptions]).toEqual([500, ["EvaluationTimeout"]])
    expect((await post(authority, "1")).status).toBe(200)
  })
})

describe("A single result that is too large for its format", () => {
  const limit =
    "A single result has more than 268435456 bytes in its answer; return its members one by one, with unfold()."
  const gremlin = "g.inject(x).repeat(__.identity()).emit().times(31).fold()"
  const bindings = { x: "x".repeat(9_000_000) }

  it.each(formats)("is an error that says what to do: %s", async (accept) => {
    const { authority, log } = await startServer()
    const answer = await http(authority, { method: "POST", headers: { accept } }, JSON.stringify({ gremlin, bindings }))
    expect([answer.status, answer.json.exceptions, answer.json.message]).toEqual([500, ["LimitExceeded"], limit])
    expect(log.filter((line) => line.startsWith("ERROR"))).toEqual([])
  })

  it("is an error over a WebSocket, which stays open", async () => {
    const { authority } = await startServer()
    const client = await SocketClient.connect(authority)
    const { status } = await client.eval(gremlin, { bindings })
    expect([status.code, status.message]).toEqual([597, limit])
    expect((await client.eval("1")).status.code).toBe(200)
  })

  it.each(texts)("is an error in a text format, which is not written in slices: %s", async (accept) => {
    const { authority, log } = await startServer()
    const ask = (script: string) =>
      http(authority, { method: "POST", headers: { accept } }, JSON.stringify({ gremlin: script, bindings }))
    for (const script of [gremlin, "g.inject(0).repeat(__.identity()).emit().times(600000).fold()"]) {
      const answer = await ask(script)
      expect([answer.status, answer.json.exceptions]).toEqual([500, ["SerializationError"]])
      expect(answer.json.message).toContain("more than 262144 characters")
      expect(answer.json.message).toContain("unfold()")
    }
    // One text, or many results, have no such limit.
    expect((await ask("x")).bytes.length).toBeGreaterThan(9_000_000)
    expect((await ask("g.inject(x).repeat(__.identity()).emit().times(10)")).bytes.length).toBeGreaterThan(90_000_000)
    expect(log.filter((line) => line.startsWith("ERROR"))).toEqual([])
  })
})

describe("A bulk set of a million million members", () => {
  const bulkSet = (count: number) => ({
    "@type": "g:BulkSet",
    "@value": ["a", { "@type": "g:Int64", "@value": count }]
  })
  const scripts = [
    ...["x.size()", "x == x", "x as List", "[] + x", "'b' in x", "x.contains('a')", "x.toString()", "x.join(',')"],
    ...["g.V(x)", "g.V().hasId(x)", "g.inject('a').is(within(x))", "g.inject(x).is(eq(x))", "g.inject(x, x).order()"],
    ...["g.addV('a').property('p', x)", "g.mergeV([a: x])", "g.inject(x).asString()", "g.inject(x).dedup()"],
    ...[
      "g.withSack([]).inject(x).sack(addAll).sack()",
      "g.withSideEffect('a', [], addAll).inject(x).store('a').cap('a')"
    ],
    ...["g.inject(x).order(local)", "g.inject(x).sum(local)", "g.inject(x).sample(local, 9)", "g.inject(x).merge(x)"],
    // A bulk set that the traversal makes.
    ...[
      "cap('a')",
      "cap('a').is(eq(['b']))",
      "cap('a').as('m').select('m').order(local)",
      "cap('a').fold().order()"
    ].map(
      (then) => `g.inject(1).repeat(__.union(__.identity(), __.identity()).barrier()).times(40).aggregate('a').${then}`
    )
  ]

  it("is never fully iterated", async () => {
    const { authority, log } = await startServer({ evaluationTimeout: 300 })
    for (const x of [bulkSet(1e12), { "@type": "g:List", "@value": [bulkSet(1e12)] }]) {
      const client = await SocketClient.connect(authority)
      for (const script of scripts) {
        const answer = await client.eval(script, { bindings: { x } })
        expect([script, answer.status.code < 400 || answer.status.message.length > 20]).toEqual([script, true])
        // The bulk set is sent.
        client.frames.length = 0
      }
      client.close()
    }
    expect(log.filter((line) => line.startsWith("ERROR"))).toEqual([])
    expect(
      (await post(authority, "g.inject(x).unfold().limit(3)", { bindings: { x: bulkSet(1e12) } })).json
    ).toMatchObject({
      result: { data: ["a", "a", "a"] }
    })
    expect((await post(authority, "g.inject(x).count(local)", { bindings: { x: bulkSet(1e12) } })).json).toMatchObject({
      result: { data: [1e12] }
    })
  })
})
