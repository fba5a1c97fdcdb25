import type { CellGraphSettings } from "../../services/GraphSettings.ts"
import { openLmdbStore } from "../../storage/lmdb/LmdbStore.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { type Opening, openCells } from "./CellGraphs.ts"

/**
 * Opens the graph in a folder, or makes it. Fails with StorageFailure when the folder cannot be used, belongs to another
 * server, or was written by a version that this one cannot read. `temporary`: it is removed when it is closed.
 */
export const openLmdbGraph = async (
  name: string,
  directory: string,
  readOnly: boolean,
  cells: CellGraphSettings,
  temporary: boolean,
  { log, signal }: Opening
): Promise<GraphStore> => {
  const store = await openLmdbStore({
    directory,
    sync: cells.lmdbSync,
    readOnly,
    temporary,
    signal,
    onWait: (text) => log("warning", text),
    onFailure: ({ message }) => log("error", `The graph '${name}' takes no more writes. ${message}`)
  })
  return openCells(store, name, readOnly, cells, log)
}
