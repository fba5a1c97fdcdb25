import { describe, expect, it, onTestFinished } from "vitest"
import { RestEngine } from "../../../../src/storage/search/RestEngine.ts"
import { eventually } from "../../../layers/support/TestServers.ts"
import { runLater } from "../../../process/run.ts"
import { searchOptions } from "../../search/StandIn.ts"
import { cellGraph } from "../Graphs.ts"
import { open, opened } from "./DocumentGraphs.ts"
import { makeJanusGraphIndex } from "./JanusGraphIndexes.ts"

const PERSON =
  "g.addV('person').property('bio', 'Likes big graphs').property('code', 'A 1').property('title', 'Two Words').property('age', 42)" +
  ".property('big', 9007199254740993L).property('height', height).property('ratio', ratio).property('born', born).property('seen', seen)" +
  ".property('tag', 'x').property('tag', 'y').property('token', token).property('place', place).property('free', 'z')"

describe("A mixed index that JanusGraph keeps in a search engine", () => {
  it("gets a document of each new element in JanusGraph's form", async () => {
    const { ask, engine } = await opened()
    const [id] = await ask(`${PERSON}.id()`)
    const name = Number(id).toString(36)
    const bulk = engine.received.find(({ path }) => path === "/_bulk")!.body
    expect(bulk.split("\n")[0]).toBe(`{"create":{"_index":"janusgraph_people","_id":"${name}"}}`)
    expect(bulk.split("\n")[1]).toBe(
      '{"bio":"Likes big graphs","code":"A 1","title":"Two Words","title__STRING":"Two Words","age":42,"big":9007199254740993,' +
        '"height":2.0,"ratio":0.10000000149011612,"born":"2023-11-14T22:13:20.123+00:00","seen":"2023-11-14T22:13:20.123+00:00",' +
        '"tag":["x","y"],"token":"c0ffee00-0000-4000-8000-000000000001","place":[13.4,52.5]}'
    )
  })

  it("changes and removes documents with their elements", async () => {
    const { ask, engine } = await opened()
    await ask(`${PERSON}.as('p').addE('knows').to('p').property('note', 'in Bern').property('weight', height)`)
    const [edge] = await ask("g.E().id()")
    expect(engine.document("janusgraph_ties", edge!)).toEqual({ note: "in Bern", weight: 2 })
    await ask("g.V().has('age', 42).property('age', 43).property('tag', 'z').properties('bio').drop()")
    expect(engine.documents("janusgraph_people")).toMatchObject([{ age: 43, tag: ["x", "y", "z"] }])
    expect(engine.documents("janusgraph_people")[0]).not.toHaveProperty("bio")
    await ask("g.E().property('note', 'in Basel')")
    expect(engine.document("janusgraph_ties", edge!)).toEqual({ note: "in Basel", weight: 2 })
    await ask("g.V().drop()")
    expect([...engine.documents("janusgraph_people"), ...engine.documents("janusgraph_ties")]).toEqual([])
  })

  it("leaves elements alone that have no key of the index", async () => {
    const { ask, engine } = await opened()
    await ask("g.addV().property('free', 'x').as('p').addE('knows').to('p')")
    expect(engine.received).toEqual([])
  })

  it.each([
    ["bio", "textContains('GRAPHS')"],
    ["bio", "textContains('big likes')"],
    ["bio", "textContainsPrefix('gra')"],
    ["bio", "textContainsRegex('gr.*s')"],
    ["bio", "textContainsFuzzy('grephs')"],
    ["bio", "textContainsPhrase('big graphs')"],
    ["code", "eq('A 1')"],
    ["code", "within('A 1', 'B')"],
    ["code", "startingWith('A')"],
    ["code", "textRegex('A .')"],
    ["code", "gt('A')"],
    ["title", "textContains('words')"],
    ["title", "eq('Two Words')"],
    ["age", "eq(42L)"],
    ["age", "between(40, 43)"],
    ["age", "gt(41.5)"],
    ["age", "lt(99999999999L)"],
    ["big", "lte(9007199254740993L)"],
    ["height", "inside(1, 3)"],
    ["height", "eq(2)"],
    ["zero", "gte(0)"],
    ["zero", "between(0, 1)"],
    ["zero", "lte(0)"],
    ["zero", "eq(0)"],
    ["ratio", "eq(ratio)"],
    ["ratio", "gt(0)"],
    ["born", "eq(born)"],
    ["born", "gte(born)"],
    ["seen", "eq(seen)"],
    ["seen", "lte(seen)"],
    ["tag", "eq('y')"],
    ["token", "eq(token)"],
    ["place", "geoWithin(near)"]
  ])("answers has('%s', %s) without a scan", async (key, predicate) => {
    const { ask, engine } = await opened({}, { forceIndex: true })
    await ask(`${PERSON}.property('zero', zero)`)
    await ask("g.addV('person').property('bio', 'other').property('code', 'C').property('age', 7)")
    engine.received.length = 0
    expect(await ask(`g.V().has('${key}', ${predicate}).values('free')`)).toEqual(["z"])
    expect(engine.paths()).toContain("POST /janusgraph_people/_search")
  })

  it("tests the elements that the engine finds", async () => {
    const { ask, engine } = await opened({}, { forceIndex: true })
    const [id] = await ask(`${PERSON}.id()`)
    // Nothing has told the engine that this element is gone, or that the other has another age.
    engine.put("janusgraph_people", "zz0", { age: 5 })
    engine.put("janusgraph_people", Number(id).toString(36), { age: 5 })
    expect(await ask("g.V().has('age', 5)")).toEqual([])
    expect(await ask("g.V().has('place', geoWithin(far))")).toEqual([])
  })

  it("tests the labels of elements that an index for one label finds", async () => {
    const { cluster, engine } = await opened()
    const maker = await cellGraph(await cluster.store())
    const editor = await maker.management.edit()
    const town = editor.makeVertexLabel("town", false, false)
    await maker.management.commit(editor)
    await makeJanusGraphIndex(maker, "towns", "VERTEX", { rank: { type: "Integer" } }, town.id)
    await maker.close()
    engine.make("janusgraph_towns")
    const { ask } = await open(cluster, engine.port, {}, { forceIndex: true })
    await ask("g.addV('town').property('rank', 1)")
    const [other] = await ask("g.addV('village').property('rank', 1).id()")
    expect(engine.names("janusgraph_towns")).toHaveLength(1)
    // The id was given to an element of another label since the document was written.
    engine.put("janusgraph_towns", Number(other).toString(36), { rank: 1 })
    expect(await ask("g.V().hasLabel('town').has('rank', 1).count()")).toEqual(["1"])
  })

  it("includes what the transaction has changed", async () => {
    const { ask } = await opened()
    await ask(PERSON)
    expect(await ask("g.V().has('age', 42).property('age', 50).V().has('age', 50).count()")).toEqual(["1"])
    expect(await ask("g.addV().property('age', 60).V().has('age', gt(45)).count()")).toEqual(["2"])
    expect(await ask("g.V().has('age', 60).drop().V().has('age', gt(45)).count()")).toEqual(["0"])
    expect(await ask("g.V().has('age', gt(45)).count()")).toEqual(["1"])
  })

  it("reads all pages of a search", async () => {
    const { ask, engine } = await opened({ pageSize: 7 })
    await ask("g.inject(1).repeat(addV('p').property('age', 3)).times(40).none()")
    expect(await ask("g.V().has('age', 3).count()")).toEqual(["40"])
    expect(await ask("g.V().has('age', 3).limit(2).count()")).toEqual(["2"])
    expect(engine.paths().filter((path) => path === "POST /_search/scroll").length).toBeGreaterThan(4)
    expect(engine.paths()).toContain("DELETE /_search/scroll")
  })

  it("finds edges", async () => {
    const { ask } = await opened({}, { forceIndex: true })
    await ask(`${PERSON}.as('p').addE('knows').to('p').property('note', 'in Bern').property('weight', height)`)
    expect(await ask("g.E().has('weight', gt(1)).values('note')")).toEqual(["in Bern"])
    expect(await ask("g.E().has('note', textContains('bern')).label()")).toEqual(["knows"])
    expect(await ask("g.E().has('note', textContains('basel'))")).toEqual([])
  })

  it.each([
    ["'height', nan", "takes no such value of the key height"],
    ["'place', line", "takes no such value of the key place"],
    ["'code', half", "takes no such value of the key code"],
    ["'shade', 1", "JanusGraph keeps in the index backend 'search'"],
    ["'free', 'x', 'since', 1", "JanusGraph keeps in the index backend 'search'"]
  ])("refuses a value that its documents cannot have: %s", async (property, message) => {
    const { ask, engine } = await opened()
    await expect(ask(`g.addV().property(${property})`)).rejects.toThrow(message)
    expect(await ask("g.V().count()")).toEqual(["0"])
    expect(engine.received).toEqual([])
  })

  it("reads the state again when another program has changed the document", async () => {
    const { ask, engine } = await opened()
    const [id] = await ask("g.addV().property('age', 1).property('code', 'a').id()")
    const name = Number(id).toString(36)
    let changed = false
    engine.beforeWrite = async () => {
      if (!changed) engine.put("janusgraph_people", name, { age: 1, code: "other" })
      changed = true
    }
    await ask("g.V().has('age', 1).property('age', 2)")
    expect(engine.document("janusgraph_people", name)).toEqual({ age: 2, code: "a" })
  })

  it("gets the newest states although the reads of the graph may be outdated", async () => {
    const { cluster, engine } = await opened()
    const graph = await cellGraph(await cluster.store({ readConsistency: "ONE" }))
    onTestFinished(() => graph.close())
    const events = {
      failed: () => undefined,
      recovered: () => undefined,
      refused: () => undefined,
      unread: () => undefined
    }
    graph.connect(new Map([["search", new RestEngine(searchOptions(engine.port))]]), events)
    cluster.lagging = BigInt(Date.now()) * 1000n
    await runLater(graph, "g.inject(1, 2, 3).addV().property('age', 5).none()")
    await eventually(() => graph.core.documents!.waiting === 0)
    expect(engine.documents("janusgraph_people")).toEqual([{ age: 5 }, { age: 5 }, { age: 5 }])
    expect(await runLater(graph, "g.V().count()")).toEqual([0n])
  })

  it("removes a document whose element was removed while it was written", async () => {
    const { ask, cluster, engine } = await opened()
    const other = await open(cluster, 1)
    let removed = false
    engine.beforeWrite = async () => {
      if (!removed) await other.ask("g.V().drop()")
      removed = true
    }
    await ask("g.addV().property('age', 1)")
    await eventually(() => engine.documents("janusgraph_people").length === 0)
    expect(removed).toBe(true)
  })
})
