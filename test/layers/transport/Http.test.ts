import { describe, expect, it } from "vitest"
import { patience } from "../../Limits.ts"
import { http, openSocket, post, raw, UNTYPED } from "../support/HttpClient.ts"
import { testedWorkers } from "../support/Packed.ts"
import { binaryMessage, SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, modern, startServer } from "../support/TestServers.ts"
import { asking, password, user } from "../support/Users.ts"

const request = (method: string, path: string, body: string, headers = "") =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`

describe("A request over HTTP", () => {
  it("names its script engine, gremlin or query, on any path", async () => {
    const { authority } = await startServer(modern)
    for (const name of ["engine", "gremlin", "query"]) {
      for (const path of ["/", "/gremlin", "/session", "/x/y?z=1"]) {
        const answer = await http(
          authority,
          { path, method: "POST", headers: { accept: UNTYPED } },
          JSON.stringify({ [name]: "g.V().count()" })
        )
        expect(answer.status).toBe(200)
        expect(answer.json.result.data).toEqual([6])
      }
    }
  })

  it("may have a batchSize, which does not split its answer", async () => {
    const { authority } = await startServer(modern)
    const headers = { accept: UNTYPED }
    const ask = (body: string) => http(authority, { method: "POST", headers }, body)
    const answer = await ask(`{"gremlin":"g.V().values('name').order()","batchSize":1}`)
    expect([answer.status, answer.json.result.data]).toEqual([
      200,
      ["josh", "lop", "marko", "peter", "ripple", "vadas"]
    ])
    expect((await ask('{"gremlin":"g.V()","batchSize":"some"}')).status).toBe(400)
  })

  it("is answered in GraphSON 3 with its length, and without needless headers", async () => {
    const { authority } = await startServer(modern)
    const answer = await http(authority, { method: "POST" }, '{"engine":"g.V().count()"}')
    expect(answer.headers["content-type"]).toBe("application/json")
    expect(Number(answer.headers["content-length"])).toBe(answer.text.length)
    expect(answer.headers.date).toBeUndefined()
    expect(answer.json.result.data).toEqual({ "@type": "g:List", "@value": [{ "@type": "g:Int64", "@value": 6 }] })
    expect(answer.json.status).toEqual({ message: "", code: 200, attributes: { "@type": "g:Map", "@value": [] } })
  })

  it("is answered with an empty list, not 204, when there are no results", async () => {
    const { authority } = await startServer(modern)
    const answer = await post(authority, "g.V(99)")
    expect([answer.status, answer.json.result.data]).toEqual([200, []])
  })

  it("takes bindings, aliases, its own id, a time limit and a language", async () => {
    const { authority } = await startServer(modern)
    const more = {
      bindings: { x: "marko" },
      aliases: { h: "g" },
      language: "gremlin-lang",
      requestId: "41d2e28a-20a4-4ab0-b379-d810dede3786"
    }
    const answer = await post(authority, "h.V().has('name', x).values('name')", more)
    expect(answer.json.result.data).toEqual(["marko"])
    expect(answer.json.requestId).toBe(more.requestId)
    const late = await post(authority, endless, { evaluationTimeout: 50 })
    expect(late.status).toBe(500)
    expect(late.json).toMatchObject({
      "Exception-Class": "EvaluationTimeout",
      exceptions: ["EvaluationTimeout"],
      stackTrace: expect.stringMatching(/^EvaluationTimeout: .+/),
      requestId: expect.any(String)
    })
  })

  it("reads braces around one value as its language does, also if the other one was asked before", async () => {
    const { authority } = await startServer(modern)
    const sack = async (more: Record<string, unknown>) =>
      (await post(authority, "g.withSack({1}).inject(0).sack()", more)).json.result.data as unknown[]
    expect(await sack({})).toEqual([1])
    expect(await sack({ language: "gremlin-lang" })).toEqual([[1]])
    expect(await sack({ language: "gremlin-groovy" })).toEqual([1])
  })

  it("refuses a script with NUL before the text of another one, also if the other one was asked before", async () => {
    const { authority } = await startServer(modern)
    const script = "g.withSack({1}).inject(0).sack()"
    for (const language of ["gremlin-lang", "gremlin-groovy"]) {
      expect((await post(authority, script, { language })).status).toBe(200)
      expect((await post(authority, `\0${script}`, { language })).json.message).toContain("Line 1, column 1")
      expect((await post(authority, `\0${script}`)).json.message).toContain("Line 1, column 1")
    }
  })

  it("reads $name in a step as its language does, also if the other one was asked before", async () => {
    const { authority } = await startServer(modern)
    for (const script of ['g.inject("$x")', "g.inject(/$x/)"]) {
      const injected = async (more: Record<string, unknown>) => (await post(authority, script, more)).json
      expect((await injected({ language: "gremlin-lang" })).result.data).toEqual(["$x"])
      expect((await injected({})).message).toContain("there is no variable x")
      expect((await injected({ bindings: { x: 1 } })).result.data).toEqual(["1"])
    }
  })

  it.each(["SINGLE", "LIST", "SET", "MULTI", "SIMPLE"])(
    "keeps $%s in a step of gremlin-lang, unless it is a variable: constants of the server are none",
    async (name) => {
      const { authority } = await startServer(modern)
      const injected = async (more: Record<string, unknown>) =>
        (await post(authority, `g.inject("a $${name}")`, { language: "gremlin-lang", ...more })).json.result.data
      expect(await injected({})).toEqual([`a $${name}`])
      expect(await injected({ bindings: { [name]: "b" } })).toEqual(["a b"])
    }
  )

  it("may be sent by GET in the query string", async () => {
    const { authority } = await startServer(modern)
    const answer = await http(authority, {
      path: "/gremlin?gremlin=g.V().has('name',x).count()&bindings.x=marko",
      headers: { accept: UNTYPED }
    })
    expect(answer.json.result.data).toEqual([1])
  })

  it("may be a message of a driver, with or without the prefix, also with bytecode", async () => {
    const { authority } = await startServer(modern)
    const message = JSON.stringify({
      requestId: { "@type": "g:UUID", "@value": "41d2e28a-20a4-4ab0-b379-d810dede3786" },
      op: "bytecode",
      processor: "traversal",
      args: {
        "@type": "g:Map",
        "@value": [
          "gremlin",
          { "@type": "g:Bytecode", "@value": { step: [["V"], ["count"]] } },
          "aliases",
          { "@type": "g:Map", "@value": ["g", "g"] }
        ]
      }
    })
    const mime = "application/vnd.gremlin-v3.0+json"
    for (const body of [Buffer.from(message), binaryMessage(mime, message)]) {
      const answer = await http(authority, { method: "POST", headers: { "content-type": mime } }, body)
      expect(answer.json.result.data["@value"]).toEqual([
        {
          "@type": "g:Traverser",
          "@value": { bulk: { "@type": "g:Int64", "@value": 1 }, value: { "@type": "g:Int64", "@value": 6 } }
        }
      ])
    }
    const unknown = message.replace('["g","g"]', '["g","nope"]')
    const refused = await http(authority, { method: "POST", headers: { "content-type": mime } }, unknown)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("Could not rebind [g] to [nope]")])
    const plain = await http(authority, { method: "POST", headers: { "content-type": mime } }, '{"gremlin":"1"}')
    expect(plain.status).toBe(200)
  })

  it("is refused in a session, and changes nothing", async () => {
    const { authority } = await startServer()
    const requestId = "41d2e28a-20a4-4ab0-b379-d810dede3786"
    for (const op of ["eval", "close"]) {
      const args = { session: "s", gremlin: "g.addV('x')" }
      const headers = { "content-type": "application/vnd.gremlin-v3.0+json" }
      const body = JSON.stringify({ requestId, op, processor: "session", args })
      const refused = await http(authority, { method: "POST", headers }, body)
      expect([op, refused.status, refused.json.message]).toEqual([
        op,
        400,
        expect.stringContaining("HTTP has no sessions")
      ])
    }
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([0])
  })

  it("chooses its format by Accept, with qualities", async () => {
    const { authority } = await startServer(modern)
    const typeFor = async (accept: string) => {
      const answer = await http(authority, { method: "POST", headers: { accept } }, '{"gremlin":"1"}')
      return [answer.status, answer.headers["content-type"]]
    }
    expect(await typeFor("*/*")).toEqual([200, "application/json"])
    expect(await typeFor("application/*")).toEqual([200, "application/json"])
    expect(await typeFor("application/vnd.gremlin-v1.0+json")).toEqual([200, "application/vnd.gremlin-v1.0+json"])
    expect(await typeFor("application/vnd.gremlin-v1.0+json;q=0.9, application/vnd.gremlin-v2.0+json;q=0.1")).toEqual([
      200,
      "application/vnd.gremlin-v1.0+json"
    ])
    expect(await typeFor("application/vnd.graphbinary-v1.0")).toEqual([200, "application/vnd.graphbinary-v1.0"])
    expect(await typeFor("text/plain")).toEqual([200, "text/plain"])
    expect((await typeFor("image/png"))[0]).toBe(400)
  })

  it("may be in any format, whatever `serializers` lists; application/json means the first GraphSON in it", async () => {
    const serializers = [
      { format: "graphbinary-v1", untyped: false, serializeResultToString: false },
      { format: "graphson-v1", untyped: false, serializeResultToString: false },
      { format: "graphson-v3", untyped: false, serializeResultToString: false }
    ] as const
    const { authority } = await startServer({ serializers })
    const ask = (accept: string) => http(authority, { headers: { accept } }, '{"gremlin":"[1L]"}')
    expect((await ask("application/json")).json.result.data).toEqual(["java.util.ArrayList", [["java.lang.Long", 1]]])
    expect((await ask("application/vnd.gremlin-v2.0+json")).json.result.data).toEqual([
      { "@type": "g:Int64", "@value": 1 }
    ])
    expect((await ask("application/vnd.graphbinary-v1.0")).bytes[0]).toBe(0x81)
    const client = await SocketClient.connect(authority)
    expect((await client.eval("1")).result.data).toEqual([1])
  })

  it("is answered for text/plain as a console shows it", async () => {
    const { authority } = await startServer(modern)
    const answer = await http(
      authority,
      { method: "POST", headers: { accept: "text/plain" } },
      `{"gremlin":"g.V().has('name', within('marko', 'vadas'))"}`
    )
    expect(answer.text.trimEnd()).toMatch(/^==>v\[\d+\]\n==>v\[\d+\]$/)
  })
})

describe("A wrong request over HTTP", () => {
  it("is answered once, with one clear message", async () => {
    const { authority } = await startServer(modern)
    const cases: ReadonlyArray<readonly [string, number, string]> = [
      ["", 400, "no gremlin script supplied"],
      ["{}", 400, "no gremlin script supplied"],
      ["null", 400, "no gremlin script supplied"],
      ["[]", 400, "no gremlin script supplied"],
      ['{"engine":null}', 400, "engine is null"],
      ["{", 400, "body could not be parsed"],
      ['{"gremlin":"1","bindings":[1]}', 400, "bindings must be a Map"],
      ['{"gremlin":"1","aliases":1}', 400, "aliases must be a Map"],
      ['{"gremlin":"1","requestId":"nope"}', 400, "nope"],
      ['{"gremlin":"g.V()","aliases":{"g":"nope"}}', 400, "Could not rebind [g] to [nope] as [nope] not in the Graph"],
      ['{"gremlin":"1","language":"nope"}', 400, "nope is not a language"],
      ['{"gremlin":"1/0"}', 500, "zero"],
      ['{"gremlin":"g.V().next(-1)"}', 500, ""],
      ['{"gremlin":"g.V(99).next()"}', 500, "no result"],
      ['{"gremlin":"throw new RuntimeException()"}', 500, ""],
      ['{"gremlin":"g.V().map{it}"}', 500, ""]
    ]
    // All on one connection: an additional answer would be taken for the answer of the next request.
    for (const [body, status, text] of cases) {
      const answer = await http(authority, { method: "POST" }, body)
      expect([body, answer.status, answer.json.message]).toEqual([body, status, expect.stringContaining(text)])
      expect(answer.headers["content-type"]).toBe("application/json")
      expect(answer.json.message).not.toBe("")
    }
  })

  it("with another method gets 405 with the allowed methods, and evaluates nothing; OPTIONS is answered", async () => {
    const { authority } = await startServer()
    for (const method of ["HEAD", "PUT", "DELETE", "PATCH", "TRACE"]) {
      for (const path of ["/", "/gremlin", "/session", "/x"]) {
        const answer = await http(authority, { method, path: `${path}?gremlin=g.addV()` })
        expect([answer.status, answer.headers.allow]).toEqual([405, "GET, OPTIONS, POST"])
        if (method === "HEAD") expect(answer.text).toBe("")
        else expect(answer.json.message).toContain(method)
      }
    }
    expect((await http(authority, { method: "OPTIONS" })).headers.allow).toContain("POST")
    expect(await raw(authority, request("OPTIONS", "*", "", "Connection: close\r\n"))).toMatch(/^HTTP\/1.1 204 /)
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([0])
  })

  it("with too large a body gets 413, with and without Content-Length, and with Expect: 100-continue", async () => {
    const { authority } = await startServer({ maxContentLength: 1000 })
    const declared = await http(authority, { method: "POST" }, "x".repeat(1001))
    expect([declared.status, declared.json.message]).toEqual([413, expect.stringContaining("maxContentLength")])
    const chunked = `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n200\r\n${"x".repeat(512)}\r\n`
    const answer = await raw(authority, [chunked, `200\r\n${"x".repeat(512)}\r\n`, "0\r\n\r\n"])
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 413"])
    const expecting = await raw(
      authority,
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\nExpect: 100-continue\r\n\r\n"
    )
    expect(expecting.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 413"])
    const exactly = await http(authority, { method: "POST" }, JSON.stringify({ gremlin: "1" }).padEnd(1000))
    expect(exactly.status).toBe(200)
  })

  it("with a bad request line, bad headers, or no HTTP at all is explained, and the connection closes", async () => {
    const { authority } = await startServer({ maxInitialLineLength: 100, maxHeaderSize: 2000 })
    const line = await http(authority, { path: `/?gremlin=${"1".repeat(200)}` })
    expect([line.status, line.json.message]).toEqual([414, expect.stringContaining("maxInitialLineLength")])
    const headers = await raw(authority, `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(3000)}\r\n\r\n`)
    expect(headers).toMatch(/^HTTP\/1.1 431 /)
    expect(headers).toContain("maxHeaderSize")
    const both = await raw(authority, `GET /${"1".repeat(3000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(both).toMatch(
      /^HTTP\/1.1 431 [\s\S]*maxInitialLineLength is 100 bytes, its maxHeaderSize 2000\. Send long scripts by POST/
    )
    expect(await raw(authority, "HELLO\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /)
    const smuggled =
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    expect((await raw(authority, smuggled)).match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 400"])
  })

  it("may have a long request line and large headers, each up to its limit", async () => {
    const long = await startServer({ maxInitialLineLength: 65_536 })
    expect((await http(long.authority, { path: `/?gremlin='${"1".repeat(9_000)}'` })).status).toBe(200)
    const { authority } = await startServer()
    const sent = (target: number, header: number) =>
      http(authority, { path: `/?gremlin='${"1".repeat(target)}'`, headers: { x: "y".repeat(header) } })
    expect((await sent(4_000, 8_000)).status).toBe(200)
    expect((await sent(4_000, 8_200)).status).toBe(431)
    expect((await sent(4_090, 100)).status).toBe(414)
  })

  it("whose headers or body do not arrive in time gets 408", async () => {
    const { authority } = await startServer({ headersTimeout: 200, requestTimeout: 400 })
    expect(await raw(authority, "GET / HTTP/1.1\r\nHost:")).toMatch(/^HTTP\/1.1 408 /)
    expect(await raw(authority, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{")).toMatch(/^HTTP\/1.1 408 /)
  })

  it("whose headers do not arrive within requestTimeout gets 408, also when headersTimeout is longer", async () => {
    const { authority } = await startServer({ headersTimeout: 60_000, requestTimeout: 201 })
    expect(await raw(authority, "GET / HTTP/1.1\r\nHost:")).toMatch(/^HTTP\/1.1 408 [\s\S]*requestTimeout 201 ms/)
    expect((await post(authority, "1 + 1")).json.result.data).toEqual([2])
  })
})

describe("An HTTP connection", () => {
  it("answers pipelined requests in order, even when a later one ends first", async () => {
    const { authority } = await startServer({ enginePool: 4 })
    const slow = JSON.stringify({ gremlin: endless, evaluationTimeout: 200 })
    const answer = await raw(
      authority,
      request("POST", "/", slow) +
        request("POST", "/", '{"gremlin":"22"}') +
        request("GET", "/health/live", "", "Connection: close\r\n")
    )
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 500", "HTTP/1.1 200", "HTTP/1.1 200"])
    expect(answer.indexOf("EvaluationTimeout")).toBeLessThan(answer.indexOf('"@value":22'))
  })

  it("answers the requests before a broken one, and then explains the broken one", async () => {
    const { authority } = await startServer({ enginePool: 4 })
    const slow = JSON.stringify({ gremlin: endless, evaluationTimeout: 100 })
    const answer = await raw(authority, `${request("POST", "/", slow)}RUBBISH\r\n\r\n`)
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 500", "HTTP/1.1 400"])
  })

  it("stays open, and closes when the client asks for it", async () => {
    const { authority } = await startServer()
    const kept = await raw(authority, request("POST", "/", '{"gremlin":"1"}'), (text) => text.includes("requestId"))
    expect(kept).toContain("Connection: keep-alive")
    const closed = await raw(authority, request("POST", "/", '{"gremlin":"1"}', "Connection: close\r\n"))
    expect(closed).toContain("Connection: close")
    expect(await raw(authority, `POST / HTTP/1.0\r\nContent-Length: 15\r\n\r\n{"gremlin":"1"}`)).toContain("200 OK")
  })

  it("is answered in HTTP/1.1 when it offers HTTP/2, as the client of Java does", async () => {
    const { authority } = await startServer()
    const offer = "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n"
    const answer = await raw(authority, request("POST", "/", '{"gremlin":"1"}', offer))
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
    expect(answer).toContain('"@value":1')
  })

  it("is closed when it is idle for idleConnectionTimeout", async () => {
    const { authority } = await startServer({ idleConnectionTimeout: 100 })
    const answer = await raw(authority, request("POST", "/", '{"gremlin":"1"}'))
    expect(answer).toContain("200 OK")
  })

  it("is refused beyond maxConnections", async () => {
    const server = await startServer({ maxConnections: 2 })
    const held = [openSocket(server.authority), openSocket(server.authority)]
    // An answer says that a connection is counted: a worker may count a later connection first.
    for (const socket of held) {
      const answered = new Promise<string>((resolve) => socket.once("data", (chunk) => resolve(String(chunk))))
      socket.write(request("GET", "/health/live", ""))
      expect(await answered).toContain("200")
    }
    await eventually(async () => /^HTTP\/1.1 503 [\s\S]*maxConnections/.test(await raw(server.authority, "")))
    held[0]!.destroy()
    await eventually(async () =>
      (await raw(server.authority, request("GET", "/health/live", "", "Connection: close\r\n"))).includes("200")
    )
  })

  it("ends its evaluation when it closes", async () => {
    const { authority } = await startServer({ evaluationTimeout: 0 })
    const running = async () => (await http(authority, { path: "/gremlin/status" })).json.acceptedQueryCount as number
    const socket = openSocket(authority)
    socket.write(request("POST", "/", JSON.stringify({ gremlin: endless })))
    await eventually(async () => (await running()) === 1)
    socket.destroy()
    await eventually(async () => (await running()) === 0)
  })
})

describe("A large answer over HTTP", () => {
  const numbers = (count: number) => `g.inject(${Array.from({ length: count }, (_, i) => i).join()})`

  it("arrives in chunks, complete and in order", async () => {
    const { authority } = await startServer()
    const answer = await post(authority, numbers(40_000))
    expect(answer.headers["transfer-encoding"]).toBe("chunked")
    expect(answer.json.result.data).toEqual(Array.from({ length: 40_000 }, (_, i) => i))
  })

  it("arrives with its length in GraphBinary, which begins with the number of results", async () => {
    const { authority } = await startServer()
    const headers = { accept: "application/vnd.graphbinary-v1.0" }
    const answer = await http(authority, { method: "POST", headers }, JSON.stringify({ gremlin: numbers(40_000) }))
    expect(answer.status).toBe(200)
    expect(answer.headers["content-length"]).toBeDefined()
  })

  it("has the status of an early error, and is cut without its last chunk by a late error", async () => {
    const { authority } = await startServer()
    const early = await post(authority, `${numbers(100)}.map(__.choose(__.is(99), __.fail('late'), __.identity()))`)
    expect(early.status).toBe(500)
    await expect(
      post(authority, `${numbers(40_000)}.map(__.choose(__.is(39999), __.fail('late'), __.identity()))`)
    ).rejects.toThrow()
  })

  it("has its length over HTTP/1.0, which has no chunks, and a late error has its status there", async () => {
    const { authority } = await startServer()
    const ask = async (gremlin: string): Promise<[head: string, body: string]> => {
      const body = JSON.stringify({ gremlin })
      const head = `POST / HTTP/1.0\r\nAccept: text/plain\r\nContent-Length: ${body.length}`
      return (await raw(authority, `${head}\r\n\r\n${body}`)).split("\r\n\r\n", 2) as [string, string]
    }
    const [head, body] = await ask(`${numbers(40_000)}.repeat(__.identity()).emit().times(10)`)
    expect(/content-length: (\d+)/i.exec(head)?.[1]).toBe(String(body.length))
    expect(body.length).toBeGreaterThan(1_200_000)
    const [late] = await ask(`${numbers(40_000)}.map(__.choose(__.is(39999), __.fail('late'), __.identity()))`)
    expect(late).toMatch(/^HTTP\/1.1 500 /)
  })
})

describe("Pages of browsers", () => {
  it("get the answer of their preflight, and CORS headers on answers and errors", async () => {
    const { authority } = await startServer()
    const origin = "http://localhost:3000"
    const preflight = await http(authority, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" }
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": expect.stringContaining("POST"),
      "access-control-allow-headers": "content-type"
    })
    for (const body of ['{"gremlin":"1"}', "{"]) {
      const answer = await http(authority, { method: "POST", headers: { origin } }, body)
      expect(answer.headers["access-control-allow-origin"]).toBe(origin)
    }
  })

  it("of origins that are not listed get 403 on every path", async () => {
    const { authority } = await startServer()
    for (const path of ["/", "/metrics", "/health/live"]) {
      const answer = await http(authority, { path, headers: { origin: "https://evil.example" } })
      expect([answer.status, answer.json.message]).toEqual([403, expect.stringContaining("allowedOrigins")])
    }
  })
})

describe("Reserved paths", () => {
  it.each(["WebSocketChannelizer", "HttpChannelizer", "WsAndHttpChannelizer", "UnifiedChannelizer"] as const)(
    "are answered with %s, also while the pool and its queue are full",
    async (channelizer) => {
      const { authority } = await startServer({ channelizer, enginePool: 1, maxWorkQueueSize: 1 })
      const client = channelizer === "HttpChannelizer" ? null : await SocketClient.connect(authority)
      const slow = Array.from({ length: 2 }, () =>
        client === null
          ? post(authority, endless, { evaluationTimeout: 20_000 * patience })
          : client.eval(endless, { evaluationTimeout: 20_000 * patience })
      )
      await eventually(async () => {
        const { text } = await http(authority, { path: "/metrics" })
        return text.includes("engine_server_pool_running 1") && text.includes("engine_server_pool_queued 1")
      })
      expect((await http(authority, { path: "/health/live" })).json).toEqual({ status: "live" })
      expect((await http(authority, { path: "/health/ready" })).json).toEqual({ status: "ready" })
      const status = await http(authority, { path: "/gremlin/status" })
      expect(status.json.queries.map(({ state }: { state: string }) => state).sort()).toEqual(["running", "waiting"])
      for (const { requestId } of status.json.queries) {
        await http(authority, { method: "DELETE", path: `/gremlin/status/${requestId}` })
      }
      await Promise.all(slow)
    }
  )

  it("count requests, connections and refusals in the metrics", async () => {
    const { authority } = await startServer()
    await SocketClient.connect(authority, "/gremlin", { headers: { "user-agent": 'NotSet Gremlin-"x".3' } })
    await http(authority, { headers: { "user-agent": "tool/1" } }, '{"gremlin":"1"}')
    await post(authority, "1/0")
    const { headers, text } = await http(authority, { path: "/metrics" })
    expect(headers["content-type"]).toContain("text/plain; version=0.0.4")
    expect(text).toContain('engine_server_answers_total{transport="http",op="eval",status="200"} 1')
    expect(text).toContain('engine_server_answers_total{transport="http",op="eval",status="500"} 1')
    expect(text).toContain('engine_server_request_seconds_count{op="eval"} 2')
    expect(text).toContain("nodejs_eventloop_lag_seconds")
    expect(text).toContain("process_resident_memory_bytes")
    expect(text).toContain('engine_server_request_seconds_bucket{le="0.0001",op="eval"}')
    expect(text).toContain('engine_server_connections{transport="websocket"} 1')
    expect(text).toContain('engine_server_user_agents_total{user_agent="NotSet Gremlin-\\"x\\".3"} 1')
    expect(text).toContain('engine_server_user_agents_total{user_agent="tool/1"} 1')
    for (const name of ["pool_size", "pool_running", "pool_queued", "pool_lanes", "run_queue", "sessions"]) {
      expect(text).toMatch(new RegExp(`^engine_server_${name} \\d+$`, "m"))
    }
  })

  it("count refusals before the evaluation in the metrics, and an answer that is cut with the status of its error", async () => {
    const { authority } = await startServer({ ...modern, ...asking(), openMetrics: true })
    const known = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` }
    expect((await http(authority, { method: "PUT", headers: known }, "1")).status).toBe(405)
    expect((await http(authority, {}, '{"gremlin":"1"}')).status).toBe(401)
    const zip = { ...known, "content-encoding": "gzip" }
    expect((await http(authority, { headers: zip }, '{"gremlin":"1"}')).status).toBe(415)
    const values = Array.from({ length: 40_000 }, (_, i) => i).join()
    const gremlin = `g.inject(${values}).map(__.choose(__.is(39999), __.fail('late'), __.identity()))`
    await expect(http(authority, { headers: known }, JSON.stringify({ gremlin }))).rejects.toThrow()
    const { text } = await http(authority, { path: "/metrics" })
    // Several workers list them in the order of their workers.
    const answers = text.split("\n").filter((line) => line.startsWith("engine_server_answers_total"))
    expect(answers.sort()).toEqual([
      'engine_server_answers_total{transport="http",op="authentication",status="401"} 1',
      'engine_server_answers_total{transport="http",op="eval",status="500"} 1',
      'engine_server_answers_total{transport="http",op="other",status="405"} 1',
      'engine_server_answers_total{transport="http",op="other",status="415"} 1'
    ])
    // Their time is zero.
    expect(text).toContain('engine_server_request_seconds_count{op="other"} 2')
    expect(text).toContain('engine_server_request_seconds_sum{op="authentication"} 0')
  })

  it("count requests whose client closes the connection with the status 499", async () => {
    const { authority } = await startServer({ ...modern, openMetrics: true })
    const many = "g.V().repeat(__.both()).times(40).limit(10000000).values('name')"
    const counted = async () =>
      (await http(authority, { path: "/metrics" })).text
        .split("\n")
        .filter((line) => /^engine_server_answers_total.*status="(499|5\d\d)"/.test(line))
    const isRunning = async () => (await http(authority, { path: "/gremlin/status" })).json.runningQueryCount > 0
    const overHttp = (gremlin: string) => {
      const socket = openSocket(authority)
      socket.write(request("POST", "/", JSON.stringify({ gremlin })))
      return socket
    }
    // After the first bytes of a long answer, which the client stops to read, before the first byte, and over a WebSocket.
    const streamed = overHttp(many)
    await new Promise((resolve) => streamed.once("data", resolve))
    streamed.pause()
    streamed.destroy()
    await eventually(async () => (await counted()).length === 1)
    const unanswered = overHttp(endless)
    await eventually(isRunning)
    unanswered.destroy()
    await eventually(async () => (await counted()).join().endsWith(" 2"))
    const client = await SocketClient.connect(authority)
    client.send("eval", "", { gremlin: endless })
    await eventually(isRunning)
    client.ws.terminate()
    await eventually(async () => (await counted()).length === 2)
    expect((await counted()).sort()).toEqual(
      ["http", "websocket"].map(
        (transport, at) => `engine_server_answers_total{transport="${transport}",op="eval",status="499"} ${2 - at}`
      )
    )
  })

  it("count a bounded number of user agents by name", async () => {
    const { authority } = await startServer()
    for (let i = 0; i < 250 * testedWorkers; i++) {
      await raw(authority, request("GET", "/health/live", "", `connection: close\r\nuser-agent: made-up-${i}\r\n`))
    }
    const { text } = await http(authority, { path: "/metrics" })
    expect(text.split("engine_server_user_agents_total{").length).toBeLessThan(205 * testedWorkers)
    expect(text).toMatch(/engine_server_user_agents_total\{user_agent="other"\} \d+/)
  })

  it("accept GET and HEAD only", async () => {
    const { authority } = await startServer()
    expect((await http(authority, { method: "POST", path: "/health/live" })).status).toBe(405)
    const head = await http(authority, { method: "HEAD", path: "/health/live" })
    expect([head.status, head.text]).toEqual([200, ""])
  })
})
