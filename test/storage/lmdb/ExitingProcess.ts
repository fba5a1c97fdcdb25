import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { announceOpening } from "../../../src/storage/lmdb/Opening.ts"
import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"
import { newTemporaryFolder } from "../../../src/storage/lmdb/TemporaryFolders.ts"

// Opens a graph in memory and a graph on disk, begins to open another one, and exits without closing any.
const [parent] = process.argv.slice(2)
const options = { sync: "none", readOnly: false } as const
await openLmdbStore({ ...options, directory: newTemporaryFolder(parent), temporary: true })
await openLmdbStore({ ...options, directory: join(parent!, "disk") })
mkdirSync(join(parent!, "opening"))
await announceOpening(join(parent!, "opening"), undefined)
process.exit(3)
