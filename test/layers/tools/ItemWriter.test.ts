import { describe, expect, it } from "vitest"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { imported, written } from "./Graphs.ts"

const several = '~id,~label,name:String[]\na,person,"Ann;Anna"\n'
const refusal = "The key name takes one value of a vertex (SINGLE), and the vertex has several."

describe("Several values of a vertex under a key that takes one are refused", () => {
  it.each([
    ["without transactions", { answersLater: false }, {}],
    ["with --upsert", { answersLater: false }, { upsert: true, idProperty: "uid" }],
    ["into a store that answers later", { answersLater: true }, {}],
    ["with --upsert into a store that answers later", { answersLater: true }, { upsert: true, idProperty: "uid" }]
  ])("%s", async (_, store, options) => {
    const graph = await cellGraph(new MemoryCellStore(store))
    const editor = await graph.management.edit()
    for (const name of ["name", "uid"]) editor.makeKey(name, dataTypeOf("String"), "SINGLE")
    await graph.management.commit(editor)
    await expect(imported(graph, written({ "v.csv": several }), options)).rejects.toThrow(refusal)
    expect(await runLater(graph, "g.V().count()")).toEqual([0n])
    await imported(graph, written({ "v.csv": "~id,~label,name:String[]\na,person,Ann\n" }), options)
    expect(await runLater(graph, "g.V().values('name')")).toEqual(["Ann"])
    await graph.close()
  })
})

describe("A file with an id that a graph with ids of clients does not accept is refused with the reason", () => {
  it.each([
    ["without transactions", {}],
    ["with --upsert", { upsert: true, idProperty: "uid" }]
  ])("%s", async (_, options) => {
    const graph = await cellGraph(new MemoryCellStore(), { userVertexIds: true })
    const read = (id: string) => imported(graph, written({ "v.csv": `~id,~label,name\n${id},person,Ann\n` }), options)
    for (const id of ["5", "a-b"]) await expect(read(id)).rejects.toThrow("A vertex id must be a multiple of 8")
    await read("256000")
    expect(await runLater(graph, "g.V().id()")).toEqual([256000n])
    await graph.close()
  })
})
