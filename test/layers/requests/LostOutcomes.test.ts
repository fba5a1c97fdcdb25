import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { CommitOutcomeUnknown, TransactionConflict } from "../../../src/index.ts"
import { Sessions } from "../../../src/services/Sessions.ts"
import { FailedAfterCommit } from "../../../src/structure/errors/StoreErrors.ts"
import { heldGraph } from "../support/HeldGraph.ts"
import { sourcesOnly } from "../support/Packed.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually } from "../support/TestServers.ts"
import { add, commit, countOf, lost, pairOf, run, sendCommit, unknown } from "./SessionPairs.ts"

sourcesOnly("the workers are servers in one process, which share the memory of a test")

for (const { place, workers } of [
  { place: "the same server", workers: 1 },
  { place: "another worker", workers: 2 }
]) {
  describe(`A transaction whose connection is lost during its commit, at ${place}`, () => {
    it("makes another commit fail until the outcome of its own commit is known, and then with that outcome", async () => {
      for (const { outcome, told } of [
        { outcome: undefined, told: undefined },
        { outcome: { before: new TransactionConflict("v[1]") }, told: lost }
      ]) {
        const graph = heldGraph("graph")
        const { first, reconnected } = await pairOf(workers, {}, graph)
        await add(first)
        sendCommit(first)
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
      for (const { outcome, code, told } of [
        { outcome: { before: new TransactionConflict("v[1]") }, code: 596, told: lost },
        { outcome: { after: new CommitOutcomeUnknown("the store gave no answer.") }, code: 500, told: unknown },
        { outcome: { after: new FailedAfterCommit("an index") }, code: 500, told: undefined }
      ]) {
        const graph = heldGraph("graph")
        const { first, reconnected } = await pairOf(workers, {}, graph)
        await add(first)
        const failing = commit(first)
        await eventually(() => graph.waiting.length === 1)
        graph.release(outcome)
        expect((await failing).status.code).toBe(code)
        const { status } = await commit(await reconnected())
        if (told === undefined) expect(status.code).toBe(204)
        else expect(status).toEqual(told)
      }
    })

    it("is told when it also changed another graph than the one that was being committed", async () => {
      const [graph, other] = [heldGraph("graph"), heldGraph("other")]
      const { first, reconnected } = await pairOf(workers, {}, graph, other)
      await run(first, "g.addV('kept').iterate(); g_other.addV('lost').iterate()")
      sendCommit(first)
      await eventually(() => graph.waiting.length === 1)
      const second = await reconnected()
      expect((await commit(second)).status).toEqual(unknown)
      graph.release()
      await eventually(async () => (await countOf(second)) === 1)
      expect((await commit(second)).status).toEqual(lost)
    })
  })
}

it("A lost transaction stays known when the one before it in the same session gets its outcome", async () => {
  const graph = heldGraph("graph")
  const { first, server, reconnected } = await pairOf(1, {}, graph)
  await add(first)
  sendCommit(first)
  await eventually(() => graph.waiting.length === 1)
  const second = await reconnected()
  expect((await run(second, "g.V().count()")).status).toEqual(unknown)
  await add(second)
  second.ws.terminate()
  await eventually(() => Context.get(server.services, Sessions).count() === 0)
  const third = await SocketClient.connect(server.authority)
  graph.release()
  await eventually(async () => (await countOf(third)) === 1)
  expect((await commit(third)).status).toEqual(lost)
})
