import { closeSync, existsSync, openSync, readdirSync, readlinkSync, writeSync } from "node:fs"
import { knownTransactions } from "../../../src/storage/lmdb/FileLength.ts"
import type { LmdbStore } from "../../../src/storage/lmdb/LmdbStore.ts"
import { type LmdbStoreOptions, openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"
import { newFolder } from "../../Folders.ts"

/** Opens a store, by default in a new folder. */
export const lmdbStore = (options: Partial<LmdbStoreOptions> = {}): Promise<LmdbStore> =>
  openLmdbStore({ directory: options.directory ?? newFolder(), sync: "durable", readOnly: false, ...options })

/** The number that lmdb's lock file names is that of the commit before the newest one: an opening had read it before. */
export const setBack = (directory: string): void => {
  const path = `${directory}/graph.mdb-lock`
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(knownTransactions(path) - 1n)
  const lock = openSync(path, "r+")
  writeSync(lock, bytes, 0, 8, 8)
  closeSync(lock)
}

/** The files in a folder that this process has open; none where the system does not tell it. */
export const openFilesIn = (directory: string): ReadonlyArray<string> =>
  (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd") : []).flatMap((file) => {
    try {
      return [readlinkSync(`/proc/self/fd/${file}`)].filter((path) => path.startsWith(`${directory}/`))
    } catch {
      // The folder of these names was open itself.
      return []
    }
  })
