import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf, type SchemaEditor } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import type { CellGraphOptions } from "../../../../src/storage/janusgraph/Options.ts"
import type { GraphTransaction } from "../../../../src/structure/graph/GraphStore.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { run, runLater } from "../../../process/run.ts"
import { settled } from "../../Completion.ts"
import { findingsIn } from "../Findings.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

const graphWith = async (
  define: (editor: SchemaEditor) => void,
  options: Partial<CellGraphOptions> = {},
  answersLater = false
): Promise<CellGraph> => {
  const graph = await cellGraph(new MemoryCellStore({ answersLater }), options)
  const editor = await graph.management.edit()
  define(editor)
  await graph.management.commit(editor)
  return graph
}

/** Runs a traversal that writes, and waits for its commit. */
const write = async (graph: CellGraph, traversal: string): Promise<void> => {
  const transaction = graph.begin()
  await runLater(graph, `${traversal}.none()`, { transaction }).catch((error) => {
    if (!String(error).includes("after its end")) throw error
  })
}

describe("The constraints of a schema without automatic types", () => {
  const constrained = () =>
    graphWith(
      (editor) => {
        const [name, since, other] = ["name", "since", "other"].map((key) =>
          editor.makeKey(key, dataTypeOf("String"), "SINGLE")
        )
        const [person, city] = ["person", "city"].map((label) => editor.makeVertexLabel(label, false, false))
        const lives = editor.makeLabel("lives", "MULTI", false, [])
        editor.addProperties(person!, [name!])
        editor.addProperties(lives, [since!])
        editor.addConnection(lives, person!, city!)
        expect(other!.name).toBe("other")
      },
      { schemaMaker: "none", constraints: true }
    )

  it("allow only the properties and connections that they name", async () => {
    const graph = await constrained()
    await write(
      graph,
      "g.addV('person').property('name', 'a').as('p').addV('city').addE('lives').from('p').property('since', 'x')"
    )
    const refused = (traversal: string) => () => run(graph, traversal)
    expect(refused("g.V().hasLabel('person').property('other', 'x')")).toThrow(
      "Vertex Label [person] and property key [other]"
    )
    expect(refused("g.V().hasLabel('city').property('name', 'x')")).toThrow("Property Key constraint does not exist")
    expect(refused("g.E().property('name', 'x')")).toThrow("Edge Label [lives] and property key [name]")
    expect(refused("g.V().hasLabel('city').as('c').V().hasLabel('person').addE('lives').from('c')")).toThrow(
      "Connection constraint does not exist for given Edge Label [lives], outgoing Vertex Label [city]"
    )
  })

  it("have no effect without schema.constraints", async () => {
    const graph = await graphWith(
      (editor) => {
        editor.makeKey("name", dataTypeOf("String"), "SINGLE")
        editor.makeVertexLabel("person", false, false)
      },
      { schemaMaker: "none" }
    )
    await write(graph, "g.addV('person').property('name', 'a')")
    expect(run(graph, "g.V().values('name')")).toEqual(["a"])
  })
})

describe("The constraints of a schema with automatic types", () => {
  const makes = (answersLater: boolean) =>
    graphWith(() => undefined, { constraints: true, schemaMaker: "default" }, answersLater)

  it.each([false, true])("are created when they are needed (answers later: %s)", async (answersLater) => {
    const graph = await makes(answersLater)
    const lives = "addV('person').property('name', 'a').as('p').addV('city').addE('lives').from('p')"
    await write(graph, `g.${lives}.property('since', 1)`)
    await write(graph, `g.${lives}.property('since', 2)`)
    await write(graph, "g.V().hasLabel('city').property('name', 'b')")
    const { schema } = graph.core
    const id = (name: string) => (schema.vertexLabels.get(name) ?? schema.labels.get(name))!.id
    const key = (name: string) => schema.keys.get(name)!.id
    // The next transaction reads the constraints of the last commit.
    await runLater(graph, "g.V().count()")
    const { connections, properties } = graph.core.schema.modifiers
    expect(connections).toEqual([{ edge: "lives", out: id("person"), into: id("city") }])
    expect(properties).toEqual(
      new Map([
        [id("person"), new Set([key("name")])],
        [id("city"), new Set([key("name")])],
        [id("lives"), new Set([key("since")])]
      ])
    )
  })

  it("are created once by two concurrent commits, and not by changes that are rolled back", async () => {
    const graph = await makes(false)
    const add = (): GraphTransaction => {
      const transaction = graph.begin()
      transaction.setVertexProperty(transaction.addVertex("n", undefined), null, "a", 1)
      transaction.savepoint?.()
      transaction.setVertexProperty(transaction.addVertex("n", undefined), null, "b", 1)
      transaction.rollbackToSavepoint?.()
      return transaction
    }
    const [first, second] = [add(), add()]
    await Promise.all([settled(first.commit()), settled(second.commit())])
    run(graph, "g.V().count()")
    const { keys, modifiers, vertexLabels } = graph.core.schema
    expect([...keys.keys()]).toEqual(["a"])
    expect(modifiers.properties).toEqual(new Map([[vertexLabels.get("n")!.id, new Set([keys.get("a")!.id])]]))
  })

  it("are enforced after automatic types are switched off, except for vertices with the default label", async () => {
    const cells = new MemoryCellStore()
    const first = await cellGraph(cells, { constraints: true })
    await write(first, "g.addV('person').property('name', 'a').as('p').addV('city').addE('lives').from('p')")
    const next = await cellGraph(cells, { constraints: true, schemaMaker: "none" })
    await write(next, "g.addV('person').property('name', 'b').as('p').addV('city').addE('lives').from('p')")
    expect(() => run(next, "g.addV('city').property('name', 'c')")).toThrow("Property Key constraint does not exist")
    expect(() => run(next, "g.addV('city').as('c').addV('person').addE('lives').from('c')")).toThrow(
      "Connection constraint does not exist"
    )
    await write(next, "g.addV().property('name', 'd').as('a').addV('city').addE('lives').from('a')")
    expect(run(next, "g.V().hasLabel('vertex').out('lives').count()")).toEqual([1n])
  })
})

describe("A static vertex label", () => {
  it("refuses changes of its vertices after their first transaction", async () => {
    const graph = await graphWith((editor) => {
      editor.makeVertexLabel("tweet", true, false)
    })
    await write(graph, "g.addV('tweet').property('text', 'a')")
    expect(() => run(graph, "g.V().hasLabel('tweet').property('text', 'b')")).toThrow("label tweet is static")
    expect(() => run(graph, "g.V().hasLabel('tweet').properties().drop()")).toThrow("label tweet is static")
    expect(() => run(graph, "g.V().hasLabel('tweet').as('t').addE('x').to('t')")).toThrow("label tweet is static")
    await write(graph, "g.V().hasLabel('tweet').drop()")
    expect(run(graph, "g.V().count()")).toEqual([0n])
  })
})

describe.each([false, true])("An element with a TTL (a store that answers later: %s)", (answersLater) => {
  const opened = async () => {
    const clock = { now: 1_000_000 }
    const graph = await graphWith(
      (editor) => {
        editor.setTimeToLive(editor.makeKey("mood", dataTypeOf("String"), "SINGLE"), 10)
        editor.setTimeToLive(editor.makeKey("tag", dataTypeOf("String"), "LIST"), 10)
        editor.setTimeToLive(editor.makeLabel("likes", "MULTI", false, []), 20)
        editor.setTimeToLive(editor.makeVertexLabel("tweet", true, false), 30)
      },
      { clock: () => clock.now },
      answersLater
    )
    const all = async (traversal: string) => (await runLater(graph, traversal)).map(text)
    return { clock, graph, all }
  }

  it("disappears when it expires: properties, edges and vertices", async () => {
    const { all, clock, graph } = await opened()
    await write(
      graph,
      "g.addV('person').property('name', 'a').property('mood', 'fine').property(list, 'tag', 'x').as('p')" +
        ".addV('tweet').property('text', 't').as('t').addE('likes').from('p').property('w', 1).select('t')" +
        ".addE('by').to('p')"
    )
    const seen = async (seconds: number) => {
      clock.now = 1_000_000 + seconds * 1000
      return [
        await all("g.V().values('mood')"),
        await all("g.V().hasLabel('person').properties().key().order()"),
        await all("g.E().label().order()"),
        await all("g.V().hasLabel('person').both().label()"),
        await all("g.V().label().order()"),
        await all("g.V().count()")
      ]
    }
    expect(await seen(9.9)).toEqual([
      ["fine"],
      ["mood", "name", "tag"],
      ["by", "likes"],
      ["tweet", "tweet"],
      ["person", "tweet"],
      ["2"]
    ])
    expect(await seen(10)).toEqual([[], ["name"], ["by", "likes"], ["tweet", "tweet"], ["person", "tweet"], ["2"]])
    expect(await seen(20)).toEqual([[], ["name"], ["by"], ["tweet"], ["person", "tweet"], ["2"]])
    expect(await seen(30)).toEqual([[], ["name"], [], [], ["person"], ["1"]])
  })

  it("is not found through an index after it has expired", async () => {
    const { all, clock, graph } = await opened()
    const editor = await graph.management.edit()
    const keys = [editor.makeKey("k", dataTypeOf("String"), "SINGLE")]
    editor.makeIndex({ name: "byK", element: "vertex", kind: "equality", unique: false, keys })
    await graph.management.commit(editor)
    for (let at = 0; at < 3; at++) await write(graph, "g.addV('tweet').property('k', 'a')")
    await write(graph, "g.addV('person').property('k', 'a')")
    expect(await all("g.V().has('k', 'a').label().groupCount().order(local).by(keys)")).toEqual(["{person=1, tweet=3}"])
    clock.now += 30_000
    expect(await all("g.V().has('k', 'a').id().count()")).toEqual(["1"])
    expect(await all("g.V().has('k', 'a').label()")).toEqual(["person"])
  })

  it("frees its value of a unique index when it expires", async () => {
    const { clock, graph } = await opened()
    const editor = await graph.management.edit()
    const keys = [editor.key("mood")!]
    const ofEdges = [editor.makeKey("w", dataTypeOf("Integer"), "SINGLE")]
    editor.makeIndex({ name: "byMood", element: "vertex", kind: "equality", unique: true, keys })
    editor.makeIndex({ name: "byW", element: "edge", kind: "equality", unique: true, keys: ofEdges })
    await graph.management.commit(editor)
    await graph.management.built("byMood")
    const found = async (mood: string) => (await runLater(graph, `g.V().has('mood', '${mood}').label()`)).map(text)
    await write(graph, "g.addV('a').property('mood', 'fine').as('a').addE('likes').from('a').to('a').property('w', 1)")
    const taken = "uniqueness constraint [byMood]"
    await expect(write(graph, "g.addV('b').property('mood', 'fine')")).rejects.toThrow(taken)
    clock.now += 10_000
    await write(graph, "g.addV('b').property('mood', 'fine')")
    expect(await found("fine")).toEqual(["b"])
    await expect(write(graph, "g.addV('c').property('mood', 'fine')")).rejects.toThrow(taken)
    // The previous owner cannot take the value back, and does not remove the entry when it changes.
    await expect(write(graph, "g.V().hasLabel('a').property('mood', 'fine')")).rejects.toThrow(taken)
    await write(graph, "g.V().hasLabel('a').property('mood', 'other')")
    expect([await found("fine"), await found("other")]).toEqual([["b"], ["a"]])
    await expect(write(graph, "g.V().hasLabel('b').as('b').addE('likes').to('b').property('w', 1)")).rejects.toThrow(
      "uniqueness constraint [byW]"
    )
    clock.now += 10_000
    await write(graph, "g.V().hasLabel('b').as('b').addE('likes').to('b').property('w', 1)")
    expect((await runLater(graph, "g.E().has('w', 1).outV().label()")).map(text)).toEqual(["b"])
    // Remove the previous owner, which has expired.
    await write(graph, "g.addV('d').property('mood', 'fine')")
    await write(graph, "g.V().hasLabel('a').drop()")
    expect(await found("fine")).toEqual(["d"])
    if (!answersLater) {
      expect(findingsIn(graph.core)).toEqual([])
    }
    await write(graph, "g.V().hasLabel('b', 'd').drop()")
    await write(graph, "g.addV('e').property('mood', 'fine')")
    expect(await found("fine")).toEqual(["e"])
  })

  it("does not show its expiry time as a property", async () => {
    const { all, graph } = await opened()
    await write(graph, "g.addV('tweet').property('mood', 'm').as('a').addE('likes').from('a').to('a')")
    expect(await all("g.V().elementMap().select(keys).unfold().fold()")).toEqual(["[id, label, mood]"])
    expect(await all("g.E().valueMap()")).toEqual(["{}"])
    expect(await all("g.V().properties().properties()")).toEqual([])
    const editor = await graph.management.edit()
    expect(editor.keys.map(({ name }) => name).sort()).toEqual(["mood", "tag"])
  })

  it("gets a new TTL when it is written again", async () => {
    const { all, clock, graph } = await opened()
    await write(graph, "g.addV('person').property('mood', 'fine')")
    clock.now += 8000
    await write(graph, "g.V().property('mood', 'well')")
    clock.now += 8000
    expect(await all("g.V().values('mood')")).toEqual(["well"])
    clock.now += 8000
    expect(await all("g.V().values('mood')")).toEqual([])
    await write(graph, "g.V().property('mood', 'again')")
    expect(await all("g.V().values('mood')")).toEqual(["again"])
  })
})

describe("A unique index", () => {
  it.each([false, true])("gives a value to one of two concurrent commits (answers later: %s)", async (answersLater) => {
    const graph = await graphWith(
      (editor) => {
        const keys = [editor.makeKey("uid", dataTypeOf("Long"), "SINGLE")]
        editor.makeIndex({ name: "byUid", element: "vertex", kind: "equality", unique: true, keys })
      },
      {},
      answersLater
    )
    const add = (): GraphTransaction => {
      const transaction = graph.begin()
      const ref = transaction.addVertex("n", undefined)
      transaction.setVertexProperty(ref, null, "uid", 1n)
      return transaction
    }
    const [first, second] = [add(), add()]
    await settled(first.commit())
    // A store that answers later cannot distinguish a concurrent change from an earlier one.
    const reason = answersLater ? "uniqueness constraint [byUid]" : "unique index on uid"
    await expect((async () => settled(second.commit()))()).rejects.toThrow(reason)
    expect((await runLater(graph, "g.V().has('uid', 1L).count()")).map(text)).toEqual(["1"])
  })
})

it("A value of an edge under a unique index is refused for other edges until the edge gives it up", async () => {
  const graph = await graphWith((editor) => {
    const keys = [editor.makeKey("number", dataTypeOf("Integer"), "SINGLE")]
    editor.makeIndex({ name: "byNumber", element: "edge", kind: "equality", unique: true, keys })
  })
  const refused = "uniqueness constraint [byNumber]"
  const add = (number: number) => `g.V().limit(1).as('v').addE('e').to('v').property('number', ${number})`
  await write(graph, "g.addV()")
  await write(graph, add(1))
  await write(graph, add(2))
  await expect(write(graph, add(1))).rejects.toThrow(refused)
  await expect(write(graph, "g.E().has('number', 2).property('number', 1)")).rejects.toThrow(refused)
  await expect(write(graph, `${add(3)}.V().as('v').addE('e').to('v').property('number', 3)`)).rejects.toThrow(refused)
  // Two edges can exchange their values in one transaction.
  await write(graph, "g.E().property('number', __.values('number').math('3 - _'))")
  await write(graph, `g.E().has('number', 1).sideEffect(drop()).${add(1).slice(2)}`)
  expect((await runLater(graph, "g.E().values('number').order()")).map(text)).toEqual(["1", "2"])
})

describe("An index that is being built", () => {
  it("contains concurrent writes, and is built again from the start by the next process", async () => {
    const store = new MemoryCellStore()
    const graph = await cellGraph(store)
    for (let at = 0; at < 4; at++) await write(graph, "g.inject(1).repeat(addV('n').property('k', 'a')).times(200)")
    const editor = await graph.management.edit()
    editor.makeIndex({ name: "byK", element: "vertex", kind: "equality", unique: false, keys: [editor.key("k")!] })
    await graph.management.commit(editor)
    expect(graph.core.schema.indexes[0]!.status).toBe("REGISTERED")
    expect(graph.management.building.map(({ name }) => name)).toEqual(["byK"])
    // An open snapshot would keep a store from reusing space.
    expect(store.open).toBe(0)
    await write(graph, "g.addV('n').property('k', 'new')")
    await write(graph, "g.V().limit(1).property('k', 'changed')")
    // The process ends here, and the build is incomplete.
    const next = await cellGraph(store)
    await next.management.built("byK")
    expect(next.core.schema.indexes[0]!.status).toBe("ENABLED")
    for (const [value, count] of [
      ["a", 799n],
      ["new", 1n],
      ["changed", 1n]
    ]) {
      expect(run(next, `g.V().has('k', '${value}').count()`)).toEqual([count])
    }
    await graph.management.built("byK")
  })

  it("is removed when two elements have the same value under a unique index", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    await write(graph, "g.addV('n').property('k', 1).addV('n').property('k', 1)")
    const editor = await graph.management.edit()
    editor.makeIndex({ name: "byK", element: "vertex", kind: "equality", unique: true, keys: [editor.key("k")!] })
    await graph.management.commit(editor)
    await expect(graph.management.built("byK")).rejects.toThrow("uniqueness constraint [byK]")
    expect(graph.core.schema.indexes).toEqual([])
    expect((graph.core.cells as MemoryCellStore).dump().filter((line) => line.includes("graphindex 89"))).toEqual([])
  })
})
