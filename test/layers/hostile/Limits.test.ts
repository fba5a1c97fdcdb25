import type { Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { serializers } from "../../../src/protocol/Serializers.ts"
import { http, openSocket, post, raw } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { startServer } from "../support/TestServers.ts"

const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels))

/** Traversals that are nested so many times, as drivers send them. */
const traversals = (levels: number): unknown => {
  let found: unknown = { "@type": "g:Bytecode", "@value": { step: [["identity"]] } }
  for (let i = 1; i < levels; i++) found = { "@type": "g:Bytecode", "@value": { step: [["map", found]] } }
  return found
}

/** An `eval` in GraphBinary with a binding of nested lists. */
const binaryNested = (levels: number): Buffer => {
  const int = (value: number): string => value.toString(16).padStart(8, "0")
  const text = (value: string): string => `0300${int(value.length)}${Buffer.from(value).toString("hex")}`
  const lists = `${`0900${int(1)}`.repeat(levels - 1)}0900${int(0)}`
  const hex =
    `8141d2e28a20a44ab0b379d810dede3786${int(4)}6576616c${int(0)}${int(2)}${text("gremlin")}${text("1")}` +
    `${text("bindings")}0a00${int(1)}${text("x")}${lists}`
  return Buffer.from(hex, "hex")
}

/**
 * A connection that the server has counted: it has answered a request. One that is refused because earlier connections are not
 * closed yet is opened again.
 */
const countedConnection = async (authority: string, request: string): Promise<Socket> => {
  for (;;) {
    const socket = openSocket(authority)
    socket.write(request)
    const answer = await new Promise<string>((resolve) => {
      socket.once("data", (data) => resolve(data.toString("latin1")))
      socket.once("close", () => resolve(""))
    })
    if (answer.startsWith("HTTP/1.1 200 ")) return socket
    expect(answer).toMatch(/^(HTTP\/1\.1 503 |$)/)
    socket.destroy()
  }
}

const ID = "41d2e28a-20a4-4ab0-b379-d810dede3786"

describe("maxNestingDepth", () => {
  it("limits GraphSON, GraphBinary and scripts, over both transports, and its error names it", async () => {
    const { authority } = await startServer({ maxNestingDepth: 20 })
    const client = await SocketClient.connect(authority)
    expect((await client.eval("x", { bindings: { x: nested(15) } })).status.code).toBe(200)
    const deep = await client.eval("x", { bindings: { x: nested(25) } })
    expect(deep.status).toMatchObject({ code: 498, message: expect.stringContaining("maxNestingDepth") })
    const script = await client.eval(`${"(".repeat(25)}1${")".repeat(25)}`)
    expect(script.status).toMatchObject({ code: 597, message: expect.stringContaining("maxNestingDepth") })
    const overHttp = await post(authority, "x", { bindings: { x: nested(25) } })
    expect(overHttp).toMatchObject({ status: 400, json: { message: expect.stringContaining("maxNestingDepth") } })
    expect((await post(authority, "x", { bindings: { x: nested(15) } })).status).toBe(200)
    const headers = { "content-type": "application/vnd.graphbinary-v1.0", accept: "application/json" }
    const binary = (levels: number) => http(authority, { method: "POST", headers }, binaryNested(levels))
    expect((await binary(15)).status).toBe(200)
    expect(await binary(25)).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining("maxNestingDepth") }
    })
  })

  it("counts a nested traversal as one level, in GraphSON as in GraphBinary", async () => {
    const { authority } = await startServer({ maxNestingDepth: 20 })
    const send = (levels: number) =>
      http(
        authority,
        { method: "POST", headers: { "content-type": "application/vnd.gremlin-v3.0+json" } },
        JSON.stringify({
          requestId: ID,
          op: "bytecode",
          processor: "traversal",
          args: { gremlin: traversals(levels), aliases: { g: "g" } }
        })
      )
    expect((await send(15)).text).not.toContain("maxNestingDepth")
    expect((await send(25)).text).toContain("maxNestingDepth")
  })

  it("has a default that does not overflow the stack", async () => {
    const { authority } = await startServer()
    const client = await SocketClient.connect(authority)
    expect((await client.eval("x", { bindings: { x: nested(200) } })).status.code).toBe(200)
    for (const levels of [300, 5_000]) {
      const text = `${"[".repeat(levels)}${"]".repeat(levels)}`
      client.ws.send(`{"requestId":"${ID}","op":"eval","args":{"gremlin":"1","bindings":{"x":${text}}}}`)
      expect((await client.answer(ID)).status.message).toContain("256 levels")
      client.frames.length = 0
    }
    const headers = { "content-type": serializers.graphBinaryV1.mime, accept: "application/json" }
    const binary = await http(authority, { method: "POST", headers }, binaryNested(100_000))
    expect(binary).toMatchObject({ status: 400, json: { message: expect.stringContaining("256 levels") } })
  })
})

describe("The other limits of a request", () => {
  it("are named when they are exceeded: parameters, script, name of a session", async () => {
    const { authority } = await startServer({ maxParameters: 3, maxScriptLength: 50 })
    const bindings = { a: 1, b: 2, c: 3, d: 4 }
    const client = await SocketClient.connect(authority)
    expect((await client.eval("1", { bindings })).status).toMatchObject({
      code: 499,
      message: expect.stringContaining("maxParameters")
    })
    expect(await post(authority, "1", { bindings })).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining("maxParameters") }
    })
    expect((await client.eval(`1${" ".repeat(60)}`)).status.message).toContain("maxScriptLength")
    for (const session of [{}, [], "s".repeat(2_000), true]) {
      const { status } = await client.eval("1", { session })
      if (session === true) expect(status.code).toBe(200)
      else expect(status).toMatchObject({ code: 499, message: expect.stringContaining("[session]") })
    }
  })
})

describe("A value that grows in a loop", () => {
  it("fails before it is traversed: lists in lists, maps in maps, paths of paths, lists that double", async () => {
    const { authority } = await startServer({ requestMemoryLimit: 20_000_000 })
    const accepts = ["application/json", "application/vnd.graphbinary-v1.0", "text/plain"]
    const loops = [
      "g.inject(1).repeat(__.map(__.union(__.identity(),__.identity()).fold())).times(40)",
      "g.inject(1).repeat(__.project('a','b')).times(40)",
      "g.inject(1).repeat(__.path()).times(60)"
    ]
    for (const loop of loops) {
      for (const accept of accepts) {
        const answer = await http(authority, { headers: { accept } }, JSON.stringify({ gremlin: loop }))
        expect(answer).toMatchObject({ status: 500, json: { message: expect.stringContaining("parts") } })
      }
      for (const step of ["asString()", "dedup()", "order()", "group()", "is(P.eq(1))"]) {
        expect((await post(authority, `${loop}.${step}`)).status).toBe(500)
      }
    }
    const doubled = await post(authority, "g.inject([1]).repeat(__.combine(__.identity())).times(40).count(local)")
    expect(doubled).toMatchObject({ status: 500, json: { message: expect.stringContaining("bytes") } })
    for (const step of ["dedup()", "asString()", "group()", "order()", "count()"]) {
      const deep = await post(authority, `g.inject(1).repeat(__.map(__.fold())).times(9000).${step}`)
      expect(deep).toMatchObject({ status: 500, json: { message: expect.stringContaining("levels") } })
    }
    const plain = await post(authority, "g.inject(1).repeat(__.project('a','b')).times(10).count()")
    expect(plain.json.result.data).toEqual([1])
  })
})

describe("The limits of a connection", () => {
  it("are answered before the connection closes: header size, header time, number of connections", async () => {
    const limits = { maxHeaderSize: 500, maxInitialLineLength: 200, headersTimeout: 300, maxContentLength: 1_000 }
    const server = await startServer({ ...limits, maxConnections: 3 })
    const { authority } = server
    const get = (target: string, header: string): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`
    expect(await raw(authority, get("/", `X: ${"y".repeat(600)}`))).toMatch(/^HTTP\/1\.1 431 [\s\S]*maxHeaderSize/)
    expect(await raw(authority, get(`/${"y".repeat(300)}`, "X: y"))).toMatch(
      /^HTTP\/1\.1 414 [\s\S]*maxInitialLineLength/
    )
    expect(await raw(authority, "GET / HTTP/1.1\r\nHo")).toMatch(/^HTTP\/1\.1 408 [\s\S]*headersTimeout/)
    const large = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n${"x".repeat(5_000)}`
    // The whole request is sent before the answer, which still arrives.
    for (let i = 0; i < 20; i++) expect(await raw(authority, large)).toMatch(/^HTTP\/1\.1 413 [\s\S]*maxContentLength/)
    const live = `GET /health/live HTTP/1.1\r\nHost: ${authority}\r\n\r\n`
    const held: Array<Socket> = []
    while (held.length < 3) held.push(await countedConnection(authority, live))
    expect(await raw(authority, "")).toMatch(/^HTTP\/1\.1 503 [\s\S]*maxConnections/)
    for (const socket of held) socket.destroy()
  })
})
