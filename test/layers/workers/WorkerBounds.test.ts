import { readdirSync } from "node:fs"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { openGraph } from "../../../src/layers/graphs/GraphStores.ts"
import { CredentialsAuthenticator } from "../../../src/layers/trust/CredentialsAuthenticator.ts"
import { CredentialsGraph } from "../../../src/layers/trust/CredentialsGraph.ts"
import { FailureLimits } from "../../../src/layers/trust/FailureLimits.ts"
import { Tokens } from "../../../src/layers/trust/Tokens.ts"
import { failureTable } from "../../../src/layers/workers/FailureTable.ts"
import { emptyTinkerGraph } from "../../../src/services/Config.ts"
import type { KnownUser } from "../../../src/services/Credentials.ts"
import { MemoryBudget } from "../../../src/services/MemoryBudget.ts"
import { MAX_SHARED_LANES } from "../../../src/services/PoolRequirements.ts"
import type { ServerSettings } from "../../../src/services/Settings.ts"
import { newFolder } from "../../Folders.ts"
import { http, openSocket, post, raw } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, startInside } from "../support/TestServers.ts"
import { asking, basic, change } from "../support/Users.ts"
import { boundsOf, newRegion } from "./Regions.ts"

const MB = 1_048_576

/** Servers that share a region, as the workers of one server do. */
const workers = async (overrides: Partial<ServerSettings> = {}, count = 2) => {
  const bounds = await boundsOf(count)
  const servers = await Promise.all(bounds.map((own) => startInside(overrides, {}, own)))
  return { servers: servers as [(typeof servers)[number], (typeof servers)[number]], bounds }
}

describe("enginePool and maxWorkQueueSize of a server with workers", () => {
  it("are those of the whole server: a request is refused when all workers together are full, and only then", async () => {
    const { servers } = await workers({ enginePool: 2, maxWorkQueueSize: 1 })
    const [a, b] = servers
    const slow = { evaluationTimeout: 60_000 }
    const client = await SocketClient.connect(a.authority)
    // One worker may use all lanes.
    for (let i = 0; i < 2; i++) client.send("eval", "", { gremlin: endless, ...slow })
    const accepted = async (server: typeof a) =>
      (await http(server.authority, { path: "/gremlin/status" })).json.acceptedQueryCount
    await eventually(async () => (await accepted(a)) === 2)
    const waiting = post(b.authority, "40 + 2", slow)
    await eventually(async () => (await accepted(b)) === 1)
    for (const { authority } of servers) {
      const refused = await post(authority, "1")
      expect([refused.status, refused.json.exceptions]).toEqual([500, ["TooManyRequests"]])
    }
    client.ws.terminate()
    expect((await waiting).json.result.data).toEqual([42])
    expect((await post(a.authority, "1")).status).toBe(200)
  })

  it("stop the start when workers cannot share so many lanes, before anything is written", async () => {
    const [bounds] = await boundsOf(1)
    const folder = newFolder()
    await expect(startInside({ ...onLmdb(folder), enginePool: MAX_SHARED_LANES + 1 }, {}, bounds)).rejects.toThrow(
      "enginePool is 4097, and worker processes share at most 4096 lanes"
    )
    expect(readdirSync(folder)).toEqual([])
  })
})

describe("maxConnections of a server with workers", () => {
  it("counts the connections of all workers", async () => {
    const { servers, bounds } = await workers({ maxConnections: 3 })
    const [a, b] = servers
    const clients = [await SocketClient.connect(a.authority), await SocketClient.connect(a.authority)]
    clients.push(await SocketClient.connect(b.authority))
    for (const { authority } of servers) await expect(SocketClient.connect(authority)).rejects.toThrow("status 503")
    await eventually(() => bounds[0]!.connections.total() === 3)
    clients[0]!.ws.terminate()
    await eventually(() => bounds[0]!.connections.total() === 2)
    expect((await (await SocketClient.connect(b.authority)).eval("1")).status.code).toBe(200)
  })
})

describe("Sessions of a server with workers", () => {
  const inSession = (client: SocketClient, session: string) => client.eval("1", { session })

  it("are at most maxSessions in all workers together", async () => {
    const { servers, bounds } = await workers({ maxSessions: 2 })
    const [a, b] = await Promise.all(servers.map(({ authority }) => SocketClient.connect(authority)))
    expect((await inSession(a!, "one")).status.code).toBe(200)
    expect((await inSession(b!, "two")).status.code).toBe(200)
    for (const client of [a!, b!]) {
      const refused = await inSession(client, "three")
      expect([refused.status.code, refused.status.message]).toEqual([
        429,
        "The server has 2 sessions open, which is its maxSessions. Close one, or try again later."
      ])
    }
    a!.ws.terminate()
    await eventually(() => bounds[1]!.sessions.total() === 1)
    expect((await inSession(b!, "three")).status.code).toBe(200)
  })

  it("are not limited by maxSessions: 0", async () => {
    const { servers, bounds } = await workers({ maxSessions: 0 })
    const [a, b] = await Promise.all(servers.map(({ authority }) => SocketClient.connect(authority)))
    for (const [client, name] of [
      [a!, "one"],
      [b!, "two"],
      [a!, "three"]
    ] as const)
      expect((await inSession(client, name)).status.code).toBe(200)
    expect(bounds[0]!.sessions.total()).toBe(3)
  })

  it("have names that another worker can neither open nor close, until they end", async () => {
    const { servers, bounds } = await workers()
    const [a, b] = await Promise.all(servers.map(({ authority }) => SocketClient.connect(authority)))
    expect((await inSession(a!, "mine")).status.code).toBe(200)
    const refused = await inSession(b!, "mine")
    expect([refused.status.code, refused.status.message]).toEqual([
      500,
      "Session mine is not bound to the connecting client: another connection or user opened it. A session belongs to the " +
        "connection that opened it; choose another name."
    ])
    const closing = await b!.answer(b!.send("close", "session", { session: "mine" }))
    expect(closing.status.code).toBe(500)
    expect((await inSession(a!, "mine")).status.code).toBe(200)
    await a!.answer(a!.send("close", "session", { session: "mine" }))
    expect(bounds[1]!.sessions.total()).toBe(0)
    expect((await inSession(b!, "mine")).status.code).toBe(200)
  })
})

describe("A queryId in a server with workers", () => {
  it("names one request at a time, in whatever worker it is", async () => {
    const { servers } = await workers()
    const [a, b] = servers
    const queryId = "0b8f5d1e-51a6-4f3d-9a55-0d6c7d1f4a01"
    const named = (server: typeof a, gremlin: string) => post(server.authority, gremlin, { queryId })
    const running = named(a, endless)
    const count = async (server: typeof a) =>
      (await http(server.authority, { path: "/gremlin/status" })).json.acceptedQueryCount
    await eventually(async () => (await count(a)) === 1)
    for (const server of servers) {
      const refused = await named(server, "1")
      expect([refused.status, refused.json.exceptions]).toEqual([409, ["RequestIdInUse"]])
    }
    await http(a.authority, { method: "DELETE", path: `/gremlin/status/${queryId}` })
    expect((await running).status).toBe(500)
    for (const server of [b, a, b]) expect((await named(server, "1")).status).toBe(200)
  })
})

describe("memoryBudget of a server with workers", () => {
  it("is that of all requests: the largest one is ended, in whatever worker it is", async () => {
    const { servers, bounds } = await workers({ memoryBudget: 8 * MB, requestMemoryLimit: 0 })
    const [a, b] = servers.map(({ services }) => Context.get(services, MemoryBudget))
    const ended: Array<string> = []
    const holder = (name: string) => ({ cancel: (error: Error) => void ended.push(`${name}: ${error.message}`) })
    a!.open(holder("large")).set(5 * MB)
    const small = b!.open(holder("small"))
    small.set(2 * MB)
    expect(bounds[0]!.held.total()).toBe(7 * MB)
    small.set(4 * MB)
    await eventually(() => ended.length > 0)
    expect(ended).toEqual([
      "large: All requests together hold more than 8 MB, the server's memoryBudget. This request holds the most, 5 MB, and is " +
        "ended. Narrow it with has() or limit(), or raise the setting."
    ])
    expect([a!.used(), b!.used(), bounds[0]!.held.total()]).toEqual([0, 4 * MB, 4 * MB])
    a!.open(holder("next")).set(3 * MB)
    expect(() => small.set(6 * MB)).toThrow(/memoryBudget/)
    small.close()
    expect(bounds[1]!.held.total()).toBe(3 * MB)
    expect(ended).toHaveLength(1)
  })

  it("limits the messages that arrive at all workers", async () => {
    const { servers } = await workers({ maxContentLength: MB, memoryBudget: 4 * MB, requestMemoryLimit: 0 })
    const [a, b] = servers
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${MB - 1}\r\n\r\n`
    const sockets = [openSocket(a.authority), openSocket(b.authority)]
    for (const socket of sockets) socket.write(head + "x".repeat(900_000))
    const arriving = async (): Promise<number> => {
      const texts = await Promise.all(servers.map(({ authority }) => http(authority, { path: "/metrics" })))
      return texts.reduce((sum, { text }) => sum + Number(/^engine_server_arriving_bytes (\d+)/m.exec(text)?.[1]), 0)
    }
    await eventually(async () => (await arriving()) > 1_800_000)
    for (const { authority } of servers)
      expect(await raw(authority, head + "x".repeat(900_000))).toMatch(/^HTTP\/1.1 503 /)
    for (const socket of sockets) socket.destroy()
    await eventually(async () => (await arriving()) === 0)
    expect((await post(b.authority, "1", { bindings: { x: "x".repeat(900_000) } })).status).toBe(200)
  })
})

describe("answerFileLimit of a server with workers", () => {
  it("counts the answers in the files of all workers, and a client leaves room in each of them", async () => {
    const { servers, bounds } = await workers({ answerFileLimit: 40_000_000 })
    const [a, b] = servers
    const headers = { accept: "application/vnd.graphbinary-v1.0" }
    const gremlin = `g.inject(1).repeat(__.identity()).emit().times(60000).constant('${"x".repeat(200)}')`
    const body = JSON.stringify({ gremlin })
    const socket = openSocket(a.authority)
    socket.pause()
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nAccept: ${headers.accept}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
    const status = async ({ authority }: typeof a) => (await http(authority, { headers }, body)).status
    await eventually(() => bounds[1]!.answers.total() > 11_000_000)
    expect([await status(b), await status(a)]).toEqual([500, 500])
    socket.destroy()
    await eventually(() => bounds[1]!.answers.total() === 0)
    expect([await status(b), await status(a)]).toEqual([200, 200])
  })
})

describe("Wrong passwords", () => {
  it("count for the whole server, whichever worker gets them", async () => {
    const { servers } = await workers(asking({ maxFailures: 3 }))
    const attempt = async (worker: number, secret: string) => {
      const headers = { authorization: basic(undefined, secret) }
      const answer = await http(servers[worker]!.authority, { headers }, '{"gremlin":"1"}')
      return [answer.status, answer.json.message]
    }
    for (let i = 0; i < 3; i++) {
      expect(await attempt(i % 2, `wrong ${i}`)).toEqual([401, "Username and/or password are incorrect"])
    }
    for (const worker of [0, 1]) {
      const [status, message] = await attempt(worker, "wrong again")
      expect([status, message]).toEqual([401, expect.stringContaining("Too many attempts to authenticate have failed")])
    }
  })

  it("fill the buckets of a table as they fill those of one process", async () => {
    const { region } = await newRegion(2)
    let now = 1_000_000
    const own = new FailureLimits({ perAddress: 6, perUser: 30 }, () => now)
    const shared = new FailureLimits(
      { perAddress: 6, perUser: 30 },
      () => now,
      failureTable(region, () => now | 0)
    )
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const underWay: Array<readonly [string, string]> = []
    for (let i = 0; i < 3_000; i++) {
      const who = [`10.0.0.${random(3)}`, `user ${random(2)}`] as const
      const [one, other] = [own.take(...who), shared.take(...who)]
      if (typeof one === "number" && typeof other === "number") {
        // One counts tokens, the other times.
        expect(Math.abs(one - other)).toBeLessThanOrEqual(1)
        expect(other === 0).toBe(one === 0)
      } else expect([i, other]).toEqual([i, one])
      if (one === 0) underWay.push(who)
      if (underWay.length > random(4)) {
        const [ended] = underWay.splice(random(underWay.length), 1)
        const failed = random(3) > 0
        own.end(...ended!, failed)
        shared.end(...ended!, failed)
      }
      now += random(4) * 487
    }
  })

  it("under way in a worker that died keep others waiting for half a minute at most", async () => {
    const { region } = await newRegion(2)
    let now = 0
    const [dead, other] = [0, 1].map(
      () =>
        new FailureLimits(
          { perAddress: 1, perUser: 5 },
          () => now,
          failureTable(region, () => now | 0)
        )
    )
    expect(dead!.take("::1", "u")).toBe(0)
    expect(other!.take("::1", "u")).toBe("pending")
    now = 30_001
    expect(other!.take("::1", "u")).toBe(29_999)
  })
})

describe("Users of a server with workers", () => {
  const users = async () => {
    const bounds = await boundsOf(2)
    const store = await Effect.runPromise(openGraph({ name: "credentialsDb", ...emptyTinkerGraph }))
    const both = bounds.map((own) => new CredentialsGraph(store, undefined, own.users))
    const authenticators = both.map(
      (credentials, i) =>
        new CredentialsAuthenticator(credentials, {
          tokens: new Tokens({ secret: "s3cret", algorithm: "HmacSHA256", timeout: 60_000 }),
          maxFailures: 0,
          maxUserFailures: 0,
          likeHash: undefined,
          sharedFailures: bounds[i]!.failures,
          events: { failed: () => {}, unavailable: () => {} }
        }).service
    )
    const [a, b] = authenticators as [Service, Service]
    return { changes: both[0]!, a, b, roleOf: (user: KnownUser) => both[1]!.current(user)?.role }
  }
  type Service = CredentialsAuthenticator["service"]
  const ask = async (service: Service, authorization: string): Promise<string> => {
    const answer = service.http({ authorization, remoteAddress: "127.0.0.1" })
    const user = await Effect.runPromise(Effect.either(Effect.isEffect(answer) ? answer : Effect.succeed(answer)))
    return user._tag === "Right" ? user.right.name : user.left.message
  }

  it("have their new password, and their old tokens end, in all workers when the change is acknowledged", async () => {
    const { a, b, changes } = await users()
    await change(changes.add("marko", "old", "reader"))
    const token = await Effect.runPromise(
      a.token!({ authorization: basic("marko", "old"), remoteAddress: "127.0.0.1" })
    )
    // A token that one worker made is valid in the other.
    for (const authorization of [basic("marko", "old"), `Token ${token}`]) {
      for (const worker of [a, b]) expect(await ask(worker, authorization)).toBe("marko")
    }
    const known = b.http({ authorization: basic("marko", "old"), remoteAddress: "127.0.0.1" })
    if (Effect.isEffect(known)) throw new Error("a password that was just right is hashed again")
    expect(b.isCurrent(known)).toBe(true)
    await change(changes.setPassword("marko", "new"))
    expect(b.isCurrent(known)).toBe(false)
    expect(await ask(b, `Token ${token}`)).toContain("not valid, or no longer")
    expect(await ask(b, basic("marko", "old"))).toContain("incorrect")
    expect(await ask(b, basic("marko", "new"))).toBe("marko")
  })

  it("lose their role, and are removed, in all workers when the change is acknowledged", async () => {
    const { a, b, changes, roleOf } = await users()
    await change(changes.add("marko", "old", "admin"))
    for (const worker of [a, b]) expect(await ask(worker, basic("marko", "old"))).toBe("marko")
    const known = b.http({ authorization: basic("marko", "old"), remoteAddress: "127.0.0.1" }) as KnownUser
    expect(roleOf(known)).toBe("admin")
    await change(changes.setRole("marko", { graph: undefined, role: "reader" }))
    expect(roleOf(known)).toBe("reader")
    await change(changes.remove("marko"))
    expect([roleOf(known), b.isCurrent(known)]).toEqual([undefined, false])
    expect(await ask(b, basic("marko", "old"))).toContain("incorrect")
  })
})
