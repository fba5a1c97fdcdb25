import { beforeEach, describe, expect, it } from "vitest"
import { verifyGraph } from "../../../src/layers/tools/Verification.ts"
import type { Pending } from "../../../src/scheduling/Pending.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { CellBatch } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { blockSize, type IdKind } from "../../../src/storage/janusgraph/format/IdBlocks.ts"
import type { IdBlock, IdSource } from "../../../src/storage/janusgraph/ids/IdSource.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { CommitOutcomeUnknown, StorageUnavailable } from "../../../src/structure/errors/StoreErrors.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { context, imported, written } from "./Graphs.ts"

/** Vertices of a file, and edges of each to the next two. */
const VERTICES = 2200
const DEGREE = 2
/** Ids of a claim. */
const BLOCK_IDS = 500

const rows = (count: number, row: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => row(at)).join("")

const files = () => ({
  "v.csv": `~id,~label,code:Int,name\n${rows(VERTICES, (at) => `v${at},person,${at},n${at % 10}\n`)}`,
  "e.csv": `~from,~to,~label,since:Int\n${rows(VERTICES * DEGREE, (at) => {
    const from = Math.floor(at / DEGREE)
    return `v${from},v${(from + (at % DEGREE) + 1) % VERTICES},knows,${at % 7}\n`
  })}`
})

/** A store whose commits of elements are written and then fail, if `fails` is "rows", or whose entries of indexes are refused. */
class FailingStore extends MemoryCellStore {
  fails: "rows" | "entries" | undefined
  readonly transactionLogs = { hasAll: false }

  override commit(work: (batch: CellBatch) => void): Pending {
    let hasRows = false
    const watched = (batch: CellBatch): void =>
      work({
        ...batch,
        changeRows: (table, rows) => {
          hasRows = true
          batch.changeRows(table, rows)
        }
      })
    const answer = super.commit(watched)
    const failed = () => (hasRows && this.fails === "rows" ? new CommitOutcomeUnknown("no answer.") : undefined)
    return { onDone: (resume) => answer.onDone((error) => resume(error ?? failed())) }
  }

  override commitLong(work: (batch: CellBatch) => Iterator<unknown>): Pending {
    if (this.fails !== "entries") return super.commitLong(work)
    return { onDone: (resume) => resume(new StorageUnavailable("no node answers.")) }
  }
}

/** A store whose next claim of ids of vertices waits for `wait`, if it is set. */
class WaitingStore extends MemoryCellStore {
  wait: (() => Promise<void>) | undefined
  readonly #ends = new Map<IdKind, number>()
  readonly idSource: IdSource = {
    size: (kind) => blockSize(kind, BLOCK_IDS),
    claim: async (kind): Promise<IdBlock> => {
      const { wait } = this
      if (kind === "vertex" && wait !== undefined) {
        this.wait = undefined
        await wait()
      }
      const first = this.#ends.get(kind) ?? 1
      const count = blockSize(kind, BLOCK_IDS)
      this.#ends.set(kind, first + count)
      return { first, step: 1, count, partition: 0 }
    }
  }
}

describe("An import into a store that answers later", () => {
  let graph: CellGraph
  const run = (script: string) => runLater(graph, script, { as: text })

  beforeEach(async () => {
    graph = await cellGraph(new MemoryCellStore({ answersLater: true }))
  })

  it("has all elements with their index entries, and both halves of each edge", async () => {
    await graph.management.createIndex("name", "vertex")
    await imported(graph, written(files()))
    expect(await run("g.V().has('person', 'name', 'n3').count()")).toEqual(["220"])
    expect(
      await run("g.V().has('name', 'n9').order().by('code', desc).limit(1).out('knows').values('code').order()")
    ).toEqual(["0", "1"])
    expect(
      await run("g.V().has('name', 'n0').order().by('code').limit(1).inE('knows').values('since').order()")
    ).toEqual([(VERTICES - 2) * DEGREE + 1, (VERTICES - 1) * DEGREE].map((at) => String(at % 7)).sort())
    expect(await run("g.V().outE().count()")).toEqual([String(VERTICES * DEGREE)])
    expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
    await graph.close()
  })

  it("says what is known, and keeps it in the graph, when it fails in the middle of a commit", async () => {
    const store = new FailingStore({ answersLater: true })
    graph = await cellGraph(store)
    await graph.management.createIndex("name", "vertex")
    await imported(graph, written({ "first.csv": "~id,~label,code:Int,name\nx,person,1,n1\n" }))
    for (const [fails, reason] of [
      ["rows", "no answer."],
      ["entries", "the elements were written, but not their index entries. no node answers."]
    ] as const) {
      const paths = written(files())
      store.fails = fails
      const failed = await imported(graph, paths, { again: true }).catch((error: Error) => error.message)
      store.fails = undefined
      expect(failed).toContain(`It is not known whether the commit was applied: ${reason}`)
      expect(failed).toMatch(/had added 0 vertices and 0 edges before\. The commit has 2,000 vertices and 0 edges\.$/)
      await expect(imported(graph, paths)).rejects.toThrow(
        "0 vertices and 0 edges, are in the graph; none, a part or all of 2,000 vertices and 0 edges more may be), and cannot resume"
      )
    }
    await graph.close()
  })

  it("has transactions when a log has all of them", async () => {
    const store = new FailingStore({ answersLater: true })
    graph = await cellGraph(store)
    store.transactionLogs.hasAll = true
    // A commit without a transaction would fail.
    store.fails = "rows"
    await imported(graph, written({ "v.csv": "~id,~label\nx,person\ny,person\n" }))
    await imported(graph, written({ "w.csv": "~id,~label\nz,person\n" }))
    expect(await run("g.V().count()")).toEqual(["3"])
    await graph.close()
  })

  it("checks values of an index that becomes unique while it waits for ids", async () => {
    const store = new WaitingStore({ answersLater: true })
    graph = await cellGraph(store)
    await run("g.addV('person').property('uid', 7)")
    let hasWaited = false
    store.wait = async () => {
      await graph.management.createIndex("uid", "vertex", { unique: true })
      hasWaited = true
    }
    const more = rows(2000, (at) => `v${at},person,${at === 3 ? 7 : 100 + at}\n`)
    await expect(imported(graph, written({ "w.csv": `~id,~label,uid:Int\n${more}` }))).rejects.toThrow(/w\.csv: line 5/)
    expect(hasWaited).toBe(true)
    expect(await run("g.V().has('uid', 7).count()")).toEqual(["1"])
    expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
    await graph.close()
  })

  it("names the line of an element that the schema refuses, and keeps those before it", async () => {
    const bad = `~id,~label,code:Int\n${rows(2100, (at) => `v${at},person,${at}\n`)}`
    await imported(graph, written({ "v.csv": bad }))
    const refused = `~id,~label,code\n${rows(50, (at) => `w${at},person,${at === 30 ? "many" : at}\n`)}`
    await expect(imported(graph, written({ "w.csv": refused }))).rejects.toThrow(/w\.csv: line/)
    await graph.close()
  })

  it("checks what commits check: unique values and multiplicities", async () => {
    const editor = await graph.management.edit()
    const uid = editor.makeKey("uid", dataTypeOf("Integer"), "SINGLE")
    editor.makeLabel("boss", "MANY2ONE", false, [])
    editor.makeIndex({ name: "byUid", element: "vertex", kind: "equality", unique: true, keys: [uid] })
    await graph.management.commit(editor)
    const people = `~id,~label,uid:Int\n${rows(100, (at) => `v${at},person,${at}\n`)}`
    await imported(graph, written({ "v.csv": people }), { idProperty: "ext" })
    await expect(imported(graph, written({ "w.csv": "~id,~label,uid:Int\nx,person,7\n" }))).rejects.toThrow(/line 2/)
    const bosses = "~from,~to,~label\nv1,v2,boss\nv1,v3,boss\n"
    await expect(imported(graph, written({ "e.csv": bosses }), { idProperty: "ext" })).rejects.toThrow(/e\.csv: line 3/)
    await graph.close()
  })
})
