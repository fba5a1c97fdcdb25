import { renameSync } from "node:fs"
import { open } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { importFiles } from "../../../src/layers/tools/Import.ts"
import { inspect } from "../../../src/layers/tools/InputFiles.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { context, written } from "./Graphs.ts"

it.each([
  ["plain", (rows: string) => rows],
  ["compressed", gzipSync]
])("A %s file that is open is imported, and not the one that has its path by now", async (_, packed) => {
  const [path = "", other = ""] = written({
    "v.csv": packed("~id,~label,name\n1,person,opened\n"),
    "other.csv": "~id,~label,name\n1,person,other\n"
  })
  const handle = await open(path)
  renameSync(other, path)
  const graph = await cellGraph(new MemoryCellStore())
  const files = [await inspect(path, "csv", {}, handle)]
  const summary = await importFiles(graph, undefined, files, { label: undefined, idProperty: undefined }, context())
  expect(summary).toMatch(/^Imported 1 vertex/)
  expect(await runLater(graph, "g.V().values('name')", { as: text })).toEqual(["opened"])
  await handle.close()
  await graph.close()
})

it("A compressed file that is cut is refused, and the message says what to do", async () => {
  const whole = gzipSync("~id,~label,name\n1,person,a\n".repeat(1_000))
  const [path = ""] = written({ "v.csv.gz": whole.subarray(0, whole.length - 12) })
  const graph = await cellGraph(new MemoryCellStore())
  const imported = inspect(path, undefined).then((file) =>
    importFiles(graph, undefined, [file], { label: undefined, idProperty: undefined }, context())
  )
  await expect(imported).rejects.toThrow(
    `${path}: cannot be decompressed (unexpected end of file): it is damaged or incomplete. Copy it again.`
  )
  await graph.close()
})
