import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { GraphRegistry } from "../../../src/services/GraphRegistry.ts"
import { http } from "../support/HttpClient.ts"
import { startInside } from "../support/TestServers.ts"

describe("The metrics of indexes that are being built", () => {
  it("name the graph and the index", async () => {
    const server = await startInside()
    const { graphs } = Context.get(server.services, GraphRegistry)
    const [[name, { management }] = ["", { management: {} }]] = graphs
    // A build of any length.
    Object.defineProperty(management, "building", {
      value: [
        { name: "byAge", vertices: 1_234 },
        { name: "byName", vertices: 0 }
      ]
    })
    const { text } = await http(server.authority, { path: "/metrics" })
    expect(text).toMatch(/^engine_server_indexes_building 2$/m)
    const lines = text.split("\n").filter((line) => line.startsWith("engine_server_index_building_vertices{"))
    expect(lines).toEqual([
      `engine_server_index_building_vertices{graph="${name}",index="byAge"} 1234`,
      `engine_server_index_building_vertices{graph="${name}",index="byName"} 0`
    ])
  })
})
