import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { emptyTinkerGraph, tinkerGraphDefaults } from "../../../src/services/GraphSettings.ts"
import type { ServerSettings } from "../../../src/services/Settings.ts"
import { newFolder } from "../../Folders.ts"
import { post } from "../support/HttpClient.ts"
import { startServer } from "../support/TestServers.ts"

/** More elements than a commit of a graph in memory applies at once. */
const VERTICES = 5_000

/** Settings of a graph whose file has this many vertices. */
const loading = (vertices: number): Partial<ServerSettings> => {
  const graphLocation = join(newFolder(), "large.json")
  const lines = Array.from({ length: vertices }, (_, id) => JSON.stringify({ id, label: "x" }))
  writeFileSync(graphLocation, lines.join("\n"))
  const tinkergraph = { ...tinkerGraphDefaults, graphLocation, graphFormat: "graphson" as const }
  const factory = { kind: "TinkerGraph", tinkergraph } as const
  return { graphs: new Map([["graph", { ...emptyTinkerGraph, name: "graph", factory }]]) }
}

describe("The file of engine.tinkergraph.graphLocation", () => {
  it("is completely in the graph when the server listens, also if it is large", async () => {
    const { authority } = await startServer(loading(VERTICES))
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([VERTICES])
  })
})
