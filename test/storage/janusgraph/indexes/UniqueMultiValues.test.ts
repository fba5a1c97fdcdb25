import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { runLater } from "../../../process/run.ts"
import { FakeCluster } from "../../cassandra/FakeCluster.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

const stores = [
  ["on disk", () => cellGraph(new MemoryCellStore())],
  ["over a cluster", async () => cellGraph(await new FakeCluster().store())]
] as const

describe.each(stores)("A unique index on a key with several values, %s", (_, open) => {
  /** A graph with the keys emails (SET) and names (LIST), each with a unique index. */
  const withIndexes = async (): Promise<CellGraph> => {
    const graph = await open()
    const editor = await graph.management.edit()
    for (const [name, cardinality] of [
      ["emails", "SET"],
      ["names", "LIST"]
    ] as const) {
      const key = editor.makeKey(name, dataTypeOf("String"), cardinality)
      editor.makeIndex({ name: `by ${name}`, element: "vertex", kind: "equality", unique: true, keys: [key] })
    }
    await graph.management.commit(editor)
    return graph
  }
  const count = (graph: CellGraph, email: string) => runLater(graph, `g.V().has('emails', '${email}').count()`)

  it("gives each value to one vertex, as in JanusGraph", async () => {
    const graph = await withIndexes()
    await runLater(
      graph,
      "g.addV('p').property(set, 'emails', 'a').property(set, 'emails', 'a').property(set, 'emails', 'b')"
    )
    expect(await runLater(graph, "g.V().has('emails', 'b').values('emails').fold()")).toEqual([["a", "b"]])
    const violates = /violates a uniqueness constraint \[by emails\]/
    await expect(runLater(graph, "g.addV('p').property(set, 'emails', 'b')")).rejects.toThrow(violates)
    await expect(runLater(graph, "g.inject(1, 2).addV('p').property(set, 'emails', 'c')")).rejects.toThrow(violates)
    await runLater(graph, "g.addV('p').property(set, 'emails', 'c')")
    await expect(runLater(graph, "g.V().has('emails', 'c').property(set, 'emails', 'a')")).rejects.toThrow(violates)
    await runLater(graph, "g.V().has('emails', 'a').property(set, 'emails', 'a')")
    expect(await count(graph, "a")).toEqual([1n])
  })

  it("frees the values that a vertex loses, and no other", async () => {
    const graph = await withIndexes()
    await runLater(graph, "g.addV('p').property(set, 'emails', 'a').property(set, 'emails', 'b')")
    await runLater(graph, "g.V().has('emails', 'a').properties('emails').hasValue('b').drop()")
    await runLater(graph, "g.addV('p').property(set, 'emails', 'b')")
    await expect(runLater(graph, "g.addV('p').property(set, 'emails', 'a')")).rejects.toThrow("uniqueness")
    await runLater(graph, "g.V().has('emails', 'a').drop()")
    await runLater(graph, "g.addV('p').property(set, 'emails', 'a')")
    expect([...(await count(graph, "a")), ...(await count(graph, "b"))]).toEqual([1n, 1n])
  })

  it("refuses a value that a vertex has already in a list", async () => {
    const graph = await withIndexes()
    await runLater(graph, "g.addV('p').property(list, 'names', 'a').property(list, 'names', 'b')")
    const again = "g.V().has('names', 'a').property(list, 'names', 'a')"
    await expect(runLater(graph, again)).rejects.toThrow("uniqueness constraint [by names]")
    await expect(
      runLater(graph, "g.addV('p').property(list, 'names', 'c').property(list, 'names', 'c')")
    ).rejects.toThrow("uniqueness constraint [by names]")
    expect(await runLater(graph, "g.V().values('names').fold()")).toEqual([["a", "b"]])
  })

  it("finds a vertex once, whichever of its values match", async () => {
    const graph = await withIndexes()
    await runLater(graph, "g.addV('p').property(set, 'emails', 'a').property(set, 'emails', 'b')")
    await runLater(graph, "g.addV('p').property(list, 'names', 'a').property(list, 'names', 'b')")
    for (const key of ["emails", "names"]) {
      expect(await runLater(graph, `g.V().has('${key}', within('a', 'b')).values('${key}').fold()`)).toEqual([
        ["a", "b"]
      ])
    }
  })

  it("is built over existing values, unless two vertices share one", async () => {
    const graph = await open()
    const editor = await graph.management.edit()
    for (const name of ["free", "shared"]) editor.makeKey(name, dataTypeOf("String"), "SET")
    await graph.management.commit(editor)
    await runLater(
      graph,
      "g.addV('p').property(set, 'free', 'a').property(set, 'free', 'b').property(set, 'shared', 'a')"
    )
    await runLater(graph, "g.addV('p').property(set, 'free', 'c').property(set, 'shared', 'a')")
    await graph.management.createIndex("free", "vertex", { unique: true })
    await expect(runLater(graph, "g.addV('p').property(set, 'free', 'b')")).rejects.toThrow("uniqueness")
    await expect(graph.management.createIndex("shared", "vertex", { unique: true })).rejects.toThrow("same value")
  })

  it("keeps the entry of a value when a vertex loses the value that an index in construction has of another one", async () => {
    const graph = await withIndexes()
    await runLater(graph, "g.addV('owner').property(set, 'emails', 'a')")
    const { id } = (await graph.management.schema()).indexes.find(({ name }) => name === "by emails")!
    await graph.management.setStatus(id, "DISABLED")
    for (const label of ["removed", "changed"]) await runLater(graph, `g.addV('${label}').property(set, 'emails', 'a')`)
    // The build has met only the first vertex.
    await graph.management.setStatus(id, "REGISTERED")
    await runLater(graph, "g.V().hasLabel('removed').drop()")
    const changed = "g.V().hasLabel('changed').sideEffect(__.properties('emails').drop())"
    await runLater(graph, `${changed}.property(set, 'emails', 'b')`)
    await graph.management.setStatus(id, "ENABLED")
    expect(await runLater(graph, "g.V().has('emails', 'a').label()")).toEqual(["owner"])
    expect(await runLater(graph, "g.V().has('emails', 'b').label()")).toEqual(["changed"])
    await expect(runLater(graph, "g.addV('p').property(set, 'emails', 'a')")).rejects.toThrow("uniqueness")
  })
})

it("On disk an entry stays also when an index has one of two vertices with the same value", async () => {
  const graph = await cellGraph(new MemoryCellStore())
  const editor = await graph.management.edit()
  const keys = [editor.makeKey("email", dataTypeOf("String"), "SINGLE")]
  editor.makeIndex({ name: "byEmail", element: "vertex", kind: "equality", unique: true, keys })
  await graph.management.commit(editor)
  await runLater(graph, "g.addV('owner').property('email', 'a')")
  const { id } = (await graph.management.schema()).indexes[0]!
  await graph.management.setStatus(id, "DISABLED")
  await runLater(graph, "g.addV('other').property('email', 'a')")
  await graph.management.setStatus(id, "ENABLED")
  await runLater(graph, "g.V().hasLabel('other').drop()")
  expect(await runLater(graph, "g.V().has('email', 'a').label()")).toEqual(["owner"])
})
