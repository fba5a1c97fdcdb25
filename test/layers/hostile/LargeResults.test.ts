import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { http, openSocket, post } from "../support/HttpClient.ts"
import { binaryMessage, SocketClient } from "../support/SocketClient.ts"
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

/** The code of a success, or a part of the message of an error. */
type Outcome = number | string | RegExp

describe("A bulk set of a million million members", () => {
  const bulkSet = (count: number) => ({
    "@type": "g:BulkSet",
    "@value": ["a", { "@type": "g:Int64", "@value": count }]
  })
  const WHOLE = "cannot become a list, which has at most 1048576 members"
  const COMPARED = "A comparison of two collections visits at most 1048576 members"
  const NO_METHOD = "BulkSet has no method"
  const NO_PROPERTY = /cannot become a list|cannot hold a value/
  const made = "g.inject(1).repeat(__.union(__.identity(), __.identity()).barrier()).times(40).aggregate('a').cap('a')"
  /**
   * Scripts, and what each answers for a bulk set and for a list with one: the code of a success, or a part of the error. 200 is also the
   * code of an answer that has the bulk set with its number.
   */
  const scripts: ReadonlyArray<readonly [string, Outcome, Outcome]> = [
    ["x.size()", NO_METHOD, 200],
    ["x == x", WHOLE, WHOLE],
    ["x as List", WHOLE, 200],
    ["[] + x", WHOLE, WHOLE],
    ["'b' in x", 200, 200],
    ["x.contains('a')", NO_METHOD, 200],
    ["x.toString()", WHOLE, WHOLE],
    ["x.join(',')", NO_METHOD, WHOLE],
    ["g.V(x)", WHOLE, WHOLE],
    ["g.V().hasId(x)", WHOLE, WHOLE],
    ["g.inject('a').is(within(x))", 200, 204],
    ["g.inject(x).is(eq(x))", COMPARED, COMPARED],
    ["g.inject(x, x).order()", COMPARED, COMPARED],
    ["g.addV('a').property('p', x)", NO_PROPERTY, NO_PROPERTY],
    ["g.mergeV([a: x])", NO_PROPERTY, NO_PROPERTY],
    ["g.inject(x).asString()", 200, 200],
    ["g.inject(x).dedup()", 200, 200],
    ["g.withSack([]).inject(x).sack(addAll).sack()", WHOLE, 200],
    ["g.withSideEffect('a', [], addAll).inject(x).store('a').cap('a')", 200, 200],
    ["g.inject(x).order(local)", WHOLE, 200],
    ["g.inject(x).sum(local)", WHOLE, "sum() needs numbers, but was given a BulkSet"],
    ["g.inject(x).sample(local, 9)", WHOLE, 200],
    ["g.inject(x).merge(x)", WHOLE, 200],
    // A bulk set that the traversal makes.
    [made, 200, 200],
    [`${made}.is(eq(['b']))`, 204, 204],
    [`${made}.as('m').select('m').order(local)`, WHOLE, WHOLE],
    [`${made}.fold().order()`, 200, 200]
  ]

  /** The answer in a format that has bulk sets with their numbers. */
  const inTypes = (client: SocketClient, gremlin: string, x: unknown) => {
    const requestId = randomUUID()
    const request = { requestId, op: "eval", processor: "", args: { gremlin, bindings: { x } } }
    client.ws.send(binaryMessage("application/vnd.gremlin-v3.0+json", JSON.stringify(request)))
    return client.answer(requestId)
  }

  it("is never fully iterated", async () => {
    // A million million members take longer than any time limit.
    const { authority, log } = await startServer()
    for (const [at, x] of [bulkSet(1e12), { "@type": "g:List", "@value": [bulkSet(1e12)] }].entries()) {
      const client = await SocketClient.connect(authority)
      for (const [script, ...outcomes] of scripts) {
        const expected = outcomes[at]!
        const { status } = await inTypes(client, script, x)
        if (typeof expected === "number") expect([script, status.message, status.code]).toEqual([script, "", expected])
        else
          expect([status.code, status.message], script).toEqual([
            597,
            typeof expected === "string" ? expect.stringContaining(expected) : expect.stringMatching(expected)
          ])
        client.frames.length = 0
      }
      // A format without types has only lists: the time limit ends the answer.
      expect((await client.eval("x", { bindings: { x }, evaluationTimeout: 300 })).status.code).toBe(598)
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
