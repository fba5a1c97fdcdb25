import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { CellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { typeName } from "../../../src/structure/texts/TypeNames.ts"
import { Timestamp } from "../../../src/structure/times/Temporal.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { imported, written } from "./Graphs.ts"

const vertex = (id: number, ...values: ReadonlyArray<string>): string => {
  const properties = values.map((value, at) => `{"id":${10 * id + at},"value":${value}}`)
  return `{"id":${id},"label":"v","properties":{"x":[${properties.join()}]}}\n`
}
const date = '{"@type":"g:Date","@value":1000}'
const long = '{"@type":"g:Int64","@value":7}'
const int = '{"@type":"g:Int32","@value":2}'
const double = '{"@type":"g:Double","@value":1.5}'
const graphML = `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="a" for="node" attr.name="x" attr.type="string"/><key id="b" for="node" attr.name="x" attr.type="int"/>
<graph edgedefault="directed"><node id="1"><data key="a">A1</data></node><node id="2"><data key="b">7</data></node></graph></graphml>`

const files: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, ReadonlyArray<string>]> = [
  ["GraphSON", { "a.json": vertex(1, '"A1"') + vertex(2, int) }, ["Integer 2", "String A1"]],
  ["GraphSON with numbers", { "a.json": vertex(1, double) + vertex(2, int) }, ["Double 1.5", "Integer 2"]],
  ["GraphSON with dates", { "a.json": vertex(1, date) + vertex(2, long) }, ["Date 1000", "Long 7"]],
  [
    "GraphSON with lists",
    { "a.json": vertex(1, '"A1"') + vertex(2, int, '"B"') },
    ["Integer 2", "String A1", "String B"]
  ],
  ["GraphML", { "a.graphml": graphML }, ["Integer 7", "String A1"]],
  ["CSV", { "v.csv": "~id,~label,x:Int,x:String\n1,v,3,\n2,v,,12\n" }, ["Integer 3", "String 12"]],
  ["CSV with arrays", { "v.csv": "~id,~label,x:Int[],x:String[]\n1,v,3,a;b\n" }, ["Integer 3", "String a", "String b"]],
  ["several CSV files", { "v.csv": "~id,x:Int\n1,3\n", "w.csv": "~id,x\n2,abc\n" }, ["Integer 3", "String abc"]]
]

const valuesOf = async (graph: CellGraph): Promise<ReadonlyArray<string>> => {
  const as = (value: unknown) => `${typeName(value)} ${value instanceof Timestamp ? value.epochMillis : text(value)}`
  return [...(await runLater(graph, "g.V().values('x')", { as }))].map(String).sort()
}

const opened = (options: Partial<CellGraphOptions> = {}, later = false): Promise<CellGraph> =>
  cellGraph(new MemoryCellStore({ answersLater: later }), options)

describe.each(files)("An import of %s with several types under one key", (_, contents, values) => {
  it.each([
    { shared: false, later: false },
    { shared: true, later: false },
    { shared: true, later: true }
  ])("keeps the types (%o)", async ({ later, shared }) => {
    const graph = await opened({}, later)
    await imported(graph, written(contents), { shared })
    expect(await valuesOf(graph)).toEqual(values)
    expect((await graph.management.schema()).keys.get("x")!.dataType.name).toBe("Object")
    await graph.close()
  })
})

describe("An import of several types under one key", () => {
  const mixed = () => written({ "v.csv": "~id,x:Int,x:String\n1,3,\n2,,12\n" })

  it("converts the values to the type of a key that the schema has", async () => {
    const graph = await opened()
    await runLater(graph, "g.addV().property('x', 'a').iterate()")
    await imported(graph, mixed())
    expect(await valuesOf(graph)).toEqual(["String 12", "String 3", "String a"])
    await graph.close()
  })

  it("is refused where the graph makes no types by itself", async () => {
    const graph = await opened({ schemaMaker: "none" })
    await expect(imported(graph, mixed())).rejects.toThrow("v.csv: line 2: Undefined property key: x.")
    await graph.close()
  })

  it("is refused with its place for a name that no key can have", async () => {
    const graph = await opened()
    await runLater(graph, "g.addV().addE('x').to(__.V()).iterate()")
    await expect(imported(graph, mixed())).rejects.toThrow("v.csv: line 2: The name x is that of an edge label")
    await graph.close()
  })

  it("takes the type of the only one otherwise", async () => {
    const graph = await opened()
    await imported(graph, written({ "a.json": vertex(1, int) + vertex(2, int) }))
    expect((await graph.management.schema()).keys.get("x")!.dataType.name).toBe("Integer")
    await graph.close()
  })
})
