import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { emptyTinkerGraph, type ServerSettings } from "../../../src/services/Config.ts"
import type { GraphSettings } from "../../../src/services/GraphSettings.ts"
import { openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { defaultCellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"

/** Controls the flushes of a graph in a folder. */
export interface Flushes {
  count: number
  flush: () => Promise<void>
}

// The server imports a second instance of this module as its graph factory. The map is global, so that both share it.
const known = (globalThis as { flushes?: Map<string, Flushes> }).flushes ?? new Map<string, Flushes>()
Object.assign(globalThis, { flushes: known })

export const flushesOf = (folder: string): Flushes => {
  const flushes = known.get(folder) ?? { count: 0, flush: () => Promise.resolve() }
  known.set(folder, flushes)
  return flushes
}

/** Settings of a server whose graph waits for flushes of the test. */
export const flushed = (folder: string): Partial<ServerSettings> => ({
  graphs: new Map([
    [
      "graph",
      {
        ...emptyTinkerGraph,
        name: "graph",
        file: folder,
        factory: { kind: "module", module: fileURLToPath(import.meta.url) }
      }
    ]
  ])
})

/** A graph on lmdb in the folder of its properties file. Its commits wait for {@link flushesOf}. */
export default async ({ file = "", name }: GraphSettings): Promise<GraphStore> => {
  const flushes = flushesOf(file)
  const store = await openLmdbStore({
    directory: join(file, "db"),
    sync: "durable",
    readOnly: false,
    flush: () => {
      flushes.count++
      return flushes.flush()
    }
  })
  return openCellGraph(store, { ...defaultCellGraphOptions, name }, "test")
}
