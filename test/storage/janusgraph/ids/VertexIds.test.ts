import { describe, expect, it } from "vitest"
import { Pending } from "../../../../src/scheduling/Pending.ts"
import { CellCursor } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { sliceOf } from "../../../../src/storage/janusgraph/cells/Slices.ts"
import { RowChanges } from "../../../../src/storage/janusgraph/commit/RowChanges.ts"
import { rowKey } from "../../../../src/storage/janusgraph/format/RowKeys.ts"
import { vertexIdOf } from "../../../../src/storage/janusgraph/ids/VertexIds.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { runLater } from "../../../process/run.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

const UUID = "41d2e28a-20a4-4ab0-b379-d810dede3786"

describe("A vertex with an id with '-', as JanusGraph makes it with another separator of the parts of ids", () => {
  it("is found by its id, with its properties", async () => {
    const store = new MemoryCellStore()
    const graph = await cellGraph(store, { userVertexIds: true, textVertexIds: true })
    const ask = async (script: string) => (await runLater(graph, script)).map(text)
    await ask("g.addV('person').property(T.id, 'a').property('name', 'x').none()")
    const [from, to] = ["a", UUID].map((id) => rowKey(id, graph.core.options.partitionBits))
    await Pending.toPromise(
      store.commit((batch) => {
        const changes = new RowChanges()
        const cursor = new CellCursor().over(batch.slice(sliceOf("edgestore", from!)).cells)
        while (cursor.next()) {
          changes.put("edgestore", to!, Uint8Array.from(cursor.column()), Uint8Array.from(cursor.value()))
        }
        changes.apply(batch)
      })
    )
    expect(await ask(`g.V('${UUID}').values('name')`)).toEqual(["x"])
    expect(await ask(`g.V('${UUID}').property('name', 'y').values('name')`)).toEqual(["y"])
    expect(await ask("g.V().has('name', 'y').id()")).toEqual([UUID])
    await expect(ask("g.addV().property(T.id, 'a-b')")).rejects.toThrow("which separates the parts of edge ids")
    await graph.close()
  })

  it("is no vertex in a graph without texts as ids", () => {
    expect([vertexIdOf(UUID, true), vertexIdOf(UUID, false), vertexIdOf("", true), vertexIdOf("é", true)]).toEqual([
      UUID,
      undefined,
      undefined,
      undefined
    ])
  })
})
