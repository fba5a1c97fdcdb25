import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { emptyTinkerGraph, type ServerSettings, tinkerGraphDefaults } from "../../../src/services/Config.ts"
import { Diagnostics } from "../../../src/services/Diagnostics.ts"
import { Dispatcher } from "../../../src/services/Dispatcher.ts"
import { Sessions } from "../../../src/services/Sessions.ts"
import { newFolder } from "../../Folders.ts"
import { patience } from "../../Limits.ts"
import { http, post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, modern, startInside } from "../support/TestServers.ts"

/** A graph with explicit commit, as `g`. */
const transactional: Partial<ServerSettings> = {
  graphs: new Map([
    [
      "graph",
      {
        ...emptyTinkerGraph,
        name: "graph",
        factory: { kind: "TinkerTransactionGraph", tinkergraph: tinkerGraphDefaults }
      }
    ]
  ])
}

const connected = async (overrides: Partial<ServerSettings> = {}) => {
  const server = await startInside(overrides)
  const client = await SocketClient.connect(server.authority)
  /** Evaluates a script in a session. Returns the data of the answer, or throws the message of the error. */
  const run = async (session: string, gremlin: string, args = {}, by = client) => {
    const answer = await by.eval(gremlin, { session, ...args })
    if (answer.status.code >= 400) throw new Error(`${answer.status.code} ${answer.status.message}`)
    return answer.result.data
  }
  const bytecode = async (session: string, source: ReadonlyArray<unknown>, step: ReadonlyArray<unknown> = []) =>
    client.answer(
      client.send("bytecode", "session", {
        session,
        gremlin: { "@type": "g:Bytecode", "@value": { source, step } },
        aliases: { g: "g" }
      })
    )
  const outside = async (gremlin: string) => (await post(server.authority, gremlin)).json.result.data
  return { server, client, run, bytecode, outside, sessions: Context.get(server.services, Sessions) }
}

describe("A session", () => {
  it("keeps variables and bindings from request to request, and others do not see them", async () => {
    const { run } = await connected(modern)
    await run("a", "x = g.V(1).next(); y = 5; null")
    expect(await run("a", "g.V(x).out().count()")).toEqual([3])
    expect(await run("a", "x.label()")).toEqual(["person"])
    await run("a", "z", { bindings: { z: 7 } })
    expect(await run("a", "y + z")).toEqual([12])
    await expect(run("b", "y")).rejects.toThrow("597")
  })

  it("runs its requests one at a time, in order, outside the request pool", async () => {
    const { client, run } = await connected({ enginePool: 1, maxWorkQueueSize: 0 })
    await run("s", "n = 0; null")
    const requests = Array.from({ length: 50 }, (_, i) =>
      client.send("eval", "session", { session: "s", gremlin: `n = n * 2 % 1000003 + ${i}; n` })
    )
    let expected = 0
    for (const [i, id] of requests.entries()) {
      expected = ((expected * 2) % 1000003) + i
      expect((await client.answer(id)).result.data).toEqual([expected])
    }
    const runaway = client.send("eval", "session", { session: "s", gremlin: endless, evaluationTimeout: 300 })
    // The pool has one lane and no queue. The request of a session does not use it.
    expect((await client.eval("1")).status.code).toBe(200)
    expect((await client.answer(runaway)).status.code).toBe(598)
    expect(await run("s", "n")).toEqual([expected])
  })

  it("belongs to the connection that opened it", async () => {
    const { server, run } = await connected()
    await run("mine", "x = 1")
    const other = await SocketClient.connect(server.authority)
    const answer = await other.eval("x", { session: "mine" })
    expect(answer.status.code).toBe(500)
    expect(answer.status.message).toContain("Session mine is not bound to the connecting client")
  })

  it("ends with its connection, and rolls back", async () => {
    const { client, run, sessions, server, outside } = await connected(transactional)
    await run("s", "g.addV('a').iterate()")
    const running = client.send("eval", "session", { session: "s", gremlin: endless })
    expect(sessions.count()).toBe(1)
    void running
    client.ws.terminate()
    await eventually(() => sessions.count() === 0)
    expect(await outside("g.V().count()")).toEqual([0])
    const again = await SocketClient.connect(server.authority)
    expect((await again.eval("g.V().count()", { session: "s" })).status.message).toContain("ended without a commit")
    expect((await again.eval("g.V().count()", { session: "s" })).result.data).toEqual([0])
  })

  it("ends with a close message after earlier requests; a close without a session succeeds", async () => {
    const { client, run, sessions, outside } = await connected(transactional)
    await run("s", "x = 1; g.addV('a').iterate()")
    const before = client.send("eval", "session", { session: "s", gremlin: "x" })
    const close = client.send("close", "session", { session: "s" })
    expect((await client.answer(before)).result.data).toEqual([1])
    expect((await client.answer(close)).status.code).toBe(204)
    expect(sessions.count()).toBe(0)
    expect(await outside("g.V().count()")).toEqual([0])
    await expect(run("s", "x")).rejects.toThrow("597")
    expect((await client.answer(client.send("close", "session", { session: "unknown" }))).status.code).toBe(204)
    expect((await client.answer(client.send("close", "session", {}))).status.code).toBe(499)
  })

  it("ends at once with force, and its running request is cancelled", async () => {
    const { client, sessions } = await connected()
    const running = client.send("eval", "session", { session: "s", gremlin: endless })
    await eventually(() => sessions.dump().some(({ state }) => state !== "idle"))
    const waiting = client.send("eval", "session", { session: "s", gremlin: "1" })
    const close = client.send("close", "session", { session: "s", force: true })
    expect((await client.answer(close)).status.code).toBe(204)
    for (const id of [running, waiting]) {
      expect((await client.answer(id)).status.message).toContain("The session 's' has ended")
    }
  })

  it("answers a request whose deadline passes while it waits, at that time and without running it", async () => {
    const { client, run, server } = await connected()
    await run("s", "x = 0")
    const first = client.send("eval", "session", { session: "s", gremlin: endless })
    const second = client.send("eval", "session", { session: "s", gremlin: "x = 1", evaluationTimeout: 50 })
    expect((await client.answer(second)).status.code).toBe(598)
    expect(client.frames.some(({ requestId }) => requestId === first)).toBe(false)
    await fetch(`http://${server.authority}/gremlin/status/${first}`, { method: "DELETE" })
    expect((await client.answer(first)).status.code).toBe(598)
    expect(await run("s", "x")).toEqual([0])
  })

  it("continues with the next request when a waiting one is cancelled", async () => {
    for (const channelizer of ["WsAndHttpChannelizer", "UnifiedChannelizer"] as const) {
      const { client, run, server } = await connected({ channelizer, enginePool: 1 })
      await run("s", "x = 0")
      const cancel = (id: string) => fetch(`http://${server.authority}/gremlin/status/${id}`, { method: "DELETE" })
      const keep = { maintainStateAfterException: true }
      const [first, second, third] = [endless, "x = 1", "x"].map((gremlin) =>
        client.send("eval", "session", { session: "s", gremlin, ...keep })
      ) as [string, string, string]
      const other = client.send("eval", "session", { session: "other", gremlin: "1", ...keep })
      expect((await cancel(second)).status).toBe(200)
      expect((await client.answer(second)).status.message).toContain("was cancelled by")
      // With UnifiedChannelizer this request waits for the lane and not in its session; otherwise it is already answered.
      await cancel(other)
      await client.answer(other)
      expect((await cancel(first)).status).toBe(200)
      expect((await client.answer(first)).status.message).toContain("was cancelled by")
      expect(await run("other", "2")).toEqual([2])
      expect((await client.answer(third)).result.data).toEqual([0])
    }
  })

  it("queues maxSessionTaskQueueSize requests, and refuses further ones with 429", async () => {
    const { client } = await connected({ maxSessionTaskQueueSize: 2 })
    const first = client.send("eval", "session", { session: "s", gremlin: endless, evaluationTimeout: 200 })
    const waiting = [1, 2].map(() => client.send("eval", "session", { session: "s", gremlin: "1" }))
    const refused = await client.eval("1", { session: "s" })
    expect([refused.status.code, refused.status.message]).toEqual([
      429,
      expect.stringContaining("maxSessionTaskQueueSize")
    ])
    expect((await client.answer(first)).status.code).toBe(598)
    for (const id of waiting) expect((await client.answer(id)).status.code).toBe(200)
  })

  it("is refused beyond the limits of the server and of its connection", async () => {
    const { client, run } = await connected({ maxSessions: 3, maxSessionsPerConnection: 2 })
    await run("a", "1")
    await run("b", "1")
    await expect(run("c", "1")).rejects.toThrow("maxSessionsPerConnection")
    await client.answer(client.send("close", "session", { session: "a" }))
    await run("c", "1")
    const { client: two, run: runTwo } = await connected({ maxSessions: 1 })
    await runTwo("a", "1")
    expect((await two.eval("1", { session: "b" })).status.message).toContain("maxSessions")
  })

  it("is never refused by a limit of 0", async () => {
    const { run } = await connected({ maxSessions: 0, maxSessionsPerConnection: 0 })
    for (let i = 0; i < 70; i++) expect(await run(`s${i}`, "1")).toEqual([1])
  })

  it("ends after sessionTimeout without a request, and the next request is refused with the reason once", async () => {
    const { run, sessions } = await connected({ sessionTimeout: 60 })
    await run("s", "x = 1")
    await eventually(() => sessions.count() === 0)
    await expect(run("s", "x")).rejects.toThrow("sessionTimeout")
    expect(await run("s", "1")).toEqual([1])
  })

  it("survives a failed request with its transaction, whatever drivers of Java ask for", async () => {
    const { run, outside } = await connected(transactional)
    for (const args of [{}, { maintainStateAfterException: false }]) {
      await run("s", "x = 1; g.addV('held').iterate()", args)
      await expect(run("s", "1/0", args)).rejects.toThrow("zero")
      await expect(run("s", "g.V().fail('no')", args)).rejects.toThrow("no")
      expect(await run("s", "[x, g.V().count().next()]", args)).toEqual([1, 1])
      await run("s", "g.tx().commit()", args)
      expect(await outside("g.V().count()")).toEqual([1])
      await outside("g.V().drop()")
    }
  })

  it("ends with a failed request with UnifiedChannelizer, unless the request asks for its state", async () => {
    const { run, sessions } = await connected({ channelizer: "UnifiedChannelizer" })
    await run("s", "x = 1")
    await expect(run("s", "1/0", { maintainStateAfterException: true })).rejects.toThrow("zero")
    expect(await run("s", "x")).toEqual([1])
    for (const args of [{}, { maintainStateAfterException: false }]) {
      await run("s", "x = 1")
      await expect(run("s", "1/0", args)).rejects.toThrow("zero")
      expect(sessions.count()).toBe(0)
      await expect(run("s", "x")).rejects.toThrow("597")
    }
  })

  it("is listed in the dump by name", async () => {
    const { server, run } = await connected(transactional)
    await run("s", "g.addV().iterate()")
    const dump = Context.get(server.services, Diagnostics)
    expect(dump.dump("text")).toMatch(/"session-s" idle in transaction for/)
    expect(JSON.parse(dump.dump("json")).fibers.at(-1)).toMatchObject({
      name: "session-s",
      state: "idle in transaction"
    })
  })
})

describe("The transaction of a session", () => {
  it("is visible to the session alone until it is committed, and to no one when it is rolled back", async () => {
    const { run, outside } = await connected(transactional)
    await run("a", "g.addV('person').property('name','x').iterate()")
    expect(await run("a", "g.V().count()")).toEqual([1])
    expect(await run("b", "g.V().count()")).toEqual([0])
    expect(await outside("g.V().count()")).toEqual([0])
    await run("a", "g.tx().commit()")
    expect(await outside("g.V().count()")).toEqual([1])
    // The snapshot of the other session is older. It gets a new one after its own commit or rollback.
    expect(await run("b", "g.V().count()")).toEqual([0])
    await run("b", "g.tx().rollback()")
    expect(await run("b", "g.V().count()")).toEqual([1])
    await run("a", "g.addV().iterate()")
    await run("a", "g.tx().rollback()")
    expect(await run("a", "g.V().count()")).toEqual([1])
  })

  it("ends by the bytecode that drivers send", async () => {
    for (const graph of [transactional, {}]) {
      const { bytecode, outside } = await connected(graph)
      expect((await bytecode("s", [], [["addV", "a"], ["none"]])).status.code).toBe(204)
      expect(await outside("g.V().count()")).toEqual([0])
      expect((await bytecode("s", [["tx", "rollback"]])).status.code).toBe(204)
      await bytecode("s", [], [["addV", "b"], ["none"]])
      const commit = await bytecode("s", [["tx", "commit"]])
      expect([commit.status.code, commit.status.attributes]).toEqual([204, { host: expect.any(String) }])
      expect(await outside("g.V().label()")).toEqual(["b"])
      expect((await bytecode("s", [["tx", "begin"]])).status.code).toBe(599)
    }
  })

  it("on a TinkerGraph spans one request, unless the client begins one", async () => {
    const { run, outside } = await connected()
    await run("s", "g.addV('kept').iterate()")
    expect(await outside("g.V().count()")).toEqual([1])
    await expect(run("s", "g.addV('lost').iterate(); g.V().fail('x').iterate()")).rejects.toThrow("595")
    expect(await outside("g.V().count()")).toEqual([1])
    await run("s", "g.tx().begin(); null")
    await run("s", "g.addV('held').iterate()")
    expect(await outside("g.V().count()")).toEqual([1])
    await run("s", "g.tx().commit()")
    expect(await outside("g.V().count()")).toEqual([2])
    await run("s", "g.addV('by itself again').iterate()")
    expect(await outside("g.V().count()")).toEqual([3])
  })

  it("is not open when the request that began it failed: the next request commits by itself", async () => {
    const { bytecode, client, run, outside } = await connected()
    await expect(run("s", "g.tx().begin(); g.addV('lost').iterate(); 1/0")).rejects.toThrow("zero")
    await run("s", "g.addV('a').iterate()")
    expect(await outside("g.V().label()")).toEqual(["a"])
    const late = { session: "s", evaluationTimeout: 60 }
    expect((await client.eval(`g.tx().begin(); g.addV('lost').iterate(); ${endless}`, late)).status.code).toBe(598)
    await run("s", "g.addV('b').iterate()")
    expect((await bytecode("s", [], [["V"], ["fail"]])).status.code).toBe(595)
    await run("s", "g.addV('c').iterate()")
    expect(await outside("g.V().label().order()")).toEqual(["a", "b", "c"])
  })

  it("stays open after a failed request when an earlier request began it", async () => {
    const { run, outside } = await connected()
    await run("s", "g.tx().begin(); g.addV('a').iterate()")
    await expect(run("s", "g.addV('lost').iterate(); g.tx().begin(); 1/0")).rejects.toThrow("zero")
    await run("s", "g.addV('b').iterate()")
    expect(await outside("g.V().count()")).toEqual([0])
    await run("s", "g.tx().commit()")
    expect(await outside("g.V().label().order()")).toEqual(["a", "b"])
  })

  it("is not open after a failed request that committed it", async () => {
    const { run, outside } = await connected()
    await run("s", "g.tx().begin(); g.addV('a').iterate()")
    await expect(run("s", "g.tx().commit(); g.tx().begin(); g.addV('lost').iterate(); 1/0")).rejects.toThrow("zero")
    await run("s", "g.addV('b').iterate()")
    expect(await outside("g.V().label().order()")).toEqual(["a", "b"])
  })

  it("is rolled back by a close, whose answer warns of it", async () => {
    const { client, run, outside } = await connected(transactional)
    for (const force of [false, true]) {
      await run("s", "g.addV('lost').iterate()")
      const answer = await client.answer(client.send("close", "session", { session: "s", force }))
      expect([answer.status.code, answer.status.attributes]).toEqual([
        204,
        { host: expect.any(String), warnings: [expect.stringContaining("uncommitted changes of the graph 'graph'")] }
      ])
    }
    await run("s", "g.addV('kept').iterate(); g.tx().commit()")
    const answer = await client.answer(client.send("close", "session", { session: "s" }))
    expect(answer.status.attributes).toEqual({ host: expect.any(String) })
    expect(await outside("g.V().label()")).toEqual(["kept"])
  })

  it("can end while the changes of a failed request are rolled back", async () => {
    const endings = (["close", "leave"] as const).flatMap((end) => [
      { end, settings: transactional },
      { end, settings: onLmdb(newFolder()) }
    ])
    for (const { end, settings } of endings) {
      const { client, server, outside, sessions } = await connected(settings)
      await client.eval("g.addV('first').iterate()", { session: "s" })
      const bindings = { x: Array.from({ length: 60_000 }, (_, i) => i) }
      const gremlin = "g.inject(x).unfold().addV('lost').property('n', 1).iterate(); g.inject(1).fail('no')"
      const id = client.send("eval", "session", { gremlin, bindings, session: "s" })
      await eventually(() => sessions.dump().some(({ state }) => state === "rolling back"))
      if (end === "close") {
        client.send("close", "session", { session: "s", force: true })
        expect((await client.answer(id)).status.code).toBe(595)
      } else client.ws.terminate()
      await eventually(() => Context.get(server.services, Dispatcher).active() === 0)
      expect(await outside("g.V().count()")).toEqual([0])
      expect(server.log.filter((line) => line.startsWith("ERROR"))).toEqual([])
    }
  })

  it("fails the next request when it expires during the rollback of a failed one", async () => {
    const { client, run, outside, sessions } = await connected({ ...transactional, maxTransactionLifetime: 1_500 })
    await run("s", "g.addV('first').iterate()")
    const bindings = { x: Array.from({ length: 4_200 }, (_, i) => i) }
    const failing = "g.inject(x).unfold().addV('lost').property('n', 1).iterate(); g.inject(1).fail('no')"
    // One of the failing requests is being rolled back when the time limit passes.
    for (let expired = false; !expired; ) {
      const { status } = await client.eval(failing, { bindings, session: "s" })
      expired = status.code !== 595
      if (expired) expect(status.message).toContain("maxTransactionLifetime")
    }
    expect(sessions.count()).toBe(1)
    expect(await outside("g.V().count()")).toEqual([0])
  })

  it("spans one request with manageTransaction", async () => {
    const { run, outside } = await connected(transactional)
    await run("s", "g.addV().iterate()", { manageTransaction: true })
    expect(await outside("g.V().count()")).toEqual([1])
    await expect(run("s", "g.addV().iterate(); 1/0", { manageTransaction: true })).rejects.toThrow("zero")
    await run("s", "g.tx().commit()")
    expect(await outside("g.V().count()")).toEqual([1])
  })

  it("is rolled back after idleTransactionTimeout, and the next request is refused once when changes were lost", async () => {
    const { run, outside } = await connected({ ...transactional, idleTransactionTimeout: 60 })
    await run("s", "x = g.addV('lost').next(); null")
    await new Promise((resolve) => setTimeout(resolve, 150))
    await expect(run("s", "g.V().count()")).rejects.toThrow("idleTransactionTimeout")
    expect(await run("s", "g.V().count()")).toEqual([0])
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await run("s", "x.label()")).toEqual(["lost"])
    expect(await outside("g.V().count()")).toEqual([0])
  })

  it("fails the next request after idleTransactionTimeout, even without changes, when the client began it", async () => {
    const { run, outside, sessions } = await connected({ idleTransactionTimeout: 300 * patience })
    await run("s", "g.tx().begin(); null")
    expect(await run("s", "g.V().count()")).toEqual([0])
    await eventually(() => sessions.dump().every(({ state }) => state === "idle"))
    await expect(run("s", "g.addV('part of it').iterate()")).rejects.toThrow("idleTransactionTimeout")
    expect(await outside("g.V().count()")).toEqual([0])
    await run("s", "g.addV('by itself').iterate()")
    expect(await outside("g.V().count()")).toEqual([1])
  })

  it("is not idle while a request runs in it", async () => {
    const { run } = await connected({ ...transactional, idleTransactionTimeout: 300 * patience })
    await run("s", "g.addV().iterate()")
    await expect(run("s", endless, { evaluationTimeout: 500 * patience })).rejects.toThrow("598")
    expect(await run("s", "g.V().count()")).toEqual([1])
  })

  it("is rolled back after maxTransactionLifetime, even while a request runs in it", async () => {
    const { run, outside } = await connected({ ...transactional, maxTransactionLifetime: 150 })
    await run("s", "g.addV().iterate()")
    await expect(run("s", endless)).rejects.toThrow("maxTransactionLifetime")
    expect(await run("s", "g.V().count()")).toEqual([0])
    expect(await outside("g.V().count()")).toEqual([0])
  })

  it("leaves elements in variables readable after it", async () => {
    const { run } = await connected(transactional)
    await run("s", "v = g.addV('person').property('name','marko').next(); g.tx().commit()")
    expect(await run("s", "v.value('name')")).toEqual(["marko"])
    expect(await run("s", "g.V(v).values('name')")).toEqual(["marko"])
    await run("s", "g.tx().rollback()")
    expect(await run("s", "g.V(v).count()")).toEqual([1])
  })

  it("cannot be ended by a client outside a session on a TinkerGraph", async () => {
    const { client } = await connected()
    const answer = await client.eval("g.tx().commit()")
    expect([answer.status.code, answer.status.message]).toEqual([
      597,
      expect.stringContaining("Graph does not support transactions")
    ])
  })

  it("ends the session with closeSessionPostGraphOp", async () => {
    const { bytecode, sessions } = await connected({ ...transactional, closeSessionPostGraphOp: true })
    await bytecode("s", [], [["addV", "a"]])
    expect(sessions.count()).toBe(1)
    await bytecode("s", [["tx", "commit"]])
    await eventually(() => sessions.count() === 0)
  })
})

describe("UnifiedChannelizer", () => {
  it("runs the requests of sessions in the pool, still in order, and warns that it is deprecated", async () => {
    const { client, run, server } = await connected({
      channelizer: "UnifiedChannelizer",
      enginePool: 1,
      maxWorkQueueSize: 1
    })
    expect(server.log.join()).toContain("UnifiedChannelizer is deprecated")
    await run("s", "n = 1")
    expect(await run("s", "n + 1")).toEqual([2])
    const held = client.send("eval", "session", { session: "s", gremlin: endless, evaluationTimeout: 200 })
    const waits = client.send("eval", "", { gremlin: "1" })
    expect((await client.eval("2")).status.code).toBe(429)
    expect((await client.answer(held)).status.code).toBe(598)
    expect((await client.answer(waits)).status.code).toBe(200)
  })

  it("counts a request of a session that a full pool refuses", async () => {
    const { client, server } = await connected({
      channelizer: "UnifiedChannelizer",
      enginePool: 1,
      maxWorkQueueSize: 0
    })
    const held = client.send("eval", "", { gremlin: endless, evaluationTimeout: 300 })
    const answer = await client.eval("1", { session: "s" })
    expect([answer.status.code, answer.status.message]).toEqual([429, expect.stringContaining("enginePool")])
    const { text } = await http(server.authority, { path: "/metrics" })
    expect(text).toContain('engine_server_refusals_total{reason="pool"} 1')
    expect((await client.answer(held)).status.code).toBe(598)
  })

  it("keeps a session when a request is refused, of which nothing ran", async () => {
    const { client, run } = await connected({
      ...transactional,
      channelizer: "UnifiedChannelizer",
      enginePool: 1,
      maxWorkQueueSize: 0,
      maxSessionTaskQueueSize: 1
    })
    await run("s", "x = 1; g.addV('kept').iterate()")
    const held = client.send("eval", "", { gremlin: endless, evaluationTimeout: 300 * patience })
    const refused = await client.eval("x = 2", { session: "s" })
    expect([refused.status.code, refused.status.message]).toEqual([
      429,
      "Rate limiting: 1 requests are being evaluated and 0 are waiting, which is all that enginePool and maxWorkQueueSize " +
        "allow. Send the request again later."
    ])
    await client.answer(held)
    expect(await run("s", "[x, g.V().hasLabel('kept').count().next()]")).toEqual([1, 1])
    // The queue of the session is full.
    const keep = { maintainStateAfterException: true, evaluationTimeout: 300 * patience }
    const first = client.send("eval", "session", { session: "s", gremlin: endless, ...keep })
    const others = [1, 2].map(() => client.send("eval", "session", { session: "s", gremlin: "x" }))
    const codes = await Promise.all([first, ...others].map(async (id) => (await client.answer(id)).status.code))
    expect(codes).toEqual([598, 200, 429])
    expect(await run("s", "x")).toEqual([1])
  })

  it("runs one request of a session at a time, however many lanes are free", async () => {
    const { client } = await connected({ channelizer: "UnifiedChannelizer", enginePool: 4 })
    const ask = (session: string, gremlin: string) => client.send("eval", "session", { session, gremlin })
    for (let round = 0; round < 20; round++) {
      // The long request runs in slices, so a concurrent request would see the old value.
      const asked = [
        "n = 1",
        "g.inject(1).repeat(__.identity()).times(20000).iterate(); n = 2",
        "n",
        "n = n + 1; n"
      ].map((gremlin) => ask(`s${round}`, gremlin))
      const answers = await Promise.all(asked.map((id) => client.answer(id)))
      expect(answers.map(({ result }) => result.data)).toEqual([[1], [2], [2], [3]])
    }
  })
})
