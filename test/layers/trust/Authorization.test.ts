import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import type { ServerSettings } from "../../../src/services/Config.ts"
import type { Role } from "../../../src/services/Credentials.ts"
import { http } from "../support/HttpClient.ts"
import { binaryMessage, SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, type InsideServer, startInside } from "../support/TestServers.ts"
import { asking, basic, change, plain, twoGraphs, user, usersOf } from "../support/Users.ts"

const roles: Partial<ServerSettings> = { authorization: { authorizer: "RoleAuthorizer", config: {} } }

/** A server with users who have these roles, and the password "secret". */
const withRoles = async (
  users: Readonly<Record<string, Role | undefined>>,
  more: Partial<ServerSettings> = {}
): Promise<InsideServer> => {
  const server = await startInside({ ...asking(), ...roles, ...more })
  for (const [name, role] of Object.entries(users)) await change(usersOf(server).add(name, "secret", role))
  return server
}

const ask = (server: InsideServer, name: string, gremlin: string) =>
  http(server.authority, { headers: { authorization: basic(name, "secret") } }, JSON.stringify({ gremlin }))

const reads = [
  "g.V().count()",
  "g.V().has('x', 1).out().path()",
  "x = 1; g.V().toList().size()",
  "graph.toString()",
  "graph.query().has('x').vertices()"
]
const writes = [
  "g.addV('x')",
  "g.V().drop()",
  "g.inject(1).local(__.addV())",
  "x = 5; g.addV().next(); 1",
  "g.V().property('a', 1).iterate()",
  "g.inject([(T.label): 'x']).mergeV(__.identity())",
  "v = g.V().tryNext(); graph.addVertex()",
  "graph.query().vertices().each { it.property('name').remove() }; graph.addVertex().property('name', 'a').remove()"
]
const calls = ["g.call('tinker.search', [search: 'x'])", "g.inject(1).map(__.call('tinker.search', [search: 'x']))"]
const management = ["graph.createIndex('a', Vertex.class)", "graph.dropIndex('a', Vertex.class)"]

describe("Roles", () => {
  it("let readers read, editors write and call services, and admins make indexes", async () => {
    const server = await withRoles({ reader: "reader", editor: "editor", admin: "admin" })
    const allowed: Readonly<Record<string, ReadonlyArray<string>>> = {
      reader: reads,
      editor: [...reads, ...writes, ...calls],
      admin: [...reads, ...writes, ...calls, ...management]
    }
    for (const [name, scripts] of Object.entries(allowed)) {
      for (const script of [...reads, ...writes, ...calls, ...management]) {
        const { status, json } = await ask(server, name, script)
        expect([name, script, status === 403]).toEqual([name, script, !scripts.includes(script)])
        if (status === 403) expect(json.message).toMatch(`Failed to authorize: The user '${name}' may not`)
      }
    }
  })

  it("hold for each call of a closure and of a separate transaction", async () => {
    const server = await withRoles({ reader: "reader", editor: "editor" })
    expect((await ask(server, "editor", "g.addV('x').property('a', 1)")).status).toBe(200)
    const read = [
      "it.get().value('a') == 1",
      "it.get().label() == 'x'",
      "it.get().edges(OUT).hasNext()",
      "g.V().hasNext()"
    ]
    const partOf = "g.withStrategies(new SubgraphStrategy(vertices: hasLabel('x')))"
    for (const each of read) {
      expect([each, (await ask(server, "reader", `g.V().map{ ${each} }`)).status]).toEqual([each, 200])
      expect([each, (await ask(server, "reader", `${partOf}.V().map{ ${each} }`)).status]).toEqual([each, 200])
    }
    const written = [
      "it.get().property('a', 2)",
      "it.get().addEdge('e', it.get())",
      "it.get().remove()",
      "g.addV('y').iterate()",
      "graph.addVertex('y')",
      "graph.createIndex('a', Vertex.class)"
    ]
    for (const each of written) {
      expect([each, (await ask(server, "reader", `g.V().sideEffect{ ${each} }`)).status]).toEqual([each, 403])
      expect([each, (await ask(server, "reader", `g.V().map{ ${each} }`)).status]).toEqual([each, 403])
      expect([each, (await ask(server, "reader", `${partOf}.V().map{ ${each} }`)).status]).toEqual([each, 403])
    }
    // Outside of a step: elements in variables, strings, comparators and functions.
    const others = [
      "TinkerFactory.generateModern(graph)",
      "graph.clear()",
      "def v = g.V().next(); v.property('a', 2)",
      "def v = g.V().next(); v.remove()",
      "def v = g.V().next(); v.addEdge('e', v)",
      `def v = g.V().next(); "\${v.property('a', 2)}"`,
      "[2, 1].sort { x, y -> g.addV('y').next(); x <=> y }",
      "def f() { g.addV('y').next() }; f()",
      "try { 1 / 0 } catch (e) { g.addV('y').iterate() }",
      "println g.addV('y').next()",
      "[1].each { graph.addVertex('y') }",
      "def o = g; o.addV('y').iterate()",
      "graph.traversal().addV('y').iterate()",
      "traversal().with(graph).addV('y').iterate()",
      "graph.variables().set('a', 1)",
      "def e = g.V().next().query().vertices(); g.V().toList()*.remove()",
      "g.V().next().with { it.property('a', 2) }",
      "g.V().next().tap { it.remove() }",
      "g.V().toList().find { it.property('a', 2) }",
      "try { throw new Exception('x') } catch (e) { 1 } finally { graph.addVertex('y') }",
      "def f(n, v = graph.addVertex('y')) { n }; f(1)",
      "switch (1) { case { g.addV('y').iterate(); true }: 1 }",
      "g.inject(1).fold(0) { x, y -> g.addV('y').iterate(); 1 }.next()",
      "g.withSack(1).V().sack { x, y -> graph.addVertex('y'); 1 }.iterate()",
      "g.V().order().by { x, y -> 1 }.by { graph.addVertex('y') }.group().by { graph.addVertex('y') }.iterate()",
      "g.V().until { graph.addVertex('y') }.repeat(__.out()).iterate()",
      "g.V().choose { graph.addVertex('y') }.option(1, __.out()).iterate()"
    ]
    for (const each of others) expect([each, (await ask(server, "reader", each)).status]).toEqual([each, 403])
    const left = await ask(server, "reader", "g.V().has('a', 1).count().next() == 1 && g.E().count().next() == 0")
    expect(left.json.result.data).toEqual({ "@type": "g:List", "@value": [true] })
    expect((await ask(server, "reader", "TinkerGraph.open().traversal().addV().iterate(); 1")).status).toBe(200)
    expect(
      (await ask(server, "reader", "TinkerGraph.open().traversal().io('a.json').write().iterate()")).json.message
    ).toContain("io() is not available")
  })

  it("are needed for closures: with authentication alone they are refused unless the setting allows them", async () => {
    const closure = "g.inject(1).map{ it.get() }"
    const open = async (more: Partial<ServerSettings>) => {
      const server = await startInside({ ...asking(), ...more })
      await change(usersOf(server).add("marko", "secret", undefined))
      return (await ask(server, "marko", closure)).status
    }
    expect(await open({})).toBe(500)
    expect(await open({ closures: true })).toBe(200)
    expect(await open(roles)).toBe(200)
  })

  it("apply to one graph or to all, with a default for users without a role", async () => {
    const server = await withRoles({ marko: "reader", josh: undefined }, twoGraphs)
    await change(usersOf(server).setRole("marko", { role: "editor", graph: "other" }))
    expect((await ask(server, "marko", "g.addV()")).status).toBe(403)
    expect((await ask(server, "marko", "g_other.addV()")).status).toBe(200)
    expect((await ask(server, "josh", "g.addV()")).status).toBe(200)
    expect((await ask(server, "josh", management[0]!)).status).toBe(403)
    const strict = await withRoles({ josh: undefined }, asking({ defaultRole: "reader" }))
    expect((await ask(strict, "josh", "g.addV()")).status).toBe(403)
  })

  it("change for open connections", async () => {
    const server = await withRoles({ marko: "editor" })
    const client = await SocketClient.connect(server.authority)
    client.send("authentication", "", { sasl: plain("marko", "secret") })
    expect((await client.eval("g.addV()")).status.code).toBe(200)
    await change(usersOf(server).setRole("marko", { role: "reader", graph: undefined }))
    expect((await client.eval("g.addV()")).status.code).toBe(401)
    expect((await client.eval("g.V().count()")).status.code).toBe(200)
    const inSession = await client.eval("g.addV()", { session: "s" })
    expect(inSession.status.code).toBe(401)
  })

  it("need a credentials graph", async () => {
    await expect(startInside(roles)).rejects.toThrow("set authentication, too")
  })
})

describe("An authorizer of a module", () => {
  it("gets its configuration, and is called", async () => {
    const module = fileURLToPath(new URL("../support/denying-authorizer.mjs", import.meta.url))
    const server = await startInside({ authorization: { authorizer: { module }, config: { word: "drop" } } })
    expect((await http(server.authority, {}, '{"gremlin":"g.V().count()"}')).status).toBe(200)
    const refused = await http(server.authority, {}, '{"gremlin":"g.V().drop()"}')
    expect([refused.status, refused.json.message]).toEqual([403, "Failed to authorize: '' may not say drop"])
    const broken = { authorization: { authorizer: { module: `${module}.missing` }, config: {} } }
    await expect(startInside(broken)).rejects.toThrow("cannot be used")
  })

  it("must answer at once: the server does not start with an async one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "engine-server-authorizer-"))
    const module = join(folder, "authorizer.mjs")
    writeFileSync(module, "export default () => ({ admit: (user, request) => request, access: async () => {} })")
    const late = { authorization: { authorizer: { module }, config: {} } }
    await expect(startInside(late)).rejects.toThrow("its access() is async, and has to answer at once")
    rmSync(folder, { recursive: true })
  })
})

describe("Running requests", () => {
  const status = async (server: InsideServer, name: string) =>
    (await http(server.authority, { path: "/gremlin/status", headers: { authorization: basic(name, "secret") } })).json
  const cancel = (server: InsideServer, name: string, id: string) =>
    http(server.authority, {
      method: "DELETE",
      path: `/gremlin/status/${id}`,
      headers: { authorization: basic(name, "secret") }
    })

  it("are listed for and cancelled by their user and admins, even while the pool is full", async () => {
    const server = await withRoles({ marko: "editor", josh: "editor", admin: "admin" }, { enginePool: 1 })
    const long = `${endless} // ${"x".repeat(5_000)}`
    const running = ask(server, "marko", long)
    await eventually(async () => (await status(server, "admin")).acceptedQueryCount === 1)
    const waiting = ask(server, "josh", endless)
    await eventually(async () => (await status(server, "admin")).acceptedQueryCount === 2)
    const all = (await status(server, "admin")).queries
    expect(all.map(({ user: name }: { user: string }) => name)).toEqual(["marko", "josh"])
    expect(all[0].request.length).toBeLessThan(1_030)
    expect(all[0].elapsed).toBeGreaterThanOrEqual(all[1].elapsed)
    expect((await status(server, "marko")).queries).toMatchObject([{ user: "marko", requestId: all[0].requestId }])
    expect((await cancel(server, "josh", all[0].requestId)).status).toBe(404)
    expect((await cancel(server, "josh", "%%%")).status).toBe(404)
    expect((await cancel(server, "marko", all[0].requestId)).json.cancelled).toBe(1)
    expect((await running).json.message).toBe("The request was cancelled by the user 'marko'.")
    const byQuery = await http(server.authority, {
      method: "POST",
      path: `/gremlin/status?cancelQuery&queryId=${all[1].requestId}`,
      headers: { authorization: basic("admin", "secret") }
    })
    expect(byQuery.status).toBe(200)
    expect((await waiting).json.message).toBe("The request was cancelled by the user 'admin'.")
    await eventually(async () => (await status(server, "admin")).acceptedQueryCount === 0)
  })

  it("are listed with the beginning of their text, however long their bytecode is", async () => {
    const server = await withRoles({ marko: "editor" }, { enableAuditLog: true })
    const numbers = Array.from({ length: 1_000_000 }, (_, i) => 1_000_000 + i)
    const until = { "@type": "g:Bytecode", "@value": { step: [["is", 2]] } }
    const identity = { "@type": "g:Bytecode", "@value": { step: [["identity"]] } }
    const step = [
      ["inject", { "@type": "g:List", "@value": numbers }],
      ["repeat", identity],
      ["until", until]
    ]
    const requestId = "41d2e28a-20a4-4ab0-b379-d810dede3786"
    const args = { aliases: { g: "g" }, gremlin: { "@type": "g:Bytecode", "@value": { step } } }
    const running = http(
      server.authority,
      {
        method: "POST",
        headers: { authorization: basic("marko", "secret"), "content-type": "application/vnd.gremlin-v3.0+json" }
      },
      JSON.stringify({ requestId, op: "bytecode", processor: "traversal", args })
    )
    await eventually(async () => (await status(server, "marko")).acceptedQueryCount === 1)
    const [listed] = (await status(server, "marko")).queries
    expect(listed.request).toMatch(/^g\.inject\(\[1000000, 1000001, /)
    expect([listed.requestId, listed.request.length <= 1_024]).toEqual([requestId, true])
    expect((await cancel(server, "marko", requestId)).json.cancelled).toBe(1)
    expect((await running).json.exceptions).toEqual(["EvaluationCancelled"])
    const audited = server.log.filter((line) => line.includes("Audit") && line.includes("inject"))
    expect(audited.map((line) => line.length < 1_500)).toEqual([true])
  })

  it("are listed for and cancelled by every user without an authorizer", async () => {
    const server = await startInside()
    const running = http(
      server.authority,
      {},
      JSON.stringify({ gremlin: endless, requestId: "41d2e28a-20a4-4ab0-b379-d810dede3786" })
    )
    await eventually(
      async () => (await http(server.authority, { path: "/gremlin/status" })).json.acceptedQueryCount === 1
    )
    expect((await http(server.authority, { method: "DELETE", path: "/gremlin/status" })).status).toBe(405)
    const unnamed = { method: "POST", path: "/gremlin/status?cancelQuery" }
    expect((await http(server.authority, unnamed)).status).toBe(400)
    const path = "/gremlin/status/41d2e28a-20a4-4ab0-b379-d810dede3786"
    expect((await http(server.authority, { path })).status).toBe(405)
    expect((await http(server.authority, { method: "DELETE", path })).status).toBe(200)
    expect((await running).status).toBe(500)
  })

  it("can be opened by a setting for listing, but not for cancelling", async () => {
    const server = await startInside({ ...asking(), openStatus: true })
    expect((await http(server.authority, { path: "/gremlin/status" })).status).toBe(200)
    expect((await http(server.authority, { method: "POST", path: "/gremlin/status?queryId=x" })).status).toBe(401)
    expect((await http(server.authority, { method: "DELETE", path: "/gremlin/status/x" })).status).toBe(401)
    expect((await http(server.authority, { path: "/metrics" })).status).toBe(401)
  })
})

describe("The audit log", () => {
  it("has a line for each request of a user, without its bindings", async () => {
    const server = await startInside({ ...asking(), enableAuditLog: true })
    const body = JSON.stringify({ gremlin: "g.V().has('name', n)", bindings: { n: "a private name" } })
    await http(server.authority, { headers: { authorization: basic() } }, body)
    const client = await SocketClient.connect(server.authority)
    client.send("authentication", "", { sasl: plain() })
    await client.eval("1 + 1")
    const lines = server.log.filter((line) => line.startsWith("INFO Audit"))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain(`"user":"${user}"`)
    expect(lines[0]).toContain('"address":"127.0.0.1"')
    expect(lines[0]).toContain("g.V().has('name', n)")
    expect(server.log.join()).not.toContain("a private name")
  })

  it("has a line for refused accesses, cancelled requests and failed authentications", async () => {
    const module = fileURLToPath(new URL("../support/denying-authorizer.mjs", import.meta.url))
    const denying = await startInside({
      ...asking(),
      enableAuditLog: true,
      authorization: { authorizer: { module }, config: { word: "drop" } }
    })
    const headers = { authorization: basic() }
    await http(denying.authority, { headers }, '{"gremlin":"g.V().drop()"}')
    const line = (server: InsideServer, start: string) => server.log.filter((each) => each.startsWith(start))
    expect(line(denying, "INFO Audit: not allowed")).toEqual([expect.stringContaining("g.V().drop()")])

    const server = await withRoles({ marko: "reader" }, { enableAuditLog: true })
    await ask(server, "marko", "g.addV()")
    const client = await SocketClient.connect(server.authority)
    client.send("authentication", "", { sasl: plain("marko", "secret") })
    await client.eval("x = 1; g.V().drop()")
    const refused = line(server, "INFO Audit: not allowed")
    expect(refused).toHaveLength(2)
    for (const each of refused)
      expect(each).toMatch(/"user":"marko".*"address":"127.0.0.1".*|"address".*"user":"marko"/)
    const running = ask(server, "marko", endless)
    await eventually(async () => {
      const status = await http(server.authority, {
        path: "/gremlin/status",
        headers: { authorization: basic("marko", "secret") }
      })
      const [query] = status.json.queries
      if (query === undefined) return false
      await http(server.authority, {
        method: "DELETE",
        path: `/gremlin/status/${query.requestId}`,
        headers: { authorization: basic("marko", "secret") }
      })
      return true
    })
    await running
    expect(line(server, "INFO Audit: cancelled")).toEqual([expect.stringContaining('"user":"marko"')])
    await ask(server, "josh", "1")
    await http(server.authority, { headers: { authorization: basic("marko", "wrong") } }, "{}")
    const failures = line(server, "WARN Authentication failed")
    expect(failures).toHaveLength(2)
    expect(failures[1]).toContain('"user":"marko"')
    expect(failures.join()).not.toContain("josh")
  })

  it("cuts long requests, and has the names of bindings without their values", async () => {
    const server = await startInside({ ...asking(), enableAuditLog: true, scriptLogLength: 60, slowQueryThreshold: 1 })
    await http(
      server.authority,
      { headers: { authorization: basic() } },
      JSON.stringify({ gremlin: `'${"x".repeat(5_000)}'` })
    )
    expect(server.log.join().match(/x{60}/)).toBe(null)
    const client = await SocketClient.connect(server.authority)
    client.send("authentication", "", { sasl: plain() })
    const gremlin = {
      "@type": "g:Bytecode",
      "@value": {
        step: [["V"], ["has", "name", { "@type": "g:Binding", "@value": { key: "who", value: "a private name" } }]]
      }
    }
    client.ws.send(
      binaryMessage(
        "application/vnd.gremlin-v3.0+json",
        JSON.stringify({
          requestId: { "@type": "g:UUID", "@value": "41d2e28a-20a4-4ab0-b379-d810dede3786" },
          op: "bytecode",
          processor: "traversal",
          args: {
            "@type": "g:Map",
            "@value": ["gremlin", gremlin, "aliases", { "@type": "g:Map", "@value": ["g", "g"] }]
          }
        })
      )
    )
    await eventually(() => server.log.some((each) => each.includes("g.V().has")))
    expect(server.log.join()).toContain("who")
    expect(server.log.join()).not.toContain("a private name")
  })
})
