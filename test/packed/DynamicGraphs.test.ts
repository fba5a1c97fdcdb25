import { describe, expect, it } from "vitest"
import { http } from "../layers/support/HttpClient.ts"
import { runCommand } from "./PackedCommands.ts"
import { both, place, start, value } from "./Programs.ts"

const configurations = [
  "gremlin.graph=org.janusgraph.core.ConfiguredGraphFactory",
  "graph.graphname=ConfigurationManagementGraph",
  "storage.backend=lmdb",
  "storage.directory=configurations"
]

describe("The packed server", () => {
  it("creates graphs by script, HTTP and command, and has them after SIGTERM and a restart", async () => {
    const folder = place("dynamic", both, {
      ConfigurationManagementGraph: configurations
    })
    const first = await start(folder)
    const { authority } = first
    await value(authority, "ConfiguredGraphFactory.createTemplateConfiguration(['storage.backend': 'berkeleyje'])")
    await value(authority, "ConfiguredGraphFactory.create('a').addVertex('x'); 1")
    const body = JSON.stringify({ "storage.backend": "lmdb" })
    expect((await http(authority, { method: "PUT", path: "/graphs/b" }, body)).status).toBe(201)
    const made = await runCommand(folder, ["graphs", "create", "c", "--control-socket", "s.sock"])
    expect(made.out).toBe("The graph 'c' has been created.\n")
    expect(await value(authority, "[a_traversal.V().count().next(), b_traversal.V().count().next()]")).toEqual([1, 0])
    await first.stop()
    const second = await start(folder)
    expect(await value(second.authority, "ConfiguredGraphFactory.getGraphNames()")).toEqual(["a", "b", "c"])
    expect(await value(second.authority, "a_traversal.V().count()")).toEqual([1])
    expect((await http(second.authority, { method: "DELETE", path: "/graphs/a" })).status).toBe(200)
    await second.stop()
    expect(second.log()).not.toMatch(/ERROR|FATAL/)
  })
})
