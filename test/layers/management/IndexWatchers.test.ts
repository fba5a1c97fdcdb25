import { describe, expect, it, vi } from "vitest"
import type { HostAnswer } from "../../../src/gremlin/HostCall.ts"
import { graphIndexWatcher, relationIndexWatcher } from "../../../src/layers/management/IndexWatchers.ts"
import type { ScriptObject } from "../../../src/layers/management/ScriptObject.ts"
import { Pending } from "../../../src/scheduling/Pending.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { IndexTable } from "../../../src/storage/janusgraph/schema/IndexTable.ts"
import { HostConstant } from "../../../src/structure/collections/HostConstant.ts"
import { newFolder } from "../../Folders.ts"
import { post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

/** A graph that counts how often its schema is read. Its index and its vertex-centric index are enabled. */
const counted = (building?: Promise<void>) => {
  let reads = 0
  const index = { id: 5, name: "byName", status: "ENABLED", fields: [] }
  const relationIndex = { type: { id: 6, name: "1:bySince" }, base: 1, status: "ENABLED" }
  const schema = {
    indexes: [index],
    relationIndexes: [relationIndex],
    indexTable: new IndexTable([{ ...index, element: "vertex", inlineKeys: [] }], [relationIndex]),
    keys: new Map(),
    labels: new Map([["knows", { id: 1 }]])
  }
  const management = {
    schema: () => {
      reads++
      return Promise.resolve(schema)
    },
    failure: () => undefined,
    done: () => building
  }
  return { graph: { name: "graph", management } as unknown as CellGraph, reads: () => reads }
}

type LaterAnswer = Extract<HostAnswer, { readonly later: Pending }>

const disabled = new HostConstant("SchemaStatus", "DISABLED")

/** The answer to `call()`. */
const called = (watcher: ScriptObject) => watcher.call("call", [], () => undefined)

const watchers = {
  "a graph index": (graph: CellGraph) => graphIndexWatcher(graph, "byName"),
  "a vertex-centric index": (graph: CellGraph) => relationIndexWatcher(graph, "bySince", "knows")
}

describe("The wait for the status of an index", () => {
  for (const [what, watch] of Object.entries(watchers)) {
    it(`does not go on when nobody waits for it any more: ${what}`, async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
      try {
        const { graph, reads } = counted()
        const watcher = watch(graph)
        watcher.call("status", [disabled], () => undefined)
        const answer = called(watcher)
        await Pending.toPromise(answer.later)
        await vi.advanceTimersByTimeAsync(60_000)
        expect(reads()).toBe(1)
      } finally {
        vi.useRealTimers()
      }
    })
  }

  it("leaves nothing at a build that goes on, however many parts and requests it has", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    try {
      let end = (): void => {}
      const building = new Promise<void>((resolve) => (end = resolve))
      const reactions = vi.spyOn(building, "then")
      const { graph } = counted(building)
      const waits: Array<LaterAnswer> = []
      for (let request = 0; request < 10; request++) {
        const watcher = graphIndexWatcher(graph, "byName")
        watcher.call("status", [disabled], () => undefined)
        const wait = called(watcher) as LaterAnswer
        waits.push(wait)
        await Pending.toPromise(wait.later)
        for (let part = 0; part < 10; part++) {
          const waiting = Pending.toPromise(wait.rest!())
          await vi.advanceTimersByTimeAsync(100)
          await waiting
        }
      }
      expect(reactions).toHaveBeenCalledTimes(1)
      // All of them hear of its end: those that wait, and one that comes later.
      const ends = waits.slice(1).map(({ rest }) => Pending.toPromise(rest!()))
      end()
      await Promise.all(ends)
      await Pending.toPromise(waits[0]!.rest!())
    } finally {
      vi.useRealTimers()
    }
  })

  it("looks no more often when pollInterval() is longer than the longest timer, and its timers are short", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    try {
      const { graph, reads } = counted()
      const watcher = graphIndexWatcher(graph, "byName")
      watcher.call("status", [disabled], () => undefined)
      watcher.call("pollInterval", [30, new HostConstant("ChronoUnit", "DAYS")], () => undefined)
      const { later, rest } = called(watcher) as LaterAnswer
      await Pending.toPromise(later)
      for (let part = 0; part < 50; part++) {
        const waiting = Pending.toPromise(rest!())
        await vi.advanceTimersByTimeAsync(100)
        await waiting
      }
      expect(reads()).toBe(1)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it("has the time between two looks that pollInterval() sets", async () => {
    const { authority } = await startServer(onLmdb(newFolder()))
    const ask = async (gremlin: string) => {
      const { json, status } = await post(authority, gremlin)
      return status === 200 ? json.result.data : String(json.message)
    }
    await ask(
      "mgmt = graph.openManagement(); name = mgmt.makePropertyKey('name').dataType(String.class).make(); " +
        "mgmt.buildIndex('byName', Vertex.class).addKey(name).buildCompositeIndex(); mgmt.commit()"
    )
    const watcher = "ManagementSystem.awaitGraphIndexStatus(graph, 'byName')"
    const done = ".call().getSucceeded()"
    expect(
      await ask(
        `${watcher}.pollInterval(10, ChronoUnit.MILLIS).timeout(Duration.ofMillis(30)).status(SchemaStatus.DISABLED)${done}`
      )
    ).toEqual([false])
    expect(await ask(`${watcher}.pollInterval(Duration.ofMillis(10))${done}`)).toEqual([true])
    expect(await ask(`${watcher}.pollInterval(0, ChronoUnit.MILLIS)${done}`)).toContain("greater than 0")
    expect(await ask(`${watcher}.pollInterval(1, ChronoUnit.MONTHS)${done}`)).toContain("does not know the unit MONTHS")
  })
})
