import { describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { evaluated, withDynamicGraphs } from "../support/DynamicGraphs.ts"
import { startInside } from "../support/TestServers.ts"

const template = "ConfiguredGraphFactory.createTemplateConfiguration(new MapConfiguration(['storage.backend': 'lmdb']))"

describe("JanusGraphManager.getInstance()", () => {
  const manager = "org.janusgraph.graphdb.management.JanusGraphManager.getInstance()"

  it("names and gives the graphs of the server, and opens those that are closed", async () => {
    const folder = newFolder()
    const first = await startInside(withDynamicGraphs(folder))
    await evaluated(first, `${template}; ConfiguredGraphFactory.create('a').addVertex('x'); 1`)
    expect(await evaluated(first, `${manager}.getGraphNames()`)).toEqual(["a", "graph"])
    expect(await evaluated(first, "JanusGraphFactory.getGraphNames()")).toEqual(["a", "graph"])
    await first.end()
    const server = await startInside(withDynamicGraphs(folder))
    expect(await evaluated(server, `${manager}.getGraphNames()`)).toEqual(["a", "graph"])
    expect(await evaluated(server, `${manager}.getGraph('a').traversal().V().count()`)).toEqual([1])
    expect(await evaluated(server, `m = ${manager}; m.openGraph('graph', { null }).traversal().V().count()`)).toEqual([
      0
    ])
    expect(await evaluated(server, `${manager}.getGraph('b') == null`)).toEqual([true])
    expect(await evaluated(server, `${manager}.getTraversalSourceNames()`)).toEqual(["a_traversal", "g"])
    expect(await evaluated(server, `${manager}.getTraversalSource('a_traversal').V().count()`)).toEqual([1])
    expect(await evaluated(server, `${manager}.getTraversalSource('b') == null`)).toEqual([true])
  })

  it("says how graphs are made and removed instead", async () => {
    const server = await startInside(withDynamicGraphs())
    for (const call of ["putGraph('b', graph)", "openGraph('b', { null })", "removeGraph('graph')"]) {
      await expect(evaluated(server, `${manager}.${call}`), call).rejects.toThrow("ConfiguredGraphFactory.")
    }
  })
})

describe("ConfigurationManagementGraph.getInstance()", () => {
  it("makes, changes and removes configurations", async () => {
    const server = await startInside(withDynamicGraphs())
    const configurations = "ConfigurationManagementGraph.getInstance()"
    const made = "new MapConfiguration(['graph.graphname': 'a', 'storage.backend': 'lmdb'])"
    await evaluated(server, `${configurations}.createConfiguration(${made})`)
    await evaluated(
      server,
      `${configurations}.updateConfiguration('a', new MapConfiguration(['query.force-index': true]))`
    )
    expect(await evaluated(server, `${configurations}.getConfiguration('a')['query.force-index']`)).toEqual([true])
    expect(await evaluated(server, `${configurations}.getConfigurations().size()`)).toEqual([1])
    expect(await evaluated(server, `${configurations}.getGraphNames()`)).toEqual(["a"])
    await evaluated(server, `${configurations}.removeConfiguration('a')`)
    expect(await evaluated(server, `${configurations}.getConfiguration('a') == null`)).toEqual([true])
  })
})
