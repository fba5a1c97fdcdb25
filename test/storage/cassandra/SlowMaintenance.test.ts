import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { sliceOf } from "../../../src/storage/janusgraph/cells/Slices.ts"
import { nameRow } from "../../../src/storage/janusgraph/commit/SchemaCommit.ts"
import { rowKey } from "../../../src/storage/janusgraph/format/RowKeys.ts"
import { repairAll } from "../../../src/storage/janusgraph/maintenance/verify/Repair.ts"
import { commitLater } from "../../../src/storage/janusgraph/management/IndexBuild.ts"
import { type IndexEvents, noEvents } from "../../../src/storage/janusgraph/management/IndexJobs.ts"
import { removeIndexEntries } from "../../../src/storage/janusgraph/management/IndexRemoval.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { defaultCellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import { categoryRow, schemaRowQuery } from "../../../src/storage/janusgraph/schema/SchemaRead.ts"
import { listedCategories } from "../../../src/storage/janusgraph/schema/SchemaVertex.ts"
import { CommitOutcomeUnknown, FailedAfterCommit, UnsupportedValue } from "../../../src/structure/errors/StoreErrors.ts"
import { patience } from "../../Limits.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"
import { findingsOf } from "./Findings.ts"

const late = (): Error => Object.assign(new Error("no answer"), { name: "OperationTimedOutError" })

describe("Over a cluster that once does not answer in time", () => {
  let cluster: FakeCluster
  let graph: CellGraph

  beforeEach(async () => {
    cluster = new FakeCluster()
    graph = await cellGraph(await cluster.store())
    onTestFinished(() => graph.close())
    const editor = await graph.management.edit()
    editor.makeKey("name", dataTypeOf("String"), "SINGLE")
    editor.makeKey("since", dataTypeOf("Integer"), "SINGLE")
    editor.makeLabel("knows", "MULTI", false, [])
    await graph.management.commit(editor)
    await runLater(graph, "g.addV().property('name', 'a').addE('knows').property('since', 1).to(__.addV())")
  })

  /** Fails the next statement that is like this. */
  const failOnce = (pattern: RegExp): (() => boolean) => {
    let isOver = false
    cluster.weather = async (text) => {
      if (isOver || !pattern.test(text)) return
      isOver = true
      throw late()
    }
    return () => isOver
  }

  /** Begins to build an index. */
  const begin = async (name = "byName", unique = false, where = graph): Promise<void> => {
    const editor = await where.management.edit()
    editor.makeIndex({ name, element: "vertex", kind: "equality", unique, keys: [editor.key("name")!] })
    await where.management.commit(editor)
  }

  const build = async (): Promise<void> => {
    await begin()
    await graph.management.built("byName")
  }

  const indexOf = (name: string) => graph.core.schema.indexes.find((index) => index.name === name)

  it.for([
    ["an entry is written", /INSERT .*"graphindex"/],
    ["vertices are read", /SELECT key, column1, value FROM .*"edgestore".* PER PARTITION LIMIT/]
  ] as const)("an index is built when %s", async ([, pattern]) => {
    await begin()
    const hasFailed = failOnce(pattern)
    await graph.management.built("byName")
    expect(hasFailed()).toBe(true)
    expect(indexOf("byName")?.status).toBe("ENABLED")
    expect(await runLater(graph, "g.V().has('name', 'a').count()")).toEqual([1n])
    expect(await findingsOf(graph)).toEqual([])
  })

  it("the entries of an index are removed", async () => {
    await build()
    const { id } = indexOf("byName")!
    const hasFailed = failOnce(/DELETE FROM .*"graphindex"/)
    await graph.management.drop(id)
    expect(hasFailed()).toBe(true)
    expect(indexOf("byName")).toBeUndefined()
  })

  it("the copies of a vertex-centric index are made and removed", async () => {
    const editor = await graph.management.edit()
    editor.makeRelationIndex(editor.label("knows")!, "bySince", "BOTH", false, [editor.key("since")!])
    await graph.management.commit(editor)
    const hasFailed = failOnce(/INSERT .*"edgestore"/)
    const { type } = graph.core.schema.relationIndexes[0]!
    await graph.management.done(type.id)
    expect(hasFailed()).toBe(true)
    expect(await findingsOf(graph)).toEqual([])
    const removesLate = failOnce(/DELETE FROM .*"edgestore"/)
    await removeIndexEntries(graph.core, type.id)
    expect(removesLate()).toBe(true)
  })

  /** True for the statement that removes the row, or the only cell of a row, with this key. */
  const removes = (text: string, parameters: ReadonlyArray<unknown> = [], part: string, key: Uint8Array): boolean =>
    text.startsWith("DELETE") &&
    parameters.some((each) => Buffer.isBuffer(each) && each.equals(key)) &&
    (part !== "row" || !text.includes("column1"))

  const [, graphIndexes] = listedCategories.find(([category]) => category === "GRAPHINDEX")!

  // A name that was not removed would be taken for ever if no list had the index.
  it.for(["name", "list", "row"] as const)(
    "an index whose removal ends before that of its %s can be made again",
    async (part) => {
      await build()
      const { id } = indexOf("byName")!
      const keys = { name: nameRow("GRAPHINDEX", "byName"), list: categoryRow(graphIndexes), row: rowKey(id, 0) }
      cluster.weather = async (text, parameters) => {
        if (removes(text, parameters, part, keys[part])) throw Object.assign(new Error("no"), { code: 0x2100 })
      }
      await expect(graph.management.drop(id)).rejects.toThrow(CommitOutcomeUnknown)
      cluster.weather = async () => undefined
      await graph.close()
      const again = await cellGraph(await cluster.store())
      onTestFinished(() => again.close())
      if (part !== "row") {
        expect(again.core.schema.indexes.map(({ status }) => status)).toEqual(["DISCARDED"])
        await again.management.drop(id)
      }
      await begin("byName", false, again)
      await again.management.built("byName")
      expect(again.core.schema.indexes.map(({ status }) => status)).toEqual(["ENABLED"])
    }
  )

  // Rows are removed last. A server that reads the schema before that does not find the definition.
  it.for(["name", "row"] as const)(
    "the definition of an index is removed when the removal of its %s is late",
    async (part) => {
      await build()
      const { id } = indexOf("byName")!
      const name = nameRow("GRAPHINDEX", "byName")
      const key = part === "name" ? name : rowKey(id, 0)
      const other = await cellGraph(await cluster.store({}, undefined, { newsInterval: 20 }))
      onTestFinished(() => other.close())
      let isOver = false
      cluster.weather = async (text, parameters) => {
        if (isOver || !removes(text, parameters, part, key)) return
        isOver = true
        throw late()
      }
      await graph.management.drop(id)
      expect(isOver).toBe(true)
      const snapshot = graph.core.cells.snapshot()
      const pages = await snapshot.fetch([schemaRowQuery(id), sliceOf("graphindex", name)], true)
      snapshot.close()
      expect(pages.map(({ cells }) => cells.isEmpty)).toEqual([true, true])
      await expect.poll(async () => (await other.management.schema()).indexes, { timeout: 2000 * patience }).toEqual([])
    }
  )

  it("an index is built when the schema is read late after it was enabled", async () => {
    const repeated: Array<unknown> = []
    graph.core.onRepetition = (error) => repeated.push(error)
    await begin()
    let isEnabled = false
    cluster.weather = async (text) => {
      // The status is replaced, then the lists of types are read.
      if (/^DELETE .*"edgestore"/.test(text)) isEnabled = true
      else if (isEnabled && /^SELECT .*"graphindex"/.test(text)) {
        cluster.weather = async () => undefined
        throw late()
      }
    }
    await graph.management.built("byName")
    expect(repeated).toEqual([expect.any(FailedAfterCommit)])
    expect(indexOf("byName")?.status).toBe("ENABLED")
  })

  describe("beside another server", () => {
    beforeEach(async () => {
      await build()
      const other = await cellGraph(await cluster.store({}, undefined, { newsInterval: 20 }))
      onTestFinished(() => other.close())
    })

    /** Fails the announcement with this number once. Returns how many were tried, and how often a step was repeated. */
    const failAnnouncement = (number: number): { announced: number; repeated: number } => {
      const seen = { announced: 0, repeated: 0 }
      graph.core.onRepetition = () => seen.repeated++
      cluster.weather = async (text, parameters = []) => {
        // The other server writes its acknowledgements to the same table: they begin with the number 1.
        if (!/INSERT .*systemlog/.test(text) || (parameters[2] as Buffer)[0] !== 0x80) return
        if (++seen.announced === number) throw late()
      }
      return seen
    }

    it.for([
      ["discarded", 1],
      ["removed", 2]
    ] as const)("an index is removed when the news that it is %s is late", async ([, number]) => {
      const seen = failAnnouncement(number)
      await graph.management.drop(indexOf("byName")!.id)
      expect(seen).toEqual({ announced: 3, repeated: 1 })
      expect(indexOf("byName")).toBeUndefined()
    })

    it.for([
      ["disabled", 1],
      ["registered", 2],
      ["enabled", 3]
    ] as const)("a disabled index is built when the news that it is %s is late", async ([, number]) => {
      const { id } = indexOf("byName")!
      await graph.management.setStatus(id, "DISABLED")
      const seen = failAnnouncement(number)
      await graph.management.rebuild(id)
      expect(seen).toEqual({ announced: 4, repeated: 1 })
      expect(indexOf("byName")?.status).toBe("ENABLED")
    })

    it("an index that the values do not allow is removed when the news that it is discarded is late", async () => {
      await runLater(graph, "g.addV().property('name', 'a')")
      await begin("unique", true)
      const seen = failAnnouncement(1)
      await expect(graph.management.built("unique")).rejects.toThrow(UnsupportedValue)
      expect(seen).toEqual({ announced: 3, repeated: 1 })
      expect(indexOf("unique")).toBeUndefined()
    })
  })

  /** Begins a build by a server with these events, whose writes of entries fail with an error. */
  const failing = async (error: () => Error, events: Partial<IndexEvents>): Promise<CellGraph> => {
    await graph.close()
    const options = { ...defaultCellGraphOptions, name: "test" }
    const server = await openCellGraph(await cluster.store(), options, "a-server", {
      ...noEvents,
      ...events
    })
    onTestFinished(() => server.close())
    const editor = await server.management.edit()
    const keys = [editor.key("name")!]
    editor.makeIndex({ name: "byName", element: "vertex", kind: "equality", unique: false, keys })
    await server.management.commit(editor)
    cluster.weather = async (text) => {
      if (/INSERT .*"graphindex"/.test(text)) throw error()
    }
    return server
  }

  it("a build that the cluster refuses fails at once, without a repetition", async () => {
    const reported: Array<unknown> = []
    const refused = (): Error => Object.assign(new Error("no MODIFY permission"), { code: 0x2100 })
    const server = await failing(refused, { repeating: (error) => reported.push(error) })
    await expect(server.management.built("byName")).rejects.toThrow("no MODIFY permission")
    expect(reported).toEqual([])
  })

  it("a build that waits for the cluster ends when the graph is closed, and reports no failure", async () => {
    const failed: Array<unknown> = []
    let repeated: (error: unknown) => void = () => undefined
    const repetition = new Promise((resolve) => {
      repeated = resolve
    })
    const server = await failing(late, { repeating: repeated, failed: (_, error) => failed.push(error) })
    expect(await repetition).toHaveProperty("message", expect.stringContaining("a node did not answer in time"))
    const built = server.management.built("byName")
    await server.close()
    await expect(built).rejects.toThrow("is closed")
    expect(failed).toEqual([])
  })

  const key = Buffer.from("8".padStart(16, "0"), "hex")
  const column = Buffer.from([9])
  const cell = { table: "edgestore", key, column } as const
  const finding = { kind: "a test", where: "", seen: [{ ...cell, value: null }], repair: [{ ...cell, value: column }] }

  it("cells are repaired", async () => {
    const hasFailed = failOnce(/INSERT .*"edgestore"/)
    expect(await repairAll(graph.core, [finding as never])).toBe(1)
    expect(hasFailed()).toBe(true)
  })

  it("a repair that was not made, and is no longer needed, is not counted", async () => {
    let isOver = false
    cluster.weather = async (text) => {
      if (isOver || !/INSERT .*"edgestore"/.test(text)) return
      isOver = true
      // Another server changes the cell before this one tries again.
      await commitLater(graph.core, (batch) => batch.change("edgestore", key, [{ column, value: Buffer.from([1]) }]))
      throw Object.assign(new Error("no"), {
        name: "NoHostAvailableError",
        innerErrors: { one: "Host considered as DOWN" }
      })
    }
    expect(await repairAll(graph.core, [finding as never])).toBe(0)
    expect(isOver).toBe(true)
  })
})
