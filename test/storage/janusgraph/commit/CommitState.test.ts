import { afterEach, describe, expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import type { CellStore } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import type { CellGraphOptions } from "../../../../src/storage/janusgraph/Options.ts"
import { RestEngine } from "../../../../src/storage/search/RestEngine.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { runLater } from "../../../process/run.ts"
import { FakeCluster } from "../../cassandra/FakeCluster.ts"
import { StandIn, searchOptions } from "../../search/StandIn.ts"
import { makeJanusGraphIndex } from "../documents/JanusGraphIndexes.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

const stops: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** A graph whose mixed indexes, which `define` makes, are in a stand-in of an engine unless `isServed` is false. */
const opened = async (
  define: (graph: CellGraph) => Promise<void>,
  options: Partial<CellGraphOptions> = {},
  isServed = true,
  cells?: CellStore
) => {
  const engine = (await StandIn.start()).make("janusgraph_people", "janusgraph_ties")
  const graph = await cellGraph(cells ?? (await new FakeCluster().store()), options)
  stops.push(
    () => engine.stop(),
    () => graph.close()
  )
  await define(graph)
  const engines = isServed ? [["search", new RestEngine(searchOptions(engine.port))] as const] : []
  const events = {
    failed: () => undefined,
    recovered: () => undefined,
    refused: () => undefined,
    unread: () => undefined
  }
  graph.connect(new Map(engines), events)
  const ask = async (script: string): Promise<ReadonlyArray<string>> =>
    (await runLater(graph, script, { as: text })) as ReadonlyArray<string>
  return { ask, engine, graph }
}

const byAge = async (graph: CellGraph): Promise<void> => {
  const editor = await graph.management.edit()
  editor.makeVertexLabel("place", false, true)
  await graph.management.commit(editor)
  await makeJanusGraphIndex(graph, "people", "VERTEX", { age: { type: "Integer" } })
  await makeJanusGraphIndex(graph, "ties", "EDGE", { weight: { type: "Double" } })
}

const NO_DOCUMENT = "can have no document there"

describe("An element that can have no document in a search engine", () => {
  it.each([false, true])(
    "is refused if the engine answers searches, with allow-stale-mixed-indexes=%s",
    async (stale) => {
      const { ask, engine } = await opened(byAge, { staleMixedIndexes: stale })
      await expect(ask("g.addV('place').property('age', 1)")).rejects.toThrow(NO_DOCUMENT)
      await expect(ask("g.addV('place').as('p').addE('in').to('p').property('weight', 2.0d)")).rejects.toThrow(
        NO_DOCUMENT
      )
      expect(await ask("g.V().count()")).toEqual(["0"])
      expect(engine.received).toEqual([])
    }
  )

  it("is refused if its id is too long for an engine", async () => {
    const options = { staleMixedIndexes: true, userVertexIds: true, textVertexIds: true }
    const { ask, engine } = await opened(byAge, options, true, new MemoryCellStore())
    await expect(ask(`g.addV().property(id, '${"x".repeat(512)}').property('age', 1)`)).rejects.toThrow(NO_DOCUMENT)
    await ask(`g.addV().property(id, '${"x".repeat(511)}').property('age', 1)`)
    expect(engine.documents("janusgraph_people")).toEqual([{ age: 1 }])
  })

  it("is written if no engine is connected and schema.allow-stale-mixed-indexes=true", async () => {
    const { ask } = await opened(byAge, { staleMixedIndexes: true }, false)
    await ask("g.addV('place').property('age', 1)")
    expect(await ask("g.V().has('age', 1).count()")).toEqual(["1"])
  })
})

describe("A mixed index in a search engine for one label", () => {
  const byLabel = async (graph: CellGraph): Promise<void> => {
    const editor = await graph.management.edit()
    const person = editor.makeVertexLabel("person", false, false)
    const likes = editor.makeLabel("likes", "MULTI", false, [])
    await graph.management.commit(editor)
    await makeJanusGraphIndex(graph, "people", "VERTEX", { height: { type: "Double" } }, person.id)
    await makeJanusGraphIndex(graph, "ties", "EDGE", { weight: { type: "Double" } }, likes.id)
  }

  it("limits the values of the elements with this label only", async () => {
    const { ask, engine } = await opened(byLabel)
    await expect(ask("g.addV('person').property('height', NaN)")).rejects.toThrow("no such value of the key height")
    await ask("g.addV('software').property('height', NaN)")
    await ask("g.addV('software').as('s').property('height', 1.0d).addE('uses').to('s').property('weight', NaN)")
    await ask("g.V().has('height', 1.0d).property('height', NaN)")
    await ask("g.E().property('weight', 2.0d)")
    await ask("g.E().property('weight', NaN)")
    const likes = "g.addV('person').as('p').addE('likes').to('p').property('weight', NaN)"
    await expect(ask(likes)).rejects.toThrow("no such value of the key weight")
    await ask("g.addV('person')")
    await expect(ask("g.V().hasLabel('person').property('height', NaN)")).rejects.toThrow("no such value of the key")
    expect(engine.received).toEqual([])
  })
})
