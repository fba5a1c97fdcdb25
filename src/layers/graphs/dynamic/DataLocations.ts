import type { GraphSettings, SearchEngineSettings, StorageOptions } from "../../../services/GraphSettings.ts"
import { canonical } from "../../../storage/shared/CanonicalPath.ts"
import { keyspaceOf, nodeOf, nodesOf } from "../../config/SameStorage.ts"

/** Where the cells of a graph are: a folder, or a keyspace and the contact points of its cluster. */
export type CellLocation =
  | { readonly kind: "lmdb"; readonly directory: string }
  | { readonly kind: "cql"; readonly keyspace: string; readonly nodes: ReadonlyArray<string> }

/** The locations of the data of a graph, which no other graph may have. */
export interface DataLocations {
  /** Undefined for a graph in memory. */
  readonly cells: CellLocation | undefined
  /** Its documents on each host of a search engine. */
  readonly documents: ReadonlyArray<string>
  /** Each index-name of its search engines. */
  readonly indexNames: ReadonlyArray<string>
}

/** The locations of the data of a graph with these settings. */
export const dataLocationsOf = (settings: GraphSettings): DataLocations => ({
  cells: cellLocationOf(settings),
  documents: documentLocationsOf(settings),
  indexNames: indexNamesOf(settings)
})

/** The documents of a graph on each host of a search engine. */
export const documentLocationsOf = (settings: GraphSettings): ReadonlyArray<string> =>
  enginesOf(settings).flatMap(({ hosts, indexName, port }) =>
    hosts.map((host) => `${nodeOf(host, port)} ${indexName.toLowerCase()}`)
  )

/** Each index-name of the search engines of a graph. */
export const indexNamesOf = (settings: GraphSettings): ReadonlyArray<string> =>
  enginesOf(settings).map(({ indexName }) => indexName)

const enginesOf = ({ factory }: GraphSettings): ReadonlyArray<SearchEngineSettings> =>
  factory.kind === "JanusGraphFactory" ? (factory.cells?.searchEngines ?? []) : []

/** Whether a graph with one of the index-names may have an index of this name in an engine, on whatever hosts. */
export const mayHaveIndex = (indexNames: ReadonlyArray<string>, index: string): boolean =>
  indexNames.some((name) => index.toLowerCase().startsWith(`${name.toLowerCase()}_`))

/**
 * Whether the documents of two graphs at these places may be in one index of an engine, whose name is the index-name, `_` and the name of
 * an index: both `a` with the index `b_c` and `a_b` with `c` have `a_b_c`.
 */
export const mayShareDocuments = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}_`) || other.startsWith(`${one}_`)

const cellLocationOf = (settings: GraphSettings): CellLocation | undefined => {
  const storage = storageOf(settings)
  if (storage?.backend === "lmdb") return { kind: "lmdb", directory: canonical(storage.directory ?? "") }
  if (storage?.backend === "cql") return { kind: "cql", keyspace: keyspaceOf(storage), nodes: nodesOf(storage) }
  return undefined
}

/** Whether two locations may be one: the same folder, or keyspaces of one name, because the nodes of a cluster have many addresses. */
export const mayBeSameCells = (one: CellLocation | undefined, other: CellLocation | undefined): boolean => {
  if (one?.kind === "lmdb") return other?.kind === "lmdb" && one.directory === other.directory
  return one?.kind === "cql" && other?.kind === "cql" && one.keyspace === other.keyspace
}

/** Whether two locations are one: the same folder, or the same keyspace in clusters that share a contact point. */
export const areSameCells = (one: CellLocation | undefined, other: CellLocation | undefined): boolean => {
  if (!mayBeSameCells(one, other)) return false
  if (one?.kind !== "cql" || other?.kind !== "cql") return true
  return one.nodes.some((node) => other.nodes.includes(node))
}

/** The options of the storage of a graph; undefined for a graph that is not JanusGraph's. */
export const storageOf = ({ factory }: GraphSettings): StorageOptions | undefined =>
  factory.kind === "JanusGraphFactory" ? factory.storage : undefined

/** A host in the form that is compared. */
export const lower = (host: string): string => host.toLowerCase()
