import type { CellGraphSettings } from "../../services/GraphSettings.ts"
import { openLmdbStore } from "../../storage/lmdb/OpenLmdbStore.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { type Opening, openCells } from "./CellGraphs.ts"

/** A graph in the files of lmdb. */
interface LmdbGraphRequest {
  /** For messages. */
  readonly name: string
  /** Absolute path of the folder with the files. */
  readonly directory: string
  readonly readOnly: boolean
  /** Opening fails where there is no graph yet. */
  readonly mustExist: boolean
  readonly cells: CellGraphSettings
  /** The folder is removed when the graph is closed. */
  readonly temporary: boolean
}

/**
 * Opens the graph in a folder, or creates it. Fails with StorageFailure when the folder cannot be used, when another server
 * has it open, when its format is not one that this version reads, and when a graph that must exist does not.
 */
export const openLmdbGraph = async (
  { cells, directory, mustExist, name, readOnly, temporary }: LmdbGraphRequest,
  { log, signal, worker }: Opening
): Promise<GraphStore> => {
  const store = await openLmdbStore({
    directory,
    sync: cells.lmdbSync,
    readOnly,
    mustExist,
    temporary,
    // Each process has temporary folders of its own.
    ...(worker === undefined || temporary ? {} : { server: worker.server }),
    signal,
    onWait: (text) => log("warning", text),
    onFailure: ({ message }) => log("error", `The graph '${name}' takes no more writes. ${message}`)
  })
  return openCells(store, name, readOnly, cells, { log })
}
