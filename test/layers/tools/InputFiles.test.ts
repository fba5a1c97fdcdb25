import { renameSync } from "node:fs"
import { open } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { importFiles } from "../../../src/layers/tools/Import.ts"
import { inspect } from "../../../src/layers/tools/InputFiles.ts"
import { text } from "../../../src/structure/Text.ts"
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
