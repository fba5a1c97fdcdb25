import * as Effect from "effect/Effect"
import { describe, expect, inject, it } from "vitest"
import { openGraph } from "../../src/layers/graphs/GraphStores.ts"
import type { GraphStore } from "../../src/structure/graph/GraphStore.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { graphOf } from "../layers/support/LmdbGraphs.ts"
import { runLater } from "../process/run.ts"
import { openJanusGraph } from "./JanusGraphPeer.ts"
import { newKeyspace } from "./Stores.ts"

/** Opens a keyspace here with more lines of a properties file, and closes it after `work`. */
const opened = async (
  keyspace: string,
  lines: ReadonlyArray<string>,
  work: (graph: GraphStore) => Promise<void> = async () => undefined
): Promise<void> => {
  const place = ["storage.backend=cql", "storage.hostname=127.0.0.1", `storage.port=${inject("cassandraPort")}`]
  const graph = graphOf([...place, `storage.cql.keyspace=${keyspace}`, ...lines])
  const store = await Effect.runPromise(openGraph(graph))
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

describe("The options that a keyspace stores", () => {
  it("apply here as JanusGraph has stored them", async () => {
    const keyspace = newKeyspace()
    const java = await openJanusGraph(keyspace, "java", { "graph.set-vertex-id": "true", "ids.block-size": "2000" })
    expect(await java.ask("set query.force-index true")).toBe("set")
    expect(await java.ask("set schema.default none")).toBe("set")
    await java.close()
    await opened(keyspace, ["graph.set-vertex-id=false"], async (graph) => {
      const ask = (script: string) => runLater(graph, script, { as: text })
      await expect(ask("g.addV()")).rejects.toThrow(/id/)
      await expect(ask("g.V().has('name', 'x').count()")).rejects.toThrow(/force-index/)
      await expect(ask("g.addV('unknown').property(id, 256)")).rejects.toThrow(/unknown/)
    })
    const refused = opened(keyspace, ["graph.set-vertex-id=false", "graph.allow-stale-config=false"])
    await expect(refused).rejects.toThrow(/graph\.set-vertex-id=true, not false/)
    await opened(keyspace, ["query.force-index=false"], async (graph) => {
      expect(await runLater(graph, "g.V().has('name', 'x').count()", { as: text })).toEqual(["0"])
    })
  })

  it("apply in JanusGraph as this server has stored them", async () => {
    const keyspace = newKeyspace()
    const given = { "schema.constraints": "true", "tx.log-tx": "true", "ids.block-size": "2000" }
    await opened(
      keyspace,
      Object.entries(given).map(([key, value]) => `${key}=${value}`)
    )
    const java = await openJanusGraph(keyspace, "java", { "ids.block-size": "3000", "schema.constraints": "false" })
    try {
      for (const [key, value] of Object.entries(given)) expect(await java.ask(`option ${key}`), key).toBe(value)
    } finally {
      await java.close()
    }
  })
})
