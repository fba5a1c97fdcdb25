import type { GraphSettings, StorageOptions } from "../../../services/GraphSettings.ts"
import { canonical } from "../../../storage/shared/CanonicalPath.ts"
import { keyspaceOf, nodesOf } from "../../config/SameStorage.ts"

/** The locations of the data of a graph, which no other graph may have. */
export interface DataLocations {
  /** Undefined for a graph in memory. */
  readonly cells: string | undefined
  /** Its documents on each host of a search engine. */
  readonly documents: ReadonlyArray<string>
}

/** The locations of the data of a graph with these settings. */
export const dataLocationsOf = (settings: GraphSettings): DataLocations => ({
  cells: cellLocationOf(settings),
  documents: documentLocationsOf(settings)
})

/** The documents of a graph on each host of a search engine. */
export const documentLocationsOf = ({ factory }: GraphSettings): ReadonlyArray<string> => {
  const engines = factory.kind === "JanusGraphFactory" ? (factory.cells?.searchEngines ?? []) : []
  return engines.flatMap(({ hosts, indexName, port }) =>
    hosts.map((host) => `${lower(/:\d+$/.test(host) ? host : `${host}:${port}`)} ${indexName.toLowerCase()}`)
  )
}

const cellLocationOf = (settings: GraphSettings): string | undefined => {
  const storage = storageOf(settings)
  if (storage?.backend === "lmdb") return `lmdb ${canonical(storage.directory ?? "")}`
  if (storage?.backend === "cql") return `cql ${[...nodesOf(storage)].sort().join(",")} ${keyspaceOf(storage)}`
  return undefined
}

/** The options of the storage of a graph; undefined for a graph that is not JanusGraph's. */
export const storageOf = ({ factory }: GraphSettings): StorageOptions | undefined =>
  factory.kind === "JanusGraphFactory" ? factory.storage : undefined

/** A host in the form that is compared. */
export const lower = (host: string): string => host.toLowerCase()
