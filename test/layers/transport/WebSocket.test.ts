import { describe, expect, it } from "vitest"
import { emptyTinkerGraph } from "../../../src/services/Config.ts"
import { patience } from "../../Limits.ts"
import { http, raw } from "../support/HttpClient.ts"
import { testedWorkers } from "../support/Packed.ts"
import { binaryMessage, codes, SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, modern, startServer } from "../support/TestServers.ts"

const connected = async (overrides = {}, path?: string) => {
  const server = await startServer({ ...modern, ...overrides })
  return { server, client: await SocketClient.connect(server.authority, path) }
}

describe("A request over a WebSocket", () => {
  it("is answered with 200, its results, and the client's address as host", async () => {
    const { client } = await connected()
    const answer = await client.eval("g.V().count()")
    expect(answer.status.code).toBe(200)
    expect(answer.result.data).toEqual([6])
    expect((answer.status.attributes as { host: string }).host).toMatch(/^\/127\.0\.0\.1:\d+$/)
  })

  it("is answered with 204 when there are no results", async () => {
    const { client } = await connected()
    for (const script of ["g.V(99)", "g.V().iterate()", "[]", "g.V().has('name','x').drop()"]) {
      const answer = await client.eval(script)
      expect(answer.status.code).toBe(204)
      expect(answer.result.data).toBe(null)
    }
  })

  it("is answered with one null for null, and the entries of a map one by one", async () => {
    const { client } = await connected()
    expect((await client.eval("null")).result.data).toEqual([null])
    expect((await client.eval("[a:1,b:2]")).result.data).toEqual([{ a: 1 }, { b: 2 }])
  })

  it("is answered in batches of 64: 206 until the last batch, which has 200 and is never empty", async () => {
    const { client } = await connected()
    const sizes = async (count: number, args = {}) => {
      const id = client.send("eval", "", {
        gremlin: `g.inject(0).repeat(__.identity()).times(1).union(${Array.from({ length: count }, (_, i) => `__.constant(${i})`).join()})`,
        ...args
      })
      const frames = await client.answers(id)
      expect(codes(frames)).toEqual([...frames.slice(1).map(() => 206), 200])
      return frames.map(({ result }) => (result.data as ReadonlyArray<unknown>).length)
    }
    expect(await sizes(64)).toEqual([64])
    expect(await sizes(65)).toEqual([64, 1])
    expect(await sizes(128)).toEqual([64, 64])
    expect(await sizes(7, { batchSize: 3 })).toEqual([3, 3, 1])
    expect(await sizes(6, { batchSize: 2 })).toEqual([2, 2, 2])
  })

  it("is answered with attributes in the last batch only", async () => {
    const { client } = await connected()
    const frames = await client.answers(client.send("eval", "", { gremlin: "g.V()", batchSize: 4 }))
    expect(frames.map(({ status }) => status.attributes)).toEqual([{}, { host: expect.any(String) }])
  })

  it("is refused with a batch size that is not a positive integer", async () => {
    const { client } = await connected()
    for (const batchSize of [0, -1, 1.5, "many"]) {
      const answer = await client.eval("g.V()", { batchSize })
      expect(answer.status.code).toBe(499)
      expect(answer.status.message).toContain("batchSize")
    }
  })

  it("is accepted on /gremlin, /gremlin/ and /, also with a query string; other paths are refused by status", async () => {
    const { server } = await connected()
    for (const path of ["/gremlin", "/", "/gremlin/", "/gremlin?x=1"]) {
      const client = await SocketClient.connect(server.authority, path)
      expect((await client.eval("1")).result.data).toEqual([1])
    }
    await expect(SocketClient.connect(server.authority, "/nope")).rejects.toThrow("status 404")
  })

  it("may arrive in fragments", async () => {
    const { client } = await connected()
    const message = binaryMessage(
      "application/json",
      JSON.stringify({ requestId: "41d2e28a-20a4-4ab0-b379-d810dede3786", op: "eval", args: { gremlin: "1+1" } })
    )
    client.ws.send(message.subarray(0, 9), { fin: false })
    client.ws.send(message.subarray(9, 30), { fin: false })
    client.ws.send(message.subarray(30))
    const answer = await client.answer("41d2e28a-20a4-4ab0-b379-d810dede3786")
    expect(answer.status.code).toBe(200)
  })

  it("may be a text frame, and is answered in text frames", async () => {
    const { client } = await connected()
    const kinds: Array<boolean> = []
    client.ws.on("message", (_, isBinary) => kinds.push(isBinary))
    client.ws.send(
      JSON.stringify({ requestId: "41d2e28a-20a4-4ab0-b379-d810dede3787", op: "eval", args: { gremlin: "2" } })
    )
    await client.answer("41d2e28a-20a4-4ab0-b379-d810dede3787")
    await client.eval("2")
    expect(kinds).toEqual([false, true])
  })

  it("is answered in its own format, even when a later one in another format is answered first", async () => {
    const { client } = await connected()
    const received: Array<string> = []
    client.ws.on("message", (data) => received.push(data.toString()))
    const send = (mime: string, requestId: string, gremlin: string) =>
      client.ws.send(binaryMessage(mime, JSON.stringify({ requestId, op: "eval", processor: "", args: { gremlin } })))
    send(
      "application/vnd.gremlin-v3.0+json",
      "41d2e28a-20a4-4ab0-b379-d810dede3781",
      `g.with('evaluationTimeout',100L).${endless.slice(2)}`
    )
    send("application/vnd.gremlin-v3.0+json;types=false", "41d2e28a-20a4-4ab0-b379-d810dede3782", "g.V().count()")
    await eventually(() => received.length === 2)
    const typed = received.find((text) => text.includes("dede3781"))!
    expect(typed).toContain('"g:Map"')
    expect(received.find((text) => text.includes("dede3782"))).not.toContain("@type")
  })

  it("runs concurrently with others of its connection, and two with the same id are both answered", async () => {
    const { client } = await connected({ enginePool: 4 })
    const slow = client.send("eval", "", { gremlin: endless, evaluationTimeout: 300 * patience })
    expect((await client.eval("1")).status.code).toBe(200)
    expect(client.frames.some(({ requestId }) => requestId === slow)).toBe(false)
    expect((await client.answer(slow)).status.code).toBe(598)
    const twice = "41d2e28a-20a4-4ab0-b379-d810dede3783"
    client.frames.length = 0
    client.send("eval", "", { gremlin: "1" }, twice)
    client.send("eval", "", { gremlin: "1" }, twice)
    await client.count(2)
  })

  it("ends with 598 at its own time limit or the server's", async () => {
    const { client } = await connected({ evaluationTimeout: 150 })
    for (const args of [{}, { evaluationTimeout: 50 }]) {
      const answer = await client.eval(endless, args)
      expect(answer.status.code).toBe(598)
      expect(answer.status.message).toContain("evaluationTimeout")
    }
    const inside = await client.eval(endless.replace("g.", "g.with('evaluationTimeout', 40L)."), {
      evaluationTimeout: 10_000
    })
    expect(inside.status.message).toContain("40 ms")
  })

  it("is answered with the status of its error, and attributes that drivers read", async () => {
    const { client } = await connected()
    const failing = await client.eval("g.V().fail('no luck')")
    expect(failing.status.code).toBe(595)
    expect(failing.status.attributes).toMatchObject({ exceptions: ["FailStep"], failStepMessage: expect.any(String) })
    const unknown = await client.eval("g.V().nope()")
    expect(unknown.status.code).toBe(597)
    expect(unknown.status.message).toContain("nope")
    expect(unknown.status.attributes).toMatchObject({ stackTrace: expect.any(String) })
    for (const [script, exception] of [
      ["1 / 0", "java.lang.ArithmeticException"],
      ["throw new IllegalStateException('no')", "java.lang.IllegalStateException"],
      ["nope", "ScriptFailure"]
    ] as const) {
      const { attributes } = (await client.eval(script)).status
      expect(attributes).toMatchObject({ exceptions: [exception], stackTrace: expect.stringContaining(exception) })
    }
    const lambda = { "@type": "g:Lambda", "@value": { script: "(", language: "gremlin-groovy", arguments: 1 } }
    const gremlin = { "@type": "g:Bytecode", "@value": { step: [["V"], ["sideEffect", lambda]] } }
    const unread = await client.answer(client.send("bytecode", "traversal", { gremlin, aliases: { g: "g" } }))
    expect(unread.status).toMatchObject({ code: 597, attributes: { exceptions: ["GremlinSyntaxError"] } })
  })
})

describe("Arguments of a request", () => {
  it("bind variables, and rename traversal sources", async () => {
    const { client } = await connected({
      traversalSources: [
        { name: "g", graph: "graph", expression: undefined },
        { name: "other", graph: "graph", expression: undefined }
      ]
    })
    expect((await client.eval("x + y", { bindings: { x: 1, y: 2 } })).result.data).toEqual([3])
    const option = { "#jsr223.groovy.engine.keep.globals": "phantom" }
    const limited = (await connected({ maxParameters: 2 })).client
    expect((await limited.eval("x + y", { bindings: { x: 1, y: 2, ...option } })).result.data).toEqual([3])
    expect((await client.eval("h.V().count()", { aliases: { h: "other" } })).result.data).toEqual([6])
    expect((await client.eval("h.V().count()", { rebindings: { h: "other" } })).result.data).toEqual([6])
  })

  it("may give a graph the name g", async () => {
    const { client } = await connected()
    const aliases = { g: "graph" }
    const added = await client.eval("g.addVertex(label, 'person', 'name', 'jason').values('name').next()", { aliases })
    expect(added.result.data).toEqual(["jason"])
    expect((await client.eval("g.traversal().V().count()", { aliases })).result.data).toEqual([7])
    expect((await client.eval("g.V()", { aliases })).status.message).toContain("write g.traversal()")
    expect((await client.eval("g.clear()")).status.message).toContain("no method clear(): a graph has it")
    const source = (await client.eval("g.addVertex('person')")).status
    expect([source.code, source.message]).toEqual([
      597,
      "Line 1, column 3: a traversal source has no method addVertex(): a graph has it, such as graph.addVertex()"
    ])
  })

  it("are checked, and each error has an answer that explains it", async () => {
    const { client } = await connected({ maxParameters: 2 })
    const cases: ReadonlyArray<readonly [string, string, Record<string, unknown>, number, string]> = [
      ["eval", "", {}, 499, "requires a [gremlin] argument"],
      ["eval", "", { gremlin: 5 }, 499, "text of a script"],
      ["eval", "", { gremlin: "1", bindings: [1] }, 499, "bindings"],
      ["eval", "", { gremlin: "1", bindings: { id: 1 } }, 499, "[id] - these are reserved names"],
      ["eval", "", { gremlin: "1", bindings: { "~LABEL": 1 } }, 499, "[~LABEL] - these are reserved names"],
      ["eval", "", { gremlin: "1", bindings: { a: 1, b: 2, c: 3 } }, 499, "maxParameters"],
      ["eval", "", { gremlin: "1", aliases: "g" }, 499, "aliases"],
      ["eval", "", { gremlin: "1", language: "cobol" }, 499, "cobol"],
      ["eval", "", { gremlin: "1", evaluationTimeout: "soon" }, 499, "evaluationTimeout"],
      ["eval", "nope", { gremlin: "1" }, 499, "Invalid OpProcessor requested [nope]"],
      ["nope", "", {}, 498, "Message with op code [nope] is not recognized"],
      ["", "", {}, 498, "op code"],
      ["authentication", "", {}, 498, "authentication"],
      ["close", "", {}, 498, "op code [close]"],
      ["bytecode", "traversal", { gremlin: "g.V()", aliases: { g: "g" } }, 499, "type Bytecode"],
      ["eval", "session", { gremlin: "1" }, 499, "[session] argument"]
    ]
    for (const [op, processor, args, code, text] of cases) {
      const answer = await client.answer(client.send(op, processor, args))
      expect([answer.status.code, answer.status.message]).toEqual([code, expect.stringContaining(text)])
    }
  })

  // Tests of drivers compare the whole text.
  it("is told the alias of an unknown name in Gremlin Server's words", async () => {
    const { authority } = await startServer()
    const client = await SocketClient.connect(authority)
    const answer = await client.eval("g.V()", { aliases: { g: "nope" } })
    expect([answer.status.code, answer.status.message]).toEqual([
      499,
      "Could not alias [g] to [nope] as [nope] not in the Graph or TraversalSource global bindings"
    ])
  })

  it("must include aliases with strictTransactionManagement", async () => {
    const { client } = await connected({ strictTransactionManagement: true })
    expect((await client.eval("g.V()")).status.code).toBe(499)
    expect((await client.eval("g.V().count()", { aliases: { g: "g" } })).status.code).toBe(200)
  })

  it("name the graphs that a request may change with strictTransactionManagement", async ({ skip }) => {
    skip(testedWorkers > 1, "its graphs are in memory")
    const other = { ...emptyTinkerGraph, name: "other" }
    const { client } = await connected({
      strictTransactionManagement: true,
      graphs: new Map([
        ["graph", { ...emptyTinkerGraph, name: "graph" }],
        ["other", other]
      ]),
      traversalSources: [
        { name: "g", graph: "graph", expression: undefined },
        { name: "h", graph: "other", expression: undefined }
      ]
    })
    const aliases = { g: "g" }
    const before = (await client.eval("g.V().count()", { aliases })).result.data
    const stray = await client.eval("g.addV('a').iterate(); h.addV('b').iterate()", { aliases })
    expect([stray.status.code, stray.status.message]).toEqual([499, expect.stringContaining("the graph 'other'")])
    expect((await client.eval("g.V().count()", { aliases })).result.data).toEqual(before)
    const both = { g: "g", h: "h" }
    expect((await client.eval("h.V().count()", { aliases: both })).result.data).toEqual([0])
    await client.eval("g.addV('a').iterate(); h.addV('b').iterate()", { aliases: both })
    expect((await client.eval("h.V().count()", { aliases: both })).result.data).toEqual([1])
  })

  it("may have bindings whose names in lower case are reserved", async () => {
    const { client } = await connected()
    const bindings = { ID: 1, KEY: "name", LABEL: "person", VALUE: "marko" }
    expect((await client.eval("ID + 1", { bindings })).result.data).toEqual([2])
    const found = await client.eval("g.V().hasLabel(LABEL).has(KEY, VALUE).values(KEY)", { bindings })
    expect(found.result.data).toEqual(["marko"])
  })

  it("can omit the properties of elements", async () => {
    const { client } = await connected()
    const tokens = await client.eval("g.V().has('name', 'marko')", { materializeProperties: "tokens" })
    expect(tokens.result.data).toEqual([{ id: expect.any(Number), label: "person" }])
    const inside = await client.eval("g.with('materializeProperties','tokens').V().has('name', 'marko')")
    expect(inside.result.data).toEqual([{ id: expect.any(Number), label: "person" }])
    const all = await client.eval("g.V().has('name', 'marko')", { materializeProperties: "all" })
    expect(all.result.data).toEqual([expect.objectContaining({ properties: expect.anything() })])
    // As in Gremlin Server, the script is stronger than the request.
    const both = await client.eval("g.with('materializeProperties','all').V().has('name', 'marko')", {
      materializeProperties: "tokens"
    })
    expect(both.result.data).toEqual([expect.objectContaining({ properties: expect.anything() })])
    const last = await client.eval(
      "g.with('materializeProperties','tokens').V().next(); g.with('materializeProperties','all').V().has('name', 'marko')"
    )
    expect(last.result.data).toEqual([expect.objectContaining({ properties: expect.anything() })])
  })
})

describe("A message that cannot be read", () => {
  it("is answered once, with its request id when that can be read", async () => {
    const { client } = await connected()
    const id = "41d2e28a-20a4-4ab0-b379-d810dede3788"
    const json = (text: string) => binaryMessage("application/vnd.gremlin-v3.0+json", text)
    const messages: ReadonlyArray<readonly [Buffer | string, string | null]> = [
      [json("null"), null],
      [json("{"), null],
      [json(`{"requestId":"${id}","op":`), id],
      [json(`{"requestId":"${id}","args":{"gremlin":{"@type":"g:Nope","@value":1}}}`), id],
      [json('{"op":"eval","args":{"gremlin":"1"}}'), null],
      [Buffer.alloc(0), null],
      [Buffer.from([200, 1, 2]), null],
      [Buffer.from([0]), null],
      ["no json", null],
      ["null", null]
    ]
    for (const [message, requestId] of messages) {
      client.frames.length = 0
      client.ws.send(message)
      await client.count(1)
      expect(client.frames[0]!.status.code).toBeGreaterThanOrEqual(498)
      expect(client.frames[0]!.requestId).toBe(requestId)
    }
    expect((await client.eval("1")).result.data).toEqual([1])
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(client.frames.length).toBe(2)
  })

  it("is answered in GraphBinary when its prefix names GraphBinary", async () => {
    const { client } = await connected()
    const answers: Array<Buffer> = []
    client.ws.removeAllListeners("message")
    client.ws.on("message", (data: Buffer) => answers.push(data))
    client.ws.send(binaryMessage("application/vnd.graphbinary-v1.0", Buffer.from([0x81, 1, 2, 3])))
    client.ws.send(binaryMessage("application/vnd.graphbinary-v1.0", Buffer.from([0x7f])))
    await eventually(() => answers.length === 2)
    expect(answers.map((bytes) => bytes[0])).toEqual([0x81, 0x81])
  })

  it("is answered with the name of the limit when it is too large, before the connection closes with 1009", async () => {
    const { client, server } = await connected({ maxContentLength: 10_000 })
    await client.eval("1")
    client.frames.length = 0
    client.send("eval", "", { gremlin: `'${"x".repeat(20_000)}'` })
    await client.count(1)
    expect(client.frames[0]!.status.message).toContain("maxContentLength")
    expect(await client.closed).toMatchObject({ code: 1009 })
    const first = await SocketClient.connect(server.authority)
    first.ws.send("x".repeat(20_000))
    expect(await first.closed).toMatchObject({ code: 1009 })
    expect(first.frames.length).toBe(1)
    // A driver that speaks GraphBinary cannot read JSON.
    const headers = { "User-Agent": "NotAvailable Gremlin-Javascript.3.8.2 20.20.2 Linux.6 x64" }
    const driver = await SocketClient.connect(server.authority, "/gremlin", { headers })
    driver.ws.removeAllListeners("message")
    const kinds: Array<number | undefined> = []
    driver.ws.on("message", (data: Buffer) => kinds.push(data[0]))
    driver.ws.send(Buffer.alloc(20_000))
    await driver.closed
    expect(kinds).toEqual([0x81])
  })

  it("closes the connection with a code when it violates the WebSocket protocol", async () => {
    const { server } = await connected()
    const key =
      "GET /gremlin HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    // A frame with a reserved bit set.
    const answer = await raw(server.authority, Buffer.concat([Buffer.from(key), Buffer.from([0xf2, 0x80, 0, 0, 0, 0])]))
    expect(answer).toContain("101 Switching Protocols")
    expect(Buffer.from(answer, "latin1").subarray(-4)).toEqual(Buffer.from([0x88, 2, 0x03, 0xea]))
  })
})

describe("A WebSocket handshake", () => {
  it("is refused with a status when it is not valid", async () => {
    const { server } = await connected()
    const handshake = (headers: string) =>
      raw(server.authority, `GET /gremlin HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`)
    expect(await handshake("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13")).toMatch(
      /^HTTP\/1.1 400/
    )
    expect(
      await handshake(
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 7\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
      )
    ).toMatch(/^HTTP\/1.1 400/)
  })

  it("is refused beyond the limits of the request line and of the headers", async () => {
    const { server } = await connected({ maxInitialLineLength: 100, maxHeaderSize: 300 })
    const asked = (target: string, header: string) =>
      raw(server.authority, `GET ${target} HTTP/1.1\r\nHost: x\r\n${header}\r\n${upgrading}\r\n\r\n`)
    const upgrading =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    expect(await asked(`/gremlin?x=${"y".repeat(100)}`, "X: y")).toMatch(/^HTTP\/1.1 414 [\s\S]*maxInitialLineLength/)
    expect(await asked("/gremlin", `X: ${"y".repeat(250)}`)).toMatch(/^HTTP\/1.1 431 [\s\S]*maxHeaderSize/)
  })

  it("is refused for pages of other origins, and accepted for those of this machine and for programs", async () => {
    const { server } = await connected()
    await expect(
      SocketClient.connect(server.authority, "/gremlin", { origin: "https://evil.example" })
    ).rejects.toThrow("status 403")
    for (const origin of ["http://localhost:3000", "http://127.0.0.1", "http://127.0.0.2:80", "https://[::1]:8443"]) {
      await SocketClient.connect(server.authority, "/gremlin", { origin })
    }
  })

  it("is accepted for pages of the origins in the settings", async () => {
    const server = await startServer({ allowedOrigins: ["https://tools.example"] })
    await SocketClient.connect(server.authority, "/gremlin", { origin: "https://tools.example" })
    await expect(SocketClient.connect(server.authority, "/gremlin", { origin: "http://localhost" })).rejects.toThrow(
      "403"
    )
    const open = await startServer({ allowedOrigins: ["*"] })
    await SocketClient.connect(open.authority, "/gremlin", { origin: "https://anything.example" })
  })

  it("agrees on compression only when the settings enable it", async () => {
    const plain = await connected()
    expect(plain.client.ws.extensions).toBe("")
    const deflating = await connected({ perMessageDeflate: true })
    expect(deflating.client.ws.extensions).toContain("permessage-deflate")
    expect((await deflating.client.eval(`'${"x".repeat(5000)}'`)).result.data).toEqual(["x".repeat(5000)])
  })

  it("leads to a connection that answers pings and echoes a close", async () => {
    const { client } = await connected()
    const pong = new Promise((resolve) => client.ws.on("pong", (data) => resolve(data.toString())))
    client.ws.ping("hello")
    expect(await pong).toBe("hello")
    client.ws.close(1000, "bye")
    expect(await client.closed).toMatchObject({ code: 1000 })
  })
})

describe("WebSocketChannelizer", () => {
  it("answers plain HTTP with advice, and serves the reserved paths", async () => {
    const server = await startServer({ channelizer: "WebSocketChannelizer" })
    for (const options of [{}, { path: "/gremlin" }, { method: "POST", path: "/" }]) {
      const answer = await http(server.authority, options)
      expect(answer.status).toBe(400)
      expect(answer.json.message).toContain("WsAndHttpChannelizer")
    }
    expect((await http(server.authority, { path: "/health/live" })).status).toBe(200)
    expect((await http(server.authority, { path: "/health/ready" })).status).toBe(200)
    expect((await http(server.authority, { path: "/metrics" })).text).toContain("engine_server_pool_size")
    const client = await SocketClient.connect(server.authority)
    expect((await client.eval("1")).status.code).toBe(200)
  })
})

describe("HttpChannelizer", () => {
  it("refuses a WebSocket with advice", async () => {
    const server = await startServer({ channelizer: "HttpChannelizer" })
    await expect(SocketClient.connect(server.authority)).rejects.toThrow("status 400")
  })
})
