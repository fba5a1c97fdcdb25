import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { IdFile } from "../../../src/layers/tools/IdFile.ts"
import { BulkLoader } from "../../../src/storage/janusgraph/maintenance/bulk/BulkLoader.ts"
import { newFolder } from "../../Folders.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { imported, written } from "./Graphs.ts"

describe("The file with the ids of an import", () => {
  it("is synced without holding up the event loop, and has the ids then", async () => {
    const path = join(newFolder(), "ids.mdb")
    const ids = new IdFile(path, () => false)
    for (let id = 0; id < 1000; id++) ids.set(`v${id}`, id)
    let turns = 0
    const count = (): void => {
      turns++
      turn = setImmediate(count)
    }
    let turn = setImmediate(count)
    await ids.keep(7)
    clearImmediate(turn)
    expect(turns).toBeGreaterThan(0)
    expect([ids.get("v0"), ids.get("v999"), ids.get("v1000")]).toEqual([0, 999, undefined])
    await ids.close()
    const again = new IdFile(path, (commit) => commit === 7)
    expect([again.last, again.get("v999")]).toEqual([7, 999])
    await again.close()
    const lost = new IdFile(path, () => false)
    expect([lost.last, lost.get("v999")]).toEqual([7, undefined])
    await lost.close()
  })

  it("has the ids before the graph has the vertices, so that an import that goes on doubles none", async () => {
    const order: Array<string> = []
    const { keep } = IdFile.prototype
    vi.spyOn(IdFile.prototype, "keep").mockImplementation(async function (this: IdFile, commit) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await keep.call(this, commit)
      order.push("ids")
    })
    const { commit } = BulkLoader.prototype
    vi.spyOn(BulkLoader.prototype, "commit").mockImplementation(async function (this: BulkLoader, note) {
      order.push("vertices")
      await commit.call(this, note)
    })
    const graph = await cellGraph(await lmdbStore({ sync: "none" }))
    await imported(graph, written({ "v.csv": "~id,~label\na,person\nb,person\n" }), { shared: true })
    vi.restoreAllMocks()
    expect(order.slice(0, 2)).toEqual(["ids", "vertices"])
    await graph.close()
  })
})
