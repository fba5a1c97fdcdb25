import { readdirSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { writeWhole } from "../../../src/layers/tools/WholeFile.ts"
import { newFolder } from "../../Folders.ts"

/** Creates the file, and completes it when the promise of `go` resolves. */
const slowly =
  (text: string, go: Promise<void>) =>
  async (temporary: string): Promise<void> => {
    await writeFile(temporary, "", { flag: "wx" })
    await go
    await writeFile(temporary, text)
  }

describe("Commands that write one file at the same time", () => {
  it("do not touch each other's work: the first complete file stays, and the others are refused", async () => {
    const folder = newFolder()
    const file = join(folder, "graph.json")
    const goes: Array<() => void> = []
    const writes = ["a", "b", "c"].map((text, at) =>
      writeWhole(file, slowly(text, new Promise((resolve) => (goes[at] = resolve))))
    )
    const settled = Promise.allSettled(writes)
    goes[1]!()
    await writes[1]
    for (const go of goes) go()
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"])
    await expect(writes[0]).rejects.toThrow(`${file} exists already; name another file, or remove it.`)
    expect(readFileSync(file, "utf8")).toBe("b")
    expect(readdirSync(folder)).toEqual(["graph.json"])
  })

  it("leave nothing when they fail, and say why", async () => {
    const folder = newFolder()
    const failing = writeWhole(join(folder, "x"), (temporary) => writeFile(join(temporary, "deeper"), ""))
    await expect(failing).rejects.toThrow("cannot be written: ENOENT")
    expect(readdirSync(folder)).toEqual([])
  })
})
