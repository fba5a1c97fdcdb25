import { spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { newTemporaryFolder } from "../../../src/storage/lmdb/TemporaryFolders.ts"
import { thisProcess } from "../../../src/storage/shared/ProcessIdentity.ts"
import { newFolder } from "../../Folders.ts"
import { bundled } from "../../layers/support/ServerProcess.ts"

it("A new folder removes those of processes that have ended, but none that runs, none of another user, and no link", () => {
  const parent = newFolder()
  const folder = (name: string, pid: number): string => {
    const path = join(parent, `engine-server-memory-${name}`)
    mkdirSync(path)
    writeFileSync(join(path, "server.lock"), JSON.stringify({ ...thisProcess(), pid, server: "one", since: "" }))
    return path
  }
  const ended = 2 ** 22 + 1
  const left = folder("left", ended)
  const kept = [
    folder("running", process.pid),
    join(parent, "engine-server-memory-new"),
    join(parent, "engine-server-memory-link")
  ]
  mkdirSync(kept[1]!)
  const elsewhere = newFolder()
  writeFileSync(join(elsewhere, "server.lock"), JSON.stringify({ ...thisProcess(), pid: ended, server: "one" }))
  symlinkSync(elsewhere, kept[2]!)
  if (process.getuid?.() === 0) {
    const foreign = folder("foreign", ended)
    chownSync(foreign, 1, 1)
    kept.push(foreign)
  }
  const made = newTemporaryFolder(parent)
  expect(existsSync(left)).toBe(false)
  expect(
    readdirSync(parent)
      .map((name) => join(parent, name))
      .sort()
  ).toEqual([...kept, made].sort())
  expect(readdirSync(elsewhere)).toEqual(["server.lock"])
})

it("A process that exits without closing its graphs leaves no temporary folder, no lock and no marker", async () => {
  const parent = newFolder()
  const program = join(await bundled({ ExitingProcess: "test/storage/lmdb/ExitingProcess.ts" }), "ExitingProcess.mjs")
  const child = spawn(process.execPath, [program, parent], { stdio: ["ignore", "inherit", "inherit"] })
  expect((await once(child, "close"))[0]).toBe(3)
  expect(readdirSync(parent).sort()).toEqual(["disk", "opening"])
  expect(readdirSync(join(parent, "disk")).sort()).toEqual(["graph.mdb", "graph.mdb-lock"])
  expect(readdirSync(join(parent, "opening"))).toEqual([])
})
