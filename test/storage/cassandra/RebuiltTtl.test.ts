import type * as Zlib from "node:zlib"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { NewIndex } from "../../../src/storage/janusgraph/management/IndexDefinition.ts"
import type { SchemaEditor } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { entriesIn, opened, timeReads } from "./ExpiringGraph.ts"

const compression = vi.hoisted(() => ({ level: 6 }))

vi.mock("node:zlib", async (original) => {
  const zlib = await original<typeof Zlib>()
  return { ...zlib, gzipSync: (bytes: string) => zlib.gzipSync(bytes, { level: compression.level }) }
})

const LONG = Array.from({ length: 5000 }, (_, i) => `word${i * i}`).join(" ")

const built = async (graph: CellGraph, edit: (editor: SchemaEditor) => void): Promise<void> => {
  const editor = await graph.management.edit()
  edit(editor)
  await graph.management.commit(editor)
  const { indexes, relationIndexes } = graph.core.schema
  for (const id of [...indexes.map((index) => index.id), ...relationIndexes.map(({ type }) => type.id)])
    await graph.management.done(id)
}

const equality = (name: string, element: NewIndex["element"], keys: NewIndex["keys"]): NewIndex => ({
  unique: false,
  kind: "equality",
  name,
  element,
  keys
})

describe("A later index over Cassandra", () => {
  afterEach(() => {
    compression.level = 6
  })

  it("keeps the entries of long texts that another program has compressed as long as the texts", async () => {
    const { all, cluster, graph } = await opened()
    compression.level = 1
    await all(`g.addV('person').property(set, 'nick', '${LONG}', 'since', 1).property(set, 'nick', 'short')`)
    compression.level = 9
    await built(graph, (editor) => {
      editor.makeIndex({ ...equality("later", "vertex", [editor.key("nick")!]), unique: true })
      editor.makeRelationIndex(editor.key("nick")!, "nickSince", "OUT", false, [editor.key("since")!])
    })
    const cells = cluster.cells("edgestore").length
    cluster.ahead += 5000
    expect(entriesIn(cluster, graph, "later")).toHaveLength(2)
    expect(cluster.cells("edgestore")).toHaveLength(cells)
    await expect(all(`g.addV('person').property(set, 'nick', '${LONG}')`)).rejects.toThrow("unique")
    cluster.ahead += 5000
    expect(entriesIn(cluster, graph, "later")).toEqual([])
    // The texts and their copies in the vertex-centric index.
    expect(cells - cluster.cells("edgestore").length).toBe(4)
  })

  it("does not ask how long the cells of types live that never had a TTL", async () => {
    const { all, cluster, graph } = await opened(["mood", "knows"])
    await all(
      `g.addV('person').property('name', 'p').property('mood', 'glad').as('p').addV('person').property('name', 'q')
        .addE('knows').from('p').property('name', 'k').addE('made').from('p').to('p').property('name', 'm')`
    )
    const reads = timeReads(cluster)
    await built(graph, (editor) => {
      const name = editor.key("name")!
      editor.makeIndex(equality("byName", "vertex", [name]))
      editor.makeRelationIndex(editor.label("made")!, "madeName", "BOTH", false, [name])
    })
    expect(entriesIn(cluster, graph, "byName")).toHaveLength(2)
    expect(reads()).toBe(0)
    await built(graph, (editor) => void editor.makeIndex(equality("edgesByName", "edge", [editor.key("name")!])))
    expect(entriesIn(cluster, graph, "edgesByName")).toHaveLength(2)
    // The edge `knows`.
    expect(reads()).toBe(1)
  })

  it("asks about the vertices of labels with a TTL only", async () => {
    const { all, cluster, graph } = await opened(["visit"])
    await all("g.addV('person').property('name', 'p').addV('visit').property('name', 'v').addV().property('name', 'w')")
    const reads = timeReads(cluster)
    await built(graph, (editor) => void editor.makeIndex(equality("byName", "vertex", [editor.key("name")!])))
    expect(entriesIn(cluster, graph, "byName")).toHaveLength(3)
    expect(reads()).toBe(1)
    cluster.ahead += 10_000
    expect(entriesIn(cluster, graph, "byName")).toHaveLength(2)
  })

  it("expires with values that were written before the TTL of their key was removed", async () => {
    const { all, cluster, graph } = await opened(["mood"])
    await all("g.addV('person').property('mood', 'glad')")
    await built(graph, (editor) => editor.setTimeToLive(editor.key("mood")!, 0))
    await all("g.addV('person').property('mood', 'glad')")
    await built(graph, (editor) => void editor.makeIndex(equality("later", "vertex", [editor.key("mood")!])))
    expect(entriesIn(cluster, graph, "later")).toHaveLength(2)
    cluster.ahead += 10_000
    expect(entriesIn(cluster, graph, "later")).toHaveLength(1)
  })
})
