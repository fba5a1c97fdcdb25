import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { LOCK, type LockRequest, lockDirectory } from "../../../src/storage/lmdb/DirectoryLock.ts"
import { type ProcessIdentity, thisProcess } from "../../../src/storage/lmdb/ProcessIdentity.ts"
import { lmdbStore, newFolder } from "./Stores.ts"

const lockOf = (folder: string): string => join(folder, LOCK)

/** Leaves the lock of another server's process in a folder. */
const leave = (folder: string, changes: Partial<ProcessIdentity>, age = 0): void => {
  const holder = { server: "other", ...thisProcess(), ...changes, since: "2026-01-01T00:00:00.000Z" }
  writeFileSync(lockOf(folder), JSON.stringify(holder))
  const time = new Date(Date.now() - age)
  utimesSync(lockOf(folder), time, time)
}

const times = { renewal: 20, patience: 300 }
const lock = (directory: string, server = "own", more: Partial<LockRequest> = {}) =>
  lockDirectory({ directory, server, onLost: () => undefined, times, ...more })
const server = (folder: string): string => JSON.parse(readFileSync(lockOf(folder), "utf8")).server

describe("The lock of a folder", () => {
  it("refuses a second server with an error that names the holder and what to do", async () => {
    const directory = newFolder()
    const store = await lmdbStore({ directory })
    await expect(lmdbStore({ directory })).rejects.toThrow(
      new RegExp(`${directory} is in use by another server \\(process ${process.pid} on .*stop that one`)
    )
    await store.close()
    expect(existsSync(lockOf(directory))).toBe(false)
    await (await lmdbStore({ directory })).close()
  })

  it("is shared by the processes of one server", async () => {
    const directory = newFolder()
    const first = await lmdbStore({ directory, server: "one" })
    const second = await lmdbStore({ directory, server: "one" })
    await second.close()
    expect(server(directory)).toBe("one")
    await first.close()
  })

  it("is replaced when its process has ended, even if another process has its id", async () => {
    const directory = newFolder()
    leave(directory, { started: "1" })
    await lock(directory)
    expect(server(directory)).toBe("own")
    const ended = spawn(process.execPath, ["-e", ""])
    await once(ended, "exit")
    leave(directory, { pid: ended.pid!, started: "1" })
    await lock(directory, "next")
    expect(server(directory)).toBe("next")
  })

  it("is replaced when its process is a zombie", async () => {
    const directory = newFolder()
    // The shell executes a program that does not wait for the child of the shell.
    const parent = spawn("sh", ["-c", "sleep 0.05 & echo $!; exec sleep 5"])
    const [line] = await once(parent.stdout, "data")
    const pid = Number(String(line))
    const started = readFileSync(`/proc/${pid}/stat`, "latin1").split(" ")[21]!
    leave(directory, { pid, started })
    await expect(lock(directory)).rejects.toThrow("in use")
    await new Promise((resolve) => setTimeout(resolve, 300))
    await lock(directory)
    expect(server(directory)).toBe("own")
    parent.kill()
  })

  it("is replaced when it was not renewed after a reboot of the machine", async () => {
    const directory = newFolder()
    const waits: Array<string> = []
    leave(directory, { boot: "an earlier one" })
    await lock(directory, "own", { onWait: (text) => waits.push(text) })
    expect(server(directory)).toBe("own")
    expect(waits).toEqual([expect.stringMatching(`${directory} has the lock of another server \\(process .*Waiting`)])
  })

  it("is respected while another machine with the same name renews it", async () => {
    const directory = newFolder()
    leave(directory, { boot: "that of the other machine" })
    const timer = setInterval(() => utimesSync(lockOf(directory), new Date(), new Date()), 20)
    await expect(lock(directory)).rejects.toThrow("in use")
    expect(server(directory)).toBe("other")
    clearInterval(timer)
  })

  it("is renewed and checked with the clock of the file system", async () => {
    const directory = newFolder()
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 })
    try {
      const { release } = await lock(directory)
      utimesSync(lockOf(directory), 1, 1)
      await new Promise((resolve) => setTimeout(resolve, 200))
      writeFileSync(join(directory, "now"), "")
      const [renewed, now] = [LOCK, "now"].map((name) => statSync(join(directory, name)).mtimeMs)
      expect(Math.abs(renewed! - now!)).toBeLessThan(5_000)
      release()
      vi.setSystemTime(Date.now() + 7_200_000)
      leave(directory, { boot: "another" })
      utimesSync(lockOf(directory), now! / 1000, now! / 1000)
      const waits: Array<string> = []
      await lock(directory, "own", { onWait: (text) => waits.push(text) })
      expect(waits.length).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it("is not waited for any longer when the start is aborted", async () => {
    const directory = newFolder()
    leave(directory, { boot: "another" })
    const controller = new AbortController()
    const waiting = lock(directory, "own", {
      times: { renewal: 20, patience: 60_000 },
      signal: controller.signal,
      onWait: () => setTimeout(() => controller.abort(), 20)
    })
    await expect(waiting).rejects.toThrow("aborted")
    expect(server(directory)).toBe("other")
  })

  it("is respected while a holder in another container or machine renews it", async () => {
    const directory = newFolder()
    leave(directory, { namespace: "pid:[1]" })
    const timer = setInterval(() => utimesSync(lockOf(directory), new Date(), new Date()), 20)
    await expect(lock(directory)).rejects.toThrow("in use")
    clearInterval(timer)
    await lock(directory)
    expect(server(directory)).toBe("own")
    leave(directory, { boot: "its own", host: "another" }, 3_600_000)
    await lock(directory, "next")
    expect(server(directory)).toBe("next")
  })

  it("is replaced by only one of many servers that find it expired", async () => {
    const directory = newFolder()
    leave(directory, { started: "1" })
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => lock(directory, `server ${i}`)))
    expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(1)
  })

  it("notifies its server when another server takes it", async () => {
    const directory = newFolder()
    let lost = false
    await lock(directory, "own", {
      onLost: () => {
        lost = true
      }
    })
    leave(directory, { started: "1" })
    for (let i = 0; i < 100 && !lost; i++) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(lost).toBe(true)
  })
})
