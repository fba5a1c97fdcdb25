import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { makeJanusGraphIndex } from "../../storage/janusgraph/documents/JanusGraphIndexes.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { post } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

/** A server with a graph whose keys `bio` and `code` are in the index `people` that JanusGraph keeps in an index backend. */
const serving = async (...lines: ReadonlyArray<string>) => {
  const folder = newFolder()
  const graph = await cellGraph(await lmdbStore({ directory: join(folder, "db") }))
  await makeJanusGraphIndex(graph, "people", "VERTEX", { bio: { type: "String" }, code: { type: "String" } })
  await graph.close()
  const server = await startServer(onLmdb(folder, ...lines))
  const asked = async (gremlin: string): Promise<unknown> => {
    const { json } = await post(server.authority, gremlin)
    return json.result?.data ?? json.message
  }
  return { asked, log: () => server.log.join("\n") }
}

describe.each(["solr", "lucene"])("A graph with a mixed index of JanusGraph in %s", (backend) => {
  const option = `index.search.backend=${backend}`

  it("warns at the start with the names of the index, its keys and its index backend", async () => {
    const { log } = await serving(option)
    expect(log()).toMatch(
      /WARN.*JanusGraph keeps the mixed index people \((bio, code|code, bio)\) of the graph 'graph' in the index backend 'search'\. This server neither searches nor updates it\. Writes to its keys are refused; schema\.allow-stale-mixed-indexes=true allows them\./
    )
  })

  it("refuses writes to its keys, and takes others", async () => {
    const { asked } = await serving(option)
    expect(await asked("g.addV('x').property('bio', 'a')")).toContain(
      "in the mixed index people, which JanusGraph keeps in the index backend 'search'"
    )
    expect(await asked("g.addV('x').property('name', 'a').values('name')")).toEqual(["a"])
    expect(await asked("g.V().count()")).toEqual([1])
  })

  it("takes them with schema.allow-stale-mixed-indexes=true, and warns that the index becomes stale", async () => {
    const { asked, log } = await serving(option, "schema.allow-stale-mixed-indexes=true")
    expect(log()).toContain("writes to its keys leave it stale until JanusGraph builds it again")
    expect(await asked("g.addV('x').property('bio', 'a b').values('bio')")).toEqual(["a b"])
    expect(await asked("g.V().has('bio', textContains('b')).count()")).toEqual([1])
  })
})
