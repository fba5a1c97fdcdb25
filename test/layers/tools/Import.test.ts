import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, describe, it, vi } from "vitest"
import { CellTarget } from "../../../src/layers/tools/CellTarget.ts"
import { graphStats } from "../../../src/layers/tools/Stats.ts"
import { verifyGraph } from "../../../src/layers/tools/Verification.ts"
import { BulkLoader } from "../../../src/storage/janusgraph/maintenance/bulk/BulkLoader.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { newFolder } from "../../Folders.ts"
import { settled } from "../../storage/Completion.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { contents, context, imported, written } from "./Graphs.ts"

const persons = (count: number): string =>
  `~id,~label,code:String,tags:String[]\n${Array.from({ length: count }, (_, at) => `p${at},person,k${at},a;b\n`).join("")}`

const edges = (count: number, persons: number): string =>
  `~from,~to,~label,since:Int\n${Array.from({ length: count }, (_, at) => `p${at % persons},p${(at * 7) % persons},knows,${at}\n`).join("")}`

const counts = async (graph: GraphStore) => {
  const { edges, vertices } = await graphStats(graph, undefined, context())
  return { vertices, edges }
}

const failing = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => assert.fail("it succeeded"),
    ({ message }: Error) => message
  )

/** The kinds of graphs. */
const graphs: ReadonlyArray<readonly [string, () => Promise<GraphStore>]> = [
  ["a graph in memory", () => Promise.resolve(new MemoryGraph(tinkerGraph("test")))],
  ["a graph on disk", async () => cellGraph(await lmdbStore({ sync: "none" }))]
]

describe.each(graphs)("An import into %s", (_, open) => {
  it("says which edges of GraphSON it leaves out, because only their in-vertex lists them", async () => {
    const graph = await open()
    const edge = '{"id":9,"outV":1}'
    const lines = ['{"id":1,"label":"v"}', `{"id":2,"label":"v","inE":{"knows":[${edge}]}}`, ""].join("\n")
    assert.match(
      await imported(graph, written({ "a.json": lines })),
      /^Imported 2 vertices and 0 edges .* WARNING: 1 edge left out, .* under inE \(.*a\.json: line 2\) than under outE/
    )
    const whole = lines
      .replace('"v"}', `"v","outE":{"knows":[{"id":9,"inV":2}]}}`)
      .replaceAll(/"id":(?=[12])/g, '"id":1')
    const twice = written({ "b.json": whole.replace('"outV":1', '"outV":11').replace('"inV":2', '"inV":12') })
    assert.match(await imported(graph, twice), /^Imported 2 vertices and 1 edge \([^)]*\)\.$/)
    await graph.close()
  })

  it("accepts compressed files, in any order, and returns a summary", async () => {
    const graph = await open()
    const paths = written({ "e.csv.gz": gzipSync(edges(20, 5)), "v.csv.gz": gzipSync(persons(5)) })
    assert.match(await imported(graph, paths), /^Imported 5 vertices and 20 edges \(\d+\.\d s, [\d,]+ elements\/s\)\.$/)
    assert.deepEqual(await counts(graph), { vertices: { person: 5 }, edges: { knows: 20 } })
    await graph.close()
  })

  it("stores the ids of the file under a key, and adds missing labels", async () => {
    const graph = await open()
    const paths = written({ "v.csv": "id,name\n7,Ann\n", "e.csv": "from,to\n7,7\n" })
    await imported(graph, paths, { label: "thing", idProperty: "code" })
    assert.deepEqual(await contents(graph), [
      "7 thing code=String 7, name=String Ann in:1".replace(/String (\w+)/g, "String $1"),
      "7-thing->7 "
    ])
    await graph.close()
  })

  it("reports errors with file, line and column", async () => {
    const cases: ReadonlyArray<readonly [Readonly<Record<string, string>>, RegExp]> = [
      [{ "v.csv": "~id,age:Int\na,1\nb,old\n" }, /\/v\.csv: line 3, column 2 \(age:Int\): 'old' is no Int$/],
      [{ "v.csv": "~id\na\na\n" }, /\/v\.csv: line 3: the vertex a occurs twice in the files$/],
      [
        { "v.csv": "~id\na\n", "e.csv": "~from,~to\na,b\n" },
        /\/e\.csv: line 2: an edge leads to the vertex b, which is neither/
      ],
      [{ "v.json": '{"id":1}\n{"id":' }, /\/v\.json: Line 2: /],
      [
        { "v.graphml": "<graphml><graph><node/></graph></graphml>" },
        /\/v\.graphml: A <node> has no attribute id \(line 1\)$/
      ],
      [{ "v.txt": "" }, /\/v\.txt: the name does not imply a format; give --format csv, graphson, graphml\.$/],
      [{ "v.csv": "name\n" }, /\/v\.csv: line 1, column 1: the header has neither ~id/],
      [
        { "v.csv.gz": "~id\n", "e.csv": "~from,~to\n" },
        /\/v\.csv\.gz, .*\/e\.csv have no vertex and no edge: nothing was imported\.$/
      ],
      [{ "v.csv": "~id,name\r" }, /\/v\.csv has no vertex and no edge: nothing was imported\.$/],
      [{ "v.csv": "" }, /\/v\.csv: line 1: the file has no header$/],
      [{ "v.json": "" }, /\/v\.json has no vertex and no edge: nothing was imported\.$/],
      [{ "v.graphml": "<graphml><graph/></graphml>" }, /\/v\.graphml has no vertex and no edge: nothing was imported/],
      [{ "v.graphml": "" }, /\/v\.graphml: The XML is not well-formed, at 1:0: document must contain a root element/],
      [
        { "v.xml": "<html><body/></html>" },
        /\/v\.xml: The root element is <html>, but the root element of GraphML is <graphml>/
      ],
      [{ "v.json": '{"id":1}\n{"id":1}\n' }, /\/v\.json: line 2: the vertex 1 occurs twice in the files$/],
      [
        { "v.graphml": "<graphml><graph>\n<node id='a'/>\n<edge source='a' target='b'/></graph></graphml>" },
        /\/v\.graphml: line 3: an edge leads to the vertex b, which is neither in the files nor in the graph/
      ]
    ]
    for (const [files, message] of cases) {
      const graph = await open()
      const text = await imported(graph, written(files), { label: "thing" }).catch(({ message: said }: Error) => said)
      assert.match(text, message)
      await graph.close()
    }
    const graph = await open()
    assert.match(await failing(imported(graph, ["/nowhere/v.csv"])), /^\/nowhere\/v\.csv cannot be read: ENOENT/)
    await graph.close()
  })

  it("names the files without records", async () => {
    const graph = await open()
    const paths = written({ "v.csv": persons(2), "e.csv": "~from,~to\n", "f.csv": "~from,~to\n" })
    assert.match(
      await imported(graph, paths),
      /^Imported 2 vertices and 0 edges \(.*\)\. Files without records: e\.csv, f\.csv\.$/
    )
    await graph.close()
  })

  it("accepts every kind of line end", async () => {
    for (const [from, to] of [
      ["\n", "\r"],
      ["a;b\n", "a;b\r\n"]
    ] as const) {
      const graph = await open()
      const paths = written({
        "v.csv": `\ufeff${persons(30).replaceAll(from, to)}`,
        "e.csv": edges(9, 3).replaceAll("\n", to)
      })
      if (to === "\r") {
        await imported(graph, paths)
        assert.deepEqual(await counts(graph), { vertices: { person: 30 }, edges: { knows: 9 } })
      }
      await graph.close()
    }
  })

  it.each([
    ["v.csv", "~id,name\n", (name: string, at: number) => `v${at},${name}\n`, ""],
    [
      "v.json",
      "",
      (name: string, at: number) => `{"id":${at},"label":"v","properties":{"name":[{"id":${at},"value":"${name}"}]}}\n`,
      ""
    ],
    [
      "v.graphml",
      '<graphml><key id="name" for="node" attr.name="name" attr.type="string"/><graph>\n',
      (name: string, at: number) => `<node id="${at}"><data key="name">${name}</data></node>\n`,
      "</graph></graphml>"
    ]
  ])(
    "reports the line of an element of %s that only the commit refuses, alone or with others",
    async (file, head, row, tail) => {
      for (const shared of [false, true]) {
        const graph = await open()
        await graph.management.createIndex("name", "vertex", { unique: true })
        await imported(graph, written({ "first.csv": "~id,name\na,Ann\n" }))
        const rows = Array.from({ length: 5000 }, (_, at) => row(at === 4321 ? "Ann" : `n${at}`, at + 10_000)).join("")
        const message = await failing(imported(graph, written({ [file]: head + rows + tail }), { label: "v", shared }))
        const line = 4322 + (head === "" ? 0 : 1)
        assert.match(message, new RegExp(`/${file}: line ${line}: Another element has the .*value .*under .*name`))
        await graph.close()
      }
    }
  )
})

describe("An import into a graph on disk", () => {
  it("accepts GraphSON of JanusGraph", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const file = fileURLToPath(new URL("../../fixtures/janusgraph-graphson/graph.json", import.meta.url))
    await imported(graph, [file], { idProperty: "code" })
    assert.deepEqual(
      (await contents(graph)).map((line) => line.replace(/\0./g, "")),
      [
        "4144 person age=Integer 31, big=Long 5, code=String 4144, f=Float 0.25, name=String Ann, note=String n[since=Integer 3], " +
          "tags=String x, tags=String y, uid=UUID 41d2e28a-20a4-4ab0-b379-d810dede3786, w=Double 0.5, when=Date 0 in:1",
        "4144-knows->4144 ",
        "4144-lives->4328 since=Integer 1999",
        "4328 city code=String 4328, name=String Bern, place=Geoshape POINT (7.45 46.95) in:1"
      ]
    )
    assert.match(await verifyGraph(graph, false, context()), /Nothing is wrong\.$/)
  })

  it("resumes where it was stopped, and removes its journal at the end", async () => {
    const directory = join(newFolder(), "db")
    const paths = written({ "v.csv": persons(5000), "e.csv": edges(20_000, 5000) })
    const whole = await cellGraph(await lmdbStore({ sync: "none" }))
    await imported(whole, paths)
    const expected = await contents(whole)
    await whole.close()
    let stops = 0
    for (let done = false; !done; ) {
      const graph = await cellGraph(await lmdbStore({ sync: "none", directory }))
      // Small commits, after each of which the import may stop.
      const signal = AbortSignal.timeout(60 + 40 * stops)
      const text = await imported(graph, paths, { shared: true, signal }).catch(({ message }) => message)
      if (text === "The command was stopped.") stops++
      else {
        assert.match(
          text,
          /^Imported 5,000 vertices and 20,000 edges, of which [\d,]+ vertices and [\d,]+ edges before an interruption/
        )
        done = true
        assert.deepEqual(await contents(graph), expected)
        assert.match(await verifyGraph(graph, false, context()), /Nothing is wrong\.$/)
      }
      await graph.close()
    }
    assert.isAbove(stops, 0)
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.startsWith("import-")),
      []
    )
  })

  it.each([
    ["the first", 1],
    ["a later", 2]
  ])("resumes with smaller commits after it stopped twice directly before %s commit", async (_, last) => {
    const directory = join(newFolder(), "db")
    const many = { "v.csv": persons(20_000), "w.csv": edges(20, 20) }
    const paths = written(last === 1 ? many : { "u.csv": persons(20_000).replaceAll("\np", "\nq"), ...many })
    const open = async () => cellGraph(await lmdbStore({ sync: "none", directory }))
    const { commit } = BulkLoader.prototype
    // With a commit after each piece of a file, there are later commits.
    const full = last === 1 ? undefined : vi.spyOn(CellTarget.prototype, "full", "get").mockReturnValue(true)
    for (const calls of [last, last]) {
      let call = 0
      const ending = vi.spyOn(BulkLoader.prototype, "commit").mockImplementation(function (this: BulkLoader, note) {
        return ++call === calls ? Promise.reject(new Error("The process ends here.")) : commit.call(this, note)
      })
      const graph = await open()
      assert.match(await failing(imported(graph, paths)), /The process ends here/)
      ending.mockRestore()
      await graph.close()
    }
    full?.mockRestore()
    const graph = await open()
    assert.match(await imported(graph, paths, { shared: true }), /^Imported [24]0,000 vertices and 20 edges/)
    assert.match(
      await verifyGraph(graph, false, context()),
      /^Verified [24]0,000 vertices, 20 edges[\s\S]*Nothing is wrong\.$/
    )
    await graph.close()
  })

  it("writes rows once, in order, in one commit or in many", async () => {
    const paths = written({ "v.csv": persons(20_000), "e.csv": edges(40_000, 20_000) })
    const sizeOf = async (isFull: boolean): Promise<number> => {
      const directory = join(newFolder(), "db")
      const graph = await cellGraph(await lmdbStore({ sync: "none", directory }))
      const full = isFull ? vi.spyOn(CellTarget.prototype, "full", "get").mockReturnValue(true) : undefined
      await imported(graph, paths)
      full?.mockRestore()
      await graph.close()
      const again = await cellGraph(await lmdbStore({ sync: "none", directory }))
      assert.deepEqual(await counts(again), { vertices: { person: 20_000 }, edges: { knows: 40_000 } })
      assert.match(await verifyGraph(again, false, context()), /Nothing is wrong\.$/)
      await again.close()
      assert.deepEqual(readdirSync(directory).sort(), ["graph.mdb", "graph.mdb-lock"])
      return statSync(join(directory, "graph.mdb")).size
    }
    // The cells take about 60 bytes an edge. Rewritten rows took three times as much.
    for (const isFull of [false, true]) assert.isBelow(await sizeOf(isFull), 40_000 * 110)
  })

  it("updates indexes, also unique ones, and counters", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    await graph.management.createIndex("name", "vertex", { unique: true })
    await graph.management.createIndex("since", "edge")
    await imported(graph, written({ "v.csv": persons(50).replace("code:", "name:"), "e.csv": edges(80, 50) }))
    assert.match(
      await verifyGraph(graph, false, context()),
      /^Verified 50 vertices, 80 edges, 130 index entries[\s\S]*Nothing is wrong\.$/
    )
    const twice = written({ "v.csv": "~id,name\nx,k1\n" })
    assert.match(await failing(imported(graph, twice)), /v\.csv: line 2: Another element .* uniqueness constraint/)
    const lines = written({ "v.csv": "~id,name\nx,new\n", "e.csv": "~from,~to,~label,since:Int\nx,x,of,1\n" })
    await imported(graph, lines)
    const same = written({ "v.csv": "~id,name\nz,newer\ny,newer\n" })
    assert.match(await failing(imported(graph, same)), /v\.csv: line 3: Another element has the same value under name/)
  })

  it("reports the line of an edge that violates a multiplicity", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const editor = await graph.management.edit()
    editor.makeLabel("mother", "MANY2ONE", false, [])
    await graph.management.commit(editor)
    const paths = written({
      "v.csv": persons(3),
      "e.csv": "~from,~to,~label\np0,p1,mother\np1,p2,mother\np0,p2,mother\n"
    })
    assert.match(
      await failing(imported(graph, paths)),
      /e\.csv: line 4: The label mother has the multiplicity MANY2ONE/
    )
  })

  it("reports the line of a vertex whose id is taken", async () => {
    const graph = await cellGraph(new MemoryCellStore(), { userVertexIds: true, textVertexIds: true })
    await imported(graph, written({ "v.csv": "~id\na\nb\n" }))
    assert.match(
      await failing(imported(graph, written({ "w.csv": "~id\nc\nd\nb\n" }))),
      /w\.csv: line 4: A vertex with the id b exists already\.$/
    )
  })

  it("requires a label of edges without one, because JanusGraph reserves TinkerPop's default", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const files = { "v.csv": "~id\na\n", "e.csv": "~from,~to\na,a\n" }
    assert.match(
      await failing(imported(graph, written(files))),
      /e\.csv: line 2: the edge has no label, or the label 'edge', and this graph does not accept the label 'edge': give a label with --edge-label$/
    )
    const xml = "<graphml><graph><node id='a'/><edge source='a' target='a'/></graph></graphml>"
    await imported(graph, written({ "x.graphml": xml }), { label: "to" })
    assert.deepEqual(await counts(graph), { vertices: { to: 1 }, edges: { to: 1 } })
  })

  it("refuses names that JanusGraph reserves, from every format", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const cases: ReadonlyArray<readonly [string, string | undefined]> = [
      ["~id,key\na,1\n", undefined],
      ["~id,Label:Int\na,1\n", undefined],
      ["~id,~label\na,element\n", undefined],
      ["~id,a{b\na,1\n", undefined],
      ["~id\na\n", "key"]
    ]
    for (const [text, idProperty] of cases) {
      assert.match(
        await failing(imported(graph, written({ "v.csv": text }), { idProperty })),
        /v\.csv: line 2: Name (cannot be in protected namespace|contains reserved character)/
      )
    }
    // TinkerPop's default label of edges.
    const edge = graph.begin()
    const vertex = edge.addVertex("v", undefined)
    edge.addEdge(vertex, "edge", vertex, undefined)
    edge.rollback()
    const editor = await graph.management.edit()
    assert.throws(() => editor.makeKey("Key", dataTypeOf("String"), "SINGLE"), /protected namespace/)
    assert.throws(() => editor.makeVertexLabel('a"b', false, false), /reserved character/)
    // JanusGraph accepts it.
    editor.makeKey("id", dataTypeOf("String"), "SINGLE")
    await imported(graph, written({ "v.csv": "~id,id:String\na,1\n" }))
  })

  it("enforces the rules of a schema", async () => {
    const graph = await cellGraph(new MemoryCellStore(), { schemaMaker: "none", constraints: true })
    const editor = await graph.management.edit()
    const [key, tags] = ["name", "tags"].map((name) =>
      editor.makeKey(name, dataTypeOf("String"), name === "tags" ? "LIST" : "SINGLE")
    )
    editor.addProperties(editor.makeVertexLabel("person", false, false), [key!, tags!])
    editor.makeVertexLabel("city", false, false)
    await graph.management.commit(editor)
    await imported(graph, written({ "v.csv": persons(3).replace("code:", "name:") }))
    assert.deepEqual(await counts(graph), { vertices: { person: 3 }, edges: {} })
    const wrong = written({ "v.csv": "~id,~label,name:String\nc,city,Bern\n" })
    assert.match(await failing(imported(graph, wrong)), /v\.csv: line 2: Property Key constraint does not exist/)
    assert.match(await verifyGraph(graph, false, context()), /^Verified 3 vertices[\s\S]*Nothing is wrong\.$/)
  })

  it("adds new constraints when the schema creates them at first use", async () => {
    const graph = await cellGraph(new MemoryCellStore(), { constraints: true })
    await imported(graph, written({ "v.csv": "~id,~label,name:String\nc,city,Bern\n" }))
    // A transaction reads the schema of the import.
    graph.begin().rollback()
    const { keys, modifiers, vertexLabels } = graph.core.schema
    const allowed = modifiers.properties.get(vertexLabels.get("city")!.id)
    assert.deepEqual([...(allowed ?? [])], [keys.get("name")!.id])
  })

  it("refuses edges to vertices that others have removed meanwhile", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const transaction = graph.begin()
    const ref = transaction.addVertex("person", undefined)
    await settled(transaction.commit())
    const id = String(graph.begin().vertexId(ref))
    const many = `~from,~to,~label\n${`${id},${id},to\n`.repeat(40_000)}`
    let removed = false
    graph.core.cells.commit = ((commit) => (work: Parameters<typeof commit>[0]) => {
      if (!removed) {
        removed = true
        const other = graph.begin()
        other.removeVertex(other.vertexRef(BigInt(id)))
        other.commit()?.onDone(() => undefined)
      }
      return commit.call(graph.core.cells, work)
    })(graph.core.cells.commit)
    const message = await failing(imported(graph, written({ "e.csv": many }), { shared: true }))
    assert.match(message, /e\.csv: line 2: The vertex \d+, an end of a new edge, was removed/)
  })
})
