import { describe, expect, it, vi } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { CellTransaction } from "../../../src/storage/janusgraph/transaction/CellTransaction.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { findingsIn } from "./Findings.ts"
import { cellGraph } from "./Graphs.ts"
import { MemoryCellStore } from "./MemoryCellStore.ts"

/** Edges, values of a SET key and values that are copied into an index have a TTL of ten seconds. */
const opened = async (answersLater = false) => {
  const clock = { now: 1_000_000 }
  const graph = await cellGraph(new MemoryCellStore({ answersLater }), { clock: () => clock.now })
  const editor = await graph.management.edit()
  const name = editor.makeKey("name", dataTypeOf("String"), "SINGLE")
  const mood = editor.makeKey("mood", dataTypeOf("String"), "SINGLE")
  const tag = editor.makeKey("tag", dataTypeOf("String"), "SET")
  const labels = (["ONE2ONE", "SIMPLE", "MULTI"] as const).map((multiplicity) =>
    editor.makeLabel(multiplicity.toLowerCase(), multiplicity, false, [])
  )
  for (const type of [mood, tag, ...labels]) editor.setTimeToLive(type, 10)
  const since = editor.makeKey("since", dataTypeOf("Integer"), "SINGLE")
  const index = { unique: false, kind: "equality" } as const
  editor.makeIndex({ ...index, name: "bySince", element: "edge", keys: [since] })
  await graph.management.commit(editor)
  return { graph, clock, name, mood, all: async (asked: string) => (await runLater(graph, asked)).map(text) }
}

const write = async (graph: CellGraph, traversal: string): Promise<void> => {
  await runLater(graph, `${traversal}.none()`)
}

describe.each([false, true])("An expired edge (a store that answers later: %s)", (answersLater) => {
  it.each(["one2one", "simple"])("does not count for the multiplicity of its label: %s", async (label) => {
    const { all, clock, graph } = await opened(answersLater)
    await write(graph, "g.addV('a').addV('b').addV('c')")
    const add = `g.V().hasLabel('a').as('a').V().hasLabel('b').addE('${label}').from('a').property('since', 1)`
    await write(graph, add)
    await expect(write(graph, add)).rejects.toThrow()
    clock.now += 10_000
    await write(graph, add)
    expect(await all(`g.V().hasLabel('a').out('${label}').label()`)).toEqual(["b"])
    expect(await all("g.E().has('since', 1).label()")).toEqual([label])
    expect(await all("g.V().hasLabel('b').in().label()")).toEqual(["a"])
    // The same commit removes another edge.
    clock.now += 5000
    await write(graph, `g.V().hasLabel('c').as('c').addE('${label}').to('c')`)
    clock.now += 5000
    const drop = "sideEffect(__.V().hasLabel('c').outE().drop())"
    await write(graph, `g.V().hasLabel('a').as('a').${drop}.V().hasLabel('b').addE('${label}').from('a')`)
    if (!answersLater) expect(findingsIn(graph.core)).toEqual([])
  })

  it("is removed completely with one of its vertices", async () => {
    const { clock, graph } = await opened(answersLater)
    await write(graph, "g.addV('a').as('a').addV('b').addE('multi').from('a').property('since', 1)")
    clock.now += 10_000
    await write(graph, "g.V().hasLabel('a').drop()")
    if (answersLater) expect((await runLater(graph, "g.V().label()")).map(text)).toEqual(["b"])
    else expect(findingsIn(graph.core)).toEqual([])
  })
})

describe("A property with a TTL", () => {
  it("gets a new TTL when its value is added to a set again, before and after it expires", async () => {
    const { all, clock, graph } = await opened()
    await write(graph, "g.addV('a').property(set, 'tag', 'x')")
    clock.now += 6000
    await write(graph, "g.V().property(set, 'tag', 'x')")
    clock.now += 6000
    expect(await all("g.V().values('tag')")).toEqual(["x"])
    clock.now += 6000
    expect(await all("g.V().values('tag')")).toEqual([])
    await write(graph, "g.V().property(set, 'tag', 'x')")
    expect(await all("g.V().values('tag')")).toEqual(["x"])
    expect(findingsIn(graph.core)).toEqual([])
  })

  it("stays as it is when its value is added to a set again after its key has lost the TTL", async () => {
    const { all, clock, graph } = await opened()
    await write(graph, "g.addV('a').property(set, 'tag', 'old')")
    const editor = await graph.management.edit()
    editor.setTimeToLive(editor.key("tag")!, 0)
    await graph.management.commit(editor)
    await write(graph, "g.V().property(set, 'tag', 'new')")
    const add = "g.V().property(set, 'tag', 'new').properties('tag').hasValue('new').id()"
    const transactions = [graph.begin(), graph.begin()]
    const ids: Array<unknown> = await all("g.V().properties('tag').hasValue('new').id()")
    // Each run commits.
    for (const transaction of transactions) ids.push(...(await runLater(graph, add, { transaction })).map(text))
    expect(new Set(ids).size).toBe(1)
    // The other value has the time of its expiry, and loses it.
    await write(graph, "g.V().property(set, 'tag', 'old')")
    clock.now += 10_000
    expect((await all("g.V().values('tag')")).toSorted()).toEqual(["new", "old"])
  })

  it("can be copied into an index that is built after it has expired", async () => {
    const { all, clock, graph, mood, name } = await opened()
    await write(graph, "g.addV('a').property('name', 'n').property('mood', 'fine')")
    clock.now += 10_000
    const editor = await graph.management.edit()
    const keys = [name]
    editor.makeIndex({ name: "byName", element: "vertex", kind: "equality", unique: false, keys, inlineKeys: [mood] })
    await graph.management.commit(editor)
    await graph.management.built("byName")
    expect(findingsIn(graph.core)).toEqual([])
    expect(await all("g.V().has('name', 'n').values('mood')")).toEqual([])
    await write(graph, "g.V().has('name', 'n').property('mood', 'well')")
    expect(findingsIn(graph.core)).toEqual([])
    await write(graph, "g.V().has('name', 'n').drop()")
    expect(findingsIn(graph.core)).toEqual([])
  })
})

describe.each([false, true])("An expired value (a store that answers later: %s)", (answersLater) => {
  it("is left out by order(), with an index that was built before or after it expired", async () => {
    const { all, clock, graph, mood, name } = await opened(answersLater)
    const index = { element: "vertex", kind: "ordered", unique: false } as const
    const make = async (made: string): Promise<void> => {
      const editor = await graph.management.edit()
      editor.makeIndex({ ...index, name: made, keys: [mood, name] })
      editor.makeIndex({ ...index, name: `${made} by name`, keys: [name, mood] })
      await graph.management.commit(editor)
      for (const each of [made, `${made} by name`]) await graph.management.built(each)
    }
    await make("before")
    await write(graph, "g.addV('a').property('name', 'n').property('mood', 'a')")
    clock.now += 10_000
    await write(graph, "g.addV('b').property('name', 'n').property('mood', 'b')")
    const asked = () => all("g.V().order().by('mood').limit(1).label()")
    expect(await asked()).toEqual(["b"])
    for (const each of ["before", "before by name"]) {
      await graph.management.drop(graph.core.schema.indexes.find((index) => index.name === each)!.id)
    }
    await make("since")
    expect(await asked()).toEqual(["b"])
    expect(await all("g.V().has('name', 'n').label()")).toEqual(["a", "b"])
    await write(graph, "g.V().hasLabel('a').property('mood', 'c')")
    expect(await all("g.V().order().by('mood').limit(2).label()")).toEqual(["b", "a"])
    if (!answersLater) expect(findingsIn(graph.core)).toEqual([])
  })

  it("stays expired after the TTL of its label was removed", async () => {
    const { all, clock, graph } = await opened(answersLater)
    const ttl = async (seconds: number): Promise<void> => {
      const editor = await graph.management.edit()
      editor.setTimeToLive(editor.vertexLabel("mortal") ?? editor.makeVertexLabel("mortal", true, false), seconds)
      await graph.management.commit(editor)
    }
    await ttl(10)
    await write(graph, "g.addV('mortal').property('name', 'n')")
    clock.now += 10_000
    await ttl(0)
    await write(graph, "g.addV('mortal').property('name', 'm')")
    clock.now += 10_000
    expect(await all("g.V().values('name')")).toEqual(["m"])
  })
})

it("A verification accepts that an edge has taken over the unique value of an expired edge of the same vertex", async () => {
  const { clock, graph } = await opened()
  const editor = await graph.management.edit()
  const keys = [editor.makeKey("number", dataTypeOf("Integer"), "SINGLE")]
  editor.makeIndex({ name: "byNumber", element: "edge", kind: "equality", unique: true, keys })
  await graph.management.commit(editor)
  const add = "g.V().as('v').addE('multi').to('v').property('number', 1)"
  await write(graph, "g.addV('a')")
  await write(graph, add)
  clock.now += 10_000
  await write(graph, add)
  expect(findingsIn(graph.core)).toEqual([])
})

describe("The hidden key of expiry times", () => {
  it.each([
    "g.V().hasLabel('a').property('engine-expires', 1)",
    "g.V().hasLabel('a').property('name', 'x', 'engine-expires', 1)",
    "g.addV('b').as('b').addE('multi').from('b').to('b').property('engine-expires', 1)"
  ])("is no key for clients: %s", async (traversal) => {
    for (const graph of [(await opened()).graph, await cellGraph(new MemoryCellStore())]) {
      await write(graph, "g.addV('a')")
      await expect(write(graph, traversal)).rejects.toThrow("engine-expires; take another name")
    }
  })

  it("is no name for types", async () => {
    const { graph, name } = await opened()
    const editor = await graph.management.edit()
    const refused = "engine-expires; take another name"
    expect(() => editor.makeKey("engine-expires", dataTypeOf("Long"), "SINGLE")).toThrow(refused)
    expect(() => editor.makeVertexLabel("engine-expires", false, false)).toThrow(refused)
    expect(() => editor.changeName(name.id, "PROPERTYKEY", "name", "engine-expires")).toThrow(refused)
    const hidden = (await graph.management.schema()).expires!
    expect(() => editor.changeName(hidden.id, "PROPERTYKEY", "engine-expires", "mine")).toThrow(refused)
    expect(editor.key("engine-expires")).toBeUndefined()
    editor.setTimeToLive(editor.makeKey("again", dataTypeOf("String"), "SINGLE"), 10)
    await graph.management.commit(editor)
    expect((await graph.management.schema()).expires).toEqual(hidden)
  })
})

it("A vertex that has expired is removed in slices before its id goes to a new one", async () => {
  const clock = { now: 1_000_000 }
  const graph = await cellGraph(new MemoryCellStore(), { clock: () => clock.now, userVertexIds: true })
  const editor = await graph.management.edit()
  editor.setTimeToLive(editor.makeVertexLabel("session", true, false), 10)
  await graph.management.commit(editor)
  await write(graph, "g.addV('user').property(T.id, 512L)")
  const add = "g.addV('session').property(T.id, 256L)"
  await write(graph, `${add}.as('a').constant([${"0,".repeat(2_000)}0]).unfold().addE('of').from('a').to(__.V(512L))`)
  expect((await runLater(graph, "g.V(512L).in().count()")).map(text)).toEqual(["2001"])
  clock.now += 10_000
  const transaction = graph.begin()
  expect([...transaction.freeIdTask(256n)!].length).toBeGreaterThan(5)
  expect(transaction.freeIdTask(256n)).toBeUndefined()
  transaction.rollback()
  const freed = vi.spyOn(CellTransaction.prototype, "freeIdTask")
  for (const step of [add, "g.mergeV([(T.id): 256L, (T.label): 'session'])"]) {
    await write(graph, step)
    expect(freed.mock.results.at(-1)?.value).toBeDefined()
    expect((await runLater(graph, "g.V(512L).in().count()")).map(text)).toEqual(["0"])
    expect(findingsIn(graph.core)).toEqual([])
    clock.now += 10_000
  }
  freed.mockRestore()
})

it("A vertex that has expired gives its id to a new one", async () => {
  const clock = { now: 1_000_000 }
  const graph = await cellGraph(new MemoryCellStore(), { clock: () => clock.now, userVertexIds: true })
  const editor = await graph.management.edit()
  editor.setTimeToLive(editor.makeVertexLabel("session", true, false), 10)
  editor.makeIndex({
    name: "byName",
    element: "vertex",
    kind: "equality",
    unique: true,
    keys: [editor.makeKey("name", dataTypeOf("String"), "SINGLE")]
  })
  await graph.management.commit(editor)
  const add = "g.addV('session').property(T.id, 256L).property('name', 'x')"
  await write(graph, add)
  await expect(write(graph, add)).rejects.toThrow("already exists")
  clock.now += 10_000
  await write(graph, add)
  expect((await runLater(graph, "g.V().has('name', 'x').id()")).map(text)).toEqual(["256"])
  clock.now += 10_000
  await write(graph, "g.mergeV([(T.id): 256L, (T.label): 'session'])")
  expect(
    (await runLater(graph, "g.V().project('id', 'keys').by(T.id).by(properties().count())")).map(text)
  ).toHaveLength(1)
  expect(findingsIn(graph.core)).toEqual([])
})
