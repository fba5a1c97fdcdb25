import { readdirSync } from "node:fs"
import { StorageFailure } from "../../structure/StoreErrors.ts"

/** What JanusGraph's BerkeleyJE keeps a graph in: `00000000.jdb` and so on. */
const FILES = ".jdb"

const namesIn = (directory: string): ReadonlyArray<string> => {
  try {
    return readdirSync(directory)
  } catch {
    // It is not there, or is no folder that can be read: the one who opens it says so.
    return []
  }
}

/**
 * Throws StorageFailure when a folder without a graph of this server holds one of JanusGraph's: an empty graph beside
 * it would look as if all of it were lost.
 */
export const refuseBerkeley = (directory: string): void => {
  if (!namesIn(directory).some((name) => name.endsWith(FILES))) return
  throw new StorageFailure(
    `The folder ${directory} holds a graph of JanusGraph's BerkeleyJE (*${FILES}), which this server does not read, and ` +
      "none of its own. Export it in JanusGraph's console by graph.io(graphson()).writeGraph('graph.json'), set " +
      "storage.directory to another folder, and run: engine-server import graph.json"
  )
}
