import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { LOCK } from "../../../src/storage/lmdb/LockFile.ts"
import { awaitWriteMutex, interruptibly, mutexHolder } from "../../../src/storage/lmdb/WriteMutex.ts"
import { eventually } from "../../Eventually.ts"
import { newFolder } from "../../Folders.ts"
import { bundled } from "../../layers/support/ServerProcess.ts"
import { lmdbStore } from "./Stores.ts"

let program: string
const children: Array<ChildProcess> = []

beforeAll(async () => {
  program = join(await bundled({ MutexHolder: "test/storage/lmdb/MutexHolder.ts" }), "MutexHolder.mjs")
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
})

interface Holder {
  readonly child: ChildProcess
  /** The exit status and the signal. */
  readonly ended: Promise<ReadonlyArray<unknown>>
}

/** Starts a process that holds the write mutex of the folder in a long commit. */
const hold = async (directory: string, before: ReadonlyArray<string> = []): Promise<Holder> => {
  const command = [...before, process.execPath, program, directory]
  const child = spawn(command[0]!, command.slice(1), { stdio: ["pipe", "pipe", "pipe"] })
  children.push(child)
  const ended = once(child, "close")
  await once(child.stdout, "data")
  return { child, ended }
}

/** The rows in a folder, read by another process of the same server. */
const rowsOf = async (directory: string): Promise<ReadonlyArray<string>> => {
  const store = await lmdbStore({ directory, server: "one" })
  const snapshot = store.snapshot()
  const keys = snapshot
    .scan("edgestore")
    .next(10)
    .map(({ key }) => Buffer.from(key).toString())
  snapshot.close()
  await store.close()
  return keys.sort()
}

describe("The write mutex of a folder", () => {
  it("is waited for by an opening, which names the holder and sees what that one commits", async () => {
    const directory = newFolder()
    const { child, ended } = await hold(directory)
    expect(mutexHolder(directory)?.pid).toBe(child.pid)
    const waits: Array<string> = []
    let isOpen = false
    const opening = lmdbStore({ directory, server: "one", onWait: (text) => waits.push(text) }).then((store) => {
      isOpen = true
      return store
    })
    await eventually(() => waits.length > 0)
    expect(isOpen).toBe(false)
    expect(waits[0]).toMatch(
      `The graph in ${directory} cannot be opened yet: process ${child.pid} (node) holds LMDB's write lock.`
    )
    child.stdin!.write("end\n")
    const store = await opening
    expect(waits.length).toBe(1)
    await ended
    await store.close()
    expect(mutexHolder(directory)).toBeUndefined()
    expect(await rowsOf(directory)).toEqual(["answered", "long"])
  })

  it("is given up for after the limit, with an error that names the holder and what to do", async () => {
    const directory = newFolder()
    const { child } = await hold(directory)
    const times = { poll: 5, notice: 20, limit: 100 }
    // A slow machine may need a second for it.
    await expect(awaitWriteMutex(directory, () => undefined, undefined, times)).rejects.toThrow(
      new RegExp(
        `process ${child.pid} \\(node\\) has held LMDB's write lock for \\d+ s\\. If it does not go on, end it ` +
          `\\(kill -KILL ${child.pid}\\): commits that were answered are kept\\. Then start again\\.$`
      )
    )
  })

  it("is not waited for after a commit of its holder, which never gives it up for long", async () => {
    const directory = newFolder()
    const { child } = await hold(directory)
    let hasEnded = false
    const times = { poll: 5, notice: 20, limit: 60_000 }
    const waits: Array<string> = []
    const waiting = awaitWriteMutex(directory, (text) => waits.push(text), undefined, times).then(() => {
      hasEnded = true
    })
    await eventually(() => waits.length > 0)
    expect(hasEnded).toBe(false)
    const next = once(child.stdout!, "data")
    child.stdin!.write("next\n")
    await next
    await waiting
    expect(mutexHolder(directory)?.pid).toBe(child.pid)
  })

  it("is not waited for any more when the opening is aborted, and the folder can be taken again", async () => {
    const directory = newFolder()
    const { child, ended } = await hold(directory)
    const controller = new AbortController()
    const opening = lmdbStore({ directory, server: "one", signal: controller.signal })
    setTimeout(() => controller.abort(), 100)
    await expect(opening).rejects.toThrow("aborted")
    child.stdin!.write("end\n")
    await ended
    expect(await rowsOf(directory)).toEqual(["answered", "long"])
  })

  it("is free as soon as its holder is killed, and the answered commits are kept", async () => {
    const directory = newFolder()
    const { child } = await hold(directory)
    child.kill("SIGKILL")
    expect(await rowsOf(directory)).toEqual(["answered"])
  })

  it.each(["exit", "throw"])("is free after its holder ends by %s during a commit", async (command) => {
    const directory = newFolder()
    const { child, ended } = await hold(directory)
    let errors = ""
    child.stderr!.on("data", (data) => {
      errors += data
    })
    child.stdin!.write(`${command}\n`)
    expect(await ended).toEqual([null, "SIGKILL"])
    expect(errors).toContain("The process exits during a commit: it kills itself, and the commit is rolled back.")
    expect(await rowsOf(directory)).toEqual(["answered"])
  })

  const hasNamespaces = spawnSync("unshare", ["-pf", "true"]).status === 0

  it("is free after an exit during a commit of the first process of a container", async ({ skip }) => {
    skip(!hasNamespaces, "this system does not allow a process namespace (unshare -pf)")
    const directory = newFolder()
    const { child, ended } = await hold(directory, ["unshare", "-pf"])
    child.stdin!.write("exit\n")
    await ended
    rmSync(join(directory, LOCK), { force: true })
    expect(await rowsOf(directory)).toEqual(["answered"])
  })

  it("has the default disposition of signals in force while a native call may wait for it, and then the listeners", async () => {
    const directory = newFolder()
    await (await lmdbStore({ directory })).close()
    let signals = 0
    const listener = (): void => void signals++
    process.once("SIGTERM", listener)
    const before = process.rawListeners("SIGTERM")
    expect(interruptibly(directory, () => process.listenerCount("SIGTERM"))).toBe(before.length)
    const { child } = await hold(directory)
    expect(interruptibly(directory, () => process.listenerCount("SIGTERM"))).toBe(0)
    expect(process.rawListeners("SIGTERM")).toEqual(before)
    process.emit("SIGTERM", "SIGTERM")
    process.emit("SIGTERM", "SIGTERM")
    expect(signals).toBe(1)
    child.kill("SIGKILL")
  })
})
