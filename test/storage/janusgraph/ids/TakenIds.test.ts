import { afterEach, describe, expect, it, vi } from "vitest"
import { verifyGraph } from "../../../../src/layers/tools/Verification.ts"
import { nextTurn } from "../../../../src/scheduling/NextTurn.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import type { CellStore } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import type { CellGraphOptions } from "../../../../src/storage/janusgraph/Options.ts"
import { newFolder } from "../../../Folders.ts"
import { context, imported, written } from "../../../layers/tools/Graphs.ts"
import { runLater } from "../../../process/run.ts"
import { lmdbStore } from "../../lmdb/Stores.ts"
import { cellGraph } from "../Graphs.ts"

afterEach(() => void vi.restoreAllMocks())

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

/** Counts the rows that scans return, in all and at most in one turn of the event loop. */
const countingRows = (cells: CellStore): { readonly all: number; readonly most: number } => {
  const counts = { all: 0, most: 0 }
  let ofTurn = 0
  const snapshot = cells.snapshot.bind(cells)
  cells.snapshot = () => {
    const opened = snapshot()
    const scanFrom = opened.scanFrom.bind(opened)
    opened.scanFrom = (table, after) => {
      const scan = scanFrom(table, after)
      const next = (rows: number) => {
        const found = scan.next(rows)
        if (ofTurn === 0) setImmediate(() => (ofTurn = 0))
        ofTurn += found.length
        counts.all += found.length
        counts.most = Math.max(counts.most, ofTurn)
        return found
      }
      return { next, fetch: async (rows) => next(rows) }
    }
    return opened
  }
  return counts
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

  it("finds a chosen id in the rest of a block whose beginning is free", async () => {
    const directory = await chosen([700 * 256])
    const graph = await opened(directory, { idBlockSize: 10_000 })
    for (const times of [1, 600, 2400]) {
      const script = `g.inject(1).repeat(__.addV('person').property('code', 'new')).times(${times}).none()`
      await runLater(graph, script)
    }
    await expectNew(graph, 1, 3001)
    await graph.close()
  })

  it("looks at few rows of static vertices in a turn of the event loop", async () => {
    const directory = newFolder()
    const before = await opened(directory, { idBlockSize: 10_000 })
    const editor = await before.management.edit()
    editor.makeVertexLabel("fixed", true, false)
    await before.management.commit(editor)
    await runLater(before, "g.inject(1).repeat(__.addV('fixed')).times(1000).none()")
    await before.close()
    const cells = await lmdbStore({ directory, sync: "none" })
    const graph = await cellGraph(cells, { idBlockSize: 10_000 })
    const counts = countingRows(cells)
    let now = 0
    vi.spyOn(performance, "now").mockImplementation(() => ++now)
    expect(await runLater(graph, "g.addV('person').id()")).toEqual([256n])
    for (let turns = 0; turns < 100 && counts.all < 1000; turns++) await nextTurn()
    vi.restoreAllMocks()
    expect(counts.all).toBeGreaterThanOrEqual(1000)
    expect(counts.most).toBeLessThan(500)
    await graph.close()
  })
})
