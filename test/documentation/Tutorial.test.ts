import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { run } from "../clients/support.ts"
import { newFolder } from "../Folders.ts"
import { onLmdb } from "../layers/support/LmdbGraphs.ts"
import { startServer } from "../layers/support/TestServers.ts"
import { blocksOf } from "./Blocks.js"

const document = join(fileURLToPath(new URL("../../", import.meta.url)), "docs", "get-started", "first-graph.md")

describe("docs/get-started/first-graph.md", () => {
  it("has commands that print, one after the other, what the page says", async () => {
    const { authority } = await startServer(onLmdb(newFolder()))
    const [define, ...steps] = blocksOf(document)
    expect(steps).toHaveLength(6)
    for (const { code, prints } of steps) {
      const script = `${define!.code}${code}`.replaceAll("localhost:8182", authority)
      expect([code, await run("sh", ["-c", script])]).toEqual([code, prints ?? ""])
    }
  })
})
