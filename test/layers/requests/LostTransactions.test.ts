import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { TransactionConflict } from "../../../src/index.ts"
import { Channelizer } from "../../../src/services/Channelizer.ts"
import { emptyTinkerGraph, type ServerSettings, tinkerGraphDefaults } from "../../../src/services/Config.ts"
import { Sessions } from "../../../src/services/Sessions.ts"
import { patience } from "../../Limits.ts"
import { type HeldGraph, heldGraph, serving } from "../support/HeldGraph.ts"
import { sourcesOnly } from "../support/Packed.ts"
import { type Answer, SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, type InsideServer, startInside } from "../support/TestServers.ts"
import { boundsOf } from "../workers/Regions.ts"

sourcesOnly("the workers are servers in one process, which share the memory of a test")

const factory = { kind: "TinkerTransactionGraph", tinkergraph: tinkerGraphDefaults } as const
const transactional: Partial<ServerSettings> = {
  graphs: new Map([["graph", { ...emptyTinkerGraph, name: "graph", factory }]])
}

/** A client of a server, and one that comes after it: at the same server, or at another worker of it. */
interface Pair {
  readonly first: SocketClient
  readonly server: InsideServer
  /** Ends the connection of the first client, and returns a second client when the server has noticed. */
  readonly reconnected: () => Promise<SocketClient>
}

const pairOf = async (workers: number, settings: Partial<ServerSettings>, graph?: HeldGraph): Promise<Pair> => {
  const parts = graph === undefined ? {} : { graphs: serving(graph) }
  const bounds = workers === 1 ? [undefined] : await boundsOf(workers)
  const servers = await Promise.all(bounds.map((own) => startInside(settings, parts, own)))
  const server = servers[0]!
  const first = await SocketClient.connect(server.authority)
  return {
    first,
    server,
    reconnected: async () => {
      first.ws.terminate()
      await eventually(() => Context.get(server.services, Sessions).count() === 0)
      return SocketClient.connect(servers.at(-1)!.authority)
    }
  }
}

const session = "s"

const run = (client: SocketClient, gremlin: string): Promise<Answer> => client.eval(gremlin, { session })

const bytecode = (
  client: SocketClient,
  source: ReadonlyArray<unknown>,
  step: ReadonlyArray<unknown> = []
): Promise<Answer> => {
  const gremlin = { "@type": "g:Bytecode", "@value": { source, step } }
  return client.answer(client.send("bytecode", "session", { session, gremlin, aliases: { g: "g" } }))
}

const commit = (client: SocketClient) => bytecode(client, [["tx", "commit"]])
const add = (client: SocketClient) => bytecode(client, [], [["addV", "lost"], ["none"]])

const count = async (client: SocketClient) => (await client.eval("g.V().count()")).result.data

const lost = {
  code: 500,
  message: expect.stringContaining("The transaction of the session 's' has ended without a commit"),
  attributes: expect.objectContaining({ exceptions: ["TransactionLost"] })
}

const unknown = {
  code: 500,
  message: expect.stringContaining("while the transaction was being committed"),
  attributes: expect.objectContaining({ exceptions: ["TransactionLost"], commitOutcome: "unknown" })
}

/** Requests that continue a transaction. */
const continuing: Readonly<Record<string, (client: SocketClient) => Promise<Answer>>> = {
  "the commit of a driver": commit,
  "the commit of a script": (client) => run(client, "g.tx().commit()"),
  "a traversal of a driver": (client) => bytecode(client, [], [["V"]]),
  "a script": (client) => run(client, "g.addV('lost').iterate()")
}

for (const { place, workers } of [
  { place: "the same server", workers: 1 },
  { place: "another worker", workers: 2 }
]) {
  describe(`A transaction whose connection is lost, at ${place}`, () => {
    it.each(Object.keys(continuing))("makes %s fail, and the commit after it", async (name) => {
      for (const settings of [transactional, {}]) {
        const { first, reconnected } = await pairOf(workers, settings)
        expect((await add(first)).status.code).toBe(204)
        const second = await reconnected()
        const isScript = name === "a script"
        expect((await continuing[name]!(second)).status).toEqual(lost)
        // A program may repeat what failed.
        if (isScript) expect((await commit(second)).status.code).toBe(204)
        else {
          for (let i = 0; i < 2; i++) expect((await commit(second)).status).toEqual(lost)
          expect((await continuing[name]!(second)).status).toEqual(lost)
        }
        expect(await count(second)).toEqual([0])
      }
    })

    it("is told when a script has changed something or has begun it", async () => {
      for (const { settings, script } of [
        { settings: transactional, script: "g.addV('lost').iterate()" },
        { settings: {}, script: "g.tx().begin(); null" }
      ]) {
        const { first, reconnected } = await pairOf(workers, settings)
        expect((await run(first, script)).status.code).toBeLessThan(300)
        expect((await commit(await reconnected())).status).toEqual(lost)
      }
    })

    it.each([
      ["a rollback of a driver", (client: SocketClient) => bytecode(client, [["tx", "rollback"]])],
      ["a rollback of a script", (client: SocketClient) => run(client, " g.tx().rollback();")],
      ["a close", (client: SocketClient) => client.answer(client.send("close", "session", { session }))]
    ])("lets %s succeed, which frees its name", async (_, end) => {
      const { first, reconnected } = await pairOf(workers, transactional)
      await add(first)
      const second = await reconnected()
      expect((await end(second)).status.code).toBeLessThan(300)
      expect((await add(second)).status.code).toBe(204)
      expect((await commit(second)).status.code).toBe(204)
      expect(await count(second)).toEqual([1])
    })

    it("is not told when nothing is lost", async () => {
      const fine: ReadonlyArray<(client: SocketClient) => Promise<unknown>> = [
        async (client) => {
          await add(client)
          await commit(client)
        },
        async (client) => {
          await add(client)
          await bytecode(client, [["tx", "rollback"]])
        },
        async (client) => {
          await add(client)
          await client.answer(client.send("close", "session", { session }))
        },
        async (client) => {
          await add(client)
          await client.answer(client.send("close", "session", { session, force: true }))
        },
        (client) => run(client, "g.V().count()"),
        // The client knows that this request has no answer.
        async (client) => {
          client.send("eval", "session", { session, gremlin: `g.addV('lost').iterate(); ${endless}` })
        }
      ]
      for (const [i, use] of fine.entries()) {
        const { first, reconnected, server } = await pairOf(workers, transactional)
        const sessions = Context.get(server.services, Sessions)
        if (i < fine.length - 1) await use(first)
        else {
          void use(first)
          await eventually(() => sessions.dump().some(({ step }) => step !== "" && step !== "script"))
        }
        const second = await reconnected()
        expect([i, (await commit(second)).status.code]).toEqual([i, 204])
      }
    })

    it("is told when it expired before, and its client does not know", async () => {
      const { first, reconnected, server } = await pairOf(workers, { ...transactional, idleTransactionTimeout: 50 })
      await add(first)
      const sessions = Context.get(server.services, Sessions)
      await eventually(() => sessions.dump().every(({ state }) => state === "idle"))
      expect((await commit(await reconnected())).status).toEqual(lost)
    })

    it("is told when its session ended before, and its client does not know", async () => {
      const { first, reconnected, server } = await pairOf(workers, { ...transactional, sessionTimeout: 50 })
      await add(first)
      await eventually(() => Context.get(server.services, Sessions).count() === 0)
      expect((await commit(await reconnected())).status).toEqual(lost)
    })

    it("is told after a reload that did not wait for its end", async () => {
      const { first, reconnected, server } = await pairOf(workers, { ...transactional, shutdownTimeout: 50 })
      await add(first)
      Effect.runFork(Context.get(server.services, Channelizer).retire!)
      expect((await first.closed).code).toBe(1012)
      if (workers > 1) expect((await commit(await reconnected())).status).toEqual(lost)
    })

    it("makes another commit fail until the outcome of its own commit is known, and then with that outcome", async () => {
      for (const { outcome, told } of [
        { outcome: undefined, told: undefined },
        { outcome: { before: new TransactionConflict("v[1]") }, told: lost }
      ]) {
        const graph = heldGraph("graph")
        const { first, reconnected } = await pairOf(workers, {}, graph)
        await add(first)
        first.send("bytecode", "session", {
          session,
          gremlin: { "@type": "g:Bytecode", "@value": { source: [["tx", "commit"]] } },
          aliases: { g: "g" }
        })
        await eventually(() => graph.waiting.length === 1)
        const second = await reconnected()
        expect((await commit(second)).status).toEqual(unknown)
        graph.release(outcome)
        const { status } = await commit(second)
        if (told === undefined) expect(status.code).toBe(204)
        else expect(status).toEqual(told)
      }
    })

    it("is told when its commit failed, and the answer may not have arrived", async () => {
      const graph = heldGraph("graph")
      const { first, reconnected } = await pairOf(workers, {}, graph)
      await add(first)
      const failing = commit(first)
      await eventually(() => graph.waiting.length === 1)
      graph.release({ before: new TransactionConflict("v[1]") })
      expect((await failing).status.code).toBe(596)
      expect((await commit(await reconnected())).status).toEqual(lost)
    })
  })
}

describe("A lost transaction", () => {
  it("is told once on the connection whose session the server has ended, with the reason", async () => {
    const { first, server } = await pairOf(1, { ...transactional, sessionTimeout: 50 * patience })
    await add(first)
    await eventually(() => Context.get(server.services, Sessions).count() === 0)
    expect((await commit(first)).status.message).toContain("sessionTimeout")
    expect((await commit(first)).status).toEqual(lost)
    expect((await bytecode(first, [["tx", "rollback"]])).status.code).toBe(204)
    expect((await commit(first)).status.code).toBe(204)
    await add(first)
    await eventually(() => Context.get(server.services, Sessions).count() === 0)
    expect((await bytecode(first, [["tx", "rollback"]])).status.code).toBe(204)
    expect((await commit(first)).status.code).toBe(204)
  })

  it("lets a rollback succeed after idleTransactionTimeout", async () => {
    const { first, server } = await pairOf(1, { ...transactional, idleTransactionTimeout: 50 })
    await add(first)
    const sessions = Context.get(server.services, Sessions)
    await eventually(() => sessions.dump().every(({ state }) => state === "idle"))
    for (let i = 0; i < 2; i++) expect((await commit(first)).status.message).toContain("idleTransactionTimeout")
    expect((await bytecode(first, [["tx", "rollback"]])).status.code).toBe(204)
    expect((await commit(first)).status.code).toBe(204)
  })

  it("is told after a failed request that ended its session, with UnifiedChannelizer", async () => {
    const { first } = await pairOf(1, { ...transactional, channelizer: "UnifiedChannelizer" })
    await add(first)
    expect((await run(first, "1/0")).status.code).toBe(597)
    for (let i = 0; i < 2; i++) expect((await commit(first)).status).toEqual(lost)
    expect((await run(first, "g.V().count()")).status).toEqual(lost)
    expect((await run(first, "g.V().count()")).status.code).toBe(200)
  })
})
