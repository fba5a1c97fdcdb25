import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Bytecode, Instruction } from "../../../src/process/language/Bytecode.ts"
import { P } from "../../../src/process/language/Predicate.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { prefixes } from "../../../src/storage/janusgraph/format/RelationTypes.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { column, fetched, settled } from "../Completion.ts"
import { cellGraph } from "./Graphs.ts"
import { MemoryCellStore, type MemoryCellStoreOptions } from "./MemoryCellStore.ts"

const since = FastCheck.constantFrom(-2, 0, 1, 2, 2000, 2 ** 31 - 1)
const weight = FastCheck.constantFrom(-1.5, 0, 0.5, 3.25).map((it) => (Number.isInteger(it) ? it + 0.125 : it))
const edge = FastCheck.record({ since, weight }, { requiredKeys: [] })
const condition = FastCheck.oneof(
  FastCheck.tuple(FastCheck.constantFrom("eq", "lt", "lte", "gt", "gte", "neq"), since).map(([operator, value]) => ({
    key: "since",
    predicate: new P(operator as "eq", value)
  })),
  FastCheck.tuple(FastCheck.constantFrom("eq", "lt", "gt"), weight).map(([operator, value]) => ({
    key: "weight",
    predicate: new P(operator as "eq", value)
  })),
  FastCheck.tuple(since, since).map(([low, high]) => ({ key: "since", predicate: new P("between", [low, high]) }))
)

const graphOf = async (store: MemoryCellStore, descending: boolean, before: boolean): Promise<CellGraph> => {
  const graph = await cellGraph(store, { cacheBytes: 0 })
  const editor = await graph.management.edit()
  editor.makeKey("since", dataTypeOf("Integer"), "SINGLE")
  editor.makeKey("weight", dataTypeOf("Double"), "SINGLE")
  editor.makeLabel("knows", "MULTI", false, [])
  editor.makeLabel("other", "MULTI", false, [])
  await graph.management.commit(editor)
  if (before) await makeIndex(graph, descending)
  return graph
}

const makeIndex = async (graph: CellGraph, descending: boolean): Promise<void> => {
  const editor = await graph.management.edit()
  const keys = [editor.key("since")!, editor.key("weight")!]
  const index = editor.makeRelationIndex(editor.label("knows")!, "bySince", "BOTH", descending, keys)
  await graph.management.commit(editor)
  await graph.management.done(index.type.id)
}

describe.each<readonly [string, MemoryCellStoreOptions]>([
  ["synchronous reads and small pages", { pageSize: 3 }],
  ["asynchronous reads", { answersLater: true }]
])("A vertex-centric index over cells with %s", (_, options) => {
  it("finds the same edges of a vertex as a scan of all of its edges", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(edge, { minLength: 5, maxLength: 30, size: "max" }),
        FastCheck.array(FastCheck.array(condition, { minLength: 1, maxLength: 2 }), { minLength: 5, maxLength: 8 }),
        FastCheck.boolean(),
        FastCheck.boolean(),
        async (edges, asked, descending, before) => {
          const graph = await graphOf(new MemoryCellStore(options), descending, before)
          const transaction = graph.begin()
          await fetched(transaction, { kind: "vertexIds", ids: [] })
          const [a, b] = [transaction.addVertex("n", undefined), transaction.addVertex("n", undefined)]
          edges.forEach((properties, at) => {
            const made = transaction.addEdge(at % 2 === 0 ? a : b, at % 5 === 4 ? "other" : "knows", a, undefined)
            for (const [key, value] of Object.entries(properties)) transaction.setEdgeProperty(made, key, value)
          })
          await settled(transaction.commit())
          if (!before) await makeIndex(graph, descending)
          await change(graph)
          for (const conditions of asked) {
            for (const step of ["outE", "inE", "bothE"]) {
              const filters = conditions.map(({ key, predicate }) => new Instruction("has", [key, predicate]))
              const all = (between: ReadonlyArray<Instruction>) =>
                new Bytecode(
                  [],
                  [
                    new Instruction("V", []),
                    new Instruction(step, ["knows"]),
                    ...between,
                    ...filters,
                    new Instruction("elementMap", [])
                  ]
                )
              const found = (await runLater(graph, all([]))).map(text)
              const expected = (await runLater(graph, all([new Instruction("barrier", [])]))).map(text)
              expect(found.sort()).toEqual(expected.sort())
            }
          }
          await graph.close()
        }
      ),
      { numRuns: 30, endOnFailure: true }
    )
  })

  /** Changes and removes edges that were found through copies. */
  const change = async (graph: CellGraph): Promise<void> => {
    for (const traversal of [
      [new Instruction("property", ["since", 7])],
      [new Instruction("limit", [1]), new Instruction("drop", [])]
    ]) {
      const writing = graph.begin()
      const steps = [
        new Instruction("V", []),
        new Instruction("outE", ["knows"]),
        new Instruction("has", ["since", new P("eq", 2)]),
        ...traversal
      ]
      await runLater(graph, new Bytecode([], [...steps, new Instruction("none", [])]), { transaction: writing })
    }
  }
})

it("A vertex-centric index reads only the edges that meet the condition", async () => {
  const store = new MemoryCellStore({ pageSize: 50 })
  const graph = await cellGraph(store, { cacheBytes: 0 })
  const editor = await graph.management.edit()
  const keys = [editor.makeKey("since", dataTypeOf("Integer"), "SINGLE")]
  editor.makeRelationIndex(editor.makeLabel("knows", "MULTI", false, []), "bySince", "OUT", true, keys)
  await graph.management.commit(editor)
  const transaction = graph.begin()
  const [hub, other] = [transaction.addVertex("hub", undefined), transaction.addVertex("n", undefined)]
  for (let i = 0; i < 3000; i++)
    transaction.setEdgeProperty(transaction.addEdge(hub, "knows", other, undefined), "since", i)
  await settled(transaction.commit())
  const reading = graph.begin()
  const all = column(reading, hub)
  expect(all.length).toBe(1)
  let slices = 0
  const { snapshot } = store
  store.snapshot = () => {
    const taken = snapshot.call(store)
    const { slice } = taken
    taken.slice = (query) => {
      slices++
      return slice.call(taken, query)
    }
    return taken
  }
  const found = await runLater(graph, "g.V().hasLabel('hub').outE('knows').has('since', gt(2990)).values('since')")
  expect(found).toEqual([2999, 2998, 2997, 2996, 2995, 2994, 2993, 2992, 2991])
  expect(slices).toBeLessThan(10)
  reading.rollback()
})

/** A vertex with 300 edges whose `since` counts from 0, with an index on it. */
const hubGraph = async (store: MemoryCellStore) => {
  const graph = await graphOf(store, false, true)
  const transaction = graph.begin()
  const [hub, other] = [transaction.addVertex("hub", undefined), transaction.addVertex("n", undefined)]
  for (let since = 0; since < 300; since++) {
    transaction.setEdgeProperty(transaction.addEdge(hub, "knows", other, undefined), "since", since)
  }
  await settled(transaction.commit())
  return { graph, hub: `g.V(${hub}).outE('knows')` }
}

it("A vertex-centric index over a store that answers later fetches only the cells that meet the condition", async () => {
  const store = new MemoryCellStore({ answersLater: true })
  const { graph, hub } = await hubGraph(store)
  // Fetches the schema.
  await runLater(graph, "g.V(0)")
  let bytes = 0
  const { snapshot } = store
  store.snapshot = () => {
    const taken = snapshot.call(store)
    const { fetch } = taken
    taken.fetch = async (queries) => {
      const pages = await fetch.call(taken, queries)
      for (const { cells } of pages) bytes += cells.end - cells.start
      return pages
    }
    return taken
  }
  expect(await runLater(graph, `${hub}.has('since', gt(297)).values('since')`)).toEqual([298, 299])
  expect(bytes).toBeLessThan(200)
})

it.each<readonly [string, MemoryCellStoreOptions]>([
  ["synchronous reads", { pageSize: 50 }],
  ["asynchronous reads", { answersLater: true }]
])("A transaction over %s finds an edge by the value that it has set", async (_, options) => {
  const { graph, hub } = await hubGraph(new MemoryCellStore(options))
  const transaction = graph.begin()
  const { commit } = transaction
  transaction.commit = () => undefined
  const run = (script: string) => runLater(graph, script, { transaction })
  expect(await run(`${hub}.has('since', 7).property('since', 1000).values('since')`)).toEqual([1000])
  expect(await run(`${hub}.has('since', gt(298)).values('since').order()`)).toEqual([299, 1000])
  expect(await run(`${hub}.has('since', 7).count()`)).toEqual([0n])
  await settled(commit.call(transaction))
  expect(await runLater(graph, `${hub}.has('since', gt(298)).values('since')`)).toEqual([299, 1000])
})

/** A graph with a vertex-centric index on `since` of the edges `knows`: two edges and two copies. */
const smallGraph = async (store: MemoryCellStore): Promise<CellGraph> => {
  const graph = await graphOf(store, false, true)
  const transaction = graph.begin()
  const [a, b] = [transaction.addVertex("n", undefined), transaction.addVertex("n", undefined)]
  for (const since of [1, 2]) transaction.setEdgeProperty(transaction.addEdge(a, "knows", b, undefined), "since", since)
  await settled(transaction.commit())
  return graph
}

const makeKey = async (graph: CellGraph, name: string): Promise<void> => {
  const editor = await graph.management.edit()
  editor.makeKey(name, dataTypeOf("Integer"), "SINGLE")
  await graph.management.commit(editor)
}

const relationIndexId = async (graph: CellGraph): Promise<number> =>
  (await graph.management.schema()).relationIndexes[0]!.type.id

/** The cells of copies of edges in the rows of vertices. */
const copies = (store: MemoryCellStore): number =>
  store
    .keys("edgestore", Number.MAX_SAFE_INTEGER)
    .flatMap((key) => [...store.row("edgestore", key, Number.MAX_SAFE_INTEGER)])
    .filter(({ column }) => column[0]! >> 5 === prefixes.edgeCopy).length

describe("The copies of a vertex-centric index", () => {
  it("are removed and changed with their edges when the schema has changed since the transaction began", async () => {
    const store = new MemoryCellStore()
    const graph = await smallGraph(store)
    expect(copies(store)).toBe(4)
    const removing = graph.begin()
    const changing = graph.begin()
    await makeKey(graph, "x")
    await runLater(graph, "g.E().has('since', 1).drop()", { transaction: removing })
    expect(copies(store)).toBe(2)
    await runLater(graph, "g.E().has('since', 2).property('since', 3)", { transaction: changing })
    expect(copies(store)).toBe(2)
    expect(await runLater(graph, "g.V().outE('knows').has('since', gt(0)).values('since')")).toEqual([3])
    await graph.close()
  })

  it("are removed when the index is dropped, also from rows of several pages", async () => {
    const store = new MemoryCellStore({ pageSize: 1 })
    const graph = await smallGraph(store)
    await makeKey(graph, "x")
    await graph.management.drop(await relationIndexId(graph))
    expect(copies(store)).toBe(0)
    await graph.close()
  })

  it("match the current edges after the index is enabled again", async () => {
    const store = new MemoryCellStore()
    const graph = await smallGraph(store)
    const id = await relationIndexId(graph)
    await graph.management.setStatus(id, "DISABLED")
    await runLater(graph, "g.E().has('since', 1).drop()")
    await runLater(graph, "g.E().has('since', 2).property('since', 3)")
    await graph.management.enable(id)
    expect(copies(store)).toBe(2)
    expect(await runLater(graph, "g.V().outE('knows').has('since', gt(0)).values('since')")).toEqual([3])
    await graph.close()
  })
})

it("An index does not find an expired edge, even after the TTL of its label was removed", async () => {
  let now = 1_000_000
  const graph = await cellGraph(new MemoryCellStore(), { clock: () => now })
  const editor = await graph.management.edit()
  const label = editor.makeLabel("knows", "MULTI", false, [])
  editor.makeRelationIndex(label, "bySince", "OUT", false, [editor.makeKey("since", dataTypeOf("Integer"), "SINGLE")])
  editor.setTimeToLive(label, 10)
  await graph.management.commit(editor)
  const traversal = "g.V().outE('knows').has('since', gt(0)).values('since')"
  await runLater(graph, "g.addV('n').as('a').addV('n').addE('knows').from('a').property('since', 1)")
  expect(await runLater(graph, traversal)).toEqual([1])
  now += 11_000
  expect(await runLater(graph, traversal)).toEqual([])
  const next = await graph.management.edit()
  next.setTimeToLive(next.label("knows")!, 0)
  await graph.management.commit(next)
  expect(await runLater(graph, traversal)).toEqual([])
  expect(await runLater(graph, "g.V().outE('knows').count()")).toEqual([0n])
  await graph.close()
})
