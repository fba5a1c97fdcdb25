import { describe, expect, it } from "vitest"
import type { SchemaStatus } from "../../../../src/storage/janusgraph/format/EnumAttributes.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { runLater } from "../../../process/run.ts"
import { findingsIn } from "../Findings.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** A graph with two elements, which the indexes contain, and functions that change the status of the indexes. */
const opened = async () => {
  const graph = await cellGraph(new MemoryCellStore())
  const editor = await graph.management.edit()
  const [code, since] = ["code", "since"].map((name) => editor.makeKey(name, dataTypeOf("Integer"), "SINGLE"))
  editor.makeIndex({ unique: true, kind: "equality", name: "byCode", element: "vertex", keys: [code!] })
  const knows = editor.makeLabel("knows", "MULTI", false, [])
  const copies = editor.makeRelationIndex(knows, "bySince", "BOTH", false, [since!])
  await graph.management.commit(editor)
  const ids = [graph.core.schema.indexes[0]!.id, copies.type.id]
  const become = async (status: SchemaStatus) => {
    for (const id of ids) await graph.management.setStatus(id, status)
  }
  const ask = async (script: string) => (await runLater(graph, script)).map(text)
  await ask("g.addV('a').property('code', 1).as('a').addE('knows').to('a').property('since', 1).none()")
  return { ask, become, graph, ids }
}

describe("An index that is INSTALLED, as JanusGraph defines it", () => {
  it("has the entries and copies of later commits when it is enabled, and no others", async () => {
    const { ask, become, graph } = await opened()
    await become("INSTALLED")
    await ask("g.V().property('code', 2).outE('knows').property('since', 2).none()")
    await ask("g.addV('b').property('code', 3).addE('knows').to(__.V().has('code', 2)).property('since', 3).none()")
    await become("ENABLED")
    expect(findingsIn(graph.core)).toEqual([])
    expect(await ask("g.V().has('code', within(1, 2, 3)).values('code').order()")).toEqual(["2", "3"])
    expect(await ask("g.V().has('code', 2).inE('knows').has('since', gt(1)).values('since').order()")).toEqual([
      "2",
      "3"
    ])
    await become("INSTALLED")
    await ask("g.V().drop()")
    await become("ENABLED")
    expect(findingsIn(graph.core)).toEqual([])
  })

  it("excludes a second element with a value if it is unique", async () => {
    const { ask, become } = await opened()
    await become("INSTALLED")
    await expect(ask("g.addV('b').property('code', 1)")).rejects.toThrow("violates a uniqueness constraint [byCode]")
  })

  it("is built and enabled by REGISTER_INDEX", async () => {
    const { become, graph, ids } = await opened()
    await become("INSTALLED")
    for (const id of ids) await graph.management.enable(id)
    const { indexes, relationIndexes } = graph.core.schema
    expect([indexes[0]?.status, relationIndexes[0]?.status]).toEqual(["ENABLED", "ENABLED"])
  })
})
