import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { newFolder } from "../../../Folders.ts"
import { bundled, startProcess, stop } from "../../support/ServerProcess.ts"
import { SocketClient } from "../../support/SocketClient.ts"

const opened = (directory: string): string =>
  `JanusGraphFactory.build().set('storage.backend', 'berkeleyje').set('storage.directory', '${directory}').open()`

/** A server with two workers and a graph of configurations. */
const startWorkers = async (folder: string) => {
  const bundle = await bundled({ main: "src/main.ts" })
  const options = ["gremlin.graph=JanusGraphFactory", "storage.backend=lmdb", "storage.directory=configurations"]
  writeFileSync(join(folder, "configurations.properties"), options.join("\n"))
  return startProcess(bundle, folder, {
    properties: ["storage.backend=lmdb", "storage.directory=db"],
    graphs: "graphs: {graph: graph.properties, ConfigurationManagementGraph: configurations.properties}",
    settings: ["workers: 2", "dynamicGraphs: {directory: graphs}"]
  })
}

describe("A folder that scripts of two workers have open", () => {
  it("is one graph, and no graph of ConfiguredGraphFactory before all scripts have closed it", async () => {
    const folder = newFolder()
    const server = await startWorkers(folder)
    // The primary process gives connections to the workers in turn.
    const connect = () => SocketClient.connect(`127.0.0.1:${server.port}`)
    const clients = [await connect(), await connect()] as const
    /** The results of a script in the session of a client, or the message of its error. */
    const ask = async (client: 0 | 1, gremlin: string): Promise<unknown> => {
      const { result, status } = await clients[client].eval(gremlin, { session: `session ${client}` })
      return status.code < 300 ? result.data : status.message
    }
    await ask(0, "ConfiguredGraphFactory.createTemplateConfiguration(['storage.backend': 'lmdb'])")

    const add = `a = ${opened("a")}; a.addVertex(); a.tx().commit(); a.traversal().V().count()`
    expect([await ask(0, add), await ask(1, add)]).toEqual([[1], [2]])
    expect(await ask(0, "a.tx().rollback(); a.traversal().V().count()")).toEqual([2])

    for (const client of [0, 1] as const) {
      expect(await ask(client, "ConfiguredGraphFactory.create('a'); 1")).toContain("is in use by")
      expect(await ask(client, "JanusGraphFactory.drop(a)")).toContain("several workers")
    }
    await ask(0, "a.close()")
    expect(await ask(0, "ConfiguredGraphFactory.create('a'); 1")).toContain("is in use by")
    expect(await ask(1, "a.traversal().V().count()")).toEqual([2])

    await ask(1, "a.close()")
    expect(await ask(0, "b = ConfiguredGraphFactory.create('a'); b.traversal().V().count()")).toEqual([2])
    expect(await ask(1, `${opened("a")}.traversal().V().count()`)).toEqual([2])
    expect(await ask(1, "ConfiguredGraphFactory.drop('a')")).toEqual([null])
    expect(existsSync(join(folder, "graphs", "a"))).toBe(false)
    for (const { ws } of clients) ws.close()
    await stop(server)
  })
})
