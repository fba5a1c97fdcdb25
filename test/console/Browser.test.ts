import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { newFolder } from "../Folders.ts"
import { madeWhole } from "./Browser.ts"

describe("A folder for several processes", () => {
  it("exists only when it is whole, whichever process makes it", async () => {
    const root = newFolder()
    const folder = join(root, "program")
    const releases: Array<() => void> = []
    const make = async (made: string): Promise<void> => {
      writeFileSync(join(made, "program"), "half")
      await new Promise<void>((resolve) => releases.push(resolve))
      writeFileSync(join(made, "program"), "whole")
    }
    const both = [madeWhole(folder, make), madeWhole(folder, make)]
    expect([releases.length, existsSync(folder)]).toEqual([2, false])
    for (const release of releases) release()
    expect(await Promise.all(both)).toEqual([folder, folder])
    expect(readFileSync(join(folder, "program"), "utf8")).toBe("whole")
    expect(readdirSync(root)).toEqual(["program"])
    expect(await madeWhole(folder, () => Promise.reject(new Error("it is there")))).toBe(folder)
  })

  it("is not there after a failure, whose reason is told", async () => {
    const root = newFolder()
    const failing = () => Promise.reject(new Error("the disk is full"))
    await expect(madeWhole(join(root, "program"), failing)).rejects.toThrow("the disk is full")
    expect(readdirSync(root)).toEqual([])
  })
})
