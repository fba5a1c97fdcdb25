import { lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, it, vi } from "vitest"
import { backupGraph, restoreGraph } from "../../../src/layers/tools/Backup.ts"
import { newFolder } from "../../Folders.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { context } from "./Graphs.ts"

it("A restore of a file that is not there says which file it needs", async () => {
  const file = join(newFolder(), "graph.backup")
  const restored = restoreGraph(file, newFolder(), (directory) => lmdbStore({ directory }), context())
  await expect(restored).rejects.toThrow(`${file} does not exist: name a file that the command backup has written.`)
})

it.skipIf(process.platform === "win32")("A backup cannot be read by users outside of the group", async () => {
  const file = join(newFolder(), "new", "graph.backup")
  const graph = await cellGraph(await lmdbStore({ sync: "none" }))
  await backupGraph(graph, file, context())
  await graph.close()
  expect(statSync(file).mode & 0o137).toBe(0)
  expect(statSync(join(file, "..")).mode & 0o027).toBe(0)
})

it("A restore into a symbolic link to the root of a disk keeps both", async () => {
  const folder = newFolder()
  const file = join(folder, "graph.backup")
  const graph = await cellGraph(await lmdbStore({ sync: "none" }))
  await backupGraph(graph, file, context())
  await graph.close()
  const [disk, link] = [join(newFolder(), "data"), join(folder, "db")]
  // As the root of a new file system.
  mkdirSync(join(disk, "lost+found"), { recursive: true })
  const { ino } = statSync(disk)
  symlinkSync(disk, link)
  await restoreGraph(file, link, (directory) => lmdbStore({ directory }), context())
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(statSync(disk).ino).toBe(ino)
  expect(readdirSync(disk)).toEqual(["graph.mdb", "graph.mdb-lock", "lost+found"])
  const again = restoreGraph(file, link, (directory) => lmdbStore({ directory }), context())
  await expect(again).rejects.toThrow(`The folder ${disk} is not empty`)
})

describe("A restore into a symbolic link without a target", () => {
  const withBackup = async () => {
    const [folder, other] = [newFolder(), newFolder()]
    const [file, link] = [join(folder, "graph.backup"), join(folder, "db")]
    const graph = await cellGraph(await lmdbStore({ sync: "none" }))
    await backupGraph(graph, file, context())
    await graph.close()
    const opened: Array<string> = []
    const open = (directory: string) => {
      opened.push(directory)
      return lmdbStore({ directory })
    }
    return { folder, file, link, other, opened, restore: () => restoreGraph(file, link, open, context()) }
  }

  it.each([
    ["absolute", (_: string, target: string) => target],
    ["relative", relative]
  ])("makes the graph where its %s text points, on that disk", async (_, textOf) => {
    const { folder, link, opened, other, restore } = await withBackup()
    const target = join(other, "new", "data")
    symlinkSync(textOf(folder, target), link)
    expect(await restore()).toContain(`into ${target} (`)
    expect(opened).toEqual([`${target}.restoring`])
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readdirSync(link)).toEqual(["graph.mdb", "graph.mdb-lock"])
    expect(readdirSync(join(other, "new"))).toEqual(["data"])
    expect(readdirSync(folder)).toEqual(["db", "graph.backup"])
  })

  it("reads a relative text from the folder of the link, which another link leads to", async () => {
    const { file, other, folder } = await withBackup()
    symlinkSync(folder, join(other, "short"))
    symlinkSync("beside", join(folder, "db"))
    await restoreGraph(file, join(other, "short", "db"), (directory) => lmdbStore({ directory }), context())
    expect(readdirSync(folder)).toEqual(["beside", "db", "graph.backup"])
    expect(readdirSync(other)).toEqual(["short"])
  })

  it("makes the graph below such a link", async () => {
    const { file, folder, link, other } = await withBackup()
    const target = join(other, "data")
    symlinkSync(target, link)
    await restoreGraph(file, join(link, "graph"), (directory) => lmdbStore({ directory }), context())
    expect(readdirSync(join(target, "graph"))).toEqual(["graph.mdb", "graph.mdb-lock"])
    expect(readdirSync(folder)).toEqual(["db", "graph.backup"])
  })

  it("refuses one that points to itself before any work", async () => {
    const { file, link, opened, restore } = await withBackup()
    symlinkSync(link, link)
    await expect(restore()).rejects.toThrow(`${link} cannot be followed`)
    const below = restoreGraph(file, join(link, "graph"), (directory) => lmdbStore({ directory }), context())
    await expect(below).rejects.toThrow(`${join(link, "graph")} cannot be followed`)
    expect(opened).toEqual([])
  })
})

it("A restore into a file says what it needs", async () => {
  const file = join(newFolder(), "graph.backup")
  writeFileSync(file, "")
  const restored = restoreGraph(file, file, (directory) => lmdbStore({ directory }), context())
  await expect(restored).rejects.toThrow(`${file} is no folder: name a folder that is empty or does not exist.`)
})

it("A backup into a symbolic link without a target is refused before any work", async () => {
  const folder = newFolder()
  const file = join(folder, "graph.backup")
  symlinkSync(join(newFolder(), "none"), file)
  const graph = await cellGraph(await lmdbStore({ sync: "none" }))
  const snapshots = vi.spyOn(graph.core.cells, "snapshot")
  await expect(backupGraph(graph, file, context())).rejects.toThrow(`${file} exists already`)
  expect(snapshots).not.toHaveBeenCalled()
  await graph.close()
})

it("A restore of a backup that is cut or changed says what to do", async () => {
  const whole = gzipSync(Buffer.alloc(2_000, "x"))
  const changed = Buffer.from(whole)
  changed[changed.length - 6]! ^= 1
  for (const bytes of [whole.subarray(0, 12), changed, Buffer.concat([whole, Buffer.from("tail")]), Buffer.from("x")]) {
    const file = join(newFolder(), "graph.backup")
    writeFileSync(file, bytes)
    const restored = restoreGraph(file, newFolder(), (directory) => lmdbStore({ directory }), context())
    await expect(restored).rejects.toThrow(
      /graph.backup: The backup .*is damaged or is incomplete. Use another backup.$/
    )
  }
})
