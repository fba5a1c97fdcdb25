import { it } from "vitest"
import { modelGraph } from "../storage/janusgraph/Graphs.ts"
import { compareWithModel } from "../storage/ModelRun.ts"
import { cqlStore, newKeyspace } from "./Stores.ts"

it("A graph in Cassandra behaves as a naive graph", () =>
  compareWithModel({
    givesIds: false,
    runs: 3,
    // Two transactions see what is committed between their reads.
    together: 1,
    edgeKey: (id) => String(id).split("-")[0],
    open: async () => modelGraph(await cqlStore(newKeyspace()))
  }))
