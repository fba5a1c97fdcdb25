import { existsSync, rmSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { isOpen, locksOn } from "../../../src/storage/lmdb/FileLocks.ts"
import { holdsWriteMutex } from "../../../src/storage/lmdb/MutexOwner.ts"
import { mutexHolder } from "../../../src/storage/lmdb/WriteMutex.ts"
import { newFolder } from "../../Folders.ts"
import { PROCESSES_MS } from "../../Limits.ts"
import { otherProcess } from "./OtherProcess.ts"
import { openShared } from "./SharedWriter.ts"

describe.runIf(existsSync("/proc/locks"))("A process that has the files of a graph open", () => {
  it("keeps its locks when it looks which process holds the write lock", async () => {
    const directory = newFolder()
    const graph = await openShared(directory, "first")
    const own = () => locksOn(`${directory}/graph.mdb-lock`).filter(({ pid }) => pid === process.pid).length
    const before = own()
    expect(before).toBeGreaterThan(0)
    expect(mutexHolder(directory)).toBeUndefined()
    expect(own()).toBe(before)
    await graph.close()
  })

  it("is known to hold the write lock also when the lock file was removed", { timeout: PROCESSES_MS }, async () => {
    const directory = newFolder()
    const holder = await otherProcess(directory, "holder")
    await holder.begin("hang")
    expect(holdsWriteMutex(holder.child.pid!)).toBe(true)
    rmSync(`${directory}/graph.mdb-lock`)
    expect(holdsWriteMutex(holder.child.pid!)).toBe(true)
  })
})

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
