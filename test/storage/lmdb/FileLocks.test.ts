import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { isOpen } from "../../../src/storage/lmdb/FileLocks.ts"
import { newFolder } from "../../Folders.ts"
import { PROCESSES_MS } from "../../Limits.ts"
import { otherProcess } from "./OtherProcess.ts"

describe.runIf(existsSync("/proc/locks"))("The files of a graph", () => {
  it("are open as long as a process has them open", { timeout: PROCESSES_MS }, async () => {
    const directory = newFolder()
    const lockFile = `${directory}/graph.mdb-lock`
    expect(isOpen(lockFile)).toBe(false)
    const one = await otherProcess(directory, "one")
    expect(isOpen(lockFile)).toBe(true)
    const other = await otherProcess(directory, "other")
    await one.kill()
    expect(isOpen(lockFile)).toBe(true)
    await other.kill()
    expect(isOpen(lockFile)).toBe(false)
  })
})
