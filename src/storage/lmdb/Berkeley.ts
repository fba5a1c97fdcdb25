import { readdirSync } from "node:fs"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"

/** The file name extension of JanusGraph's BerkeleyJE: `00000000.jdb` and so on. */
const FILE_EXTENSION = ".jdb"

const namesIn = (directory: string): ReadonlyArray<string> => {
  try {
    return readdirSync(directory)
  } catch {
    // The folder does not exist or cannot be read. Opening it reports the error.
    return []
  }
}

/**
 * Throws StorageFailure when a folder without a graph of this server has a graph of JanusGraph. An empty graph in that
 * folder would look as if all data were lost.
 */
export const refuseBerkeley = (directory: string): void => {
  if (!namesIn(directory).some((name) => name.endsWith(FILE_EXTENSION))) return
  throw new StorageFailure(
    `The folder ${directory} holds a graph of JanusGraph's BerkeleyJE (*${FILE_EXTENSION}), which this server does not read, and ` +
      "has no graph of this server. Export BerkeleyJE's graph in JanusGraph's console with graph.io(graphson()).writeGraph('graph.json'), set " +
      "storage.directory to another folder, and run: engine-server import graph.json"
  )
}
