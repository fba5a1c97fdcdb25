import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { emptyTinkerGraph, type ServerSettings, tinkerGraphDefaults } from "../../../src/services/Config.ts"
import { Dispatcher } from "../../../src/services/Dispatcher.ts"
import { newFolder } from "../../Folders.ts"
import { http, post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, startInside, startServer } from "../support/TestServers.ts"

const inMemory: Partial<ServerSettings> = {
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

const stores: ReadonlyArray<readonly [name: string, settings: () => Partial<ServerSettings>]> = [
  ["memory", () => inMemory],
  ["lmdb", () => onLmdb(newFolder())]
]

const connected = async (settings: Partial<ServerSettings>) => {
  const { authority } = await startServer({ ...settings, enginePool: 8 })
  const client = await SocketClient.connect(authority)
  const answer = (session: string, gremlin: string, args = {}) => client.eval(gremlin, { session, ...args })
  /** Evaluates a script in a session, and returns the data of the answer. */
  const run = async (session: string, gremlin: string) => {
    const { result, status } = await answer(session, gremlin)
    if (status.code >= 400) throw new Error(`${status.code} ${status.message}`)
    return result.data
  }
  return { authority, answer, run }
}

describe.each(stores)("Sessions on %s", (_, settings) => {
  it("let the first commit succeed, and fail the other with a conflict", async () => {
    const { answer, authority, run } = await connected(settings())
    await post(authority, "g.addV('account').property('balance', 50).iterate()")
    for (const session of ["one", "two"]) {
      await run(
        session,
        "g.tx().open(); x = g.V().values('balance').next(); g.V().property('balance', x + 10).iterate()"
      )
    }
    await run("one", "g.tx().commit()")
    const { status } = await answer("two", "g.tx().commit()")
    expect([status.code, status.message]).toEqual([596, expect.stringContaining("Run it again")])
    expect((await post(authority, "g.V().values('balance')")).json.result.data).toEqual([60])
    // The session continues with a new snapshot.
    expect(await run("two", "g.V().values('balance')")).toEqual([60])
  })

  it("roll back the changes of a failed request, and no others", async () => {
    const { answer, authority, run } = await connected(settings())
    await run("s", "g.tx().open(); g.addV('kept').property('n', 1).iterate()")
    const failing =
      "g.V().property('n', 2).iterate(); g.addV('lost').as('a').V().hasLabel('kept').addE('to').to('a').iterate(); g.inject(1).fail('no')"
    expect((await answer("s", failing)).status.code).toBe(595)
    expect(await run("s", "g.V().label()")).toEqual(["kept"])
    expect(await run("s", "g.V().values('n')")).toEqual([1])
    expect(await run("s", "g.E().count()")).toEqual([0])
    await run("s", "g.addV('also').iterate()")
    await run("s", "g.tx().commit()")
    expect((await post(authority, "g.V().label().order()")).json.result.data).toEqual(["also", "kept"])
  })

  it("roll back the changes of a request that times out", async () => {
    const { answer, authority, run } = await connected(settings())
    await run("s", "g.tx().open(); g.addV('kept').iterate()")
    const { status } = await answer("s", `g.addV('lost').iterate(); ${endless}`, { evaluationTimeout: 100 })
    expect(status.code).toBe(598)
    await run("s", "g.tx().commit()")
    expect((await post(authority, "g.V().label()")).json.result.data).toEqual(["kept"])
  })

  it("give a cancelled request one answer, however long its rollback takes", async () => {
    const { authority, services } = await startInside(settings())
    const client = await SocketClient.connect(authority)
    await client.eval("g.tx().open(); g.addV('kept').iterate()", { session: "s" })
    const bindings = { x: Array.from({ length: 50_000 }, (_, i) => i) }
    const gremlin = "g.inject(x).unfold().addV('lost').iterate(); g.inject(1).repeat(__.constant(1)).until(__.is(2))"
    const id = client.send("eval", "session", { gremlin, bindings, session: "s" })
    const steps = () => Array.from(Context.get(services, Dispatcher).running(), (evaluation) => evaluation.describe())
    await eventually(() => steps().some(({ step }) => step.startsWith("ConstantStep")))
    const { status } = await http(authority, { method: "DELETE", path: `/gremlin/status/${id}` })
    expect(status).toBe(200)
    expect((await client.answer(id)).status.code).toBe(598)
    expect((await client.eval("g.V().label()", { session: "s" })).result.data).toEqual(["kept"])
    await client.eval("g.V().count()")
    expect(client.frames.filter(({ requestId }) => requestId === id)).toHaveLength(1)
    expect(Context.get(services, Dispatcher).active()).toBe(0)
  })

  it("leave no changes of a request outside a session that fails or times out", async () => {
    const { authority } = await connected(settings())
    await post(authority, "g.addV('kept').iterate()")
    const late = await post(authority, `g.addV('lost').iterate(); ${endless}`, { evaluationTimeout: 100 })
    expect(late.status).toBe(500)
    await post(authority, "g.addV('lost').iterate(); g.inject(1).fail('no')")
    expect((await post(authority, "g.V().label()")).json.result.data).toEqual(["kept"])
  })

  it("lose no increment of 32 clients", async () => {
    const { authority } = await connected({ ...settings(), enginePool: 16 })
    await post(authority, "g.addV('counter').property('n', 0).iterate()")
    const add = async (): Promise<void> => {
      for (;;) {
        const { status } = await post(authority, "x = g.V().values('n').next(); g.V().property('n', x + 1).iterate()")
        if (status === 200) return
      }
    }
    await Promise.all(Array.from({ length: 32 }, add))
    expect((await post(authority, "g.V().values('n')")).json.result.data).toEqual([32])
  })
})

describe("A session that uses two graphs", () => {
  const tinker = { ...emptyTinkerGraph, name: "tinker" }
  const other = {
    ...emptyTinkerGraph,
    name: "other",
    factory: { kind: "TinkerTransactionGraph", tinkergraph: tinkerGraphDefaults } as const
  }
  const settings = (): Partial<ServerSettings> => ({
    graphs: new Map([
      ["tinker", tinker],
      ["other", other]
    ]),
    traversalSources: [
      { name: "g", graph: "tinker", expression: undefined },
      { name: "h", graph: "other", expression: undefined }
    ]
  })

  it.each(["rollback", "commit"])("keeps the transaction of one open when it calls %s() on the other", async (end) => {
    const { authority, run } = await connected(settings())
    const committed = async () =>
      (await post(authority, "[g.V().count().next(), h.V().count().next()]")).json.result.data
    await run("s", "g.tx().begin(); g.addV('kept').iterate()")
    await run("s", `h.tx().begin(); h.addV('ended').iterate(); h.tx().${end}()`)
    const ended = end === "commit" ? 1 : 0
    expect(await committed()).toEqual([0, ended])
    await run("s", "g.addV('kept').iterate()")
    expect(await committed()).toEqual([0, ended])
    await run("s", "g.tx().commit()")
    expect(await committed()).toEqual([2, ended])
  })

  it("commits with each request the changes of a graph without transactions, whose transaction it did not begin", async () => {
    const { authority, run } = await connected(settings())
    await run("s", "h.tx().begin(); h.addV('open').iterate(); g.addV('done').iterate()")
    expect((await post(authority, "[g.V().count().next(), h.V().count().next()]")).json.result.data).toEqual([1, 0])
  })

  it("keeps a transaction of an earlier request when a request fails that begins the one of the other graph", async () => {
    const { answer, authority, run } = await connected(settings())
    await run("s", "g.tx().begin(); g.addV('kept').iterate()")
    expect((await answer("s", "h.tx().begin(); h.addV('lost').iterate(); g.inject(1).fail('no')")).status.code).toBe(
      595
    )
    await run("s", "g.addV('kept').iterate()")
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([0])
    await run("s", "g.tx().commit()")
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([2])
  })

  it("has an open transaction of a graph only if it has used this graph", async () => {
    const { run } = await connected(settings())
    expect(await run("s", "h.tx().begin(); [g.tx().isOpen(), h.tx().isOpen()]")).toEqual([false, true])
    expect(await run("s", "h.tx().rollback(); g.V().iterate(); [g.tx().isOpen(), h.tx().isOpen()]")).toEqual([
      true,
      false
    ])
  })
})
