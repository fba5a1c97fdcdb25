import { randomUUID } from "node:crypto"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import type { ServerSettings } from "../../../src/services/Config.ts"
import { http, raw } from "../support/HttpClient.ts"
import { binaryMessage, codes, SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, modern, startInside, startServer, type TestedServer } from "../support/TestServers.ts"
import { asking, basic, change, givingTokens, plain, twoGraphs, user, usersOf } from "../support/Users.ts"

const body = '{"gremlin":"g.V().count()"}'

const request = (headers: ReadonlyArray<string>, line = "POST / HTTP/1.1"): string =>
  `${[line, "Host: x", ...headers, "Connection: close", `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`

const statusOf = async (server: TestedServer, text: string): Promise<number> =>
  Number(/^HTTP\/1\.1 (\d+)/.exec(await raw(server.authority, text))?.[1])

describe("An Authorization header", () => {
  it("is refused when it is sent twice, whichever of the two is correct", async () => {
    const server = await startServer({ ...modern, ...asking() })
    const right = `Authorization: ${basic()}`
    const wrong = `authorization: ${basic(user, "wrong")}`
    expect(await statusOf(server, request([right]))).toBe(200)
    for (const headers of [
      [right, wrong],
      [wrong, right],
      [right, right]
    ]) {
      expect(await statusOf(server, request(headers))).toBe(400)
    }
  })

  it("is not read from other headers, the trailer, the query, the URL or a cookie", async () => {
    const server = await startServer({ ...modern, ...givingTokens() })
    const value = basic()
    const elsewhere = [
      request([`Proxy-Authorization: ${value}`]),
      request([`X-Authorization: ${value}`, `X-Forwarded-User: ${user}`, `Remote-User: ${user}`]),
      request([`Cookie: Authorization=${value}`]),
      request([], `POST /?Authorization=${encodeURIComponent(value)} HTTP/1.1`),
      request([], `POST http://${user}:x@localhost/ HTTP/1.1`),
      request(["X: y", ` Authorization: ${value}`]),
      "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n" +
        `${body.length.toString(16)}\r\n${body}\r\n0\r\nAuthorization: ${value}\r\n\r\n`
    ]
    for (const text of elsewhere) expect([text, (await statusOf(server, text)) >= 400]).toEqual([text, true])
    const aliases = [
      "/",
      "//",
      "/./",
      "/gremlin",
      "/health/live/../../",
      "/%2e",
      "/metrics/",
      "/Metrics",
      "/session/",
      "*"
    ]
    for (const path of aliases) {
      const status = await statusOf(server, request([], `POST ${path} HTTP/1.1`))
      expect([path, status]).toEqual([path, 401])
    }
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH", "TRACE"]) {
      for (const path of ["/", "/?gremlin=1", "/metrics", "/gremlin/status", "/gremlin/status/x", "/session"]) {
        const status = await statusOf(server, request([], `${method} ${path} HTTP/1.1`))
        expect([method, path, status]).toEqual([method, path, 401])
      }
    }
  })
})

describe("An upgrade", () => {
  it("with the correct password is still challenged", async () => {
    const server = await startServer({ ...modern, ...givingTokens() })
    const { json } = await http(server.authority, { path: "/session", headers: { authorization: basic() } })
    for (const authorization of [basic(), `Token ${json.token}`]) {
      const client = await SocketClient.connect(server.authority, "/gremlin", { headers: { authorization } })
      const id = client.send("eval", "", { gremlin: "1" })
      await client.count(1)
      expect([client.frames[0]!.requestId, codes(client.frames)]).toEqual([id, [407]])
    }
  })

  it("to another protocol needs credentials like any request", async () => {
    const server = await startServer({ ...modern, ...asking() })
    const upgrade = ["Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"]
    const text = (headers: ReadonlyArray<string>) =>
      request([...headers, ...upgrade]).replace("Connection: close", "Connection: close, Upgrade, HTTP2-Settings")
    expect(await statusOf(server, text([]))).toBe(401)
    expect(await statusOf(server, text([`Authorization: ${basic()}`]))).toBe(200)
    const hidden = text(["X: a\u000bAuthorization: b"])
    expect(await statusOf(server, hidden)).not.toBe(200)
  })
})

describe("A page of another site", () => {
  it("cannot make a browser with the password send a request", async () => {
    const server = await startServer({ ...modern, ...asking() })
    const authorization = basic()
    const send = async (headers: Record<string, string>, path = "/?gremlin=g.V().drop()", method = "GET") =>
      (await http(server.authority, { path, method, headers: { authorization, ...headers } })).status
    // A form or a script, of a page or of a sandbox; an image or a link, which send no Origin.
    for (const origin of [
      "https://evil.example",
      "null",
      "http://localhost.evil.example",
      "http://127.0.0.1.evil.example"
    ]) {
      expect([origin, await send({ origin }, "/", "POST")]).toEqual([origin, 403])
    }
    expect(await send({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" })).toBe(403)
    expect(await send({ "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" })).toBe(403)
    expect(await send({ origin: "https://evil.example" }, "/gremlin/status?cancelQuery&queryId=x", "POST")).toBe(403)
    await expect(SocketClient.connect(server.authority, "/gremlin", { origin: "null" })).rejects.toThrow("403")
    for (const referer of ["http://evil.example/", "http://localhost:80@evil.example/", "data:http://localhost/"]) {
      expect([referer, await send({ "sec-fetch-site": "cross-site", referer })]).toEqual([referer, 403])
    }
    // A link on a page of this machine, an address that the user types, or a page of the server itself.
    const linked = { "sec-fetch-site": "same-site", referer: "http://localhost:3000/tutorial?x" }
    expect(await send(linked, "/?gremlin=g.V().count()")).toBe(200)
    expect(await send({ "sec-fetch-site": "none" }, "/?gremlin=g.V().count()")).toBe(200)
    expect(await send({ "sec-fetch-site": "same-origin" }, "/?gremlin=g.V().count()")).toBe(200)
    // Over plain HTTP on a network the browser does not say which site caused the request.
    for (const [referer, status] of [
      ["http://evil.example/page", 403],
      [`http://${server.authority}@evil.example/`, 403],
      [`http://${server.authority}/console/`, 200],
      ["http://localhost:3000/tutorial", 200]
    ] as const)
      expect([referer, await send({ referer }, "/?gremlin=g.V().count()")]).toEqual([referer, status])
    const open = await startServer({ allowedOrigins: ["*"] })
    const elsewhere = { "sec-fetch-site": "cross-site" }
    expect((await http(open.authority, { path: "/?gremlin=1", headers: elsewhere })).status).toBe(200)
  })
})

describe("A server on a loopback address without authentication", () => {
  const send = async (server: TestedServer, host: string, headers: ReadonlyArray<string>): Promise<number> =>
    statusOf(server, request(headers, "GET /?gremlin=1 HTTP/1.1").replace("Host: x", `Host: ${host}`))
  const browser = ["User-Agent: Mozilla/5.0 (X11)", "Accept-Language: en"]

  it("refuses pages whose name is rebound to it", async () => {
    const server = await startServer()
    expect(await send(server, "evil.example:8182", browser)).toBe(403)
    expect(await send(server, "127.0.0.1.evil.example", browser)).toBe(403)
    expect(await send(server, "evil.example", ["User-Agent: curl/8", "Accept-Language: *"])).toBe(403)
    for (const own of ["localhost:8182", "127.0.0.1:8182", "[::1]:8182", "dev.localhost", "192.168.0.7"]) {
      expect([own, await send(server, own, browser)]).toEqual([own, 200])
    }
    expect(await send(server, "graph.example", ["User-Agent: python-requests/2"])).toBe(200)
  })

  it("shows them no requests, and lets them cancel none", async () => {
    const server = await startServer()
    const at = async (server: TestedServer, line: string, host: string, headers = browser) =>
      statusOf(server, request(headers, `${line} HTTP/1.1`).replace("Host: x", `Host: ${host}`))
    const paths = ["GET /gremlin/status", "GET /metrics", "HEAD /metrics", "DELETE /gremlin/status/x"]
    for (const line of [...paths, "POST /gremlin/status?cancelQuery&queryId=x"]) {
      expect([line, await at(server, line, "evil.example:8182")]).toEqual([line, 403])
      expect([line, await at(server, line, "localhost:8182")]).not.toEqual([line, 403])
    }
    for (const line of ["GET /health/live", "GET /health/ready"]) {
      expect([line, await at(server, line, "evil.example:8182")]).toEqual([line, 200])
    }
    const open = await startServer({ ...asking(), openMetrics: true, openStatus: true })
    for (const line of ["GET /gremlin/status", "GET /metrics"]) {
      expect([line, await at(open, line, "evil.example")]).toEqual([line, 403])
      expect([line, await at(open, line, "localhost")]).toEqual([line, 200])
    }
    const asked = await startServer(asking())
    const right = [...browser, `Authorization: ${basic()}`]
    expect(await at(asked, "GET /metrics", "graph.example", right)).toBe(200)
  })

  it("accepts names that allowedOrigins lists, and all names when it asks for passwords", async () => {
    const listed = await startServer({ allowedOrigins: ["https://graph.example"] })
    expect(await send(listed, "graph.example", browser)).toBe(200)
    const right = [...browser, `Authorization: ${basic()}`]
    expect(await send(await startServer(asking()), "graph.example", right)).toBe(200)
  })
})

describe("A server on all addresses without authentication", () => {
  const browser = ["User-Agent: Mozilla/5.0 (X11)", "Accept-Language: en"]

  it("refuses pages whose name may be rebound to it, and accepts names that no stranger can register", async () => {
    const server = await startServer({ host: "0.0.0.0", allowedOrigins: ["http://listed.example:8182"] })
    const send = (host: string, headers: ReadonlyArray<string>): Promise<number> =>
      statusOf(server, request(headers, "GET /?gremlin=1 HTTP/1.1").replace("Host: x", `Host: ${host}`))
    for (const foreign of ["evil.example:8182", "graph.evil.example", "local.evil.example", "evil.example."]) {
      expect([foreign, await send(foreign, browser)]).toEqual([foreign, 403])
    }
    const own = ["192.168.0.7:8182", "[fd00::7]:8182", "localhost", "graph:8182", "nas.local", "graph.team.internal"]
    for (const host of [...own, "graph.default.svc.cluster.local:8182", "listed.example:8182"]) {
      expect([host, await send(host, browser)]).toEqual([host, 200])
    }
    for (const host of ["graph.graphs.svc", "graph.default.svc.cluster.local.", "graph.service.consul:8182"]) {
      expect([host, await send(host, browser)]).toEqual([host, 200])
    }
  })

  it("answers programs by each of its names", async () => {
    const server = await startServer({ host: "0.0.0.0" })
    const powerShell = "User-Agent: Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.22621"
    const node = ["User-Agent: node", "Accept-Language: *", "Sec-Fetch-Mode: cors"]
    for (const program of [["User-Agent: curl/8"], [powerShell], node, []]) {
      const get = request(program, "GET /?gremlin=1 HTTP/1.1").replace("Host: x", "Host: graph.example:8182")
      expect([program, await statusOf(server, get)]).toEqual([program, 200])
    }
    const page = request([...node, "Sec-Fetch-Site: none"], "GET /?gremlin=1 HTTP/1.1")
    expect(await statusOf(server, page.replace("Host: x", "Host: graph.example"))).toBe(403)
  })

  it("answers the fetch of Node.js as it answers other programs", async () => {
    const headers = await new Promise<IncomingHttpHeaders>((resolve) => {
      const echo = createServer(({ headers }, response) => {
        response.end()
        echo.close()
        resolve(headers)
      }).listen(0, "127.0.0.1", () => void fetch(`http://127.0.0.1:${(echo.address() as AddressInfo).port}/`))
    })
    const lines = Object.entries(headers).filter(([name]) => name !== "host" && name !== "connection")
    const get = request(
      lines.map(([name, value]) => `${name}: ${String(value)}`),
      "GET /?gremlin=1 HTTP/1.1"
    )
    const server = await startServer({ host: "0.0.0.0" })
    expect(await statusOf(server, get.replace("Host: x", "Host: graph.example:8182"))).toBe(200)
  })
})

describe("A client without a password", () => {
  it("does not fill the log", async () => {
    const server = await startServer(givingTokens())
    const forged = Buffer.from(`${user}:1:AAAA`).toString("base64url")
    const headers = { authorization: `Token ${forged}` }
    await Promise.all(Array.from({ length: 300 }, () => http(server.authority, { headers }, body)))
    const lines = () => server.log.filter((line) => line.startsWith("WARN Authentication failed")).length
    await eventually(() => lines() > 0)
    expect(lines()).toBeLessThan(250)
  })
})

describe("A session", () => {
  it("is refused to another connection of the same user, and to other users, in every operation", async () => {
    const server = await startInside(asking())
    await change(usersOf(server).add("marko", "other", undefined))
    const connect = async (sasl: string) => {
      const client = await SocketClient.connect(server.authority)
      client.send("authentication", "", { sasl })
      return client
    }
    const owner = await connect(plain())
    expect((await owner.eval("x = 42", { session: "s" })).status.code).toBe(200)
    for (const thief of [await connect(plain()), await connect(plain("marko", "other"))]) {
      expect((await thief.eval("x", { session: "s" })).status.message).toContain("not bound to the connecting client")
      for (const force of [true, false]) {
        const close = thief.send("close", "session", { session: "s", force })
        expect((await thief.answer(close)).status.code).toBe(500)
      }
    }
    expect((await owner.eval("x", { session: "s" })).result.data).toEqual([42])
  })
})

describe("Simultaneous answers to a challenge", () => {
  it("leave each request with one answer, in whatever order they are correct and wrong", async () => {
    const server = await startInside(asking({ maxFailures: 0 }))
    await change(usersOf(server).add("marko", "secret", "editor"))
    const right = plain()
    const orders = [
      ["wrong", right],
      [right, "wrong"],
      [right, right],
      ["wrong", "wrong", right],
      [plain("marko", "secret"), right]
    ]
    for (const order of orders) {
      const client = await SocketClient.connect(server.authority)
      const ids = [1, 2, 3].map((number) => client.send("eval", "", { gremlin: String(number) }))
      for (const sasl of order) {
        client.send("authentication", "", { sasl: sasl === "wrong" ? plain("stephen", `not ${Math.random()}`) : sasl })
      }
      for (const id of ids) await client.answer(id)
      expect((await client.eval("4")).status.code).toBe(200)
      const codesOf = (id: string) =>
        client.frames.flatMap(({ requestId, status: { code } }) => (requestId === id && code !== 407 ? [code] : []))
      for (const id of ids) expect([order.length, codesOf(id).length]).toEqual([order.length, 1])
      client.close()
    }
  })
})

describe("A user who was removed", () => {
  it("has no valid token or password, no connection and no request", async () => {
    const server = await startInside(givingTokens())
    await change(usersOf(server).add("marko", "secret", "editor"))
    const given = await http(server.authority, {
      path: "/session",
      headers: { authorization: basic("marko", "secret") }
    })
    const proofs = [basic("marko", "secret"), `Token ${given.json.token}`]
    const status = async (authorization: string) =>
      (await http(server.authority, { headers: { authorization } }, body)).status
    for (const proof of proofs) expect(await status(proof)).toBe(200)
    const client = await SocketClient.connect(server.authority)
    client.send("authentication", "", { sasl: plain("marko", "secret") })
    expect((await client.eval("x = 1", { session: "s" })).status.code).toBe(200)
    await change(usersOf(server).remove("marko"))
    for (const proof of proofs) expect(await status(proof)).toBe(401)
    const id = client.send("eval", "session", { session: "s", gremlin: "x" })
    await eventually(() => client.frames.some(({ requestId, status }) => requestId === id && status.code === 407))
    // A user who is added later with the same name is another user.
    await change(usersOf(server).add("marko", "another", "editor"))
    for (const proof of proofs) expect(await status(proof)).toBe(401)
  })

  it("loses running requests, as after a change of the password, and other users do not", async () => {
    const server = await startInside({ ...asking({ maxFailures: 0 }), enginePool: 3 })
    const endless = "g.inject(1).repeat(__.identity()).until(__.is(2))"
    const requests: Array<readonly [SocketClient, string]> = []
    for (const name of ["gone", "changed", "other"]) {
      await change(usersOf(server).add(name, "secret", "editor"))
      const client = await SocketClient.connect(server.authority)
      client.send("authentication", "", { sasl: plain(name, "secret") })
      expect((await client.eval("1")).status.code).toBe(200)
      requests.push([client, client.send("eval", "", { gremlin: endless, evaluationTimeout: 0 })])
    }
    const running = http(
      server.authority,
      { headers: { authorization: basic("gone", "secret") } },
      JSON.stringify({ gremlin: endless })
    )
    const listed = async (): Promise<ReadonlyArray<string>> => {
      const headers = { authorization: basic() }
      const { json } = await http(server.authority, { path: "/gremlin/status", headers })
      return json.queries.map(({ user }: { readonly user: string }) => user).sort()
    }
    await eventually(async () => (await listed()).length === 4)
    await change(usersOf(server).remove("gone"))
    await change(usersOf(server).setPassword("changed", "another"))
    for (const [client, id] of requests.slice(0, 2)) {
      const { status } = await client.answer(id)
      expect([status.code, status.message]).toEqual([
        401,
        expect.stringContaining("was removed, or has another password")
      ])
    }
    expect((await running).status).toBe(401)
    expect(await listed()).toEqual(["other"])
    requests[2]![0].close()
  })

  it("is listed under its own name only, whatever the name looks like", async () => {
    const server = await startInside(asking({ maxFailures: 0 }))
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "' or true", "*", "user", "\u0000"]) {
      expect([
        name,
        (await http(server.authority, { headers: { authorization: basic(name, "x") } }, body)).status
      ]).toEqual([name, 401])
    }
    for (const name of ["__proto__", "constructor", "g.V().drop()"]) {
      await change(usersOf(server).add(name, "secret", "reader"))
      const authorization = basic(name, "secret")
      expect([name, (await http(server.authority, { headers: { authorization } }, body)).status]).toEqual([name, 200])
    }
  })
})

describe("A request", () => {
  const two: Partial<ServerSettings> = {
    ...twoGraphs,
    authorization: { authorizer: "RoleAuthorizer", config: {} }
  }

  it("does not gain the rights of another graph by its aliases", async () => {
    const server = await startInside({ ...asking(), ...two })
    await change(usersOf(server).add("marko", "secret", "reader"))
    await change(usersOf(server).setRole("marko", { graph: "other", role: "editor" }))
    const client = await SocketClient.connect(server.authority)
    client.send("authentication", "", { sasl: plain("marko", "secret") })
    expect((await client.eval("g.addV()", { aliases: { g: "g_other" } })).status.code).toBe(200)
    for (const [script, aliases] of [
      ["g_other.addV()", { g_other: "g" }],
      ["x.addV()", { x: "g" }],
      ["x.addVertex()", { x: "graph" }],
      ["x.traversal().addV()", { x: "graph" }],
      ["g.addV()", {}],
      ["y = g; y.addV().next()", { g_other: "g" }],
      ["v = g_other.V().next(); g.V(v.id()).drop().iterate()", {}]
    ] as const) {
      expect([script, (await client.eval(script, { aliases })).status.code]).toEqual([script, 401])
    }
    const hidden = ["credentialsDb", "g_credentialsDb", "credentialsDb.traversal()"]
    for (const name of hidden) {
      const answer = await client.eval("g.V()", { aliases: { g: name } })
      expect([name, answer.status.code, answer.result.data]).toEqual([name, 499, null])
    }
  })

  it("with bytecode reaches only configured sources, whatever name it uses", async () => {
    const server = await startInside({ ...asking(), ...two })
    await change(usersOf(server).add("marko", "secret", "admin"))
    const client = await SocketClient.connect(server.authority)
    client.send("authentication", "", { sasl: plain("marko", "secret") })
    const step = (...instruction: ReadonlyArray<unknown>) => ({
      "@type": "g:Bytecode",
      "@value": { step: [instruction] }
    })
    const send = (gremlin: unknown, aliases: Record<string, unknown>) => {
      const requestId = randomUUID()
      const args = ["gremlin", gremlin, "aliases", { "@type": "g:Map", "@value": Object.entries(aliases).flat() }]
      const message = {
        requestId: { "@type": "g:UUID", "@value": requestId },
        op: "bytecode",
        processor: "traversal",
        args: { "@type": "g:Map", "@value": args }
      }
      client.ws.send(binaryMessage("application/vnd.gremlin-v3.0+json", JSON.stringify(message)))
      return client.answer(requestId)
    }
    expect((await send(step("V"), { g: "g" })).status.code).toBe(204)
    const names = [
      "credentialsDb",
      "g_credentialsDb",
      "graph",
      "graph.traversal()",
      "credentialsDb.traversal()",
      "__proto__"
    ]
    for (const name of [...names, "constructor", "", " g", "G"]) {
      expect([name, (await send(step("V"), { g: name })).status.code]).toEqual([name, 499])
    }
    expect((await send(step("V"), {})).status.code).toBe(499)
    expect((await send(step("V"), { g: "g", h: "g_other" })).status.code).toBe(499)
    const unknown = [step("constructor"), step("__proto__"), step("clone"), step("getGraph")]
    for (const gremlin of unknown) expect((await send(gremlin, { g: "g" })).status.code).toBeGreaterThanOrEqual(400)
  })

  it("is not listed or cancelled by other users who guess its id", async () => {
    const server = await startInside({ ...asking(), ...two })
    for (const name of ["marko", "josh"]) await change(usersOf(server).add(name, "secret", "reader"))
    const requestId = randomUUID()
    const running = http(
      server.authority,
      { headers: { authorization: basic("marko", "secret") } },
      JSON.stringify({ gremlin: endless, requestId })
    )
    const status = async (name: string) =>
      (await http(server.authority, { path: "/gremlin/status", headers: { authorization: basic(name, "secret") } }))
        .json
    await eventually(async () => (await status("marko")).acceptedQueryCount === 1)
    expect((await status("josh")).acceptedQueryCount).toBe(0)
    const cancel = (name: string) =>
      http(server.authority, {
        method: "DELETE",
        path: `/gremlin/status/${requestId}`,
        headers: { authorization: basic(name, "secret") }
      })
    expect((await cancel("josh")).status).toBe(404)
    // Two requests may have the same id: each is cancelled by its own user only.
    const second = http(
      server.authority,
      { headers: { authorization: basic("josh", "secret") } },
      JSON.stringify({ gremlin: endless, requestId })
    )
    await eventually(async () => (await status("josh")).acceptedQueryCount === 1)
    expect((await cancel("josh")).json.cancelled).toBe(1)
    expect((await second).status).toBe(500)
    expect((await status("marko")).acceptedQueryCount).toBe(1)
    expect((await cancel("marko")).json.cancelled).toBe(1)
    expect((await running).status).toBe(500)
  })
})
