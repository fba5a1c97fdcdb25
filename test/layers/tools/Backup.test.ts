import { lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
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
