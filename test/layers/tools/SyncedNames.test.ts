import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { backupGraph, restoreGraph } from "../../../src/layers/tools/Backup.ts"
import { exportGraph } from "../../../src/layers/tools/Export.ts"
import { newFolder } from "../../Folders.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { context } from "./Graphs.ts"

/** The paths that were synced, and what happened between: renames, and files that are flushed when they are complete. */
const events = vi.hoisted((): Array<string> => [])

vi.mock("node:fs", async (original) => {
  const fs: typeof import("node:fs") = await original()
  const fsyncSync = (file: number): void => {
    events.push(`synced ${fs.readlinkSync(`/proc/self/fd/${file}`)}`)
    fs.fsyncSync(file)
  }
  const createWriteStream: typeof fs.createWriteStream = (path, options) => {
    if (typeof options === "object" && options.flush === true) events.push("flushed file")
    return fs.createWriteStream(path, options)
  }
  return { ...fs, fsyncSync, createWriteStream }
})

/** What happened during work. */
const during = async (work: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  events.length = 0
  await work()
  return [...events]
}

describe.skipIf(process.platform !== "linux")("After a power failure", () => {
  it("backups, exports and restored graphs have their names", async () => {
    const folder = newFolder()
    const graph = await cellGraph(await lmdbStore({ sync: "none" }))
    const backup = join(folder, "new", "graph.backup")
    expect(await during(() => backupGraph(graph, backup, context()))).toEqual([
      `synced ${folder}`,
      "flushed file",
      `synced ${folder}/new`
    ])
    const file = { path: join(folder, "graph.json"), format: "graphson", zipped: false } as const
    expect(await during(() => exportGraph(graph, file, context()))).toEqual(["flushed file", `synced ${folder}`])
    const csv = { path: join(folder, "csv"), format: "csv", zipped: true } as const
    expect(await during(() => exportGraph(graph, csv, context()))).toEqual([
      `synced ${folder}`,
      "flushed file",
      "flushed file",
      `synced ${folder}/csv`,
      `synced ${folder}/csv`
    ])
    await graph.close()
    const restored = (directory: string) =>
      during(() => restoreGraph(backup, directory, (made) => lmdbStore({ directory: made }), context()))
    const [there, empty] = [join(folder, "graph"), join(folder, "empty")]
    expect((await restored(there)).slice(-2)).toEqual([`synced ${there}.restoring`, `synced ${folder}`])
    mkdirSync(empty)
    expect((await restored(empty)).slice(-2)).toEqual([`synced ${empty}/.restoring`, `synced ${empty}`])
  })
})
