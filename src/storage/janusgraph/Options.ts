import type { GraphFeatures } from "../../structure/graph/GraphStore.ts"

/** How types that the schema does not have are created when they are first used (`schema.default`). */
export type SchemaMaker = "default" | "tp3" | "none" | "ignore-prop"

/** True if missing types and constraints are created. Without that, `ignore-prop` leaves properties with unknown keys out. */
export const makesTypes = (maker: SchemaMaker): boolean => maker === "default" || maker === "tp3"

/** The settings of a graph over cells. */
export interface CellGraphOptions {
  /** The name of the graph in the configuration. */
  readonly name: string
  /** Default `default`: types are created automatically. A key gets the data type of its first value and is SINGLE. */
  readonly schemaMaker: SchemaMaker
  /** Called for each automatically created type (`schema.default=logging`). */
  readonly onTypeMade?: ((what: string, name: string) => void) | undefined
  /**
   * Restricts elements to the properties and connections that the schema allows (`schema.constraints`). Others are
   * refused, or added to the schema where types are created automatically. Default false.
   */
  readonly constraints: boolean
  /** The current time, ms since the epoch, for times to live. */
  readonly clock: () => number
  /** Clients choose the ids of vertices (`graph.set-vertex-id`). Default false. */
  readonly userVertexIds: boolean
  /** Vertex ids may be text (`graph.allow-custom-vid-types`). Default false. */
  readonly textVertexIds: boolean
  /** The number of bits of the partition in an id, for a new graph (`cluster.max-partitions`). Default 5. */
  readonly partitionBits: number
  /** The number of vertex ids in a claimed block (`ids.block-size`). Default 10,000. */
  readonly idBlockSize: number
  /** Estimated size of the cache of decoded rows, in bytes. Default 64 MiB. */
  readonly cacheBytes: number
  /** Refuses writes (`storage.read-only`). Default false. */
  readonly readOnly: boolean
  /** Refuses traversals that would read every element (`query.force-index`). Default false. */
  readonly forceIndex: boolean
  /**
   * Allows writes to keys of mixed indexes that JanusGraph keeps in another system (`schema.allow-stale-mixed-indexes`).
   * Default false.
   */
  readonly staleMixedIndexes: boolean
}

/** The defaults of the settings. */
export const defaultCellGraphOptions: Omit<CellGraphOptions, "name"> = {
  schemaMaker: "default",
  constraints: false,
  clock: Date.now,
  userVertexIds: false,
  textVertexIds: false,
  partitionBits: 5,
  idBlockSize: 10_000,
  cacheBytes: 64 * 1024 * 1024,
  readOnly: false,
  forceIndex: false,
  staleMixedIndexes: false
}

/** The features of a graph over cells. */
export const featuresOf = (options: CellGraphOptions, persistent: boolean): GraphFeatures => ({
  transactions: true,
  userSuppliedVertexIds: options.userVertexIds,
  userSuppliedEdgeIds: false,
  userSuppliedVertexPropertyIds: false,
  nullPropertyValues: false,
  multiProperties: true,
  metaProperties: true,
  creationCardinality: null,
  persistent
})
