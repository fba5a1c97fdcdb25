import { describe, expect, it } from "vitest"
import { http, post, raw, UNTYPED } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { startServer } from "../support/TestServers.ts"
import { asking, basic } from "../support/Users.ts"

const script = '{"gremlin":"g.addV(\'a\')"}'

const count = async (authority: string): Promise<number> => (await post(authority, "g.V().count()")).json.result.data[0]

/** Sends a request with an unchanged target. An HTTP client would normalise it. */
const sent = (authority: string, method: string, target: string): Promise<string> => {
  const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${script.length}\r\n\r\n`
  return raw(authority, head + script)
}

const status = (answer: string): number => Number(/^HTTP\/1.1 (\d+) /.exec(answer)?.[1])

const reserved = [
  "/gremlin/stream",
  "/gremlin/x/y",
  "/status/x",
  "/loader/abc",
  "/log-level/abc",
  "/pg/x",
  "/propertygraph/stream",
  "/system",
  "/system/reset",
  "/console/index.html"
]

/** Other spellings of a path that programs write or accept. */
const spellings = (path: string): ReadonlyArray<string> => [
  path,
  `${path}/`,
  `${path}?gremlin=g.addV()`,
  `/${path}`,
  path.replaceAll("/", "//"),
  path.toUpperCase(),
  path.replaceAll("a", "%61").replaceAll("s", "%53"),
  `/${path.slice(1).replaceAll("/", "%2f")}`,
  `/${path.slice(1).replaceAll("/", "%5C")}`,
  `${path};x=1`,
  path.replaceAll("/", ";x/").slice(2),
  `/x/..${path}`,
  `/.${path}/%2e`,
  `/%2e%2E${path}`,
  `${path}/%zz`,
  `http://localhost:8182${path}`,
  `HTTPS://x${path}`
]

describe("A reserved path", () => {
  it("without content gets 404 in JSON for every method and spelling, and evaluates nothing", async () => {
    const { authority } = await startServer()
    for (const path of reserved) {
      for (const target of spellings(path)) {
        const answer = await sent(authority, "POST", target)
        expect([target, status(answer)]).toEqual([target, 404])
        expect(answer).toContain("content-type: application/json")
        expect(answer).toMatch(/\{"message":"There is nothing at /)
      }
      for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD"]) {
        const answer = await sent(authority, method, `${path}?gremlin=g.addV()`)
        expect([method, path, status(answer)]).toEqual([method, path, 404])
      }
    }
    expect(await count(authority)).toBe(0)
  })

  it("with content has one spelling only", async () => {
    const { authority } = await startServer()
    const others = [
      "/gremlin/..",
      "/metrics/",
      "/Metrics",
      "//metrics",
      "/metrics/x",
      "/health",
      "/health/live/",
      "/gremlin/STATUS",
      "/gremlin/explain/",
      "/gremlin/Profile",
      "//gremlin/explain",
      "/gremlin/profile/x",
      "/status/",
      "/Status",
      "/loader/",
      "/Loader",
      "/pg/statistics/",
      "/pg/statistics/summary/x",
      "/propertygraph//statistics"
    ]
    for (const path of others) {
      expect([path, (await http(authority, { path }, script)).status]).toEqual([path, 404])
      expect([path, (await http(authority, { path })).status]).toEqual([path, 404])
    }
    expect(await count(authority)).toBe(0)
  })

  it("accepts no WebSocket in any spelling", async () => {
    const { authority } = await startServer()
    for (const path of [
      ...reserved.flatMap(spellings),
      "/gremlin/status",
      "/metrics",
      "//gremlin",
      "/GREMLIN",
      "/session"
    ]) {
      const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`
      const answer = await raw(
        authority,
        `${head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
      )
      expect([path, status(answer)]).toEqual([path, 404])
      expect(answer).toMatch(/\{"message":"There is no WebSocket at /)
    }
  })

  it("answers the preflight of a browser with its methods", async () => {
    const { authority } = await startServer()
    const headers = { origin: "http://localhost:3000", "access-control-request-method": "DELETE" }
    const allowed = async (path: string) =>
      (await http(authority, { method: "OPTIONS", path, headers })).headers["access-control-allow-methods"]
    expect(await allowed("/gremlin/status/x")).toBe("DELETE, OPTIONS")
    expect(await allowed("/gremlin/status")).toBe("GET, HEAD, OPTIONS, POST")
    expect(await allowed("/metrics")).toBe("GET, HEAD, OPTIONS")
    expect(await allowed("/")).toBe("GET, OPTIONS, POST")
  })

  it("evaluates nothing for known and for unknown users", async () => {
    const server = await startServer(asking())
    const ask = (headers = {}) => http(server.authority, { method: "POST", path: "/gremlin/stream", headers }, script)
    expect((await ask()).status).toBe(401)
    expect((await ask({ authorization: basic() })).status).toBe(404)
    const { json } = await http(
      server.authority,
      { headers: { authorization: basic(), accept: UNTYPED } },
      '{"gremlin":"g.V().count()"}'
    )
    expect(json.result.data).toEqual([0])
  })

  it("is the same with WebSocketChannelizer", async () => {
    const { authority } = await startServer({ channelizer: "WebSocketChannelizer" })
    expect((await http(authority, { path: "/gremlin/stream" }, script)).status).toBe(404)
    expect((await http(authority, { path: "/" }, script)).json.message).toContain("by WebSocket only")
  })
})

describe("Any other path", () => {
  it("evaluates, also in the absolute form that clients send to proxies", async () => {
    const { authority } = await startServer()
    const targets = [
      "/",
      "/gremlin",
      "/gremlin/",
      "/session",
      "/x",
      "/gremlins/explain",
      "/statuses",
      "/a%20b",
      "//",
      "/./",
      "*",
      "/%zz",
      "/x/../y"
    ]
    const absolute = ["http://x", "http://localhost:8182/", "HTTP://x/gremlin", "http://x?y"]
    for (const target of [...targets, ...absolute]) {
      expect([target, status(await sent(authority, "POST", target))]).toEqual([target, 200])
    }
    expect(await count(authority)).toBe(targets.length + absolute.length)
    const live = await raw(authority, "GET http://x/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    expect(live).toContain('{"status":"live"}')
    const client = await SocketClient.connect(authority, "/gremlin/")
    expect((await client.eval("1")).result.data).toEqual([1])
  })
})
