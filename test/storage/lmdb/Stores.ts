import { type LmdbStore, type LmdbStoreOptions, openLmdbStore } from "../../../src/storage/lmdb/LmdbStore.ts"
import { newFolder } from "../../Folders.ts"

/** Opens a store, by default in a new folder. */
export const lmdbStore = (options: Partial<LmdbStoreOptions> = {}): Promise<LmdbStore> =>
  openLmdbStore({ directory: options.directory ?? newFolder(), sync: "durable", readOnly: false, ...options })
