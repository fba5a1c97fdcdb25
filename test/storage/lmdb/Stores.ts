import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { type LmdbStore, type LmdbStoreOptions, openLmdbStore } from "../../../src/storage/lmdb/LmdbStore.ts"

const folders: Array<string> = []

/** A new folder, which is removed after the tests of the file. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-lmdb-"))
  folders.push(folder)
  return folder
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Opens a store, by default in a new folder. */
export const lmdbStore = (options: Partial<LmdbStoreOptions> = {}): Promise<LmdbStore> =>
  openLmdbStore({ directory: options.directory ?? newFolder(), sync: "durable", readOnly: false, ...options })
