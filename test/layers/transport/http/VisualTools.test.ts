import { describe, expect, it } from "vitest"
import { newFolder } from "../../../Folders.ts"
import { http, post } from "../../support/HttpClient.ts"
import { onLmdb } from "../../support/LmdbGraphs.ts"
import { endless, eventually, modern, startInside, startServer } from "../../support/TestServers.ts"
import { asking, basic, change, usersOf } from "../../support/Users.ts"

// The requests that graph-notebook 5.3 and graph-explorer 3.2 send.

const id = "41d2e28a-20a4-4ab0-b379-d810dede3786"
const form = { "content-type": "application/x-www-form-urlencoded" }

const status = (authority: string, body: string, more: Record<string, string> = {}) =>
  http(authority, { method: "POST", path: "/gremlin/status", headers: { ...form, ...more } }, body)

const json = { "content-type": "application/json", accept: "application/vnd.gremlin-v3.0+json" }
const run = (authority: string, body: object) =>
  http(authority, { method: "POST", headers: json }, JSON.stringify(body))

describe("GET /status", () => {
  it("answers in the form that %status reads", async () => {
    const { authority } = await startServer({ evaluationTimeout: 30_000 })
    const answer = await http(authority, { path: "/status" })
    expect(answer.json).toMatchObject({
      status: "healthy",
      role: "writer",
      gremlin: { version: "tinkerpop-3.8.2" },
      labMode: {},
      features: {},
      settings: { clusterQueryTimeoutInMs: "30000" }
    })
    expect(Date.parse(answer.json.startTime)).toBeLessThanOrEqual(Date.now())
    expect(answer.json.dbEngineVersion).toMatch(/^\d+\.\d+\.\d+/)
  })

  it("needs credentials where authentication is on", async () => {
    const { authority } = await startServer(asking())
    expect((await http(authority, { path: "/status" })).status).toBe(401)
    expect((await http(authority, { path: "/status", headers: { authorization: basic() } })).status).toBe(200)
  })
})

describe("POST /gremlin/explain", () => {
  const explain = (authority: string, gremlin: string, more: object = {}) =>
    http(
      authority,
      { method: "POST", path: "/gremlin/explain" },
      JSON.stringify({ gremlin, "explain.mode": "dynamic", ...more })
    )

  it("shows the plan as text, without a Content-Type in the request", async () => {
    const { authority } = await startServer(modern)
    const answer = await explain(authority, "g.V().has('name', x).out().count()", { bindings: { x: "marko" } })
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"])
    expect(answer.text).toContain("Neptune Gremlin Explain")
    expect(answer.text).toContain("Traversal Explanation")
    expect(answer.text).toContain("Final Traversal")
  })

  it("knows the constants that a name means without a variable", async () => {
    const { authority } = await startServer(modern)
    const answer = await explain(authority, "g.V(1).property(SET, 'name', 'a').is(typeOf(LIST))")
    expect(answer.status).toBe(200)
    expect(answer.text).toContain("IsStep(typeOf(LIST))")
    expect((await explain(authority, "g.inject(MULTI)")).text).toContain("The variable 'MULTI' has no value")
  })

  it("never runs the traversal or another part of the script", async () => {
    const { authority } = await startServer()
    const texts = [
      "g.addV('x')",
      "g.addV('x').iterate()",
      "g.addV('x').toList()",
      "g.addV('x').next()",
      "g.addV('x').explain()",
      "g.addV('x') // comment",
      "g.inject(1).sideEffect(__.addV('x'))",
      "g.inject(1).union(__.addV('x'), __.V().drop())"
    ]
    for (const text of texts) expect([text, (await explain(authority, text)).status]).toEqual([text, 200])
    const refused = [
      "g.addV('x'); g.V()",
      "x = g.addV('x').next(); g.V()",
      "g.V().has('n', g.addV('x').next().id())",
      "g.addV('x').next().id()",
      "[g.addV('x').next()]",
      "graph.addVertex('x')",
      "def f() { g.addV('x').iterate() }; f()",
      "g.tx().commit()",
      "1 + 1",
      "none.V()",
      "g.V(x)",
      "g.V("
    ]
    for (const text of refused) {
      const { json: answer, status: code } = await explain(authority, text)
      expect([text, code === 400 || code === 500, typeof answer.message]).toEqual([text, true, "string"])
    }
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([0])
  })

  it("answers also a GET, and refuses pages of other sites", async () => {
    const { authority } = await startServer()
    const path = "/gremlin/explain?gremlin=g.V()"
    expect((await http(authority, { path })).text).toContain("Neptune Gremlin Explain")
    expect((await http(authority, { path, headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403)
    expect((await http(authority, { path, method: "DELETE" })).status).toBe(405)
  })
})

describe("POST /gremlin/profile", () => {
  it("runs the traversal and shows its time and its number of results", async () => {
    const { authority } = await startServer(modern)
    const asked = { gremlin: "g.V().out()", "profile.results": true, "profile.chop": 250, "profile.indexOps": false }
    const path = "/gremlin/profile"
    const answer = await http(authority, { method: "POST", path }, JSON.stringify(asked))
    expect(answer.status).toBe(200)
    expect(answer.text).toContain("Neptune Gremlin Profile")
    expect(answer.text).toMatch(/^Query Execution: [\d.]+\nCount: 6\n/m)
    expect(answer.text).toContain("Traversal Metrics")
  })

  it("needs the right to write for a traversal that writes", async () => {
    const server = await startInside({ ...asking(), authorization: { authorizer: "RoleAuthorizer", config: {} } })
    await change(usersOf(server).add("peter", "secret", "reader"))
    const headers = { authorization: basic("peter", "secret") }
    const ask = (path: string) =>
      http(server.authority, { method: "POST", path, headers }, JSON.stringify({ gremlin: "g.addV('x')" }))
    expect((await ask("/gremlin/profile")).status).toBe(403)
    expect((await ask("/gremlin/explain")).status).toBe(200)
  })
})

describe("/gremlin/status", () => {
  it("lists what runs, lists also what waits, and cancels by form and by GET", async () => {
    const { authority } = await startServer({ enginePool: 1 })
    const running = run(authority, { gremlin: endless, queryId: id })
    await eventually(async () => (await status(authority, "")).json.acceptedQueryCount === 1)
    const other = "41d2e28a-20a4-4ab0-b379-d810dede3787"
    const waiting = run(authority, { gremlin: endless, queryId: other })
    await eventually(async () => (await status(authority, "")).json.acceptedQueryCount === 2)
    const all = (await status(authority, "includeWaiting=True")).json
    expect(all).toMatchObject({ acceptedQueryCount: 2, runningQueryCount: 1 })
    expect(all.queries.map(({ queryId }: { queryId: string }) => queryId)).toEqual([id, other])
    expect(all.queries[0]).toMatchObject({ queryString: endless, queryEvalStats: { cancelled: false } })
    expect((await status(authority, "")).json.queries).toHaveLength(1)
    expect((await status(authority, `queryId=${other}`)).json).toMatchObject({ queryId: other })
    expect((await status(authority, `queryId=${other.replace("7", "8")}`)).status).toBe(404)
    const cancelled = await http(authority, { path: `/gremlin/status?cancelQuery=&queryId=${other}` })
    expect([cancelled.status, cancelled.json.status, cancelled.json.payload]).toEqual([200, "200 OK", true])
    expect((await status(authority, `queryId=${id}&cancelQuery=True`)).json).toMatchObject({ status: "200 OK" })
    expect((await running).json.message).toBe("The request was cancelled by an operator.")
    expect((await waiting).json.message).toBe("The request was cancelled by an operator.")
    const gone = await status(authority, `queryId=${id}&cancelQuery=True`)
    expect([gone.status, gone.json.code, typeof gone.json.detailedMessage]).toEqual([
      404,
      "InvalidParameterException",
      "string"
    ])
  })

  it("cancels by GET only for a user with credentials, and never for a page of another site", async () => {
    const server = await startServer({ ...asking(), openStatus: true })
    const headers = { authorization: basic() }
    const running = http(server.authority, { headers }, JSON.stringify({ gremlin: endless, queryId: id }))
    const list = async () => (await http(server.authority, { path: "/gremlin/status" })).json
    await eventually(async () => (await list()).acceptedQueryCount === 1)
    const path = `/gremlin/status?queryId=${id}&cancelQuery`
    const encoded = path.replace("cancelQuery", "cancel%51uery")
    for (const asked of [path, encoded, `${encoded}=`, `${path}=1`]) {
      for (const method of ["GET", "HEAD"]) {
        expect([asked, (await http(server.authority, { path: asked, method })).status]).toEqual([asked, 401])
        for (const site of ["cross-site", "same-site"]) {
          const from = { ...headers, "sec-fetch-site": site }
          const refused = await http(server.authority, { path: asked, method, headers: from })
          expect([asked, method, site, refused.status]).toEqual([asked, method, site, 403])
        }
      }
    }
    const elsewhere = { ...headers, ...form, "sec-fetch-site": "cross-site" }
    expect((await status(server.authority, `queryId=${id}&cancelQuery=True`, elsewhere)).status).toBe(403)
    expect((await list()).acceptedQueryCount).toBe(1)
    expect((await http(server.authority, { path, headers })).status).toBe(200)
    expect((await running).status).toBe(500)
  })

  it("lets no user see or cancel a request of another by its id", async () => {
    const server = await startInside({ ...asking(), authorization: { authorizer: "RoleAuthorizer", config: {} } })
    for (const name of ["marko", "josh"]) await change(usersOf(server).add(name, "secret", "editor"))
    const as = (name: string) => ({ authorization: basic(name, "secret") })
    const body = JSON.stringify({ gremlin: endless, queryId: id })
    const running = http(server.authority, { headers: as("marko") }, body)
    await eventually(async () => (await status(server.authority, "", as("marko"))).json.acceptedQueryCount === 1)
    expect((await status(server.authority, "", as("josh"))).json).toMatchObject({ acceptedQueryCount: 0, queries: [] })
    expect((await status(server.authority, `queryId=${id}`, as("josh"))).status).toBe(404)
    expect((await status(server.authority, `queryId=${id}&cancelQuery=True`, as("josh"))).status).toBe(404)
    expect((await status(server.authority, `queryId=${id}&cancelQuery=True`, as("marko"))).status).toBe(200)
    await running
  })

  it("reads a short body only", async () => {
    const { authority } = await startServer()
    const long = await status(authority, `x=${"y".repeat(70_000)}`)
    expect([long.status, long.json.code]).toEqual([413, "RequestTooLargeException"])
    const coded = await status(authority, "queryId=x", { "content-encoding": "gzip" })
    expect(coded.status).toBe(415)
  })
})

describe("queryId", () => {
  it("is the id of the request, a UUID, and unused", async () => {
    const { authority } = await startServer()
    expect((await run(authority, { gremlin: "1", queryId: id })).json.requestId).toBe(id)
    expect((await run(authority, { gremlin: "1", queryId: "seven" })).status).toBe(400)
    const running = run(authority, { gremlin: endless, queryId: id.toUpperCase() })
    await eventually(async () => (await status(authority, "")).json.acceptedQueryCount === 1)
    const second = await run(authority, { gremlin: "g.addV('x')", queryId: id })
    expect([second.status, second.json.message]).toEqual([
      409,
      `A request with the id ${id} is being evaluated. Choose a new queryId for each request.`
    ])
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([0])
    await status(authority, `queryId=${id}&cancelQuery=True`)
    await running
    expect((await run(authority, { gremlin: "1", queryId: id })).status).toBe(200)
  })
})

describe("The statistics", () => {
  it("come from the counters", async () => {
    const { authority } = await startServer(modern)
    for (const path of ["/propertygraph/statistics/summary?mode=detailed", "/pg/statistics/summary?mode=basic"]) {
      const { graphSummary } = (await http(authority, { path })).json.payload
      expect(graphSummary).toMatchObject({
        numNodes: 6,
        numEdges: 6,
        numNodeLabels: 2,
        numEdgeLabels: 2,
        nodeLabels: ["person", "software"],
        edgeLabels: ["created", "knows"],
        nodeLabelCounts: { person: 4, software: 2 },
        numNodeProperties: null
      })
    }
    const statistics = (await http(authority, { path: "/pg/statistics" })).json
    expect(statistics).toMatchObject({ status: "200 OK", payload: { active: true } })
    expect(statistics.payload.signatureInfo.instanceCount).toBe(12)
  })

  it("come from the counters also under query.force-index, which refuses full scans", async () => {
    const { authority } = await startServer(onLmdb(newFolder(), "query.force-index=true"))
    await post(authority, "g.addV('person').as('a').addV('person').addE('knows').to('a')")
    const scan = await post(authority, "g.V().out().count()")
    expect([scan.status, scan.json.message]).toEqual([500, expect.stringContaining("query.force-index")])
    for (const path of ["/propertygraph/statistics/summary?mode=basic", "/pg/statistics/summary?mode=detailed"]) {
      const { graphSummary } = (await http(authority, { path })).json.payload
      expect(graphSummary).toMatchObject({
        numNodes: 2,
        numEdges: 1,
        nodeLabelCounts: { person: 2 },
        edgeLabelCounts: { knows: 1 }
      })
    }
    const { signatureInfo } = (await http(authority, { path: "/propertygraph/statistics" })).json.payload
    expect(signatureInfo).toMatchObject({ instanceCount: 3 })
  })

  it("are refused with a code and a message for unknown graphs and modes", async () => {
    const { authority } = await startServer()
    const bad = async (path: string, body?: string) => {
      const { json: answer, status: code } = await http(authority, { path }, body)
      return [code, typeof answer.code, typeof answer.detailedMessage]
    }
    expect(await bad("/pg/statistics/summary?mode=all")).toEqual([400, "string", "string"])
    expect(await bad("/pg/statistics/summary?graph=none")).toEqual([404, "string", "string"])
    expect(await bad("/pg/statistics", '{"mode":"disableAutoCompute"}')).toEqual([400, "string", "string"])
    expect(await bad("/pg/statistics", "{")).toEqual([400, "string", "string"])
    expect((await http(authority, { path: "/pg/statistics" }, '{"mode":"refresh"}')).status).toBe(200)
    expect((await http(authority, { path: "/pg/statistics", method: "DELETE" })).status).toBe(405)
  })

  it("are for users who may read the graph", async () => {
    const server = await startServer({ ...asking(), ...modern })
    expect((await http(server.authority, { path: "/pg/statistics/summary" })).status).toBe(401)
  })
})
