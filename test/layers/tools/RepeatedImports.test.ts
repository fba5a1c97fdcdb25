import { createHash } from "node:crypto"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it, vi } from "vitest"
import { CellTarget } from "../../../src/layers/tools/CellTarget.ts"
import { IdFile } from "../../../src/layers/tools/IdFile.ts"
import { recordsOf } from "../../../src/layers/tools/ImportRecords.ts"
import { graphStats } from "../../../src/layers/tools/Stats.ts"
import { verifyGraph } from "../../../src/layers/tools/Verification.ts"
import { BulkLoader } from "../../../src/storage/janusgraph/maintenance/bulk/BulkLoader.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { newFolder } from "../../Folders.ts"
import { runLater } from "../../process/run.ts"
import { FakeCluster } from "../../storage/cassandra/FakeCluster.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { context, imported, written } from "./Graphs.ts"

const vertices = (count: number, first = 0): string =>
  `~id,code:String\n${Array.from({ length: count }, (_, at) => `p${first + at},k${first + at}\n`).join("")}`

const edges = (count: number): string => `~from,~to,~label\n${"p0,p1,knows\n".repeat(count)}`

const counts = async (graph: GraphStore) => {
  const { edges, vertices } = await graphStats(graph, undefined, context())
  const sum = (of: Readonly<Record<string, number>>): number => Object.values(of).reduce((all, one) => all + one, 0)
  return [sum(vertices), sum(edges)]
}

const failing = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => assert.fail("it succeeded"),
    ({ message }: Error) => message
  )

const graphs: ReadonlyArray<readonly [string, () => Promise<GraphStore>]> = [
  ["a graph in memory", () => Promise.resolve(new MemoryGraph(tinkerGraph("test")))],
  ["a graph on disk", async () => cellGraph(await lmdbStore({ sync: "none" }))],
  ["a graph with constraints", () => cellGraph(new MemoryCellStore(), { constraints: true })],
  ["a graph in a cluster", async () => cellGraph(await new FakeCluster().store())]
]

describe.each(graphs)("A finished import into %s", (_, open) => {
  it("is recognised when it is repeated, and repeated with --again", async () => {
    const graph = await open()
    const paths = written({ "e.csv": edges(3) })
    await imported(graph, written({ "v.csv": vertices(3) }), { idProperty: "uid" })
    await imported(graph, paths, { idProperty: "uid" })
    const message = await failing(imported(graph, paths, { idProperty: "uid" }))
    assert.match(
      message,
      /\/e\.csv is already in the graph, by the import of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, 0 vertices and 3 edges \(e\.csv\)\. Nothing was imported: leave the file out, or give --again to import anyway\.$/
    )
    assert.deepEqual(await counts(graph), [3, 3])
    await imported(graph, paths, { idProperty: "uid", again: true })
    assert.deepEqual(await counts(graph), [3, 6])
    await graph.close()
  })

  it("is recognised under another name, compressed, with other options, beside other files, and in a file that grew", async () => {
    const graph = await open()
    await imported(graph, written({ "v.csv": vertices(3) }))
    const cases: ReadonlyArray<readonly [Readonly<Record<string, string | Uint8Array>>, RegExp]> = [
      [{ "copy.csv": vertices(3) }, /copy\.csv is already in the graph/],
      [{ "v.csv.gz": gzipSync(vertices(3)) }, /v\.csv\.gz is already in the graph/],
      [{ "new.csv": vertices(2, 9), "v.csv": vertices(3) }, /v\.csv is already in the graph/],
      [
        { "v.csv": vertices(4) },
        /The first 34 bytes of .*v\.csv are already in the graph, .* put the new records into another file/
      ]
    ]
    for (const [files, message] of cases) assert.match(await failing(imported(graph, written(files))), message)
    assert.match(await failing(imported(graph, written({ "v.csv": vertices(3) }), { label: "x" })), /already/)
    await imported(graph, written({ "v.csv": vertices(3, 7) }))
    assert.deepEqual(await counts(graph), [6, 0])
    await graph.close()
  })

  it("is forgotten when all its elements were removed", async () => {
    const graph = await open()
    const paths = written({ "v.csv": vertices(3) })
    await imported(graph, paths)
    await runLater(graph, "g.V().drop()")
    await imported(graph, paths)
    assert.deepEqual(await counts(graph), [3, 0])
    await graph.close()
  })

  it("refuses two files with the same contents", async () => {
    const graph = await open()
    const paths = written({ "v.csv": vertices(3), "e.csv": edges(2), "f.csv": edges(2) })
    assert.match(await failing(imported(graph, paths)), /e\.csv and .*f\.csv have the same contents: leave one out, or/)
    await imported(graph, paths, { again: true })
    assert.deepEqual(await counts(graph), [3, 4])
    await graph.close()
  })
})

describe("An empty file", () => {
  it("beside others is left out, and does not count as the begin of later files", async () => {
    for (const empty of ["", gzipSync("")]) {
      const graph = new MemoryGraph(tinkerGraph("test"))
      const names = typeof empty === "string" ? ["empty.json", "also.json"] : ["empty.json.gz", "also.json.gz"]
      const paths = written({ [names[0]!]: empty, [names[1]!]: empty, "v.csv": vertices(3) })
      assert.match(
        await imported(graph, paths),
        /^Imported 3 vertices .* Files without records: empty\.json(\.gz)?, also\.json(\.gz)?\.$/
      )
      await imported(graph, written({ "later.csv": vertices(3, 7) }))
      assert.deepEqual(await counts(graph), [6, 0])
      await graph.close()
    }
  })

  it("that an earlier version has recorded is ignored", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    await imported(graph, written({ "v.csv": vertices(3) }))
    const records = recordsOf(graph)
    const digest = createHash("sha256").digest("hex")
    const known = [...(await records.read())].map(
      ([name, record]) => [name, { ...record, files: [{ path: "/empty.json", bytes: 0, digest }] }] as const
    )
    await records.write(new Map(known))
    await imported(graph, written({ "later.csv": vertices(3, 7) }))
    assert.deepEqual(await counts(graph), [6, 0])
    await graph.close()
  })
})

describe("An interrupted import", () => {
  /** A file whose last line is wrong, so that its import stops after some commits. */
  const broken = (count: number): string =>
    `~id,code:Int\n${Array.from({ length: count }, (_, at) => `p${at},${at}\n`).join("")}px,x\n`

  it("resumes in a file whose wrong line was corrected", async () => {
    const directory = join(newFolder(), "db")
    const graph = await cellGraph(await lmdbStore({ sync: "none", directory }))
    const [path] = written({ "v.csv": broken(20_000) })
    assert.match(
      await failing(imported(graph, [path!], { shared: true })),
      /v\.csv: line 20002, column 2 \(code:Int\): 'x' is no Int$/
    )
    const [before] = await counts(graph)
    assert.isAbove(before!, 0)
    assert.match(
      await failing(imported(graph, written({ "copy.csv": readFileSync(path!) }), { shared: true })),
      /An import of .*v\.csv was interrupted \(of .* UTC, [\d,]+ vertices and 0 edges, are in the graph\): run that command/
    )
    writeFileSync(path!, readFileSync(path!, "utf8").replace("px,x", "px,1"))
    assert.match(
      await imported(graph, [path!], { shared: true }),
      /^Imported 20,001 vertices and 0 edges, of which [\d,]+ vertices and 0 edges before an interruption/
    )
    assert.deepEqual(await counts(graph), [20_001, 0])
    assert.match(await verifyGraph(graph, false, context()), /Nothing is wrong\.$/)
    await graph.close()
  })

  const long = "x".repeat(200_000)
  it.each([
    ["v.csv", (rows: number) => broken(rows).replace("px,x\n", ""), `px,${long}\n`, "px,1\n"],
    [
      "v.json",
      (rows: number) => Array.from({ length: rows }, (_, at) => `{"id":"é${at}","label":"v"}\n`).join(""),
      `{"label":"v","unknown":"${long}","id":"é1"}\n`,
      `{"label":"v","unknown":"${long}","id":"é"}\n`
    ]
  ])("resumes in %s when the corrected line had begun in the imported part", async (name, lines, wrong, right) => {
    const graph = await cellGraph(await lmdbStore({ sync: "none", directory: join(newFolder(), "db") }))
    const [path] = written({ [name]: `\ufeff${lines(8_000)}${wrong}` })
    // With a commit after each piece of a file, also in the middle of the wrong line.
    vi.spyOn(CellTarget.prototype, "full", "get").mockReturnValue(true)
    await failing(imported(graph, [path!], { shared: true }))
    assert.deepEqual(await counts(graph), [8_000, 0])
    writeFileSync(path!, `\ufeff${lines(8_000)}${right.replaceAll("x", "y")}`)
    assert.match(
      await imported(graph, [path!], { shared: true }),
      /^Imported 8,001 vertices .*, of which 8,000 vertices/
    )
    assert.deepEqual(await counts(graph), [8_001, 0])
    vi.restoreAllMocks()
    assert.match(await failing(imported(graph, [path!])), /is already in the graph/)
    await graph.close()
  })

  it.each([
    ["~from,~to\n", "p0,p1\n"],
    ["~from,~to,~label\n", `${"p0,p1,own\n".repeat(20_000)}p1,p2,edge\n`]
  ])("resumes with the label that its edges lacked: %j", async (header, edges) => {
    const graph = await cellGraph(await lmdbStore({ sync: "none", directory: join(newFolder(), "db") }))
    const paths = written({ "v.csv": vertices(10), "e.csv": `${header}${edges}` })
    const refused = /'edge': give a(nother)? label with --edge-label$/
    assert.match(await failing(imported(graph, paths, { shared: true })), refused)
    assert.match(await failing(imported(graph, paths, { shared: true, edgeLabel: "edge" })), refused)
    assert.match(
      await imported(graph, paths, { shared: true, edgeLabel: "to" }),
      /^Imported 10 vertices and [\d,]+ edges?, of which 10 vertices and [\d,]+ edges before an interruption/
    )
    assert.deepEqual(await counts(graph), [10, edges.split("\n").length - 1])
    await graph.close()
  })

  it("asks for the label that edges in the graph have got", async () => {
    const graph = await cellGraph(await lmdbStore({ sync: "none", directory: join(newFolder(), "db") }))
    const paths = written({ "v.csv": vertices(10), "e.csv": `~from,~to\n${"p0,p1\n".repeat(20_000)}p0,none\n` })
    const labelled = (edgeLabel: string | undefined) => imported(graph, paths, { shared: true, edgeLabel })
    assert.match(await failing(labelled("to")), /line 20002: .*none/)
    writeFileSync(paths[1]!, readFileSync(paths[1]!, "utf8").replace("none", "p1"))
    for (const other of [undefined, "other"]) {
      assert.match(
        await failing(labelled(other)),
        /was interrupted .*, are in the graph\)\. Its edges without a label have got the label 'to': give that label/
      )
    }
    assert.match(await labelled("to"), /^Imported 10 vertices and 20,001 edges, of which 10 vertices and [\d,]+ edges/)
    assert.deepEqual(await counts(graph), [10, 20_001])
    await graph.close()
  })

  it.each([
    ["over cells in memory", () => cellGraph(new MemoryCellStore())],
    ["whose store answers later", () => cellGraph(new MemoryCellStore({ answersLater: true }))]
  ])("never begins in a graph %s, in which it cannot resume, if edges have no label", async (_, open) => {
    const files = { "v.csv": vertices(10), "e.csv": "~from,~to\np0,p1\n", "x.json": '{"id":"x","label":"v"}\n' }
    const graph: GraphStore = await open()
    const paths = written(files)
    assert.match(await failing(imported(graph, paths, { shared: true })), /e\.csv: line 2: .*: give a label with/)
    assert.deepEqual(await counts(graph), [0, 0])
    await imported(graph, paths, { shared: true, edgeLabel: "to" })
    assert.deepEqual(await counts(graph), [11, 1])
    await graph.close()
  })

  it("resumes beside an empty file, also a compressed one", async () => {
    for (const empty of ["", gzipSync("")]) {
      const graph = await cellGraph(await lmdbStore({ sync: "none", directory: join(newFolder(), "db") }))
      const name = typeof empty === "string" ? "empty.json" : "empty.json.gz"
      const paths = written({ [name]: empty, "v.csv": broken(20_000) })
      await failing(imported(graph, paths, { shared: true }))
      writeFileSync(paths[1]!, readFileSync(paths[1]!, "utf8").replace("px,x", "px,1"))
      assert.match(
        await imported(graph, paths, { shared: true }),
        /^Imported 20,001 vertices and 0 edges, of which [\d,]+ vertices and 0 edges before an interruption/
      )
      assert.deepEqual(await counts(graph), [20_001, 0])
      await graph.close()
    }
  })

  it("starts from the beginning with --again, also without its file of ids", async () => {
    const directory = join(newFolder(), "db")
    const graph = await cellGraph(await lmdbStore({ sync: "none", directory }))
    const [path] = written({ "v.csv": broken(20_000) })
    await failing(imported(graph, [path!], { shared: true }))
    writeFileSync(path!, readFileSync(path!, "utf8").replace("px,x", "px,1"))
    for (const name of readdirSync(directory)) if (/^import-.*\.mdb/.test(name)) rmSync(join(directory, name))
    assert.match(
      await failing(imported(graph, [path!], { shared: true })),
      /its file .* is missing: remove the imported elements, or restore a backup, and give --again/
    )
    // One vertex remains: the graph is not empty, so it still knows the interrupted import.
    await runLater(graph, "g.V().has('code', neq(0)).drop()")
    assert.deepEqual(await counts(graph), [1, 0])
    assert.match(
      await imported(graph, [path!], { shared: true, again: true }),
      /^Imported 20,001 vertices and 0 edges \(/
    )
    assert.deepEqual(await counts(graph), [20_002, 0])
    await graph.close()
  })

  it("does not resume after one with --again that was stopped before its first commit", async () => {
    const directory = join(newFolder(), "db")
    const graph = await cellGraph(await lmdbStore({ sync: "none", directory }))
    const [path] = written({ "v.csv": broken(20_000) })
    await failing(imported(graph, [path!], { shared: true }))
    writeFileSync(path!, readFileSync(path!, "utf8").replace("px,x", "px,1"))
    // One vertex remains: the graph is not empty, so it still knows the interrupted import.
    await runLater(graph, "g.V().has('code', neq(0)).drop()")
    vi.spyOn(BulkLoader.prototype, "commit").mockRejectedValue(new Error("stopped"))
    assert.match(await failing(imported(graph, [path!], { shared: true, again: true })), /stopped/)
    vi.restoreAllMocks()
    assert.match(
      await failing(imported(graph, [path!], { shared: true })),
      /was interrupted .*, and cannot resume in this graph: remove the imported elements, and give --again/
    )
    assert.deepEqual(await counts(graph), [1, 0])
    await imported(graph, [path!], { shared: true, again: true })
    assert.deepEqual(await counts(graph), [20_002, 0])
    await graph.close()
  })

  it("does not resume with an empty file of ids", async () => {
    const directory = join(newFolder(), "db")
    const graph = await cellGraph(await lmdbStore({ sync: "none", directory }))
    const [path] = written({ "v.csv": broken(20_000) })
    await failing(imported(graph, [path!], { shared: true }))
    const before = await counts(graph)
    writeFileSync(path!, readFileSync(path!, "utf8").replace("px,x", "px,1"))
    const name = readdirSync(directory).find((file) => /^import-.*\.mdb$/.test(file))!
    rmSync(join(directory, name))
    rmSync(join(directory, `${name}-lock`), { force: true })
    await new IdFile(join(directory, name), () => true).close()
    assert.match(
      await failing(imported(graph, [path!], { shared: true })),
      /its file .* is empty: remove the imported elements, or restore a backup, and give --again/
    )
    assert.deepEqual(await counts(graph), before)
    await graph.close()
  })

  it("resumes without --again beside an earlier import of the same contents", async () => {
    const directory = join(newFolder(), "db")
    const graph = await cellGraph(await lmdbStore({ sync: "none", directory }))
    const [first] = written({ "first.csv": vertices(20_000) })
    await imported(graph, [first!], { shared: true })
    const [path, copy] = written({ "v.csv": broken(20_000).replaceAll("\np", "\nq"), "copy.csv": vertices(20_000) })
    await failing(imported(graph, [copy!, path!], { shared: true, again: true }))
    writeFileSync(path!, readFileSync(path!, "utf8").replace("qx,x", "qx,1"))
    assert.match(await imported(graph, [copy!, path!], { shared: true }), /before an interruption/)
    assert.deepEqual(await counts(graph), [60_001, 0])
    await graph.close()
  })

  it("does not resume in a file whose imported part was changed", async () => {
    const directory = join(newFolder(), "db")
    const graph = await cellGraph(await lmdbStore({ sync: "none", directory }))
    const [path] = written({ "v.csv": broken(20_000) })
    await failing(imported(graph, [path!], { shared: true }))
    const [before] = await counts(graph)
    writeFileSync(path!, readFileSync(path!, "utf8").replace("px,x", "px,1").replace("p7,7", "p7,8"))
    assert.match(
      await failing(imported(graph, [path!], { shared: true })),
      /v\.csv was changed since its import was interrupted .* remove the imported elements, or restore a backup, and give --again/
    )
    assert.deepEqual(await counts(graph), [before, 0])
    await imported(graph, [path!], { shared: true, again: true })
    assert.deepEqual(await counts(graph), [before! + 20_001, 0])
    await graph.close()
  })

  it.each([
    ["in memory", () => Promise.resolve(new MemoryGraph(tinkerGraph("test")))],
    ["over cells in memory", () => cellGraph(new MemoryCellStore())]
  ])("is reported in a graph %s, in which it cannot resume", async (_, open) => {
    const graph: GraphStore = await open()
    const [path] = written({ "v.csv": broken(20_000) })
    await failing(imported(graph, [path!], { shared: true }))
    const [before] = await counts(graph)
    assert.isAbove(before!, 0)
    assert.match(
      await failing(imported(graph, [path!], { shared: true })),
      /An import of these files was interrupted \(of .* UTC, [\d,]+ vertices and 0 edges, are in the graph\), and cannot resume/
    )
    assert.deepEqual(await counts(graph), [before, 0])
  })

  it("that only changes vertices starts from the beginning by itself, and has the same result", async () => {
    for (const [, open] of graphs) {
      const graph = await open()
      await runLater(graph, "g.addV('vertex').property('uid', 'p7').property('code', 1)")
      const [path] = written({ "v.csv": broken(5_000) })
      const upsert = { idProperty: "uid", upsert: true, shared: true }
      await failing(imported(graph, [path!], upsert))
      writeFileSync(path!, readFileSync(path!, "utf8").replace("px,x", "px,1"))
      assert.match(await imported(graph, [path!], upsert), /^Imported 5,001 vertices and 0 edges \(/)
      assert.deepEqual(await counts(graph), [5_001, 0])
    }
  })

  it("with --upsert and edges does not advise to remove what was there before", async () => {
    const graph = new MemoryGraph(tinkerGraph("test"))
    const paths = written({
      "v.csv": vertices(5_000),
      "e.csv": `~from,~to,~label\n${"p0,p1,knows\n".repeat(5_000)}p0,px,knows\n`
    })
    const upsert = { idProperty: "uid", upsert: true, shared: true }
    await failing(imported(graph, paths, upsert))
    const problem = await failing(imported(graph, paths, upsert))
    assert.match(
      problem,
      /With --again the import changes the vertices once more, and adds all edges again: remove those/
    )
    assert.notMatch(problem, /remove the imported elements/)
  })
})
