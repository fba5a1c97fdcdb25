import { assert, describe, it } from "vitest"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { FakeCluster } from "../../storage/cassandra/FakeCluster.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { contents, imported, written } from "./Graphs.ts"

const failing = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => assert.fail("it succeeded"),
    ({ message }: Error) => message
  )

const graphs: ReadonlyArray<readonly [string, () => Promise<GraphStore>]> = [
  ["in memory", () => Promise.resolve(new MemoryGraph(tinkerGraph("test")))],
  ["on disk", async () => cellGraph(await lmdbStore({ sync: "none" }))],
  ["with constraints", () => cellGraph(new MemoryCellStore(), { constraints: true })],
  ["whose store answers later", () => cellGraph(new MemoryCellStore({ answersLater: true }))],
  ["in a cluster", async () => cellGraph(await new FakeCluster().store())]
]

describe.each(graphs)("Edges of a later command, in a graph %s,", (_, open) => {
  for (const isIndexed of [false, true]) {
    it(`find the vertices of an earlier import by --id-property, ${isIndexed ? "by an index" : "without an index"}`, async () => {
      const graph = await open()
      if (isIndexed) await graph.management.createIndex("uid", "vertex")
      const people = "~id,~label,code\nann-with-a-long-id,person,Ann\nbob,person,Bob\n7,person,Seven\n"
      await imported(graph, written({ "v.csv": people }), { idProperty: "uid" })
      const knows = "~from,~to,~label,since:Int\nann-with-a-long-id,bob,knows,1\n7,ann-with-a-long-id,knows,2\n"
      await imported(graph, written({ "e.csv": knows }), { idProperty: "uid" })
      // A new vertex, and edges from it to an existing one.
      const more = { "v.csv": "~id,~label,code\neve,person,Eve\n", "e.csv": "~from,~to,~label\neve,bob,knows\n" }
      await imported(graph, written(more), { idProperty: "uid" })
      const found = await contents(graph)
      assert.deepEqual(
        found.filter((line) => line.includes("->")),
        ["Ann-knows->Bob since=Integer 1", "Eve-knows->Bob ", "Seven-knows->Ann since=Integer 2"]
      )
      await graph.close()
    })
  }

  it("are refused with file and line when no vertex, or several, have the id", async () => {
    const graph = await open()
    await graph.management.createIndex("uid", "vertex")
    await imported(graph, written({ "v.csv": "~id,code\na,a\nb,b\n" }), { idProperty: "uid" })
    await imported(graph, written({ "w.csv": "~id,code,uid\nc,other,b\n" }))
    const to = (id: string) =>
      imported(graph, written({ "e.csv": `~from,~to,~label\na,a,to\na,${id},to\n` }), { idProperty: "uid" })
    assert.match(
      await failing(to("nobody")),
      /\/e\.csv: line 3: an edge leads to the vertex nobody, which is neither in the files nor in the graph, where no vertex has 'nobody' under uid$/
    )
    assert.match(await failing(to("b")), /\/e\.csv: line 3: several vertices of the graph have 'b' under uid$/)
    await graph.close()
  })
})

describe("Ends of edges", () => {
  it("that are in no file do not match ids that the graph generated for other vertices", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    await imported(graph, written({ "v.csv": "~id,code\na,a\nb,b\n" }))
    const transaction = graph.begin({ readOnly: true })
    const found = { refs: transaction.newRefs(10), length: 0 }
    transaction.scanVertices(null).next(10, found)
    const id = String(transaction.vertexId(found.refs[0]!))
    transaction.rollback()
    const both = { "v.csv": "~id,code\nc,c\n", "e.csv": `~from,~to,~label\nc,${id},to\n` }
    assert.match(
      await failing(imported(graph, written(both))),
      /e\.csv: line 2: an edge leads to the vertex \d+, which/
    )
    // In files of edges only, ids can only be those of the graph.
    const [, first] = await contents(graph)
    assert.isDefined(first)
    assert.match(
      await imported(graph, written({ "e.csv": `~from,~to,~label\n${id},${id},to\n` })),
      /^Imported 0 vertices and 1 edge/
    )
  })

  it("are found by a key with numeric values", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const editor = await graph.management.edit()
    editor.makeKey("uid", dataTypeOf("Long"), "SINGLE")
    await graph.management.commit(editor)
    await graph.management.createIndex("uid", "vertex")
    await imported(graph, written({ "v.csv": "~id,code,uid:Long\na,Ann,7\nb,Bob,8\n" }))
    await imported(graph, written({ "e.csv": "~from,~to,~label\n7,8,knows\n" }), { idProperty: "uid" })
    assert.include(await contents(graph), "Ann-knows->Bob ")
    assert.match(
      await failing(imported(graph, written({ "f.csv": "~from,~to,~label\n7,x,to\n" }), { idProperty: "uid" })),
      /f\.csv: line 2: an edge leads to the vertex x, which is neither/
    )
  })

  it("include Neo4j's id spaces", async () => {
    const graph = new MemoryGraph(tinkerGraph("test"))
    const persons = "code:ID(Person)\n1\n2\n"
    const cities = "code:ID(City)\n1\n"
    await imported(graph, written({ "p.csv": persons, "c.csv": cities }), { idProperty: "uid" })
    await imported(graph, written({ "e.csv": ":START_ID(Person),:END_ID(City),:TYPE\n2,1,IN\n" }), {
      idProperty: "uid"
    })
    assert.include(await contents(graph), "2-IN->1 ")
    assert.match((await contents(graph)).join("\n"), /uid=String Person:2/)
  })

  it("are not searched by a key that the files use themselves", async () => {
    const graph = new MemoryGraph(tinkerGraph("test"))
    const paths = written({ "v.csv": "~id,name\na,Ann\n" })
    assert.match(
      await failing(imported(graph, paths, { idProperty: "name" })),
      /v\.csv: line 2: the vertex a already has a property name with another value: name another key with --id-property$/
    )
  })
})
