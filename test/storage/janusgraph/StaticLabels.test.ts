import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "./Graphs.ts"
import { MemoryCellStore } from "./MemoryCellStore.ts"

describe.each([false, true])("A vertex with a static label (asynchronous store: %s)", (later) => {
  const opened = async () => {
    const graph = await cellGraph(new MemoryCellStore({ answersLater: later }))
    const editor = await graph.management.edit()
    editor.makeVertexLabel("fixed", true, false)
    await graph.management.commit(editor)
    return { graph, ask: (script: string) => runLater(graph, script, { as: text }) }
  }

  it("has an id whose kind tells JanusGraph that the vertex is static", async () => {
    const { ask } = await opened()
    const ids = await ask("g.addV('fixed').property('name', 'a').addV('fixed').addV('person').id().fold().unfold()")
    expect(ids.length).toBe(1)
    const kinds = await ask("g.V().order().by(label).id()")
    expect(kinds.map((id) => Number(id) % 8)).toEqual([4, 4, 0])
    expect(new Set(kinds).size).toBe(3)
  })

  it("is found, joined and removed by its id", async () => {
    const { ask } = await opened()
    await ask("g.addV('fixed').property('name', 'a').as('a').addV('person').addE('knows').to('a').iterate()")
    const [id] = await ask("g.V().hasLabel('fixed').id()")
    expect(await ask(`g.V(${id}L).in('knows').label()`)).toEqual(["person"])
    expect(await ask(`g.V(${id}L).values('name')`)).toEqual(["a"])
    await expect(ask(`g.V(${id}L).property('name', 'b')`)).rejects.toThrow("The vertex label fixed is static")
    await ask(`g.V(${id}L).drop()`)
    expect(await ask("g.V().label()")).toEqual(["person"])
    expect(await ask("g.E().count()")).toEqual(["0"])
  })

  it.each([
    "g.V().hasLabel('fixed').property('name', null)",
    "g.V().hasLabel('fixed').property(single, 'name', null)",
    "g.V().hasLabel('fixed').properties('name').property('meta', 2)",
    "g.V().hasLabel('fixed').properties('name').properties('meta').drop()",
    "g.V().hasLabel('fixed').inE('knows').drop()",
    "g.V().hasLabel('person').outE('knows').property('since', 2)",
    "g.V().hasLabel('person').outE('knows').properties('since').drop()"
  ])("is not changed by later transactions: %s", async (script) => {
    const { ask } = await opened()
    await ask(
      "g.addV('fixed').property('name', 'a', 'meta', 1).as('a').addV('person').addE('knows').to('a').property('since', 1)"
    )
    await expect(ask(script)).rejects.toThrow(/static/)
    expect(await ask("g.V().properties('name').values('meta')")).toEqual(["1"])
    expect(await ask("g.V().hasLabel('fixed').inE('knows').values('since')")).toEqual(["1"])
  })

  it("is changed freely by the transaction that makes it", async () => {
    const { ask } = await opened()
    await ask(
      "g.addV('fixed').property('name', 'a', 'meta', 1).as('a').addE('knows').to('a').property('since', 1)" +
        ".sideEffect(properties('since').drop()).sideEffect(drop()).V().hasLabel('fixed').properties('name').property('meta', 2)"
    )
    expect(await ask("g.V().properties('name').values('meta')")).toEqual(["2"])
    expect(await ask("g.E().count()")).toEqual(["0"])
  })

  it("may lose an edge whose other vertex is dropped", async () => {
    const { ask } = await opened()
    await ask("g.addV('fixed').as('a').addV('person').addE('knows').to('a').iterate()")
    await ask("g.V().hasLabel('person').drop()")
    expect(await ask("g.V().hasLabel('fixed').inE().count()")).toEqual(["0"])
  })
})
