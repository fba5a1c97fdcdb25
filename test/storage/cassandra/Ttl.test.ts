import { describe, expect, it } from "vitest"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"

/** Edges `knows`, values of `mood` and vertices `visit` have a TTL of ten seconds. */
const opened = async () => {
  const cluster = new FakeCluster()
  const graph = await cellGraph(await cluster.store())
  const editor = await graph.management.edit()
  editor.makeKey("name", dataTypeOf("String"), "SINGLE")
  const mood = editor.makeKey("mood", dataTypeOf("String"), "SINGLE")
  const since = editor.makeKey("since", dataTypeOf("Integer"), "SINGLE")
  const knows = editor.makeLabel("knows", "MULTI", false, [])
  const visit = editor.makeVertexLabel("visit", true, false)
  for (const type of [mood, knows, visit]) editor.setTimeToLive(type, 10)
  editor.makeIndex({ unique: false, kind: "equality", name: "byMood", element: "vertex", keys: [mood] })
  editor.makeIndex({ unique: false, kind: "equality", name: "bySince", element: "edge", keys: [since] })
  editor.makeRelationIndex(knows, "knowsSince", "BOTH", false, [since])
  await graph.management.commit(editor)
  const all = async (script: string): Promise<ReadonlyArray<string>> =>
    ((await runLater(graph, script, { as: text })) as ReadonlyArray<string>).toSorted()
  return { all, cluster, graph }
}

describe("A TTL over Cassandra", () => {
  it("is stored with the cells, and not in a property key of the schema", async () => {
    const { graph } = await opened()
    expect([...graph.core.schema.keys.keys()].sort()).toEqual(["mood", "name", "since"])
    expect(graph.core.schema.timeToLive(graph.core.schema.labels.get("knows")!.id)).toBe(10)
  })

  it("removes expired edges, values and vertices with their index entries", async () => {
    const { all, cluster } = await opened()
    await all(
      `g.addV('person').property('name', 'p').property('mood', 'glad').as('p').addV('person').property('name', 'q')
        .addE('knows').from('p').property('since', 1).addV('visit').property('name', 'v').addE('made').from('p').none()`
    )
    expect(await all("g.V().has('mood', 'glad').outE('knows').has('since', 1).count()")).toEqual(["1"])
    expect(await all("g.V().has('name', 'p').out().values('name')")).toEqual(["q", "v"])
    cluster.ahead += 10_000
    expect(await all("g.V().values('name')")).toEqual(["p", "q"])
    expect(await all("g.E().count()")).toEqual(["0"])
    expect(await all("g.V().has('name', 'p').valueMap()")).toEqual(["{name=[p]}"])
    expect(await all("g.V().has('mood', 'glad').count()")).toEqual(["0"])
    expect(await all("g.E().has('since', 1).count()")).toEqual(["0"])
    expect(await all("g.V().has('name', 'p').outE('knows').has('since', 1).count()")).toEqual(["0"])
  })

  it("begins again when a value is set again or an edge is changed", async () => {
    const { all, cluster } = await opened()
    await all(
      "g.addV('person').property('name', 'p').property('mood', 'glad').as('p').addE('knows').to('p').property('since', 1)"
    )
    cluster.ahead += 6000
    await all("g.V().has('name', 'p').property('mood', 'glad').outE('knows').property('since', 1).property('since', 2)")
    cluster.ahead += 6000
    expect(await all("g.V().has('mood', 'glad').out('knows').values('name')")).toEqual(["p"])
    expect(await all("g.E().has('since', 2).count()")).toEqual(["1"])
    cluster.ahead += 6000
    expect(await all("g.V().has('mood', 'glad').count()")).toEqual(["0"])
    expect(await all("g.E().count()")).toEqual(["0"])
  })

  it("begins with the build for a later index, which may not be vertex-centric", async () => {
    const { all, cluster, graph } = await opened()
    await all("g.addV('person').property('mood', 'glad').as('p').addE('knows').to('p').property('name', 'e')")
    const editor = await graph.management.edit()
    const [mood, name] = [editor.key("mood")!, editor.key("name")!]
    const later = editor.makeRelationIndex(editor.label("knows")!, "knowsName", "BOTH", false, [name])
    editor.makeIndex({
      unique: false,
      kind: "mixed",
      name: "moods",
      element: "vertex",
      keys: [mood],
      mappings: ["TEXT"]
    })
    await graph.management.commit(editor)
    await expect(graph.management.done(later.type.id)).rejects.toThrow("which has a TTL")
    cluster.ahead += 10_000
    expect(await all("g.V().has('mood', textContains('glad')).count()")).toEqual(["0"])
  })
})
