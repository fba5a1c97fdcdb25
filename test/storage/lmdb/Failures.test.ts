import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { secondFailure, writeFailure } from "../../../src/storage/lmdb/Failures.ts"
import { StorageFailure, StorageFull, StorageUnavailable } from "../../../src/structure/errors/StoreErrors.ts"
import { newFolder } from "../../Folders.ts"
import { bundled } from "../../layers/support/ServerProcess.ts"

const failed = (code: string | number): Error => Object.assign(new Error(`it failed with ${code}`), { code })

describe("A commit that the system refuses", () => {
  it.each(["EMFILE", "ENFILE", "ENOMEM", 24, 23, 12])("can be repeated after %s", (code) => {
    const failure = writeFailure(newFolder(), failed(code))
    expect(failure).toBeInstanceOf(StorageUnavailable)
    expect(failure.message).toContain("ulimit -n")
  })

  it.each(["ENOSPC", "EDQUOT", "EFBIG", 28, 122, 27, -30792])("has found a full disk after %s", (code) => {
    expect(writeFailure(newFolder(), failed(code))).toBeInstanceOf(StorageFull)
  })

  it("can be repeated when the files cannot be opened once more", () => {
    const failure = secondFailure("/data", new StorageFailure("Check the folder.", { cause: failed("EACCES") }))
    expect(failure).toBeInstanceOf(StorageUnavailable)
    expect(failure.message).toBe(
      "Nothing was written to the graph in /data: its files could not be opened once more (it failed with EACCES). Run the request again."
    )
  })

  it("is the last one when the server has found the files removed", () => {
    const removed = new StorageFailure("The file graph.mdb was removed.")
    expect(secondFailure("/data", removed)).toBe(removed)
  })
})

it.skipIf(process.platform === "win32")(
  "Commits go on after the first commit in time slices has found no free file descriptor",
  async () => {
    const bundle = await bundled({ BusyDescriptors: "test/storage/lmdb/BusyDescriptors.ts" })
    const program = [process.execPath, join(bundle, "BusyDescriptors.mjs"), newFolder()]
    const { stdout } = spawnSync("sh", ["-c", 'ulimit -n 100; exec "$@"', "sh", ...program], {
      timeout: 60_000,
      encoding: "utf8"
    })
    expect(JSON.parse(stdout)).toEqual([
      expect.stringMatching(/^StorageUnavailable: Nothing was written .* could not be opened once more \(EMFILE/),
      "committed",
      "committed",
      "committed"
    ])
  }
)
