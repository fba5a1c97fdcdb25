import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import { temporaryName } from "../../../src/layers/tools/Leftovers.ts"
import { writeTogether, writeWhole } from "../../../src/layers/tools/WholeFile.ts"
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

describe("Files that a command writes together", () => {
  const written = (file: string) => ({ file, write: (temporary: string) => writeFile(temporary, "new") })

  it("do not appear when the second one fails", async () => {
    const folder = newFolder()
    const [first, second] = [join(folder, "a"), join(folder, "b")]
    const fails = { file: second, write: () => Promise.reject(new Error("The disk is full.")) }
    await expect(writeTogether([written(first), fails])).rejects.toThrow("The disk is full.")
    expect(readdirSync(folder)).toEqual([])
    await writeTogether([written(first), written(second)])
    expect(readdirSync(folder)).toEqual(["a", "b"])
  })

  it("do not stay when another file has got the name of the second one", async () => {
    const folder = newFolder()
    const [first, second] = [join(folder, "a"), join(folder, "b")]
    const slow = {
      file: second,
      write: async (temporary: string) => {
        await writeFile(temporary, "new")
        writeFileSync(second, "other")
      }
    }
    await expect(writeTogether([written(first), slow])).rejects.toThrow(`${second} exists already`)
    expect(readdirSync(folder)).toEqual(["b"])
    expect(readFileSync(second, "utf8")).toBe("other")
  })
})

describe("A command that writes a file again", () => {
  it("removes what a killed command left, and nothing else", async () => {
    const folder = newFolder()
    const file = join(folder, "graph.json")
    const own = basename(temporaryName(file))
    const child = spawn(process.execPath, ["-e", "setTimeout(() => undefined, 60_000)"])
    const started = (pid: number) => {
      const line = readFileSync(`/proc/${pid}/stat`, "latin1")
      return line.slice(line.lastIndexOf(")") + 2).split(" ")[19]!
    }
    const place = own.split(".").at(-3)!
    const nameOf = (pid: number, start: string, where: string) =>
      `.graph.json.${pid}.${start}.${where}.0123456789ab.tmp`
    const left = nameOf(child.pid!, started(child.pid!), place)
    const elsewhere = nameOf(child.pid!, started(child.pid!), "ba9876543210")
    const others = [own, elsewhere, ".other.json.1.1.0123456789ab.0123456789ab.tmp", ".graph.json.swp"]
    for (const name of [left, ...others]) writeFileSync(join(folder, name), "")
    const write = async (): Promise<void> => {
      await writeWhole(file, (temporary) => writeFile(temporary, "{}"))
      rmSync(file)
    }
    await write()
    expect(readdirSync(folder).sort()).toEqual([left, ...others].sort())
    child.kill("SIGKILL")
    await once(child, "exit")
    await write()
    expect(readdirSync(folder).sort()).toEqual([...others].sort())
  })
})
