import { execFile, spawnSync } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { open } from "lmdb"
import { describe, expect, it, vi } from "vitest"
import { IdFile, IdsInMemory } from "../../../src/layers/tools/IdFile.ts"
import { BulkLoader } from "../../../src/storage/janusgraph/maintenance/bulk/BulkLoader.ts"
import { newFolder } from "../../Folders.ts"
import { largestMap } from "../../LargestMap.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { bundled } from "../support/ServerProcess.ts"
import { imported, written } from "./Graphs.ts"

const hasDisks = spawnSync("unshare", ["-rm", "true"]).status === 0

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

  it.each([
    ["in memory", () => new IdsInMemory()],
    ["in a file", () => new IdFile(join(newFolder(), "ids.mdb"), () => false)]
  ])("has no Map that grows in a long turn of the event loop (%s)", async (_where, open) => {
    const ids = open()
    const largest = largestMap()
    for (let id = 0; id < 80_000; id++) ids.set(`v${id}`, id)
    await ids.keep(1)
    for (let id = 0; id < 80_000; id++) if (ids.get(`v${id}`) !== id) expect.fail(`v${id} is missing`)
    expect(largest()).toBeLessThan(40_000)
    await ids.close()
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

  it("has all digits of large ids, and all of their edges lead to the right vertices", async () => {
    const [first, second] = [2n ** 60n, 2n ** 60n + 8n]
    const graph = await cellGraph(await lmdbStore({ sync: "none" }), { userVertexIds: true })
    await runLater(graph, `g.addV('a').property(id, ${first}L).addV('b').property(id, ${second}L)`)
    await imported(graph, written({ "e.csv": `~from,~to,~label\n${second},${second},self\n` }), { shared: true })
    expect(await runLater(graph, "g.V().hasLabel('b').both('self').label()")).toEqual(["b", "b"])
    await graph.close()
    const path = join(newFolder(), "ids.mdb")
    const ids = new IdFile(path, () => true)
    ids.set("v", second)
    ids.set("w", 8)
    await ids.keep(1)
    await ids.close()
    const again = new IdFile(path, () => true)
    expect([again.get("v"), again.get("w")]).toEqual([second, 8])
    await again.close()
  })

  it("of an earlier version is read, but not an id that may have lost digits", async () => {
    const path = join(newFolder(), "ids.mdb")
    const binary = { encoding: "binary", keyEncoding: "binary" } as const
    const root = open<Buffer, Buffer>({ path, noSubdir: true, ...binary })
    const table = root.openDB<Buffer, Buffer>({ name: "ids", ...binary })
    for (const [name, id] of [
      ["small", 8],
      ["large", 2 ** 60]
    ] as const) {
      const entry = Buffer.alloc(13)
      entry.writeUInt32BE(1)
      entry.writeDoubleBE(id, 5)
      await table.put(Buffer.from(`\u0000${name}`), entry)
    }
    await root.close()
    const ids = new IdFile(path, () => true)
    expect(ids.get("small")).toBe(8)
    expect(() => ids.get("large")).toThrow(/An earlier version .* give --again/)
    await ids.close()
  })

  it("fails alone on a full disk, when it is opened and later", async ({ skip }) => {
    skip(!hasDisks, "this system does not allow a separate disk (unshare -rm)")
    const bundle = await bundled({ FullDiskIds: "test/layers/tools/FullDiskIds.ts" })
    const mount = 'mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" "$3" "$1"'
    const args = ["-rm", "bash", "-c", mount, "bash", newFolder(), process.execPath, join(bundle, "FullDiskIds.mjs")]
    const { stdout } = await promisify(execFile)("unshare", args, { timeout: 120_000, killSignal: "SIGKILL" })
    const [kept, opened] = JSON.parse(stdout)
    expect(kept).toMatch(/^StorageFull: .* The disk is full/)
    expect(opened).toMatch(/^StorageFailure: .* no room on the disk for the ids of an import/)
  })
})
