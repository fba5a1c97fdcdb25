import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it, onTestFinished } from "vitest"
import type { CellBatch } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { announceOpening, isBeingOpened } from "../../../src/storage/lmdb/Opening.ts"
import { type ProcessIdentity, thisProcess } from "../../../src/storage/shared/ProcessIdentity.ts"
import { newFolder } from "../../Folders.ts"
import { eventually } from "../../layers/support/TestServers.ts"
import { settled } from "../Completion.ts"
import { otherProcess, sharedProgram } from "./OtherProcess.ts"
import { openShared } from "./SharedWriter.ts"
import { lmdbStore } from "./Stores.ts"

/** Whether a promise is pending after a tenth of a second. */
const isPending = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise.then(() => "settled"), sleep(100, "pending")])) === "pending"

it("A commit, synchronous or in slices too, waits while another process opens the files, until that process has ended", async () => {
  const directory = newFolder()
  const graph = await openShared(directory, "first")
  const { cells } = graph.core
  for (const commit of [
    () => settled(cells.commit(() => undefined)),
    () =>
      settled(
        cells.commitLong(function* () {
          yield
        })
      )
  ]) {
    const other = await otherProcess(directory, "other", await sharedProgram())
    await other.begin("opening")
    expect(isBeingOpened(directory)).toBe(true)
    const done = commit()
    expect(await isPending(done)).toBe(true)
    await other.kill()
    await done
  }
  const other = await otherProcess(directory, "other", await sharedProgram())
  await other.begin("opening")
  // The event loop is blocked meanwhile, so another process ends the one that opens the files.
  spawn("sh", ["-c", `sleep 0.3; kill -KILL ${other.child.pid}`])
  cells.commitNow(() => undefined)
  expect(isBeingOpened(directory)).toBe(false)
  await graph.close()
})

/** Starts a process that is stopped while it opens the files of a folder, in the eyes of other processes. */
const stoppedOpening = (directory: string): ChildProcess => {
  const child = spawn("sleep", ["600"], { stdio: "ignore" })
  onTestFinished(() => void child.kill("SIGKILL"))
  child.kill("SIGSTOP")
  const started = readFileSync(`/proc/${child.pid}/stat`, "latin1").split(" ")[21]
  writeFileSync(
    `${directory}/graph.opening`,
    JSON.stringify({ ...thisProcess(), pid: child.pid, started, opening: randomUUID() })
  )
  return child
}

it.each([undefined, "shared"])(
  "Commits of a server (%s) name a process that is stopped while it opens the files, fail after a limit, and go on after its end",
  async (server) => {
    const directory = newFolder()
    const texts: Array<string> = []
    const store = await lmdbStore({
      directory,
      ...(server === undefined ? {} : { server }),
      notice: 50,
      onWait: (text) => texts.push(text),
      openingLimits: { limit: 400, limitNow: 200 }
    })
    const row = [{ column: Buffer.from("a"), value: Buffer.from("1") }]
    const put = (batch: CellBatch): void => batch.change("edgestore", Buffer.from("row"), row)
    const commits: ReadonlyArray<() => Promise<unknown>> = [
      () => settled(store.commit(put)),
      () => settled(store.commitLong(() => [][Symbol.iterator]())),
      async () => store.commitNow(put)
    ]
    for (const commit of commits) {
      const child = stoppedOpening(directory)
      const advice = `Continue it (kill -CONT ${child.pid}) or end it (kill -KILL ${child.pid})`
      await expect(commit()).rejects.toThrow(advice)
      if (commit !== commits[2]) expect(texts.join()).toContain(advice)
      for (const each of commits) await expect(each()).rejects.toThrow(advice)
      expect(store.failure).toBeUndefined()
      const ended = once(child, "close")
      child.kill("SIGKILL")
      await ended
      for (const each of commits) await each()
      rmSync(`${directory}/graph.opening`)
    }
    await store.close()
  }
)

it("A process opens the files after another one has done so, also to read only", async () => {
  const directory = newFolder()
  const graph = await openShared(directory, "first")
  await settled(graph.core.cells.commit(() => undefined))
  const other = await otherProcess(directory, "other")
  await graph.close()
  await other.begin("opening")
  const reading = lmdbStore({ directory, readOnly: true })
  expect(await isPending(reading)).toBe(true)
  await other.kill()
  await (await reading).close()
  expect(existsSync(`${directory}/graph.opening`)).toBe(false)
})

it.each([false, true])(
  "A process closes the files after another one has opened them (read-only: %s)",
  async (readOnly) => {
    const directory = newFolder()
    if (readOnly) await (await lmdbStore({ directory })).close()
    const store = await lmdbStore({ directory, readOnly, ...(readOnly ? {} : { server: "shared" }) })
    const other = await otherProcess(directory, "other", await sharedProgram())
    await other.begin("opening")
    const closed = store.close()
    expect(await isPending(closed)).toBe(true)
    await other.kill()
    await closed
    expect(existsSync(`${directory}/graph.opening`)).toBe(false)
  }
)

it("A marker of a process in another container counts, also if that process has the id of this one", () => {
  const directory = newFolder()
  const mark = (process: ProcessIdentity): void =>
    writeFileSync(`${directory}/graph.opening`, JSON.stringify({ ...process, opening: "one" }))
  mark({ ...thisProcess(), namespace: "pid:[1]" })
  expect(isBeingOpened(directory)).toBe(true)
  mark(thisProcess())
  expect(isBeingOpened(directory)).toBe(false)
})

it("A marker without a process counts for a minute, and a process replaces it then", async () => {
  const directory = newFolder()
  const path = `${directory}/graph.opening`
  writeFileSync(path, "")
  expect(isBeingOpened(directory)).toBe(true)
  const opening = announceOpening(directory, undefined)
  expect(await isPending(opening)).toBe(true)
  const before = Date.now() / 1000 - 61
  utimesSync(path, before, before)
  const ended = await opening
  expect(isBeingOpened(directory)).toBe(false)
  expect(existsSync(path)).toBe(true)
  ended()
  expect(existsSync(path)).toBe(false)
})

it("A marker from the future, or that this process must not read, counts for a minute too, and the wait is reported", async () => {
  const directory = newFolder()
  const path = `${directory}/graph.opening`
  writeFileSync(path, "")
  const future = Date.now() / 1000 + 3600
  utimesSync(path, future, future)
  expect(isBeingOpened(directory)).toBe(false)
  ;(await announceOpening(directory, undefined))()
  expect(existsSync(path)).toBe(false)
  // A process of the superuser may read every file, but no folder.
  mkdirSync(path)
  expect(isBeingOpened(directory)).toBe(true)
  const texts: Array<string> = []
  const ending = new AbortController()
  const opening = announceOpening(directory, ending.signal, (text) => texts.push(text))
  await eventually(() => texts.length > 0)
  expect(texts).toEqual([expect.stringContaining(`${path} names no process that opens the files of the graph`)])
  ending.abort()
  await expect(opening).rejects.toThrow("aborted")
})
