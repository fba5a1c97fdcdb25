import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { deleteData } from "../../../../src/layers/graphs/dynamic/GraphData.ts"
import { newFolder } from "../../../Folders.ts"
import { graphOf } from "../../support/LmdbGraphs.ts"

const deleted = async (...files: ReadonlyArray<string>): Promise<string> => {
  const folder = newFolder()
  for (const file of files) writeFileSync(join(folder, file), "")
  await deleteData(graphOf(["storage.backend=lmdb", `storage.directory=${folder}`]))
  return folder
}

describe("The folder of a dropped graph", () => {
  it("is removed with all files of the graph, and with those that killed processes have left", async () => {
    const id = "7b0b5d4c-1c1a-4f57-9d6e-0d6a0f4c6d53"
    const own = ["graph.mdb", "graph.mdb-lock", "server.lock"]
    const left = [
      "graph.opening",
      `graph.opening.${id}`,
      `graph.opening.after.${id}`,
      `server.lock.${id}`,
      "server.lock.replacing",
      `server.lock.replacing.after.${id}`,
      `server.process.${id}`,
      `server.process.${id}.new`,
      `server.work.${id}`,
      `server.handed.${id}`
    ]
    expect(existsSync(await deleted(...own, ...left))).toBe(false)
  })

  it("keeps files that are not the graph's", async () => {
    const folder = await deleted("graph.mdb", "notes.txt")
    expect(existsSync(join(folder, "graph.mdb"))).toBe(false)
    expect(existsSync(join(folder, "notes.txt"))).toBe(true)
  })
})
