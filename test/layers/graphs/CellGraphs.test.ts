import { describe, expect, it, onTestFinished } from "vitest"
import { openCells } from "../../../src/layers/graphs/CellGraphs.ts"
import { cellGraphDefaults } from "../../../src/services/GraphSettings.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { defaultCellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import { writeConfiguration } from "../../../src/storage/janusgraph/schema/Configuration.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"

describe("cluster.max-partitions", () => {
  /** Opens a graph with a number of partitions; returns it and what is logged. */
  const opened = async (store: MemoryCellStore, partitions: number) => {
    const logged: Array<string> = []
    const log = (level: string, message: string): void => void logged.push(`${level} ${message}`)
    return { graph: await openCells(store, "g", false, { ...cellGraphDefaults, partitions }, { log }), logged }
  }

  /** A store with a graph that an earlier version has made. */
  const stored = (partitionBits: number): MemoryCellStore => {
    const store = new MemoryCellStore()
    store.commitNow((batch) =>
      writeConfiguration(batch, { ...defaultCellGraphOptions, name: "g", partitionBits }, true)
    )
    return store
  }

  it("is not 1 in a new graph", async () => {
    await expect(opened(new MemoryCellStore(), 1)).rejects.toThrow(
      "cannot have cluster.max-partitions=1: it must be a power of two from 2 to 65536"
    )
  })

  it("stays as it is in a graph that exists, also 1", async () => {
    for (const partitions of [1, 32]) {
      const { graph, logged } = await opened(stored(0), partitions)
      expect(logged).toEqual([])
      await runLater(graph, "g.addV().as('a').addE('knows').to('a')")
      expect(await runLater(graph, "g.V().out('knows').count()", { as: text })).toEqual(["1"])
      await graph.close()
    }
  })

  it("has no effect on a graph that exists, which is logged", async () => {
    const { graph, logged } = await opened(stored(5), 1)
    expect(logged).toEqual([
      "warning The graph 'g' has cluster.max-partitions=32, which stays as it was made; the value 1 has no effect"
    ])
    await graph.close()
  })
})

describe("The log of a build that failed", () => {
  /** A graph of which two vertices have the same name. */
  const opened = async () => {
    const logged: Array<string> = []
    const log = (level: string, message: string): void => void (level === "error" && logged.push(message))
    const store = new MemoryCellStore()
    const graph = (await openCells(store, "g", false, cellGraphDefaults, { log })) as CellGraph
    onTestFinished(() => graph.close())
    await runLater(graph, "g.addV().property('name', 'a')")
    const editor = await graph.management.edit()
    const name = editor.key("name") ?? editor.makeKey("name", dataTypeOf("String"), "SINGLE")
    const make = async (unique: boolean): Promise<number> => {
      editor.makeIndex({ name: "byName", element: "vertex", kind: "equality", unique, keys: [name] })
      await graph.management.commit(editor)
      await graph.management.built("byName").catch(() => undefined)
      return graph.core.schema.indexes[0]?.id ?? -1
    }
    return { graph, logged, make, store }
  }

  it("says that a new index was removed", async () => {
    const { graph, logged, make } = await opened()
    await runLater(graph, "g.addV().property('name', 'a')")
    await make(true)
    expect(graph.core.schema.indexes).toEqual([])
    expect(logged).toEqual([expect.stringMatching(/byName .*unique.* It was removed\.$/s)])
  })

  it("says that a disabled index, which stays, is not used", async () => {
    const { graph, logged, make } = await opened()
    const id = await make(true)
    await graph.management.setStatus(id, "DISABLED")
    await runLater(graph, "g.addV().property('name', 'a')")
    await expect(graph.management.rebuild(id)).rejects.toThrow(/unique/)
    expect(graph.core.schema.indexes[0]?.status).toBe("DISABLED")
    expect(logged).toEqual([
      expect.stringMatching(/It is DISABLED, so it is not used\. SchemaAction\.REINDEX builds it\.$/)
    ])
  })

  it("says that an enabled index, which stays, is used", async () => {
    const { graph, logged, make, store } = await opened()
    const id = await make(false)
    const { commit } = store
    store.commit = () => {
      store.commit = commit
      return store.commit(() => expect.fail("the disk is full"))
    }
    await expect(graph.management.rebuild(id)).rejects.toThrow("the disk is full")
    expect(logged).toEqual([expect.stringMatching(/the disk is full It is ENABLED, so queries use it\.$/)])
  })
})
