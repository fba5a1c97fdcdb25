import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import { openGraph } from "../../../src/layers/graphs/GraphStores.ts"
import { emptyTinkerGraph } from "../../../src/services/GraphSettings.ts"
import { newFolder } from "../../Folders.ts"
import { emptyGraph } from "../../storage/memory/Fixture.ts"
import { loadYaml, tinkerGraph } from "../config/Folder.ts"
import { post } from "../support/HttpClient.ts"
import { isPacked } from "../support/Packed.ts"
import { eventually, modern, startServer } from "../support/TestServers.ts"

const vertices = "g.V().has('name', 'marko')"
const edges = "g.E().has('weight', 0.4d)"

/** The first step in explain() and profile(), and the number of results. */
const accessOf = async (authority: string, gremlin: string) => {
  const data = async (script: string) => (await post(authority, script)).json.result.data[0]
  const explained = await data(`${gremlin}.explain()`)
  const profiled = await data(`${gremlin}.profile()`)
  return {
    explained: /,([^,]*)\)$/.exec(explained.final[0])?.[1],
    profiled: profiled.metrics[0].annotations.index,
    count: await data(`${gremlin}.count()`)
  }
}

describe("An index of a TinkerGraph", () => {
  it("in its properties exists from the start: explain() and profile() show it instead of a full scan", async () => {
    const properties = `${tinkerGraph}gremlin.tinkergraph.vertexIndices=age, name\ngremlin.tinkergraph.edgeIndices=weight\n`
    const yaml = "graphs: {graph: graph.properties}\n"
    const { settings } = await Effect.runPromise(loadYaml(yaml, { "graph.properties": properties }))
    const { authority } = await startServer({ graphs: settings.graphs, ...modern })
    expect(await accessOf(authority, vertices)).toEqual({
      explained: "index vertex:name",
      profiled: "vertex:name",
      count: 1
    })
    expect(await accessOf(authority, edges)).toEqual({
      explained: "index edge:weight",
      profiled: "edge:weight",
      count: 2
    })
    expect(await accessOf(authority, "g.V().has('lang', 'java')")).toMatchObject({ profiled: "full scan", count: 2 })
  })

  it("can be created by a script, with the existing elements", async () => {
    const { authority } = await startServer(modern)
    const scan = { explained: "full scan", profiled: "full scan" }
    expect(await accessOf(authority, vertices)).toEqual({ ...scan, count: 1 })
    expect(await accessOf(authority, edges)).toEqual({ ...scan, count: 2 })
    for (const call of ["graph.createIndex('name', Vertex.class)", "graph.createIndex('weight', Edge.class)"]) {
      expect((await post(authority, `${call}; null`)).status).toBe(200)
    }
    expect(await accessOf(authority, vertices)).toEqual({
      explained: "index vertex:name",
      profiled: "vertex:name",
      count: 1
    })
    expect(await accessOf(authority, edges)).toEqual({
      explained: "index edge:weight",
      profiled: "edge:weight",
      count: 2
    })
  })
})

it("A graph that a module opens after its start was interrupted is closed", async ({ skip }) => {
  skip(isPacked, "opens a graph without a server")
  const name = "graphOfInterruptedStart"
  const module = join(newFolder(), "graph.mjs")
  writeFileSync(module, `export default () => new Promise((resolve) => { globalThis.${name} = resolve })\n`)
  const global = globalThis as { [name]?: (graph: unknown) => void }
  const opening = Effect.runFork(openGraph({ ...emptyTinkerGraph, name: "graph", factory: { kind: "module", module } }))
  await eventually(() => global[name] !== undefined)
  await Effect.runPromise(Fiber.interrupt(opening))
  const graph = emptyGraph()
  const closed = new Promise<void>((resolve) => {
    global[name]!(Object.assign(graph, { close: async () => resolve() }))
  })
  delete global[name]
  await closed
})
