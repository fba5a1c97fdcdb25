import { describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { http, post } from "../../support/HttpClient.ts"
import { endless, eventually, startServer } from "../../support/TestServers.ts"
import { asking, basic } from "../../support/Users.ts"

const browser = {
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "accept-language": "en",
  "user-agent": "Mozilla/5.0"
}

/** Whether a page of this origin may open a WebSocket. */
const opens = (authority: string, headers: Record<string, string>): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`ws://${authority}/gremlin`, { headers })
    socket.once("open", () => {
      socket.terminate()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

describe("The console", () => {
  it("is where GET / leads a browser, with every channelizer that speaks HTTP, and nobody else", async () => {
    for (const channelizer of ["WsAndHttpChannelizer", "HttpChannelizer", "WebSocketChannelizer"] as const) {
      const { authority } = await startServer({ channelizer, ...asking() })
      for (const [path, headers] of [
        ["/", browser],
        ["/console", {}]
      ] as const) {
        const { headers: found, status } = await http(authority, { path, headers })
        expect([channelizer, path, status, found.location]).toEqual([channelizer, path, 302, "console/"])
      }
      expect((await http(authority, { path: "/" })).status).not.toBe(302)
      expect((await http(authority, { path: "/?gremlin=1", headers: browser })).status).not.toBe(302)
    }
  })

  it("sends the policy of its pages and refuses other methods", async () => {
    const { authority } = await startServer()
    const { headers } = await http(authority, { path: "/console" })
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
        "worker-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    )
    expect(headers["x-content-type-options"]).toBe("nosniff")
    expect((await http(authority, { path: "/console/", method: "POST" }, '{"gremlin":"1"}')).status).toBe(405)
  })

  it("is served while the request pool is full", async () => {
    const { authority } = await startServer({ enginePool: 1, maxWorkQueueSize: 0 })
    const id = "41d2e28a-20a4-4ab0-b379-d810dede3786"
    const running = http(authority, {}, JSON.stringify({ gremlin: endless, queryId: id }))
    await eventually(async () => (await http(authority, { path: "/gremlin/status" })).json.queries.length === 1)
    expect((await post(authority, "1")).status).toBeGreaterThanOrEqual(500)
    for (const [path, status] of [
      ["/console", 302],
      ["/console/sources", 200],
      ["/console/recent", 200]
    ] as const)
      expect([path, (await http(authority, { path })).status]).toEqual([path, status])
    expect((await http(authority, { method: "DELETE", path: `/gremlin/status/${id}` })).status).toBe(200)
    await running
  })

  it("serves no file outside its folder", async () => {
    const { authority } = await startServer()
    for (const name of [
      "index.html",
      "../main.js",
      "..%2fmain.js",
      "main.js",
      "main-00000000.js",
      "x/main-00000000.js"
    ]) {
      expect([name, (await http(authority, { path: `/console/${name}` })).status]).toEqual([name, 404])
    }
  })

  it("is off by setting, and by default without authentication on an address of the network", async () => {
    const settings = [{ console: false }, { host: "0.0.0.0" }]
    for (const setting of settings) {
      const { port } = await startServer(setting)
      for (const path of ["/console", "/console/", "/console/sources", "/console/recent"]) {
        expect([path, (await http(`127.0.0.1:${port}`, { path })).status]).toEqual([path, 404])
      }
      expect((await http(`127.0.0.1:${port}`, { path: "/", headers: browser })).status).not.toBe(302)
    }
    const on = await startServer({ host: "0.0.0.0", ...asking() })
    expect((await http(`127.0.0.1:${on.port}`, { path: "/console" })).status).toBe(302)
  })

  it("names the traversal sources only to users", async () => {
    const { authority } = await startServer(asking())
    const path = "/console/sources"
    const unknown = await http(authority, { path })
    expect(unknown.status).toBe(401)
    expect(unknown.text).not.toContain("graph")
    const { json, status } = await http(authority, { path, headers: { authorization: basic() } })
    expect([status, json]).toEqual([
      200,
      {
        sources: expect.arrayContaining([{ name: "g", graph: "graph" }]),
        webSocket: true,
        user: "stephen",
        givesTokens: false,
        operates: true
      }
    ])
  })
})

describe("A page of the server itself", () => {
  it("may use it by any name where requests need a password", async () => {
    const { authority } = await startServer({ ...asking(), allowedOrigins: [] })
    for (const host of [authority, "graph.example:8182"]) {
      const own = { host, origin: `http://${host}` }
      expect((await http(authority, { path: "/health/live", headers: own })).status).toBe(200)
      expect(await opens(authority, own)).toBe(true)
      expect(await opens(authority, { host, origin: "http://elsewhere.example" })).toBe(false)
    }
  })

  it("may use it by names of this machine only where requests need no password", async () => {
    const { authority } = await startServer({ allowedOrigins: [] })
    expect(await opens(authority, { host: authority, origin: `http://${authority}` })).toBe(true)
    const rebound = { host: "rebound.example:8182", origin: "http://rebound.example:8182" }
    expect(await opens(authority, rebound)).toBe(false)
    expect((await http(authority, { headers: rebound }, '{"gremlin":"1"}')).status).toBe(403)
    const silent = { host: "rebound.example:8182", "accept-language": "en" }
    expect((await http(authority, { path: "/console/sources", headers: silent })).status).toBe(403)
  })

  it("may not use it where the console is off", async () => {
    const { authority } = await startServer({ ...asking(), allowedOrigins: [], console: false })
    expect(await opens(authority, { host: authority, origin: `http://${authority}` })).toBe(false)
  })
})

describe("A page of another site", () => {
  it("neither reads nor changes anything by the calls that the console makes", async () => {
    const { authority } = await startServer(asking())
    const calls = [
      ["GET", "/console/sources"],
      ["GET", "/console/recent"],
      ["GET", "/metrics"],
      ["GET", "/gremlin/status"],
      ["POST", "/gremlin/status"],
      ["DELETE", "/gremlin/status/1"],
      ["PUT", "/log-level"],
      ["DELETE", "/log-level"],
      ["GET", "/session"],
      ["POST", "/gremlin"]
    ] as const
    for (const [method, path] of calls) {
      const headers = { authorization: basic(), origin: "http://elsewhere.example", "content-type": "text/plain" }
      expect([method, path, (await http(authority, { method, path, headers })).status]).toEqual([method, path, 403])
    }
  })
})

describe("A driver of Java, which sends the name of the server as its origin", () => {
  const driver = { "user-agent": "app Gremlin-Java.3.7.3 17.0.2 Linux.6 amd64" }

  it("connects to a server on all addresses by each of its names, with and without authentication", async () => {
    for (const settings of [{}, { ...asking(), console: false }]) {
      const { authority } = await startServer({ ...settings, host: "0.0.0.0" })
      for (const headers of [driver, {}]) {
        expect(await opens(authority, { ...headers, host: "graph:8182", origin: "http://graph:8182" })).toBe(true)
        const mixed = { ...headers, host: "Graph.Example:8182", origin: "http://graph.example:8182" }
        expect(await opens(authority, mixed)).toBe(true)
      }
    }
  })

  it("connects through a proxy to a server on a loopback address", async () => {
    const { authority } = await startServer()
    const own = { host: "graph.example", origin: "http://graph.example" }
    expect(await opens(authority, { ...driver, ...own })).toBe(true)
    // nginx with `proxy_set_header Host $host` leaves the port out.
    expect(await opens(authority, { ...driver, ...own, origin: "https://graph.example:8443" })).toBe(true)
    expect(await opens(authority, own)).toBe(false)
  })

  it("is told from a page of the same name, and from pages of other names", async () => {
    const { authority } = await startServer({ host: "0.0.0.0" })
    const own = { host: "graph.example:8182", origin: "http://graph.example:8182" }
    expect(await opens(authority, { ...own, "user-agent": "Mozilla/5.0 (X11)" })).toBe(false)
    expect(await opens(authority, { ...own, "accept-language": "en" })).toBe(false)
    expect(await opens(authority, { ...own, "sec-fetch-site": "same-origin" })).toBe(false)
    expect(await opens(authority, { ...driver, host: "graph.example", origin: "http://elsewhere.example" })).toBe(false)
  })
})
