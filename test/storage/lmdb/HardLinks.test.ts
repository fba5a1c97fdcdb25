import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { makeRoom } from "../../../src/storage/lmdb/GraphFiles.ts"
import { create } from "../../../src/storage/lmdb/LockFile.ts"
import { StorageFailure } from "../../../src/structure/errors/StoreErrors.ts"
import { newFolder } from "../../Folders.ts"
import { lmdbStore } from "./Stores.ts"

const links = vi.hoisted((): { failure: string | undefined } => ({ failure: undefined }))
vi.mock(import("node:fs"), async (importOriginal) => {
  const fs = await importOriginal()
  const linkSync: typeof fs.linkSync = (...paths) => {
    if (links.failure === undefined) fs.linkSync(...paths)
    else throw Object.assign(new Error(`${links.failure}: link`), { code: links.failure, syscall: "link" })
  }
  return { ...fs, linkSync }
})

afterEach(() => {
  links.failure = undefined
})

describe("A file system without hard links", () => {
  it.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])("is named as the reason, with %s", async (code) => {
    links.failure = code
    const directory = newFolder()
    const reason = `The file system of ${directory} has no hard links (${code}: link)`
    expect(() => create(join(directory, "server.lock"), "{}")).toThrow(reason)
    expect(() => makeRoom(join(directory, "graph.mdb"), "a graph")).toThrow(StorageFailure)
    await expect(lmdbStore({ directory })).rejects.toThrow(reason)
  })

  it.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])("lets a graph be read, with %s", async (code) => {
    const directory = newFolder()
    await (await lmdbStore({ directory })).close()
    links.failure = code
    await (await lmdbStore({ directory, readOnly: true })).close()
  })
})

it("A link that fails for another reason keeps its error", () => {
  links.failure = "EMLINK"
  const directory = newFolder()
  expect(() => create(join(directory, "server.lock"), "{}")).toThrow("cannot be created (EMLINK: link)")
})
