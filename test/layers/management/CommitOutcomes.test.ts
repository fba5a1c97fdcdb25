import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { emptyTinkerGraph } from "../../../src/services/Config.ts"
import { newFolder } from "../../Folders.ts"
import { patience } from "../../Limits.ts"
import { flushesOf } from "../support/FlushedGraph.ts"
import { http, post } from "../support/HttpClient.ts"
import { sourcesOnly } from "../support/Packed.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { endless, eventually, startServer } from "../support/TestServers.ts"

const factory = fileURLToPath(new URL("../support/FlushedGraph.ts", import.meta.url))

/** A server whose graph on disk waits for flushes of the test. */
const stage = async () => {
  const folder = newFolder()
  const graph = {
    ...emptyTinkerGraph,
    name: "graph",
    file: folder,
    factory: { kind: "module", module: factory } as const
  }
  const server = await startServer({ graphs: new Map([["graph", graph]]) })
  const client = await SocketClient.connect(server.authority)
  const flushes = flushesOf(folder)
  /** Lets `pass` commits complete at once, and holds later ones until the returned function is called. */
  const hold = (pass = 0): (() => void) => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    flushes.count = 0
    flushes.flush = () => (flushes.count > pass ? held : Promise.resolve())
    return () => {
      flushes.flush = () => Promise.resolve()
      release()
    }
  }
  const data = async (gremlin: string) => (await post(server.authority, gremlin)).json.result.data
  return { server, client, flushes, hold, data }
}

sourcesOnly("the flush is a function of the test, in a module that the test and the graph share")

/** A time limit that passes while a commit is under way, ms. Before it a small request reaches its commit. */
const LIMIT_MS = 500 * patience

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const hasKey = "m = graph.openManagement(); x = m.containsPropertyKey('name'); m.rollback(); x"
const makeKey = "m = graph.openManagement(); m.makePropertyKey('name').dataType(String.class).make(); m.commit()"
const fromJson = `JsonSchemaInitStrategy.initializeSchemaFromString(graph, '{"propertyKeys":[{"key":"name","className":"java.lang.String"}]}')`

describe("A commit of the management", () => {
  it.each([makeKey, fromJson])("is waited for when the request must end: %s", async (gremlin) => {
    for (const interrupt of ["timeout", "cancel"] as const) {
      const { client, data, flushes, hold, server } = await stage()
      // Reads and claims of the management are not held.
      await data("m = graph.openManagement(); m.makePropertyKey('other').dataType(String.class).make(); m.commit()")
      const release = hold()
      const id = client.send("eval", "", {
        gremlin,
        ...(interrupt === "timeout" ? { evaluationTimeout: LIMIT_MS } : {})
      })
      await eventually(() => flushes.count > 0)
      if (interrupt === "timeout") await pause(LIMIT_MS)
      else await http(server.authority, { method: "DELETE", path: `/gremlin/status/${id}` })
      await pause(50)
      expect(client.frames).toEqual([])
      release()
      const { status } = await client.answer(id)
      expect([interrupt, status.code]).toEqual([interrupt, 200])
      expect(status.attributes).toMatchObject({ warnings: [expect.stringContaining("the changes are committed")] })
      expect(await data(hasKey)).toEqual([true])
    }
  })

  it("is named in the error of a script that fails after it", async () => {
    const { client, data } = await stage()
    const { status } = await client.eval(`${makeKey}; ${endless}`, { evaluationTimeout: LIMIT_MS })
    expect([status.code, (status.attributes as Record<string, unknown>).commitOutcome]).toEqual([598, "partial"])
    expect(status.message).toContain("kept: the schema of the graph 'graph'")
    expect(await data(hasKey)).toEqual([true])
    const parts = await client.eval(`${fromJson.replace("'{", "'{").replace('"name"', '"more"')}; 1/0`)
    expect(parts.status.message).toContain("kept: types of the graph 'graph'")
  })
})

describe("An index that is created by a script", () => {
  it("continues to be built when the request ends, as its error says", async () => {
    const { client, data, hold } = await stage()
    await data("g.addV('person').property('name', 'x').iterate()")
    // Ids and the definition are committed; the build waits.
    const release = hold(2)
    const gremlin = "graph.createIndex('name', Vertex.class)"
    const { status } = await client.eval(gremlin, { evaluationTimeout: 2 * LIMIT_MS })
    expect([status.code, (status.attributes as Record<string, unknown>).commitOutcome]).toEqual([598, "partial"])
    expect(status.message).toContain("kept: createIndex('name') of the graph 'graph', which continues")
    release()
    await eventually(async () => (await data("graph.getIndexedKeys(Vertex.class)")).includes("name"))
  })

  it("continues to be removed, too", async () => {
    const { client, data, hold } = await stage()
    await data("g.addV('person').property('name', 'x').iterate()")
    await data("graph.createIndex('name', Vertex.class)")
    const release = hold(0)
    const { status } = await client.eval("graph.dropIndex('name', Vertex.class)", { evaluationTimeout: LIMIT_MS })
    expect(status.code).toBe(598)
    expect(status.message).toContain("kept: dropIndex('name') of the graph 'graph', which continues")
    release()
    await eventually(async () => !(await data("graph.getIndexedKeys(Vertex.class)")).includes("name"))
  })
})
