import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { StorageUnavailable } from "../../../src/structure/StoreErrors.ts"
import { text } from "../../../src/structure/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"

const query = async (graph: CellGraph, script: string): Promise<ReadonlyArray<unknown>> => {
  const transaction = graph.begin()
  try {
    return await runLater(graph, script, { as: text, transaction })
  } finally {
    transaction.rollback()
  }
}

const people = (count: number): string =>
  `g.inject(${Array.from({ length: count }, (_, i) => i).join()}).addV('person').property('name', __.identity())`

describe("Requests to a cluster", () => {
  it("are no more at a time than the back-pressure limit, and all are answered", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store({ backPressureLimit: 5 }))
    await query(graph, people(200))
    expect(await query(graph, "g.V().values('name').count()")).toEqual(["200"])
    expect(cluster.mostInFlight).toBe(5)
    await graph.close()
  })

  it("go out together for what a whole step reads", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store())
    await query(graph, `${people(100)}.as('p').addV('thing').addE('of').to('p')`)
    const ids = (await query(graph, "g.V().hasLabel('person').id()")).join()
    cluster.mostInFlight = 0
    expect(await query(graph, `g.V(${ids}).in('of').count()`)).toEqual(["100"])
    expect(cluster.mostInFlight).toBeGreaterThanOrEqual(100)
    await graph.close()
  })

  it("that are never answered fail, those that wait for them too, and the graph goes on when the cluster does", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store({ backPressureLimit: 4, requestTimeout: 1500 }))
    await query(graph, people(3))
    cluster.weather = () => new Promise(() => undefined)
    const scripts = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "g.V().count()" : "g.addV('person')"))
    const ended = await Promise.allSettled(scripts.map((script) => query(graph, script)))
    for (const each of ended) {
      expect(each.status === "rejected" && each.reason).toBeInstanceOf(StorageUnavailable)
    }
    cluster.weather = async () => undefined
    await query(graph, "g.addV('person')")
    expect(await query(graph, "g.V().hasLabel('person').count()")).toEqual(["4"])
    await graph.close()
  })

  it("that fail while a commit is written tell that it may be there in part, and the next commit is made", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store())
    await query(graph, people(1))
    cluster.weather = async (statement) => {
      if (statement.includes('"edgestore"') && !statement.startsWith("SELECT")) throw new Error("no replica answers")
    }
    await expect(query(graph, people(2))).rejects.toThrow("may be there, in part or whole")
    cluster.weather = async () => undefined
    await query(graph, people(2))
    expect(await query(graph, "g.V().count()")).toEqual(["3"])
    await graph.close()
  })

  it("read rows and slices of many pages to their end", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store())
    await query(graph, people(2500))
    await query(graph, "g.addV('hub').as('h').V().hasLabel('person').addE('to').from('h')")
    expect(await query(graph, "g.V().count()")).toEqual(["2501"])
    expect(await query(graph, "g.V().hasLabel('hub').out('to').count()")).toEqual(["2500"])
    expect(await query(graph, "g.E().count()")).toEqual(["2500"])
    await query(graph, "g.V().hasLabel('hub').drop()")
    expect(await query(graph, "g.E().count()")).toEqual(["0"])
    await graph.close()
  })
})
