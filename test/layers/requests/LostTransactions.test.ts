import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { Channelizer } from "../../../src/services/Channelizer.ts"
import { Sessions } from "../../../src/services/Sessions.ts"
import { patience } from "../../Limits.ts"
import { sourcesOnly } from "../support/Packed.ts"
import type { Answer, SocketClient } from "../support/SocketClient.ts"
import { endless, eventually } from "../support/TestServers.ts"
import { add, bytecode, commit, count, lost, pairOf, run, session, transactional } from "./SessionPairs.ts"

sourcesOnly("the workers are servers in one process, which share the memory of a test")

const readNames = (client: SocketClient) => bytecode(client, [], [["V"], ["values", "name"]])

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
        async (client) => {
          expect((await run(client, "g.addV('taken back').iterate(); 1 / 0")).status.code).toBe(597)
          expect((await run(client, "g.V().count()")).result.data).toEqual([0])
        },
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

    it("is told once when it has only read", async () => {
      for (const next of [commit, readNames]) {
        const { first, reconnected } = await pairOf(workers, {})
        expect((await readNames(first)).status.code).toBe(204)
        const second = await reconnected()
        const { status } = await next(second)
        expect([status.code, status.message]).toEqual([500, expect.stringContaining("It had changed nothing")])
        expect((await readNames(second)).status.code).toBe(204)
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
  })
}

describe("A lost transaction", () => {
  it("is known for eight hours, also if its commit is sent again and again", async () => {
    const { first, reconnected } = await pairOf(2, transactional)
    await add(first)
    const second = await reconnected()
    const [begun] = process.hrtime()
    let hours = 0
    vi.spyOn(process, "hrtime").mockImplementation(() => [begun + hours * 3_600, 0])
    onTestFinished(() => void vi.restoreAllMocks())
    for (hours = 0; hours < 8; hours++) expect((await commit(second)).status).toEqual(lost)
    hours++
    expect((await commit(second)).status.code).toBe(204)
  })

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

  it("that has only read is told once after idleTransactionTimeout", async () => {
    const { first, server } = await pairOf(1, { idleTransactionTimeout: 50 * patience })
    await readNames(first)
    const sessions = Context.get(server.services, Sessions)
    await eventually(() => sessions.dump().every(({ state }) => state === "idle"))
    expect((await readNames(first)).status.message).toContain("idleTransactionTimeout")
    expect((await readNames(first)).status.code).toBe(204)
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

  it("is told to a commit that was sent before maxTransactionLifetime ended the request before it", async () => {
    for (const channelizer of ["WebSocketChannelizer", "UnifiedChannelizer"] as const) {
      const limits = { maxTransactionLifetime: 200, channelizer }
      const { first } = await pairOf(1, { ...transactional, ...limits })
      await add(first)
      const args = { session, maintainStateAfterException: true }
      const [running, queued] = await Promise.all([first.eval(endless, args), commit(first)])
      for (const { status } of [running, queued]) expect(status.message).toContain("maxTransactionLifetime")
      expect((await commit(first)).status.code).toBe(500)
      expect((await bytecode(first, [["tx", "rollback"]])).status.code).toBe(204)
      expect((await commit(first)).status.code).toBe(204)
    }
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
