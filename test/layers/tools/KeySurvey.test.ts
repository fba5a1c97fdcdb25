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
const wide = '{"@type":"g:Int64","@value":9007199254740993}'
const float = '{"@type":"g:Float","@value":0.5}'
const double = '{"@type":"g:Double","@value":1.5}'
const graphML = `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="a" for="node" attr.name="x" attr.type="string"/><key id="b" for="node" attr.name="x" attr.type="int"/>
<graph edgedefault="directed"><node id="1"><data key="a">A1</data></node><node id="2"><data key="b">7</data></node></graph></graphml>`

const files: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, ReadonlyArray<string>]> = [
  ["GraphSON", { "a.json": vertex(1, '"A1"') + vertex(2, int) }, ["Integer 2", "String A1"]],
  [
    "GraphSON with inexact numbers",
    { "a.json": vertex(1, double) + vertex(2, wide) },
    ["Double 1.5", "Long 9007199254740993"]
  ],
  [
    "CSV with Longs and Doubles",
    { "v.csv": "~id,x:Long\n1,3\n", "w.csv": "~id,x:Double\n2,1.5\n" },
    ["Double 1.5", "Long 3"]
  ],
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

describe("An import of several types of numbers under one key", () => {
  it.each([
    ["Double", { "a.json": vertex(1, int) + vertex(2, double) }, ["Double 1.5", "Double 2.0"]],
    ["Double", { "a.json": vertex(1, double) + vertex(2, long) }, ["Double 1.5", "Double 7.0"]],
    ["Double", { "a.json": vertex(1, float) + vertex(2, int) }, ["Double 0.5", "Double 2.0"]],
    ["Long", { "a.json": vertex(1, int) + vertex(2, wide) }, ["Long 2", "Long 9007199254740993"]],
    ["Float", { "v.csv": "~id,x:Float\n1,0.5\n", "w.csv": "~id,x:Short\n2,3\n" }, ["Float 0.5", "Float 3.0"]],
    [
      "Double",
      { "v.csv": "~id,x:Int[]\n1,3;4\n", "w.csv": "~id,x:Double\n2,1.5\n" },
      ["Double 1.5", "Double 3.0", "Double 4.0"]
    ]
  ] as const)("gives the key the widest one, %s, so that indexes can have it", async (type, contents, values) => {
    const graph = await opened()
    await imported(graph, written(contents))
    expect(await valuesOf(graph)).toEqual(values)
    const key = (await graph.management.schema()).keys.get("x")!
    expect([key.dataType.name, key.cardinality]).toEqual([type, values.length > 2 ? "SET" : "SINGLE"])
    const editor = await graph.management.edit()
    if (values.length === 2) {
      editor.makeIndex({
        name: "byX",
        element: "vertex",
        kind: "ordered",
        unique: false,
        keys: [key],
        inlineKeys: [],
        onlyLabel: undefined
      })
      await graph.management.commit(editor)
    }
    await graph.close()
  })
})

describe("An import that stores the ids of the files", () => {
  const idType = async (contents: Readonly<Record<string, string>>) => {
    const graph = await opened()
    await imported(graph, written(contents), { idProperty: "x" })
    const type = (await graph.management.schema()).keys.get("x")!.dataType.name
    await graph.close()
    return type
  }

  it("gives their key the type of texts, or any type where some vertices have other values of it", async () => {
    expect(await idType({ "a.json": '{"id":1,"label":"v"}\n{"id":2,"label":"v"}\n' })).toBe("String")
    expect(await idType({ "a.json": `{"id":1,"label":"v"}\n${vertex(2, int)}` })).toBe("Object")
    expect(await idType({ "v.csv": "~id,x:Int\n2,2\n", "w.csv": "~id,y\n3,a\n" })).toBe("Object")
    expect(await idType({ "a.json": vertex(2, int) })).toBe("Integer")
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
