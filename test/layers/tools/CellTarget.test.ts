import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { CellTarget } from "../../../src/layers/tools/CellTarget.ts"
import { verifyGraph } from "../../../src/layers/tools/Verification.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { BulkLoader } from "../../../src/storage/janusgraph/maintenance/bulk/BulkLoader.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { newFolder } from "../../Folders.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { context, imported, written } from "./Graphs.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

const files = () => {
  const rows = (count: number, row: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => row(at)).join("")
  return written({
    "v.csv": `~id,~label,code:String\n${rows(3000, (at) => `p${at},person,k${at}\n`)}`,
    "w.csv": `~id,~label,code:String\n${rows(20, (at) => `f${at},fixed,c${at}\n`)}`,
    "e.csv": `~from,~to,~label\n${rows(4000, (at) => `p${at % 3000},p${(at * 7) % 3000},knows\n`)}`
  })
}

/** Another client makes the vertex label `fixed` static, before the import has a vertex of it. */
const makeStatic = async (graph: CellGraph): Promise<void> => {
  const editor = await graph.management.edit()
  editor.makeVertexLabel("fixed", true, false)
  await graph.management.commit(editor)
}

/** Calls `before` before one of the commits of imports. */
const beforeCommit = (number: number, before: () => Promise<void>) => {
  // With a commit after each piece of a file.
  vi.spyOn(CellTarget.prototype, "full", "get").mockReturnValue(true)
  const { commit } = BulkLoader.prototype
  let calls = 0
  return vi.spyOn(BulkLoader.prototype, "commit").mockImplementation(async function (this: BulkLoader, note) {
    if (++calls === number) await before()
    return commit.call(this, note)
  })
}

const expectAll = async (graph: CellGraph): Promise<void> => {
  const ask = (script: string) => runLater(graph, script, { as: text })
  expect(await ask("g.V().hasLabel('person').count()")).toEqual(["3000"])
  expect(await ask("g.V().hasLabel('fixed').count()")).toEqual(["20"])
  expect(await ask("g.E().count()")).toEqual(["4000"])
  // The rows repeat after 3,000 edges.
  expect(await ask("g.V().has('code', 'k7').out('knows').values('code')")).toEqual(["k49", "k49"])
  // JanusGraph knows a static vertex by the kind of its id.
  const ids = await ask("g.V().hasLabel('fixed').id()")
  expect(new Set(ids.map((id) => Number(id) % 8))).toEqual(new Set([4]))
  expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
}

describe("An import into a graph whose schema gets a static label meanwhile", () => {
  it("keeps the rule, and adds each element once", async () => {
    const graph = await cellGraph(await lmdbStore({ sync: "none" }))
    const paths = files()
    const commits = beforeCommit(2, () => makeStatic(graph))
    expect(await imported(graph, paths, { shared: true })).toMatch(/^Imported 3,020 vertices and 4,000 edges/)
    // The second commit wrote nothing, and transactions went on.
    expect(commits).toHaveBeenCalledTimes(2)
    await expectAll(graph)
    await expect(imported(graph, paths, { shared: true })).rejects.toThrow("is already in the graph")
    await graph.close()
  })

  it("keeps it also when only the end of the import is to be recorded", async () => {
    const graph = await cellGraph(await lmdbStore({ sync: "none" }))
    const paths = written({ "v.csv": "~id,~label\na,person\nb,person\n" })
    beforeCommit(2, () => makeStatic(graph))
    expect(await imported(graph, paths, { shared: true })).toMatch(/^Imported 2 vertices/)
    await expect(imported(graph, paths, { shared: true })).rejects.toThrow("is already in the graph")
    await graph.close()
  })

  it("keeps it when it was interrupted before, and adds nothing twice", async () => {
    const directory = join(newFolder(), "db")
    const open = async () => cellGraph(await lmdbStore({ sync: "none", directory }))
    const paths = files()
    let graph = await open()
    beforeCommit(2, () => Promise.reject(new Error("The process ends here.")))
    await expect(imported(graph, paths, { shared: true })).rejects.toThrow("The process ends here")
    await graph.close()
    vi.restoreAllMocks()
    graph = await open()
    await makeStatic(graph)
    expect(await imported(graph, paths, { shared: true })).toMatch(/^Imported 3,020 vertices and 4,000 edges, of which/)
    await expectAll(graph)
    await graph.close()
  })
})

it("An interrupted import keeps the constraints of a graph that has them since", async () => {
  const directory = join(newFolder(), "db")
  const store = () => lmdbStore({ sync: "none", directory })
  const header = "~id,~label,code:String"
  const paths = written({ "v.csv": `${header}\na,person,1\n`, "w.csv": `${header}\nb,person,2\n` })
  let graph = await cellGraph(await store())
  beforeCommit(2, () => Promise.reject(new Error("The process ends here.")))
  await expect(imported(graph, paths, { shared: true })).rejects.toThrow("The process ends here")
  await graph.close()
  vi.restoreAllMocks()
  graph = await cellGraph(await store(), { constraints: true, schemaMaker: "none" })
  const resumed = imported(graph, paths, { shared: true })
  await expect(resumed).rejects.toThrow("Property Key constraint does not exist for given Vertex Label [person]")
  await graph.close()
})

describe("An import of several GraphSON files that was interrupted after the edges of the first", () => {
  const listed = '{"id":9,"outV":1,"inV":2}'
  const out = `{"id":1,"label":"v","outE":{"knows":[${listed}]}}\n`
  const into = `{"id":2,"label":"v","inE":{"knows":[${listed}]}}\n`
  const resumed = async (contents: Readonly<Record<string, string>>): Promise<string> => {
    const graph = await cellGraph(await lmdbStore({ sync: "none", directory: join(newFolder(), "db") }))
    const paths = written(contents)
    // Two commits of each step: the vertices and the edges of two files. The ninth is the end of the import.
    beforeCommit(9, () => Promise.reject(new Error("The process ends here.")))
    await expect(imported(graph, paths, { shared: true })).rejects.toThrow("The process ends here")
    vi.restoreAllMocks()
    const summary = await imported(graph, paths, { shared: true })
    await graph.close()
    return summary
  }

  it("does not say that edges of the second file are left out", async () => {
    expect(await resumed({ "a.json": out, "b.json": into })).toMatch(
      /^Imported 2 vertices and 1 edge, of which 2 vertices and 1 edge before an interruption \([^)]*\)\.$/
    )
  })

  it("says which edges of the first file are left out", async () => {
    expect(await resumed({ "a.json": into, "b.json": '{"id":1,"label":"v"}\n' })).toMatch(
      / WARNING: 1 edge left out, .* under inE \(.*a\.json: line 1\) than under outE/
    )
  })
})

describe("An import beside other requests", () => {
  /** The number of commits of an import, of which other work interrupts each for so many milliseconds. */
  const commitsWith = async (pausedMs: number): Promise<number> => {
    const graph = await cellGraph(await lmdbStore({ sync: "none" }))
    const edges = Array.from({ length: 20_000 }, (_, at) => `p${at % 100},p${at % 99},knows\n`)
    const vertices = Array.from({ length: 100 }, (_, at) => `p${at},person\n`)
    const paths = written({
      "v.csv": `~id,~label\n${vertices.join("")}`,
      "e.csv": `~from,~to,~label\n${edges.join("")}`
    })
    vi.spyOn(BulkLoader.prototype, "pausedMs", "get").mockReturnValue(pausedMs)
    const commits = vi.spyOn(BulkLoader.prototype, "commit")
    expect(await imported(graph, paths, { shared: true })).toMatch(/^Imported 100 vertices and 20,000 edges/)
    const { length } = commits.mock.calls
    vi.restoreAllMocks()
    await graph.close()
    return length
  }

  it("makes smaller commits while they interrupt its commits for long, because other commits wait", async () => {
    expect(await commitsWith(100)).toBeGreaterThan(2 * (await commitsWith(0)))
  })
})
