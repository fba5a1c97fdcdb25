import { execFileSync, spawnSync } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { bundled } from "../../layers/support/ServerProcess.ts"
import { lmdbStore } from "./Stores.ts"

const canCompile = process.platform === "linux" && spawnSync("cc", ["--version"]).status === 0
const [ENOSPC, EIO] = [28, 5]

it.skipIf(!canCompile)(
  "A commit whose meta page could not be written has an unknown outcome, and further ones fail at once",
  async () => {
    const library = join(newFolder(), "failing.so")
    execFileSync("cc", ["-shared", "-fPIC", "-o", library, join(import.meta.dirname, "FailingDisk.c"), "-ldl"])
    const bundle = await bundled({ FailingDiskWriter: "test/storage/lmdb/FailingDiskWriter.ts" })
    for (const kind of ["short", "long", "synchronous"]) {
      for (const code of [ENOSPC, EIO]) {
        const directory = newFolder()
        const env = { ...process.env, LD_PRELOAD: library, FAIL_FILE: join(newFolder(), "fail"), FAIL_ERRNO: `${code}` }
        const program = [join(bundle, "FailingDiskWriter.mjs"), directory, kind]
        const { stdout } = spawnSync(process.execPath, program, { env, timeout: 60_000, encoding: "utf8" })
        expect(stdout).toBe('["CommitOutcomeUnknown","StorageFailure"]')
        const store = await lmdbStore({ directory })
        const snapshot = store.snapshot()
        const rows = snapshot.scan("edgestore").next(10)
        // This time the disk has the commit.
        expect(rows.map(({ key }) => Buffer.from(key).toString())).toEqual(["first", "second"])
        snapshot.close()
        await store.close()
      }
    }
  }
)
