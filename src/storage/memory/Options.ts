import type { GraphFeatures } from "../../structure/graph/GraphStore.ts"
import { Cardinality } from "../../structure/scalars/Enums.ts"
import type { IdManagerName } from "../shared/IdManager.ts"

/** The options of a graph in memory. */
export interface MemoryGraphOptions {
  /** As the configuration names it. */
  readonly name: string
  /** What describe() says before the counts: `tinkergraph`. */
  readonly title: string
  readonly features: GraphFeatures
  readonly vertexIdManager: IdManagerName
  readonly edgeIdManager: IdManagerName
  readonly vertexPropertyIdManager: IdManagerName
  readonly defaultVertexPropertyCardinality: "single" | "list" | "set"
  /** Estimated bytes beyond which writes are refused with MemoryLimitExceeded; undefined = no limit. */
  readonly maxBytes: number | undefined
  /** Called when the graph closes, or stops taking writes, because of a failure. */
  readonly onFault?: (reason: string) => void
}

/** TinkerGraph's own options, as its properties files spell them. All may be left out. */
export interface TinkerGraphMemoryOptions {
  readonly vertexIdManager?: IdManagerName
  readonly edgeIdManager?: IdManagerName
  readonly vertexPropertyIdManager?: IdManagerName
  readonly defaultVertexPropertyCardinality?: "single" | "list" | "set"
  readonly allowNullPropertyValues?: boolean
  readonly maxBytes?: number | undefined
}

const tinker = (
  name: string,
  title: string,
  transactions: boolean,
  given: TinkerGraphMemoryOptions
): MemoryGraphOptions => ({
  name,
  title,
  features: {
    transactions,
    userSuppliedVertexIds: true,
    userSuppliedEdgeIds: true,
    userSuppliedVertexPropertyIds: true,
    nullPropertyValues: given.allowNullPropertyValues ?? false,
    multiProperties: true,
    metaProperties: true,
    creationCardinality: Cardinality.list,
    persistent: false
  },
  vertexIdManager: given.vertexIdManager ?? "ANY",
  edgeIdManager: given.edgeIdManager ?? "ANY",
  vertexPropertyIdManager: given.vertexPropertyIdManager ?? "ANY",
  defaultVertexPropertyCardinality: given.defaultVertexPropertyCardinality ?? "single",
  maxBytes: given.maxBytes
})

/** TinkerGraph: no transactions for clients, each request commits by itself. */
export const tinkerGraph = (name: string, options: TinkerGraphMemoryOptions = {}): MemoryGraphOptions =>
  tinker(name, "tinkergraph", false, options)

/** TinkerGraph with explicit commit and rollback. */
export const tinkerTransactionGraph = (name: string, options: TinkerGraphMemoryOptions = {}): MemoryGraphOptions =>
  tinker(name, "tinkertransactiongraph", true, options)

/** JanusGraph with `storage.backend=inmemory`: explicit commit, ids are counted Longs and cannot be chosen. */
export const janusGraphInMemory = (
  name: string,
  options: { readonly maxBytes?: number | undefined } = {}
): MemoryGraphOptions => ({
  name,
  title: "standardjanusgraph",
  features: {
    transactions: true,
    userSuppliedVertexIds: false,
    userSuppliedEdgeIds: false,
    userSuppliedVertexPropertyIds: false,
    nullPropertyValues: false,
    multiProperties: true,
    metaProperties: true,
    creationCardinality: null,
    persistent: false
  },
  vertexIdManager: "LONG",
  edgeIdManager: "LONG",
  vertexPropertyIdManager: "LONG",
  defaultVertexPropertyCardinality: "single",
  maxBytes: options.maxBytes
})
