import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "../../../project/Projects.ts"
import { http } from "../../support/HttpClient.ts"
import { startServer } from "../../support/TestServers.ts"
import { basic, givingTokens } from "../../support/Users.ts"

/** All management paths, with an example of a name or an id, and the methods of each. */
const calls: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/console/recent": ["GET"],
  "/console/sources": ["GET"],
  "/graphs": ["GET"],
  "/graphs/a": ["GET", "PUT", "DELETE"],
  "/gremlin/explain": ["GET", "POST"],
  "/gremlin/profile": ["GET", "POST"],
  "/gremlin/status": ["GET", "POST"],
  "/gremlin/status/7e1f0a52-6b6c-4f41-9f0e-3c2f3f9a1c11": ["DELETE"],
  "/health/live": ["GET"],
  "/health/ready": ["GET"],
  "/loader": ["GET", "POST", "DELETE"],
  "/log-level": ["GET", "PUT", "DELETE"],
  "/metrics": ["GET"],
  "/pg/statistics": ["GET", "POST"],
  "/pg/statistics/summary": ["GET"],
  "/propertygraph/statistics": ["GET", "POST"],
  "/propertygraph/statistics/summary": ["GET"],
  "/session": ["GET", "POST"],
  "/status": ["GET"]
}

/** Paths whose answers have nothing that a page of another site may not know. */
const harmless = ["/health/live", "/health/ready"]
/** Paths that evaluate a script, also by GET. */
const evaluating = ["/gremlin/explain", "/gremlin/profile"]
/** Returns a token, and changes nothing. */
const TOKEN_PATH = "/session"

const bodies: Readonly<Record<string, string>> = {
  "/loader": '{"source":"people.csv","format":"csv"}',
  "/log-level": '{"level":"debug"}',
  "/gremlin/status": "queryId=7e1f0a52-6b6c-4f41-9f0e-3c2f3f9a1c11&cancelQuery=True"
}

const all = Object.entries(calls).flatMap(([path, methods]) => methods.map((method) => ({ method, path })))

const bodyOf = (method: string, path: string): string | undefined =>
  method === "GET" || method === "DELETE" ? undefined : (bodies[path] ?? '{"gremlin":"g.V()"}')

describe("The management paths", () => {
  it("of this test are those that the documentation names, with the methods that the server allows", async () => {
    const pages = ["protocol.md", "monitoring.md"].map((name) =>
      readFileSync(join(root, "docs", "reference", name), "utf8")
    )
    const named = pages.flatMap((page) =>
      Array.from(page.matchAll(/`(?:GET|POST|PUT|DELETE) (\/[\w/-]+)/g), ([, path]) => path!.replace(/\/$/, ""))
    )
    const known = Object.keys(calls)
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((path) => !known.includes(path))).toEqual([])
    const { authority } = await startServer()
    const paths = known.filter((path) => path !== TOKEN_PATH && !evaluating.includes(path))
    for (const path of paths) {
      const headers = { origin: `http://${authority}`, "access-control-request-method": "GET" }
      const answer = await http(authority, { method: "OPTIONS", path, headers })
      const allowed = String(answer.headers["access-control-allow-methods"] ?? answer.headers.allow).split(", ")
      const methods = allowed.filter((method) => method !== "OPTIONS" && method !== "HEAD")
      expect([path, methods.sort()]).toEqual([path, [...calls[path]!].sort()])
    }
  })
})

describe("A page of another site", () => {
  it("reaches no management path by a request with its origin, also with the password", async () => {
    const { authority } = await startServer(givingTokens())
    for (const { method, path } of all) {
      for (const origin of ["http://elsewhere.example", "null"]) {
        const headers = { authorization: basic(), origin, "content-type": "text/plain" }
        const { status } = await http(authority, { method, path, headers }, bodyOf(method, path))
        expect([method, path, status]).toEqual([method, path, 403])
      }
    }
  })

  it("changes nothing by a request without an origin, such as an image or a form", async () => {
    const { authority } = await startServer(givingTokens())
    const acting = [
      ...all.filter(({ method, path }) => path !== TOKEN_PATH && (method !== "GET" || evaluating.includes(path))),
      { method: "GET", path: "/gremlin/status?cancelQuery&queryId=7e1f0a52-6b6c-4f41-9f0e-3c2f3f9a1c11" },
      { method: "GET", path: "/gremlin?gremlin=1" }
    ]
    for (const { method, path } of acting) {
      for (const site of ["cross-site", "same-site"]) {
        const headers = { authorization: basic(), "sec-fetch-site": site }
        const { status } = await http(authority, { method, path, headers }, bodyOf(method, path))
        expect([method, path, site, status]).toEqual([method, path, site, 403])
      }
    }
  })

  it("learns nothing by a name that it made lead to a server without passwords", async () => {
    const { authority } = await startServer()
    for (const { method, path } of all) {
      const headers = { host: "rebound.example:8182", "accept-language": "en" }
      const { status } = await http(authority, { method, path, headers }, bodyOf(method, path))
      if (harmless.includes(path)) expect([method, path, status]).toEqual([method, path, 200])
      else expect([method, path, status]).toEqual([method, path, 403])
    }
  })
})
