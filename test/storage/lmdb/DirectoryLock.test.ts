import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it, vi } from "vitest"
import { type LockRequest, lockDirectory } from "../../../src/storage/lmdb/DirectoryLock.ts"
import { LOCK } from "../../../src/storage/lmdb/LockFile.ts"
import { REPLACING } from "../../../src/storage/lmdb/Replacement.ts"
import { noteProcess } from "../../../src/storage/lmdb/ServerProcesses.ts"
import { type ProcessIdentity, parentProcess, thisProcess } from "../../../src/storage/shared/ProcessIdentity.ts"
import { newFolder } from "../../Folders.ts"
import { every } from "../../Intervals.ts"
import { CONDITION_MS, patience } from "../../Limits.ts"
import { lmdbStore } from "./Stores.ts"

/** What happens just before the next file is renamed. */
const renaming = vi.hoisted((): { before: (() => void) | undefined } => ({ before: undefined }))
/** What happens before each listing of a folder. */
const listing = vi.hoisted((): { before: (() => void) | undefined } => ({ before: undefined }))
vi.mock(import("node:fs"), async (importOriginal) => {
  const fs = await importOriginal()
  const renameSync: typeof fs.renameSync = (...paths) => {
    const before = renaming.before
    renaming.before = undefined
    before?.()
    fs.renameSync(...paths)
  }
  const readdirSync = ((...args: Parameters<typeof fs.readdirSync>) => {
    listing.before?.()
    return fs.readdirSync(...args)
  }) as typeof fs.readdirSync
  return { ...fs, readdirSync, renameSync }
})

const lockOf = (folder: string): string => join(folder, LOCK)

/** Leaves the lock of another server's process in a folder. */
const leave = (folder: string, changes: Partial<ProcessIdentity>, age = 0): void => {
  const holder = { server: "other", ...thisProcess(), ...changes, since: "2026-01-01T00:00:00.000Z" }
  writeFileSync(lockOf(folder), JSON.stringify(holder))
  const time = new Date(Date.now() - age)
  utimesSync(lockOf(folder), time, time)
}

/** A process that renews a lock does so within the patience, also on a machine that stops it for a while. */
const times = { renewal: 20, patience: 300 * patience }
const LIMIT = { timeout: CONDITION_MS }
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

  it("is shared by the processes of one server until the last one has closed the folder, in any order", async () => {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0]
    ]) {
      const directory = newFolder()
      const stores = []
      for (let i = 0; i < 3; i++) stores.push(await lmdbStore({ directory, server: "one" }))
      for (const index of order) {
        expect(server(directory)).toBe("one")
        await expect(lmdbStore({ directory, server: "two" })).rejects.toThrow("is in use by another server")
        await stores[index]!.close()
      }
      expect(readdirSync(directory).filter((name) => name.startsWith("server."))).toEqual([])
      await (await lmdbStore({ directory })).close()
    }
  })

  it("outlives the process that created it while another process of its server runs", async () => {
    const directory = newFolder()
    const ended = spawn(process.execPath, ["-e", ""])
    await once(ended, "exit")
    const lost: Array<string> = []
    const other = await lock(directory, "one", { isShared: true, onLost: () => lost.push("one") })
    leave(directory, { pid: ended.pid!, started: "1" })
    writeFileSync(lockOf(directory), readFileSync(lockOf(directory), "utf8").replace('"other"', '"one"'))
    await expect(lock(directory, "two")).rejects.toThrow(`in use by another server (process ${process.pid} on`)
    const before = statSync(lockOf(directory)).mtimeMs
    await vi.waitFor(() => expect(statSync(lockOf(directory)).mtimeMs).toBeGreaterThan(before), LIMIT)
    other.release()
    expect(lost).toEqual([])
    await lock(directory, "two")
    expect(server(directory)).toBe("two")
  })

  it("is taken over from a server of several processes that have all ended", async () => {
    const directory = newFolder()
    const ended = spawn(process.execPath, ["-e", ""])
    await once(ended, "exit")
    leave(directory, { pid: ended.pid!, started: "1" })
    noteProcess(directory, { server: "other", ...thisProcess(), pid: ended.pid!, started: "1" })
    await lock(directory, "two")
    expect(server(directory)).toBe("two")
    expect(readdirSync(directory).filter((name) => name.startsWith("server.process"))).toEqual([])
  })

  it("names a process that runs when the one that it named has ended, for servers that read nothing else", async () => {
    const directory = newFolder()
    const ended = spawn(process.execPath, ["-e", ""])
    await once(ended, "exit")
    const { release } = await lock(directory, "other", { isShared: true })
    const named = (): number => JSON.parse(readFileSync(lockOf(directory), "utf8")).pid
    leave(directory, { pid: ended.pid!, started: "1" })
    await vi.waitFor(() => expect(named()).toBe(process.pid), LIMIT)
    // A process that closes the folder names one that has it open.
    const running = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"])
    const started = readFileSync(`/proc/${running.pid}/stat`, "latin1").split(" ")[21]!
    const forget = noteProcess(directory, { server: "other", ...thisProcess(), pid: running.pid!, started })
    release()
    expect(named()).toBe(running.pid)
    await expect(lock(directory, "two")).rejects.toThrow(`in use by another server (process ${running.pid} on`)
    forget()
    running.kill()
  })

  it("is renewed after another process of its server has replaced the file", async () => {
    const directory = newFolder()
    const lost: Array<string> = []
    const { release } = await lock(directory, "other", { isShared: true, onLost: () => lost.push("other") })
    rmSync(lockOf(directory))
    leave(directory, {})
    utimesSync(lockOf(directory), 1, 1)
    await vi.waitFor(() => expect(statSync(lockOf(directory)).mtimeMs).toBeGreaterThan(1_000_000), LIMIT)
    expect(lost).toEqual([])
    release()
    expect(existsSync(lockOf(directory))).toBe(false)
  })

  it("is removed when the process that would get it has ended meanwhile, and needs no lock", async () => {
    const directory = newFolder()
    const { release } = await lock(directory, "one", { isShared: true })
    const running = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"])
    const started = readFileSync(`/proc/${running.pid}/stat`, "latin1").split(" ")[21]!
    const forget = noteProcess(directory, { server: "one", ...thisProcess(), pid: running.pid!, started })
    // The other process removes its note just before this one writes its name into the lock.
    renaming.before = forget
    release()
    running.kill()
    expect(renaming.before).toBe(undefined)
    expect(readdirSync(directory)).toEqual([])
  })

  it("is waited for while its process has lost the one that started it and ends", async () => {
    const directory = newFolder()
    const orphan = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"])
    await once(orphan, "spawn")
    const started = readFileSync(`/proc/${orphan.pid}/stat`, "latin1").split(" ")[21]!
    const parent = { ...thisProcess(), started: "1" }
    leave(directory, { pid: orphan.pid!, started, ...{ parent } })
    const waits: Array<string> = []
    const locked = lock(directory, "own", { onWait: (text) => void waits.push(text) })
    await vi.waitFor(() => expect(waits).toHaveLength(1), LIMIT)
    expect(waits[0]).toMatch(/process that started it has ended.* Waiting up to 7 s/)
    expect(server(directory)).toBe("other")
    orphan.kill("SIGKILL")
    const held = await locked
    expect(server(directory)).toBe("own")
    expect(waits).toHaveLength(1)
    held.release()
  })

  it("fails with the name of the file when it cannot be read", async () => {
    const directory = newFolder()
    mkdirSync(lockOf(directory))
    await expect(lock(directory)).rejects.toThrow(`The file ${lockOf(directory)} cannot be read (EISDIR`)
  })

  it("is released when the folder cannot be read afterwards", async () => {
    const directory = newFolder()
    for (const prepare of [() => undefined, () => leave(directory, { started: "1" })]) {
      prepare()
      listing.before = () => {
        if (server(directory) === "own") throw new Error("the disk fails")
      }
      await expect(lock(directory)).rejects.toThrow("the disk fails")
      expect(existsSync(lockOf(directory))).toBe(false)
    }
    listing.before = undefined
    ;(await lock(directory)).release()
  })

  it("is made in a folder with the file of another work that cannot be read", async () => {
    const directory = newFolder()
    // A process of the superuser may read every file, but no folder.
    mkdirSync(join(directory, "server.work.x"))
    ;(await lock(directory)).release()
  })

  it("lets its server remove what processes of earlier servers have left", async () => {
    const directory = newFolder()
    const gone = { ...thisProcess(), boot: "of an earlier container" }
    noteProcess(directory, { server: "other", ...gone })
    noteProcess(directory, { server: "own", ...gone })
    writeFileSync(join(directory, "server.work.index-1"), JSON.stringify({ server: "other", ...gone, since: "" }))
    const { release } = await lock(directory, "own", { isShared: true })
    const left = readdirSync(directory).filter((name) => /^server\.(process|work)/.test(name))
    // Its own, and that of a process of the same server that cannot be seen from here.
    expect(left).toHaveLength(2)
    release()
  })

  it("is made again when a process that did not know of this one has removed it", async () => {
    const directory = newFolder()
    const lost: Array<string> = []
    await lock(directory, "one", { isShared: true, onLost: () => lost.push("one") })
    rmSync(lockOf(directory))
    await vi.waitFor(() => expect(server(directory)).toBe("one"), LIMIT)
    expect(lost).toEqual([])
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
    const parent = spawn("sh", ["-c", "sleep 600 & echo $!; exec sleep 600"])
    const [line] = await once(parent.stdout, "data")
    const pid = Number(String(line))
    const started = readFileSync(`/proc/${pid}/stat`, "latin1").split(" ")[21]!
    leave(directory, { pid, started })
    await expect(lock(directory)).rejects.toThrow("in use")
    const waiting = () => readFileSync(`/proc/${parent.pid}/comm`, "latin1").trim()
    await vi.waitFor(() => expect(waiting()).toBe("sleep"), LIMIT)
    process.kill(pid)
    const state = () => readFileSync(`/proc/${pid}/stat`, "latin1").split(" ")[2]
    await vi.waitFor(() => expect(state()).toBe("Z"), LIMIT)
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
    const endRenewal = every(20, () => utimesSync(lockOf(directory), new Date(), new Date()))
    await expect(lock(directory)).rejects.toThrow("in use")
    expect(server(directory)).toBe("other")
    endRenewal()
  })

  it("is renewed and checked with the clock of the file system", async () => {
    const directory = newFolder()
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 })
    try {
      const { release } = await lock(directory)
      utimesSync(lockOf(directory), 1, 1)
      await vi.waitFor(() => expect(statSync(lockOf(directory)).mtimeMs).toBeGreaterThan(1_000), LIMIT)
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

  it("is respected although it is old, if its server runs: the clock has jumped forward", async () => {
    const directory = newFolder()
    leave(directory, { namespace: "pid:[1]" }, 3_600_000)
    const waits: Array<string> = []
    const renewal = times.patience / 2
    const endRenewal = every(20, () => utimesSync(lockOf(directory), new Date(), new Date()))
    const taken = lock(directory, "own", { times: { ...times, renewal }, onWait: (text) => waits.push(text) })
    await expect(taken).rejects.toThrow("in use")
    expect(server(directory)).toBe("other")
    expect(waits.length).toBe(1)
    endRenewal()
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
    const endRenewal = every(20, () => utimesSync(lockOf(directory), new Date(), new Date()))
    await expect(lock(directory)).rejects.toThrow("in use")
    endRenewal()
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

  it("that names a process that has ended is not taken, joined or removed while another process replaces a file", async () => {
    const directory = newFolder()
    const marker = join(directory, REPLACING)
    const replacing = () => writeFileSync(marker, JSON.stringify({ ...parentProcess(), opening: "by-another" }))
    const texts: Array<string> = []
    const onWait = (text: string) => texts.push(text)
    const { release } = await lock(directory, "other", { isShared: true, times: { renewal: 60_000, patience: 60_000 } })
    leave(directory, { started: "1" })
    const left = readFileSync(lockOf(directory), "utf8")
    replacing()
    const joined = lock(directory, "other", { isShared: true })
    release()
    await sleep(50)
    expect(readFileSync(lockOf(directory), "utf8")).toBe(left)
    rmSync(marker)
    ;(await joined).release()
    leave(directory, { started: "1" })
    replacing()
    const taken = lock(directory, "next", { onWait })
    await vi.waitFor(() => expect(texts).not.toEqual([]), LIMIT)
    expect(server(directory)).toBe("other")
    await sleep(50)
    rmSync(marker)
    await taken
    expect(server(directory)).toBe("next")
    expect(texts).toEqual([
      `The graph in ${directory} waits for another process. Process ${process.ppid} replaces a file of a process that has ended ` +
        `(${marker}). If it does not go on, end it (kill -KILL ${process.ppid}): commits that were answered are kept`
    ])
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
    await vi.waitFor(() => expect(lost).toBe(true), LIMIT)
  })
})
