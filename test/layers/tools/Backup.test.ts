import { join } from "node:path"
import { expect, it } from "vitest"
import { restoreGraph } from "../../../src/layers/tools/Backup.ts"
import { newFolder } from "../../Folders.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { context } from "./Graphs.ts"

it("A restore of a file that is not there says which file it needs", async () => {
  const file = join(newFolder(), "graph.backup")
  const restored = restoreGraph(file, newFolder(), (directory) => lmdbStore({ directory }), context())
  await expect(restored).rejects.toThrow(`${file} does not exist: name a file that the command backup has written.`)
})
