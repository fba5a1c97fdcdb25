import { describe, expect, it } from "vitest"
import { verifyGraph } from "../../../../src/layers/tools/Verification.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import type { CellGraphOptions } from "../../../../src/storage/janusgraph/Options.ts"
import { newFolder } from "../../../Folders.ts"
import { context, imported, written } from "../../../layers/tools/Graphs.ts"
import { runLater } from "../../../process/run.ts"
import { lmdbStore } from "../../lmdb/Stores.ts"
import { cellGraph } from "../Graphs.ts"

const opened = async (directory: string, options: Partial<CellGraphOptions> = {}): Promise<CellGraph> =>
  cellGraph(await lmdbStore({ directory, sync: "none" }), { idBlockSize: 100, ...options })

/** A closed graph on disk whose clients have chosen these ids. Returns its folder. */
const chosen = async (ids: ReadonlyArray<number>, options: Partial<CellGraphOptions> = {}): Promise<string> => {
  const directory = newFolder()
  const graph = await opened(directory, { userVertexIds: true, ...options })
  const rows = ids.map((id) => `${id},person,chosen\n`).join("")
  await imported(graph, written({ "v.csv": `~id,~label,code:String\n${rows}` }))
  await graph.close()
  return directory
}

const ids = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, at) => (at + 1) * 256)

const expectNew = async (graph: CellGraph, before: number, added: number): Promise<void> => {
  expect(await runLater(graph, "g.V().count()")).toEqual([BigInt(before + added)])
  expect(await runLater(graph, "g.V().has('code', 'chosen').count()")).toEqual([BigInt(before)])
  expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
}

describe("A graph on disk whose clients have chosen the ids of its vertices, and that gives ids now", () => {
  it("gives none that a vertex has, to a client", async () => {
    const graph = await opened(await chosen(ids(250)))
    await runLater(graph, "g.addV('person').property('code', 'new').iterate()")
    await expectNew(graph, 250, 1)
    await graph.close()
  })

  it.each([{ shared: false }, { shared: true }])("gives none that a vertex has, to an import (%o)", async (how) => {
    const graph = await opened(await chosen(ids(50)))
    const rows = Array.from({ length: 120 }, (_, at) => `n${at},person,new\n`).join("")
    await imported(graph, written({ "n.csv": `~id,~label,code:String\n${rows}` }), how)
    await expectNew(graph, 50, 120)
    await graph.close()
  })

  it("finds free ids beyond many, and skips a distant one when it meets it", async () => {
    const directory = await chosen([...ids(5000), 7000 * 256, 2 ** 52])
    for (let start = 0; start < 3; start++) {
      const graph = await opened(directory)
      const script = "g.inject(1).repeat(__.addV('person').property('code', 'new')).times(800).none()"
      await runLater(graph, script)
      await expectNew(graph, 5002, (start + 1) * 800)
      await graph.close()
    }
  })

  it("is not hindered by text ids, types and static vertices", async () => {
    const directory = newFolder()
    const texts = await opened(directory, { userVertexIds: true, textVertexIds: true })
    await runLater(texts, "g.addV('person').property(id, 'marko').addV('person').property(id, 'abcdefghijk').iterate()")
    const editor = await texts.management.edit()
    editor.makeVertexLabel("fixed", true, false)
    await texts.management.commit(editor)
    await texts.close()
    const graph = await opened(directory)
    await runLater(graph, "g.addV('fixed').iterate()")
    expect(await runLater(graph, "g.addV('person').id()")).toEqual([256n])
    await graph.close()
  })
})
