import { expect, it } from "vitest"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import { LIST_KEY } from "../GraphModel.ts"
import { compareWithModel } from "../ModelRun.ts"

it("A graph in memory has the answers of a naive model, with any number of open snapshots and concurrent commits", () =>
  compareWithModel({
    givesIds: true,
    open: async () => {
      const graph = new MemoryGraph(tinkerTransactionGraph("test"))
      for (const key of ["age", LIST_KEY]) await graph.management.createIndex(key, "vertex")
      await graph.management.createIndex("since", "edge")
      return graph
    },
    check: (graph) => {
      const { openTransactions, undoLogLength } = graph as MemoryGraph
      expect([openTransactions, undoLogLength]).toEqual([0, 0])
    }
  }))
