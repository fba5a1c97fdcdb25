import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { post } from "./support/HttpClient.ts"
import { graphOf, newFolder, onLmdb } from "./support/LmdbGraphs.ts"
import { startServer } from "./support/TestServers.ts"

const data = async (authority: string, gremlin: string) => {
  const answer = await post(authority, gremlin)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.json.result.data
}

describe("a graph with storage.backend=lmdb", () => {
  it("is there again after a restart, with its indexes and counters", async () => {
    const folder = newFolder()
    const before = await startServer(onLmdb(folder))
    await data(before.authority, "graph.createIndex('name', Vertex.class)")
    await data(
      before.authority,
      "g.addV('person').property('name', 'marko').as('a').addV('person').property('name', 'josh')" +
        ".addE('knows').from('a').property('since', 2001).iterate()"
    )
    await before.end()
    const after = await startServer(onLmdb(folder))
    const known = "g.V().has('name', 'marko').outE('knows').has('since', 2001).inV().values('name')"
    expect(await data(after.authority, known)).toEqual(["josh"])
    expect(await data(after.authority, "g.V().count()")).toEqual([2])
    expect(await data(after.authority, "g.V().groupCount().by(label)")).toEqual([{ person: 2 }])
    expect(JSON.stringify(await data(after.authority, `${known}.explain()`))).toContain("vertex:name")
  })

  it("is made in the folder that storage.directory names below the service's home", () => {
    const home = newFolder()
    const graph = graphOf(["storage.backend=berkeleyje", "storage.directory=db/berkeley"], home)
    expect(graph.factory).toMatchObject({ storage: { backend: "lmdb", directory: join(home, "db/berkeley") } })
    expect(existsSync(join(home, "db"))).toBe(false)
  })
})
