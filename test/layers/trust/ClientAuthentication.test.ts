import { randomUUID } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import {
  Authenticator,
  Authorizer,
  Forbidden,
  InvalidRequestArguments,
  type SaslExchange,
  type ServerParts,
  TooManyRequests,
  Unauthorized
} from "../../../src/index.ts"
import { patience } from "../../Limits.ts"
import { http, raw } from "../support/HttpClient.ts"
import { codes, SocketClient } from "../support/SocketClient.ts"
import { eventually, modern, startInside } from "../support/TestServers.ts"
import { asking } from "../support/Users.ts"

const wrong = new Unauthorized("Username and/or password are incorrect")

/** An authenticator that knows one user and answers later. */
const oneUser: ServerParts = {
  authenticator: Layer.succeed(Authenticator, {
    required: true,
    http: ({ authorization }) => {
      if (authorization === "Basic known") return { name: "stephen" }
      return authorization === "Basic right"
        ? Effect.as(Effect.sleep(5), { name: "stephen" })
        : Effect.zipRight(Effect.sleep(5), Effect.fail(wrong))
    },
    sasl: () => ({
      respond: (mechanism, response) =>
        mechanism === "PLAIN" && response === "right"
          ? Effect.as(Effect.sleep(5), { name: "stephen" })
          : Effect.zipRight(Effect.sleep(5), Effect.fail(wrong))
    }),
    isCurrent: () => true,
    token: ({ authorization }) => (authorization === "Basic right" ? Effect.succeed("t0ken") : Effect.fail(wrong))
  })
}

/** The authenticator of one user, with another check of answers to the challenge. */
const checking = (respond: SaslExchange["respond"]) =>
  Layer.map(oneUser.authenticator!, (context) =>
    Context.make(Authenticator, { ...Context.get(context, Authenticator), sasl: () => ({ respond }) })
  )

describe("A WebSocket of a server with authentication", () => {
  it("is challenged with the id of the first request, which is answered afterwards", async () => {
    const server = await startInside(modern, oneUser)
    const client = await SocketClient.connect(server.authority)
    const first = client.send("eval", "", { gremlin: "g.V().count()" })
    const second = client.send("eval", "", { gremlin: "1" })
    await client.count(1)
    expect(client.frames[0]).toMatchObject({ requestId: first, status: { code: 407, attributes: {} } })
    client.send("authentication", "", { sasl: "right" })
    expect((await client.answer(first)).result.data).toEqual([6])
    expect((await client.answer(second)).result.data).toEqual([1])
    expect((await client.eval("2")).result.data).toEqual([2])
    expect(codes(client.frames)).toEqual([407, 200, 200, 200])
  })

  it("may answer again when its answer was wrong", async () => {
    const server = await startInside({}, oneUser)
    const client = await SocketClient.connect(server.authority)
    const first = client.send("eval", "", { gremlin: "1" })
    await client.count(1)
    client.send("authentication", "", { sasl: "wrong", saslMechanism: "PLAIN" })
    const refused = await client.answer(first)
    expect([refused.status.code, refused.status.message]).toEqual([401, wrong.message])
    const malformed = client.send("authentication", "", { sasl: 5 })
    expect((await client.answer(malformed)).status.code).toBe(499)
    const again = client.send("eval", "", { gremlin: "1" })
    await client.count(4)
    client.send("authentication", "", { sasl: "right" })
    expect((await client.answer(again)).status.code).toBe(200)
  })

  it("is closed after five wrong answers, and not after four with a correct one behind them", async () => {
    const server = await startInside({}, oneUser)
    const client = await SocketClient.connect(server.authority)
    const answered = async (sasl: string) => {
      const id = client.send("eval", "", { gremlin: "1" })
      await eventually(() => client.frames.some(({ requestId }) => requestId === id))
      client.send("authentication", "", { sasl })
      return (await client.answer(id)).status.code
    }
    for (let i = 0; i < 4; i++) expect(await answered("wrong")).toBe(401)
    expect(await answered("right")).toBe(200)
    const guessing = await SocketClient.connect(server.authority)
    for (let i = 0; i < 5; i++) {
      const id = guessing.send("authentication", "", { sasl: "wrong" })
      expect((await guessing.answer(id)).status.code).toBe(401)
    }
    expect(await guessing.closed).toEqual({ code: 1008, reason: "too many wrong answers to the challenge" })
  })

  it("checks at most five answers at the same time", async () => {
    let checks = 0
    const respond = () => {
      checks++
      return Effect.zipRight(Effect.sleep(5), Effect.fail(wrong))
    }
    const server = await startInside({}, { authenticator: checking(respond) })
    const client = await SocketClient.connect(server.authority)
    for (let i = 0; i < 50; i++) client.send("authentication", "", { sasl: "wrong" })
    expect((await client.closed).code).toBe(1008)
    expect(checks).toBe(5)
    expect(new Set(codes(client.frames))).toEqual(new Set([401]))
  })

  it("may authenticate before the challenge, and is answered", async () => {
    const server = await startInside({}, oneUser)
    const client = await SocketClient.connect(server.authority)
    const early = client.send("authentication", "", { sasl: "wrong" })
    expect((await client.answer(early)).status.code).toBe(401)
    const right = client.send("authentication", "", { sasl: "right" })
    expect((await client.answer(right)).status).toMatchObject({ code: 204, message: "" })
    expect((await client.eval("1")).status.code).toBe(200)
    expect(codes(client.frames)).toEqual([401, 204, 200])
  })

  it("gets an answer to each message when a request follows an early authentication at once", async () => {
    const server = await startInside({}, oneUser)
    for (const [sasl, own, other] of [
      ["right", 204, 200],
      ["wrong", 401, 401]
    ] as const) {
      const client = await SocketClient.connect(server.authority)
      const early = client.send("authentication", "", { sasl })
      const request = client.send("eval", "", { gremlin: "1" })
      expect((await client.answer(early)).status.code).toBe(own)
      expect((await client.answer(request)).status.code).toBe(other)
      // The server does not ask a client whose credentials it is checking.
      expect(codes(client.frames)).toEqual([own, other])
    }
  })

  it("stays open when its answers are not compared with a password, however often it answers", async () => {
    const answers: ReadonlyArray<() => Effect.Effect<never, Unauthorized | TooManyRequests>> = [
      () => Effect.die(new Error("out of order")),
      () => Effect.zipRight(Effect.sleep(1), Effect.die(new Error("out of order"))),
      () => {
        throw new Error("out of order")
      },
      () => Effect.fail(new TooManyRequests("Too many clients authenticate at the same time."))
    ]
    for (const respond of answers) {
      const server = await startInside({}, { authenticator: checking(respond) })
      const client = await SocketClient.connect(server.authority)
      for (let i = 0; i < 8; i++) await client.answer(client.send("authentication", "", { sasl: "right" }))
      expect(client.ws.readyState).toBe(client.ws.OPEN)
    }
  })

  it("answers each request once when the answers to two challenges arrive late", async () => {
    // Drivers answer with the id of the request, or with a new one. An answer with either would end or confuse what is under way.
    const authenticationTimeout = 100 * patience
    for (const atOnce of [false, true]) {
      for (const ownId of [false, true]) {
        const server = await startInside(asking({ authenticationTimeout }), oneUser)
        const client = await SocketClient.connect(server.authority)
        const first = client.send("eval", "", { gremlin: "1" })
        expect((await client.answer(first)).status.code).toBe(401)
        const second = client.send("eval", "", { gremlin: "2" })
        await client.count(3)
        const answer = (id: string) => client.send("authentication", "", { sasl: "right" }, ownId ? id : randomUUID())
        answer(first)
        if (!atOnce) await client.answer(second)
        answer(second)
        expect((await client.answer(second)).result.data).toEqual([2])
        expect((await client.eval("3")).result.data).toEqual([3])
        expect(codes(client.frames)).toEqual([407, 401, 407, 200, 200])
        const own = client.send("authentication", "", { sasl: "right" })
        expect((await client.answer(own)).status.code).toBe(498)
      }
    }
  })

  it("gets no answer to a late answer to the challenge whose request has failed", async () => {
    for (const sasl of ["right", "wrong"]) {
      const server = await startInside(asking({ authenticationTimeout: 100 * patience }), oneUser)
      const client = await SocketClient.connect(server.authority)
      const late = client.send("eval", "", { gremlin: "1" })
      expect((await client.answer(late)).status.code).toBe(401)
      client.send("authentication", "", { sasl }, late)
      const next = client.send("eval", "", { gremlin: "2" })
      expect((await client.answer(next)).status.code).toBe(sasl === "right" ? 200 : 401)
      expect(codes(client.frames)).toEqual([407, 401, sasl === "right" ? 200 : 401])
    }
  })

  it("refuses the waiting requests after an unreadable message with the id of one, and evaluates none later", async () => {
    const server = await startInside({}, oneUser)
    const client = await SocketClient.connect(server.authority)
    const first = client.send("eval", "", { gremlin: "1" })
    const second = client.send("eval", "", { gremlin: "2" })
    client.send("authentication", "", { sasl: null }, first)
    for (const id of [first, second]) expect((await client.answer(id)).status.code).toBe(499)
    const next = client.send("eval", "", { gremlin: "3" })
    await client.count(4)
    client.send("authentication", "", { sasl: "right" }, next)
    expect((await client.answer(next)).result.data).toEqual([3])
    expect(codes(client.frames)).toEqual([407, 499, 499, 407, 200])
  })

  it("is asked after an unreadable message, when a request has arrived during its check", async () => {
    const unreadable = new InvalidRequestArguments("The answer to the challenge is not Base64.")
    const respond = (_: string, response: string | Uint8Array) =>
      Effect.zipRight(
        Effect.sleep(5),
        response === "right" ? Effect.succeed({ name: "stephen" }) : Effect.fail(unreadable)
      )
    const server = await startInside({}, { authenticator: checking(respond) })
    const client = await SocketClient.connect(server.authority)
    const early = client.send("authentication", "", { sasl: "?" })
    const request = client.send("eval", "", { gremlin: "1" })
    expect((await client.answer(early)).status.code).toBe(499)
    await client.count(2)
    expect(client.frames[1]).toMatchObject({ requestId: request, status: { code: 407 } })
    client.send("authentication", "", { sasl: "right" }, request)
    expect((await client.answer(request)).status.code).toBe(200)
    expect(codes(client.frames)).toEqual([499, 407, 200])
  })

  it("keeps its user: a second authentication is refused, and is not checked", async () => {
    const server = await startInside({}, oneUser)
    const client = await SocketClient.connect(server.authority)
    const both = ["right", "right"].map((sasl) => client.send("authentication", "", { sasl }))
    for (const id of both) expect((await client.answer(id)).status.code).toBe(204)
    for (const sasl of ["right", "wrong"]) {
      const { status } = await client.answer(client.send("authentication", "", { sasl }))
      expect([status.code, status.message]).toEqual([498, expect.stringContaining("as the user 'stephen'")])
    }
    expect((await client.eval("1")).status.code).toBe(200)
  })
})

describe("HTTP of a server with authentication", () => {
  it("needs credentials with every request of a connection, and says how to send them", async () => {
    const { authority } = await startInside(modern, oneUser)
    const ask = (authorization: string) =>
      http(authority, { method: "POST", headers: authorization === "" ? {} : { authorization } }, '{"gremlin":"1"}')
    for (const authorization of ["Basic right", "", "Basic known", "Basic wrong", "Basic right"]) {
      const answer = await ask(authorization)
      const welcome = authorization === "Basic right" || authorization === "Basic known"
      expect([authorization, answer.status]).toEqual([authorization, welcome ? 200 : 401])
      if (!welcome) {
        expect(answer.headers["www-authenticate"]).toContain("Basic")
        expect(answer.json.message).toBe(wrong.message)
      }
    }
  })

  it("needs credentials with each pipelined request, and the answers keep their order", async () => {
    const { authority } = await startInside(modern, oneUser)
    const request = (authorization: string, more = "") =>
      `POST / HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 15\r\n${more}\r\n{"gremlin":"7"}`
    const answer = await raw(
      authority,
      request("Basic right") + request("Basic wrong") + request("Basic known", "Connection: close\r\n")
    )
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 401", "HTTP/1.1 200"])
  })

  it("needs none for health, and needs them for metrics and status unless a setting opens these", async () => {
    const { authority } = await startInside({}, oneUser)
    const status = async (path: string, authorization?: string) =>
      (await http(authority, { path, headers: authorization === undefined ? {} : { authorization } })).status
    expect(await status("/health/live")).toBe(200)
    expect(await status("/health/ready")).toBe(200)
    expect(await status("/metrics")).toBe(401)
    expect(await status("/gremlin/status")).toBe(401)
    expect(await status("/metrics", "Basic right")).toBe(200)
    const open = await startInside({ openMetrics: true }, oneUser)
    expect((await http(open.authority, { path: "/metrics" })).status).toBe(200)
  })

  it("gives a token at GET /session when the authenticator has tokens", async () => {
    const { authority } = await startInside({}, oneUser)
    const answer = await http(authority, { path: "/session", headers: { authorization: "Basic right" } })
    expect([answer.status, answer.json]).toEqual([200, { token: "t0ken" }])
    expect((await http(authority, { path: "/session" })).status).toBe(401)
  })
})

describe("An authorizer", () => {
  const readOnly: ServerParts = {
    authorizer: Layer.succeed(Authorizer, {
      admit: (_, request) => {
        if (request.gremlin === "forbidden") throw new Forbidden("not this one")
        return request.gremlin === "1" ? { ...request, gremlin: "2" } : request
      },
      access: (user, graph, access) => {
        if (access !== "read") throw new Forbidden(`user '${user.name}' may not ${access} ${graph}`)
      }
    })
  }

  it("may refuse a request, replace it, or refuse its access to a graph", async () => {
    const server = await startInside(modern, readOnly)
    const client = await SocketClient.connect(server.authority)
    expect((await client.eval("forbidden")).status.code).toBe(401)
    expect((await client.eval("1")).result.data).toEqual([2])
    expect((await client.eval("g.V().count()")).status.code).toBe(200)
    const cases = ["g.addV()", "g.V().drop()", "x = 5; g.addV().next()", "graph.createIndex('a', Vertex.class)"]
    for (const script of cases) {
      const answer = await client.eval(script)
      expect([script, answer.status.code]).toEqual([script, 401])
    }
    expect((await http(server.authority, { method: "POST" }, '{"gremlin":"g.addV()"}')).status).toBe(403)
    expect((await client.eval("g.V().count()")).result.data).toEqual([6])
  })
})

describe("A program's own authenticator or authorizer that fails", () => {
  const throwing = (): never => {
    throw new Error("out of order")
  }

  it("refuses all clients, and the server continues", async () => {
    const authenticator = Layer.succeed(Authenticator, {
      required: true,
      http: throwing,
      sasl: () => ({ respond: throwing }),
      isCurrent: throwing,
      token: throwing
    })
    const server = await startInside(modern, { authenticator })
    for (const path of ["/", "/session", "/metrics", "/gremlin/status"]) {
      expect([path, (await http(server.authority, { path })).status]).toEqual([path, 401])
    }
    const client = await SocketClient.connect(server.authority)
    const id = client.send("eval", "", { gremlin: "1" })
    client.send("authentication", "", { sasl: "x" })
    expect((await client.answer(id)).status.code).toBe(401)
    expect((await http(server.authority, { path: "/health/live" })).status).toBe(200)
    expect(server.log.join()).toContain("The program's own authenticator failed")
  })

  it("allows nothing, and the server continues", async () => {
    const authorizer = Layer.succeed(Authorizer, { admit: throwing, access: throwing, operates: throwing })
    const server = await startInside(modern, { authorizer })
    expect((await http(server.authority, {}, '{"gremlin":"1"}')).status).toBe(500)
    expect((await http(server.authority, { path: "/gremlin/status" })).json.acceptedQueryCount).toBe(0)
    expect(server.log.join()).toContain("The program's own authorizer failed")
    expect((await http(server.authority, { path: "/health/live" })).status).toBe(200)
  })

  it("refuses clients when its answer is a promise or not an answer, and the server continues", async () => {
    // A program in JavaScript may do this. The types of the services do not allow it.
    const later = (async () => ({ name: "marko" })) as never
    const failing = (async () => {
      throw new Error("nobody waits for this")
    }) as never
    for (const answer of [later, failing, (() => undefined) as never, (() => ({})) as never]) {
      const authenticator = Layer.succeed(Authenticator, {
        required: true,
        http: answer,
        sasl: () => ({ respond: answer }),
        isCurrent: answer,
        token: answer
      })
      const server = await startInside(modern, { authenticator })
      for (const path of ["/", "/session", "/metrics"]) {
        expect([path, (await http(server.authority, { path }, '{"gremlin":"1"}')).status]).toEqual([path, 401])
      }
      const client = await SocketClient.connect(server.authority)
      const id = client.send("eval", "", { gremlin: "1" })
      client.send("authentication", "", { sasl: "x" })
      expect((await client.answer(id)).status.code).toBe(401)
      expect(server.log.join()).toContain("The program's own authenticator failed")
    }
    const authenticator = Layer.succeed(Authenticator, {
      required: true,
      http: () => ({ name: "marko" }),
      sasl: later,
      isCurrent: () => true,
      token: undefined
    })
    const server = await startInside(modern, { authenticator })
    const client = await SocketClient.connect(server.authority)
    const id = client.send("eval", "", { gremlin: "1" })
    client.send("authentication", "", { sasl: "x" })
    expect((await client.answer(id)).status.code).toBe(401)
    expect((await http(server.authority, {}, '{"gremlin":"1"}')).status).toBe(200)
  })

  it("allows nothing when its answer is a promise or not an answer, and the server continues", async () => {
    const failing = async (): Promise<never> => {
      throw new Error("nobody waits for this")
    }
    const answers: ReadonlyArray<unknown> = [failing, async () => undefined, () => false]
    for (const answer of answers) {
      const allows = Layer.succeed(Authorizer, {
        admit: (_, request) => request,
        access: answer as never,
        operates: failing as never
      })
      const server = await startInside(modern, { authorizer: allows })
      expect((await http(server.authority, {}, '{"gremlin":"g.addV()"}')).status).toBe(403)
      expect((await http(server.authority, { path: "/gremlin/status" })).json.acceptedQueryCount).toBe(0)
      expect((await http(server.authority, {}, '{"gremlin":"1"}')).status).toBe(200)
    }
    for (const answer of [
      ...answers,
      () => undefined,
      () => ({}),
      (_: unknown, request: object) => ({ ...request, aliases: {} })
    ]) {
      const admits = Layer.succeed(Authorizer, { admit: answer as never, access: () => {} })
      const server = await startInside(modern, { authorizer: admits })
      expect((await http(server.authority, {}, '{"gremlin":"1"}')).status).toBe(403)
    }
  })
})
