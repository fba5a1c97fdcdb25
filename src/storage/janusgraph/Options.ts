import type { GraphFeatures } from "../../structure/GraphStore.ts"

/** What happens to a property key, edge label or vertex label that the schema does not have yet (`schema.default`). */
export type SchemaMaker = "default" | "tp3" | "none" | "ignore-prop"

/** What a graph over cells is to be. */
export interface CellGraphOptions {
  /** As the configuration names it. */
  readonly name: string
  /** Default `default`: types are made as they are used, keys with the type of their first value and SINGLE. */
  readonly schemaMaker: SchemaMaker
  /** Is told of each type that is made as it is used (`schema.default=logging`). */
  readonly onTypeMade?: ((what: string, name: string) => void) | undefined
  /**
   * Properties and connections that the schema does not allow are refused where it makes no types, and allowed from
   * then on where it does (`schema.constraints`). Default false.
   */
  readonly constraints: boolean
  /** The time, ms since the epoch: what has outlived its time to live is seen no more. */
  readonly clock: () => number
  /** Clients give the ids of vertices (`graph.set-vertex-id`). Default false. */
  readonly userVertexIds: boolean
  /** Ids of vertices may be texts (`graph.allow-custom-vid-types`). Default false. */
  readonly textVertexIds: boolean
  /** Bits of an id that name its partition, for a graph that is made now (`cluster.max-partitions`). Default 5. */
  readonly partitionBits: number
  /** Ids of vertices that are claimed at a time (`ids.block-size`). Default 10,000. */
  readonly idBlockSize: number
  /** Bytes of decoded rows that are kept between transactions, about. */
  readonly cacheBytes: number
  /** Writes are refused. Default false. */
  readonly readOnly: boolean
  /** Traversals that would look at every element are refused (`query.force-index`). Default false. */
  readonly forceIndex: boolean
}

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
  forceIndex: false
}

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
