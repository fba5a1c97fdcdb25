import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { makeFolders } from "../../../src/storage/shared/Folders.ts"

const root = mkdtempSync(join(tmpdir(), "engine-server-folders-"))
afterAll(() => rmSync(root, { recursive: true }))

describe("The folder of a graph", () => {
  it("is created with the folders above it, and may exist", () => {
    const folder = join(root, "a", "b", "c")
    makeFolders(folder)
    makeFolders(folder)
    expect(statSync(folder).isDirectory()).toBe(true)
  })

  it("is no file, and not below one", () => {
    writeFileSync(join(root, "file"), "")
    expect(() => makeFolders(join(root, "file"))).toThrow("EEXIST")
    expect(() => makeFolders(join(root, "file", "a", "b"))).toThrow("ENOTDIR")
  })

  it.skipIf(process.platform !== "linux")("is refused by a file system without new folders, such as /proc", () => {
    expect(() => makeFolders("/proc/engine-server/graph")).toThrow("ENOENT")
  })
})
