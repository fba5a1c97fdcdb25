import { describe, expect, it } from "vitest"
import { updateIndex } from "../../../src/layers/management/IndexActions.ts"
import { indexObject, keyObject } from "../../../src/layers/management/SchemaObjects.ts"
import type { ScriptObject } from "../../../src/layers/management/ScriptObject.ts"
import { Pending } from "../../../src/scheduling/Pending.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { Parameter } from "../../../src/storage/janusgraph/format/JavaValues.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import type { GraphIndex } from "../../../src/storage/janusgraph/schema/Schema.ts"
import { eventually } from "../../layers/support/TestServers.ts"
import { open, opened } from "../../storage/janusgraph/documents/DocumentGraphs.ts"

const CITIES = "janusgraph_cities"

const indexOf = (graph: CellGraph, name = "Cities"): GraphIndex =>
  graph.core.schema.indexes.find((index) => index.name === name)!

/** Makes a mixed index on new keys, and on the key `age`, which elements have already. */
const makeIndex = async (graph: CellGraph): Promise<void> => {
  const editor = await graph.management.edit()
  const [text, place] = ["String", "Geoshape"].map(dataTypeOf)
  editor.makeIndex({
    name: "Cities",
    element: "vertex",
    kind: "mixed",
    unique: false,
    backing: "search",
    keys: [
      editor.makeKey("story", text, "SINGLE"),
      editor.makeKey("city name", text, "SINGLE"),
      editor.makeKey("motto", text, "SINGLE"),
      editor.makeKey("where", place, "SINGLE"),
      editor.key("age")!
    ],
    mappings: ["DEFAULT", "STRING", "TEXTSTRING", "DEFAULT", "DEFAULT"],
    parameters: [[new Parameter("text-analyzer", "english")], [], [], [], []]
  })
  await graph.management.commit(editor)
  await graph.management.built("Cities")
}

/** Runs an action on an index, and waits for it. */
const act = async (graph: CellGraph, action: string, name = "Cities"): Promise<void> => {
  const editor = await graph.management.edit()
  const job = await updateIndex(graph, editor, { kind: "index", index: indexOf(graph, name) }, action).run(
    () => undefined,
    () => undefined
  )
  const { later } = (job as ScriptObject).call("get", [], () => undefined)
  await Pending.toPromise(later)
}

describe("A mixed index that is made while a search engine is connected", () => {
  it("is made in the engine, with JanusGraph's mapping", async () => {
    const { engine, graph } = await opened({ createSettings: { number_of_replicas: "0" } })
    await makeIndex(graph)
    expect(engine.settings.get(CITIES)).toBe('{"settings":{"number_of_replicas":"0"}}')
    expect(engine.mappings.get(CITIES)).toEqual({
      story: { type: "text", analyzer: "english", copy_to: "all" },
      "city\u2022name": { type: "keyword", copy_to: "all" },
      motto: { type: "text", copy_to: "all" },
      motto__STRING: { type: "keyword" },
      where: { type: "geo_point" },
      age: { type: "integer", copy_to: "all" },
      all: { type: "text" }
    })
    const alias = engine.received.find(({ path }) => path === "/_aliases")!
    expect(alias.body).toBe(`{"actions":[{"add":{"index":"${CITIES}","alias":"janusgraph"}}]}`)
    const window = engine.received.find(({ path }) => path === `/${CITIES}/_settings`)!
    expect(window.body).toBe('{"index.max_result_window":2147483647}')
  })

  it("contains the elements that exist, and follows changes", async () => {
    const { ask, cluster, engine, graph } = await opened({}, { forceIndex: true })
    await ask("g.addV('person').property('age', 30)")
    await makeIndex(graph)
    expect(engine.documents(CITIES)).toEqual([{ age: 30 }])
    expect(indexOf(graph).engineStatus).toBe("ENABLED")
    await ask("g.addV('town').property('city name', 'Bern').property('motto', 'By the river').property('where', place)")
    expect(engine.documents(CITIES)[1]).toEqual({
      "city\u2022name": "Bern",
      motto: "By the river",
      motto__STRING: "By the river",
      where: [13.4, 52.5]
    })
    // Another server that has the engine uses it, too.
    const other = await open(cluster, engine.port, {}, { forceIndex: true })
    for (const each of [ask, other.ask]) {
      expect(await each("g.V().has('city name', 'Bern').values('motto')")).toEqual(["By the river"])
      expect(await each("g.V().has('motto', textContains('river')).has('where', geoWithin(near)).count()")).toEqual([
        "1"
      ])
    }
  })

  it("is not made if the engine refuses it", async () => {
    const { engine, graph } = await opened()
    engine.fault = ({ method, path }) =>
      method === "PUT" && path === `/${CITIES}/_mapping` ? { status: 400, body: "unknown analyzer" } : undefined
    await expect(makeIndex(graph)).rejects.toThrow("unknown analyzer")
    await graph.management.schema()
    expect(indexOf(graph)).toBeUndefined()
    expect(graph.core.schema.keys.has("story")).toBe(false)
    engine.fault = () => undefined
    await makeIndex(graph)
    expect(indexOf(graph).engineStatus).toBe("ENABLED")
  })

  it.each([
    ["Duration", "DEFAULT", [], "takes no Duration with the mapping DEFAULT"],
    ["String", "PREFIX_TREE", [], "takes no String with the mapping PREFIX_TREE"],
    ["Integer", "DEFAULT", [new Parameter("boost", 3)], "or not with the parameters of the field"]
  ])("refuses a key of the type %s with the mapping %s", async (type, mapping, parameters, message) => {
    const { engine, graph } = await opened()
    const editor = await graph.management.edit()
    const keys = [editor.makeKey("odd", dataTypeOf(type), "SINGLE")]
    const index = { name: "odd", element: "vertex", kind: "mixed", unique: false, backing: "search", keys } as const
    expect(() => editor.makeIndex({ ...index, mappings: [mapping], parameters: [parameters] })).toThrow(message)
    expect(engine.received).toEqual([])
  })

  it("gets a key that elements have already, and is asked for it when their documents are written", async () => {
    const { ask, engine, graph } = await opened({}, { forceIndex: true })
    await ask("g.addV().property('age', 1).property('big', 7L)")
    await makeIndex(graph)
    const editor = await graph.management.edit()
    editor.addIndexKey(indexOf(graph), editor.key("big")!)
    await graph.management.commit(editor)
    await graph.management.built("Cities")
    expect(engine.mappings.get(CITIES)).toHaveProperty("big", { type: "long", copy_to: "all" })
    expect(engine.documents(CITIES)).toEqual([{ age: 1, big: 7 }])
    expect(indexOf(graph).documents!.fields.map(({ status }) => status)).toEqual(Array(6).fill("ENABLED"))
  })
})

describe("getIndexStatus() of a mixed index in a search engine", () => {
  it("gives the status of a key, and without a key the least advanced one", async () => {
    const { ask, engine, graph } = await opened()
    await ask("g.addV().property('age', 1).property('big', 7L)")
    await makeIndex(graph)
    const editor = await graph.management.edit()
    editor.addIndexKey(indexOf(graph), editor.key("big")!)
    const statuses = async () => {
      const reading = await graph.management.edit()
      const object = indexObject("graph", reading, indexOf(graph))
      const keys = ["age", "big"].map((name) => [keyObject("graph", reading, reading.key(name)!)])
      const asked = [...keys, []].map((args) => object.call("getIndexStatus", args, () => undefined))
      return asked.map((status) => String((status as { readonly value: unknown }).value))
    }
    let during: ReadonlyArray<string> = []
    engine.beforeWrite = async () => {
      engine.beforeWrite = async () => undefined
      during = await statuses()
    }
    await graph.management.commit(editor)
    await graph.management.built("Cities")
    expect(during).toEqual(["ENABLED", "REGISTERED", "REGISTERED"])
    expect(await statuses()).toEqual(Array(3).fill("ENABLED"))
    await act(graph, "DISABLE_INDEX")
    expect(await statuses()).toEqual(Array(3).fill("DISABLED"))
  })
})

describe("An action on a mixed index in a search engine", () => {
  it("REINDEX writes the documents of all elements, and removes those without one", async () => {
    const { ask, engine, graph } = await opened()
    await ask(
      "g.inject(0).repeat(addV().property('age', 1).as('v').addE('knows').to('v').property('weight', 0.5d).inV()).times(30)"
    )
    for (const name of engine.names("janusgraph_people").slice(0, 9)) engine.put("janusgraph_people", name, { age: 8 })
    for (const name of engine.names("janusgraph_people").slice(9, 19)) engine.forget("janusgraph_people", name)
    engine.put("janusgraph_people", "zz0", { age: 3 })
    await act(graph, "REINDEX", "People")
    expect(engine.documents("janusgraph_people")).toEqual(Array(30).fill({ age: 1 }))
    for (const name of engine.names("janusgraph_ties")) engine.forget("janusgraph_ties", name)
    await act(graph, "REINDEX", "ties")
    expect(engine.documents("janusgraph_ties")).toEqual(Array(30).fill({ weight: 0.5 }))
  })

  it("REINDEX makes an index of the engine again that was lost", async () => {
    const { ask, engine, graph } = await opened()
    await makeIndex(graph)
    await ask("g.addV().property('age', 1)")
    engine.lose(CITIES)
    await act(graph, "REINDEX")
    expect(engine.documents(CITIES)).toEqual([{ age: 1 }])
    expect(engine.mappings.get(CITIES)).toHaveProperty("age")
  })

  it("REINDEX lets no search use an index that is made again before it has all documents", async () => {
    const { ask, engine, graph } = await opened()
    await makeIndex(graph)
    await ask("g.addV().property('story', 'a').addV().property('story', 'b')")
    engine.lose(CITIES)
    const found: Array<ReadonlyArray<string>> = []
    engine.beforeWrite = async () => {
      engine.beforeWrite = async () => undefined
      found.push([indexOf(graph).engineStatus!], await ask("g.V().has('story', textContains('a')).values('story')"))
      await ask("g.addV().property('story', 'c')")
    }
    await act(graph, "REINDEX")
    expect(found).toEqual([["REGISTERED"], ["a"]])
    expect(indexOf(graph).engineStatus).toBe("ENABLED")
    expect(engine.documents(CITIES).map(({ story }) => story)).toEqual(expect.arrayContaining(["a", "b", "c"]))
    // An index that is there stays in use.
    engine.beforeWrite = async () => void found.push([indexOf(graph).engineStatus!])
    await ask("g.V().has('story', textContains('c')).property('story', 'd')")
    engine.forget(CITIES, engine.names(CITIES)[0]!)
    await act(graph, "REINDEX")
    expect(found.slice(2)).toEqual([["ENABLED"], ["ENABLED"]])
  })

  it("addIndexKey is refused for an index that was lost", async () => {
    const { engine, graph } = await opened()
    await makeIndex(graph)
    engine.lose(CITIES)
    const editor = await graph.management.edit()
    editor.addIndexKey(indexOf(graph), editor.key("big")!)
    await expect(graph.management.commit(editor)).rejects.toThrow(
      "The search engine has lost the index Cities, without which it gets no key. Build the index again by REINDEX first."
    )
    expect(engine.indexes).not.toContain(CITIES)
  })

  it("REINDEX fails with the reason of an engine that refuses documents, and can be repeated", async () => {
    const { ask, engine, graph } = await opened()
    await ask("g.addV().property('age', 1)")
    engine.fault = ({ path }) => (path === "/_bulk" ? { status: 429, body: "busy" } : undefined)
    await expect(act(graph, "REINDEX", "People")).rejects.toThrow("has not taken 1 documents of the index People")
    engine.fault = () => undefined
    await eventually(() => graph.core.documents!.waiting === 0)
    await act(graph, "REINDEX", "People")
  })

  it("DISABLE_INDEX ends its use and its changes, and ENABLE_INDEX begins them with all documents", async () => {
    const { ask, engine, graph } = await opened({}, { forceIndex: true })
    await makeIndex(graph)
    await act(graph, "DISABLE_INDEX")
    expect(indexOf(graph).engineStatus).toBe("DISABLED")
    await ask("g.addV().property('city name', 'Basel')")
    expect(engine.documents(CITIES)).toEqual([])
    await expect(ask("g.V().has('city name', 'Basel')")).rejects.toThrow()
    await act(graph, "ENABLE_INDEX")
    expect(engine.documents(CITIES)).toHaveLength(1)
    expect(await ask("g.V().has('city name', 'Basel').count()")).toEqual(["1"])
  })

  it("DISCARD_INDEX removes the documents, and DROP_INDEX the definition", async () => {
    const { ask, engine, graph } = await opened()
    await makeIndex(graph)
    await ask("g.addV().property('city name', 'Basel')")
    await expect(act(graph, "DISCARD_INDEX")).rejects.toThrow("cannot be invoked for index with status [ENABLED]")
    await act(graph, "DISABLE_INDEX")
    await act(graph, "DISCARD_INDEX")
    expect(engine.documents(CITIES)).toEqual([])
    expect(engine.paths()).toContain(`DELETE /${CITIES}`)
    expect(indexOf(graph).engineStatus).toBe("DISCARDED")
    await act(graph, "DROP_INDEX")
    expect(indexOf(graph)).toBeUndefined()
    expect(await ask("g.V().has('city name', 'Basel').count()")).toEqual(["1"])
  })
})
