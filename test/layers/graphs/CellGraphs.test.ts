import { describe, expect, it } from "vitest"
import { openCells } from "../../../src/layers/graphs/CellGraphs.ts"
import { cellGraphDefaults } from "../../../src/services/GraphSettings.ts"
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
