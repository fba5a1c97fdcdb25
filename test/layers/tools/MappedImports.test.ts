import { assert, describe, it } from "vitest"
import { perform } from "../../../src/layers/tools/ToolRequests.ts"
import { defaultSettings } from "../../../src/services/DefaultSettings.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { contents, context, written } from "./Graphs.ts"

const graphs: ReadonlyArray<readonly [string, () => Promise<GraphStore>]> = [
  ["in memory", () => Promise.resolve(new MemoryGraph(tinkerGraph("test")))],
  ["on disk", async () => cellGraph(await lmdbStore({ sync: "none" }))],
  ["whose store answers later", () => cellGraph(new MemoryCellStore({ answersLater: true }))]
]

/** Runs the command `import`. */
const run = (store: GraphStore, files: Readonly<Record<string, string>>, options: object): Promise<string> => {
  const settings = defaultSettings().graphs.get("graph")!
  return perform({ tool: "import", files: written(files), ...options }, { store, settings }, context())
}

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => assert.fail("it succeeded"),
    ({ message }: Error) => message
  )

describe.each(graphs)("An import into a graph %s", (_, open) => {
  it("reads fields between other delimiters, maps columns, and has labels for vertices and for edges", async () => {
    const graph = await open()
    const files = {
      "v.csv": 'person;name;years;code\n1;"Ann; A.";39;Ann\n2;Bob;40;Bob\n',
      "e.csv": "source;target;w\n1;2;0.5\n"
    }
    const columns = { person: "id", years: "age:Int", "w:String": "x", w: "weight:Double" }
    const asked = { delimiter: ";", vertexLabel: "person", edgeLabel: "knows", columns }
    assert.match(
      await failure(run(graph, files, asked)),
      /^--map w:String=\.\.\.: no CSV file has the column 'w:String'\.$/
    )
    const { "w:String": _unknown, ...known } = columns
    await run(graph, files, { ...asked, columns: known })
    assert.deepEqual(await contents(graph), [
      "Ann person age=Integer 39, code=String Ann, name=String Ann; A. in:0",
      "Ann-knows->Bob weight=Double 0.5",
      "Bob person age=Integer 40, code=String Bob, name=String Bob in:1"
    ])
    await graph.close()
  })

  it("changes vertices that the graph has under --id-property with --upsert, and adds the others", async () => {
    const graph = await open()
    await graph.management.createIndex("uid", "vertex")
    const options = { idProperty: "uid", upsert: true }
    await run(graph, { "v.csv": "~id,~label,code,age:Int\na,p,a,1\nb,p,b,2\n" }, options)
    await run(
      graph,
      { "w.csv": "~id,~label,code,age:Int\nb,p,b,3\nc,p,c,4\na,p,a,\n", "e.csv": "~from,~to,~label\na,c,to\n" },
      options
    )
    assert.deepEqual(await contents(graph), [
      "a p age=Integer 1, code=String a, uid=String a in:0",
      "a-to->c ",
      "b p age=Integer 3, code=String b, uid=String b in:0",
      "c p age=Integer 4, code=String c, uid=String c in:1"
    ])
    assert.match(
      await failure(run(graph, { "x.csv": "~id,~label\nd,p\nb,other\n" }, options)),
      /x\.csv: line 3: the vertex b has the label 'p' in the graph and 'other' in the file, and a label cannot change$/
    )
    await graph.close()
  })

  it("keeps the label 'edge' where the graph accepts it, and replaces it by that of --edge-label elsewhere", async () => {
    const graph = await open()
    const json = (id: number) =>
      `{"id":${id},"label":"p","properties":{"code":[{"value":"${id}"}]},"outE":{"edge":[{"id":9,"inV":${id}}]}}`
    const csv = { "v.csv": "~id,~label,code\na,p,a\n", "e.csv": "~from,~to,~label\na,a,edge\n" }
    if (!(graph instanceof MemoryGraph)) {
      const refused = /this graph does not accept the label 'edge': give a label with --edge-label/
      assert.match(await failure(run(graph, { "x.json": json(3) }, {})), refused)
      assert.match(
        await failure(run(graph, { "x.json": json(3) }, { edgeLabel: "edge" })),
        /'edge': give another label with --edge-label/
      )
    }
    await run(graph, { "x.json": json(3) }, { edgeLabel: "to" })
    await run(graph, csv, { edgeLabel: "to" })
    const label = graph instanceof MemoryGraph ? "edge" : "to"
    assert.deepEqual(await contents(graph), [
      `3 p code=String 3 in:1`,
      `3-${label}->3 `,
      `a p code=String a in:1`,
      `a-${label}->a `
    ])
    await graph.close()
  })

  it("refuses options that mean nothing", async () => {
    const graph = await open()
    const file = { "v.csv": "~id\n1\n" }
    assert.match(await failure(run(graph, file, { upsert: true })), /name its key with --id-property/)
    assert.match(await failure(run(graph, file, { delimiter: ";;" })), /--delimiter is one character/)
    assert.match(
      await failure(run(graph, { "v.csv": "~id,a\n1,2\n" }, { delimiter: ";" })),
      /to be by commas: give --delimiter/
    )
    await graph.close()
  })
})
