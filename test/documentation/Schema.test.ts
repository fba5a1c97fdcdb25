import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { newFolder } from "../Folders.ts"
import { http } from "../layers/support/HttpClient.ts"
import { onLmdb } from "../layers/support/LmdbGraphs.ts"
import { startServer } from "../layers/support/TestServers.ts"
import { blocksOf } from "./Blocks.js"

const document = join(fileURLToPath(new URL("../../", import.meta.url)), "docs", "how-to", "define-a-schema.md")
const blocks = (language: string): ReadonlyArray<string> =>
  blocksOf(document)
    .filter((block) => block.language === language)
    .map(({ code }) => code)

/** The text of the answer to a script. Fails if the script does. */
const answer = async (authority: string, gremlin: string): Promise<string> => {
  const { status, text } = await http(authority, { headers: { accept: "text/plain" } }, JSON.stringify({ gremlin }))
  expect([status, text]).toEqual([200, text])
  return text
}

describe("docs/how-to/define-a-schema.md", () => {
  it("has scripts that define types and indexes", async () => {
    const { authority } = await startServer(onLmdb(newFolder()))
    const [define, extend] = blocks("groovy")
    await answer(authority, define!)
    await answer(authority, extend!)
    expect(await answer(authority, "g.V().has('person', 'name', 'a').explain()")).toContain("index byName")
    expect(await answer(authority, "g.V().has('bio', textContains('a')).explain()")).toContain("index search")
    expect(await answer(authority, "g.V().has('age', P.gt(30)).explain()")).toContain("index byAge")
  })

  it("has a schema in JSON, and the options that load it", async () => {
    const folder = newFolder()
    const file = join(folder, "schema.json")
    writeFileSync(file, blocks("json")[0]!)
    const [options] = blocks("properties")
    const lines = options!.trim().replace("conf/schema.json", file).split("\n")
    const { authority } = await startServer(onLmdb(folder, ...lines))
    expect(await answer(authority, "g.V().has('person', 'name', 'a').explain()")).toContain("index byName")
    expect(await answer(authority, "g.V().has('bio', textContains('a')).explain()")).toContain("index search")
  })
})
