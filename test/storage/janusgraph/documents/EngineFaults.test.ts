import { describe, expect, it, onTestFinished } from "vitest"
import { EngineUnavailable } from "../../../../src/storage/janusgraph/documents/SearchEngine.ts"
import { eventually } from "../../../layers/support/TestServers.ts"
import { StandIn } from "../../search/StandIn.ts"
import { cellGraph } from "../Graphs.ts"
import { breakProperty, open, opened } from "./DocumentGraphs.ts"
import { makeJanusGraphIndex } from "./JanusGraphIndexes.ts"

describe("A search engine that fails", () => {
  it("loses no commit while it is down, and gets the documents afterwards", async () => {
    const { ask, engine, graph, told } = await opened()
    const { port } = engine
    await engine.stop()
    await ask("g.addV().property('age', 1).property('free', 'x')")
    expect(await ask("g.V().values('free')")).toEqual(["x"])
    expect(told.failures[0]).toContain("The search engine of the index backend 'search' (127.0.0.1:")
    await expect(ask("g.V().has('age', 1)")).rejects.toThrow("does not answer")
    expect(graph.core.documents!.waiting).toBe(1)
    const again = (await StandIn.start(port)).make("janusgraph_people", "janusgraph_ties")
    onTestFinished(() => again.stop())
    await eventually(() => again.documents("janusgraph_people").length === 1)
    await eventually(() => graph.core.documents!.waiting === 0)
    expect(told.recovered).toBe(1)
    expect(await ask("g.V().has('age', 1).values('free')")).toEqual(["x"])
  })

  it.each([429, 503])("finds the elements whose documents it refuses with %i", async (status) => {
    const { ask, engine, graph } = await opened({}, { forceIndex: true })
    engine.fault = ({ path }) => (path === "/_bulk" ? { status } : undefined)
    await ask("g.addV().property('age', 1).property('free', 'x')")
    expect(await ask("g.V().has('age', 1).values('free')")).toEqual(["x"])
    engine.fault = () => undefined
    await eventually(() => graph.core.documents!.waiting === 0)
    expect(engine.documents("janusgraph_people")).toEqual([{ age: 1 }])
  })

  const refusedItem = (status: number, type: string) => (body: string) => {
    const items = body.split("\n").filter((line) => line.startsWith('{"create"') || line.startsWith('{"index"'))
    return {
      status: 200,
      body: JSON.stringify({ errors: true, items: items.map(() => ({ index: { status, error: { type } } })) })
    }
  }

  it.each([
    ["refuses all writes with 429", () => ({ status: 429, body: "busy" })],
    ["refuses all writes with 403", () => ({ status: 403, body: "no permission" })],
    ["closes the connection of each write", () => "reset" as const],
    ["refuses each document with 429", refusedItem(429, "es_rejected_execution_exception")],
    ["refuses each document with 403", refusedItem(403, "cluster_block_exception")],
    ["refuses each document with 503", refusedItem(503, "unavailable_shards_exception")],
    ["answers with half of the outcomes", () => ({ status: 200, body: '{"items":[]}' })],
    ["answers with something that is not JSON", () => ({ status: 200, body: "<html>" })]
  ])("loses no commit if it %s, and gets the newest states later", async (_, fault) => {
    const { ask, engine, graph, told } = await opened()
    await ask("g.addV().property('age', 1).property('code', 'a')")
    engine.fault = ({ body, path }) => (path === "/_bulk" ? fault(body) : undefined)
    await ask("g.V().has('age', 1).property('age', 2)")
    await ask("g.V().has('age', 2).property('age', 3)")
    await ask("g.addV().property('age', 4)")
    expect(await ask("g.V().values('age').order()")).toEqual(["3", "4"])
    expect(await ask("g.V().has('age', 3).values('code')")).toEqual(["a"])
    expect(told.failures.length).toBeGreaterThan(0)
    engine.fault = () => undefined
    await eventually(() => graph.core.documents!.waiting === 0)
    expect(engine.documents("janusgraph_people")).toEqual([{ age: 3, code: "a" }, { age: 4 }])
    expect(told.recovered).toBeGreaterThan(0)
  })

  it("gets a document that it has refused when only some of a write are refused", async () => {
    const { ask, engine, graph } = await opened()
    engine.fault = ({ body, path }) => {
      if (path !== "/_bulk" || !body.includes('"age":2')) return undefined
      const items = body.split("\n").flatMap((line) => (line.startsWith('{"age"') ? line : []))
      const outcomes = items.map((line) => ({
        create: line.includes('"age":2')
          ? { status: 429, error: { type: "es_rejected_execution_exception" } }
          : { status: 409 }
      }))
      return { status: 200, body: JSON.stringify({ errors: true, items: outcomes }) }
    }
    await ask("g.inject(1, 2, 3).as('n').addV().property('age', select('n')).none()")
    engine.fault = () => undefined
    await eventually(() => graph.core.documents!.waiting === 0)
    expect(
      engine
        .documents("janusgraph_people")
        .map(({ age }) => age)
        .sort()
    ).toEqual([1, 2, 3])
  })

  it("is slow, and delays a commit only until it answers", async () => {
    const { ask, engine, graph, told } = await opened()
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    engine.pause = () => gate
    let isDone = false
    const commit = ask("g.addV().property('age', 1)").then(() => {
      isDone = true
    })
    await eventually(() => engine.received.length > 0)
    expect(isDone).toBe(false)
    release()
    await commit
    expect(engine.documents("janusgraph_people")).toEqual([{ age: 1 }])
    expect([told.failures, graph.core.documents!.waiting]).toEqual([[], 0])
  })

  it.each([
    ["has failed", { total: 3, successful: 2, skipped: 0, failed: 1 }],
    ["has no node", { total: 3, successful: 2, skipped: 0, failed: 0 }],
    ["has no node, and skips another one", { total: 3, successful: 2, skipped: 1, failed: 0 }]
  ])("fails a search, and a check of the documents, of which a shard %s", async (_, shards) => {
    const { ask, engine, graph } = await opened()
    await ask("g.addV().property('age', 1)")
    engine.shards = shards
    await expect(ask("g.V().has('age', 1)")).rejects.toThrow("has searched only a part of the index")
    const people = graph.core.schema.indexTable.named("People")!
    const names = graph.core.documents!.check(people).names(people)
    await expect(names.next()).rejects.toThrow("has searched only a part of the index")
    // The engine would keep the searches open for scroll-keep-alive.
    const ends = () => engine.paths().filter((path) => path === "DELETE /_search/scroll")
    await eventually(() => ends().length >= 2)
  })

  it("finds the elements of a search of which it skips a shard", async () => {
    const { ask, engine } = await opened()
    await ask("g.addV().property('age', 1)")
    engine.shards = { total: 3, successful: 3, skipped: 2, failed: 0 }
    expect(await ask("g.V().has('age', 1).count()")).toEqual(["1"])
  })

  it.each([
    ["the connection of a page ends", () => "reset" as const],
    ["a page is replaced by a code that is repeated", () => ({ status: 503 })]
  ])("fails a search if %s", async (_, lost) => {
    const retries = { limit: 3, codes: [503], first: 1, longest: 1 }
    const { ask, engine } = await opened({ retries })
    await ask("g.inject(0).repeat(__.identity()).emit().times(120).addV().property('age', 3).none()")
    expect(await ask("g.V().has('age', 3).count()")).toEqual(["120"])
    let isLost = false
    engine.late = ({ body, path }) => {
      if (isLost || path !== "/_search/scroll" || !body.includes('"scroll":')) return undefined
      isLost = true
      return lost()
    }
    await expect(ask("g.V().has('age', 3).count()")).rejects.toThrow(EngineUnavailable)
    expect(isLost).toBe(true)
    expect(await ask("g.V().has('age', 3).count()")).toEqual(["120"])
  })

  it("ends a commit although it never answers", async () => {
    const { ask, engine, told } = await opened({ socketTimeout: 50 })
    engine.fault = () => "silent"
    await ask("g.addV().property('age', 1)")
    expect(await ask("g.V().count()")).toEqual(["1"])
    await eventually(() => told.failures.some((failure) => failure.includes("no answer within 50 ms")))
    await expect(ask("g.V().has('age', 1)")).rejects.toThrow("no answer within 50 ms")
  })

  it("reports a document that it does not accept, and finds its element", async () => {
    const { ask, cluster, engine } = await opened()
    const maker = await cellGraph(await cluster.store())
    await makeJanusGraphIndex(maker, "odd", "VERTEX", { bad: { type: "Integer" } })
    await maker.close()
    engine.make("janusgraph_odd")
    const other = await open(cluster, engine.port)
    await other.ask("g.addV().property('bad', 1)")
    await eventually(() => other.told.refused.length === 1)
    expect(other.told.refused[0]).toContain("mapper_parsing_exception")
    expect(await other.ask("g.V().has('bad', 1).count()")).toEqual(["1"])
    expect(await ask("g.V().count()")).toEqual(["1"])
  })

  it.each([400, 413])(
    "refuses the document because of which it answers %i to all of them, and no other",
    async (status) => {
      const { ask, engine, told } = await opened()
      engine.fault = ({ body, path }) => (path === "/_bulk" && body.includes('"age":13') ? { status } : undefined)
      await ask("g.inject(11, 12, 13, 14, 15).as('n').addV().property('age', select('n')).none()")
      await eventually(() => engine.documents("janusgraph_people").length === 4)
      expect(engine.documents("janusgraph_people").map(({ age }) => age)).toEqual([11, 12, 14, 15])
      await eventually(() => told.refused.length === 1)
      expect(told.refused[0]).toContain(`status ${status}`)
      expect(told.failures).toEqual([])
    }
  )

  it.each([
    ["document_parsing_exception", false],
    ["no_shard_available_action_exception", true]
  ])("does not answer for one document gets the others (%s)", async (type, isTemporary) => {
    const { ask, engine, graph, told } = await opened()
    const [id] = await ask("g.addV().property('age', 1).id()")
    const name = Number(id).toString(36)
    engine.fault = ({ body, path }) => {
      if (path !== "/_mget") return undefined
      const { docs } = JSON.parse(body) as { docs: ReadonlyArray<{ _id: string }> }
      const items = docs.map(({ _id }) => (_id === name ? { _id, error: { type } } : { _id, found: false }))
      return { status: 200, body: JSON.stringify({ docs: items }) }
    }
    await ask("g.V().has('age', 1).property('age', 2).addV().property('age', 3)")
    await eventually(() => engine.documents("janusgraph_people").length === 2)
    await eventually(() => (isTemporary ? told.failures : told.refused).some((reason) => reason.includes(type)))
    expect(await ask("g.V().has('age', 2).count()")).toEqual(["1"])
    engine.fault = () => undefined
    if (isTemporary) await eventually(() => graph.core.documents!.waiting === 0)
    expect(graph.core.documents!.waiting).toBe(isTemporary ? 0 : 1)
  })

  it("gets the documents of all elements except one that cannot be read", async () => {
    const { ask, engine, graph, told } = await opened()
    engine.fault = () => ({ status: 503 })
    const [bad] = await ask("g.addV().property('age', 1).id()")
    await ask("g.addV().property('age', 2).addV().property('age', 3).addV().property('age', 4)")
    // The cell of the property ends in the middle of its value.
    await breakProperty(graph, BigInt(bad!), "age")
    engine.fault = () => undefined
    await eventually(() => graph.core.documents!.waiting === 1)
    expect(engine.documents("janusgraph_people")).toHaveLength(3)
    expect(told.refused).toHaveLength(1)
    expect(told.refused[0]).toContain(`People ${Number(bad).toString(36)} Its element cannot be read: `)
  })

  it("makes no index that JanusGraph has not made", async () => {
    const { ask, cluster, engine } = await opened()
    const maker = await cellGraph(await cluster.store())
    await makeJanusGraphIndex(maker, "missing", "VERTEX", { rank: { type: "Integer" } })
    await maker.close()
    const other = await open(cluster, engine.port)
    await other.ask("g.addV().property('rank', 1)")
    await eventually(() => other.told.refused.some((reason) => reason.includes("index_not_found_exception")))
    expect(engine.paths()).not.toContain("POST /_bulk")
    expect(await ask("g.V().count()")).toEqual(["1"])
  })
})
