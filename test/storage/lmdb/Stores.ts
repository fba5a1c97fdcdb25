import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { type LmdbStore, type LmdbStoreOptions, openLmdbStore } from "../../../src/storage/lmdb/LmdbStore.ts"

const folders: Array<string> = []

/** A folder of its own, removed after the tests of the file. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-lmdb-"))
  folders.push(folder)
  return folder
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A store in a folder; an empty one of its own unless one is named. */
export const lmdbStore = (options: Partial<LmdbStoreOptions> = {}): Promise<LmdbStore> =>
  openLmdbStore({ directory: options.directory ?? newFolder(), sync: "durable", readOnly: false, ...options })
