import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { bundled } from "../../layers/support/ServerProcess.ts"
import { lmdbStore } from "./Stores.ts"

const modeOf = (path: string): number => statSync(path).mode & 0o777

describe.skipIf(process.platform === "win32")("The files of a graph", () => {
  it("cannot be read by users outside of the group, nor can its new folder", async () => {
    const directory = join(newFolder(), "new", "graph")
    await (await lmdbStore({ directory })).close()
    expect([modeOf(join(directory, "..")), modeOf(directory)].map((mode) => mode & 0o027)).toEqual([0, 0])
    expect(readdirSync(directory)).toEqual(["graph.mdb", "graph.mdb-lock"])
    for (const name of readdirSync(directory)) expect(modeOf(join(directory, name)) & 0o137).toBe(0)
  })

  it("keep the modes that they have, also after a compaction, and so does the folder", async () => {
    const directory = join(newFolder(), "graph")
    mkdirSync(directory)
    chmodSync(directory, 0o777)
    await (await lmdbStore({ directory })).close()
    for (const name of ["graph.mdb", "graph.mdb-lock"]) {
      expect(modeOf(join(directory, name)) & 0o007).toBe(0)
      chmodSync(join(directory, name), 0o664)
    }
    const store = await lmdbStore({ directory })
    store.rewriteWhenClosed()
    await store.close()
    expect(modeOf(directory)).toBe(0o777)
    for (const name of ["graph.mdb", "graph.mdb-lock"]) expect(modeOf(join(directory, name))).toBe(0o664)
  })

  it("are not read by a user who may not write the lock file", async () => {
    const directory = newFolder()
    await (await lmdbStore({ directory })).close()
    const program = join(await bundled({ OtherUser: "test/storage/lmdb/OtherUser.ts" }), "OtherUser.mjs")
    const read = (lockFile: number): string => {
      chmodSync(join(directory, "graph.mdb-lock"), lockFile)
      return spawnSync(process.execPath, [program, directory], { encoding: "utf8" }).stdout
    }
    chmodSync(directory, 0o755)
    chmodSync(join(directory, "graph.mdb"), 0o644)
    expect(read(0o444)).toMatch(/This user may not write .*graph\.mdb-lock.* as the user of the server, or read a copy/)
    expect(read(0o666)).toBe("opened")
  })
})
