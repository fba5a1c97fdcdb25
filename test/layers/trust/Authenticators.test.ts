import { createHmac } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseOptions, verify } from "@node-rs/bcrypt"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { unmatchableHash } from "../../../src/layers/trust/PasswordChecks.ts"
import { parseToken, Tokens } from "../../../src/layers/trust/Tokens.ts"
import { emptyTinkerGraph, type GraphSettings, tinkerGraphDefaults } from "../../../src/services/Config.ts"
import { defaultSettings } from "../../../src/services/DefaultSettings.ts"
import { openAuthentication } from "../../../src/services/TrustSettings.ts"
import { newFolder } from "../../Folders.ts"
import { patience } from "../../Limits.ts"
import { http, raw } from "../support/HttpClient.ts"
import { janusGraph } from "../support/JanusGraphTokens.ts"
import { graphOf } from "../support/LmdbGraphs.ts"
import { codes, SocketClient } from "../support/SocketClient.ts"
import { eventually, modern, startInside, startServer } from "../support/TestServers.ts"
import { asking, basic, change, givingTokens, password, plain, user, usersOf } from "../support/Users.ts"

const wrong = "Username and/or password are incorrect"

const evaluate = (authority: string, authorization?: string, path = "/") =>
  http(
    authority,
    { method: "POST", path, headers: authorization === undefined ? {} : { authorization } },
    '{"engine":"g.V().count()"}'
  )

describe("HTTP Basic", () => {
  it("accepts only the correct password, in both alphabets of Base64 and any case of the scheme", async () => {
    const { authority } = await startServer({ ...modern, ...asking() })
    const encoded = basic().slice("Basic ".length)
    expect(encoded).toMatch(/[+/]/)
    for (const right of [basic(), basic(user, password, "base64url"), `basic ${encoded}`, `BASIC  ${encoded}`]) {
      expect((await evaluate(authority, right)).status).toBe(200)
    }
    const others = [
      undefined,
      "",
      "Basic",
      "Basic !!!",
      `Bearer ${encoded}`,
      `Token ${encoded}`,
      basic(user, `${password}x`),
      basic(user, ""),
      basic("", password),
      basic("nobody"),
      basic(user.toUpperCase()),
      `Basic ${Buffer.from(user).toString("base64")}`
    ]
    for (const authorization of others) {
      const answer = await evaluate(authority, authorization)
      expect([authorization, answer.status]).toEqual([authorization, 401])
      expect(answer.headers["www-authenticate"]).toBe('Basic realm="engine-server", charset="UTF-8"')
      expect(answer.headers["content-type"]).toBe("application/json")
      expect(answer.json).toMatchObject({ exceptions: ["Unauthorized"] })
    }
    expect((await evaluate(authority, basic(user, "x"))).json.message).toBe(wrong)
    expect((await evaluate(authority, basic("nobody", "x"))).json.message).toBe(wrong)
  })

  it("is needed by every request of a connection, whatever its method and path", async () => {
    const { authority } = await startServer({ ...modern, ...asking() })
    const request = (authorization: string, line = "POST / HTTP/1.1") =>
      `${line}\r\nHost: x\r\n${authorization}Content-Length: 15\r\n\r\n{"gremlin":"7"}`
    const right = `Authorization: ${basic()}\r\n`
    const answer = await raw(
      authority,
      [
        request(right),
        request(""),
        request(right),
        request(`Authorization: ${basic(user, "wrong")}\r\n`),
        request("", "PUT / HTTP/1.1"),
        request("", "GET /session HTTP/1.1"),
        request("", "POST /gremlin/status HTTP/1.1"),
        request("", "GET /metrics HTTP/1.1"),
        request("", "GET /health/live HTTP/1.1"),
        request(`${right}Connection: close\r\n`)
      ].join("")
    )
    expect(answer.match(/(?<=HTTP\/1.1 )\d+/g)!.map(Number)).toEqual([200, 401, 200, 401, 401, 401, 401, 401, 200, 200])
  })

  it("is checked before the body is read", async () => {
    const { authority } = await startServer(asking())
    const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n"
    expect(await raw(authority, head)).toMatch(/^HTTP\/1.1 401/)
  })

  it("is checked before a client with Expect: 100-continue sends its body", async () => {
    const { authority } = await startServer({ ...modern, ...asking() })
    const body = '{"gremlin":"7"}'
    const head = (more: string) =>
      `POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n${more}\r\n`
    const authorization = `Authorization: ${basic()}\r\n`
    const statuses = (text: string) => text.match(/(?<=HTTP\/1.1 )\d+/g)
    expect(statuses(await raw(authority, head("Connection: close\r\n")))).toEqual(["401"])
    const known = await raw(authority, [head(`${authorization}Connection: close\r\n`), body])
    expect(statuses(known)).toEqual(["100", "200"])
    // The server does not know whether the body still arrives, so it reads no further request.
    expect(statuses(await raw(authority, head("") + body + head(authorization) + body))).toEqual(["401"])
  })
})

describe("SASL", () => {
  it("holds requests back until the client has authenticated", async () => {
    const { authority } = await startServer({ ...modern, ...asking() })
    const client = await SocketClient.connect(authority)
    const requests = ["g.V().count()", "1", "2"].map((gremlin) => client.send("eval", "", { gremlin }))
    await client.count(1)
    expect(client.frames[0]).toMatchObject({
      requestId: requests[0],
      status: { code: 407, message: "", attributes: {} }
    })
    client.send("authentication", "", { saslMechanism: "PLAIN", sasl: plain() })
    for (const id of requests) expect((await client.answer(id)).status.code).toBe(200)
    expect((await client.eval("3")).result.data).toEqual([3])
    expect(codes(client.frames)).toEqual([407, 200, 200, 200, 200])
  })

  it("explains a wrong answer, and accepts a correct one afterwards", async () => {
    const { authority } = await startServer(asking())
    const client = await SocketClient.connect(authority)
    for (const sasl of [plain(user, "wrong"), plain("nobody"), "", Buffer.from("no zeros").toString("base64")]) {
      const id = client.send("eval", "", { gremlin: "1" })
      await eventually(() => client.frames.some(({ requestId, status }) => requestId === id && status.code === 407))
      client.send("authentication", "", { sasl })
      const answer = await client.answer(id)
      expect([answer.status.code, answer.status.message]).toEqual([401, wrong])
    }
    const id = client.send("eval", "", { gremlin: "1" })
    const malformed = client.send("authentication", "", { sasl: "!!" })
    expect((await client.answer(malformed)).status.code).toBe(499)
    client.send("authentication", "", { sasl: plain() })
    expect((await client.answer(id)).status.code).toBe(200)
  })

  it("accepts requests of a session only from the user who opened it", async () => {
    const server = await startInside(asking())
    await change(usersOf(server).add("marko", "other", undefined))
    const client = await SocketClient.connect(server.authority)
    client.send("authentication", "", { sasl: plain() })
    expect((await client.eval("x = 1", { session: "s" })).status.code).toBe(200)
    const second = client.send("authentication", "", { sasl: plain("marko", "other") })
    expect((await client.answer(second)).status.code).toBe(498)
    expect((await client.eval("x", { session: "s" })).result.data).toEqual([1])
    // Only a user who must authenticate again leaves the connection to another one.
    await change(usersOf(server).setPassword(user, "another"))
    const third = client.send("authentication", "", { sasl: plain("marko", "other") })
    expect((await client.answer(third)).status.code).toBe(204)
    expect((await client.eval("x", { session: "s" })).status.message).toContain("not bound to the connecting client")
  })

  it("asks again after a change of the password, and refuses a user who was removed", async () => {
    const server = await startInside(asking())
    const client = await SocketClient.connect(server.authority)
    client.send("authentication", "", { sasl: plain() })
    expect((await client.eval("1")).status.code).toBe(200)
    await change(usersOf(server).setPassword(user, "another"))
    const id = client.send("eval", "", { gremlin: "1" })
    await eventually(() => client.frames.some(({ status }) => status.code === 407))
    client.send("authentication", "", { sasl: plain() })
    expect((await client.answer(id)).status.code).toBe(401)
    const again = client.send("eval", "", { gremlin: "1" })
    client.send("authentication", "", { sasl: plain(user, "another") })
    expect((await client.answer(again)).status.code).toBe(200)
    await change(usersOf(server).remove(user))
    const last = client.send("eval", "", { gremlin: "1" })
    client.send("authentication", "", { sasl: plain(user, "another") })
    expect((await client.answer(last)).status.code).toBe(401)
  })

  it("refuses all waiting requests after authenticationTimeout, five seconds", async () => {
    expect(openAuthentication.authenticationTimeout).toBe(5_000)
    const authenticationTimeout = 100 * patience
    const { authority } = await startServer(asking({ authenticationTimeout }))
    const client = await SocketClient.connect(authority)
    const requests = ["1", "2"].map((gremlin) => client.send("eval", "", { gremlin }))
    for (const id of requests) {
      expect((await client.answer(id)).status.message).toBe(
        `Authentication did not finish in the allowed duration (${authenticationTimeout} ms), which is ` +
          "authentication.config.authenticationTimeout. Answer the challenge earlier, and send the request again."
      )
    }
    expect(codes(client.frames)).toEqual([407, 401, 401])
    const late = client.send("eval", "", { gremlin: "3" })
    client.send("authentication", "", { sasl: plain() })
    expect((await client.answer(late)).result.data).toEqual([3])
  })

  it("lets a bounded number of requests and bytes wait", async () => {
    const { authority } = await startServer(asking({ authenticationTimeout: 60_000 }))
    const many = await SocketClient.connect(authority)
    const requests = Array.from({ length: 70 }, () => many.send("eval", "", { gremlin: "1" }))
    const refused = await many.answer(requests[64]!)
    expect([refused.status.code, refused.status.message]).toEqual([
      401,
      `At most 64 requests, together of at most ${defaultSettings().maxContentLength} bytes (maxContentLength), wait for the ` +
        "authentication of a connection. Authenticate before you send more."
    ])
    many.send("authentication", "", { sasl: plain() })
    for (const id of requests.slice(0, 64)) expect((await many.answer(id)).status.code).toBe(200)
    for (const id of requests.slice(64)) expect((await many.answer(id)).status.code).toBe(401)
    const small = await startServer(asking({ authenticationTimeout: 60_000 }))
    const large = await SocketClient.connect(small.authority)
    const bytes = "x".repeat(defaultSettings().maxContentLength / 2)
    const first = large.send("eval", "", { gremlin: "1", bindings: { a: bytes } })
    const second = large.send("eval", "", { gremlin: "2", bindings: { a: bytes } })
    expect((await large.answer(second)).status.code).toBe(401)
    large.send("authentication", "", { sasl: plain() })
    expect((await large.answer(first)).status.code).toBe(200)
  })

  it("says how many answers to the challenge may be checked at once", async () => {
    const { authority } = await startServer(asking())
    const client = await SocketClient.connect(authority)
    const ids = Array.from({ length: 6 }, () => client.send("authentication", "", { sasl: plain(user, "wrong") }))
    const answers = await Promise.all(ids.map((id) => client.answer(id)))
    expect(answers.map(({ status }) => status.code)).toEqual([401, 401, 401, 401, 401, 401])
    expect(answers[5]!.status.message).toBe(
      "A connection has at most 5 answers to challenges that are wrong or still being checked. Wait for the result of one before " +
        "you send the next."
    )
  })

  it("accepts only the mechanism PLAIN, and only answers to the challenge", async () => {
    const { authority } = await startServer(asking())
    for (const saslMechanism of [undefined, "PLAIN", "plain", ""]) {
      const client = await SocketClient.connect(authority)
      client.send("authentication", "", { sasl: plain(), saslMechanism })
      expect((await client.eval("1")).status.code).toBe(200)
    }
    const client = await SocketClient.connect(authority)
    for (const saslMechanism of ["GSSAPI", "SCRAM-SHA-256"]) {
      const id = client.send("authentication", "", { sasl: plain(), saslMechanism })
      const { status } = await client.answer(id)
      expect([status.code, status.message]).toEqual([401, expect.stringContaining("PLAIN")])
    }
    const garbage: ReadonlyArray<unknown> = [undefined, null, 5, true, {}, ["a"], "not base64!", "=", "\u0000"]
    for (const sasl of garbage) {
      const id = client.send("authentication", "", { sasl })
      expect([sasl, [401, 499].includes((await client.answer(id)).status.code)]).toEqual([sasl, true])
    }
    const random = Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * 7919) % 256)).toString("base64")
    const id = client.send("authentication", "", { sasl: random })
    expect((await client.answer(id)).status.code).toBe(401)
    client.send("authentication", "", { sasl: plain() })
    expect((await client.eval("1")).status.code).toBe(200)
  })

  it("evaluates no request of any kind before", async () => {
    const { authority } = await startServer(asking({ authenticationTimeout: 100 }))
    const kinds: ReadonlyArray<readonly [string, string, Record<string, unknown>]> = [
      ["eval", "", { gremlin: "1" }],
      ["eval", "session", { gremlin: "1", session: "s" }],
      ["close", "session", { session: "s", force: true }],
      ["bytecode", "traversal", { gremlin: "x" }],
      ["gather", "traversal", {}],
      ["nonsense", "nobody", {}]
    ]
    for (const [op, processor, args] of kinds) {
      const client = await SocketClient.connect(authority)
      const id = client.send(op, processor, args)
      expect([op, (await client.answer(id)).status.code]).toEqual([op, 401])
      expect([op, codes(client.frames)]).toEqual([op, [407, 401]])
    }
  })
})

describe("Tokens", () => {
  it("are given for a password, and replace it on every path and request", async () => {
    const { authority } = await startServer({ ...modern, ...givingTokens() })
    const given = await http(authority, { path: "/session", headers: { authorization: basic() } })
    expect([given.status, Object.keys(given.json)]).toEqual([200, ["token"]])
    expect(given.headers["cache-control"]).toBe("no-store")
    const token = `Token ${given.json.token}`
    for (const path of ["/session", "/", "/gremlin", "/any/path"]) {
      expect((await evaluate(authority, token, path)).status).toBe(200)
    }
    const tampered = `${token.slice(0, -20)}${token.at(-20) === "a" ? "b" : "a"}${token.slice(-19)}`
    for (const authorization of [undefined, tampered, `Bearer ${given.json.token}`, `Basic ${given.json.token}`]) {
      expect([authorization, (await evaluate(authority, authorization)).status]).toEqual([authorization, 401])
    }
    expect((await evaluate(authority, basic())).status).toBe(200)
    // A token does not give another token. With a query the path evaluates like any other.
    expect((await http(authority, { path: "/session", headers: { authorization: token } })).status).toBe(401)
    expect((await http(authority, { path: "/session?gremlin=1", headers: { authorization: token } })).status).toBe(200)
  })

  it("of one server are valid on another one with the same secret and users, and not with another secret", async () => {
    const [one, two, other] = await Promise.all([
      startInside(givingTokens()),
      startInside(givingTokens()),
      startInside(givingTokens({ hmacSecret: Redacted.make("another") }))
    ])
    const { json } = await http(one.authority, { path: "/session", headers: { authorization: basic() } })
    expect((await evaluate(one.authority, `Token ${json.token}`)).status).toBe(200)
    // Each of these servers hashed the password with its own salt, so tokens are not valid on the other server.
    expect((await evaluate(two.authority, `Token ${json.token}`)).status).toBe(401)
    expect((await evaluate(other.authority, `Token ${json.token}`)).status).toBe(401)
    // A token that JanusGraph would make from the same secret and the same stored hash is valid.
    const { hash } = usersOf(two).find(user) as { readonly hash: string }
    const salt = hash.split("$")[3]!.slice(0, 22)
    const url = (bytes: Buffer) => bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_")
    const now = Date.now()
    const mac = url(createHmac("sha256", `s3cret:${salt}`).update(`${user}${now}`).digest())
    const token = url(Buffer.from(`${user}:${now}:${mac}`))
    expect((await evaluate(two.authority, `Token ${token}`)).status).toBe(200)
  })

  it("of JanusGraph are valid here with its users and its secret, and those made here are equal", async () => {
    const folder = mkdtempSync(join(tmpdir(), "engine-server-users-"))
    const graphLocation = join(folder, "users.json")
    writeFileSync(graphLocation, janusGraph.usersFile)
    const credentialsDb: GraphSettings = {
      ...emptyTinkerGraph,
      name: "credentialsDb",
      factory: { kind: "TinkerGraph", tinkergraph: { ...tinkerGraphDefaults, graphLocation, graphFormat: "graphson" } }
    }
    const hundredYears = 36_525 * 86_400_000
    const users = { credentialsDb, defaultUsername: undefined, defaultPassword: undefined, tokenTimeout: hundredYears }
    const { authority } = await startServer(givingTokens({ ...users, hmacSecret: Redacted.make(janusGraph.secret) }))
    const foreign = await startServer(givingTokens({ ...users, hmacSecret: Redacted.make("another") }))
    rmSync(folder, { recursive: true })
    for (const [name, { text, time }] of Object.entries(janusGraph.tokens)) {
      expect((await evaluate(authority, `Token ${text}`)).status).toBe(200)
      expect((await evaluate(foreign.authority, `Token ${text}`)).status).toBe(401)
      const headers = { authorization: basic(name, janusGraph.password) }
      const { json } = await http(authority, { path: "/session", headers })
      const made = parseToken(json.token)!
      const record = { name, hash: janusGraph.hash, role: undefined, graphRoles: new Map() }
      const theirs = new Tokens({ secret: janusGraph.secret, algorithm: "HmacSHA256", timeout: 1 })
      expect(theirs.make(record, time)).toBe(text)
      expect(theirs.make(record, made.time)).toBe(json.token)
    }
  })

  it("end with tokenTimeout, and with a change of the password", async () => {
    const brief = await startServer(givingTokens({ tokenTimeout: 50 }))
    const first = await http(brief.authority, { path: "/session", headers: { authorization: basic() } })
    await eventually(async () => (await evaluate(brief.authority, `Token ${first.json.token}`)).status === 401)
    const expired = await evaluate(brief.authority, `Token ${first.json.token}`)
    expect(expired.json.message).toContain("expired")

    const server = await startInside(givingTokens())
    const second = await http(server.authority, { path: "/session", headers: { authorization: basic() } })
    expect((await evaluate(server.authority, `Token ${second.json.token}`)).status).toBe(200)
    await change(usersOf(server).setPassword(user, password))
    expect((await evaluate(server.authority, `Token ${second.json.token}`)).status).toBe(401)
  })

  it("serve a WebSocket by SASL on the same port", async () => {
    const { authority } = await startServer(givingTokens())
    const client = await SocketClient.connect(authority)
    client.send("authentication", "", { sasl: plain() })
    expect((await client.eval("1")).status.code).toBe(200)
  })
})

describe("Passwords", () => {
  it("that were correct are forgotten at once after a change", async () => {
    const server = await startInside(asking())
    expect((await evaluate(server.authority, basic())).status).toBe(200)
    await change(usersOf(server).setPassword(user, "another"))
    expect((await evaluate(server.authority, basic())).status).toBe(401)
    expect((await evaluate(server.authority, basic(user, "another"))).status).toBe(200)
    await change(usersOf(server).remove(user))
    expect((await evaluate(server.authority, basic(user, "another"))).status).toBe(401)
  })

  it("are limited for each address when they are wrong, and not when they were correct before", async () => {
    const { authority } = await startServer(asking({ maxFailures: 3 }))
    expect((await evaluate(authority, basic())).status).toBe(200)
    for (let i = 0; i < 3; i++) expect((await evaluate(authority, basic(user, `guess ${i}`))).json.message).toBe(wrong)
    const refused = await evaluate(authority, basic(user, "another guess"))
    expect([refused.status, refused.json.message]).toEqual([401, expect.stringContaining("Too many attempts")])
    expect((await evaluate(authority, basic())).status).toBe(200)
  })

  it("are limited for each user without a limit for addresses, over both transports together", async () => {
    const { authority } = await startServer(asking({ maxFailures: 0, maxUserFailures: 3 }))
    expect((await evaluate(authority, basic(user, "guess"))).json.message).toBe(wrong)
    const client = await SocketClient.connect(authority)
    const messages: Array<string> = []
    for (let i = 0; i < 4; i++) {
      const id = client.send("authentication", "", { sasl: plain(user, `guess ${i}`) })
      messages.push((await client.answer(id)).status.message)
    }
    expect(messages).toEqual([wrong, wrong, ...Array(2).fill(expect.stringContaining("Too many attempts"))])
    expect((await evaluate(authority, basic("someone", "guess"))).json.message).toBe(wrong)
  })

  it("close no WebSocket when the limit of the address is used up by others: they are not compared", async () => {
    const { authority } = await startServer(asking({ maxFailures: 1 }))
    expect((await evaluate(authority, basic(user, "guess"))).json.message).toBe(wrong)
    const client = await SocketClient.connect(authority)
    for (let i = 0; i < 8; i++) {
      const id = client.send("authentication", "", { sasl: plain() })
      expect((await client.answer(id)).status.message).toContain("Too many attempts")
    }
    expect(client.ws.readyState).toBe(client.ws.OPEN)
  })

  it("close a WebSocket with twenty attempts above the limit, which a client makes that guesses the password of a user", async () => {
    const { authority } = await startServer(asking({ maxFailures: 1 }))
    expect((await evaluate(authority, basic(user, "guess"))).json.message).toBe(wrong)
    const client = await SocketClient.connect(authority)
    for (let i = 0; i < 20; i++) {
      expect(client.ws.readyState).toBe(client.ws.OPEN)
      await client.answer(client.send("authentication", "", { sasl: plain(user, `guess ${i}`) }))
    }
    expect((await client.closed).code).toBe(1008)
  })

  it("of many connections that open at once count as one attempt", async () => {
    const { authority } = await startServer(asking({ maxFailures: 2 }))
    const answers = await Promise.all(Array.from({ length: 40 }, () => evaluate(authority, basic())))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it("are compared with a hash for unknown names, too", async () => {
    expect(parseOptions(`$2a$10$${unmatchableHash}`)).toEqual({ version: "2a", cost: 10 })
    expect(await verify("", `$2a$10$${unmatchableHash}`)).toBe(false)
  })

  it("are hashed in the version of bcrypt that JanusGraph reads", async () => {
    const server = await startInside(asking())
    const { hash } = usersOf(server).find(user) as { readonly hash: string }
    expect(hash).toMatch(/^\$2a\$10\$/)
  })

  it("and tokens never appear in the log", async () => {
    const server = await startServer({ ...givingTokens(), slowQueryThreshold: 1, enableAuditLog: true })
    const given = await http(server.authority, { path: "/session", headers: { authorization: basic() } })
    await evaluate(server.authority, `Token ${given.json.token}`)
    await evaluate(server.authority, `Token ${given.json.token}x`)
    await evaluate(server.authority, basic("typed here by mistake", password))
    await evaluate(server.authority, basic(user, "wrong guess"))
    const log = server.log.join("\n")
    expect(log).toContain("Authentication failed")
    for (const secret of [password, given.json.token, "s3cret", "typed here", "wrong guess"]) {
      expect(log).not.toContain(secret)
    }
  })
})

describe("A server", () => {
  const startError = (settings: Parameters<typeof startInside>[0]): Promise<string> =>
    startInside(settings).then(
      () => "it started",
      (error: Error) => error.message
    )

  it("does not start without a secret for its tokens, or with a served graph as credentials graph", async () => {
    expect(await startError(givingTokens({ hmacSecret: undefined }))).toContain("hmacSecret")
    expect(await startError(asking({ credentialsDb: undefined }))).toContain("credentialsDb")
    const graph = { name: "graph", ...emptyTinkerGraph }
    const shared = asking({ credentialsDb: graph })
    expect(await startError({ ...shared, graphs: new Map([["graph", graph]]) })).toContain("served graph 'graph'")
    const keyspace = (name: string, host: string): GraphSettings => {
      const lines = ["storage.backend=cql", `storage.hostname=${host}`, "storage.cql.keyspace=people"]
      return { ...graphOf(lines), name }
    }
    // Two addresses may be of one cluster.
    const users = asking({ credentialsDb: keyspace("users", "192.0.2.1") })
    expect(await startError({ ...users, graphs: new Map([["graph", keyspace("graph", "192.0.2.2")]]) })).toContain(
      "this has a keyspace of the same name as the served graph 'graph', and different hosts may be of one cluster"
    )
    expect(await startError(asking({ defaultUsername: "a:b" }))).toContain("colon")
    const long = await startError(asking({ defaultPassword: Redacted.make("x".repeat(73)) }))
    expect(long).toContain("72")
    expect(long).toContain("authentication.config.defaultUsername and defaultPassword")
  })

  it("does not let requests reach the credentials graph", async () => {
    const { authority } = await startServer(asking())
    for (const script of ["credentialsDb.traversal().V()", "g_credentialsDb.V()"]) {
      const answer = await http(authority, { headers: { authorization: basic() } }, JSON.stringify({ gremlin: script }))
      expect(answer.status).toBe(500)
      expect(answer.text).not.toContain("$2a$")
    }
    const answer = await http(authority, { headers: { authorization: basic() } }, '{"gremlin":"g.V().count()"}')
    expect(answer.json.result.data["@value"]).toEqual([{ "@type": "g:Int64", "@value": 0 }])
  })
})

describe("The file of the users", () => {
  it("is not read or replaced by io() when it is inside its folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "engine-server-users-"))
    const file = join(folder, "credentials.json")
    const hash = "$2a$10$nOA8b8BwtKkhu/qshEae2.hQiytKfdvGGMmNhFpiyE/USgjqHqJ4y"
    const vertex = (name: string) =>
      JSON.stringify({
        id: 1,
        label: "user",
        properties: { username: [{ id: 2, value: name }], password: [{ id: 3, value: hash }] }
      })
    writeFileSync(file, vertex("marko"))
    const server = await startInside({
      ...asking({
        credentialsDb: {
          ...emptyTinkerGraph,
          name: "credentialsDb",
          factory: {
            kind: "TinkerGraph",
            tinkergraph: { ...tinkerGraphDefaults, graphLocation: file, graphFormat: "graphson" }
          }
        }
      }),
      ioDirectory: folder
    })
    expect((await change(usersOf(server).list)).map(({ name }) => name)).toEqual(["marko", user])
    const say = (gremlin: string) =>
      http(server.authority, { headers: { authorization: basic() } }, JSON.stringify({ gremlin }))
    for (const script of ["g.io('credentials.json').read()", "g.io('credentials.json').write()"]) {
      const answer = await say(script)
      expect([script, answer.status, answer.json.message]).toEqual([
        script,
        500,
        expect.stringContaining("which io() must not use")
      ])
    }
    expect((await say("g.V().values('password')")).json.result.data["@value"]).toEqual([])
    expect(readFileSync(file, "utf8")).toBe(vertex("marko"))
    expect((await say("g.io('other.json').write()")).status).toBe(200)
    rmSync(folder, { recursive: true })
  })
})

describe("The user of the settings", () => {
  const kept = (folder: string, more: Parameters<typeof asking>[0] = {}) =>
    asking({
      credentialsDb: {
        ...graphOf(["storage.backend=lmdb", `storage.directory=${join(folder, "users")}`], folder),
        name: "credentialsDb"
      },
      ...more
    })

  it("is created once: after a change of its password or its removal it is not created again", async () => {
    const folder = newFolder()
    const first = await startInside(kept(folder))
    expect((await change(usersOf(first).list)).map(({ name, role }) => [name, role])).toEqual([[user, "admin"]])
    await change(usersOf(first).setPassword(user, "another"))
    await first.end()
    const second = await startInside(kept(folder))
    expect((await evaluate(second.authority, basic())).status).toBe(401)
    expect((await evaluate(second.authority, basic(user, "another"))).status).toBe(200)
    await change(usersOf(second).remove(user))
    await second.end()
    const third = await startInside(kept(folder))
    expect(await change(usersOf(third).list)).toEqual([])
    expect(third.log.join()).toContain("has no user")
    await third.end()
    const fourth = await startInside(kept(folder, { defaultUsername: "marko" }))
    expect((await change(usersOf(fourth).list)).map(({ name }) => name)).toEqual(["marko"])
  })

  it("is not created again when it existed before the settings named it", async () => {
    const folder = newFolder()
    const first = await startInside(kept(folder, { defaultUsername: undefined, defaultPassword: undefined }))
    await change(usersOf(first).add(user, "its own", "reader"))
    await first.end()
    const second = await startInside(kept(folder))
    expect((await evaluate(second.authority, basic(user, "its own"))).status).toBe(200)
    await change(usersOf(second).remove(user))
    await second.end()
    expect(await change(usersOf(await startInside(kept(folder))).list)).toEqual([])
  })
})

describe("A user", () => {
  it("is added, listed, changed and removed, and each error has a message", async () => {
    const users = usersOf(await startInside(asking()))
    const reason = (effect: Effect.Effect<unknown, { readonly message: string }>) =>
      change(Effect.match(effect, { onFailure: ({ message }) => message, onSuccess: () => "done" }))
    expect(await reason(users.add("marko", "secret", "reader"))).toBe("done")
    expect(await reason(users.add("marko", "secret", "reader"))).toBe("There is a user 'marko' already.")
    for (const [name, secret] of [
      ["", "x"],
      ["a:b", "x"],
      ["a\nb", "x"],
      ["a", ""],
      ["a", "\0"],
      ["a", "ä".repeat(37)]
    ]) {
      expect(await reason(users.add(name!, secret!, undefined))).not.toBe("done")
    }
    expect(await reason(users.setRole("marko", { role: "admin", graph: "graph" }))).toBe("done")
    expect(await reason(users.setRole("nobody", { role: "admin", graph: "graph" }))).toBe("There is no user 'nobody'.")
    expect((await change(users.list)).map(({ graphRoles, name, role }) => [name, role, [...graphRoles]])).toEqual([
      ["marko", "reader", [["graph", "admin"]]],
      [user, "admin", []]
    ])
    expect(await reason(users.setRole("marko", { role: undefined, graph: "graph" }))).toBe("done")
    expect(await reason(users.setRole("marko", { role: undefined, graph: undefined }))).toBe("done")
    expect(users.find("marko")).toMatchObject({ role: undefined, graphRoles: new Map() })
    expect(await reason(users.remove("marko"))).toBe("done")
    expect(await reason(users.remove("marko"))).toBe("There is no user 'marko'.")
    expect((await change(users.list)).map(({ name }) => name)).toEqual([user])
  })
})
