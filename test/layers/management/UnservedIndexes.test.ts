import { describe, expect, it } from "vitest"
import { updateIndex } from "../../../src/layers/management/IndexActions.ts"
import { indexFields } from "../../../src/layers/management/IndexFields.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { RestEngine } from "../../../src/storage/search/RestEngine.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { FakeCluster } from "../../storage/cassandra/FakeCluster.ts"
import { makeJanusGraphIndex } from "../../storage/janusgraph/documents/JanusGraphIndexes.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { searchOptions } from "../../storage/search/StandIn.ts"

const opened = async (): Promise<CellGraph> => {
  const graph = await cellGraph(await new FakeCluster().store())
  await makeJanusGraphIndex(graph, "people", "VERTEX", {
    bio: { type: "String" },
    code: { type: "String", mapping: "STRING" },
    title: { type: "String", mapping: "TEXTSTRING" },
    age: { type: "Integer" }
  })
  return graph
}

describe("A mixed index that JanusGraph keeps in a search engine", () => {
  it("can be asked by indexQuery() if the engine is connected", async () => {
    const graph = await opened()
    await expect(indexFields(graph, "people", "vertex")).rejects.toThrow("unknown or not a mixed index")
    const events = {
      failed: () => undefined,
      recovered: () => undefined,
      refused: () => undefined,
      unread: () => undefined
    }
    graph.connect(new Map([["search", new RestEngine(searchOptions(1))]]), events)
    const described = await indexFields(graph, "people", "vertex")
    expect(text(described.get("fields"))).toBe("{bio=TEXT, code=STRING, title=TEXTSTRING, age=}")
    expect(text(described.get("types"))).toBe("{bio=String, code=String, title=String, age=Integer}")
    await graph.close()
  })

  it.each(["REINDEX", "ENABLE_INDEX", "DISABLE_INDEX", "DISCARD_INDEX", "DROP_INDEX"])(
    "refuses %s, which would change it for JanusGraph",
    async (action) => {
      const graph = await opened()
      const version = graph.core.schema.version
      const editor = await graph.management.edit()
      const [index] = graph.core.schema.engineIndexes
      const job = updateIndex(graph, editor, { kind: "index", index: index! }, action)
      await expect(
        job.run(
          () => undefined,
          () => undefined
        )
      ).rejects.toThrow(
        `${action}: JanusGraph keeps the index people in the index backend 'search'. Apply the action in JanusGraph, or name the engine in index.search.backend.`
      )
      await graph.management.schema()
      expect(graph.core.schema.version).toBe(version)
      await graph.close()
    }
  )
})
